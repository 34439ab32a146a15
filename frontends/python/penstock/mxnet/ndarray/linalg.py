"""mx.nd.linalg: products and diagonals of matrices; there are no factorisations."""

from ... import _shapes
from .._missing import missing
from ..base import MXNetValueError
from ._call import array, call, copied, into, known, ops

__all__ = ["extractdiag", "gemm", "gemm2", "makediag", "sumlogdiag", "syrk"]


def _check_axis(function, axis):
    if axis not in (-2, None):
        raise MXNetValueError(f"{function}: axis must be -2, not {axis}")


def _product(a, b, transpose_a, transpose_b, alpha):
    found = ops["matmul"](a, b, transpose1=bool(transpose_a), transpose2=bool(transpose_b))
    return found if alpha == 1 else found * alpha


def gemm2(
    A, B, transpose_a=False, transpose_b=False, alpha=1.0, axis=-2, out=None, name=None, **unknown
):
    """alpha times the matrix product of A and B, each transposed if asked for."""
    known("linalg_gemm2", unknown)
    _check_axis("linalg_gemm2", axis)
    return into(out, call(_product, array("A", A), array("B", B), transpose_a, transpose_b, alpha))


def gemm(
    A,
    B,
    C,
    transpose_a=False,
    transpose_b=False,
    alpha=1.0,
    beta=1.0,
    axis=-2,
    out=None,
    name=None,
    **unknown,
):
    """alpha times the matrix product of A and B, plus beta times C."""
    known("linalg_gemm", unknown)
    product = gemm2(A, B, transpose_a, transpose_b, alpha, axis)
    return into(out, product + array("C", C) * beta)


def syrk(A, transpose=False, alpha=1.0, out=None, name=None, **unknown):
    """alpha times the product of A and its transpose, or of the transpose and A."""
    known("linalg_syrk", unknown)
    return gemm2(A, A, transpose, not transpose, alpha, out=out)


def extractdiag(A, offset=0, out=None, name=None, **unknown):
    """A diagonal of the last two dimensions."""
    known("linalg_extractdiag", unknown)
    return into(out, copied(_shapes.diagonal, array("A", A), offset, -2, -1))


def _matrix(x, offset):
    row = ops["pad"](
        x, (0,) * (x.ndim - 1) + (max(offset, 0),), (0,) * (x.ndim - 1) + (max(-offset, 0),)
    )
    mask = ops["eye"](row.shape[-1], None, offset, dtype="bool")
    return ops["where"](mask, ops["expand_dims"](row, -2), False)


def makediag(A, offset=0, out=None, name=None, **unknown):
    """Matrices with the last dimension on a diagonal, else 0."""
    known("linalg_makediag", unknown)
    return into(out, call(_matrix, array("A", A), offset))


def _logs(x):
    found = ops["sum"](ops["log"](_shapes.diagonal(x, 0, -2, -1)), -1)
    return found if found.ndim else found.reshape((1,))


def sumlogdiag(A, out=None, name=None):
    """The sum of logarithms of the elements on the diagonal."""
    return into(out, call(_logs, array("A", A)))


__getattr__ = missing("mxnet.nd.linalg")
