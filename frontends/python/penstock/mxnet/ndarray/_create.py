"""Functions of mx.nd that make arrays."""

from ... import _core
from .. import _dialects
from .._missing import WHERE
from .._nd_array import NDArray, element_type
from ..base import MXNetValueError, NotBuiltError
from ..context import device_of
from ._call import into, known, lengths, ops

__all__ = [
    *("arange", "array", "empty", "eye", "from_dlpack", "from_numpy", "full", "linspace", "ones"),
    *("ones_like", "to_dlpack_for_read", "to_dlpack_for_write", "zeros", "zeros_like"),
]

_native = _core.ndarray
_made = {
    name: _dialects.table(_dialects.nd, name)
    for name in ("arange", "empty", "eye", "linspace", "ones", "zeros")
}
_zeros, _ones, _empty = _made["zeros"], _made["ones"], _made["empty"]


def array(source_array, ctx=None, dtype=None):
    """A new array: float32 unless dtype says otherwise; of an array, with its element type."""
    device = device_of(ctx)
    if isinstance(source_array, _native):
        source_array = source_array.as_subclass(_native)
        dtype = source_array.dtype if dtype is None else element_type(dtype)
        made = _dialects.call(_native, ops["cast"], source_array, dtype)
        return ops["to_device"](made, device=device).as_subclass(NDArray)
    try:
        dtype = "float32" if dtype is None else _core._dtype(element_type(dtype))
        return NDArray(source_array, dtype, device=device)
    except (ValueError, TypeError) as error:
        raise TypeError(f"source_array cannot become an array: {error}") from None


def _dense(name, stype):
    if stype not in (None, "default"):
        raise NotBuiltError(f"mxnet.nd.{name}: there are no {stype!r} arrays: {WHERE}")


def _type(dtype):
    return "float32" if dtype is None else element_type(dtype)


def _filled(name, operation, shape, ctx, dtype, out, unknown):
    known(name, unknown)
    return into(out, operation(lengths(name, shape), _type(dtype), device=device_of(ctx)))


def zeros(shape, ctx=None, dtype=None, stype=None, out=None, name=None, **unknown):
    """All elements 0."""
    _dense("zeros", stype)
    return _filled("zeros", _zeros, shape, ctx, dtype, out, unknown)


def ones(shape, ctx=None, dtype=None, out=None, name=None, **unknown):
    """All elements 1."""
    return _filled("ones", _ones, shape, ctx, dtype, out, unknown)


def empty(shape, ctx=None, dtype=None, stype=None):
    """Elements of no particular value. Lengths may be 0, unlike elsewhere."""
    _dense("empty", stype)
    if shape == 0 or isinstance(shape, (tuple, list)) and 0 in shape:
        return _empty(shape, _type(dtype), device=device_of(ctx))
    return _filled("empty", _empty, shape, ctx, dtype, None, ())


def full(shape, val, ctx=None, dtype="float32", out=None):
    """All elements equal to a number."""
    made = empty(shape, ctx, dtype) if out is None else out
    made[()] = val
    return made


def arange(
    start, stop=None, step=1.0, repeat=1, infer_range=None, ctx=None, dtype="float32", name=None
):
    """start, start + step, ... before stop, each `repeat` times; with one number from 0 to it."""
    start, stop = (0, start) if stop is None else (start, stop)
    step = int(step) if step == int(step) else step
    made = _made["arange"](start, stop, step, dtype=_type(dtype), device=device_of(ctx))
    if made.size == 0:
        raise MXNetValueError(f"arange: nothing lies between {start} and {stop} by steps of {step}")
    return made if repeat == 1 else made.repeat(repeat)


def linspace(start, stop, num, endpoint=True, ctx=None, dtype="float32"):
    """num numbers at equal distances from start to stop."""
    made = _made["linspace"](start, stop, num, endpoint=endpoint, device=device_of(ctx))
    return made.astype(dtype, copy=False)


def eye(N, M=0, k=0, ctx=None, dtype=None, out=None, name=None, **unknown):
    """1 on a diagonal, else 0."""
    known("eye", unknown)
    return into(out, _made["eye"](N, M or N, k, dtype=_type(dtype), device=device_of(ctx)))


def _like(name, operation):
    def like(data, out=None, name=None):
        return into(out, operation(data.shape, _native.dtype.__get__(data), device=data.device))

    like.__name__ = like.__qualname__ = name
    like.__doc__ = operation.__doc__
    return like


zeros_like = _like("zeros_like", _zeros)
ones_like = _like("ones_like", _ones)


def from_numpy(ndarray, zero_copy=True, array_cls=NDArray):
    """An array of NumPy's, with its element type. The elements are copied."""
    return NDArray(ndarray, str(ndarray.dtype)).as_subclass(array_cls)


def from_dlpack(dlpack):
    """An array out of a DLPack capsule, or of an object that makes one."""
    return _core.from_dlpack(dlpack).as_subclass(NDArray)


def to_dlpack_for_read(data):
    """The elements in a DLPack capsule: a copy that never changes. Waits."""
    return data.to_dlpack_for_read()


def to_dlpack_for_write(data):
    """Sharing memory that others write to is not possible."""
    return data.to_dlpack_for_write()
