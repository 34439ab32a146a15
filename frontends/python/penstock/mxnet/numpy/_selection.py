"""Choosing elements: by conditions, places and order."""

from ... import _core
from ... import _functions as _native
from ... import _order
from ..._shapes import _axis
from .._composed import bound, bounded, ordered, unraveled
from .._np_array import native_dtype
from ..base import MXNetTypeError, MXNetValueError
from ._table import composed, into, ndarray, need_arrays, of_numpy, op

__all__ = [
    "around",
    "argsort",
    "argwhere",
    "clip",
    "count_nonzero",
    "diag_indices_from",
    "diff",
    "ediff1d",
    "flatnonzero",
    "nan_to_num",
    "nonzero",
    "round",
    "round_",
    "sort",
    "take",
    "take_along_axis",
    "unique",
    "unravel_index",
    "where",
]

_ops = _core._ops

_where = op("where", "where", "condition, x:x1, y:x2")
_clip = op("clip", "clip", "a:x, min=None, max=None, out=None")
_take = op("take", "take", "a:x, indices, axis=None, out=None")


def where(condition, x=None, y=None):
    """x where the condition is true, else y; the condition alone gives the places, as nonzero."""
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise MXNetTypeError("where: both x and y are needed, or none of them")
    if isinstance(condition, (list, tuple)):
        need_arrays("where", condition)
    if not isinstance(x, ndarray) and not isinstance(y, ndarray):
        from ._creation import full

        x = full((), x, "float32")
    return _where(condition, _beside(y, x), _beside(x, y))


def _beside(array, value):
    """A number beside an array: cut where that has integers or truth values."""
    if isinstance(value, (int, float)) and isinstance(array, ndarray):
        kind = native_dtype(array).kind
        return int(value) if kind in "iu" else bool(value) if kind == "b" else value
    return value


def clip(a, a_min, a_max, out=None):
    """The elements, but at least a_min and at most a_max; one of them may be None."""
    if not isinstance(a, ndarray):
        return of_numpy("clip")(a, a_min, a_max)
    if a_min is None and a_max is None:
        raise MXNetValueError("clip: a_min or a_max is needed")
    dtype = native_dtype(a)
    return _clip(a, bound(dtype, a_min), bound(dtype, a_max), out)


def round(x, decimals=0, out=None):
    """Rounded to the nearest number with so many decimals, halves to the even one."""
    if not isinstance(x, ndarray):
        return of_numpy("around")(x, decimals)
    return composed(_ops["round_to"], x, decimals) if out is None else into(out, round(x, decimals))


around = round_ = round


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None, **kwargs):
    """x with numbers in the place of NaN and infinities; x itself is changed if copy is False."""
    if not isinstance(x, ndarray):
        return of_numpy("nan_to_num")(x, copy, nan, posinf, neginf)
    if native_dtype(x).kind != "f":
        return x
    result = composed(_ops["nan_to_num"], x, nan, posinf, neginf)
    return result if copy else into(x, result)


def diff(a, n=1, axis=-1, prepend=None, append=None):
    """Differences of neighbours along an axis, n times."""
    need_arrays("diff", a)
    if prepend is not None or append is not None:
        raise NotImplementedError("diff: prepend and append must be None")
    return composed(_ops["diff"], a, n=n, axis=axis)


def ediff1d(ary, to_end=None, to_begin=None):
    """Differences of neighbours among all elements, with numbers before and after them."""
    from ._creation import array
    from ._shapes import concatenate

    need_arrays("ediff1d", ary)
    parts = [composed(_ops["diff"], ary.reshape(-1))]
    for place, extra in ((0, to_begin), (len(parts) + 1, to_end)):
        if extra is not None:
            extra = extra if isinstance(extra, ndarray) else array(extra)
            parts.insert(place, extra.reshape(-1).astype(ary.dtype))
    return concatenate(parts)


# ---- Places ------------------------------------------------------------------------------------


def nonzero(a):
    """Places of the elements that are not 0: an array of positions for each axis. Waits for a."""
    need_arrays("nonzero", a)
    a = a.reshape(1) if a.ndim == 0 else a
    return tuple(part.copy() for part in composed(_native.nonzero, a))


def argwhere(a):
    """Places of the elements that are not 0, one row for each. Waits for a."""
    need_arrays("argwhere", a)
    return composed(_ops["nonzero"], a)


def flatnonzero(a):
    """Places of the elements that are not 0 among all elements. Waits for a."""
    need_arrays("flatnonzero", a)
    return composed(_native.flatnonzero, a)


def count_nonzero(a, axis=None, *, keepdims=False):
    """How many elements are not 0: a number, or an array over the axes."""
    need_arrays("count_nonzero", a)
    result = composed(_ops["count_nonzero"], a, axis=axis, keepdims=keepdims)
    return result.item() if axis is None and not keepdims else result


def diag_indices_from(arr):
    """Positions of the diagonal, for each axis."""
    from ._creation import arange

    need_arrays("diag_indices_from", arr)
    if arr.ndim < 2 or len(set(arr.shape)) != 1:
        raise MXNetValueError(f"diag_indices_from: equal lengths are needed, not {arr.shape}")
    return tuple(arange(arr.shape[0], dtype="int64") for _ in range(arr.ndim))


def unravel_index(indices, shape, order="C"):
    """Positions along each axis of places among all elements."""
    if order != "C":
        raise NotImplementedError(f"unravel_index: order must be 'C', not {order!r}")
    if not isinstance(indices, ndarray):
        return of_numpy("unravel_index")(indices, shape)
    return composed(unraveled, indices, shape)


# ---- Elements at places ------------------------------------------------------------------------


def take(a, indices, axis=None, mode="raise", out=None):
    """Elements, or slices along the axis, at integer places.

    mode: 'raise' where a place is out of range, 'clip' or 'wrap'.
    """
    need_arrays("take", a, indices)
    if mode not in ("raise", "clip", "wrap"):
        raise NotImplementedError(f"take: mode must be 'raise', 'clip' or 'wrap', not {mode!r}")
    length = a.size if axis is None else a.shape[_axis("take", axis, a.ndim)]
    return _take(a, composed(bounded, indices, length, mode), axis, out)


def take_along_axis(arr, indices, axis):
    """Elements at places that are given for each slice along the axis."""
    need_arrays("take_along_axis", arr, indices)
    if axis is None:
        arr, indices, axis = arr.reshape(-1), indices.reshape(-1), 0
    return composed(_native.take_along_axis, arr, indices, axis)


# ---- Order -------------------------------------------------------------------------------------


def _ordered(operation, a, axis, order):
    need_arrays(operation, a)
    if order is not None:
        raise NotImplementedError(f"{operation}: order must be None, not {order!r}")
    return composed(ordered, operation, a, axis)


def sort(a, axis=-1, kind=None, order=None):
    """A copy in ascending order along the axis; with None, of all elements."""
    return _ordered("sort", a, axis, order)


def argsort(a, axis=-1, kind=None, order=None):
    """The places that would bring the elements into ascending order."""
    return _ordered("argsort", a, axis, order)


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None):
    """The different elements in ascending order; where they are first, which they are, how many.

    Waits for the array.
    """
    need_arrays("unique", ar)
    if axis is not None:
        from ._by_numpy import by_numpy

        return by_numpy("unique")(ar, return_index, return_inverse, return_counts, axis)
    ar = ar.reshape(-1)
    return composed(_order.unique, ar, return_index, return_inverse, return_counts)
