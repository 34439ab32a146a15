"""mx.gluon.data.dataloader: batches of a dataset, which threads may make ahead.

num_workers is a number of threads: what reads a dataset and makes batches of it runs in this
process, without copies between processes. Threads have the modes of the thread that iterates
(NumPy mode, context), and record nothing.
"""

from .... import _core
from ....data._prefetch import Direct, Prefetched
from ... import context as _context
from ..._dialects import native
from ..._mode import mode
from ..._nd_array import NDArray
from ..._np_array import ndarray
from .dataset import ArrayDataset
from .sampler import BatchSampler, RandomSampler, SequentialSampler

__all__ = ["DataLoader"]

_stack, _take = _core._ops["stack"], _core._ops["take"]


# ---- Batches -------------------------------------------------------------------------------------


def default_batchify_fn(data):
    """Items as one batch: arrays and numbers are stacked, tuples taken apart."""
    first = data[0]
    if isinstance(first, NDArray):
        return _stacked(data)
    if isinstance(first, tuple):
        return [default_batchify_fn(part) for part in zip(*data)]
    import numpy

    data = numpy.asarray(data)
    cls = ndarray if mode.array else NDArray
    try:
        return _core.array(data).as_subclass(cls)
    except TypeError:
        raise TypeError(
            f"items of type {type(first).__name__!r} cannot be made a batch (NumPy's type is "
            f"{data.dtype}): give the loader a batchify_fn"
        ) from None


def default_mp_batchify_fn(data):
    """The same: threads need no other memory."""
    return default_batchify_fn(data)


def _stacked(arrays):
    """Arrays one beside the other, of the class of this thread's mode; others raise."""
    cls = ndarray if mode.array else NDArray
    for one in arrays:
        if isinstance(one, ndarray) is not mode.array:
            other = "mx.np" if isinstance(one, ndarray) else "mx.nd"
            raise TypeError(f"arrays of {other} cannot be made a batch of {cls.__module__}")
    return _stack([native(one) for one in arrays]).as_subclass(cls)


def _is_numpy(one):
    kind = type(one)
    return kind.__name__ == "ndarray" and kind.__module__ == "numpy"


def _rows(array, indices, cls):
    """Rows of an array, stacked."""
    if type(array) is cls:
        return _take(native(array), _core.array(indices, "int64"), 0).as_subclass(cls)
    return _core.array(array[indices]).as_subclass(cls)


def _moved(batch, context):
    """A batch with its arrays in a context."""
    if isinstance(batch, NDArray):
        return batch.as_in_context(context)
    if isinstance(batch, (list, tuple)):
        return [_moved(part, context) for part in batch]
    return batch


class _Maker:
    """Makes the batch of some items, with the modes that the iterating thread has now."""

    def __init__(self, dataset, batchify, pinned):
        self._dataset = dataset
        self._batchify = batchify
        self._pinned = pinned
        self._modes = mode.shape, mode.array, _context.current_context()

    def __call__(self, indices):
        self._set_modes()
        batch = self._at_once(indices)
        if batch is None:
            batch = self._batchify([self._dataset[index] for index in indices])
        return batch if self._pinned is None else _moved(batch, self._pinned)

    def _at_once(self, indices):
        """The default batch of a dataset of arrays, each read by one operation; else None."""
        if type(self._dataset) is not ArrayDataset or self._batchify is not default_batchify_fn:
            return None
        arrays, cls = self._dataset._data, ndarray if mode.array else NDArray
        if not all(type(one) is cls or _is_numpy(one) for one in arrays):
            return None
        if not indices or min(indices) < 0 or max(indices) >= len(self._dataset):
            return None
        parts = [_rows(one, indices, cls) for one in arrays]
        return parts if len(parts) > 1 else parts[0]

    def _set_modes(self):
        shape, array, context = self._modes
        if mode.array is not array:
            mode.array = array
        if mode.shape is not shape:
            mode.shape = shape
        if _context._current.context is not context:
            _context._current.context = context


class _DirectMaker(_Maker):
    """The same by whoever asks for it: the modes are those of that thread."""

    def _set_modes(self):
        pass


# ---- Loaders -------------------------------------------------------------------------------------


class DataLoader:
    """Iterates over a dataset in batches, which threads may make ahead.

    Batches are of batch_size items, in order or, with shuffle, in a random one that follows
    numpy.random's seed, and the last one as BatchSampler says. Instead, a sampler says the order,
    or a batch_sampler the batches. batchify_fn makes a batch of a list of items.

    With num_workers above 0 that many threads make batches, at most `prefetch` of them ahead (twice
    as many as there are threads unless given). What the dataset raises is raised where its batch
    would be given; the iteration is over then. An iteration that is abandoned lets its threads end.
    thread_pool and timeout change nothing, and pinned memory is ordinary memory with that name.

    >>> from penstock import mxnet as mx
    >>> data = mx.gluon.data.ArrayDataset(mx.nd.array([[1], [2], [3]]), [10, 20, 30])
    >>> for x, y in mx.gluon.data.DataLoader(data, batch_size=2):
    ...     print(x.shape, y.asnumpy())
    (2, 1) [10 20]
    (1, 1) [30]
    """

    def __init__(
        self,
        dataset,
        batch_size=None,
        shuffle=False,
        sampler=None,
        last_batch=None,
        batch_sampler=None,
        batchify_fn=None,
        num_workers=0,
        pin_memory=False,
        pin_device_id=0,
        prefetch=None,
        thread_pool=False,
        timeout=120,
        auto_reload=False,
    ):
        assert timeout > 0, f"timeout must be positive, given {timeout}"
        self._dataset = dataset
        self._pinned = _context.cpu_pinned(pin_device_id) if pin_memory else None
        self._batch_sampler = _batches(
            dataset, batch_size, shuffle, sampler, last_batch, batch_sampler
        )
        self._num_workers = max(0, num_workers)
        self._prefetch = max(0, 2 * self._num_workers if prefetch is None else int(prefetch))
        self._batchify_fn = default_batchify_fn if batchify_fn is None else batchify_fn
        self.auto_reload = auto_reload
        self._iter = None
        self.refresh()

    def __iter__(self):
        if not self.auto_reload:
            return self._started()
        if self._iter is None:
            self.refresh()
        found, self._iter = self._iter, None
        return _Reloading(self, found)

    def __len__(self):
        return len(self._batch_sampler)

    def refresh(self):
        """With auto_reload: begins the next iteration anew, with the dataset as it is now."""
        if self.auto_reload:
            self._iter = self._started()

    def clean(self):
        """Ends an iteration that was begun ahead."""
        self._iter = None

    def _started(self):
        given = self._dataset, self._batchify_fn, self._pinned
        if self._num_workers == 0:
            return Direct(self._batch_sampler, _DirectMaker(*given))
        ahead = max(1, self._prefetch)
        return Prefetched(self._batch_sampler, _Maker(*given), self._num_workers, ahead)


class _Reloading:
    """An iteration at whose end the loader begins its next one."""

    def __init__(self, loader, batches):
        self._loader, self._batches = loader, batches

    def __iter__(self):
        return self

    def __next__(self):
        try:
            return next(self._batches)
        except StopIteration:
            if self._loader is not None and self._loader._iter is None:
                self._loader.refresh()
            self._loader = None
            raise


def _batches(dataset, batch_size, shuffle, sampler, last_batch, batch_sampler):
    """What gives lists of numbers, from what a loader is given."""
    if batch_sampler is not None:
        if batch_size is not None or shuffle or sampler is not None or last_batch is not None:
            raise ValueError(
                "a batch_sampler makes the batches alone: leave out batch_size, shuffle, sampler "
                "and last_batch"
            )
        return batch_sampler
    if batch_size is None:
        raise ValueError("either batch_size or batch_sampler is needed")
    if batch_size < 1:
        raise ValueError(f"batch_size must be at least 1, not {batch_size}")
    if sampler is None:
        sampler = (RandomSampler if shuffle else SequentialSampler)(len(dataset))
    elif shuffle:
        raise ValueError("a sampler says the order alone: leave out shuffle")
    return BatchSampler(sampler, batch_size, last_batch or "keep")


for _name in ("DataLoader", "default_batchify_fn", "default_mp_batchify_fn"):
    globals()[_name].__module__ = "mxnet.gluon.data.dataloader"
del _name
