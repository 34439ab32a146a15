"""Loaders: batches of a dataset. Workers are threads of this process."""

from collections.abc import Mapping, Sequence
from numbers import Number

from ..._common.datasets import InTurn, of_iterator
from ..._common.samplers import Endless
from ..._common.workers import WorkerInfo, Workers
from .._create import to_tensor
from .._dialect import row
from .._joining import stack
from .._tensor import Tensor
from ._dataset import IterableDataset, TensorDataset
from ._samplers import BatchSampler

_take = row("take", "gather", "x, index:indices, axis=None")


class DataLoader:
    """Iterates over a dataset in batches, which are lists of tensors where items are several.

    >>> from penstock import paddle
    >>> data = paddle.io.TensorDataset([paddle.arange(3)])
    >>> [batch[0].tolist() for batch in paddle.io.DataLoader(data, batch_size=2)]
    [[0, 1], [2]]
    """

    def __init__(
        self,
        dataset,
        feed_list=None,
        places=None,
        return_list=True,
        batch_sampler=None,
        batch_size=1,
        shuffle=False,
        drop_last=False,
        collate_fn=None,
        num_workers=0,
        use_buffer_reader=True,
        reader_buffer_size=2,
        prefetch_factor=2,
        use_shared_memory=True,
        timeout=0,
        worker_init_fn=None,
        persistent_workers=False,
    ):
        self._iterable = isinstance(dataset, IterableDataset)
        if not isinstance(num_workers, int) or num_workers < 0:
            raise AssertionError(f"num_workers should be a non-negative value, not {num_workers}")
        if timeout < 0:
            raise AssertionError(f"timeout should be a non-negative value, not {timeout}")
        if self._iterable and (shuffle or batch_sampler is not None):
            raise ValueError(
                f"IterableDataset not support shuffle or batch_sampler, but got shuffle={shuffle}"
            )
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or drop_last:
                raise AssertionError(
                    "batch_size/shuffle/drop_last should not be set when batch_sampler is given"
                )
        elif batch_size is not None:
            if batch_size <= 0:
                raise AssertionError(
                    "batch_size should be None or a positive value when batch_sampler is not given"
                )
            if not self._iterable:
                batch_sampler = BatchSampler(
                    dataset, shuffle=shuffle, batch_size=batch_size, drop_last=drop_last
                )
        self.dataset, self.batch_sampler, self.return_list = dataset, batch_sampler, return_list
        self.batch_size = batch_size
        self.drop_last, self.collate_fn, self.num_workers = drop_last, collate_fn, num_workers
        self.prefetch_factor, self.timeout = prefetch_factor, timeout
        self.worker_init_fn = worker_init_fn

    def __len__(self):
        if self._iterable:
            raise ValueError("length of IterableDataset not supported")
        return len(self.dataset if self.batch_sampler is None else self.batch_sampler)

    def __call__(self):
        return iter(self)

    def __iter__(self):
        indices, fetch = self._indices(), self._fetcher()
        if self.num_workers == 0:
            return InTurn(indices, fetch)
        infos = [
            WorkerInfo(at, self.num_workers, at, self.dataset) for at in range(self.num_workers)
        ]
        return Workers(
            *(indices, self._fetcher, infos, self.prefetch_factor, self.worker_init_fn),
            self.timeout,
        )

    def _indices(self):
        if self._iterable:
            return Endless()
        return range(len(self.dataset)) if self.batch_sampler is None else self.batch_sampler

    def _fetcher(self):
        """A function that makes a batch of what the sampler gave."""
        dataset, collate = self.dataset, self.collate_fn
        single = self.batch_sampler is None and (not self._iterable or self.batch_size is None)
        made = collate or (converted if single else collated)
        if self._iterable:
            return of_iterator(dataset, made, self.batch_size, self.drop_last)
        if single:
            return lambda index: made(dataset[index])
        if collate is None and type(dataset) is TensorDataset:
            return lambda indices: _rows(dataset.tensors, indices)
        return lambda indices: made([dataset[index] for index in indices])


def _rows(tensors, indices):
    """Rows of tensors by their numbers: a copy of a part where these follow each other."""
    first, count = indices[0], len(indices)
    if indices == list(range(first, first + count)):
        return [one[first : first + count].clone() for one in tensors]
    places = to_tensor(indices)
    return [_take(one, places, 0) for one in tensors]


# ---- Items as batches ----------------------------------------------------------------------------


def collated(batch):
    """Items as one batch: tensors, arrays and numbers are stacked, containers taken apart."""
    first = batch[0]
    if isinstance(first, Tensor):
        return stack(list(batch), 0)
    if type(first).__module__ == "numpy" or isinstance(first, Number):
        import numpy

        made = numpy.stack(batch) if isinstance(first, numpy.ndarray) else numpy.array(batch)
        return to_tensor(made)
    if isinstance(first, (str, bytes)):
        return list(batch)
    if isinstance(first, Mapping):
        return {key: collated([one[key] for one in batch]) for key in first}
    if isinstance(first, Sequence):
        if any(len(one) != len(first) for one in batch):
            raise RuntimeError("fields number not same among samples")
        return [collated(part) for part in zip(*batch)]
    raise TypeError(
        "batch data can only contains: tensor, numpy.ndarray, dict, list, number, but got "
        f"{type(first)}"
    )


def converted(item):
    """An item by itself: arrays of NumPy, in containers too, as tensors."""
    if type(item).__module__ == "numpy":
        return to_tensor(item)
    if isinstance(item, Mapping):
        return {key: converted(one) for key, one in item.items()}
    if isinstance(item, Sequence) and not isinstance(item, (str, bytes, Tensor)):
        return [converted(one) for one in item]
    return item
