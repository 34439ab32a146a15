"""Linear algebra: products and norms."""

# Made by tools/python_stubs.py (make generate); do not edit.

from builtins import bool as _bool
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ._core import (
    _ArrayLike as _ArrayLike,
    _DTypeLike as _DTypeLike,
    _Ints as _Ints,
    ndarray as ndarray,
)

__all__ = [
    "cross",
    "diagonal",
    "matmul",
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

def cross(x1: _ArrayLike, x2: _ArrayLike, /, *, axis: SupportsIndex = -1) -> ndarray:
    """The cross product of vectors of length 3 along an axis."""
def diagonal(x: _ArrayLike, /, *, offset: SupportsIndex = 0) -> ndarray:
    """A diagonal of the last two dimensions."""
def matmul(
    x1: _ArrayLike,
    x2: _ArrayLike,
    /,
    *,
    transpose1: _bool = False,
    transpose2: _bool = False,
    bias: _ArrayLike | None = None,
    activation: str | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Matrix product of the last two dimensions, the others broadcast; then bias is added and the activation (relu) applied."""
def matrix_norm(
    x: _ArrayLike,
    /,
    *,
    keepdims: _bool = False,
    ord: float | str = 'fro',
) -> ndarray:
    """A norm of the matrices in the last two dimensions: 'fro', 1, -1, inf or -inf."""
def matrix_power(x: _ArrayLike, n: SupportsIndex, /) -> ndarray:
    """The product of so many copies of the square matrices in the last two dimensions."""
def matrix_transpose(x: _ArrayLike, /) -> ndarray:
    """A view with the last two dimensions swapped."""
def norm(
    x: _ArrayLike,
    /,
    ord: float | str | None = None,
    axis: _Ints | None = None,
    keepdims: _bool = False,
) -> ndarray:
    """A norm as in NumPy: of vectors for one axis, of matrices for two, else of all elements."""
def outer(x1: _ArrayLike, x2: _ArrayLike, /) -> ndarray:
    """All products of an element of x1 and one of x2, both of one dimension."""
def tensordot(
    x1: _ArrayLike,
    x2: _ArrayLike,
    /,
    axes: SupportsIndex | Sequence[_Ints] = 2,
) -> ndarray:
    """Sum of products over axes of both: the last `axes` of x1 and first of x2, or two lists."""
def trace(
    x: _ArrayLike,
    /,
    *,
    offset: SupportsIndex = 0,
    dtype: _DTypeLike | None = None,
) -> ndarray:
    """The sum of a diagonal of the last two dimensions."""
def vecdot(x1: _ArrayLike, x2: _ArrayLike, /, *, axis: SupportsIndex = -1) -> ndarray:
    """Sum of products over one axis, the others broadcast; of complex numbers x1 is conjugated."""
def vector_norm(
    x: _ArrayLike,
    /,
    *,
    axis: _Ints | None = None,
    keepdims: _bool = False,
    ord: float = 2.0,
) -> ndarray:
    """The norm of an order over the axes: the sum of the absolute values to that power, to the power of one over it; for 0 how many are not 0, for inf the largest, for -inf the smallest."""
