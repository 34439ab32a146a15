"""Transforms of where pixels are, by chance: the numbers are those of torch's generator."""

from ..._pictures.parts import drawn_size, middle
from ...torch import empty, randint
from ...torch.nn import Module
from . import functional as F
from ._compose import chance
from ._modes import InterpolationMode, checked


def between(low, high):
    """A number between two, this time."""
    return empty(1).uniform_(float(low), float(high)).item()


class _Flip(Module):
    """A picture mirrored, with a probability."""

    def __init__(self, p=0.5):
        super().__init__()
        self.p = p

    def __repr__(self):
        return f"{type(self).__name__}(p={self.p})"


class RandomHorizontalFlip(_Flip):
    """Left and right exchanged, with a probability."""

    def forward(self, img):
        return F.hflip(img) if chance(self.p) else img


class RandomVerticalFlip(_Flip):
    """Top and bottom exchanged, with a probability."""

    def forward(self, img):
        return F.vflip(img) if chance(self.p) else img


class RandomCrop(Module):
    """A part of a picture, anywhere in it; before, it may get a border."""

    def __init__(
        self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"
    ):
        super().__init__()
        self.size = F.sizes(size)
        self.padding, self.pad_if_needed = padding, pad_if_needed
        self.fill, self.padding_mode = fill, padding_mode

    @staticmethod
    def get_params(img, output_size):
        """Top, left, height and width of a part of this size."""
        _, rows, columns = F.get_dimensions(img)
        height, width = output_size
        if rows < height or columns < width:
            raise ValueError(
                f"Required crop size {(height, width)} is larger than input image size "
                f"{(rows, columns)}"
            )
        if (rows, columns) == (height, width):
            return 0, 0, rows, columns
        top = randint(0, rows - height + 1, size=(1,)).item()
        left = randint(0, columns - width + 1, size=(1,)).item()
        return top, left, height, width

    def forward(self, img):
        if self.padding is not None:
            img = F.pad(img, self.padding, self.fill, self.padding_mode)
        if self.pad_if_needed:
            _, rows, columns = F.get_dimensions(img)
            across, down = max(self.size[1] - columns, 0), max(self.size[0] - rows, 0)
            if across or down:
                img = F.pad(img, [across, down], self.fill, self.padding_mode)
        return F.crop(img, *self.get_params(img, self.size))

    def __repr__(self):
        return f"{type(self).__name__}(size={self.size}, padding={self.padding})"


class RandomResizedCrop(Module):
    """A part of some area and shape, in another size."""

    def __init__(
        self,
        size,
        scale=(0.08, 1.0),
        ratio=(3.0 / 4.0, 4.0 / 3.0),
        interpolation=InterpolationMode.BILINEAR,
        antialias=True,
    ):
        super().__init__()
        self.size = F.sizes(size)
        for name, value in (("Scale", scale), ("Ratio", ratio)):
            if not isinstance(value, (tuple, list)):
                raise TypeError(f"{name} should be a sequence")
        self.scale, self.ratio = scale, ratio
        self.interpolation, self.antialias = checked(interpolation), antialias

    @staticmethod
    def get_params(img, scale, ratio):
        """Top, left, height and width of a part."""
        _, rows, columns = F.get_dimensions(img)
        size = drawn_size(rows, columns, scale, ratio, between)
        if size is None:
            return middle(rows, columns, ratio)
        top = randint(0, rows - size[0] + 1, size=(1,)).item()
        left = randint(0, columns - size[1] + 1, size=(1,)).item()
        return top, left, *size

    def forward(self, img):
        place = self.get_params(img, self.scale, self.ratio)
        return F.resized_crop(img, *place, self.size, self.interpolation, self.antialias)

    def __repr__(self):
        return (
            f"{type(self).__name__}(size={self.size}, "
            f"scale={tuple(round(one, 4) for one in self.scale)}, "
            f"ratio={tuple(round(one, 4) for one in self.ratio)}, "
            f"interpolation={self.interpolation.value}, antialias={self.antialias})"
        )


class RandomRotation(Module):
    """Turned by an angle between two, which are -degrees and degrees if one is given."""

    def __init__(
        self, degrees, interpolation=InterpolationMode.NEAREST, expand=False, center=None, fill=0
    ):
        super().__init__()
        if isinstance(degrees, (int, float)):
            if degrees < 0:
                raise ValueError("If degrees is a single number, it must be positive.")
            degrees = [-degrees, degrees]
        elif len(degrees) != 2:
            raise ValueError("degrees should be a sequence of length 2.")
        if center is not None and len(center) != 2:
            raise ValueError("center should be a sequence of length 2.")
        self.degrees = [float(one) for one in degrees]
        self.interpolation, self.expand = checked(interpolation), expand
        self.center, self.fill = center, 0 if fill is None else fill

    @staticmethod
    def get_params(degrees):
        """An angle."""
        return between(*degrees)

    def forward(self, img):
        angle = self.get_params(self.degrees)
        return F.rotate(img, angle, self.interpolation, self.expand, self.center, self.fill)

    def __repr__(self):
        center = "" if self.center is None else f", center={self.center}"
        return (
            f"{type(self).__name__}(degrees={self.degrees}, "
            f"interpolation={self.interpolation.value}, expand={self.expand}{center}, "
            f"fill={self.fill})"
        )
