"""paddle.einsum."""

from .._common.einsum import sums
from ._product import bmm
from ._tensor import Tensor


def einsum(equation, *operands):
    """Sums of products: einsum("ij,jk->ik", a, b) is a @ b.

    Each letter names a dimension, "..." those that have no letter. The result has those behind the
    arrow; without one, those that come once, by the alphabet.

    >>> from penstock import paddle
    >>> paddle.einsum("ij->j", paddle.ones([2, 3])).tolist()
    [2.0, 2.0, 2.0]
    """
    return sums((equation, *operands), Tensor, bmm)
