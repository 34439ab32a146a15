"""Linear algebra: norms and products are queued; factors, inverses and roots come from NumPy.

What NumPy computes is computed on the host: it waits for the matrix, and no gradient flows back;
with a matrix that requires a gradient it raises. Those functions say so.

>>> from penstock import torch
>>> torch.linalg.det(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
tensor(-2.0000)
"""

from math import inf as _inf

from . import _missing, _product
from ._dialect import row as _row
from ._dialect import wrapped_dim as _wrapped
from ._order import named_pair as _named
from ._product import matmul, matrix_power  # noqa: F401
from ._reduce import norm as _over_elements
from ._shape import diagonal as _diagonal


class LinAlgError(RuntimeError):
    """A matrix has not what was asked for: it is singular, or not positive-definite."""

    __module__ = "torch.linalg"


# ---- On the host ---------------------------------------------------------------------------------


def _array(name, A, square=False):
    """The matrices as a NumPy array."""
    from ._host import array_of

    if A.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    if square and A.shape[-1] != A.shape[-2]:
        raise RuntimeError(
            f"{name}: A must be batches of square matrices, but they are {A.shape[-2]} by "
            f"{A.shape[-1]} matrices"
        )
    kind = A.dtype
    if not kind.is_floating_point and not kind.is_complex:
        raise NotImplementedError(
            f"{name}: Expected a floating point or complex tensor as input. Got {kind}"
        )
    if kind.itemsize < 4:
        raise NotImplementedError(f"{name}: Low precision dtypes not supported. Got {kind}")
    return array_of(name, A)


def _run(name, A, function, *args, **kwargs):
    """What a function of numpy.linalg gives for the matrices, in their type."""
    import numpy

    from ._host import tensor_of

    try:
        made = getattr(numpy.linalg, function)(*args, **kwargs)
    except numpy.linalg.LinAlgError as error:
        raise LinAlgError(f"{name}: {error} ({list(A.shape)})") from None
    if isinstance(made, tuple):
        return tuple(tensor_of(one, A) for one in made)
    return tensor_of(made, A)


def det(A):
    """The determinants of square matrices. Waits; no gradient flows."""
    return _run("linalg.det", A, "det", _array("linalg.det", A, True))


_slogdet = _named("linalg_slogdet", "sign", "logabsdet")


def slogdet(A):
    """The signs of determinants, and the logarithms of their sizes. Waits; no gradient flows."""
    return _slogdet(*_run("linalg.slogdet", A, "slogdet", _array("linalg.slogdet", A, True)))


def inv(A):
    """The inverses of square matrices. Waits; no gradient flows."""
    return _run("linalg.inv", A, "inv", _array("linalg.inv", A, True))


def pinv(A, *, rcond=None, hermitian=False):
    """The pseudo-inverses of matrices. Waits; no gradient flows."""
    array = _array("linalg.pinv", A)
    cut = _tolerance(A) if rcond is None else rcond
    return _run("linalg.pinv", A, "pinv", array, rcond=cut, hermitian=hermitian)


def _tolerance(A):
    """Below which part of the largest a singular value counts as 0."""
    from . import finfo

    return max(A.shape[-2:]) * finfo(A.dtype).eps


def matrix_rank(A, tol=None, hermitian=False):
    """How many singular values are above a tolerance. Waits."""
    array = _array("linalg.matrix_rank", A)
    return _run("linalg.matrix_rank", A, "matrix_rank", array, tol=tol, hermitian=hermitian)


def solve(A, B, *, left=True):
    """X with A X = B, or without left X A = B; B may be vectors. Waits; no gradient flows."""
    array, name = _array("linalg.solve", A, True), "linalg.solve"
    is_vector = B.ndim == 1 or (B.ndim == A.ndim - 1 and B.shape == A.shape[:-1])
    rows = B.unsqueeze(-1) if is_vector else B
    if rows.shape[-2 if left else -1] != A.shape[-1]:
        raise RuntimeError(
            f"{name}: Incompatible shapes of A and B for the equation {'AX' if left else 'XA'} = B "
            f"({A.shape[-2]}x{A.shape[-1]} and {rows.shape[-2]}x{rows.shape[-1]})"
        )
    right = _array(name, rows)
    if not left:
        return _run(name, A, "solve", array.swapaxes(-2, -1), right.swapaxes(-2, -1)).mT
    made = _run(name, A, "solve", array, right)
    return made.squeeze(-1) if is_vector else made


def cholesky(A, *, upper=False):
    """The triangular factors of positive-definite matrices. Waits; no gradient flows."""
    made = _run("linalg.cholesky", A, "cholesky", _array("linalg.cholesky", A, True))
    return made.mT.conj() if upper else made


_qr = _named("linalg_qr", "Q", "R")


def qr(A, mode="reduced"):
    """Orthogonal matrices and triangular ones with A as the product. Waits; no gradient flows."""
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"linalg.qr: the mode must be 'reduced' (default), 'r' or 'complete', not '{mode}'"
        )
    made = _run("linalg.qr", A, "qr", _array("linalg.qr", A), mode)
    return _qr(A.new_empty((0,)), made) if mode == "r" else _qr(*made)


_svd = _named("linalg_svd", "U", "S", "Vh")


def svd(A, full_matrices=True):
    """U, the singular values, falling, and Vh: A is their product. Waits; no gradient flows."""
    return _svd(*_run("linalg.svd", A, "svd", _array("linalg.svd", A), full_matrices))


def svdvals(A):
    """The singular values in falling order. Waits; no gradient flows."""
    array = _array("linalg.svdvals", A)
    return _run("linalg.svdvals", A, "svd", array, compute_uv=False)


_eig = _named("linalg_eig", "eigenvalues", "eigenvectors")
_eigh = _named("linalg_eigh", "eigenvalues", "eigenvectors")


def _complex(tensor):
    from ._dtypes import ALL

    wide = tensor.dtype in (ALL["float64"], ALL["complex128"])
    return tensor.to(ALL["complex128" if wide else "complex64"])


def eig(A):
    """Eigenvalues and eigenvectors of square matrices, complex. Waits; no gradient flows."""
    made = _run("linalg.eig", A, "eig", _array("linalg.eig", A, True))
    return _eig(*map(_complex, made))


def eigvals(A):
    """Eigenvalues of square matrices, as complex numbers. Waits; no gradient flows."""
    return _complex(_run("linalg.eigvals", A, "eigvals", _array("linalg.eigvals", A, True)))


def eigh(A, UPLO="L"):
    """Eigenvalues, rising, and eigenvectors of symmetric matrices. Waits; no gradient flows."""
    return _eigh(*_run("linalg.eigh", A, "eigh", _array("linalg.eigh", A, True), UPLO))


def eigvalsh(A, UPLO="L"):
    """Eigenvalues of symmetric matrices, rising. Waits; no gradient flows."""
    return _run("linalg.eigvalsh", A, "eigvalsh", _array("linalg.eigvalsh", A, True), UPLO)


def cond(A, p=None):
    """How much the matrices stretch one direction more than another. Waits; no gradient flows."""
    return _run("linalg.cond", A, "cond", _array("linalg.cond", A), p).to(_real_of(A.dtype))


def _real_of(kind):
    from ._dtypes import ALL

    return ALL["float64" if kind in (ALL["float64"], ALL["complex128"]) else "float32"]


# ---- Products ------------------------------------------------------------------------------------

_vecdot = _row("vecdot", "vecdot", "input:x1, other:x2, *, dim:axis=-1", arrays=True)


def vecdot(x, y, *, dim=-1):
    """Sums of products along a dimension; complex x is conjugated."""
    return _vecdot(x, y, dim=dim)


def cross(input, other, *, dim=-1):
    """Vector products along a dimension of length 3."""
    found = input.shape[_wrapped(dim, input.ndim)], other.shape[_wrapped(dim, other.ndim)]
    if found != (3, 3):
        raise RuntimeError(
            f"linalg.cross: dimension {dim} must have length 3. Got {found[0]} and {found[1]}"
        )
    return _product._cross(input, other, dim=dim)


def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    """The diagonals of matrices: a view."""
    return _diagonal(A, offset, dim1, dim2)


def multi_dot(tensors):
    """The product of matrices, in the order of the fewest operations; the ends may be vectors."""
    if len(tensors) < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {len(tensors)}")
    first, last = tensors[0], tensors[-1]
    row = first.unsqueeze(0) if first.ndim == 1 else first
    column = last.unsqueeze(1) if last.ndim == 1 else last
    chain = [row, *tensors[1:-1], column]
    for one in chain:
        if one.ndim != 2:
            raise RuntimeError(f"multi_dot(): a tensor has {one.ndim} dimensions, not 2")
    made = _product_of(chain, _cuts([one.shape[0] for one in chain] + [chain[-1].shape[1]]))
    made = made.squeeze(1) if last.ndim == 1 else made
    return made.squeeze(0) if first.ndim == 1 else made


def _cuts(lengths):
    """Where to cut each part of a chain in two, by its first and its last matrix."""
    count, cost, cuts = len(lengths) - 1, {}, {}
    for first in range(count):
        cost[first, first] = 0
    for size in range(1, count):
        for first in range(count - size):
            last = first + size
            cost[first, last], cuts[first, last] = min(
                (
                    cost[first, cut]
                    + cost[cut + 1, last]
                    + lengths[first] * lengths[cut + 1] * lengths[last + 1],
                    cut,
                )
                for cut in range(first, last)
            )
    return cuts


def _product_of(chain, cuts, first=0, last=None):
    last = len(chain) - 1 if last is None else last
    if first == last:
        return chain[first]
    cut = cuts[first, last]
    return _product_of(chain, cuts, first, cut) @ _product_of(chain, cuts, cut + 1, last)


def vander(x, *, N=None):
    """Each element to the powers 0, 1, ... below N."""
    from ._create import arange

    return x.unsqueeze(-1) ** arange(x.shape[-1] if N is None else N, device=x.device)


# ---- Norms ---------------------------------------------------------------------------------------

_matrix_norm = _row("matrix_norm", "matrix_norm", "input:x, ord=None", arrays=True)


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    """A norm of all elements, or along dimensions."""
    return _over_elements(x, ord, dim, keepdim, dtype=dtype)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    """A norm of matrices: 'fro', 1, -1, inf or -inf; 'nuc', 2 and -2 are of the host, and wait."""
    A = A if dtype is None else A.to(dtype)
    if A.ndim < 2:
        raise RuntimeError(f"linalg.matrix_norm: A must have 2 dimensions or more, not {A.ndim}")
    if not A.dtype.is_floating_point and not A.dtype.is_complex:
        raise NotImplementedError(
            f"linalg.matrix_norm: Expected a floating point or complex tensor. Got {A.dtype}"
        )
    if A.dtype.itemsize == 2 and ord in ("nuc", 2, -2):
        raise NotImplementedError(
            f"linalg.matrix_norm: Low precision dtypes not supported. Got {A.dtype}"
        )
    if len(dim) != 2:
        raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {dim}")
    rows, columns = (_wrapped(one, A.ndim) for one in dim)
    if rows == columns:
        raise RuntimeError(f"linalg.matrix_norm: dims must be different. Got ({dim[0]}, {dim[1]})")
    made = _norm_of_last(A.movedim((rows, columns), (-2, -1)), ord)
    for one in sorted((rows, columns)) if keepdim else ():
        made = made.unsqueeze(one)
    return made


def _norm_of_last(A, ord):
    if ord == "fro":
        return _matrix_norm(A)
    if ord == "nuc":
        return svdvals(A).sum(-1)
    if ord in (2, -2):
        values = svdvals(A)
        return values.amax(-1) if ord == 2 else values.amin(-1)
    if ord in (1, -1, _inf, -_inf):
        return _matrix_norm(A, float(ord))
    raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    """A norm of vectors along one dimension, or of matrices in two."""
    if dim is None and ord is not None and A.ndim not in (1, 2):
        raise RuntimeError(
            "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got "
            f"{A.ndim}D."
        )
    if ord is None:
        return vector_norm(A, 2, dim, keepdim, dtype=dtype)
    if dim is None and A.ndim == 2:
        dim = (0, 1)
    two = isinstance(dim, (tuple, list)) and len(dim) == 2
    if isinstance(ord, str) and not two:
        raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {dim}")
    if two:
        return matrix_norm(A, ord, tuple(dim), keepdim, dtype=dtype)
    return vector_norm(A, ord, dim, keepdim, dtype=dtype)


__getattr__ = _missing.missing("torch.linalg")
