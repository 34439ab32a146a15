"""Files in folders: a folder is a class, and its files are the items of that class."""

import os

from ..._pictures.folders import EXTENSIONS as IMG_EXTENSIONS
from ..._pictures.folders import classes_in, files_below
from ._base import VisionDataset


def has_file_allowed_extension(filename, extensions):
    """Whether a file's name ends with one of them."""
    ends = extensions if isinstance(extensions, str) else tuple(extensions)
    return filename.lower().endswith(ends)


def is_image_file(filename):
    """Whether a file's name is that of a picture."""
    return has_file_allowed_extension(filename, IMG_EXTENSIONS)


def find_classes(directory):
    """The names of the folders in a folder, in order, and the number of each."""
    classes = classes_in(directory)
    if not classes:
        raise FileNotFoundError(f"Couldn't find any class folder in {directory}.")
    return classes, {name: number for number, name in enumerate(classes)}


def make_dataset(
    directory, class_to_idx=None, extensions=None, is_valid_file=None, allow_empty=False
):
    """Pairs of a path and the number of its class."""
    if (extensions is None) == (is_valid_file is None):
        raise ValueError(
            "Both extensions and is_valid_file cannot be None or not None at the same time"
        )
    if class_to_idx is None:
        _, class_to_idx = find_classes(directory)
    elif not class_to_idx:
        raise ValueError("'class_to_index' must have at least one entry to collect any samples.")
    wanted = is_valid_file or (lambda path: has_file_allowed_extension(path, extensions))
    directory = os.path.expanduser(directory)
    paths = {name: os.path.join(directory, name) for name in sorted(class_to_idx)}
    found = {name: files_below(path, wanted) for name, path in paths.items()}
    empty = sorted(name for name, paths in found.items() if not paths)
    if empty and not allow_empty:
        text = f"Found no valid file for the classes {', '.join(empty)}. "
        if extensions is not None:
            shown = extensions if isinstance(extensions, str) else ", ".join(extensions)
            text += f"Supported extensions are: {shown}"
        raise FileNotFoundError(text)
    return [(path, class_to_idx[name]) for name, paths in found.items() for path in paths]


def pil_loader(path):
    """The picture of a file, in red, green and blue."""
    from ..._pictures.pillow import pillow

    with open(path, "rb") as file:
        return pillow().open(file).convert("RGB")


default_loader = pil_loader


class DatasetFolder(VisionDataset):
    """Items of files, which `loader` reads, in folders by class."""

    def __init__(
        self,
        root,
        loader,
        extensions=None,
        transform=None,
        target_transform=None,
        is_valid_file=None,
        allow_empty=False,
    ):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.classes, self.class_to_idx = self.find_classes(self.root)
        self.samples = self.make_dataset(
            self.root, self.class_to_idx, extensions, is_valid_file, allow_empty
        )
        self.loader, self.extensions = loader, extensions
        self.targets = [target for _, target in self.samples]

    @staticmethod
    def make_dataset(
        directory, class_to_idx, extensions=None, is_valid_file=None, allow_empty=False
    ):
        """Pairs of a path and the number of its class."""
        if class_to_idx is None:
            raise ValueError("The class_to_idx parameter cannot be None.")
        return make_dataset(directory, class_to_idx, extensions, is_valid_file, allow_empty)

    def find_classes(self, directory):
        """The names of the classes, and the number of each."""
        return find_classes(directory)

    def __getitem__(self, index):
        path, target = self.samples[index]
        return self._item(self.loader(path), target)

    def __len__(self):
        return len(self.samples)


class ImageFolder(DatasetFolder):
    """Pictures in folders by class."""

    def __init__(
        self,
        root,
        transform=None,
        target_transform=None,
        loader=default_loader,
        is_valid_file=None,
        allow_empty=False,
    ):
        super().__init__(
            root,
            loader,
            IMG_EXTENSIONS if is_valid_file is None else None,
            transform,
            target_transform,
            is_valid_file,
            allow_empty,
        )
        self.imgs = self.samples
