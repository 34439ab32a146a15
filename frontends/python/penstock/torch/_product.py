"""Products of matrices and vectors. Nothing promotes in a product."""

from ._attach import both
from ._dialect import row
from ._tensor import Tensor

__all__ = []

_SIGNATURE = "input:x1, other:x2, *, out=None"


def _of_rank(name, operation, signature, ndim, explain):
    """A product of tensors with so many dimensions each; others are explained."""
    run = row(operation, name, signature, arrays=True)

    def unusual(*args, **kwargs):
        names = [part.partition(":")[0] for part in signature.split(", ")[:2]]
        two = dict(zip(names, args), **kwargs)
        for at, which in enumerate(names):
            if not isinstance(two.get(which), Tensor):
                raise TypeError(
                    f"{name}(): argument '{which}' (position {at + 1}) must be Tensor, not "
                    f"{type(two.get(which)).__name__}"
                )
        explain(two[names[0]], two[names[1]])
        return run(*args, **kwargs)

    return row(operation, name, signature, arrays=True, ndim=ndim, unusual=unusual)


def _explain_mm(a, b):
    for name, one in (("self", a), ("mat2", b)):
        if one.ndim != 2:
            raise RuntimeError(f"mm: {name} must be a matrix, got {one.ndim}-D tensor")


def _explain_bmm(a, b):
    for name, one in (("batch1", a), ("batch2", b)):
        if one.ndim != 3:
            raise RuntimeError(f"bmm: {name} must be a 3D tensor, got {one.ndim}-D tensor")
    if a.shape[0] != b.shape[0]:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{a.shape[0]}, "
            f"{a.shape[2]}] but got: [{b.shape[0]}, {b.shape[1]}]."
        )


def _explain_dot(a, b):
    if a.ndim != 1 or b.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {a.ndim}D and {b.ndim}D tensors")


def _explain_mv(a, b):
    if a.ndim != 2 or b.ndim != 1:
        raise RuntimeError(
            f"vector + matrix @ vector expected, got 1, {a.ndim}, {b.ndim} dimensions"
        )
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({a.shape[0]}), mat ({a.shape[0]}x{a.shape[1]}), vec "
            f"({b.shape[0]})"
        )


mm = _of_rank("mm", "matmul", "input:x1, mat2:x2, *, out=None", 2, _explain_mm)
dot = _of_rank("dot", "matmul", "input:x1, tensor:x2, *, out=None", 1, _explain_dot)
_bmm = row("matmul", "bmm", "input:x1, mat2:x2, *, out=None", arrays=True, ndim=3)
_mv = row("matmul", "mv", "input:x1, vec:x2, *, out=None", arrays=True)


def bmm(input, mat2, *, out=None):
    """Products of the matrices of two batches."""
    if not isinstance(input, Tensor) or not isinstance(mat2, Tensor):
        raise TypeError("bmm(): both arguments must be Tensors")
    _explain_bmm(input, mat2)
    return _bmm(input, mat2, out=out)


def mv(input, vec, *, out=None):
    """A matrix times a vector."""
    if not isinstance(input, Tensor) or not isinstance(vec, Tensor):
        raise TypeError("mv(): both arguments must be Tensors")
    _explain_mv(input, vec)
    return _mv(input, vec, out=out)


matmul = row("matmul", "matmul", _SIGNATURE, arrays=True)
inner = row("inner", "inner", "input:x1, other:x2", arrays=True)
_outer = row("outer", "outer", "input:x1, vec2:x2", arrays=True)
kron = row("kron", "kron", "input:x1, other:x2", arrays=True)
_tensordot = row("tensordot", "tensordot", "a:x1, b:x2, first:axes1, second:axes2", arrays=True)
_cross = row("cross", "cross", "input:x1, other:x2, *, dim:axis=-1", arrays=True)
_trace = row("trace", "trace", "input:x", arrays=True)


def outer(input, vec2):
    """The products of all elements of one vector with all of another."""
    if input.ndim != 1 or vec2.ndim != 1:
        raise RuntimeError(
            f"outer: Expected 1-D arguments, but got {input.ndim}-D and {vec2.ndim}-D"
        )
    return input.unsqueeze(1) * vec2


ger = outer


def vdot(input, other):
    """The sum of products of two vectors; the first is conjugated."""
    _explain_dot(input, other)
    return dot(input.conj() if input.dtype.is_complex else input, other)


def tensordot(a, b, dims=2):
    """Sums of products over the last `dims` of a and the first of b, or over two lists."""
    if isinstance(dims, int):
        if not 0 <= dims <= min(a.ndim, b.ndim):
            raise RuntimeError(f"tensordot: {dims} dimensions cannot be taken of {a.shape} and {b.shape}")
        first, second = range(a.ndim - dims, a.ndim), range(dims)
    else:
        first, second = ((one,) if isinstance(one, int) else one for one in dims)
    return _tensordot(a, b, tuple(first), tuple(second))


def cross(input, other, dim=None):
    """Vector products along a dimension of length 3."""
    if dim is None:
        dim = next((at for at, length in enumerate(input.shape) if length == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    return _cross(input, other, dim=dim)


def trace(input):
    """The sum of a matrix's diagonal."""
    if input.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {input.ndim}")
    return _trace(input)


def _scaled(one, factor):
    return one if factor == 1 else one * factor


def addmm(input, mat1, mat2, *, beta=1, alpha=1):
    """beta * input + alpha * (mat1 @ mat2)."""
    return _scaled(input, beta) + _scaled(mm(mat1, mat2), alpha)


def addmv(input, mat, vec, *, beta=1, alpha=1):
    """beta * input + alpha * (mat @ vec)."""
    return _scaled(input, beta) + _scaled(mv(mat, vec), alpha)


def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    """beta * input + alpha * the sum of products of two batches."""
    return _scaled(input, beta) + _scaled(bmm(batch1, batch2).sum(0), alpha)


def baddbmm(input, batch1, batch2, *, beta=1, alpha=1):
    """beta * input + alpha * the products of two batches."""
    return _scaled(input, beta) + _scaled(bmm(batch1, batch2), alpha)


def addr(input, vec1, vec2, *, beta=1, alpha=1):
    """beta * input + alpha * the outer product of two vectors."""
    return _scaled(input, beta) + _scaled(outer(vec1, vec2), alpha)


def dist(input, other, p=2):
    """The norm of the difference."""
    return (input - other).norm(p)


def matrix_power(input, n):
    """A square matrix, n times multiplied."""
    return _matrix_power(input, n)


_matrix_power = row("matrix_power", "matrix_power", "input:x, n:power", arrays=True)

both(
    "mm mv bmm dot matmul inner outer ger kron vdot cross trace addmm addmv addbmm baddbmm addr dist "
    "matrix_power",
    globals(),
    __all__,
)
__all__.append("tensordot")
