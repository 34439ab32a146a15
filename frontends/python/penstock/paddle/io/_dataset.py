"""Datasets: items by number, or one after the other."""

from math import floor, isclose

from ..._common.datasets import Chosen, Joined, OfTensors, ends_of, parts_of


class Dataset:
    """Items by number; for classes to define."""

    def __getitem__(self, idx):
        raise NotImplementedError(f"'__getitem__' not implement in class {type(self).__name__}")

    def __len__(self):
        raise NotImplementedError(f"'__len__' not implement in class {type(self).__name__}")


class IterableDataset(Dataset):
    """Items one after the other; for classes to define."""

    def __iter__(self):
        raise NotImplementedError(f"'__iter__' not implement in class {type(self).__name__}")

    def __getitem__(self, idx):
        raise RuntimeError(f"'__getitem__' should not be called for IterableDataset {type(self)}")

    def __len__(self):
        raise RuntimeError(f"'__len__' should not be called for IterableDataset {type(self)}")


class TensorDataset(OfTensors, Dataset):
    """Items that are rows of tensors.

    >>> from penstock import paddle
    >>> len(paddle.io.TensorDataset([paddle.ones([3, 2]), paddle.arange(3)]))
    3
    """

    def __init__(self, tensors):
        if any(one.shape[0] != tensors[0].shape[0] for one in tensors):
            raise AssertionError(
                "tensors not have same shape of the 1st dimension: "
                f"{[one.shape[0] for one in tensors]}"
            )
        self.tensors = tensors


class ComposeDataset(Dataset):
    """Items that are those of several datasets side by side."""

    def __init__(self, datasets):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("input datasets should not be empty")
        if any(len(one) != len(self.datasets[0]) for one in self.datasets):
            raise AssertionError("lengths of datasets should be same")

    def __len__(self):
        return len(self.datasets[0])

    def __getitem__(self, idx):
        found = []
        for one in self.datasets:
            item = one[idx]
            found += item if isinstance(item, (list, tuple)) else [item]
        return tuple(found)


class ConcatDataset(Joined, Dataset):
    """The items of several datasets, one dataset behind the other."""

    def __init__(self, datasets):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        self.cumulative_sizes = ends_of(self.datasets)


class ChainDataset(IterableDataset):
    """The items of several iterable datasets, one behind the other."""

    def __init__(self, datasets):
        self.datasets = list(datasets)

    def __iter__(self):
        for one in self.datasets:
            yield from one


class Subset(Chosen, Dataset):
    """Some items of a dataset, by their numbers."""


def random_split(dataset, lengths, generator=None):
    """A dataset in parts of some lengths, or of some shares of the whole, by chance."""
    import numpy

    if isclose(sum(lengths), 1) and sum(lengths) <= 1:
        lengths = _counts(lengths, len(dataset))
    if sum(lengths) != len(dataset):
        raise ValueError(
            "Sum of input lengths does not equal the length of the input dataset: "
            f"{sum(lengths)} and {len(dataset)}"
        )
    order = numpy.random.permutation(sum(lengths)).tolist()
    return [Subset(dataset, part) for part in parts_of(order, lengths)]


def _counts(shares, total):
    """How many items shares stand for; what is left over goes to the first ones."""
    for at, share in enumerate(shares):
        if not 0 <= share <= 1:
            raise ValueError(f"Fraction at index {at} is not between 0 and 1")
    counts = [floor(total * share) for share in shares]
    for at in range(total - sum(counts)):
        counts[at % len(counts)] += 1
    return counts
