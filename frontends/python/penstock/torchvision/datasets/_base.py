"""What sets of pictures have in common."""

import os

from ...torch.utils.data import Dataset


class VisionDataset(Dataset):
    """Pictures with targets; what is done to an item, to the picture or to the target."""

    _repr_indent = 4

    def __init__(self, root=None, transforms=None, transform=None, target_transform=None):
        if transforms is not None and (transform is not None or target_transform is not None):
            raise ValueError(
                "Only transforms or transform/target_transform can be passed as argument"
            )
        self.root = os.path.expanduser(root) if isinstance(root, str) else root
        self.transform, self.target_transform = transform, target_transform
        self.transforms = transforms

    def __getitem__(self, index):
        raise NotImplementedError(f"{type(self).__name__} does not define __getitem__")

    def __len__(self):
        raise NotImplementedError(f"{type(self).__name__} does not define __len__")

    def _item(self, picture, target):
        """Both, with what is done to them."""
        if self.transforms is not None:
            return self.transforms(picture, target)
        if self.transform is not None:
            picture = self.transform(picture)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return picture, target

    def __repr__(self):
        lines = [f"Number of datapoints: {len(self)}"]
        if self.root is not None:
            lines.append(f"Root location: {self.root}")
        lines += self.extra_repr().splitlines()
        given = [("Transform: ", self.transform), ("Target transform: ", self.target_transform)]
        parts = [_under(title, one) for title, one in given if one is not None]
        if parts:
            lines.append("\n".join(["StandardTransform", *parts]))
        elif self.transforms is not None:
            lines.append(repr(self.transforms))
        inner = "\n".join(" " * self._repr_indent + line for line in lines)
        return f"Dataset {type(self).__name__}\n{inner}"

    def extra_repr(self):
        """More lines for the text of the set."""
        return ""


def _under(title, transform):
    """The text of a transform behind a title, all of its lines."""
    return title + repr(transform).replace("\n", "\n" + " " * len(title))


def not_there(dataset, reason, download):
    """The error for a set whose files are not there."""
    asked = "; download=True was given, but nothing is downloaded: put the files there"
    return RuntimeError(
        f"{type(dataset).__name__}: Dataset not found. {reason}"
        f"{asked if download else ': put the files there'}"
    )
