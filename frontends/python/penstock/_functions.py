"""Functions of penstock that are made of operations of the table: all of them queue and return.

The functions of the table itself are in _core._functions; those about element types are in
_types.py, those that change shapes in _shapes.py, those about order in _order.py; this file has the
others and brings all together.
"""

from . import _core
from . import _order, _shapes, _types
from ._order import *  # noqa: F403
from ._shapes import *  # noqa: F403
from ._shapes import _integer, broadcast_shapes, moveaxis  # noqa: F401
from ._types import *  # noqa: F403
from ._types import __array_namespace_info__  # noqa: F401

__all__ = [
    *_order.__all__,
    *_shapes.__all__,
    *_types.__all__,
    "argwhere",
    "e",
    "empty_like",
    "flatnonzero",
    "full_like",
    "identity",
    "inf",
    "nan",
    "newaxis",
    "nonzero",
    "ones_like",
    "pi",
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
