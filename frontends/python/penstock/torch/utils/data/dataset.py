"""torch.utils.data.dataset: what has items, by number or one after the other."""

import warnings

from ... import _missing
from ..._random import default_generator, randperm
from ...._common.datasets import Chosen, Joined, OfTensors, ends_of, parts_of


class Dataset:
    """Items by number. A class of its own defines `__getitem__` and, mostly, `__len__`.

    >>> from penstock.torch.utils import data
    >>> class Squares(data.Dataset):
    ...     def __getitem__(self, index):
    ...         return index * index
    ...     def __len__(self):
    ...         return 10
    >>> (Squares() + Squares())[13]
    9
    """

    __module__ = "torch.utils.data.dataset"

    def __class_getitem__(cls, types):
        return cls

    def __getitem__(self, index):
        raise NotImplementedError(f"{type(self).__name__} does not define __getitem__")

    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset):
    """Items one after the other. A class of its own defines `__iter__`."""

    __module__ = "torch.utils.data.dataset"

    def __add__(self, other):
        return ChainDataset([self, other])


class TensorDataset(OfTensors, Dataset):
    """Tensors side by side: an item is a tuple of what they have at one place.

    >>> from penstock import torch
    >>> torch.utils.data.TensorDataset(torch.ones(2, 1), torch.arange(2))[1]
    (tensor([1.]), tensor(1))
    """

    __module__ = "torch.utils.data.dataset"

    def __init__(self, *tensors):
        lengths = [one.size(0) for one in tensors]
        if len(set(lengths)) > 1:
            raise AssertionError(f"Size mismatch between tensors: {lengths}")
        self.tensors = tensors


class StackDataset(Dataset):
    """Datasets side by side: an item is a tuple of theirs, or a dict if they have names."""

    __module__ = "torch.utils.data.dataset"

    def __init__(self, *args, **kwargs):
        if args and kwargs:
            raise ValueError("StackDataset: datasets are given with names or without, not both")
        if not args and not kwargs:
            raise ValueError("At least one dataset should be passed")
        self.datasets = args or kwargs
        lengths = [len(one) for one in self._parts()]
        self._length = lengths[0]
        if any(length != self._length for length in lengths):
            raise ValueError(f"Size mismatch between datasets: {lengths}")

    def _parts(self):
        named = isinstance(self.datasets, dict)
        return list(self.datasets.values()) if named else list(self.datasets)

    def _item(self, values):
        named = isinstance(self.datasets, dict)
        return dict(zip(self.datasets, values)) if named else tuple(values)

    def __getitem__(self, index):
        return self._item([one[index] for one in self._parts()])

    def __getitems__(self, indices):
        columns = [items_of(one, indices) for one in self._parts()]
        for column in columns:
            if len(column) != len(indices):
                raise ValueError(
                    "Nested dataset's output size mismatch. "
                    f"Expected {len(indices)}, got {len(column)}"
                )
        return [self._item(values) for values in zip(*columns)]

    def __len__(self):
        return self._length


def items_of(dataset, indices):
    """The items with these numbers, all at once if the dataset can."""
    at_once = getattr(dataset, "__getitems__", None)
    return at_once(indices) if callable(at_once) else [dataset[index] for index in indices]


class ConcatDataset(Joined, Dataset):
    """The items of several datasets, one dataset after the other."""

    __module__ = "torch.utils.data.dataset"

    def __init__(self, datasets):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(one, IterableDataset) for one in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = self.cumsum(self.datasets)

    @staticmethod
    def cumsum(sequence):
        """How many items there are up to the end of each dataset."""
        return ends_of(sequence)


class ChainDataset(IterableDataset):
    """The items of several iterable datasets, one dataset after the other."""

    __module__ = "torch.utils.data.dataset"

    def __init__(self, datasets):
        self.datasets = datasets

    def __iter__(self):
        for one in self.datasets:
            self._check(one)
            yield from one

    def __len__(self):
        total = 0
        for one in self.datasets:
            self._check(one)
            total += len(one)
        return total

    @staticmethod
    def _check(one):
        if not isinstance(one, IterableDataset):
            raise AssertionError("ChainDataset only supports IterableDataset")


class Subset(Chosen, Dataset):
    """Some items of a dataset, in the order of their numbers as given.

    >>> from penstock.torch.utils import data
    >>> list(data.Subset([10, 20, 30], [2, 0]))
    [30, 10]
    """

    __module__ = "torch.utils.data.dataset"

    def __getitem__(self, idx):
        if isinstance(idx, list):
            return self.dataset[[self.indices[one] for one in idx]]
        return super().__getitem__(idx)

    def __getitems__(self, indices):
        return items_of(self.dataset, [self.indices[one] for one in indices])


def random_split(dataset, lengths, generator=default_generator):
    """Subsets of random items, by their lengths or by fractions that add up to 1.

    >>> from penstock.torch.utils import data
    >>> [len(part) for part in data.random_split(range(10), [0.7, 0.3])]
    [7, 3]
    """
    total = sum(lengths)
    if abs(total - 1) <= 1e-9 and total <= 1 + 1e-9:
        lengths = _of_fractions(lengths, len(dataset))
    if sum(lengths) != len(dataset):
        raise ValueError(
            "Sum of input lengths does not equal the length of the input dataset!: "
            f"{sum(lengths)}, {len(dataset)}"
        )
    order = randperm(len(dataset), generator=generator).tolist()
    return [Subset(dataset, part) for part in parts_of(order, lengths)]


def _of_fractions(fractions, count):
    """Lengths that add up to a count: rounded down, and one more for the first ones."""
    for place, fraction in enumerate(fractions):
        if not 0 <= fraction <= 1:
            raise ValueError(f"Fraction at index {place} is not between 0 and 1: {fraction}")
    lengths = [int(count * fraction) for fraction in fractions]
    for place in range(count - sum(lengths)):
        lengths[place % len(lengths)] += 1
    for place, length in enumerate(lengths):
        if length == 0:
            warnings.warn(
                f"Length of split at index {place} is 0. This might result in an empty dataset.",
                UserWarning,
                stacklevel=3,
            )
    return lengths


__getattr__ = _missing.missing("torch.utils.data.dataset")
