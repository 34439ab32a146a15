"""paddle.vision.datasets: well-known sets of pictures, from local files. Nothing is downloaded."""

import os

from ..._pictures.sets import idx_array, read_idx
from .. import _missing
from ..io import Dataset

__all__ = ["FashionMNIST", "MNIST"]


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


__getattr__ = _missing.missing("paddle.vision.datasets")
