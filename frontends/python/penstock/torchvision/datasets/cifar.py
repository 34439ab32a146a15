"""CIFAR's small colour pictures, from the files for Python.

Those files are pickles. They are read as data: nothing that they name is run.
"""

import os
from pickle import UnpicklingError

from ..._pictures.sets import content
from ._base import VisionDataset, not_there


class CIFAR10(VisionDataset):
    """Pictures of ten classes: 50000 of 32 x 32 to train and 10000 to test.

    The folder cifar-10-batches-py, or cifar-10-python.tar.gz with it inside, must be in `root`.
    """

    base_folder = "cifar-10-batches-py"
    filename = "cifar-10-python.tar.gz"
    _train_files = tuple(f"data_batch_{number}" for number in range(1, 6))
    _test_files = ("test_batch",)
    _about, _names, _labels = "batches.meta", "label_names", "labels"

    def __init__(
        self, root, train=True, transform=None, target_transform=None, download=False
    ):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.train = train
        files = self._train_files if train else self._test_files
        try:
            parts = [self._read(name) for name in files]
            self.classes = [str(name) for name in self._value(self._read(self._about), self._names)]
        except FileNotFoundError as error:
            raise not_there(self, str(error), download) from None
        self._join(files, parts)
        self.class_to_idx = {name: number for number, name in enumerate(self.classes)}

    def _read(self, name):
        """The dict that a file has."""
        from ...torch._rebuild import Table
        from ..._common.unpickle import Allowance, Interpreter
        from ...torch.serialization import SPARE

        data = self._content(name)
        run = Interpreter(data, Table(False), _no_storage, Allowance(len(data), SPARE), "latin1")
        try:
            found = run.run()
        except (UnpicklingError, EOFError) as error:
            raise RuntimeError(f"{type(self).__name__}: {name} cannot be read: {error}") from None
        if type(found) is not dict:
            raise RuntimeError(f"{type(self).__name__}: {name} has no pictures")
        return found

    def _content(self, name):
        folder = os.path.join(self.root, self.base_folder)
        if os.path.isfile(os.path.join(folder, name)):
            return content(self, folder, "", name, RuntimeError)
        packed = os.path.join(self.root, self.filename)
        if not os.path.isfile(packed):
            raise FileNotFoundError(f"there is no file {os.path.join(folder, name)}")
        return content(self, self.root, self.filename, name, RuntimeError)

    def _value(self, found, key):
        if key not in found:
            raise RuntimeError(f"{type(self).__name__}: a file has no {key!r}")
        return found[key]

    def _join(self, files, parts):
        import numpy

        self.targets, rows = [], []
        for name, found in zip(files, parts):
            pixels, labels = self._value(found, "data"), self._value(found, self._labels)
            if not isinstance(pixels, numpy.ndarray) or pixels.shape != (len(labels), 3072):
                raise RuntimeError(f"{type(self).__name__}: {name} does not have whole pictures")
            rows.append(pixels)
            self.targets += [int(label) for label in labels]
        pixels = numpy.concatenate(rows).reshape(-1, 3, 32, 32)
        self.data = numpy.ascontiguousarray(pixels.transpose(0, 2, 3, 1))

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        from ..._pictures.pillow import pillow

        return self._item(pillow().fromarray(self.data[index]), self.targets[index])

    def extra_repr(self):
        """Which part it is."""
        return f"Split: {'Train' if self.train else 'Test'}"


class CIFAR100(CIFAR10):
    """Pictures of a hundred classes: in cifar-100-python, else as CIFAR10."""

    base_folder = "cifar-100-python"
    filename = "cifar-100-python.tar.gz"
    _train_files, _test_files = ("train",), ("test",)
    _about, _names, _labels = "meta", "fine_label_names", "fine_labels"


def _no_storage(identity):
    raise RuntimeError("a file of pictures has a storage of torch's")
