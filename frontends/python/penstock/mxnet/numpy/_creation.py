"""Making arrays. Without dtype they are float32, whatever the numbers are."""

from ... import _core
from .._nd_array import NDArray
from .._np_array import native_dtype
from ..base import MXNetTypeError, MXNetValueError
from ..context import device_of
from ._table import composed, into, ndarray, need_arrays, op
from ._types import native_type

__all__ = [
    "arange",
    "array",
    "copy",
    "empty",
    "empty_like",
    "eye",
    "full",
    "full_like",
    "genfromtxt",
    "identity",
    "indices",
    "linspace",
    "logspace",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
    *("blackman", "hamming", "hanning"),
]

_ops = _core._ops
_empty, _zeros, _ones, _full = op("empty"), op("zeros"), op("ones"), op("full")
_arange, _linspace, _eye = op("arange"), op("linspace"), op("eye")
_to_device = op("to_device")


def _row_by_row(order):
    if order not in ("C", None):
        raise NotImplementedError(f"order must be 'C', not {order!r}")


# ---- Out of numbers ----------------------------------------------------------------------------


def array(object, dtype=None, ctx=None):
    """An array of numbers, of nested lists, or a copy of an array.

    >>> mx.np.array([1, 2])
    array([1., 2.])
    """
    if isinstance(object, NDArray):
        return _copied(object, dtype, ctx)
    if object is None:
        object = float("nan")
    if dtype is None and hasattr(object, "dtype"):
        dtype = object.dtype  # NumPy's arrays and numbers keep theirs
    dtype = native_type(dtype)
    try:
        made = _core.array(object, dtype, device=device_of(ctx))
    except (ValueError, TypeError, OverflowError) as error:
        raise MXNetTypeError(f"array: {error}") from None
    return made.as_subclass(ndarray)


def _copied(source, dtype, ctx):
    if not isinstance(source, ndarray):
        raise MXNetValueError("array: an array of mx.nd becomes one of mx.np by as_np_ndarray()")
    if ctx is not None and ctx != source.ctx:
        source = source.copyto(ctx)
        return source if dtype is None else source.astype(dtype, copy=False)
    return source.copy() if dtype is None else source.astype(dtype)


def copy(a, out=None):
    """A copy."""
    need_arrays("copy", a)
    return into(out, a.copy() if out is None else a)


def genfromtxt(*args, **kwargs):
    """The numbers of a text file, read by NumPy: see numpy.genfromtxt. ctx says where to."""
    import numpy

    ctx = kwargs.pop("ctx", None)
    return array(numpy.genfromtxt(*args, **kwargs), ctx=ctx)


# ---- Of one value ------------------------------------------------------------------------------


def empty(shape, dtype=None, order="C", ctx=None):
    """Elements of no particular value."""
    if order != "C":
        _row_by_row(order)
    return _empty(shape, native_type(dtype), device=device_of(ctx))


def zeros(shape, dtype=None, order="C", ctx=None):
    """All elements 0."""
    if order != "C":
        _row_by_row(order)
    return _zeros(shape, native_type(dtype), device=device_of(ctx))


def ones(shape, dtype=None, order="C", ctx=None):
    """All elements 1."""
    if order != "C":
        _row_by_row(order)
    return _ones(shape, native_type(dtype), device=device_of(ctx))


def _number(value):
    """A Python number of a NumPy one."""
    return value.item() if hasattr(value, "item") else value


def full(shape, fill_value, dtype=None, order="C", ctx=None, out=None):
    """All elements equal to a number, or to those of an array that is broadcast."""
    _row_by_row(order)
    if isinstance(fill_value, ndarray) and fill_value.ndim:
        dtype = fill_value.dtype if dtype is None else dtype
        made = composed(_ops["broadcast_to"], fill_value, shape).astype(dtype)
        return into(out, made if ctx is None else made.as_in_ctx(ctx))
    value = _number(fill_value)
    dtype = native_type(dtype, "bool" if isinstance(value, bool) else "float32")
    return into(out, _full(shape, _cut(value, dtype), dtype, device=device_of(ctx)))


def _cut(value, dtype):
    """A number as an integer type takes it: without its fraction, wrapped around."""
    if dtype.kind not in "iu":
        return bool(value) if dtype.kind == "b" else value
    bits = 8 * dtype.itemsize
    lowest = -(1 << (bits - 1)) if dtype.kind == "i" else 0
    return (int(value) - lowest) % (1 << bits) + lowest


def _like(make, a, values, dtype, order, out):
    """As an array has it, and where that is: MXNet does not look at ctx."""
    _row_by_row(order)
    need_arrays("like", a)
    dtype = native_dtype(a) if dtype is None else native_type(dtype)
    values = [_cut(value, dtype) for value in values]
    return into(out, make(a.shape, *values, dtype, device=a.device))


def empty_like(prototype, dtype=None, order="C", subok=False, shape=None):
    """An array of that shape and type; its elements have no particular value."""
    if subok or shape is not None:
        raise NotImplementedError("empty_like: subok must be False and shape None")
    return _like(_empty, prototype, (), dtype, order, None)


def zeros_like(a, dtype=None, order="C", ctx=None, out=None):
    """An array of that shape and type; all elements are 0."""
    return _like(_zeros, a, (), dtype, order, out)


def ones_like(a, dtype=None, order="C", ctx=None, out=None):
    """An array of that shape and type; all elements are 1."""
    return _like(_ones, a, (), dtype, order, out)


def full_like(a, fill_value, dtype=None, order="C", ctx=None, out=None):
    """An array of that shape and type; all elements are the given number."""
    return _like(_full, a, (_number(fill_value),), dtype, order, out)


# ---- Sequences ---------------------------------------------------------------------------------


def arange(start, stop=None, step=1, dtype=None, ctx=None):
    """start, start + step, ... before stop; with one number from 0 to it.

    >>> mx.np.arange(3)
    array([0., 1., 2.])
    """
    start, stop, step = _number(start), _number(stop), _number(step)
    if stop is None:
        start, stop = 0, start
    if step == 0:
        raise ZeroDivisionError("arange: step must not be 0")
    step, dtype = 1 if step is None else step, native_type(dtype)
    if dtype.kind != "f" and any(isinstance(one, float) for one in (start, stop, step)):
        return _arange(start, stop, step, dtype="float64", device=device_of(ctx)).astype(dtype)
    return _arange(start, stop, step, dtype=dtype, device=device_of(ctx))


def _ends(name, start, stop):
    if isinstance(start, (list, tuple)) or getattr(start, "shape", ()) != ():
        raise NotImplementedError(f"{name}: start must be a number, not {start!r}")
    if isinstance(stop, (list, tuple)) or getattr(stop, "shape", ()) != ():
        raise NotImplementedError(f"{name}: stop must be a number, not {stop!r}")
    return _number(start), _number(stop)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, ctx=None):
    """num numbers at equal distances from start to stop; with retstep, the distance too."""
    start, stop = _ends("linspace", start, stop)
    if axis != 0:
        raise NotImplementedError(f"linspace: axis must be 0, not {axis!r}")
    dtype = native_type(dtype)
    real = dtype if dtype.kind == "f" else "float64"
    made = _linspace(start, stop, num, endpoint=endpoint, dtype=real, device=device_of(ctx))
    made = made if dtype.kind == "f" else made.astype(dtype)
    return (made, (stop - start) / (num - bool(endpoint))) if retstep else made


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0, ctx=None):
    """num powers of base, from base ** start to base ** stop, at equal ratios."""
    powers = linspace(start, stop, num, endpoint, dtype="float64", axis=axis, ctx=ctx)
    return (base**powers).astype(native_type(dtype))


def eye(N, M=None, k=0, dtype=None, ctx=None, order="C"):
    """1 on a diagonal, else 0."""
    _row_by_row(order)
    return _eye(N, M, k, dtype=native_type(dtype), device=device_of(ctx))


def identity(n, dtype=None, ctx=None):
    """A square matrix with 1 on the diagonal, else 0."""
    return eye(n, dtype=dtype, ctx=ctx)


def indices(dimensions, dtype="int32", ctx=None):
    """Of a grid of the given shape, the positions along each axis."""
    axes = [arange(length, dtype=dtype, ctx=ctx) for length in dimensions]
    return composed(_grid, axes)


def _grid(axes):
    from ..._shapes import meshgrid

    return _ops["stack"](list(meshgrid(*axes, indexing="ij")))


# ---- Windows -----------------------------------------------------------------------------------


def _window(M, factors, dtype, ctx):
    """Cosines of 0, 1, 2 periods over M points, weighted."""
    if M < 1:
        return empty((0,), dtype, ctx=ctx)
    if M == 1:
        return ones((1,), dtype, ctx=ctx)
    turns = arange(M, dtype="float64", ctx=ctx) * (2 * 3.141592653589793 / (M - 1))
    total = sum(
        composed(_ops["cos"], turns * period) * factor for period, factor in enumerate(factors)
    )
    return total.astype(native_type(dtype))


def hanning(M, dtype=None, ctx=None):
    """The Hann window of M points."""
    return _window(M, (0.5, -0.5), dtype, ctx)


def hamming(M, dtype=None, ctx=None):
    """The Hamming window of M points."""
    return _window(M, (0.54, -0.46), dtype, ctx)


def blackman(M, dtype=None, ctx=None):
    """The Blackman window of M points."""
    return _window(M, (0.42, -0.5, 0.08), dtype, ctx)
