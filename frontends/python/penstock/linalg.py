"""Linear algebra: products and norms.

>>> float(ps.linalg.norm(ps.array([3.0, 4.0])))
5.0
"""

from . import _core
from ._functions import asarray, matrix_transpose, moveaxis, tensordot, vecdot
from ._functions import diagonal as _diagonal, outer as _outer
from ._shapes import _integer

__all__ = [
    "cross",
    "diagonal",
    "matrix_norm",
    "matrix_power",
    "matrix_transpose",
    "norm",
    "outer",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]

# Names of the array API standard and of NumPy that need operations which the table does not have.
NOT_BUILT = (
    "cholesky",
    "det",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "lstsq",
    "matrix_rank",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
)

_ops = _core._ops
globals().update(_core._linalg)
__all__ += _core._linalg


def __dir__():
    return __all__


def __getattr__(name):
    if name in NOT_BUILT:
        raise AttributeError(
            f"penstock.linalg has no {name}: the table of operations has no factorisations yet"
        )
    raise AttributeError(f"module 'penstock.linalg' has no attribute {name!r}")


def outer(x1, x2, /):
    """All products of an element of x1 and one of x2, both of one dimension.

    >>> ps.linalg.outer(ps.array([1, 2]), ps.array([3, 4]))
    array([[3, 4],
           [6, 8]])
    """
    x1, x2 = asarray(x1), asarray(x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"outer: one dimension is needed, not shapes {x1.shape} and {x2.shape}")
    return _outer(x1, x2)


def diagonal(x, /, *, offset=0):
    """A diagonal of the last two dimensions.

    >>> ps.linalg.diagonal(ps.ones((5, 2, 3))).shape
    (5, 2)
    """
    return _diagonal(x, offset, -2, -1)


def trace(x, /, *, offset=0, dtype=None):
    """The sum of a diagonal of the last two dimensions.

    >>> ps.linalg.trace(ps.ones((5, 3, 3))).shape
    (5,)
    """
    return _ops["sum"](diagonal(x, offset=offset), -1, dtype)


def cross(x1, x2, /, *, axis=-1):
    """The cross product of vectors of length 3 along an axis.

    >>> ps.linalg.cross(ps.array([1, 0, 0]), ps.array([0, 1, 0]))
    array([0, 0, 1])
    """
    a, b = moveaxis(x1, axis, -1), moveaxis(x2, axis, -1)
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise ValueError(
            f"cross: length 3 is needed along the axis, not {a.shape[-1]}, {b.shape[-1]}"
        )
    parts = [a[..., i] * b[..., j] - a[..., j] * b[..., i] for i, j in ((1, 2), (2, 0), (0, 1))]
    return moveaxis(_ops["stack"](parts, -1), -1, axis)


def matrix_power(x, n, /):
    """The product of n copies of a square matrix; n is at least 0.

    >>> ps.linalg.matrix_power(ps.array([[1.0, 1.0], [0.0, 1.0]]), 3)
    array([[1., 3.],
           [0., 1.]])
    """
    x, n = asarray(x), _integer("matrix_power: the power", n)
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"matrix_power: square matrices are needed, not shape {x.shape}")
    if n < 0:
        raise ValueError(
            f"matrix_power: the power must be at least 0, not {n}: there is no inv yet"
        )
    result = None
    while n:
        if n & 1:
            result = x if result is None else result @ x
        n >>= 1
        x = x @ x if n else x
    if result is None:
        eye = _ops["eye"](x.shape[-1], dtype=x.dtype)
        return _ops["copy"](_ops["broadcast_to"](eye, x.shape))
    return result


# ---- Norms -------------------------------------------------------------------------------------

_INF = float("inf")


def _magnitudes(x):
    x = asarray(x)
    return _ops["abs"](x if x.dtype.kind in "fc" else _ops["cast"](x, "float32"))


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """The norm of order `ord` of all elements, or over the axes.

    >>> float(ps.linalg.vector_norm(ps.array([3.0, -4.0]), ord=1))
    7.0
    """
    if ord == 2:
        return _ops["norm"](x, axis, keepdims)
    x = _magnitudes(x)
    if ord == 0:
        return _ops["sum"](x != 0, axis, x.dtype, keepdims=keepdims)
    if ord == 1:
        return _ops["sum"](x, axis, keepdims=keepdims)
    if ord == _INF or ord == -_INF:
        return _ops["max" if ord > 0 else "min"](x, axis, keepdims=keepdims)
    if not isinstance(ord, (int, float)):
        raise ValueError(f"vector_norm: ord must be a number, not {ord!r}")
    return _ops["sum"](x**ord, axis, keepdims=keepdims) ** (1 / ord)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """A norm of the matrices in the last two dimensions: 'fro', 1, -1, inf or -inf.

    >>> float(ps.linalg.matrix_norm(ps.ones((2, 2))))
    2.0
    """
    x = asarray(x)
    if x.ndim < 2:
        raise ValueError(f"matrix_norm: two dimensions or more are needed, not {x.ndim}")
    if ord == "fro":
        return _ops["norm"](x, (-2, -1), keepdims)
    if ord not in (1, -1, _INF, -_INF):
        raise ValueError(
            f"matrix_norm: ord must be 'fro', 1, -1, inf or -inf, not {ord!r}: others need "
            "singular values, which there are not yet"
        )
    axis = -2 if ord in (1, -1) else -1
    sums = _ops["sum"](_magnitudes(x), axis, keepdims=True)
    result = _ops["max" if ord > 0 else "min"](sums, (-2, -1), keepdims=True)
    return result if keepdims else _ops["squeeze"](result, (-2, -1))


def norm(x, /, ord=None, axis=None, keepdims=False):
    """A norm as in NumPy: of vectors for one axis, of matrices for two, else of all elements.

    >>> ps.linalg.norm(ps.array([[3.0, 4.0], [6.0, 8.0]]), axis=1)
    array([ 5., 10.])
    """
    x = asarray(x)
    if ord is None:
        return _ops["norm"](x, axis, keepdims)
    if axis is None and x.ndim in (1, 2):
        axis = tuple(range(x.ndim))
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    if axis is None or len(axes) > 2:
        raise ValueError(f"norm: ord {ord!r} needs one or two axes; x has {x.ndim} dimensions")
    if len(axes) == 1:
        return vector_norm(x, axis=axes[0], keepdims=keepdims, ord=ord)
    result = matrix_norm(moveaxis(x, axes, (-2, -1)), keepdims=keepdims, ord=ord)
    return moveaxis(result, (-2, -1), axes) if keepdims else result
