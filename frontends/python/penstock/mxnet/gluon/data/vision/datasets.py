"""mx.gluon.data.vision.datasets: sets of pictures from local files. Nothing is downloaded."""

import os
import warnings

from .... import image
from ...._mode import mode
from ...._sets import read_cifar, read_idx
from ....recordio import unpack
from ..dataset import Dataset, RecordFileDataset, _DownloadedDataset

__all__ = [
    *("MNIST", "FashionMNIST", "CIFAR10", "CIFAR100", "ImageRecordDataset", "ImageFolderDataset"),
]


def _home(name):
    folder = os.environ.get("MXNET_HOME") or os.path.join("~", ".mxnet")
    return os.path.join(os.path.expanduser(folder), "datasets", name)


class _Pictures(_DownloadedDataset):
    """Pictures as an array of uint8, labels as int32: of NumPy, or of mx.np in NumPy mode."""

    def _keep(self, pixels, labels):
        labels = labels.astype("int32")
        self._data = image._functions.made(pixels)
        self._label = image._functions.made(labels) if mode.array else labels


class MNIST(_Pictures):
    """Handwritten digits: 60000 of 28 x 28 x 1 to train and 10000 to test.

    The files of the set, train-images-idx3-ubyte.gz and so on, must be in the folder `root`,
    compressed or not.
    """

    def __init__(self, root=_home("mnist"), train=True, transform=None):
        self._train = train
        self._namespace = "mnist"
        super().__init__(root, transform)

    def _get_data(self):
        part = "train" if self._train else "t10k"
        pixels = read_idx(self, self._root, f"{part}-images-idx3-ubyte", 3)
        labels = read_idx(self, self._root, f"{part}-labels-idx1-ubyte", 1)
        if len(labels) != len(pixels):
            raise ValueError(
                f"{type(self).__name__}: {len(pixels)} pictures and {len(labels)} labels are in "
                f"{self._root}"
            )
        self._keep(pixels[..., None], labels)


class FashionMNIST(MNIST):
    """Pictures of clothes: 60000 of 28 x 28 x 1 to train and 10000 to test, in MNIST's files."""

    def __init__(self, root=_home("fashion-mnist"), train=True, transform=None):
        super().__init__(root, train, transform)
        self._namespace = "fashion-mnist"


class CIFAR10(_Pictures):
    """Pictures of ten classes: 50000 of 32 x 32 x 3 to train and 10000 to test.

    The files of the binary version, data_batch_1.bin and so on, or cifar-10-binary.tar.gz with them
    inside, must be in the folder `root`.
    """

    _archive = "cifar-10-binary.tar.gz"
    _train_files = tuple(f"data_batch_{number}.bin" for number in range(1, 6))
    _test_files = ("test_batch.bin",)
    _labels = 1  # bytes before a picture
    _which = 0

    def __init__(self, root=_home("cifar10"), train=True, transform=None):
        self._train = train
        self._namespace = "cifar10"
        super().__init__(root, transform)

    def _get_data(self):
        files = self._train_files if self._train else self._test_files
        pixels, labels = read_cifar(self, self._root, self._archive, files, self._labels)
        self._keep(pixels, labels[:, self._which])


class CIFAR100(CIFAR10):
    """Pictures of a hundred classes (fine_label=True), or twenty: else as CIFAR10."""

    _archive = "cifar-100-binary.tar.gz"
    _train_files = ("train.bin",)
    _test_files = ("test.bin",)
    _labels = 2

    def __init__(self, root=_home("cifar100"), fine_label=False, train=True, transform=None):
        self._fine_label = fine_label
        self._which = 1 if fine_label else 0
        super().__init__(root, train, transform)
        self._namespace = "cifar100"


class ImageRecordDataset(RecordFileDataset):
    """The pictures and labels of a record file; flag 0 reads them grey."""

    def __init__(self, filename, flag=1, transform=None):
        super().__init__(filename)
        self._flag = flag
        self._transform = transform

    def __getitem__(self, idx):
        header, data = unpack(super().__getitem__(idx))
        picture = image.imdecode(data, self._flag)
        if self._transform is not None:
            return self._transform(picture, header.label)
        return picture, header.label


class ImageFolderDataset(Dataset):
    """The pictures in the folders of a folder; the label is the number of its folder.

    `synsets` has the names of the folders, `items` files and labels.
    """

    def __init__(self, root, flag=1, transform=None):
        self._root = os.path.expanduser(root)
        self._flag = flag
        self._transform = transform
        self._exts = [".jpg", ".jpeg", ".png"]
        self._find_pictures(self._root)

    def _find_pictures(self, root):
        self.synsets = []
        self.items = []
        for folder in sorted(os.listdir(root)):
            path = os.path.join(root, folder)
            if not os.path.isdir(path):
                warnings.warn(f"{path} is left out: it is no directory", stacklevel=3)
                continue
            label = len(self.synsets)
            self.synsets.append(folder)
            self.items += [(name, label) for name in self._pictures(path)]

    def _pictures(self, folder):
        for name in sorted(os.listdir(folder)):
            path, extension = os.path.join(folder, name), os.path.splitext(name)[1]
            if extension.lower() in self._exts:
                yield path
            else:
                warnings.warn(
                    f"{path} is left out: {extension} is none of {', '.join(self._exts)}",
                    stacklevel=5,
                )

    def __getitem__(self, idx):
        path, label = self.items[idx]
        picture = image.imread(path, self._flag)
        return (picture, label) if self._transform is None else self._transform(picture, label)

    def __len__(self):
        return len(self.items)


for _name in __all__:
    globals()[_name].__module__ = "mxnet.gluon.data.vision.datasets"
del _name
