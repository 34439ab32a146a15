"""Functions of penstock that are made of operations of the table: all of them queue and return.

The functions of the table itself are in _core._functions; those about element types are in
_types.py, those that change shapes in _shapes.py, those about order in _order.py; this file has the
others and brings all together.
"""

from . import _core
from . import _order, _shapes, _types
from ._order import *  # noqa: F403
from ._shapes import *  # noqa: F403
from ._shapes import _along, _axis, _integer, broadcast_shapes, moveaxis  # noqa: F401
from ._types import *  # noqa: F403
from ._types import __array_namespace_info__  # noqa: F401

__all__ = [
    *_order.__all__,
    *_shapes.__all__,
    *_types.__all__,
    "allclose",
    "argwhere",
    "around",
    "array_equal",
    "average",
    "count_nonzero",
    "diff",
    "e",
    "empty_like",
    "flatnonzero",
    "full_like",
    "identity",
    "inf",
    "isclose",
    "nan",
    "nan_to_num",
    "newaxis",
    "nonzero",
    "ones_like",
    "pi",
    "ptp",
    "round",
    "tensordot",
    "vdot",
    "where",
    "zeros_like",
]

e = 2.718281828459045
inf = float("inf")
nan = float("nan")
newaxis = None
pi = 3.141592653589793

asarray = _core.asarray
_ops = _core._ops
inner, outer, trace, vecdot = map(_ops.get, ("inner", "outer", "trace", "vecdot"))
take_along_axis = _ops["take_along_axis"]
_ndarray = _core.ndarray


# ---- Arrays like others ------------------------------------------------------------------------


def _like(x, operation, values, dtype, device):
    x = asarray(x)
    made = _ops[operation](
        x.shape, *values, x.dtype if dtype is None else dtype, device=device or x.device
    )
    return made if type(x) is _ndarray else made.as_subclass(type(x))


def empty_like(x, /, *, dtype=None, device=None):
    """An array of the same shape and type; its elements have no particular value.

    >>> ps.empty_like(ps.ones((2, 3))).shape
    (2, 3)
    """
    return _like(x, "empty", (), dtype, device)


def zeros_like(x, /, *, dtype=None, device=None):
    """An array of the same shape and type; all elements are 0.

    >>> ps.zeros_like(ps.array([1, 2]))
    array([0, 0])
    """
    return _like(x, "zeros", (), dtype, device)


def ones_like(x, /, *, dtype=None, device=None):
    """An array of the same shape and type; all elements are 1.

    >>> ps.ones_like(ps.array([5, 6]))
    array([1, 1])
    """
    return _like(x, "ones", (), dtype, device)


def full_like(x, /, fill_value, *, dtype=None, device=None):
    """An array of the same shape and type; all elements are the given number.

    >>> ps.full_like(ps.array([1, 2]), 7)
    array([7, 7])
    """
    return _like(x, "full", (fill_value,), dtype, device)


def identity(n, dtype=None):
    """A square matrix with 1 on the diagonal, else 0.

    >>> ps.identity(2)
    array([[1., 0.],
           [0., 1.]])
    """
    return _ops["eye"](n, dtype=dtype)


# ---- Choice and places -------------------------------------------------------------------------


def where(condition, x1=None, x2=None, /):
    """x1 where the condition is true, else x2; the condition alone gives the places, as nonzero.

    >>> x = ps.array([1.0, -2.0, 3.0])
    >>> ps.where(x > 0, x, 0)
    array([1., 0., 3.])
    """
    if x1 is None and x2 is None:
        return nonzero(condition)
    if x1 is None or x2 is None:
        raise TypeError("where: both x1 and x2 are needed, or none of them")
    return _ops["where"](condition, x1, x2)


def nonzero(x, /):
    """Places of the elements that are not 0: an array of positions for each axis. Waits for x.

    >>> ps.nonzero(ps.array([0, 5, 0, 7]))
    (array([1, 3]),)
    """
    x = asarray(x)
    if x.ndim == 0:
        raise ValueError("nonzero: an array without dimensions has no positions")
    places = _ops["nonzero"](x)
    return tuple(places[:, axis] for axis in range(x.ndim))


def argwhere(x, /):
    """Places of the elements that are not 0, one row for each. Waits for x.

    >>> ps.argwhere(ps.array([0, 5, 7]))
    array([[1],
           [2]])
    """
    return _ops["nonzero"](x)


def flatnonzero(x, /):
    """Places of the elements that are not 0 among all elements. Waits for x.

    >>> ps.flatnonzero(ps.array([[0, 5], [7, 0]]))
    array([1, 2])
    """
    return nonzero(asarray(x).ravel())[0]


def count_nonzero(x, /, *, axis=None, keepdims=False):
    """How many elements are not 0, over the axes.

    >>> ps.count_nonzero(ps.array([0, 5, 7]))
    array(2)
    """
    return _ops["sum"](_ops["not_equal"](x, False), axis, "int64", keepdims=keepdims)


# ---- Numbers -----------------------------------------------------------------------------------


def round(x, /, decimals=0, *, out=None):
    """Rounded to the nearest number with so many decimals, halves to the even one.

    >>> ps.round(ps.array([1.25, 2.5]))
    array([1., 2.])
    >>> ps.round(ps.array([1.23, 2.78]), 1)
    array([1.2, 2.8])
    """
    decimals = _integer("round: decimals", decimals)
    if not -308 <= decimals <= 308:  # powers of ten beyond that no element type has
        raise ValueError(f"round: decimals must be from -308 to 308, not {decimals}")
    if decimals == 0:
        return _ops["round"](x, out=out)
    x = asarray(x)
    if x.dtype.kind in "iu":
        rounded = x if decimals > 0 else _round_integers(x, 10**-decimals)
    else:
        scale = 10.0 ** abs(decimals)
        rounded = (
            _ops["round"](x * scale) / scale if decimals > 0 else _ops["round"](x / scale) * scale
        )
    return _ops["positive"](rounded, out=out)


def _round_integers(x, unit):
    """To a multiple of the unit; halves to the even multiple."""
    whole = x // unit
    rest = (x - whole * unit) * 2
    to_even = _ops["logical_and"](rest == unit, whole % 2 == 1)
    up = _ops["logical_or"](rest > unit, to_even)
    return _ops["where"](up, whole + 1, whole) * unit


around = round


def nan_to_num(x, /, nan=0.0, posinf=None, neginf=None):
    """x with numbers in the place of NaN and infinities: by default 0 and the type's limits.

    >>> ps.nan_to_num(ps.array([1.0, ps.nan]))
    array([1., 0.])
    """
    x = asarray(x)
    if x.dtype.kind != "f":
        return _ops["copy"](x)
    limits = _types.finfo(x.dtype)
    x = _ops["where"](_ops["isnan"](x), nan, x)
    x = _ops["where"](x == inf, limits.max if posinf is None else posinf, x)
    return _ops["where"](x == -inf, limits.min if neginf is None else neginf, x)


def diff(x, /, *, axis=-1, n=1, prepend=None, append=None):
    """Differences of neighbours along an axis, n times.

    >>> ps.diff(ps.array([1, 4, 9]))
    array([3, 5])
    """
    x = asarray(x)
    axis = _axis("diff", axis, x.ndim)
    n = _integer("diff: n", n)
    if n < 0:
        raise ValueError(f"diff: n must be at least 0, not {n}")
    if prepend is not None or append is not None:
        x = _ops["concatenate"]([p for p in (prepend, x, append) if p is not None], axis)
    operation = _ops["not_equal"] if x.dtype.kind == "b" else _ops["subtract"]
    for _ in range(min(n, x.shape[axis])):  # then nothing is left
        x = operation(x[_along(axis, slice(1, None))], x[_along(axis, slice(None, -1))])
    return x


def average(x, /, axis=None, weights=None, *, keepdims=False):
    """Mean over the axes; with weights, weighted by them.

    >>> ps.average(ps.array([1.0, 3.0]), weights=ps.array([3.0, 1.0]))
    array(1.5)
    """
    x = asarray(x)
    if weights is None:
        return _ops["mean"](x, axis, keepdims=keepdims)
    weights = asarray(weights)
    if weights.shape != x.shape:
        if not isinstance(axis, int) or weights.shape != (x.shape[axis],):
            raise ValueError(
                f"average: weights of shape {weights.shape} do not fit shape {x.shape}, axis {axis}"
            )
        weights = weights.reshape(_along_shape(axis, x.ndim))
        weights = _ops["broadcast_to"](weights, x.shape)
    total = _ops["sum"](x * weights, axis, keepdims=keepdims)
    return total / _ops["sum"](weights, axis, keepdims=keepdims)


def _along_shape(axis, ndim):
    shape = [1] * ndim
    shape[axis] = -1
    return shape


def ptp(x, /, axis=None, *, keepdims=False):
    """The largest element minus the smallest, over the axes.

    >>> ps.ptp(ps.array([3, 9, 5]))
    array(6)
    """
    return _ops["max"](x, axis, keepdims=keepdims) - _ops["min"](x, axis, keepdims=keepdims)


# ---- Comparison of whole arrays ------------------------------------------------------------------


def _inexact(x):
    x = asarray(x)
    return x if x.dtype.kind in "fc" else _ops["cast"](x, "float64")


def isclose(x1, x2, /, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Whether |x1 - x2| <= atol + rtol * |x2|, for each element.

    >>> ps.isclose(ps.array([1.0, 2.0]), ps.array([1.0, 2.1]))
    array([ True, False])
    """
    x1, x2 = _inexact(x1), _inexact(x2)
    near = _ops["abs"](x1 - x2) <= atol + rtol * _ops["abs"](x2)
    close = _ops["logical_or"](_ops["logical_and"](near, _ops["isfinite"](x2)), x1 == x2)
    if not equal_nan:
        return close
    both = _ops["logical_and"](_ops["isnan"](x1), _ops["isnan"](x2))
    return _ops["logical_or"](close, both)


def allclose(x1, x2, /, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Whether all elements are close: an array without dimensions, so that nothing waits.

    >>> bool(ps.allclose(ps.array([1.0]), ps.array([1.0 + 1e-7])))
    True
    """
    return _ops["all"](isclose(x1, x2, rtol, atol, equal_nan))


def array_equal(x1, x2, /):
    """Whether shapes and elements are the same: an array without dimensions.

    >>> bool(ps.array_equal(ps.ones(2), [1, 1]))
    True
    """
    x1, x2 = asarray(x1), asarray(x2)
    if x1.shape != x2.shape:
        return asarray(False)
    return _ops["all"](x1 == x2)


# ---- Products ----------------------------------------------------------------------------------


def tensordot(x1, x2, /, axes=2):
    """Sum of products over axes of both: the last `axes` of x1 and first of x2, or two lists.

    >>> ps.tensordot(ps.ones((2, 3, 4)), ps.ones((3, 4, 5))).shape
    (2, 5)
    """
    x1, x2 = asarray(x1), asarray(x2)
    if isinstance(axes, (tuple, list)):
        first, second = (one if isinstance(one, (tuple, list)) else (one,) for one in axes)
    else:
        count = _integer("tensordot: axes", axes)
        if not 0 <= count <= min(x1.ndim, x2.ndim):
            raise ValueError(
                f"tensordot: {count} axes cannot be taken of shapes {x1.shape} and {x2.shape}"
            )
        first, second = range(x1.ndim - count, x1.ndim), range(count)
    return _ops["tensordot"](x1, x2, tuple(first), tuple(second))


def vdot(x1, x2, /):
    """Sum of products over all elements; of complex numbers x1 is conjugated.

    >>> float(ps.vdot(ps.ones((2, 2)), ps.ones((2, 2))))
    4.0
    """
    return vecdot(asarray(x1).ravel(), asarray(x2).ravel())
