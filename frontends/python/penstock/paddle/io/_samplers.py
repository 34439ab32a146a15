"""In which order items are read, and in which batches. Chance is that of numpy.random."""

from ..._common.samplers import Batches, Drawn, InOrder, Shuffled


class Sampler:
    """Numbers of items in some order, each time that it is iterated. For classes to define."""

    def __init__(self, data_source=None):
        self.data_source = data_source

    def __iter__(self):
        raise NotImplementedError(f"{type(self).__name__} does not define __iter__")


class SequenceSampler(InOrder, Sampler):
    """0, 1, ... for as many items as there are."""


class RandomSampler(Drawn, Sampler):
    """The numbers of all items in a new random order each time; or with replacement."""

    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        super().__init__(data_source)
        if not isinstance(replacement, bool):
            raise TypeError(f"expect boolean value for replacement, but got {replacement}")
        self.replacement, self.generator = replacement, generator
        self._num_samples = num_samples
        count = self.num_samples
        if not isinstance(count, int) or count <= 0:
            raise ValueError(
                f"num_samples should be a positive integer value, but got num_samples={count}"
            )
        if not replacement and generator is None and count > len(data_source):
            raise ValueError(
                "num_samples should be smaller than or equal to length of data_source when "
                f"replacement is False, but got num_samples: {count} > {len(data_source)}"
            )

    def __iter__(self):
        if self.generator is not None:
            return (int(next(self.generator)) for _ in range(self.num_samples))
        import numpy

        count = len(self.data_source)
        drawn = numpy.random.choice(numpy.arange(count), self.num_samples, self.replacement)
        return iter(drawn.tolist())


class SubsetRandomSampler(Shuffled, Sampler):
    """Some numbers in a new random order each time."""

    def __init__(self, indices):
        if len(indices) == 0:
            raise ValueError("The length of `indices` in SubsetRandomSampler should be above 0.")
        self.indices = indices

    def _order(self, count):
        import numpy

        return numpy.random.permutation(count).tolist()


class WeightedRandomSampler(Sampler):
    """So many numbers, each drawn by its weight."""

    def __init__(self, weights, num_samples, replacement=True):
        if not isinstance(num_samples, int) or num_samples <= 0:
            raise ValueError("num_samples should be a positive integer")
        if not isinstance(replacement, bool):
            raise ValueError("replacement should be a boolean value")
        self.weights, self.num_samples, self.replacement = weights, num_samples, replacement

    def __iter__(self):
        import numpy

        weights = numpy.asarray(self.weights, "float64").reshape(-1)
        if not self.replacement and self.num_samples > numpy.count_nonzero(weights):
            raise ValueError(
                "num_samples should be no more than the number of weights above 0 without "
                "replacement"
            )
        drawn = numpy.random.choice(
            len(weights), self.num_samples, self.replacement, weights / weights.sum()
        )
        return iter(drawn.tolist())

    def __len__(self):
        return self.num_samples


class BatchSampler(Batches, Sampler):
    """Lists of numbers: of a dataset, in order or shuffled, or those that a sampler gives.

    >>> from penstock import paddle
    >>> list(paddle.io.BatchSampler(range(5), batch_size=2))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(
        self, dataset=None, sampler=None, shuffle=False, batch_size=1, drop_last=False
    ):
        if (dataset is None) == (sampler is None):
            raise AssertionError("either dataset or sampler should be set")
        if not isinstance(shuffle, bool) or not isinstance(drop_last, bool):
            raise AssertionError("shuffle and drop_last should be boolean values")
        if not isinstance(batch_size, int) or batch_size <= 0:
            raise AssertionError(f"batch_size should be a positive integer, but got {batch_size}")
        if sampler is None:
            sampler = RandomSampler(dataset) if shuffle else SequenceSampler(dataset)
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last
