"""Linear algebra: products and norms.

>>> float(ps.linalg.norm(ps.array([3.0, 4.0])))
5.0
"""

from . import _core
from ._functions import asarray, matrix_transpose, moveaxis, tensordot
from ._functions import outer as _outer

__all__ = [
    "diagonal",
    "matrix_norm",
    "matrix_transpose",
    "norm",
    "outer",
    "tensordot",
    "trace",
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
    return _ops["diagonal"](x, offset, -2, -1)


def trace(x, /, *, offset=0, dtype=None):
    """The sum of a diagonal of the last two dimensions.

    >>> ps.linalg.trace(ps.ones((5, 3, 3))).shape
    (5,)
    """
    return _ops["trace"](x, offset, -2, -1, dtype)


# ---- Norms -------------------------------------------------------------------------------------


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """A norm of the matrices in the last two dimensions: 'fro', 1, -1, inf or -inf.

    >>> float(ps.linalg.matrix_norm(ps.ones((2, 2))))
    2.0
    """
    if isinstance(ord, str) and ord != "fro":
        raise ValueError(f"matrix_norm: ord must be 'fro', 1, -1, inf or -inf, not {ord!r}")
    return _ops["matrix_norm"](x, None if ord == "fro" else ord, keepdims)


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
        if not isinstance(ord, (int, float)):
            raise ValueError(f"norm: ord must be a number, not {ord!r}")
        return _ops["vector_norm"](x, axis=axes[0], keepdims=keepdims, ord=ord)
    result = matrix_norm(moveaxis(x, axes, (-2, -1)), keepdims=keepdims, ord=ord)
    return moveaxis(result, (-2, -1), axes) if keepdims else result
