"""mx.gluon.data.dataset: what has a length and items."""

import os

from ..._nd_array import NDArray
from ...recordio import MXIndexedRecordIO
from .sampler import FilterSampler, Sampler, SequentialSampler

__all__ = ["Dataset", "SimpleDataset", "ArrayDataset", "RecordFileDataset"]


class Dataset:
    """Items by number. A class of its own defines `__getitem__` and `__len__`."""

    def __getitem__(self, idx):
        raise NotImplementedError(f"{type(self).__name__} does not define __getitem__")

    def __len__(self):
        raise NotImplementedError(f"{type(self).__name__} does not define __len__")

    def filter(self, fn):
        """The items of which a function is true. Reads all of them once."""
        return _SampledDataset(self, FilterSampler(fn, self))

    def shard(self, num_shards, index):
        """One of several parts side by side, whose lengths differ by one at most."""
        assert 0 <= index < num_shards, f"there are {num_shards} parts, and none of number {index}"
        size, longer = divmod(len(self), num_shards)
        start = index * size + min(index, longer)
        return _SampledDataset(self, SequentialSampler(size + (index < longer), start))

    def take(self, count):
        """The first items, as many as there are up to that number; None for all."""
        length = len(self)
        count = length if count is None or count > length else count
        return _SampledDataset(self, SequentialSampler(count))

    def sample(self, sampler):
        """The items whose numbers a sampler gives."""
        if not isinstance(sampler, Sampler):
            raise TypeError(
                f"sample() needs a gluon.data.Sampler, not {type(sampler)}"
            )
        return _SampledDataset(self, sampler)

    def transform(self, fn, lazy=True):
        """What a function makes of the items; a tuple gives several arguments.

        It is called each time that an item is read, or, unless lazy, once for all of them now.
        """
        transformed = _LazyTransformDataset(self, fn)
        if lazy:
            return transformed
        return SimpleDataset([transformed[index] for index in range(len(transformed))])

    def transform_first(self, fn, lazy=True):
        """The same, of the first part of each item alone: the label stays."""
        return self.transform(_OfFirst(fn), lazy)


class SimpleDataset(Dataset):
    """A list, or something else that has a length and items."""

    def __init__(self, data):
        self._data = data

    def __len__(self):
        return len(self._data)

    def __getitem__(self, idx):
        return self._data[idx]


class ArrayDataset(Dataset):
    """Arrays, lists or datasets side by side: an item is a tuple of theirs, or the one of one.

    >>> from penstock import mxnet as mx
    >>> mx.gluon.data.ArrayDataset([1.5, 2.5], ["one", "two"])[1]
    (2.5, 'two')
    """

    def __init__(self, *args):
        assert args, "a dataset needs an array or more"
        self._length = len(args[0])
        self._data = []
        for number, data in enumerate(args):
            assert len(data) == self._length, (
                f"arrays of a dataset are equally long: argument {number} has {len(data)} items, "
                f"and the first one {self._length}"
            )
            # Labels are read one by one: numbers are quicker than arrays of one element.
            is_labels = isinstance(data, NDArray) and len(data.shape) == 1
            self._data.append(data.asnumpy() if is_labels else data)

    def __getitem__(self, idx):
        if len(self._data) == 1:
            return self._data[0][idx]
        return tuple(data[idx] for data in self._data)

    def __len__(self):
        return self._length


class RecordFileDataset(Dataset):
    """The records of a file `x.rec`, in the order of `x.idx` beside it. Threads may share one."""

    def __init__(self, filename):
        self.idx_file = os.path.splitext(filename)[0] + ".idx"
        self.filename = filename
        self._record = MXIndexedRecordIO(self.idx_file, self.filename, "r")

    def __getitem__(self, idx):
        return self._record.read_idx(self._record.keys[idx])

    def __len__(self):
        return len(self._record.keys)


class _LazyTransformDataset(Dataset):
    """What a function makes of the items of a dataset."""

    def __init__(self, data, fn):
        self._data = data
        self._fn = fn

    def __len__(self):
        return len(self._data)

    def __getitem__(self, idx):
        item = self._data[idx]
        return self._fn(*item) if isinstance(item, tuple) else self._fn(item)


class _OfFirst:
    """A function of the first argument, which passes the others on. Can be pickled."""

    def __init__(self, fn):
        self._fn = fn

    def __call__(self, x, *args):
        return (self._fn(x), *args) if args else self._fn(x)


class _SampledDataset(Dataset):
    """The items of a dataset whose numbers a sampler gives."""

    def __init__(self, dataset, sampler):
        self._dataset = dataset
        self._sampler = sampler
        self._indices = list(sampler)

    def __len__(self):
        return len(self._indices)

    def __getitem__(self, idx):
        return self._dataset[self._indices[idx]]


class _DownloadedDataset(Dataset):
    """Pictures and labels that are in memory whole; a class of its own reads them."""

    def __init__(self, root, transform):
        self._transform = transform
        self._data = None
        self._label = None
        self._root = os.path.expanduser(root)
        self._get_data()

    def __getitem__(self, idx):
        item = self._data[idx], self._label[idx]
        return item if self._transform is None else self._transform(*item)

    def __len__(self):
        return len(self._label)

    def _get_data(self):
        raise NotImplementedError(f"{type(self).__name__} does not define _get_data")


for _name in [*__all__, *(name for name in vars() if name.endswith(("Dataset", "Closure")))]:
    globals()[_name].__module__ = "mxnet.gluon.data.dataset"
del _name
