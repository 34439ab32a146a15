"""Losses: what predictions and labels differ by."""

from ..._dialect import row
from ..._dtypes import ALL
from ..._tensor import cast
from ._arguments import absent, tensor
from ._reduction import _sum, check, reduced

__all__ = (
    "cross_entropy softmax_with_cross_entropy nll_loss mse_loss square_error_cost l1_loss "
    "smooth_l1_loss binary_cross_entropy binary_cross_entropy_with_logits kl_div"
).split()

_INT64 = ALL["int64"]
_entropy = row(
    "softmax_cross_entropy",
    "cross_entropy",
    "x, label:labels, axis=-1, ignore_index:ignore_label=None, label_smoothing:smoothing=0.0",
)
_pick = row("pick", "nll_loss", "x, index, axis=-1")
_take = row("take", "nll_loss", "x, index:indices, axis=None")
_clip = row("clip", "cross_entropy", "x, min=None, max=None")
_not_equal = row("not_equal", "cross_entropy", "x:x1, y:x2")
_where = row("where", "where", "condition, x:x1, y:x2")
_square, _log = row("square", "mse_loss", "x"), row("log", "log", "x")
_subtract = row("subtract", "mse_loss", "x:x1, y:x2")
_abs = row("abs", "l1_loss", "x")
_huber = row("huber_loss", "smooth_l1_loss", "x, target, rho=1.0")
_bce = row("bce_probabilities", "binary_cross_entropy", "x, target")
_bce_logits = row("bce_logits", "binary_cross_entropy_with_logits", "x, target")
_bce_weighted = row(
    "bce_logits_weighted", "binary_cross_entropy_with_logits", "x, target, weight"
)
_MOST = 64.0  # a loss of classes is cut off there; what flows back is as if it were not


# ---- Of classes ----------------------------------------------------------------------------------


def _bounded(loss):
    """The losses cut off, with the gradients that they have."""
    return loss - _clip(loss.detach() - _MOST, 0.0, None)


def _labels(input, label, axis):
    """Integer labels without the dimension of the classes, and whether they had it."""
    shape, have = list(input.shape), list(label.shape)
    rest = shape[:axis] + shape[axis + 1 :]
    kept = have == shape[:axis] + [1] + shape[axis + 1 :]
    if not kept and have != rest:
        if len(have) not in (len(shape), len(shape) - 1):
            raise ValueError(
                "Expected input_dims - 1 = label_dims or input_dims == label_dims (got input_dims "
                f"{len(shape)}, label_dims {len(have)})"
            )
        raise ValueError(
            "(InvalidArgument) Input(Logits) and Input(Label) should in same shape in dimensions "
            f"except axis, but received {shape} and {have} with the axis {axis}"
        )
    label = label.squeeze(axis) if kept else label
    return (label if label.dtype._native.kind in "iu" else cast(label, _INT64)), kept


def cross_entropy(
    input,
    label,
    weight=None,
    ignore_index=-100,
    reduction="mean",
    soft_label=False,
    axis=-1,
    use_softmax=True,
    label_smoothing=0.0,
    name=None,
):
    """-log softmax(input) at the labels, or by probabilities with soft_label.

    A label that is ignore_index has the loss 0; in the mean it counts if ignore_index is below 0.
    A label out of range is found while running.
    """
    check("paddle.nn.functional.cross_entropy", reduction)
    tensor("cross_entropy", input, "input")
    tensor("cross_entropy", label, "label", 1)
    if not input.ndim:
        raise ValueError("The dimension of input should be larger than zero!")
    if ignore_index > 0 and soft_label:
        raise ValueError(
            "When soft_label == True, the value of 'ignore_index' should not be greater than 0"
        )
    axis = _axis(input, axis)
    if soft_label:
        return _soft(input, label, weight, reduction, axis, use_softmax, label_smoothing)
    label, kept = _labels(input, label, axis)
    if use_softmax:
        loss = _bounded(_entropy(input, label, axis, ignore_index, label_smoothing))
    else:
        loss = _at_labels(_log(input), label, ignore_index, axis)
    if weight is None and ignore_index < 0:
        made = reduced(loss, reduction)
    else:
        made = _counted(loss, label, weight, ignore_index, reduction)
    kept = kept or label_smoothing > 0
    return made.unsqueeze(axis) if kept and reduction == "none" else made


def _axis(input, axis):
    count = input.ndim
    if not -count <= axis < count:
        raise ValueError(
            f"(InvalidArgument) Attr(axis) value should be in range [-{count}, {count - 1}], but "
            f"received {axis}"
        )
    return axis % count


def _at_labels(values, label, ignore_index, axis):
    valid = _not_equal(label, ignore_index)
    return _where(valid, -_pick(values, _where(valid, label, 0), axis), 0.0)


def _counted(loss, label, weight, ignore_index, reduction):
    """With weights of classes, or labels that do not count: the mean is that of the others."""
    valid = _not_equal(label, ignore_index)
    if weight is None:
        counts = cast(valid, loss.dtype)
    else:
        counts = _where(valid, _take(weight, _where(valid, label, 0), 0), 0.0)
        loss = loss * counts
    if reduction != "mean":
        return reduced(loss, reduction)
    total = _sum(counts)
    return _sum(loss) / (total + cast(total == 0, loss.dtype))


def _soft(input, label, weight, reduction, axis, use_softmax, smoothing):
    if list(label.shape) != list(input.shape):
        raise ValueError(
            "(InvalidArgument) Input(Logits) and Input(Label) should be of the same shape with "
            f"soft_label=True, but received {list(input.shape)} and {list(label.shape)}"
        )
    label = cast(label, input.dtype)
    if use_softmax:
        loss = _bounded(_entropy(input, label, axis, None, smoothing))
    else:
        loss = -(label * _log(input)).sum(axis)
    if weight is None:
        made = reduced(loss, reduction)
    else:
        shape = [1] * axis + [-1] + [1] * (input.ndim - axis - 1)
        counts = (label * weight.reshape(shape)).sum(axis)
        loss = loss * counts
        made = _sum(loss) / _sum(counts) if reduction == "mean" else reduced(loss, reduction)
    return made.unsqueeze(axis) if reduction == "none" else made


def softmax_with_cross_entropy(
    logits,
    label,
    soft_label=False,
    ignore_index=-100,
    numeric_stable_mode=True,
    return_softmax=False,
    axis=-1,
):
    """cross_entropy of each line, with 1 in the place of the classes; with softmax if asked for."""
    from .activation import softmax

    given = cross_entropy(logits, label, None, ignore_index, "none", soft_label, axis)
    loss = given if given.ndim == logits.ndim else given.unsqueeze(axis)
    return (loss, softmax(logits, axis)) if return_softmax else loss


def nll_loss(input, label, weight=None, ignore_index=-100, reduction="mean", name=None):
    """-input at the labels: logarithms of probabilities, with the classes along dimension 1."""
    check("nll_loss", reduction)
    label, _ = _labels(input, label, 1)
    loss = _at_labels(input, label, ignore_index, 1)
    return _counted(loss, label, weight, ignore_index, reduction)


# ---- Of elements ---------------------------------------------------------------------------------


def _pair(name, input, label):
    tensor(name, input, "input")
    tensor(name, label, "label", 1)


def square_error_cost(input, label):
    """Squared differences, of each element."""
    _pair("square_error_cost", input, label)
    return _square(_subtract(input, label))


def mse_loss(input, label, reduction="mean", name=None):
    """Squared differences."""
    check("mse_loss", reduction)
    _pair("mse_loss", input, label)
    return reduced(_square(_subtract(input, label)), reduction)


def l1_loss(input, label, reduction="mean", name=None):
    """Absolute differences."""
    check("L1Loss", reduction)
    _pair("l1_loss", input, label)
    return reduced(_abs(_subtract(input, label)), reduction)


def smooth_l1_loss(
    input, label, reduction="mean", delta=1.0, is_huber=True, name=None
):
    """d^2 / 2 where the absolute difference d is below delta, else delta * (d - delta / 2).

    Without is_huber all of that is divided by delta.
    """
    check("smooth_l1_loss", reduction)
    _pair("smooth_l1_loss", input, label)
    loss = _huber(input, label, float(delta))
    return reduced(loss * delta if is_huber and delta != 1 else loss, reduction)


def _same_shapes(name, input, label):
    _pair(name, input, label)
    if list(input.shape) != list(label.shape):
        raise ValueError(
            f"(InvalidArgument) {name}: input and label should have the same shape, but received "
            f"{list(input.shape)} and {list(label.shape)}"
        )


def binary_cross_entropy(input, label, weight=None, reduction="mean", name=None):
    """-label log(input) - (1 - label) log(1 - input), logarithms being at least -100."""
    check("binary_cross_entropy", reduction)
    _same_shapes("binary_cross_entropy", input, label)
    loss = _bce(input, label)
    return reduced(loss if weight is None else loss * weight, reduction)


def binary_cross_entropy_with_logits(
    logit, label, weight=None, reduction="mean", pos_weight=None, name=None
):
    """binary_cross_entropy of sigmoid(logit); pos_weight is a factor of the first term."""
    check("binary_cross_entropy_with_logits", reduction)
    _same_shapes("binary_cross_entropy_with_logits", logit, label)
    if pos_weight is None:
        loss = _bce_logits(logit, label)
    else:
        loss = _bce_weighted(logit, label, pos_weight)
    return reduced(loss if weight is None else loss * weight, reduction)


def kl_div(input, label, reduction="mean", log_target=False, name=None):
    """label * (log(label) - input); with log_target the labels are logarithms, too."""
    if log_target:
        raise absent("kl_div", "log_target=True")
    _pair("kl_div", input, label)
    positive = label > 0
    logs = _log(_where(positive, label, 1.0))
    loss = _where(positive, label * (logs - input), 0.0)
    if reduction == "batchmean":
        return _sum(loss) / input.shape[0]
    check("kl_div", reduction)
    return reduced(loss, reduction)
