"""Batches out of files: of numbers between commas, and of MNIST."""

from ... import _core
from .._missing import WHERE
from .._nd_array import NDArray
from .._sets import idx_array
from ..base import MXNetError, MXNetTypeError, MXNetValueError, NotBuiltError
from ._base import DataBatch, DataDesc, DataIter

__all__ = ["CSVIter", "MNISTIter", "MXDataIter"]

# Settings of how MXNet reads, which change nothing here.
_NO_MEANING = (
    *("prefetch_buffer", "ctx", "silent", "preprocess_threads", "input_flat", "verbose"),
    *("data_name", "label_name", "data_shape"),
)


class InMemory:
    """Arrays of NumPy that a file had, and how their rows become batches."""

    def __init__(self, data, label):
        self._data, self._label = data, label

    def __len__(self):
        return len(self._data)

    def described(self):
        """Shape of an item and element type: of the data, of the labels."""
        return [(one.shape[1:], one.dtype.type) for one in (self._data, self._label)]

    def batch(self, rows):
        """Data and labels of some items."""
        return [_core.array(one[rows]).as_subclass(NDArray) for one in (self._data, self._label)]

    def restart(self):
        """An iteration begins."""


class MXDataIter(DataIter):
    """Iterates over the items of a file; CSVIter and the like make such.

    A last batch that is not full is left out (last='discard'), filled up with the items of the
    batch before ('pad'), or with items from the beginning, which the next iteration then leaves out
    ('round').
    """

    def __init__(self, source, batch_size, last, data_name="data", label_name="softmax_label"):
        super().__init__(batch_size)
        self._source = source
        self._last = last
        self._names = data_name, label_name
        self._next = 0  # the item that the next batch begins with
        self._batch = None

    def _described(self, which):
        shape, dtype = self._source.described()[which]
        return [DataDesc(self._names[which], (self.batch_size, *shape), dtype)]

    @property
    def provide_data(self):
        """Name and shape of the array."""
        return self._described(0)

    @property
    def provide_label(self):
        """Name and shape of the label."""
        return self._described(1)

    def reset(self):
        """Begins anew, behind items that filled up the last batch."""
        over = self._next - len(self._source)
        self._next = over if self._last == "round" and over > 0 else 0
        self._batch = None
        self._source.restart()

    def iter_next(self):
        """Moves to the next batch; False behind the last."""
        import numpy

        count, start, end = len(self._source), self._next, self._next + self.batch_size
        if start >= count or end > count and self._last == "discard":
            return False
        rows = numpy.arange(start, end)
        if self._last == "round":
            rows %= count
        else:
            rows = numpy.where(rows < count, rows, rows - self.batch_size).clip(0)
        data, label = self._source.batch(rows)
        self._batch = DataBatch([data], [label], max(0, end - count), rows.astype("uint64"))
        self._next = end
        return True

    def next(self):
        """The next batch; StopIteration behind the last."""
        if not self.iter_next():
            raise StopIteration
        return self._batch

    def getdata(self):
        """The array of the batch."""
        return self._batch.data[0]

    def getlabel(self):
        """The label of the batch."""
        return self._batch.label[0]

    def getindex(self):
        """The numbers of the items of the batch."""
        return self._batch.index

    def getpad(self):
        """How many items at the end of the batch only fill it up."""
        return self._batch.pad


MXDataIter.__module__ = "mxnet.io.io"


def _check(function, unknown):
    """Settings that would change what is read raise; those of how are passed over."""
    for name in unknown:
        if name in ("num_parts", "part_index"):
            raise NotBuiltError(f"mxnet.io.{function}: {name} is not built: {WHERE}")
        if name not in _NO_MEANING:
            raise MXNetTypeError(f"mxnet.io.{function} has no parameter {name!r}")


def CSVIter(
    *,
    data_csv=None,
    data_shape=None,
    label_csv=None,
    label_shape=(1,),
    batch_size=None,
    round_batch=True,
    dtype="float32",
    **unknown,
):
    """Batches of the rows of a file of numbers between commas, each of a shape."""
    import numpy

    _check("CSVIter", unknown)
    for name, value in (("data_csv", data_csv), ("data_shape", data_shape)):
        if value is None:
            raise MXNetValueError(f"Required parameter {name} is not presented, in CSVIter")
    if batch_size is None or batch_size < 1:
        raise MXNetValueError(f"CSVIter: batch_size must be at least 1, not {batch_size}")
    data = _rows(data_csv, data_shape, dtype)
    if label_csv is None:
        label = numpy.zeros(len(data), dtype)
    else:
        label = _rows(label_csv, label_shape, dtype)
        label = label[:, 0] if label.shape[1:] == (1,) else label
    if len(label) != len(data):
        raise MXNetValueError(f"CSVIter: {len(data)} rows have {len(label)} labels")
    return MXDataIter(InMemory(data, label), batch_size, "round" if round_batch else "pad")


def _rows(path, shape, dtype):
    import numpy

    shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    try:
        with open(path, encoding="utf-8") as file:
            table = numpy.loadtxt(file, dtype, delimiter=",", ndmin=2)
    except OSError as error:
        raise MXNetError(f"CSVIter: {path}: {error.strerror}") from None
    except ValueError as error:
        raise MXNetValueError(f"CSVIter: {path}: {error}") from None
    try:
        return table.reshape((-1, *shape) if len(table) else (0, *shape))[: len(table)]
    except ValueError:
        raise MXNetValueError(
            f"CSVIter: the rows of {path} have {table.shape[1]} numbers, not those of {shape}"
        ) from None


def MNISTIter(
    *,
    image="./train-images-idx3-ubyte",
    label="./train-labels-idx1-ubyte",
    batch_size=128,
    shuffle=True,
    flat=False,
    seed=0,
    **unknown,
):
    """Batches of MNIST's files, numbers from 0 to 1: pictures (1, height, width) or flat rows."""
    import numpy

    _check("MNISTIter", unknown)
    pixels, labels = _idx(image, 3), _idx(label, 1)
    if len(pixels) != len(labels):
        raise MXNetValueError(f"MNISTIter: {len(pixels)} pictures have {len(labels)} labels")
    data = pixels.astype("float32") / 256
    data = data.reshape(len(data), -1) if flat else data[:, None]
    labels = labels.astype("float32")
    if shuffle:
        order = numpy.random.RandomState(seed).permutation(len(data))
        data, labels = data[order], labels[order]
    return MXDataIter(InMemory(data, labels), batch_size, "discard")


def _idx(path, ndim):
    try:
        with open(path, "rb") as file:
            return idx_array(file.read(), ndim, path)
    except OSError as error:
        raise MXNetError(f"MNISTIter: {path}: {error.strerror}") from None
