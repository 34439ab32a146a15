"""Products of matrices and vectors. Types do not promote in a product."""

from ._calls import both, public, refuse
from ._dialect import row
from ._tensor import Tensor

__all__ = []
_PLAIN = "x:x1, y:x2, transpose_x:transpose1=False, transpose_y:transpose2=False"
_matmul = row("matmul", "matmul", _PLAIN, arrays=True)
_vecdot = row("vecdot", "dot", "x:x1, y:x2", arrays=True)


def _check_second(name, y):
    if not isinstance(y, Tensor):
        refuse(name, "y", 1, "Tensor", y)


@public
def _any_matmul(x, y, transpose_x=False, transpose_y=False):
    _check_second("matmul", y)
    return _matmul(x, y, bool(transpose_x) and x.ndim > 1, bool(transpose_y) and y.ndim > 1)


_any_matmul.__wrapped__.__name__ = "matmul"
matmul = row("matmul", "matmul", "x:x1, y:x2", arrays=True, unusual=_any_matmul)


@public
def _any_mm(input, mat2):
    return _any_matmul(input, mat2)


_any_mm.__wrapped__.__name__ = "mm"
mm = row("matmul", "mm", "input:x1, mat2:x2", arrays=True, unusual=_any_mm)


@public
def _any_dot(x, y):
    _check_second("dot", y)
    if x.shape != y.shape or x.ndim not in (1, 2):
        raise RuntimeError(
            f"(PreconditionNotMet) ShapeError: dot takes two tensors of one shape with 1 or 2 "
            f"dimensions, not {list(x.shape)} and {list(y.shape)}"
        )
    return _vecdot(x.conj() if x.dtype.is_complex else x, y)  # which conjugates the first


_any_dot.__wrapped__.__name__ = "dot"
_DOT = {"signature": "x:x1, y:x2", "arrays": True, "alike": True, "kinds": "iuf"}
_dot_rows = row("vecdot", "dot", ndim=2, unusual=_any_dot, **_DOT)
dot = row("matmul", "dot", ndim=1, unusual=_dot_rows, **_DOT)


@public
def bmm(x, y):
    """Products of the matrices of two batches of one size."""
    _check_second("bmm", y)
    for name, one in (("X", x), ("Y", y)):
        if one.ndim != 3:
            raise ValueError(
                f"(InvalidArgument) Input({name}) of BmmOp must be 3-dimensional, but received "
                f"{name}'s shape: {list(one.shape)}"
            )
    if x.shape[0] != y.shape[0]:
        raise ValueError(
            f"(InvalidArgument) Input(X) and Input(Y) must have the same batch size in BmmOp: "
            f"{list(x.shape)} and {list(y.shape)}"
        )
    return _matmul(x, y)


@public
def mv(x, vec):
    """A matrix times a vector."""
    _check_second("mv", vec)
    if x.ndim != 2 or vec.ndim != 1:
        raise ValueError(
            f"(InvalidArgument) mv takes a matrix and a vector, not {list(x.shape)} and "
            f"{list(vec.shape)}"
        )
    return _matmul(x, vec)


_outer = row("outer", "outer", "x:x1, y:x2", arrays=True)
_inner = row("inner", "inner", "x:x1, y:x2", arrays=True)
_kron = row("kron", "kron", "x:x1, y:x2", arrays=True)
_cross = row("cross", "cross", "x:x1, y:x2, axis=-1", arrays=True)
_tensordot = row("tensordot", "tensordot", "x:x1, y:x2, axes1, axes2", arrays=True)


@public
def outer(x, y):
    """All products of an element of x and one of y."""
    return _outer(x.reshape([-1]), y.reshape([-1]))


@public
def inner(x, y):
    """Sums of products over the last dimension of both; the product where one has one element."""
    if 1 in (x.size, y.size):
        return x * y
    return _inner(x, y)


@public
def kron(x, y):
    """The Kronecker product."""
    return _kron(x, y)


@public
def cross(x, y, axis=9):
    """The cross product of vectors of length 3 along an axis, the first of that length."""
    if axis == 9:
        lengths = list(x.shape)
        if 3 not in lengths:
            raise ValueError(f"(InvalidArgument) no axis of {lengths} has the length 3")
        axis = lengths.index(3)
    return _cross(x, y, axis)


@public
def tensordot(x, y, axes=2):
    """Sums of products over the last axes of x and the first of y, or over those given."""
    if isinstance(axes, int):
        return _tensordot(x, y, tuple(range(x.ndim - axes, x.ndim)), tuple(range(axes)))
    first, second = axes if len(axes) == 2 and not isinstance(axes[0], int) else (axes, axes)
    return _tensordot(x, y, tuple(first), tuple(second))


@public
def addmm(input, x, y, alpha=1.0, beta=1.0):
    """beta * input + alpha * (x @ y)."""
    if input.ndim == 2 and x.ndim == 2 and input.shape[0] not in (1, x.shape[0]):
        raise ValueError(
            f"addmm: input has {input.shape[0]} rows, but x has {x.shape[0]}"
        )
    return beta * input + alpha * _matmul(x, y)


@public
def dist(x, y, p=2):
    """The norm of the difference."""
    from ._reduce import norm

    return norm(x - y, p)


both("matmul mm dot bmm mv outer inner kron cross tensordot addmm dist", globals(), __all__)
