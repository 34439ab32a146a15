"""Linear algebra by the names that torch has beside torch.linalg: on the host, by NumPy."""

from . import linalg
from ._order import named_pair

_svd = named_pair("svd", "U", "S", "V")
_qr = named_pair("qr", "Q", "R")
_slogdet = named_pair("slogdet", "sign", "logabsdet")


def det(input):
    """The determinants of square matrices. Waits; no gradient flows."""
    return linalg.det(input)


def logdet(input):
    """The logarithms of determinants; NaN for negative ones. Waits; no gradient flows."""
    return linalg.det(input).log()


def slogdet(input):
    """The signs of determinants, and the logarithms of their sizes. Waits; no gradient flows."""
    return _slogdet(*linalg.slogdet(input))


def inverse(input):
    """The inverses of square matrices. Waits; no gradient flows."""
    return linalg.inv(input)


def pinverse(input, rcond=1e-15):
    """The pseudo-inverses of matrices. Waits; no gradient flows."""
    return linalg.pinv(input, rcond=rcond)


def qr(input, some=True):
    """Orthogonal matrices and triangular ones. Waits; no gradient flows."""
    return _qr(*linalg.qr(input, "reduced" if some else "complete"))


def svd(input, some=True, compute_uv=True):
    """U, the singular values and V, not transposed. Waits; no gradient flows."""
    U, S, Vh = linalg.svd(input, not some)
    if not compute_uv:
        U, Vh = U * 0, Vh * 0
    return _svd(U, S, Vh.mT.conj())


def chain_matmul(*matrices):
    """The product of matrices, in the order of the fewest operations."""
    return linalg.multi_dot(matrices)
