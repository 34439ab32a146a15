"""Functions of shapes, places and files that NumPy does not have."""

from ... import _core
from .. import _composed
from .._shapes import NPX, coded_shape, part_key, shape_like
from ..base import MXNetTypeError, MXNetValueError
from ..ndarray._files import loaded, saved
from ..numpy._creation import arange, array
from ..numpy._table import composed, into, ndarray, need_arrays
from ..numpy._types import native_type
from ..util import is_np_array, is_np_shape

__all__ = [
    "arange_like",
    "cast",
    "constraint_check",
    "gather_nd",
    "load",
    "nonzero",
    "reshape",
    "reshape_like",
    "save",
    "shape_array",
    "slice",
    "topk",
]

_ops = _core._ops
_slice = slice


# ---- Shapes ------------------------------------------------------------------------------------


def reshape(a, newshape, reverse=False, order="C"):
    """A copy in another shape, of which some lengths may be codes.

    -1: what is left; -2: this dimension; -3: without this one, of length 1; -4: all that are left;
    -5: this one times the next; -6: this one as the next two. With reverse, from the right.

    >>> mx.npx.reshape(mx.np.ones((2, 3, 4)), (-5, -2)).shape
    (6, 4)
    """
    need_arrays("reshape", a)
    if order != "C":
        raise NotImplementedError(f"reshape: order must be 'C', not {order!r}")
    given = (newshape,) if isinstance(newshape, int) else newshape
    return a.reshape(coded_shape(a.shape, given, NPX, reverse))


def reshape_like(
    lhs, rhs, lhs_begin=None, lhs_end=None, rhs_begin=None, rhs_end=None, out=None, name=None
):
    """A copy of lhs in the shape of rhs; with begins and ends, some dimensions of both."""
    need_arrays("reshape_like", lhs, rhs)
    left, right = _slice(lhs_begin, lhs_end), _slice(rhs_begin, rhs_end)
    return into(out, lhs.reshape(shape_like(lhs.shape, rhs.shape, left, right)))


def shape_array(data, out=None, name=None):
    """The shape as an array of int64."""
    need_arrays("shape_array", data)
    return into(out, array(data.shape, dtype="int64", ctx=data.ctx))


def slice(data, begin, end, step=None, out=None, name=None):
    """A copy of a part: from begin to end in steps, for each of the first axes."""
    need_arrays("slice", data)
    return into(out, data[part_key("slice", data.shape, begin, end, step)].copy())


def cast(data, dtype, out=None, name=None):
    """The elements as another type."""
    need_arrays("cast", data)
    return into(out, data.astype(dtype))


# ---- Places ------------------------------------------------------------------------------------


def arange_like(data, start=0.0, step=1.0, repeat=1, ctx=None, axis=None, out=None, name=None):
    """start, start + step, ... as many as data has elements, or its axis has."""
    need_arrays("arange_like", data)
    shape = data.shape if axis is None else (data.shape[axis],)
    count = data.size if axis is None else shape[0]
    made = arange(-(-count // repeat), dtype=data.dtype, ctx=data.ctx) * step + start
    if repeat != 1:
        made = made.repeat(repeat)[:count]
    return into(out, made.reshape(shape))


def gather_nd(data, indices, out=None, name=None):
    """Elements, or slices, at positions; a row of indices has those along one axis."""
    need_arrays("gather_nd", data, indices)
    return into(out, composed(_composed.gathered, data, indices))


def nonzero(a):
    """Places of the elements that are not 0, one row for each. Waits for a."""
    need_arrays("nonzero", a)
    a = a.reshape(1) if a.ndim == 0 else a
    return composed(_ops["nonzero"], a)


def topk(
    data, axis=-1, k=1, ret_typ="indices", is_ascend=False, dtype="float32", out=None, name=None
):
    """The k largest elements along the axis, or smallest if is_ascend; k = 0: all of them.

    ret_typ: 'indices', 'value', 'both' (values and indices), or 'mask' with 1 where they are.
    """
    need_arrays("topk", data)
    order = axis, k, ret_typ, bool(is_ascend), native_type(dtype)
    return into(out, composed(_composed.best, data, *order))


def constraint_check(x, msg="Constraint violated!"):
    """True if all elements are; waits, and raises ValueError with the text otherwise."""
    need_arrays("constraint_check", x)
    if x.dtype.kind != "b":
        raise MXNetTypeError(f"constraint_check: truth values are needed, not {x.dtype}")
    if not bool(composed(_ops["all"], x)):
        raise MXNetValueError(msg)
    return array(True, dtype="bool", ctx=x.ctx)


# ---- Files -------------------------------------------------------------------------------------


def _in_numpy_mode(what):
    if not (is_np_shape() and is_np_array()):
        raise MXNetValueError(f"{what}: arrays of mx.np need npx.set_np() before")


def save(file, arr):
    """Writes arrays, a list or a dict of them, to a .params file."""
    _in_numpy_mode("save")
    arrays = arr.values() if isinstance(arr, dict) else arr if isinstance(arr, list) else ()
    if not all(isinstance(one, ndarray) for one in arrays):
        raise TypeError("save: the arrays must be arrays of mx.np")
    saved(file, arr)


def load(file):
    """The arrays of a .params file: a list, or a dict by their names."""
    _in_numpy_mode("load")
    if not isinstance(file, str):
        raise TypeError(f"load: the name of a file is needed, not {file!r}")
    return loaded(_core._params_load, file, ndarray)
