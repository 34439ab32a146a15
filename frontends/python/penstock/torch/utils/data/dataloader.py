"""torch.utils.data.dataloader: batches of a dataset.

num_workers is a number of threads: what reads a dataset and makes batches of it runs in this
process, without copies between processes.
"""

from ... import _missing
from ..._random import randint
from ._collate import default_collate, default_convert
from ...._common.datasets import InTurn, of_iterator
from ...._common.samplers import Endless, batch_count
from ...._common.workers import WorkerInfo, Workers, get_worker_info  # noqa: F401
from .dataset import IterableDataset, Subset, TensorDataset, items_of
from .sampler import BatchSampler, RandomSampler, SequentialSampler, rows, slices

_FIXED = ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers")


class DataLoader:
    """Iterates over a dataset in batches.

    Batches are of batch_size items, in order or, with shuffle, in a random one; a sampler says
    another order, a batch_sampler the batches themselves. collate_fn makes a batch of a list of
    items. With batch_size=None there are no batches: each item comes by itself.

    With num_workers above 0 that many threads make batches, each prefetch_factor of them ahead.
    pin_memory changes nothing: copies to a GPU need no locked memory.

    >>> from penstock.torch.utils import data
    >>> list(data.DataLoader([1, 2, 3], batch_size=2))
    [tensor([1, 2]), tensor([3])]
    """

    __module__ = "torch.utils.data.dataloader"
    _made = False

    def __init__(
        self,
        dataset,
        batch_size=1,
        shuffle=None,
        sampler=None,
        batch_sampler=None,
        num_workers=0,
        collate_fn=None,
        pin_memory=False,
        drop_last=False,
        timeout=0,
        worker_init_fn=None,
        multiprocessing_context=None,
        generator=None,
        *,
        prefetch_factor=None,
        persistent_workers=False,
        pin_memory_device="",
        in_order=True,
    ):
        _check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        if multiprocessing_context is not None and num_workers == 0:
            raise ValueError(
                "multiprocessing_context can only be used with multi-process loading "
                f"(num_workers > 0), but got num_workers={num_workers}"
            )
        self._iterable = isinstance(dataset, IterableDataset)
        if self._iterable:
            _check_iterable(shuffle, sampler, batch_sampler)
        batch_size, drop_last = _check_batches(
            batch_size, bool(shuffle), sampler, batch_sampler, drop_last
        )
        if sampler is None:
            if self._iterable:
                sampler = Endless()
            elif shuffle:
                sampler = RandomSampler(dataset, generator=generator)
            else:
                sampler = SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.dataset = dataset
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator
        self.num_workers = num_workers
        self.prefetch_factor = 2 if num_workers > 0 and prefetch_factor is None else prefetch_factor
        self.persistent_workers = persistent_workers
        self.worker_init_fn = worker_init_fn
        self.timeout = timeout
        self.multiprocessing_context = multiprocessing_context
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.in_order = in_order
        if collate_fn is None:
            collate_fn = default_convert if batch_sampler is None else default_collate
        self.collate_fn = collate_fn
        self._initialised = False  # whether persistent workers have begun before
        self._made = True

    def __class_getitem__(cls, types):
        return cls

    def __setattr__(self, name, value):
        if self._made and name in _FIXED:
            raise ValueError(
                f"{name} attribute should not be set after {type(self).__name__} is initialized"
            )
        super().__setattr__(name, value)

    @property
    def _index_sampler(self):
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    def __len__(self):
        if not self._iterable:
            return len(self._index_sampler)
        length = len(self.dataset)
        if self.batch_size is None:
            return length
        return batch_count(length, self.batch_size, self.drop_last)

    # ---- Iteration ----------------------------------------------------------------------------

    def __iter__(self):
        if self._reads_tensors() and self.worker_init_fn is None:
            parts = slices(self.batch_sampler)
            if parts is not None:
                return _OfTensors(parts, self.dataset.tensors)
        if self.num_workers == 0:
            return InTurn(self._index_sampler, self._fetcher())
        return self._workers()

    def _reads_tensors(self):
        """Whether a batch is rows of tensors, and nobody else's code makes it."""
        return type(self.dataset) is TensorDataset and self.collate_fn is default_collate

    def _workers(self):
        seed = randint(0, 2**62, (), generator=self.generator).item()
        infos = [
            WorkerInfo(place, self.num_workers, seed + place, self.dataset)
            for place in range(self.num_workers)
        ]
        initialise = None if self._initialised else self.worker_init_fn
        self._initialised = self.persistent_workers
        return Workers(
            self._index_sampler,
            self._fetcher,
            infos,
            self.prefetch_factor,
            initialise,
            self.timeout,
        )

    def _fetcher(self):
        """A function that makes a batch, or an item, of what the sampler gave."""
        collate, dataset = self.collate_fn, self.dataset
        if self._iterable:
            return of_iterator(dataset, collate, self.batch_size, self.drop_last)
        if self.batch_sampler is None:
            return lambda index: collate(dataset[index])
        if collate is default_collate and _inner(dataset) is not None:
            return lambda indices: _rows_at(dataset, indices)
        return lambda indices: collate(items_of(dataset, indices))


# ---- What a loader is given ----------------------------------------------------------------------


def _check_workers(num_workers, timeout, prefetch_factor, persistent_workers):
    if num_workers < 0:
        raise ValueError(
            "num_workers option should be non-negative; use num_workers=0 to disable "
            f"multiprocessing, not {num_workers}"
        )
    if timeout < 0:
        raise ValueError(f"timeout option should be non-negative, not {timeout}")
    if num_workers == 0 and prefetch_factor is not None:
        raise ValueError(
            "prefetch_factor option could only be specified in multiprocessing: "
            "let num_workers > 0 to enable multiprocessing"
        )
    if prefetch_factor is not None and prefetch_factor < 0:
        raise ValueError(f"prefetch_factor option should be non-negative, not {prefetch_factor}")
    if persistent_workers and num_workers == 0:
        raise ValueError("persistent_workers option needs num_workers > 0")


def _check_iterable(shuffle, sampler, batch_sampler):
    """An iterable dataset has an order of its own."""
    told = "DataLoader with IterableDataset: expected unspecified"
    if shuffle not in (False, None):
        raise ValueError(f"{told} shuffle option, but got shuffle={shuffle}")
    if sampler is not None:
        raise ValueError(f"{told} sampler option, but got sampler={sampler}")
    if batch_sampler is not None:
        raise ValueError(f"{told} batch_sampler option, but got batch_sampler={batch_sampler}")


def _check_batches(batch_size, shuffle, sampler, batch_sampler, drop_last):
    """The batch size and drop_last, which a batch_sampler stands for."""
    if sampler is not None and shuffle:
        raise ValueError("sampler option is mutually exclusive with shuffle")
    if batch_sampler is not None:
        if batch_size != 1 or shuffle or sampler is not None or drop_last:
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and "
                "drop_last"
            )
        return None, False
    if batch_size is None and drop_last:
        raise ValueError(
            "batch_size=None option disables auto-batching and is mutually exclusive with drop_last"
        )
    return batch_size, drop_last


# ---- Batches -------------------------------------------------------------------------------------


class _OfTensors:
    """Iterates over batches that are rows of tensors: nothing is waited for."""

    def __init__(self, parts, tensors):
        self._parts = parts
        self._tensors = tensors

    def __iter__(self):
        return self

    def __next__(self):
        part = next(self._parts)
        return [part(one) for one in self._tensors]


def _inner(dataset):
    """The tensors that a dataset's items are rows of; None if it is no plain dataset of tensors."""
    while type(dataset) is Subset:
        dataset = dataset.dataset
    return dataset.tensors if type(dataset) is TensorDataset else None


def _rows_at(dataset, indices):
    """The batch of items of tensors; numbers that are not there raise as they do one by one."""
    tensors, within = _inner(dataset), indices
    part = dataset
    while type(part) is Subset:
        within = [part.indices[one] for one in within]
        part = part.dataset
    if not tensors or not within or min(within) < 0 or max(within) >= len(part):
        return default_collate(items_of(dataset, indices))
    return [rows(one, within) for one in tensors]


__getattr__ = _missing.missing("torch.utils.data.dataloader")
