"""torch.utils.data.sampler: in which order items are read, and in which batches."""

from ... import _missing
from ..._create import as_tensor
from ..._dtypes import ALL
from ..._random import multinomial, randint, randperm
from ..._tensor import Tensor
from ...._common.samplers import Batches, Drawn, InOrder, Shuffled


class Sampler:
    """Numbers of items in some order, each time that it is iterated. For classes to define."""

    __module__ = "torch.utils.data.sampler"

    def __init__(self, data_source=None):
        pass

    def __class_getitem__(cls, types):
        return cls

    def __iter__(self):
        raise NotImplementedError(f"{type(self).__name__} does not define __iter__")


class SequentialSampler(InOrder, Sampler):
    """0, 1, ... for as many items as there are.

    >>> from penstock.torch.utils import data
    >>> list(data.SequentialSampler("abc"))
    [0, 1, 2]
    """

    __module__ = "torch.utils.data.sampler"

    def __init__(self, data_source):
        self.data_source = data_source


class RandomSampler(Drawn, Sampler):
    """The numbers of all items in a new random order each time; or with replacement.

    >>> from penstock.torch.utils import data
    >>> sorted(data.RandomSampler("abcd"))
    [0, 1, 2, 3]
    """

    __module__ = "torch.utils.data.sampler"

    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(replacement, bool):
            raise TypeError(
                f"replacement should be a boolean value, but got replacement={replacement}"
            )
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(
                "num_samples should be a positive integer value, but got "
                f"num_samples={self.num_samples}"
            )

    def __iter__(self):
        count, left = len(self.data_source), self.num_samples
        while left > 0:
            if self.replacement:
                drawn = randint(count, (left,), generator=self.generator).tolist()
            else:
                drawn = randperm(count, generator=self.generator).tolist()[:left]
            yield from drawn
            left -= len(drawn)


class SubsetRandomSampler(Shuffled, Sampler):
    """Some numbers in a new random order each time."""

    __module__ = "torch.utils.data.sampler"

    def __init__(self, indices, generator=None):
        self.indices = indices
        self.generator = generator

    def _order(self, count):
        return randperm(count, generator=self.generator).tolist()


class WeightedRandomSampler(Sampler):
    """So many numbers, each drawn by its weight."""

    __module__ = "torch.utils.data.sampler"

    def __init__(self, weights, num_samples, replacement=True, generator=None):
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise ValueError(
                f"num_samples should be a positive integer value, but got num_samples={num_samples}"
            )
        if not isinstance(replacement, bool):
            raise ValueError(
                f"replacement should be a boolean value, but got replacement={replacement}"
            )
        self.weights = as_tensor(weights, dtype=ALL["float64"])
        if self.weights.ndim != 1:
            raise ValueError(
                "weights should be a 1d sequence but given weights have shape "
                f"{tuple(self.weights.shape)}"
            )
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self):
        drawn = multinomial(
            self.weights, self.num_samples, self.replacement, generator=self.generator
        )
        yield from drawn.tolist()

    def __len__(self):
        return self.num_samples


class BatchSampler(Batches, Sampler):
    """Lists of the numbers that a sampler gives; drop_last leaves out one that is not full.

    >>> from penstock.torch.utils import data
    >>> list(data.BatchSampler(range(5), 2, drop_last=False))
    [[0, 1], [2, 3], [4]]
    """

    __module__ = "torch.utils.data.sampler"

    def __init__(self, sampler, batch_size, drop_last):
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(
                f"batch_size should be a positive integer value, but got batch_size={batch_size}"
            )
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last


# ---- Batches of tensors --------------------------------------------------------------------------


def slices(batches):
    """What the batches of a plain sampler are in tensors: functions of one. Does not wait.

    None if they are those of another sampler, whose numbers must be asked for.
    """
    if type(batches) is not BatchSampler:
        return None
    sampler, size = batches.sampler, batches.batch_size
    kind = type(sampler)
    if kind is RandomSampler:
        if sampler.replacement or sampler._num_samples is not None:
            return None
        order = randperm(len(sampler), generator=sampler.generator)
    elif kind is SequentialSampler:
        order = None
    else:
        return None
    count = len(batches) * size if batches.drop_last else len(sampler)
    return (_part(order, at, min(at + size, count)) for at in range(0, count, size))


def _part(order, begin, end):
    if order is None:
        return lambda tensor: tensor[begin:end].clone()
    places = order[begin:end]
    return lambda tensor: tensor.index_select(0, places)


def rows(tensor, indices):
    """A copy of the rows of a tensor with these numbers."""
    places = indices if isinstance(indices, Tensor) else as_tensor(indices, dtype=ALL["int64"])
    return tensor.index_select(0, places)


__getattr__ = _missing.missing("torch.utils.data.sampler")
