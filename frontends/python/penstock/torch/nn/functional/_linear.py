"""Products with weights, attention, distances."""

from ..._create import ones, zeros
from ..._dialect import row
from ..._elements import clamp_min, sqrt, where
from ..._product import matmul
from ..._tensor import Tensor
from ._activations import softmax
from ._dropout import dropout

__all__ = (
    "linear bilinear normalize cosine_similarity pairwise_distance scaled_dot_product_attention"
).split()

_SIGNATURE = "input:x, weight, bias=None"
_linear = row("linear", "linear", _SIGNATURE, arrays=True)


def _any_linear(*args, **kwargs):
    """What is called if an argument is no tensor."""
    given = dict(zip(("input", "weight", "bias"), args), **kwargs)
    for at, name in enumerate(("input", "weight", "bias")):
        one = given.get(name)
        if name in given and not isinstance(one, Tensor) and (name != "bias" or one is not None):
            raise TypeError(
                f"linear(): argument '{name}' (position {at + 1}) must be Tensor, not "
                f"{type(one).__name__}"
            )
    return _linear(*args, **kwargs)


# x @ weight.T + bias: the operation itself.
linear = row("linear", "linear", _SIGNATURE, arrays=True, unusual=_any_linear)
_tensordot = row("tensordot", "bilinear", "a:x1, b:x2, first:axes1, second:axes2")


def bilinear(input1, input2, weight, bias=None):
    """x1 @ w @ x2 for each of the weight's matrices, plus bias."""
    if input1.shape[:-1] != input2.shape[:-1]:
        raise RuntimeError(
            f"bilinear(): input batch dimensions do not match: got {list(input1.shape)} and "
            f"{list(input2.shape)}"
        )
    if input1.shape[-1] != weight.shape[1] or input2.shape[-1] != weight.shape[2]:
        raise RuntimeError(
            f"bilinear(): input1 {list(input1.shape)} and input2 {list(input2.shape)} do not fit "
            f"weight {list(weight.shape)}"
        )
    first = _tensordot(input1, weight, (-1,), (1,))
    made = matmul(first, input2.unsqueeze(-1)).squeeze(-1)
    return made if bias is None else made + bias


# ---- Lengths and distances -----------------------------------------------------------------------


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """The elements divided by their norm along a dimension, which counts as at least eps."""
    made = input / clamp_min(input.norm(p, dim, True), eps)
    return made if out is None else out.copy_(made)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """The product of vectors along a dimension, divided by their lengths."""
    if not x1.dtype.is_floating_point:
        raise RuntimeError(
            f"expected common dtype to be floating point, yet common dtype is {x1.dtype}"
        )
    if x1.dtype is not x2.dtype:
        x1, x2 = x1.to(x2.dtype), x2
    square1, square2 = (x1 * x1).sum(dim), (x2 * x2).sum(dim)
    lengths = sqrt(clamp_min(square1, eps * eps)) * sqrt(clamp_min(square2, eps * eps))
    return (x1 * x2).sum(dim) / lengths


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """The norm of the difference, to which eps is added, along the last dimension."""
    return (x1 - x2 + eps).norm(p, -1, keepdim)


# ---- Attention -----------------------------------------------------------------------------------


def scaled_dot_product_attention(
    query,
    key,
    value,
    attn_mask=None,
    dropout_p=0.0,
    is_causal=False,
    scale=None,
    enable_gqa=False,
):
    """softmax(query @ key.T * scale) @ value; the mask is added, or of bool says what counts."""
    if enable_gqa:
        raise NotImplementedError("scaled_dot_product_attention: enable_gqa=True is not here")
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    scores = matmul(query, key.transpose(-2, -1)) * scale
    if is_causal:
        if attn_mask is not None:
            raise RuntimeError("scaled_dot_product_attention: attn_mask beside is_causal=True")
        shape = scores.shape[-2:]
        attn_mask = ones(shape, device=query.device).tril() > 0
    if attn_mask is not None and attn_mask.dtype.is_floating_point:
        scores = scores + attn_mask
    elif attn_mask is not None:
        low = zeros((), dtype=scores.dtype, device=scores.device) - float("inf")
        scores = where(attn_mask, scores, low)
    weights = softmax(scores, -1)
    return matmul(dropout(weights, dropout_p) if dropout_p else weights, value)
