"""Layers that end a network: their gradients are those of a loss, whatever flows to them."""

from ... import _core
from .. import _composed, _dialects
from ..autograd import Function
from ..base import MXNetValueError
from ._arguments import one_of

_ops = _core._ops
_zeros, _where, _sum = _ops["zeros"], _ops["where"], _ops["sum"]


class _Output(Function):
    """A function of data and perhaps labels; `gradient` makes of its result what flows to data."""

    def __init__(self, forward, gradient):
        self._forward, self._gradient = forward, gradient

    def forward(self, data, *labels):
        found = _dialects.call(type(data), self._forward, data)
        self.save_for_backward(found, *labels)
        return found

    def backward(self, flow):
        found, *labels = self.saved_tensors
        first = _dialects.call(type(found), self._gradient, flow, found, *labels)
        rest = [_dialects.call(type(label), _zeros, label.shape, label.dtype) for label in labels]
        return [first, *rest]


# ---- Softmax -----------------------------------------------------------------------------------


def softmax_output(
    data,
    label,
    grad_scale=1.0,
    ignore_label=-1.0,
    multi_output=False,
    use_ignore=False,
    preserve_shape=False,
    normalization="null",
    out_grad=False,
    smooth_alpha=0.0,
):
    """softmax, with the gradient of the cross entropy of labels.

    It is over the channels (multi_output), the last axis (preserve_shape), or all elements of a
    row. Labels are whole numbers, or probabilities of the shape of data.
    """
    one_of("SoftmaxOutput", "normalization", normalization, ("null", "batch", "valid"))
    shape = data.shape
    if not preserve_shape and not multi_output and len(shape) > 2:
        flat = (shape[0], -1)
    else:
        flat = shape
    axis = 1 if multi_output else -1
    whole = label.shape != shape
    if whole:
        _check_labels(data, label, axis)
    ignored = ignore_label if use_ignore else None

    def forward(x):
        return _ops["reshape"](_ops["softmax"](_ops["reshape"](x, flat), axis), shape)

    def gradient(flow, found, label):
        if whole:
            settings = grad_scale, ignored, normalization, smooth_alpha
            made = _from_places(found, label, axis, *settings)
        else:
            made = (found - label) * grad_scale
        return made * flow if out_grad else made

    return _Output(forward, gradient)(data, label)


def _check_labels(data, label, axis):
    shape = data.shape
    expected = (shape[0], *shape[2:]) if axis == 1 else shape[:-1]
    flat = (shape[0], data.size // (shape[0] * shape[1])) if axis == 1 else None
    if label.shape != expected and label.shape != flat:
        raise MXNetValueError(
            f"label must have shape {expected} beside the data, not {label.shape}"
        )


def _from_places(found, label, axis, scale, ignored, normalization, smooth):
    """What flows back to data where labels are places along the axis."""
    count = found.shape[axis]
    lines = found if axis == -1 else _ops["moveaxis"](found, 1, -1)
    label = _ops["reshape"](label, lines.shape[:-1])
    kept = None if ignored is None else label != ignored
    on, off = 1 - smooth, smooth / (count - 1) if count > 1 else 0.0
    made = (lines - _composed.one_hot(label, count, on, off, found.dtype)) * scale
    if kept is not None:
        made = _where(_ops["expand_dims"](kept, -1), made, 0.0)
    if normalization == "valid":
        valid = float(label.size) if kept is None else _ops["maximum"](_sum(kept), 1)
        made = made / valid
    else:
        spatial = label.size // label.shape[0] if axis == 1 else 1
        made = made / (spatial * (label.shape[0] if normalization == "batch" else 1))
    made = made if made.dtype is found.dtype else _ops["cast"](made, found.dtype)
    return made if axis == -1 else _ops["copy"](_ops["moveaxis"](made, -1, 1))


# ---- Regression --------------------------------------------------------------------------------


def _regression(name, forward, difference, doc):
    def function(data, label, grad_scale=1.0):
        shape = data.shape
        if label.shape != shape and not _same_rows(shape, label.shape):
            raise MXNetValueError(
                f"{name} must have shape {shape} beside the data, not {label.shape}"
            )
        scale = grad_scale * shape[0] / max(1, data.size)

        def gradient(flow, found, label):
            return difference(found, _ops["reshape"](label, found.shape)) * scale

        return _Output(forward, gradient)(data, label)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def _same_rows(shape, other):
    """One number for each row, with or without a second dimension of length 1."""
    return shape[:1] == other[:1] and shape[1:] in ((), (1,)) and other[1:] in ((), (1,))


def _difference(found, label):
    return found - label


linear_regression_output = _regression(
    "LinearRegressionOutput",
    _ops["copy"],
    _difference,
    "data itself, with the gradient of half the squared distance to the label.",
)
logistic_regression_output = _regression(
    "LogisticRegressionOutput",
    _ops["sigmoid"],
    _difference,
    "sigmoid(data), with the gradient of the cross entropy of the label.",
)
mae_regression_output = _regression(
    "MAERegressionOutput",
    _ops["copy"],
    lambda found, label: _ops["sign"](found - label),
    "data itself, with the gradient of the distance to the label.",
)


# ---- Others ------------------------------------------------------------------------------------


def svm_output(data, label, margin=1.0, regularization_coefficient=1.0, use_linear=False):
    """data itself, with the gradient of the (squared) hinge loss of a class against the others."""
    _check_labels(data, label, -1)

    def gradient(flow, found, label):
        sign = _composed.one_hot(label, found.shape[-1], -1.0, 1.0, found.dtype)
        over = _ops["maximum"](margin + sign * found, 0)
        over = _ops["sign"](over) if use_linear else 2 * over
        return sign * over * regularization_coefficient

    return _Output(_ops["copy"], gradient)(data, label)


def make_loss(data, grad_scale=1.0, valid_thresh=0.0, normalization="null"):
    """data itself; grad_scale flows back, divided by the batch's size or how many are valid."""
    one_of("MakeLoss", "normalization", normalization, ("null", "batch", "valid"))

    def gradient(flow, found):
        made = _ops["ones"](found.shape, found.dtype) * grad_scale
        if normalization == "batch":
            return made / found.shape[0]
        if normalization == "valid":
            valid = _ops["maximum"](_sum(found > valid_thresh), 1)
            return made / _ops["cast"](valid, found.dtype)
        return made

    return _Output(_ops["copy"], gradient)(data)
