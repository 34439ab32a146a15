"""Batches of arrays that are in memory."""

from ... import _core
from .._dialects import native
from .._nd_array import NDArray
from ..ndarray import array
from ._base import DataBatch, DataDesc, DataIter

__all__ = ["NDArrayIter"]

_ops = _core._ops


class NDArrayIter(DataIter):
    """Iterates over arrays of mx.nd or NumPy: one, a list of them, or a dict by name.

    A last batch that is not full is filled up from the beginning ('pad'), left out ('discard'), or
    becomes the beginning of the next iteration ('roll_over'). With shuffle the order is a new one
    after each reset, by numpy.random.
    """

    def __init__(
        self,
        data,
        label=None,
        batch_size=1,
        shuffle=False,
        last_batch_handle="pad",
        data_name="data",
        label_name="softmax_label",
        layout="NCHW",
    ):
        import numpy

        super().__init__(batch_size)
        if batch_size < 1:
            raise ValueError(f"NDArrayIter: batch_size must be at least 1, not {batch_size}")
        self.data = named("data", data, data_name, False)
        self.label = named("label", label, label_name, True)
        self.num_data = len(self.data[0][1])
        self._check_lengths()
        self.idx = numpy.arange(self.num_data)
        self.shuffle = shuffle
        self.last_batch_handle = last_batch_handle
        self.layout = layout
        self._left = None  # items that an iteration left for the next: of the data, of the labels
        self.cursor = -batch_size
        self.num_source = len(self.data)
        if shuffle:
            self._shuffle()

    def _check_lengths(self):
        for name, value in self.data + self.label:
            if len(value) < self.num_data:
                raise ValueError(
                    f"NDArrayIter: {name} has {len(value)} items, {self.data[0][0]} {self.num_data}"
                )

    def _shuffle(self):
        import numpy

        numpy.random.shuffle(self.idx)
        order = _core.array(self.idx)
        self.data = [(name, _rows(value, order)) for name, value in self.data]
        self.label = [(name, _rows(value, order)) for name, value in self.label]

    def _described(self, arrays):
        size = self.batch_size
        return [
            DataDesc(name, (size, *value.shape[1:]), value.dtype, self.layout)
            for name, value in arrays
        ]

    @property
    def data_list(self):
        """The arrays, without their names."""
        return [value for _, value in self.data + self.label]

    @property
    def provide_data(self):
        """Names and shapes of the arrays of a batch."""
        return self._described(self.data)

    @property
    def provide_label(self):
        """Names and shapes of the labels of a batch."""
        return self._described(self.label)

    # ---- Iterating ----------------------------------------------------------------------------

    def hard_reset(self):
        """Begins anew; what an iteration left over is forgotten."""
        if self.shuffle:
            self._shuffle()
        self.cursor = -self.batch_size
        self._left = None

    def reset(self):
        """Begins anew, with what the last iteration left over."""
        if self.shuffle:
            self._shuffle()
        left = self.num_data - self.cursor
        rolls = self.last_batch_handle == "roll_over" and 0 < left < self.batch_size
        self.cursor = -self.batch_size - (left if rolls else 0)

    def iter_next(self):
        """Moves to the next batch; False behind the last."""
        self.cursor += self.batch_size
        return self.cursor < self.num_data

    def next(self):
        """The next batch; StopIteration behind the last."""
        if not self.iter_next():
            raise StopIteration
        data, label = self.getdata(), self.getlabel()
        if self.cursor >= 0 and len(data[0]) < self.batch_size:  # left over, or out
            self._left = data, label
            raise StopIteration
        return DataBatch(data, label, self.getpad(), None)

    def getdata(self):
        """The arrays of the batch."""
        return [self._part(number, 0, value) for number, (_, value) in enumerate(self.data)]

    def getlabel(self):
        """The labels of the batch."""
        return [self._part(number, 1, value) for number, (_, value) in enumerate(self.label)]

    def _part(self, number, which, value):
        """The items of the batch out of one array."""
        start, end = self.cursor, self.cursor + self.batch_size
        if start < 0:  # what was left over, and then the beginning
            found = value[0:end]
            return found if self._left is None else _joined([self._left[which][number], found])
        if end <= self.num_data:
            return value[start:end]
        rest = value[start : self.num_data]
        if self.last_batch_handle != "pad":
            return rest
        more = end - self.num_data
        whole, part = divmod(more, self.num_data)
        parts = [rest, *[value[0 : self.num_data]] * whole]
        return _joined([*parts, value[0:part]] if part else parts)

    def getpad(self):
        """How many items of the batch only fill it up; of one that rolled over, how many new."""
        if self.last_batch_handle == "pad" and self.cursor + self.batch_size > self.num_data:
            return self.cursor + self.batch_size - self.num_data
        if self.last_batch_handle == "roll_over" and -self.batch_size < self.cursor < 0:
            return -self.cursor
        return 0


NDArrayIter.__module__ = "mxnet.io.io"


def named(what, data, default, may_be_empty):
    """Arrays of mx.nd by name, as pairs: from one array, a list of them or a dict."""
    if data is None:
        data = []
    if isinstance(data, (NDArray, *_foreign())):
        data = [data]
    if isinstance(data, (list, tuple)):
        assert data or may_be_empty, f"NDArrayIter: there is no {what}"
        names = [default] if len(data) == 1 else [f"_{i}_{default}" for i in range(len(data))]
        data = dict(zip(names, data))
    if not isinstance(data, dict):
        raise TypeError(
            f"NDArrayIter: {what} must be an array of mx.nd or of NumPy, a list of them or a dict "
            f"with them as values, not {type(data)}"
        )
    return [(name, _array(what, name, data[name])) for name in sorted(data)]


def _foreign():
    """Classes of arrays of others."""
    import sys

    numpy, h5py = sys.modules.get("numpy"), sys.modules.get("h5py")
    return [one for one in (numpy and numpy.ndarray, h5py and h5py.Dataset) if one]


def _array(what, name, value):
    if isinstance(value, NDArray):
        return value if type(value) is NDArray else value.as_nd_ndarray()
    try:
        made = array(value)
    except TypeError as error:
        raise TypeError(f"NDArrayIter: {what} {name!r} is no array: {error}") from None
    if not made.shape:
        raise IndexError(f"NDArrayIter: {what} {name!r} has no items")
    return made


def _rows(value, order):
    return _ops["take"](native(value), order, 0).as_subclass(NDArray)


def _joined(parts):
    return _ops["concatenate"](list(map(native, parts)), 0).as_subclass(NDArray)
