"""Products of matrices and vectors. Nothing promotes in a product."""

from ._attach import both
from ._checked import checked, checked_row
from ._dialect import refuse_type, row, wrapped_dim
from ._dtypes import ALL
from ._output import given
from ._ranks import result_type
from ._tensor import Tensor

__all__ = []
_bool = ALL["bool"]
_matmul = row("matmul", "matmul", "input:x1, other:x2", arrays=True)


def _refuse_truth(name, input):
    if input.dtype is _bool:
        refuse_type(name, _bool)


def _check_type(name, a, b):
    """Refuses products of truth values, but of matrices of two types or of shapes that do not fit,
    which are refused for those."""
    if a.dtype is not _bool or not (a.ndim and b.ndim):
        return
    fits = b.dtype is _bool and a.shape[-1] == b.shape[-2 if b.ndim > 1 else 0]
    if fits or a.ndim > 2 or b.ndim > 2:
        _refuse_truth(name, a)


# ---- By rank -------------------------------------------------------------------------------------


def _mm(input, mat2):
    for name, one in (("self", input), ("mat2", mat2)):
        if one.ndim != 2:
            raise RuntimeError(f"mm: {name} must be a matrix, got {one.ndim}-D tensor")
    _check_type("mm", input, mat2)
    return _matmul(input, mat2)


def _dot(input, tensor):
    _check_vectors(input, tensor)
    _check_type("dot", input, tensor)
    return _matmul(input, tensor)


def _check_vectors(a, b):
    if a.ndim != 1 or b.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {a.ndim}D and {b.ndim}D tensors")


def _any_matmul(input, other):
    _check_type("matmul", input, other)
    return _matmul(input, other)


mm = checked_row(
    *("matmul", "mm", "input:x1, mat2:x2", "input: Tensor, mat2: Tensor, *, out: Tensor? = None"),
    run=_mm,
    arrays=True,
    ndim=2,
    kinds="iufc",
)
dot = checked_row(
    *("matmul", "dot", "input:x1, tensor:x2"),
    "input: Tensor, tensor: Tensor, *, out: Tensor? = None",
    run=_dot,
    arrays=True,
    ndim=1,
    kinds="iufc",
)
matmul = checked_row(
    *("matmul", "matmul", "input:x1, other:x2"),
    "input: Tensor, other: Tensor, *, out: Tensor? = None",
    run=_any_matmul,
    arrays=True,
    kinds="iufc",
)


def _bmm(input, mat2):
    for name, one in (("batch1", input), ("batch2", mat2)):
        if one.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor, got {one.ndim}-D tensor")
    if input.shape[0] != mat2.shape[0]:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{input.shape[0]}, "
            f"{input.shape[2]}] but got: [{mat2.shape[0]}, {mat2.shape[1]}]."
        )
    _check_type("bmm", input, mat2)
    return _matmul(input, mat2)


@checked("input: Tensor, mat2: Tensor, *, out: Tensor? = None")
def bmm(input, mat2, out=None):
    """Products of the matrices of two batches."""
    return given(_bmm(input, mat2), out)


def _check_matrix_vector(rank, a, b):
    if rank > 1 or a.ndim != 2 or b.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {rank}, {a.ndim}, {b.ndim}")
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({a.shape[0]}), mat ({a.shape[0]}x{a.shape[1]}), vec "
            f"({b.shape[0]})"
        )


def _imatmul(self, other):
    """x @= y gives x another value, as x = x @ y does."""
    return self @ other


Tensor.__imatmul__ = _imatmul


@checked("input: Tensor, vec: Tensor, *, out: Tensor? = None")
def mv(input, vec, out=None):
    """A matrix times a vector."""
    if not input.ndim:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    _check_matrix_vector(1, input, vec)
    _check_type("mv", input, vec)
    return given(_matmul(input, vec), out)


# ---- Others --------------------------------------------------------------------------------------

_inner = row("inner", "inner", "input:x1, other:x2", arrays=True)
_kron = row("kron", "kron", "input:x1, other:x2", arrays=True)
_tensordot = row("tensordot", "tensordot", "a:x1, b:x2, first:axes1, second:axes2", arrays=True)
_cross = row("cross", "cross", "input:x1, other:x2, *, dim:axis=-1", arrays=True)
_trace = row("trace", "trace", "input:x", arrays=True)
_matrix_power = row("matrix_power", "matrix_power", "input:x, n:power", arrays=True)
_TWO = "input: Tensor, other: Tensor, *, out: Tensor? = None"


@checked(_TWO)
def inner(input, other, out=None):
    """Sums of products over the last dimension of both."""
    if not input.ndim or not other.ndim:
        return given(input * other, out)
    if input.shape[-1] != other.shape[-1]:
        raise RuntimeError(
            f"inner() the last dimension must match on both input tensors but got shapes "
            f"{list(input.shape)} and {list(other.shape)}"
        )
    _refuse_truth("inner", input)
    return given(_inner(input, other), out)


@checked("input: Tensor, vec2: Tensor, *, out: Tensor? = None")
def outer(input, vec2, out=None):
    """The products of all elements of one vector with all of another."""
    if input.ndim != 1 or vec2.ndim != 1:
        raise RuntimeError(
            f"outer: Expected 1-D arguments, but got {input.ndim}-D and {vec2.ndim}-D"
        )
    return given(input.unsqueeze(1) * vec2, out)


ger = outer


@checked(_TWO)
def kron(input, other, out=None):
    """The Kronecker product: each element of one times the other, as blocks."""
    one = result_type(input, other)
    return given(_kron(input.to(one), other.to(one)), out)


@checked(_TWO)
def vdot(input, other, out=None):
    """The sum of products of two vectors; the first is conjugated."""
    _check_vectors(input, other)
    return given(_dot(input.conj() if input.dtype.is_complex else input, other), out)


def tensordot(a, b, dims=2, out=None):
    """Sums of products over the last `dims` of a and the first of b, or over two lists."""
    if isinstance(dims, int):
        if dims < 0 or dims > a.ndim or dims > b.ndim:
            raise RuntimeError(
                f"tensordot: {dims} dimensions cannot be taken of {a.shape} and {b.shape}"
            )
        first, second = range(a.ndim - dims, a.ndim), range(dims)
    else:
        if not isinstance(dims, (Tensor, tuple, list)):
            raise RuntimeError(f"tensordot: dims must be an int or two lists of them, not {dims!r}")
        first, second = (
            tuple(one) for one in (dims.tolist() if isinstance(dims, Tensor) else dims)
        )
    return given(_contracted(a, b, tuple(first), tuple(second)), out)


def _contracted(a, b, first, second):
    """Dimensions of length 1 go with any other: that is summed over."""
    if a.dtype is not b.dtype:
        raise RuntimeError("both inputs should have same dtype")
    if len(first) != len(second):
        raise RuntimeError("both dimension lists should have same length")
    for one, other in zip(first, second):
        mine, theirs = (t.shape[wrapped_dim(d, t.ndim)] for t, d in ((a, one), (b, other)))
        if mine == 1 != theirs:
            b = b.sum(other, keepdim=True, dtype=b.dtype)
        elif theirs == 1 != mine:
            a = a.sum(one, keepdim=True, dtype=a.dtype)
        elif mine != theirs:
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {mine} in dim {one} and "
                f"second has size {theirs} in dim {other}"
            )
    _refuse_truth("tensordot", a)
    return _tensordot(a, b, first, second)


@checked("input: Tensor, other: Tensor, dim: int? = None, *, out: Tensor? = None")
def cross(input, other, dim=None, out=None):
    """Vector products along a dimension of length 3."""
    if input.ndim != other.ndim:
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    if dim is None:
        dim = next((at for at, length in enumerate(input.shape) if length == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    _refuse_truth("cross", input)
    return given(_cross(input, other, dim=dim), out)


@checked("input: Tensor")
def trace(input):
    """The sum of a matrix's diagonal."""
    _refuse_truth("trace", input)
    if input.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {input.ndim}")
    return _trace(input.long() if input.dtype._native.kind == "u" else input)


@checked("input: Tensor, other: Tensor, p: number = 2")
def dist(input, other, p=2):
    """The norm of the difference."""
    return (input - other).norm(p)


@checked("input: Tensor, n: int, *, out: Tensor? = None")
def matrix_power(input, n, out=None):
    """A square matrix, n times multiplied; below 0, its inverse."""
    if n < 0:
        from .linalg import inv

        input, n = inv(input), -n
    elif n > 1 and input.ndim > 1 and input.shape[-1] == input.shape[-2]:
        _refuse_truth("matrix_power", input)
    return given(_matrix_power(input, n), out)


# ---- With a sum ----------------------------------------------------------------------------------

_SCALES = "beta: number = 1, alpha: number = 1, out: Tensor? = None"


def _sum(input, product, beta, alpha):
    """beta * input + alpha * product, of the product's shape; with beta 0 the product alone."""
    if product.dtype._native.kind in "biu":
        beta, alpha = int(beta), int(alpha)
    product = product if alpha == 1 else product * alpha
    wide = input.expand(product.shape)
    if beta == 0:
        return product
    return (wide if beta == 1 else wide * beta) + product


def _check_same(name, *tensors):
    for one in tensors:
        if one.dtype is not tensors[0].dtype:
            raise RuntimeError(
                f"{name}: tensors must have the same dtype, but got {tensors[0].dtype} and "
                f"{one.dtype}"
            )


@checked(f"input: Tensor, mat1: Tensor, mat2: Tensor, *, {_SCALES}")
def addmm(input, mat1, mat2, beta=1, alpha=1, out=None):
    """beta * input + alpha * (mat1 @ mat2)."""
    _check_same("addmm", input, mat1, mat2)
    return given(_sum(input, _mm(mat1, mat2), beta, alpha), out)


@checked(f"input: Tensor, mat: Tensor, vec: Tensor, *, {_SCALES}")
def addmv(input, mat, vec, beta=1, alpha=1, out=None):
    """beta * input + alpha * (mat @ vec)."""
    _check_matrix_vector(input.ndim, mat, vec)
    _check_same("addmv", input, mat, vec)
    _refuse_truth("addmv", input)
    return given(_sum(input, _matmul(mat, vec), beta, alpha), out)


@checked(f"input: Tensor, batch1: Tensor, batch2: Tensor, *, {_SCALES}")
def addbmm(input, batch1, batch2, beta=1, alpha=1, out=None):
    """beta * input + alpha * the sum of products of two batches."""
    _check_same("addbmm", input, batch1, batch2)
    product = _bmm(batch1, batch2)
    return given(_sum(input, product.sum(0, dtype=product.dtype), beta, alpha), out)


@checked(f"input: Tensor, batch1: Tensor, batch2: Tensor, *, {_SCALES}")
def baddbmm(input, batch1, batch2, beta=1, alpha=1, out=None):
    """beta * input + alpha * the products of two batches."""
    _check_same("baddbmm", input, batch1, batch2)
    return given(_sum(input, _bmm(batch1, batch2), beta, alpha), out)


@checked(f"input: Tensor, vec1: Tensor, vec2: Tensor, *, {_SCALES}")
def addr(input, vec1, vec2, beta=1, alpha=1, out=None):
    """beta * input + alpha * the outer product of two vectors."""
    product = outer(vec1, vec2)
    one = result_type(input, product)
    for name, value in (("beta", beta), ("alpha", alpha)):
        if one._native.kind in "biu" and isinstance(value, (float, complex)):
            raise RuntimeError(
                f"For integral input tensors, argument {name} must not be a floating point number."
            )
    return given(_sum(input.to(one), product.to(one), beta, alpha), out)


def _in_place(name, function):
    """addmm_ and the like."""

    def method(self, *args, **kwargs):
        return self.copy_(function(self, *args, **kwargs))

    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__ = f"As {name}, into the tensor itself."
    setattr(Tensor, f"{name}_", method)


for _name in ("addmm", "addmv", "addbmm", "baddbmm", "addr"):
    _in_place(_name, globals()[_name])

both(
    "mm mv bmm dot matmul inner outer ger kron vdot cross trace addmm addmv addbmm baddbmm addr "
    "dist matrix_power",
    globals(),
    __all__,
)
__all__.append("tensordot")
del _name
