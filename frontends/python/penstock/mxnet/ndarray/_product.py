"""Products of mx.nd."""

from .. import _dialects
from .._missing import WHERE
from .._shapes import check_batches
from ..base import NotBuiltError
from ._call import array, arrays, known, quick, table

__all__ = ["batch_dot", "dot", "khatri_rao"]

_SIGNATURE = "lhs:x1, rhs:x2, transpose_a:transpose1=False, transpose_b:transpose2=False"
_matmul = table("matmul", "dot", _SIGNATURE)
_tensordot = _dialects.table(_dialects.nd, "tensordot")


def _dot(
    lhs,
    rhs,
    transpose_a=False,
    transpose_b=False,
    forward_stype=None,
    out=None,
    name=None,
    **unknown,
):
    """Sum of products over the last axis of lhs and the first of rhs.

    A transposed lhs is taken by its first axis, a transposed rhs by its last.
    """
    known("dot", unknown)
    if forward_stype not in (None, "default"):
        raise NotBuiltError(f"mxnet.nd.dot: there are no {forward_stype!r} arrays: {WHERE}")
    array("lhs", lhs), array("rhs", rhs)
    first = 0 if transpose_a else lhs.ndim - 1
    second = rhs.ndim - 1 if transpose_b else 0
    return _tensordot(lhs, rhs, (first,), (second,), out=out)


# Of matrices in C.
dot = quick("matmul", "dot", _SIGNATURE, _dot, ndim=2)


def batch_dot(
    lhs,
    rhs,
    transpose_a=False,
    transpose_b=False,
    forward_stype=None,
    out=None,
    name=None,
    **unknown,
):
    """Matrix products of the last two dimensions; the others must be the same in both.

    forward_stype says nothing for arrays that are stored one behind the other.
    """
    known("batch_dot", unknown)
    check_batches("batch_dot", array("lhs", lhs).shape, array("rhs", rhs).shape)
    return _matmul(lhs, rhs, bool(transpose_a), bool(transpose_b), out)


def khatri_rao(*args, name=None, num_args=None, **unknown):
    """The products of the columns of matrices, each element with each, one below the other."""
    known("khatri_rao", unknown)
    found, *others = arrays(args)
    found = found.copy()
    for other in others:
        rows = found.shape[0] * other.shape[0]
        found = found.expand_dims(1) * other.expand_dims(0)
        found = found.reshape((rows, -1))
    return found
