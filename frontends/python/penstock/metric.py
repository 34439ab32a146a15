"""Metrics: how good predictions are, summed up on the device until somebody asks.

>>> accuracy = ps.metric.Accuracy()
>>> accuracy.update(ps.array([0, 1, 1]), ps.array([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]]))
>>> name, value = accuracy.get()
>>> f"{name}: {value:.3f}"
'accuracy: 0.667'

`update` only queues operations; `get` waits for their result. What is summed up is in no graph, so
that a loop which updates a metric keeps nothing of what was recorded.
"""

from __future__ import annotations

import math

from . import _core, _functions, autograd
from ._core import ndarray

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    _Batch = ndarray | Sequence[ndarray]

__all__ = [
    "MAE",
    "MSE",
    "RMSE",
    "Accuracy",
    "CompositeMetric",
    "CrossEntropy",
    "F1",
    "Loss",
    "Metric",
    "Perplexity",
    "TopKAccuracy",
]


def __dir__() -> list[str]:
    return __all__


_ops = _core._ops


def _pairs(labels: _Batch, predictions: _Batch) -> list[tuple[ndarray, ndarray]]:
    """One array of each, or as many of one as of the other."""
    if isinstance(labels, ndarray):
        labels = [labels]
    if isinstance(predictions, ndarray):
        predictions = [predictions]
    if len(labels) != len(predictions):
        raise ValueError(f"{len(labels)} arrays of labels, {len(predictions)} of predictions")
    return list(zip(labels, predictions, strict=True))


def _same_shape(metric: Metric, label: ndarray, prediction: ndarray) -> None:
    if label.shape != prediction.shape:
        raise ValueError(
            f"{metric.name}: labels of shape {label.shape}, predictions of shape {prediction.shape}"
        )


def _total(x: ndarray) -> ndarray:
    """The sum of all elements, with enough digits for many of them."""
    return _ops["sum"](x, dtype=_core.float64)


class Metric:
    """The mean of something over all elements so far: `_measure` says what, for one batch."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.reset()

    def __repr__(self) -> str:
        return f"penstock.metric.{type(self).__name__}(name={self.name!r})"

    def reset(self) -> None:
        """Forgets all batches."""
        self._sum: ndarray | float = 0.0
        self._count: ndarray | int = 0

    def update(self, labels: _Batch, predictions: _Batch) -> None:
        """Takes a batch, or one for each of several outputs. Does not wait."""
        pairs = _pairs(labels, predictions)
        with autograd.pause():
            measured = [self._measure(*pair) for pair in pairs]
            for total, count in measured:
                self._sum = (self._sum + total).detach()
                self._count = self._count + count

    @property
    def value(self) -> float:
        """What was measured so far; nan if there were no elements. Waits."""
        count = float(self._count)
        return self._value(float(self._sum) / count) if count else math.nan

    def get(self) -> tuple[str, float]:
        """The name and the value. Waits."""
        return self.name, self.value

    def _measure(self, label: ndarray, prediction: ndarray) -> tuple[ndarray, ndarray | int]:
        """The sum over a batch, and of how many."""
        raise NotImplementedError

    def _value(self, mean: float) -> float:
        return mean


# ---- Classes ------------------------------------------------------------------------------------


class Accuracy(Metric):
    """How many predictions are right: labels are integers, predictions such or a number for each
    class along the axis, of which the largest counts."""

    def __init__(self, axis: int = -1, name: str = "accuracy") -> None:
        super().__init__(name)
        self.axis = axis

    def _measure(self, label, prediction):
        if prediction.ndim == label.ndim + 1:
            prediction = _ops["argmax"](prediction, axis=self.axis)
        _same_shape(self, label, prediction)
        right = _ops["equal"](label, prediction)
        return _ops["count_nonzero"](right), label.size


class TopKAccuracy(Metric):
    """How many labels are among the top_k classes that are predicted with the largest numbers.

    >>> best = ps.metric.TopKAccuracy(2)
    >>> best.update(ps.array([0, 0]), ps.array([[0.2, 0.5, 0.3], [0.3, 0.5, 0.2]]))
    >>> best.get()
    ('top_2_accuracy', 0.5)
    """

    def __init__(self, top_k: int, name: str | None = None) -> None:
        super().__init__(name or f"top_{top_k}_accuracy")
        self.top_k = top_k

    def _measure(self, label, prediction):
        if prediction.shape[:-1] != label.shape:
            raise ValueError(
                f"{self.name}: labels of shape {label.shape}, predictions of shape "
                f"{prediction.shape}: they must be a number for each label and class"
            )
        best = _ops["topk"](prediction, min(self.top_k, prediction.shape[-1]), axis=-1)
        hit = _ops["equal"](best, _ops["expand_dims"](label, axis=-1))
        return _ops["count_nonzero"](hit), label.size


class F1(Metric):
    """The harmonic mean of precision and recall of class 1 of two. average: "macro", the mean of
    what each batch gives; "micro", of all elements together.

    >>> f1 = ps.metric.F1()
    >>> f1.update(ps.array([1, 1, 0, 0]), ps.array([0.9, 0.2, 0.8, 0.1]))
    >>> f1.get()
    ('f1', 0.5)
    """

    def __init__(self, average: str = "macro", threshold: float = 0.5, name: str = "f1") -> None:
        if average not in ("macro", "micro"):
            raise ValueError(f"average must be 'macro' or 'micro', not {average!r}")
        super().__init__(name)
        self.average = average
        self.threshold = threshold

    def _measure(self, label, prediction):
        if prediction.ndim == label.ndim + 1:
            if prediction.shape[-1] != 2:
                raise ValueError(
                    f"{self.name}: predictions of shape {prediction.shape}: there must be 2 classes"
                )
            positive = _ops["argmax"](prediction, axis=-1) == 1
        else:
            positive = prediction > self.threshold
        _same_shape(self, label, positive)
        true = label == 1
        hits = _total(positive & true)
        found = _total(positive)
        there = _total(true)
        if self.average == "micro":
            return 2 * hits, found + there
        return 2 * hits / _ops["maximum"](found + there, 1), 1


# ---- Numbers ------------------------------------------------------------------------------------


class MAE(Metric):
    """The mean of |label - prediction|."""

    def __init__(self, name: str = "mae") -> None:
        super().__init__(name)

    def _measure(self, label, prediction):
        _same_shape(self, label, prediction)
        return _total(_ops["abs"](label - prediction)), label.size


class MSE(Metric):
    """The mean of the square of label - prediction.

    >>> mse = ps.metric.MSE()
    >>> mse.update(ps.array([1.0, 2.0]), ps.array([1.0, 4.0]))
    >>> mse.get()
    ('mse', 2.0)
    """

    def __init__(self, name: str = "mse") -> None:
        super().__init__(name)

    def _measure(self, label, prediction):
        _same_shape(self, label, prediction)
        return _total(_ops["square"](label - prediction)), label.size


class RMSE(MSE):
    """The square root of MSE, over all elements."""

    def __init__(self, name: str = "rmse") -> None:
        super().__init__(name)

    def _value(self, mean):
        return math.sqrt(mean)


# ---- Probabilities ------------------------------------------------------------------------------


class CrossEntropy(Metric):
    """The mean of -log(p + eps), p being what was predicted for the label's class along the last
    axis. Labels that equal ignore_label do not count.

    >>> entropy = ps.metric.CrossEntropy()
    >>> entropy.update(ps.array([1]), ps.array([[0.5, 0.5]]))
    >>> f"{entropy.get()[1]:.4f}"
    '0.6931'
    """

    def __init__(
        self,
        eps: float = 1e-12,
        ignore_label: int | None = None,
        name: str = "cross_entropy",
    ) -> None:
        super().__init__(name)
        self.eps = eps
        self.ignore_label = ignore_label

    def _measure(self, label, prediction):
        if prediction.shape[:-1] != label.shape:
            raise ValueError(
                f"{self.name}: labels of shape {label.shape}, predictions of shape "
                f"{prediction.shape}: they must be a probability for each label and class"
            )
        at = _ops["cast"](label, _core.int64)
        counted = None
        if self.ignore_label is not None:
            counted = at != self.ignore_label
            at = _functions.where(counted, at, 0)
        at = _ops["expand_dims"](at, axis=-1)
        chosen = _ops["take_along_axis"](prediction, at, axis=-1)
        losses = -_ops["log"](_ops["squeeze"](chosen, axis=-1) + self.eps)
        if counted is None:
            return _total(losses), label.size
        return _total(_functions.where(counted, losses, 0)), _total(counted)


class Perplexity(CrossEntropy):
    """e to the power of CrossEntropy."""

    def __init__(
        self, eps: float = 1e-12, ignore_label: int | None = None, name: str = "perplexity"
    ) -> None:
        super().__init__(eps, ignore_label, name)

    def _value(self, mean):
        return math.exp(mean)


class Loss(Metric):
    """The mean of losses that were computed elsewhere: they are the predictions, labels do not
    count and may be None."""

    def __init__(self, name: str = "loss") -> None:
        super().__init__(name)

    def update(self, labels: _Batch | None, predictions: _Batch) -> None:
        """Takes the losses of a batch. Does not wait."""
        super().update(predictions, predictions)

    def _measure(self, label, prediction):
        return _total(prediction), prediction.size


# ---- Several ------------------------------------------------------------------------------------


class CompositeMetric:
    """Several metrics of the same labels and predictions.

    >>> both = ps.metric.CompositeMetric([ps.metric.MAE(), ps.metric.RMSE()])
    >>> both.update(ps.array([1.0, 2.0]), ps.array([1.0, 4.0]))
    >>> both.get()
    (['mae', 'rmse'], [1.0, 1.4142135623730951])
    """

    def __init__(self, metrics: Iterable[Metric] = (), name: str = "composite") -> None:
        self.name = name
        self.metrics = list(metrics)

    def __repr__(self) -> str:
        return f"penstock.metric.CompositeMetric({self.metrics!r})"

    def add(self, metric: Metric) -> None:
        self.metrics.append(metric)

    def reset(self) -> None:
        """Forgets all batches."""
        for metric in self.metrics:
            metric.reset()

    def update(self, labels: _Batch, predictions: _Batch) -> None:
        """Takes a batch, for each of them. Does not wait."""
        for metric in self.metrics:
            metric.update(labels, predictions)

    def get(self) -> tuple[list[str], list[float]]:
        """All names, and all values. Waits."""
        pairs = [metric.get() for metric in self.metrics]
        return [name for name, _ in pairs], [value for _, value in pairs]
