"""Products of arrays."""

from ... import _core
from ... import _functions as _native
from .._np_array import native_dtype
from ..base import MXNetTypeError
from ._table import composed, into, need_arrays, op

__all__ = [
    "dot",
    "einsum",
    "inner",
    "matmul",
    "outer",
    "polyval",
    "tensordot",
    "trace",
    "vdot",
]

_ops = _core._ops

_dot = op("dot", "dot", "a:x1, b:x2, out=None", arrays=True)
# The same for two matrices, and quicker.
dot = op("matmul", "dot", "a:x1, b:x2, out=None", arrays=True, ndim=2, unusual=_dot)
matmul = op("matmul", "matmul", "a:x1, b:x2, out=None", arrays=True)


def tensordot(a, b, axes=2):
    """Sum of products over axes of both: the last of a and first of b, or two lists."""
    need_arrays("tensordot", a, b)
    return composed(_native.tensordot, a, b, axes)


def inner(a, b):
    """Sum of products over the last axis of both."""
    need_arrays("inner", a, b)
    return composed(_native.inner, a, b)


def outer(a, b):
    """All products of an element of a and one of b, as a matrix."""
    need_arrays("outer", a, b)
    return composed(_native.outer, a, b)


def vdot(a, b):
    """Sum of products over all elements."""
    need_arrays("vdot", a, b)
    return composed(_native.vdot, a, b)


def trace(a, offset=0, axis1=0, axis2=1, out=None):
    """Sum of a diagonal of two axes."""
    need_arrays("trace", a)
    dtype = None if native_dtype(a).kind == "b" else native_dtype(a)
    return into(out, composed(_native.trace, a, offset, axis1, axis2, dtype))


def polyval(p, x):
    """A polynomial with the coefficients p, the highest power first, at x."""
    need_arrays("polyval", p, x)
    if p.dtype != x.dtype:
        raise MXNetTypeError(f"polyval: the types {p.dtype} and {x.dtype} differ")
    return composed(_horner, p, x)


def _horner(p, x):
    total = _ops["zeros"](x.shape, x.dtype)
    for place in range(p.shape[0]):
        total = total * x + p[place]
    return total


# ---- Sums of products by letters ---------------------------------------------------------------


def einsum(*operands, **kwargs):
    """Sums of products by Einstein's notation.

    >>> mx.np.einsum('ij,kj->ik', mx.np.ones((2, 3)), mx.np.ones((4, 3))).shape
    (2, 4)
    """
    out = kwargs.pop("out", None)
    kwargs.pop("optimize", None)
    if kwargs:
        raise MXNetTypeError(f"einsum: unknown arguments {sorted(kwargs)}")
    if not operands or not isinstance(operands[0], str):
        raise MXNetTypeError("einsum: the letters of the axes come first, as a str")
    text, *arrays = operands
    need_arrays("einsum", *arrays)
    from ._einsum import summed

    return into(out, composed(summed, text.replace(" ", ""), *arrays))
