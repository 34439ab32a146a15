"""Losses of elements: what predictions and targets of one shape differ by."""

import math

from ..._dialect import row
from ..._elements import clamp_min, exp, log, where
from ..._tensor import Tensor
from ._arguments import refuse
from ._linear import cosine_similarity, pairwise_distance
from ._reduction import check, legacy, reduced
from ._sparse import within

__all__ = (
    "mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy "
    "binary_cross_entropy_with_logits "
    "kl_div hinge_embedding_loss soft_margin_loss margin_ranking_loss cosine_embedding_loss "
    "triplet_margin_loss triplet_margin_with_distance_loss poisson_nll_loss gaussian_nll_loss "
    "multilabel_soft_margin_loss"
).split()

_TWO = "input:x, target"
_subtract = row("subtract", "mse_loss", "input:x1, target:x2")
_square = row("square", "mse_loss", "input:x", arrays=True)
_l1 = row("l1_loss", "l1_loss", _TWO)
_huber = row("huber_loss", "huber_loss", "input:x, target, rho=1.0")
_bce = row("bce_probabilities", "binary_cross_entropy", _TWO)
_bce_logits = row("bce_logits", "binary_cross_entropy_with_logits", _TWO)
_bce_weighted = row(
    "bce_logits_weighted", "binary_cross_entropy_with_logits", "input:x, target, pos_weight:weight"
)
_kl = row("kl_divergence", "kl_div", _TWO)
_softplus = row("softplus", "softplus", "input:x", arrays=True)


def _check_pair(name, input, target):
    """Two tensors with a floating type between them; a warning if their shapes differ."""
    if not isinstance(input, Tensor):
        refuse(name, input)
    if not isinstance(target, Tensor):
        raise TypeError(
            f"{name}(): argument 'target' (position 2) must be Tensor, not {type(target).__name__}"
        )
    if input.shape != target.shape:
        _warn(input.shape, target.shape)
    if not input.dtype.is_floating_point and not target.dtype.is_floating_point:
        raise NotImplementedError(f'"{name}" not implemented for {input.dtype}')


def _warn(one, other):
    import warnings

    warnings.warn(
        f"Using a target size ({other}) that is different to the input size ({one}). This will "
        "likely lead to incorrect results due to broadcasting. Please ensure they have the same "
        "size.",
        UserWarning,
        stacklevel=4,
    )


def _weighted(loss, weight, reduction):
    """With weights: the mean is the sum divided by that of the weights."""
    if weight is None:
        return reduced(loss, reduction)
    if weight.shape != loss.shape:
        raise ValueError("Weights and input must have the same size.")
    loss = loss * weight
    if reduction == "mean":
        return loss.sum() / weight.sum()
    return reduced(loss, reduction)


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """Squared differences."""
    if size_average is not None or reduce is not None:
        reduction = legacy(size_average, reduce)
    _check_pair("mse_loss", input, target)
    loss = _square(_subtract(input, target))
    return _weighted(loss, weight, reduction)


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """Absolute differences."""
    if size_average is not None or reduce is not None:
        reduction = legacy(size_average, reduce)
    _check_pair("l1_loss", input, target)
    return _weighted(_l1(input, target), weight, reduction)


def smooth_l1_loss(
    input, target, size_average=None, reduce=None, reduction="mean", beta=1.0
):
    """Absolute differences d, but d^2 / (2 beta) where they are below beta, minus a constant."""
    if size_average is not None or reduce is not None:
        reduction = legacy(size_average, reduce)
    _check_pair("smooth_l1_loss", input, target)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    loss = _l1(input, target) if beta == 0 else _huber(input, target, float(beta))
    return reduced(loss, reduction)


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    """d^2 / 2 where the absolute difference d is below delta, else delta * (d - delta / 2)."""
    _check_pair("huber_loss", input, target)
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    loss = _huber(input, target, float(delta))
    return _weighted(loss if delta == 1 else loss * delta, weight, reduction)


# ---- Of probabilities ----------------------------------------------------------------------------


def binary_cross_entropy(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean"
):
    """-target log(input) - (1 - target) log(1 - input), logarithms being at least -100.

    An input that is no probability is found while running.
    """
    if size_average is not None or reduce is not None:
        reduction = legacy(size_average, reduce)
    check(reduction)
    if target.shape != input.shape:
        raise ValueError(
            f"Using a target size ({target.shape}) that is different to the input size "
            f"({input.shape}) is deprecated. Please ensure they have the same size."
        )
    if target.dtype is not input.dtype or not input.dtype.is_floating_point:
        raise RuntimeError(f"Found dtype {target.dtype} but expected {input.dtype}")
    loss = _bce(input, within(input.detach(), 0, 1, target))
    return reduced(loss if weight is None else loss * weight, reduction)


def binary_cross_entropy_with_logits(
    input,
    target,
    weight=None,
    size_average=None,
    reduce=None,
    reduction="mean",
    pos_weight=None,
):
    """binary_cross_entropy of sigmoid(input); pos_weight is a factor of the first term."""
    if size_average is not None or reduce is not None:
        reduction = legacy(size_average, reduce)
    if target.shape != input.shape:
        raise ValueError(
            f"Target size ({target.shape}) must be the same as input size ({input.shape})"
        )
    if not target.dtype.is_floating_point:
        raise RuntimeError(
            f"result type {input.dtype} can't be cast to the desired output type {target.dtype}"
        )
    if pos_weight is None:
        loss = _bce_logits(input, target)
    else:
        loss = _bce_weighted(input, target, pos_weight)
    return reduced(loss if weight is None else loss * weight, reduction)


def kl_div(
    input, target, size_average=None, reduce=None, reduction="mean", log_target=False
):
    """target * (log(target) - input); with log_target the targets are logarithms, too."""
    if size_average is not None or reduce is not None:
        reduction = legacy(size_average, reduce)
    if reduction == "mean":
        _warn_of_mean()
    loss = exp(target) * (target - input) if log_target else _kl(input, target)
    if reduction == "batchmean":
        return loss.sum() / (input.shape[0] if input.ndim else 1)
    return reduced(loss, reduction)


def _warn_of_mean():
    import warnings

    warnings.warn(
        "reduction: 'mean' divides the total loss by both the batch size and the support size. "
        "'batchmean' divides only by the batch size, and aligns with the KL div math definition.",
        UserWarning,
        stacklevel=3,
    )


def multilabel_soft_margin_loss(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean"
):
    """binary_cross_entropy of sigmoid(input), the mean over the classes of each sample."""
    if size_average is not None or reduce is not None:
        reduction = legacy(size_average, reduce)
    loss = _bce_logits(input, target)
    loss = (loss if weight is None else loss * weight).mean(-1)
    return reduced(loss, reduction)


# ---- Margins -------------------------------------------------------------------------------------


def hinge_embedding_loss(
    input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"
):
    """The input where the target is 1, and what it lacks to the margin where that is -1."""
    if size_average is not None or reduce is not None:
        reduction = legacy(size_average, reduce)
    alike = where(target != -1, input, 0.0)
    unlike = where(target != 1, clamp_min(margin - input, 0), 0.0)
    return reduced(alike + unlike, reduction)


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """log(1 + exp(-target * input)), for targets 1 and -1."""
    if size_average is not None or reduce is not None:
        reduction = legacy(size_average, reduce)
    if target.requires_grad:
        raise RuntimeError(
            "The function 'soft_margin_loss' is not differentiable with respect to argument "
            "'target'."
        )
    return reduced(_softplus(-target * input), reduction)


def margin_ranking_loss(
    input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"
):
    """max(0, -target * (input1 - input2) + margin)."""
    if size_average is not None or reduce is not None:
        reduction = legacy(size_average, reduce)
    if not input1.ndim == input2.ndim == target.ndim:
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {input1.shape}, input2: {input2.shape}, target: {target.shape} "
        )
    return reduced(clamp_min(-target * (input1 - input2) + margin, 0), reduction)


def cosine_embedding_loss(
    input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"
):
    """1 - cosine where the target is 1, and the cosine above the margin where it is -1."""
    if size_average is not None or reduce is not None:
        reduction = legacy(size_average, reduce)
    cosine = cosine_similarity(input1, input2, -1, 1e-12)
    alike = where(target == 1, 1 - cosine, 0.0)
    unlike = where(target == -1, clamp_min(cosine - margin, 0), 0.0)
    return reduced(alike + unlike, reduction)


def triplet_margin_loss(
    anchor,
    positive,
    negative,
    margin=1.0,
    p=2,
    eps=1e-06,
    swap=False,
    size_average=None,
    reduce=None,
    reduction="mean",
):
    """How much nearer than the margin the negative is, compared with the positive."""
    if size_average is not None or reduce is not None:
        reduction = legacy(size_average, reduce)

    def distance(one, other):
        return pairwise_distance(one, other, p, eps)

    return _triplet(anchor, positive, negative, distance, margin, swap, reduction)


def _triplet(anchor, positive, negative, distance, margin, swap, reduction):
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        from ..._elements import minimum

        far = minimum(far, distance(positive, negative))
    return reduced(clamp_min(near - far + margin, 0), reduction)


def triplet_margin_with_distance_loss(
    anchor,
    positive,
    negative,
    *,
    distance_function=None,
    margin=1.0,
    swap=False,
    reduction="mean",
):
    """triplet_margin_loss by any distance."""
    distance = pairwise_distance if distance_function is None else distance_function
    return _triplet(anchor, positive, negative, distance, margin, swap, reduction)


# ---- Likelihoods ---------------------------------------------------------------------------------


def poisson_nll_loss(
    input,
    target,
    log_input=True,
    full=False,
    size_average=None,
    eps=1e-08,
    reduce=None,
    reduction="mean",
):
    """-log of the probability of counts by a Poisson distribution of given rates, or their logs."""
    if size_average is not None or reduce is not None:
        reduction = legacy(size_average, reduce)
    loss = exp(input) - target * input if log_input else input - target * log(input + eps)
    if full:
        safe = where(target > 1, target, 1.0)
        stirling = safe * log(safe) - safe + 0.5 * log(safe * (2 * math.pi))
        loss = loss + where(target > 1, stirling, 0.0)
    return reduced(loss, reduction)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-06, reduction="mean"):
    """-log of the probability by normal distributions with given means and variances."""
    check(reduction)
    if not isinstance(var, Tensor):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = input.new_full(input.shape, var)
    if var.shape == input.shape[:-1]:
        var = var.unsqueeze(-1)
    # Nothing flows back through the bound of the variance.
    bounded = var + (clamp_min(var.detach(), eps) - var.detach())
    loss = 0.5 * (log(bounded) + (input - target) ** 2 / bounded)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return reduced(loss, reduction)
