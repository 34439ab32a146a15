"""mx.gluon.data.sampler: in which order the items of a dataset are read, and in which batches."""

__all__ = ["Sampler", "SequentialSampler", "RandomSampler", "FilterSampler", "BatchSampler"]


class Sampler:
    """Numbers of items in some order, each time that it is iterated. For classes to define."""

    def __len__(self):
        raise NotImplementedError(f"{type(self).__name__} does not define __len__")

    def __iter__(self):
        raise NotImplementedError(f"{type(self).__name__} does not define __iter__")


class SequentialSampler(Sampler):
    """start, start + 1, ... for as many items as there are."""

    def __init__(self, length, start=0):
        self._length = length
        self._start = start

    def __iter__(self):
        return iter(range(self._start, self._start + self._length))

    def __len__(self):
        return self._length


class RandomSampler(Sampler):
    """0 .. length - 1 in a new random order each time, by numpy.random."""

    def __init__(self, length):
        self._length = length

    def __iter__(self):
        import numpy

        indices = numpy.arange(self._length)
        numpy.random.shuffle(indices)
        return iter(indices)

    def __len__(self):
        return self._length


class FilterSampler(Sampler):
    """The numbers of the items of which a function is true. Reads all of them once."""

    def __init__(self, fn, dataset):
        self._indices = [i for i in range(len(dataset)) if fn(dataset[i])]

    def __iter__(self):
        return iter(self._indices)

    def __len__(self):
        return len(self._indices)


class BatchSampler(Sampler):
    """Lists of numbers that a sampler gives.

    If the last batch is not full, it is kept ('keep'), left out ('discard'), or becomes the
    beginning of the next iteration's first one ('rollover').

    >>> from penstock.mxnet import gluon
    >>> list(gluon.data.BatchSampler(gluon.data.SequentialSampler(5), 2, "discard"))
    [[0, 1], [2, 3]]
    """

    def __init__(self, sampler, batch_size, last_batch="keep"):
        self._sampler = sampler
        self._batch_size = batch_size
        self._last_batch = last_batch
        self._prev = []  # what the last iteration left over

    def __iter__(self):
        batch, self._prev = self._prev, []
        for index in self._sampler:
            batch.append(index)
            if len(batch) == self._batch_size:
                yield batch
                batch = []
        if not batch:
            return
        if self._last_batch == "keep":
            yield batch
        elif self._last_batch == "rollover":
            self._prev = batch
        elif self._last_batch != "discard":
            raise self._unknown()

    def __len__(self):
        count = len(self._sampler)
        if self._last_batch == "keep":
            return (count + self._batch_size - 1) // self._batch_size
        if self._last_batch == "discard":
            return count // self._batch_size
        if self._last_batch == "rollover":
            return (len(self._prev) + count) // self._batch_size
        raise self._unknown()

    def _unknown(self):
        return ValueError(
            f"last_batch is {self._last_batch!r}; there are 'keep', 'discard' and 'rollover'"
        )


for _name in __all__:
    globals()[_name].__module__ = "mxnet.gluon.data.sampler"
del _name
