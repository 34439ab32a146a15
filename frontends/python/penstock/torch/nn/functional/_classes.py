"""Losses of classes: cross-entropy, and the likelihood of labels."""

from ..._dialect import row
from ..._dtypes import ALL, TITLES
from ..._elements import where
from ..._reduce import sum as _sum
from ..._tensor import Tensor
from ._arguments import floats, refuse
from ._reduction import check, legacy, reduced
from ._sparse import places_of

__all__ = ["cross_entropy", "multi_margin_loss", "nll_loss"]

_int64, _uint8 = ALL["int64"], ALL["uint8"]
_entropy = row(
    "softmax_cross_entropy",
    "cross_entropy",
    "input:x, target:labels, dim:axis=-1, ignore_label=None, smoothing=0.0, weights=None",
)
_pick = row("pick", "nll_loss", "input:x, index, dim:axis=-1")
_take = row("take", "nll_loss", "input:x, index:indices, dim:axis=None")
_not_equal = row("not_equal", "cross_entropy", "input:x1, other:x2")
_divide = row("divide", "cross_entropy", "input:x1, other:x2")


def _check_labels(input, target):
    """The shapes and types of predictions and labels; gives the dimension of the classes."""
    one = target.dtype
    if one is not _int64 and one is not _uint8:
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {TITLES[one]}")
    have, wanted = tuple(target.shape), tuple(input.shape)
    if len(wanted) > 1 and have == (wanted[0], *wanted[2:]):
        return 1
    if len(wanted) == 1 and not have:
        return 0
    _explain(have, wanted)


def _explain(have, wanted):
    """Raise for labels that do not fit."""
    if not wanted:
        raise RuntimeError(f"Expected input of size (C) or (N, C, ...), but got {list(wanted)}")
    if len(wanted) == 1 and len(have) == 1:
        raise ValueError(
            f"For 1D input, 1D target must have size 1, but got target size: {list(have)}"
        )
    if len(wanted) > 1 and have[:1] != wanted[:1]:
        batch = have[0] if have else 0
        raise ValueError(
            f"Expected input batch_size ({wanted[0]}) to match target batch_size ({batch})."
        )
    raise RuntimeError(f"Expected target size {[wanted[0], *wanted[2:]]}, got {list(have)}")


def _without_batch(input, target):
    """The label of one sample may come in a batch of its own."""
    one = target.dtype
    if (one is _int64 or one is _uint8) and target.shape == (1,) and input.ndim == 1:
        return target.reshape(())
    return target


def _check_weight(input, weight, dim):
    classes = input.shape[dim]
    if weight.shape != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but "
            f"got weight tensor of shape: {list(weight.shape)}"
        )
    if weight.dtype is not input.dtype:
        raise RuntimeError(
            f"expected scalar type {TITLES[input.dtype]} but found {TITLES[weight.dtype]}"
        )


def _counted(target, weight, ignore_index):
    """What a mean is divided by: how many labels count, or the sum of their weights."""
    valid = _not_equal(target, ignore_index)
    if weight is None:
        return _sum(valid)
    return _sum(where(valid, _take(weight, where(valid, target, 0), 0), 0.0))


def _over_labels(loss, target, weight, ignore_index, reduction):
    if reduction == "mean":
        return _divide(_sum(loss), _counted(target, weight, ignore_index))
    return reduced(loss, reduction)


def cross_entropy(
    input,
    target,
    weight=None,
    size_average=None,
    ignore_index=-100,
    reduce=None,
    reduction="mean",
    label_smoothing=0.0,
):
    """-log softmax(input) at the labels, or its mean by probabilities of the shape of input.

    Classes are along dimension 1. Labels that are ignore_index do not count, in the mean neither. A
    label out of range is found while running.
    """
    if size_average is not None or reduce is not None:
        reduction = legacy(size_average, reduce)
    if not isinstance(target, Tensor):
        raise TypeError(
            "cross_entropy_loss(): argument 'target' (position 2) must be Tensor, not "
            f"{type(target).__name__}"
        )
    if not isinstance(input, Tensor):
        refuse("cross_entropy_loss", input)
    if label_smoothing and not 0.0 <= label_smoothing <= 1.0:
        raise RuntimeError(
            f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}"
        )
    target = _without_batch(input, target)
    if input.shape == target.shape:
        return _of_probabilities(input, target, weight, reduction, label_smoothing)
    dim = _check_labels(input, target)
    floats("cross_entropy", input)
    if weight is not None:
        _check_weight(input, weight, dim)
    loss = _entropy(input, target, dim, ignore_index, label_smoothing, weight)
    return _over_labels(loss, target, weight, ignore_index, reduction)


def _of_probabilities(input, target, weight, reduction, smoothing):
    if not target.dtype.is_floating_point:
        raise RuntimeError(
            f"Expected floating point type for target with class probabilities, got "
            f"{TITLES[target.dtype]}"
        )
    floats("cross_entropy", input)
    dim = 1 if input.ndim > 1 else 0
    if weight is not None:
        _check_weight(input, weight, dim)
    loss = _entropy(input, target, dim, None, smoothing, weight)
    if reduction == "mean":
        return loss.sum() / (input.numel() / input.shape[dim])
    return reduced(loss, reduction)


def nll_loss(
    input,
    target,
    weight=None,
    size_average=None,
    ignore_index=-100,
    reduce=None,
    reduction="mean",
):
    """-input at the labels: logarithms of probabilities, with the classes along dimension 1."""
    if size_average is not None or reduce is not None:
        reduction = legacy(size_average, reduce)
    check(reduction)
    target = _without_batch(input, target)
    dim = _check_labels(input, target)
    floats("nll_loss", input)
    if weight is not None:
        _check_weight(input, weight, dim)
    valid = _not_equal(target, ignore_index)
    places = places_of(where(valid, target.long(), 0))
    loss = -_pick(input, places, dim)
    if weight is not None:
        loss = loss * _take(weight, places, 0)
    loss = where(valid, loss, 0.0)
    return _over_labels(loss, target, weight, ignore_index, reduction)


def multi_margin_loss(
    input,
    target,
    p=1,
    margin=1.0,
    weight=None,
    size_average=None,
    reduce=None,
    reduction="mean",
):
    """The mean over the other classes of max(0, margin - input at the label + input)^p."""
    if size_average is not None or reduce is not None:
        reduction = legacy(size_average, reduce)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    rows = input if input.ndim == 2 else input.unsqueeze(0)
    labels = target.reshape(-1)
    from ..._elements import clamp_min
    from ._sparse import one_hot_along

    places = places_of(labels)
    gaps = clamp_min(margin - _pick(rows, places, 1).unsqueeze(1) + rows, 0)
    gaps = gaps if p == 1 else gaps * gaps
    if weight is not None:
        gaps = gaps * _take(weight, places, 0).unsqueeze(1)
    own = one_hot_along(labels, rows.shape[1], -1, ALL["bool"])
    loss = where(own, 0.0, gaps).sum(1) / rows.shape[1]
    return reduced(loss if input.ndim == 2 else loss.squeeze(0), reduction)
