"""Transforms made of others."""

from ...torch import rand, randperm, tensor
from ...torch.nn import Module


class Compose:
    """Transforms one after the other."""

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        for transform in self.transforms:
            img = transform(img)
        return img

    def __repr__(self):
        inner = "".join(f"\n    {transform}" for transform in self.transforms)
        return f"{type(self).__name__}({inner}\n)"


class Lambda:
    """A function as a transform."""

    def __init__(self, lambd):
        if not callable(lambd):
            raise TypeError(f"Argument lambd should be callable, got {type(lambd).__name__!r}")
        self.lambd = lambd

    def __call__(self, img):
        return self.lambd(img)

    def __repr__(self):
        return f"{type(self).__name__}()"


def chance(p):
    """Whether something of this probability happens, this time."""
    return rand(1).item() < p


class RandomApply(Module):
    """All of some transforms, with a probability."""

    def __init__(self, transforms, p=0.5):
        super().__init__()
        self.transforms, self.p = transforms, p

    def forward(self, img):
        if chance(self.p):
            for transform in self.transforms:
                img = transform(img)
        return img

    def __repr__(self):
        inner = "".join(f"\n    {transform}" for transform in self.transforms)
        return f"{type(self).__name__}(\n    p={self.p}{inner}\n)"


class _Among:
    """Transforms of which some are drawn."""

    def __init__(self, transforms):
        if not isinstance(transforms, (tuple, list)):
            raise TypeError("Argument transforms should be a sequence")
        self.transforms = transforms

    def __repr__(self):
        inner = "".join(f"\n    {transform}" for transform in self.transforms)
        return f"{type(self).__name__}({inner}\n)"


class RandomOrder(_Among):
    """Transforms in some order."""

    def __call__(self, img):
        for number in randperm(len(self.transforms)).tolist():
            img = self.transforms[number](img)
        return img


class RandomChoice(_Among):
    """One of some transforms; p has their probabilities."""

    def __init__(self, transforms, p=None):
        super().__init__(transforms)
        if p is not None and not isinstance(p, (tuple, list)):
            raise TypeError("Argument p should be a sequence")
        self.p = p

    def __call__(self, img):
        weights = tensor([1.0] * len(self.transforms) if self.p is None else self.p)
        return self.transforms[weights.multinomial(1).item()](img)

    def __repr__(self):
        return f"{super().__repr__()}(p={self.p})"
