"""CIFAR's small colour pictures, from the archives for Python.

The files in those are pickles. They are read as data: nothing that they name is run.
"""

import os

from ..._pictures.sets import content
from ..io import Dataset


class Cifar10(Dataset):
    """Pictures of ten classes, 32 x 32, and labels, which are arrays of one int64.

    The archive is `data_file`, or cifar-10-python.tar.gz where PaddlePaddle keeps it.
    """

    _archive, _labels = "cifar-10-python.tar.gz", "labels"
    _files = {"train": [f"data_batch_{number}" for number in range(1, 6)], "test": ["test_batch"]}

    def __init__(
        self, data_file=None, mode="train", transform=None, download=True, backend=None
    ):
        if mode.lower() not in ("train", "test"):
            raise AssertionError(f"mode.lower() should be 'train' or 'test', but got {mode}")
        if backend not in (None, "pil", "cv2"):
            raise ValueError(f"Expected backend are one of ['pil', 'cv2'], but got {backend}")
        self.mode, self.transform, self.backend = mode.lower(), transform, backend or "pil"
        folder = os.path.expanduser("~/.cache/paddle/dataset/cifar")
        self.data_file = data_file or os.path.join(folder, self._archive)
        self.data = []
        for name in self._files[self.mode]:
            self.data += self._read(name)

    def _read(self, name):
        """The pictures and labels of one file in the archive."""
        import numpy

        from .._files import data_of

        folder, archive = os.path.split(self.data_file)
        found = data_of(content(self, folder, archive, name), name, "latin1")
        if not isinstance(found, dict):
            raise ValueError(f"{type(self).__name__}: {name} has no pictures")
        found = {_text(key): value for key, value in found.items()}
        pixels, labels = found.get("data"), found.get(self._labels)
        if not isinstance(pixels, numpy.ndarray) or not isinstance(labels, list):
            raise ValueError(f"{type(self).__name__}: {name} has no pictures")
        if pixels.shape != (len(labels), 3072):
            raise ValueError(f"{type(self).__name__}: {name} does not have whole pictures")
        return list(zip(pixels, labels))

    def __len__(self):
        return len(self.data)

    def __getitem__(self, idx):
        import numpy

        from ..._pictures.pillow import pillow

        pixels, label = self.data[idx]
        image = numpy.ascontiguousarray(pixels.reshape(3, 32, 32).transpose(1, 2, 0))
        image = pillow().fromarray(image) if self.backend == "pil" else image
        image = image if self.transform is None else self.transform(image)
        return image, numpy.array(label, "int64")


class Cifar100(Cifar10):
    """Pictures of a hundred classes: else as Cifar10."""

    _archive, _labels = "cifar-100-python.tar.gz", "fine_labels"
    _files = {"train": ["train"], "test": ["test"]}


def _text(key):
    return key.decode("latin1") if isinstance(key, bytes) else key
