"""mx.gluon.loss: a number for each sample, the mean over all other axes.

Labels are brought into the shape of predictions, never broadcast, and gradients flow to both, so
that the two may be swapped where the formula is the same. What is computed are rows of the table
and plain expressions, which run as one; both dialects' arrays go into them as they are.
"""

from math import pi

from ... import _core
from .._layers.ctc import ctc_loss
from .._missing import missing
from .._np_array import native_dtype, ndarray
from ..base import MXNetValueError
from .block import HybridBlock

__all__ = [
    *("Loss", "L2Loss", "L1Loss", "SigmoidBinaryCrossEntropyLoss", "SigmoidBCELoss"),
    *("SoftmaxCrossEntropyLoss", "SoftmaxCELoss", "KLDivLoss", "CTCLoss", "HuberLoss", "HingeLoss"),
    *("SquaredHingeLoss", "LogisticLoss", "TripletLoss", "PoissonNLLLoss", "CosineEmbeddingLoss"),
    "SDMLLoss",
]

_ops = _core._ops
_abs, _relu, _log, _exp, _square = (_ops[name] for name in "abs relu log exp square".split())
_mean, _sum, _where, _clip = (_ops[name] for name in "mean sum where clip".split())
_l1, _l2, _huber, _hinge = (_ops[f"{name}_loss"] for name in "l1 l2 huber hinge".split())
_squared_hinge, _softplus = _ops["squared_hinge_loss"], _ops["softplus"]
_log_softmax, _cross_entropy = _ops["log_softmax"], _ops["cross_entropy_rows"]
_float32, _float64 = _core._dtype("float32"), _core._dtype("float64")

# The axes behind the first, by their number.
_BEHIND = [tuple(range(1, ndim)) for ndim in range(33)]


def _axes(ndim, batch_axis):
    """All axes but that of the samples."""
    if batch_axis == 0:
        return _BEHIND[ndim]
    if not -ndim <= batch_axis < ndim:
        raise MXNetValueError(f"batch_axis {batch_axis} of a loss of {ndim} dimensions")
    return tuple(axis for axis in range(ndim) if axis != batch_axis % ndim)


def _means(loss, batch_axis):
    """The mean of each sample. In mx.np these lie along the first axis, as in MXNet, always."""
    axes = _axes(loss.ndim, 0 if type(loss) is ndarray else batch_axis)
    return _mean(loss, axes) if axes else loss


def _like(label, pred):
    """The label in the shape of the prediction; in mx.np, where types may be mixed, of its type."""
    if label.shape != pred.shape:
        label = label.reshape(pred.shape)
    if type(label) is ndarray and native_dtype(label) is not native_dtype(pred):
        label = label.astype(native_dtype(pred))
    return label


def _weighted(loss, weight, sample_weight):
    """The loss times what samples count, times what the loss counts."""
    if sample_weight is not None:
        loss = loss * sample_weight
    if weight is not None:
        if not isinstance(weight, (int, float)):
            raise AssertionError(f"weight must be a number, not {weight!r}")
        if weight != 1:
            loss = loss * weight
    return loss


class Loss(HybridBlock):
    """What losses have in common: a weight, and which axis is that of the samples."""

    __module__ = "mxnet.gluon.loss"

    def __init__(self, weight, batch_axis, **kwargs):
        super().__init__(**kwargs)
        self._weight = weight
        self._batch_axis = batch_axis

    def __repr__(self):
        return f"{type(self).__name__}(batch_axis={self._batch_axis}, w={self._weight})"

    def hybrid_forward(self, F, x, *args, **kwargs):
        raise NotImplementedError(f"{type(self).__name__} does not define hybrid_forward")

    def _finished(self, loss, sample_weight):
        """The loss of each sample, by the losses of elements."""
        if sample_weight is not None or self._weight is not None:
            loss = _weighted(loss, self._weight, sample_weight)
        return _means(loss, self._batch_axis)


# ---- Distances -----------------------------------------------------------------------------------


class L2Loss(Loss):
    """weight / 2 * (label - pred)**2."""

    __module__ = "mxnet.gluon.loss"

    def __init__(self, weight=1.0, batch_axis=0, **kwargs):
        super().__init__(weight, batch_axis, **kwargs)

    def hybrid_forward(self, F, pred, label, sample_weight=None):
        return self._finished(_l2(pred, _like(label, pred)), sample_weight)


class L1Loss(Loss):
    """|label - pred|."""

    __module__ = "mxnet.gluon.loss"

    def __init__(self, weight=None, batch_axis=0, **kwargs):
        super().__init__(weight, batch_axis, **kwargs)

    def hybrid_forward(self, F, pred, label, sample_weight=None):
        return self._finished(_l1(pred, _like(label, pred)), sample_weight)


class HuberLoss(Loss):
    """With d = |label - pred|: d**2 / (2 rho) where d is below rho, else d - rho / 2."""

    __module__ = "mxnet.gluon.loss"

    def __init__(self, rho=1, weight=None, batch_axis=0, **kwargs):
        super().__init__(weight, batch_axis, **kwargs)
        self._rho = rho

    def hybrid_forward(self, F, pred, label, sample_weight=None):
        return self._finished(_huber(pred, _like(label, pred), self._rho), sample_weight)


# ---- Two classes ---------------------------------------------------------------------------------


class HingeLoss(Loss):
    """max(0, margin - pred * label), for labels -1 and 1."""

    __module__ = "mxnet.gluon.loss"

    def __init__(self, margin=1, weight=None, batch_axis=0, **kwargs):
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(self, F, pred, label, sample_weight=None):
        return self._finished(_hinge(pred, _like(label, pred), self._margin), sample_weight)


class SquaredHingeLoss(Loss):
    """max(0, margin - pred * label)**2, for labels -1 and 1."""

    __module__ = "mxnet.gluon.loss"

    def __init__(self, margin=1, weight=None, batch_axis=0, **kwargs):
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(self, F, pred, label, sample_weight=None):
        loss = _squared_hinge(pred, _like(label, pred), self._margin)
        return self._finished(loss, sample_weight)


def _logits(pred, label, pos_weight=None):
    """-pos_weight label log(p) - (1 - label) log(1 - p), with p = sigmoid(pred).

    The gradient at 0 is that of these terms, of which abs and relu have 0 there, as in MXNet.
    """
    if pos_weight is None:
        return _relu(pred) - pred * label + _softplus(-_abs(pred))
    factor = 1 + (pos_weight - 1) * label
    return pred - pred * label + factor * (_softplus(-_abs(pred)) + _relu(-pred))


class LogisticLoss(Loss):
    """log(1 + exp(-pred * label)), for labels -1 and 1; with label_format 'binary' for 0 and 1."""

    __module__ = "mxnet.gluon.loss"

    def __init__(self, weight=None, batch_axis=0, label_format="signed", **kwargs):
        super().__init__(weight, batch_axis, **kwargs)
        if label_format not in ("signed", "binary"):
            raise ValueError(
                f"label_format must be 'signed' or 'binary', not {label_format!r}"
            )
        self._label_format = label_format

    def hybrid_forward(self, F, pred, label, sample_weight=None):
        label = _like(label, pred)
        if self._label_format == "signed":
            label = (label + 1) * 0.5
        return self._finished(_logits(pred, label), sample_weight)


class SigmoidBinaryCrossEntropyLoss(Loss):
    """With p = sigmoid(pred): -pos_weight label log(p) - (1 - label) log(1 - p).

    With from_sigmoid pred is p itself. pos_weight is broadcast.
    """

    __module__ = "mxnet.gluon.loss"

    def __init__(self, from_sigmoid=False, weight=None, batch_axis=0, **kwargs):
        super().__init__(weight, batch_axis, **kwargs)
        self._from_sigmoid = from_sigmoid

    def hybrid_forward(self, F, pred, label, sample_weight=None, pos_weight=None):
        label = _like(label, pred)
        if not self._from_sigmoid:
            return self._finished(_logits(pred, label, pos_weight), sample_weight)
        hits = _log(pred + 1e-12) * label
        if pos_weight is not None:
            hits = hits * pos_weight
        return self._finished(-(hits + _log(1 - pred + 1e-12) * (1 - label)), sample_weight)


SigmoidBCELoss = SigmoidBinaryCrossEntropyLoss


# ---- Classes -------------------------------------------------------------------------------------


class SoftmaxCrossEntropyLoss(Loss):
    """-log_softmax(pred) at the place along the axis that the label names.

    Without sparse_label, labels have the shape of pred and the result is the sum of their products.
    With from_logits, pred is logarithms of probabilities. Places out of range name the nearest one.
    """

    __module__ = "mxnet.gluon.loss"

    def __init__(
        self,
        axis=-1,
        sparse_label=True,
        from_logits=False,
        weight=None,
        batch_axis=0,
        **kwargs,
    ):
        super().__init__(weight, batch_axis, **kwargs)
        self._axis = axis
        self._sparse_label = sparse_label
        self._from_logits = from_logits

    def hybrid_forward(self, F, pred, label, sample_weight=None):
        shape = pred.shape
        if len(shape) == 1:  # one row
            pred, label = pred.reshape((1, -1)), label.reshape((1, -1))
            shape = pred.shape
        axis = self._axis
        if self._sparse_label and not self._from_logits and axis in (-1, len(shape) - 1):
            dtype = native_dtype(pred)
            if dtype is _float32 or dtype is _float64:
                loss = _cross_entropy(pred, _places(label, shape[:-1], shape[-1]))
                if len(shape) == 2 and sample_weight is None and self._batch_axis == 0:
                    return loss if self._weight is None else _weighted(loss, self._weight, None)
                return self._finished(loss.reshape((*shape[:-1], 1)), sample_weight)
        return self._finished(self._elements(pred, label), sample_weight)

    def _elements(self, pred, label):
        """The losses, with an axis of length 1 in the place of that of the classes."""
        if not -pred.ndim <= self._axis < pred.ndim:
            raise MXNetValueError(f"axis {self._axis} exceeds the input dimension of {pred.ndim}")
        axis = self._axis % pred.ndim
        if not self._from_logits:
            pred = _log_softmax(pred, axis)
        if not self._sparse_label:
            return -_sum(pred * _like(label, pred), axis, keepdims=True)
        shape = pred.shape
        places = _places(label, shape[:axis] + shape[axis + 1 :], shape[axis])
        return -_ops["pick"](pred, places, axis, keepdims=True)


SoftmaxCELoss = SoftmaxCrossEntropyLoss


def _places(label, shape, count):
    """Labels as integers of 0 .. count - 1, in a shape that has one for each row."""
    if label.shape != shape:
        label = label.reshape(shape)
    label = _clip(label, 0, count - 1)
    return label if native_dtype(label).kind in "iu" else _ops["cast"](label, "int32")


class KLDivLoss(Loss):
    """label * (log(label) - pred), for labels that are probabilities and pred their logarithms.

    The result is not the mean but the sum over all axes but that of the samples. Without
    from_logits, pred is what log_softmax along the axis makes them of.
    """

    __module__ = "mxnet.gluon.loss"

    def __init__(self, from_logits=True, axis=-1, weight=None, batch_axis=0, **kwargs):
        super().__init__(weight, batch_axis, **kwargs)
        self._from_logits = from_logits
        self._axis = axis

    def hybrid_forward(self, F, pred, label, sample_weight=None):
        if not self._from_logits:
            pred = _log_softmax(pred, self._axis)
        loss = label * (_log(label + 1e-12) - pred)
        loss = _weighted(loss, self._weight, sample_weight)
        axes = _axes(loss.ndim, self._batch_axis)
        return _sum(loss, axes) if axes else loss


class CTCLoss(Loss):
    """Connectionist temporal classification: -log of the probability of a label as a sequence.

    pred has scores of classes for each step, of which the last class is the blank; label has
    classes for each sample, padded with -1, or with anything if label_lengths are given.
    """

    __module__ = "mxnet.gluon.loss"

    def __init__(self, layout="NTC", label_layout="NT", weight=None, **kwargs):
        if layout not in ("NTC", "TNC"):
            raise AssertionError(
                f"layout must be 'NTC' or 'TNC', not {layout!r}"
            )
        if label_layout not in ("NT", "TN"):
            raise AssertionError(
                f"label_layout must be 'NT' or 'TN', not {label_layout!r}"
            )
        super().__init__(weight, label_layout.find("N"), **kwargs)
        self._layout = layout
        self._label_layout = label_layout

    def hybrid_forward(
        self, F, pred, label, pred_lengths=None, label_lengths=None, sample_weight=None
    ):
        if self._layout == "NTC":
            pred = pred.swapaxes(0, 1)
        if self._batch_axis == 1:
            label = label.swapaxes(0, 1)
        used = pred_lengths is not None, label_lengths is not None
        loss = ctc_loss(pred, label, pred_lengths, label_lengths, *used, blank_label="last")
        return _weighted(loss, self._weight, sample_weight)


# ---- Counts --------------------------------------------------------------------------------------


class PoissonNLLLoss(Loss):
    """exp(pred) - target * pred, for counts; one number, the mean of all elements.

    Without from_logits, pred - target * log(pred + epsilon). compute_full adds what Stirling's
    formula says of log(target!), where the target is above 1.
    """

    __module__ = "mxnet.gluon.loss"

    def __init__(
        self, weight=None, from_logits=True, batch_axis=0, compute_full=False, **kwargs
    ):
        super().__init__(weight, batch_axis, **kwargs)
        self._from_logits = from_logits
        self._compute_full = compute_full

    def hybrid_forward(self, F, pred, target, sample_weight=None, epsilon=1e-08):
        target = _like(target, pred)
        if self._from_logits:
            loss = _exp(pred) - target * pred
        else:
            loss = pred - target * _log(pred + epsilon)
        if self._compute_full:
            factorial = target * _log(target) - target + 0.5 * _log(2 * pi * target)
            loss = loss + factorial * (target > 1)
        return _mean(_weighted(loss, self._weight, sample_weight))


# ---- Vectors that belong together ----------------------------------------------------------------


class TripletLoss(Loss):
    """max(0, |positive - pred|**2 - |negative - pred|**2 + margin)."""

    __module__ = "mxnet.gluon.loss"

    def __init__(self, margin=1, weight=None, batch_axis=0, **kwargs):
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(self, F, pred, positive, negative):
        near = _square(_like(positive, pred) - pred)
        far = _square(_like(negative, pred) - pred)
        axes = _axes(pred.ndim, self._batch_axis)
        loss = _sum(near - far, axes) if axes else near - far
        return _weighted(_relu(loss + self._margin), self._weight, None)


class CosineEmbeddingLoss(Loss):
    """With the cosine c of two vectors: 1 - c where the label is 1, else max(0, c - margin).

    The result has a row of one element for each pair.
    """

    __module__ = "mxnet.gluon.loss"

    def __init__(self, weight=None, batch_axis=0, margin=0, **kwargs):
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(self, F, input1, input2, label, sample_weight=None):
        input1 = _like(input1, input2)
        cosine = _cosine(input1, input2).reshape((-1, 1))
        label = label.reshape((-1, 1))
        apart = _clip(cosine - self._margin, 0, 1 - self._margin)
        return _weighted(_where(label == 1, 1 - cosine, apart), self._weight, sample_weight)


def _cosine(x, y):
    """The cosine of the angle between vectors along the last axis."""
    norm = _ops["vector_norm"]
    return _sum(x * y, -1) / _ops["maximum"](norm(x, axis=-1) * norm(y, axis=-1), 1e-12)


class SDMLLoss(Loss):
    """Pairs of vectors of two batches, each nearer to its own than to the others of the batch.

    The divergence of softmax(-squared distances) from an identity matrix, of which
    smoothing_parameter is given to the vectors that do not belong together.
    """

    __module__ = "mxnet.gluon.loss"

    def __init__(self, smoothing_parameter=0.3, weight=1.0, batch_axis=0, **kwargs):
        super().__init__(weight, batch_axis, **kwargs)
        self.kl_loss = KLDivLoss(from_logits=True)
        self.smoothing_parameter = smoothing_parameter

    def hybrid_forward(self, F, x1, x2):
        count, width = x1.shape
        between = x1.reshape((count, 1, width)) - x2.reshape((1, *x2.shape))
        logs = _log_softmax(-_sum(_square(between), 2), 1)
        return self.kl_loss(logs, self._targets(x1, count))

    def _targets(self, like, count):
        """The probabilities that the distances should say."""
        wrong = self.smoothing_parameter / (count - 1) if count > 1 else 0.0
        made = _ops["eye"](count, dtype=native_dtype(like), device=like.device)
        return (made * (1 - self.smoothing_parameter - wrong) + wrong).as_subclass(type(like))


__getattr__ = missing("mxnet.gluon.loss")
