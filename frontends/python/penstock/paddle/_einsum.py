"""paddle.einsum."""

from .._common.einsum import product, understood
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
    for at, one in enumerate(operands):
        if not isinstance(one, Tensor):
            raise TypeError(f"einsum(): operand {at} is a {type(one).__name__}, not a Tensor")
    wanted = equation.partition("->")[0].count(",") + 1
    if wanted != len(operands):
        raise AssertionError(
            f"Invalid equation: the number of operands is {len(operands)}, but found {wanted} "
            "segments in the label equation."
        )
    try:
        found = understood(equation, operands)
    except RuntimeError as error:
        raise ValueError(f"(InvalidArgument) {error}") from None
    return product(operands, *found, bmm)
