"""paddle.vision.datasets: well-known sets of pictures, from local files. Nothing is downloaded."""

import os

from ..._pictures.folders import EXTENSIONS, classes_in, files_below
from ..._pictures.sets import idx_array, read_idx
from .. import _missing
from ..io import Dataset
from ._cifar import Cifar10, Cifar100

__all__ = ["Cifar10", "Cifar100", "DatasetFolder", "FashionMNIST", "MNIST"]


class MNIST(Dataset):
    """Handwritten digits: pictures of 28 x 28 and labels, which are arrays of one int64.

    The files are those of `image_path` and `label_path`, or train-images-idx3-ubyte.gz and so on in
    the folder where PaddlePaddle keeps them.
    """

    NAME = "mnist"

    def __init__(
        self,
        image_path=None,
        label_path=None,
        mode="train",
        transform=None,
        download=True,
        backend=None,
    ):
        if mode.lower() not in ("train", "test"):
            raise AssertionError(f"mode should be 'train' or 'test', but got {mode}")
        if backend not in (None, "pil", "cv2"):
            raise ValueError(f"Expected backend are one of ['pil', 'cv2'], but got {backend}")
        self.mode, self.transform, self.backend = mode.lower(), transform, backend or "pil"
        self.images = self._read(image_path, "images-idx3-ubyte", 3)
        self.labels = self._read(label_path, "labels-idx1-ubyte", 1)
        if len(self.images) != len(self.labels):
            raise ValueError(f"{len(self.images)} pictures and {len(self.labels)} labels are there")

    def _read(self, path, name, ndim):
        if path is None:
            folder = os.path.expanduser(f"~/.cache/paddle/dataset/{self.NAME}")
            part = "train" if self.mode == "train" else "t10k"
            return read_idx(self, folder, f"{part}-{name}", ndim)
        if path.endswith(".gz"):
            return read_idx(self, *os.path.split(path[:-3]), ndim)
        with open(path, "rb") as file:
            return idx_array(file.read(), ndim, path)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, idx):
        import numpy

        from ..._pictures.pillow import pillow

        image, label = self.images[idx], numpy.array([self.labels[idx]], "int64")
        if self.backend == "pil":
            image = pillow().fromarray(image)
        else:
            image = image.reshape(28, 28, 1)
        return (image if self.transform is None else self.transform(image)), label


class FashionMNIST(MNIST):
    """Pictures of clothes, in MNIST's files."""

    NAME = "fashion-mnist"


class DatasetFolder(Dataset):
    """Pictures in folders: each folder of `root` is a class, numbered in the order of names."""

    def __init__(
        self, root, loader=None, extensions=None, transform=None, is_valid_file=None
    ):
        ends = tuple(one.lower() for one in (extensions or EXTENSIONS))
        valid = is_valid_file or (lambda path: path.lower().endswith(ends))
        self.root, self.transform = root, transform
        self.loader = loader or _picture
        self.classes = classes_in(root)
        self.class_to_idx = {name: number for number, name in enumerate(self.classes)}
        self.samples = []
        for name, number in self.class_to_idx.items():
            paths = files_below(os.path.join(root, name), valid)
            self.samples += [(path, number) for path in paths]
        if not self.samples:
            raise RuntimeError(f"Found 0 directories or files in subfolders of: {root}")
        self.targets = [number for _, number in self.samples]

    def __getitem__(self, index):
        path, target = self.samples[index]
        sample = self.loader(path)
        return (sample if self.transform is None else self.transform(sample)), target

    def __len__(self):
        return len(self.samples)


def _picture(path):
    from ..._pictures.pillow import pillow

    with pillow().open(path) as picture:
        return picture.convert("RGB")


__getattr__ = _missing.missing("paddle.vision.datasets")
