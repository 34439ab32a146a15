"""Losses as blocks: a number for each sample, which is the mean over all other axes."""

from __future__ import annotations

from .. import _core
from .._core import ndarray
from ._block import Block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .._core import _ArrayLike

_ops = _core._ops


def _like(label: Any, x: ndarray) -> ndarray:
    """The labels in the shape of what they are compared with; never broadcast."""
    label = _core.asarray(label)
    if label.shape == x.shape:
        return label
    if label.size != x.size:
        raise ValueError(f"labels of shape {label.shape} for predictions of shape {x.shape}")
    return label.reshape(x.shape)


class Loss(Block):
    """What losses have in common.

    The loss of each element, times sample_weight where the call has one (it is broadcast), times
    weight; then its mean over all axes but batch_axis.

    >>> class Distance(ps.nn.Loss):
    ...     def elements(self, x, label):
    ...         return abs(x - label)
    >>> Distance()(ps.ones((2, 2)), ps.zeros((2, 2)))
    array([1., 1.])
    """

    def __init__(self, weight: float | None = None, batch_axis: int = 0) -> None:
        self.weight = weight
        self.batch_axis = batch_axis

    def elements(self, x: ndarray, label: Any) -> ndarray:
        """The loss of each element; for classes to define.

        >>> ps.nn.L2Loss().elements(ps.array([3.0]), ps.array([1.0]))
        array([2.])
        """
        raise NotImplementedError(f"{type(self).__name__} does not define elements")

    def forward(
        self, x: _ArrayLike, label: _ArrayLike, sample_weight: _ArrayLike | None = None
    ) -> ndarray:
        loss = self.elements(_core.asarray(x), label)
        if sample_weight is not None:
            loss = loss * sample_weight
        if self.weight is not None:
            loss = loss * self.weight
        if loss.ndim <= 1:
            return loss
        batch = self.batch_axis % loss.ndim
        return loss.mean(tuple(axis for axis in range(loss.ndim) if axis != batch))

    def _described(self) -> str:
        return "" if self.weight is None else f"weight={self.weight}"


class L1Loss(Loss):
    """|x - label|.

    >>> ps.nn.L1Loss()(ps.array([[1.0, 3.0]]), ps.array([[0.0, 0.0]]))
    array([2.])
    """

    def elements(self, x: ndarray, label: Any) -> ndarray:
        return _ops["l1_loss"](x, _like(label, x))


class L2Loss(Loss):
    """(x - label)**2 / 2.

    >>> ps.nn.L2Loss()(ps.array([[1.0], [3.0]]), ps.array([0.0, 0.0]))
    array([0.5, 4.5])
    """

    def elements(self, x: ndarray, label: Any) -> ndarray:
        return _ops["l2_loss"](x, _like(label, x))


class HuberLoss(Loss):
    """With d = |x - label|: d**2 / (2 rho) where d < rho, else d - rho / 2.

    >>> ps.nn.HuberLoss()(ps.array([0.5, 3.0]), ps.array([0.0, 0.0]))
    array([0.125, 2.5  ])
    """

    def __init__(self, rho: float = 1.0, weight: float | None = None, batch_axis: int = 0) -> None:
        super().__init__(weight, batch_axis)
        self.rho = rho

    def elements(self, x: ndarray, label: Any) -> ndarray:
        return _ops["huber_loss"](x, _like(label, x), rho=self.rho)


class HingeLoss(Loss):
    """max(0, margin - x * label), for labels -1 and 1.

    >>> ps.nn.HingeLoss()(ps.array([0.5, 3.0]), ps.array([1.0, 1.0]))
    array([0.5, 0. ])
    """

    _operation = "hinge_loss"

    def __init__(
        self, margin: float = 1.0, weight: float | None = None, batch_axis: int = 0
    ) -> None:
        super().__init__(weight, batch_axis)
        self.margin = margin

    def elements(self, x: ndarray, label: Any) -> ndarray:
        return _ops[self._operation](x, _like(label, x), margin=self.margin)


class SquaredHingeLoss(HingeLoss):
    """max(0, margin - x * label)**2, for labels -1 and 1.

    >>> ps.nn.SquaredHingeLoss()(ps.array([0.5, 3.0]), ps.array([1.0, 1.0]))
    array([0.25, 0.  ])
    """

    _operation = "squared_hinge_loss"


class LogisticLoss(Loss):
    """log(1 + exp(-x * label)), for labels -1 and 1; with label_format 'binary' for 0 and 1.

    >>> ps.nn.LogisticLoss()(ps.array([0.0]), ps.array([1.0]))
    array([0.6931472])
    """

    def __init__(
        self, label_format: str = "signed", weight: float | None = None, batch_axis: int = 0
    ) -> None:
        if label_format not in ("signed", "binary"):
            raise ValueError(f"label_format must be signed or binary, not {label_format!r}")
        super().__init__(weight, batch_axis)
        self.label_format = label_format

    def elements(self, x: ndarray, label: Any) -> ndarray:
        label = _like(label, x)
        return _ops["logistic_loss"](x, label if self.label_format == "signed" else 2 * label - 1)


class SigmoidBCELoss(Loss):
    """With p = sigmoid(x): -label log(p) - (1 - label) log(1 - p).

    With from_sigmoid x is p itself. pos_weight, a number or an array that is broadcast, is a factor of
    the first term.

    >>> ps.nn.SigmoidBCELoss()(ps.array([0.0]), ps.array([1.0]))
    array([0.6931472])
    """

    def __init__(
        self,
        from_sigmoid: bool = False,
        weight: float | None = None,
        batch_axis: int = 0,
        pos_weight: ndarray | float | None = None,
    ) -> None:
        super().__init__(weight, batch_axis)
        self.from_sigmoid = from_sigmoid
        self.pos_weight = pos_weight

    def elements(self, x: ndarray, label: Any) -> ndarray:
        settings = {"pos_weight": self.pos_weight, "from_sigmoid": self.from_sigmoid}
        return _ops["sigmoid_bce_loss"](x, _like(label, x), **settings)


class KLDivLoss(Loss):
    """label * (log(label) - x), for labels that are probabilities and x their logarithms.

    Without from_logits x is what log_softmax along the axis makes them of.

    >>> ps.nn.KLDivLoss()(ps.zeros((1, 1)), ps.ones((1, 1)))
    array([0.])
    """

    def __init__(
        self,
        from_logits: bool = True,
        axis: int = -1,
        weight: float | None = None,
        batch_axis: int = 0,
    ) -> None:
        super().__init__(weight, batch_axis)
        self.from_logits = from_logits
        self.axis = axis

    def elements(self, x: ndarray, label: Any) -> ndarray:
        settings = {"from_logits": self.from_logits, "axis": self.axis}
        return _ops["kl_div_loss"](x, _like(label, x), **settings)


class SoftmaxCELoss(Loss):
    """The sum over the axis of -t log_softmax(x), where t is 1 at the label, else 0.

    Labels are integers; without sparse_label they are t itself, of the shape of x. With from_logits
    x is the logarithms of probabilities already. smoothing s makes t (1 - s) t + s / n for n
    classes; where a label is ignore_label the loss is 0.

    >>> ps.nn.SoftmaxCELoss()(ps.zeros((2, 4)), ps.array([0, 3]))
    array([1.3862944, 1.3862944])
    """

    def __init__(
        self,
        axis: int = -1,
        sparse_label: bool = True,
        from_logits: bool = False,
        weight: float | None = None,
        batch_axis: int = 0,
        smoothing: float = 0.0,
        ignore_label: int | None = None,
    ) -> None:
        if from_logits and (smoothing or ignore_label is not None):
            raise ValueError("SoftmaxCELoss: from_logits has no smoothing and no ignore_label")
        super().__init__(weight, batch_axis)
        self.axis = axis
        self.sparse_label = sparse_label
        self.from_logits = from_logits
        self.smoothing = smoothing
        self.ignore_label = ignore_label

    def elements(self, x: ndarray, label: Any) -> ndarray:
        label = self._places(label, x) if self.sparse_label else _like(label, x)
        if not self.from_logits:
            settings = {"ignore_label": self.ignore_label, "smoothing": self.smoothing}
            return _ops["softmax_cross_entropy"](x, label, axis=self.axis, **settings)
        if self.sparse_label:
            return -_ops["pick"](x, label, axis=self.axis)
        return -(x * label).sum(self.axis)

    def _places(self, label: Any, x: ndarray) -> ndarray:
        """Labels as integers, in the shape of x without the axis."""
        label = _core.asarray(label)
        axis = self.axis % x.ndim
        shape = x.shape[:axis] + x.shape[axis + 1 :]
        if label.dtype.kind == "f":
            label = label.astype("int64")
        if label.shape == shape:
            return label
        if label.size * x.shape[axis] != x.size:
            raise ValueError(f"labels of shape {label.shape} for predictions of shape {x.shape}")
        return label.reshape(shape)
