"""torch.einsum."""

from .._common.einsum import sums
from ._product import bmm
from ._tensor import Tensor


def einsum(*args):
    """Sums of products: einsum("ij,jk->ik", a, b) is a @ b.

    Each letter names a dimension, "..." those that have no letter. The result has those behind the
    arrow; without one, those that come once, by the alphabet. Instead of an equation, lists of
    numbers may follow each operand.

    >>> from penstock import torch
    >>> torch.einsum("ij->j", torch.ones(2, 3))
    tensor([2., 2., 2.])
    """
    return sums(args, Tensor, bmm)
