"""Handwritten digits and sets in the same format, from files of it."""

import os

from ..._pictures.sets import read_idx
from ...torch import Tensor, from_numpy, int64
from ._base import VisionDataset, not_there


class MNIST(VisionDataset):
    """Handwritten digits: 60000 of 28 x 28 to train and 10000 to test.

    The files, train-images-idx3-ubyte and so on, compressed as .gz or not, must be in the folder
    MNIST/raw of `root`.
    """

    classes = [
        *("0 - zero", "1 - one", "2 - two", "3 - three", "4 - four", "5 - five", "6 - six"),
        *("7 - seven", "8 - eight", "9 - nine"),
    ]

    def __init__(
        self, root, train=True, transform=None, target_transform=None, download=False
    ):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.train = train
        try:
            pixels, labels = self._read("train" if train else "t10k")
        except FileNotFoundError as error:
            raise not_there(self, str(error), download) from None
        self.data, self.targets = from_numpy(pixels), from_numpy(labels).to(int64)
        self._pictures = self.data, self.data._version, pixels

    def _read(self, part):
        pixels = read_idx(self, self.raw_folder, f"{part}-images-idx3-ubyte", 3, RuntimeError)
        labels = read_idx(self, self.raw_folder, f"{part}-labels-idx1-ubyte", 1, RuntimeError)
        if len(labels) != len(pixels):
            raise RuntimeError(
                f"{type(self).__name__}: {len(pixels)} pictures and {len(labels)} labels are in "
                f"{self.raw_folder}"
            )
        return pixels, labels

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        from ..._pictures.pillow import pillow

        picture = pillow().fromarray(self._pixels()[index])
        return self._item(picture, int(self.targets[index]))

    def _pixels(self):
        """The pictures as an array of NumPy's, also if a program has put others there."""
        data, version, pixels = self._pictures
        now = getattr(self.data, "_version", None)
        if self.data is not data or now != version:
            pixels = self.data.numpy() if isinstance(self.data, Tensor) else self.data
            self._pictures = self.data, now, pixels
        return pixels

    @property
    def raw_folder(self):
        """Where the files are."""
        return os.path.join(self.root, type(self).__name__, "raw")

    @property
    def class_to_idx(self):
        """The number of each class."""
        return {name: number for number, name in enumerate(self.classes)}

    def extra_repr(self):
        """Which part it is."""
        return f"Split: {'Train' if self.train else 'Test'}"


class FashionMNIST(MNIST):
    """Pictures of clothes, in MNIST's files: in the folder FashionMNIST/raw of `root`."""

    classes = [
        *("T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker"),
        *("Bag", "Ankle boot"),
    ]


class KMNIST(MNIST):
    """Handwritten Japanese characters, in MNIST's files: in the folder KMNIST/raw of `root`."""

    classes = ["o", "ki", "su", "tsu", "na", "ha", "ma", "ya", "re", "wo"]
