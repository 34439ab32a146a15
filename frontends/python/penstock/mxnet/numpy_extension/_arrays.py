"""Functions of shapes, places and files that NumPy does not have."""

from ... import _core
from .. import _composed
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
    given = (newshape,) if isinstance(newshape, int) else tuple(newshape)
    if reverse:
        shape = _resolved(a.shape[::-1], _turned(given))[::-1]
    else:
        shape = _resolved(a.shape, given)
    return a.reshape(shape)


def _turned(codes):
    """The codes from the right; -6 still comes before its two lengths, which are turned too."""
    groups, place = [], 0
    while place < len(codes):
        width = 3 if codes[place] == -6 else 1
        group = codes[place : place + width]
        groups.append((group[0], *reversed(group[1:])))
        place += width
    return tuple(code for group in reversed(groups) for code in group)


class _Source:
    """The dimensions that are left."""

    def __init__(self, shape):
        self.shape, self.place = shape, 0

    def next(self):
        if self.place == len(self.shape):
            raise MXNetValueError(f"reshape: shape {self.shape} has too few dimensions")
        self.place += 1
        return self.shape[self.place - 1]

    def rest(self):
        rest, self.place = self.shape[self.place :], len(self.shape)
        return rest


def _resolved(source, codes):
    """The lengths that the codes mean; one may be -1."""
    left, made, codes = _Source(source), [], list(codes)
    while codes:
        code = codes.pop(0)
        if code < -6:
            raise MXNetValueError(f"reshape: codes go from -1 to -6; there is no {code}")
        if code == -2:
            made.append(left.next())
        elif code == -3:
            _check_one(left.next())
        elif code == -4:
            made += left.rest()
        elif code == -5:
            made.append(left.next() * left.next())
        elif code == -6:
            made += _divided(left.next(), codes)
        else:
            made.append(code)
            left.place += left.place < len(source)
    return tuple(made)


def _check_one(length):
    if length != 1:
        raise MXNetValueError(f"reshape: -3 leaves out dimensions of length 1, not of {length}")


def _divided(length, codes):
    """One length as two; one of them may be -1."""
    if len(codes) < 2:
        raise MXNetValueError("reshape: two lengths must follow -6")
    first, second = codes.pop(0), codes.pop(0)
    if first == -1 and second > 0:
        first = length // second
    elif second == -1 and first > 0:
        second = length // first
    if first * second != length:
        raise MXNetValueError(f"reshape: {length} is not {first} times {second}")
    return first, second


def reshape_like(
    lhs, rhs, lhs_begin=None, lhs_end=None, rhs_begin=None, rhs_end=None, out=None, name=None
):
    """A copy of lhs in the shape of rhs; with begins and ends, some dimensions of both."""
    need_arrays("reshape_like", lhs, rhs)
    left, right = list(lhs.shape), rhs.shape
    left[_slice(lhs_begin, lhs_end)] = right[_slice(rhs_begin, rhs_end)]
    return into(out, lhs.reshape(tuple(left)))


def shape_array(data, out=None, name=None):
    """The shape as an array of int64."""
    need_arrays("shape_array", data)
    return into(out, array(data.shape, dtype="int64", ctx=data.ctx))


def slice(data, begin, end, step=None, out=None, name=None):
    """A copy of a part: from begin to end in steps, for each of the first axes."""
    need_arrays("slice", data)
    begin, end = _listed(begin), _listed(end)
    step = [None] * len(begin) if step is None else _listed(step)
    if not len(begin) == len(end) == len(step) <= data.ndim:
        raise MXNetValueError(f"slice: begin, end, step do not fit: {begin}, {end}, {step}")
    return into(out, data[tuple(map(_slice, begin, end, step))].copy())


def _listed(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


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
