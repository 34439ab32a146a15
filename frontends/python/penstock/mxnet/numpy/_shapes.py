"""Changing shapes, joining and splitting. Results are copies, as MXNet's are."""

from ... import _core
from ... import _shapes as _native
from .._np_array import native_dtype
from ..base import MXNetTypeError, MXNetValueError
from ._table import composed, copied, into, ndarray, need_arrays, of_arrays, of_numpy

__all__ = [
    "append",
    "array_split",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_arrays",
    "broadcast_to",
    "column_stack",
    "concatenate",
    "diag",
    "diagflat",
    "diagonal",
    "dsplit",
    "dstack",
    "expand_dims",
    "flip",
    "fliplr",
    "flipud",
    "hsplit",
    "hstack",
    "meshgrid",
    "moveaxis",
    "ndim",
    "pad",
    "ravel",
    "repeat",
    "reshape",
    "resize",
    "roll",
    "rollaxis",
    "rot90",
    "row_stack",
    "shape",
    "size",
    "split",
    "squeeze",
    "stack",
    "swapaxes",
    "tile",
    "transpose",
    "tril",
    "vsplit",
    "vstack",
]

_ops = _core._ops


def _row_by_row(name, order):
    if order != "C":
        raise NotImplementedError(f"{name}: order must be 'C', not {order!r}")


# ---- One array ---------------------------------------------------------------------------------

expand_dims = of_arrays("expand_dims", "expand_dims", "a:x, axis")
transpose = of_arrays("permute", "transpose", "a:x, axes=None")
repeat = of_arrays("repeat", "repeat", "a:x, repeats, axis=None")
roll = of_arrays("roll", "roll", "a:x, shift, axis=None")

_reshape = of_arrays("reshape", "reshape", "a:x, newshape:shape")
_squeeze = of_arrays("squeeze", "squeeze", "a:x, axis=None")
_flip = of_arrays("flip", "flip", "m:x, axis=None")
_tile = of_arrays("tile", "tile", "A:x, reps:repeats")
_broadcast_to = of_arrays("broadcast_to", "broadcast_to", "array:x, shape")


def reshape(a, newshape, order="C", out=None):
    """A copy in another shape; one length may be -1."""
    _row_by_row("reshape", order)
    result = _reshape(a, newshape)
    return result if out is None else into(out, result)


def ravel(x, order="C"):
    """A copy in one dimension."""
    _row_by_row("ravel", order)
    return _reshape(x, -1)


def resize(a, new_shape):
    """The elements in another shape, repeated or cut to fill it."""
    need_arrays("resize", a)
    return composed(_resized, a, new_shape)


def _resized(a, new_shape):
    shape = (new_shape,) if isinstance(new_shape, int) else tuple(new_shape)
    count = 1
    for length in shape:
        count *= length
    if a.size == 0:
        return _ops["zeros"](shape, a.dtype)
    times = -(-count // a.size)
    return _ops["tile"](a.reshape(-1), max(times, 1))[:count].reshape(shape)


def squeeze(a, axis=None, out=None):
    """A copy without the dimensions of length 1, or without the given ones."""
    result = _squeeze(a, axis)
    return result if out is None else into(out, result)


def swapaxes(a, axis1, axis2):
    """A copy with two dimensions swapped."""
    need_arrays("swapaxes", a)
    return copied(_native.swapaxes, a, axis1, axis2)


def moveaxis(a, source, destination):
    """A copy with dimensions moved to other places."""
    need_arrays("moveaxis", a)
    return copied(_native.moveaxis, a, source, destination)


def rollaxis(a, axis, start=0):
    """A copy with one dimension moved back until it stands before another."""
    need_arrays("rollaxis", a)
    return copied(_native.rollaxis, a, axis, start)


def flip(m, axis=None, out=None):
    """A copy with the order along the axes reversed."""
    if not isinstance(m, ndarray):
        return of_numpy("flip")(m, axis)
    return into(out, _flip(m, axis))


def fliplr(m):
    """A copy with the second dimension in reverse order."""
    return _flip(m, 1)


def flipud(m):
    """A copy with the first dimension in reverse order."""
    return _flip(m, 0)


def rot90(m, k=1, axes=(0, 1)):
    """The plane of two axes turned by k times 90 degrees."""
    need_arrays("rot90", m)
    first, second = axes
    if m.ndim < 2 or first % m.ndim == second % m.ndim:
        raise MXNetValueError(f"rot90: two different axes are needed, not {axes}")
    turns = k % 4
    if turns == 0:
        return m.copy()
    if turns == 2:
        return _flip(m, (first, second))
    if turns == 1:
        return swapaxes(_flip(m, second), first, second)
    return _flip(swapaxes(m, first, second), second)


def tile(A, reps):
    """The whole array several times along each dimension."""
    if not isinstance(A, ndarray):
        return of_numpy("tile")(A, reps)
    return _tile(A, reps)


def broadcast_to(array, shape):
    """A copy of the given shape in which elements repeat."""
    if not isinstance(array, ndarray):
        from ._creation import full

        return full(shape, array)
    return _broadcast_to(array, shape)


def broadcast_arrays(*args):
    """Copies of the arrays in their common shape."""
    need_arrays("broadcast_arrays", *args)
    return copied(_native.broadcast_arrays, *args)


def atleast_1d(*arys):
    """The arrays, each with one dimension or more."""
    return _each(_native.atleast_1d, arys)


def atleast_2d(*arys):
    """The arrays, each with two dimensions or more; new ones come in front."""
    return _each(_native.atleast_2d, arys)


def atleast_3d(*arys):
    """The arrays, each with three dimensions or more."""
    return _each(_native.atleast_3d, arys)


def _each(function, arrays):
    need_arrays("atleast", *arrays)
    results = [copied(function, array) for array in arrays]
    return results[0] if len(results) == 1 else results


def shape(a):
    """The shape."""
    return a.shape


def size(a, axis=None):
    """How many elements there are, or how long an axis is."""
    return a.size if axis is None else a.shape[axis]


def ndim(a):
    """How many dimensions there are."""
    return a.ndim


# ---- Grids and diagonals -----------------------------------------------------------------------


def meshgrid(*xi, **kwargs):
    """Coordinates of a grid: for each array, its elements along one axis."""
    for name, needed in (("sparse", False), ("copy", True)):
        if kwargs.pop(name, needed) is not needed:
            raise NotImplementedError(f"meshgrid: {name} must be {needed}")
    need_arrays("meshgrid", *xi)
    return copied(_native.meshgrid, *(x.reshape(-1) for x in xi), **kwargs)


def diag(array, k=0):
    """Of one dimension a matrix with the elements on a diagonal; of a matrix that diagonal."""
    need_arrays("diag", array)
    return copied(_native.diag, array, k)


def diagflat(array, k=0):
    """A matrix with all elements on a diagonal."""
    need_arrays("diagflat", array)
    return diag(_reshape(array, -1), k)


def diagonal(a, offset=0, axis1=0, axis2=1):
    """The elements on a diagonal of two axes."""
    need_arrays("diagonal", a)
    return copied(_native.diagonal, a, offset, axis1, axis2)


def tril(m, k=0):
    """The elements on and below a diagonal, else 0; one dimension is each row."""
    need_arrays("tril", m)
    if m.ndim == 1:
        m = _broadcast_to(m, (m.size, m.size))
    return composed(_native.tril, m, k=k)


_MODES = ("constant", "edge", "reflect", "symmetric", "maximum", "minimum")


def pad(x, pad_width=None, mode="constant", **kwargs):
    """Elements added before and after along each axis: pad_width has a pair for each."""
    need_arrays("pad", x)
    if not isinstance(pad_width, (tuple, list)):
        raise MXNetTypeError(f"pad: pad_width must be a tuple of pairs, not {pad_width!r}")
    if mode not in _MODES:
        raise MXNetValueError(f"pad: mode must be one of {_MODES}, not {mode!r}")
    value = kwargs.pop("constant_values", 0)
    if kwargs.pop("reflect_type", "even") != "even" or kwargs:
        raise MXNetValueError(f"pad: arguments that mode {mode!r} does not have: {kwargs}")
    if mode in ("maximum", "minimum"):
        return _padded_by(_ops[mode[:3]], x, pad_width)
    return composed(_native.pad, x, tuple(pad_width), mode, constant_values=value)


def _padded_by(reduce, x, pad_width):
    """Each axis filled up with the largest or smallest element along it."""
    pairs = [pad_width] * x.ndim if isinstance(pad_width[0], int) else pad_width
    for axis, (before, after) in enumerate(pairs):
        edge = composed(reduce, x, axis, keepdims=True)
        x = concatenate([edge] * before + [x] + [edge] * after, axis)
    return x


# ---- Joining -----------------------------------------------------------------------------------

_concatenate = of_arrays("concatenate", "concatenate", "seq:tensors, axis=0, out=None")
_stack = of_arrays("stack", "stack", "arrays:tensors, axis=0, out=None")


def _listed(name, arrays):
    """The arrays of a sequence, or the rows of an array, of one element type."""
    arrays = list(arrays)
    need_arrays(name, *arrays)
    if not arrays:
        raise MXNetValueError(f"{name}: there are no arrays to join")
    dtype = native_dtype(arrays[0])
    for other in map(native_dtype, arrays):
        if other is not dtype:
            raise MXNetTypeError(f"{name}: arrays of the types {dtype} and {other} differ")
    return arrays


def concatenate(seq, axis=0, out=None):
    """The arrays one behind the other along the axis; with None, all elements of each.

    >>> mx.np.concatenate([mx.np.ones((1, 2)), mx.np.zeros((1, 2))], axis=1)
    array([[1., 1., 0., 0.]])
    """
    arrays = _listed("concatenate", seq)
    if axis is None:
        arrays, axis = [_reshape(one, -1) for one in arrays], 0
    return _concatenate(arrays, axis, out)


def append(arr, values, axis=None):
    """Two arrays one behind the other."""
    return concatenate([arr, values], axis)


def stack(arrays, axis=0, out=None):
    """The arrays side by side along a new axis."""
    return _stack(_listed("stack", arrays), axis, out)


def vstack(arrays, out=None):
    """The arrays on top of each other; those of one dimension are rows."""
    return into(out, composed(_native.vstack, _listed("vstack", arrays)))


def row_stack(arrays):
    """As vstack."""
    return composed(_native.vstack, _listed("row_stack", arrays))


def hstack(arrays):
    """The arrays side by side; those of one dimension end to end."""
    return composed(_native.hstack, _listed("hstack", arrays))


def dstack(arrays):
    """The arrays behind each other, along the third axis."""
    return composed(_native.dstack, _listed("dstack", arrays))


def column_stack(tup):
    """The arrays side by side; those of one dimension are columns."""
    return composed(_native.column_stack, _listed("column_stack", tup))


# ---- Splitting ---------------------------------------------------------------------------------


def _sections(name, given):
    if isinstance(given, (list, tuple, set)):
        return sorted(given) if isinstance(given, set) else list(given)
    if isinstance(given, ndarray) or not hasattr(given, "__index__"):
        raise MXNetValueError(f"{name}: an integer or a list of them is needed, not {given!r}")
    return given.__index__()


def _parts(name, ary, given, axis):
    need_arrays(name, ary)
    return copied(getattr(_native, name), ary, _sections(name, given), axis)


def split(ary, indices_or_sections, axis=0):
    """Copies of parts along an axis: so many equal ones, or cut at the given places."""
    return _parts("split", ary, indices_or_sections, axis)


def array_split(ary, indices_or_sections, axis=0):
    """Copies of parts along an axis: so many, as equal as can be, or cut at the given places."""
    return _parts("array_split", ary, indices_or_sections, axis)


def vsplit(ary, indices_or_sections):
    """split along the first axis."""
    _deep("vsplit", ary, 2)
    return split(ary, indices_or_sections, 0)


def hsplit(ary, indices_or_sections):
    """array_split along the second axis; of one dimension, along that."""
    _deep("hsplit", ary, 1)
    return array_split(ary, indices_or_sections, 0 if ary.ndim == 1 else 1)


def dsplit(ary, indices_or_sections):
    """split along the third axis."""
    _deep("dsplit", ary, 3)
    return split(ary, indices_or_sections, 2)


def _deep(name, ary, least):
    need_arrays(name, ary)
    if ary.ndim < least:
        raise MXNetValueError(f"{name}: {least} dimensions or more are needed, not {ary.ndim}")
