"""mx.metric: how good predictions are.

`update` queues what a batch gives and returns; whoever asks for a figure waits for it. What was
queued is added up in the order of the batches, in Python's floats, as MXNet does it.

>>> from penstock import mxnet as mx
>>> accuracy = mx.metric.create("acc")
>>> accuracy.update([mx.nd.array([0, 1])], [mx.nd.array([[0.9, 0.1], [0.7, 0.3]])])
>>> accuracy.get()
('accuracy', 0.5)
"""

import math
from collections import deque

from .. import _core, autograd as _autograd
from . import _dialects, registry
from ._metric_figures import BinaryCounts, Correlation, correlation_of, matrix_correlation
from ._missing import missing
from ._nd_array import NDArray
from ._pickles import Pickled
from .base import NotArrayError

__all__ = [
    *("Accuracy", "Caffe", "CompositeEvalMetric", "CrossEntropy", "CustomMetric", "EvalMetric"),
    *("F1", "Loss", "MAE", "MCC", "MSE", "NegativeLogLikelihood", "PCC", "PearsonCorrelation"),
    *("Perplexity", "RMSE", "TopKAccuracy", "Torch", "alias", "check_label_shapes", "create"),
    *("np", "register"),
]

_ops = _core._ops
_cast, _equal, _argmax, _mean, _abs = (
    _ops[name] for name in ("cast", "equal", "argmax", "mean", "abs")
)
_MOST_WAITING = 512  # batches whose figures are not known yet; then the older half is waited for


def check_label_shapes(labels, preds, wrap=False, shape=False):
    """Raises if labels and predictions are not equally many, or with `shape` of one shape.

    Gives both; with `wrap` an array as a list with it.
    """
    if shape:
        of_labels, of_preds = labels.shape, preds.shape
    else:
        of_labels, of_preds = len(labels), len(preds)
    if of_labels != of_preds:
        raise ValueError(
            f"labels and predictions differ: {of_labels} of labels, {of_preds} of predictions"
        )
    if wrap:
        labels = [labels] if isinstance(labels, NDArray) else labels
        preds = [preds] if isinstance(preds, NDArray) else preds
    return labels, preds


def _array(value):
    """An array by the native rules, out of any graph."""
    if not isinstance(value, _core.ndarray):
        raise NotArrayError(f"metrics are of arrays, not of {value!r}")
    return _dialects.native(value)


def _pairs(labels, preds):
    labels, preds = check_label_shapes(labels, preds, True)
    return [(_array(label), _array(pred)) for label, pred in zip(labels, preds)]


class EvalMetric(Pickled):
    """What metrics derive from: a sum, of how many, and the same since `reset` for all time.

    Metrics of programs add to sum_metric and num_inst, and to global_sum_metric and
    global_num_inst.
    """

    __module__ = "mxnet.metric"

    def __init__(self, name, output_names=None, label_names=None, **kwargs):
        self.name = str(name)
        self.output_names = output_names
        self.label_names = label_names
        self._has_global_stats = kwargs.pop("has_global_stats", False)
        self._kwargs = kwargs
        self._begin()
        self.reset()

    def __str__(self):
        return f"EvalMetric: {dict(self.get_name_value())}"

    # ---- What there is -------------------------------------------------------------------------

    def get_config(self):
        """What `create` makes such a metric of."""
        return {
            **self._kwargs,
            "metric": type(self).__name__,
            "name": self.name,
            "output_names": self.output_names,
            "label_names": self.label_names,
        }

    def get(self):
        """The name and the figure, since the last reset_local. Waits."""
        return self.name, self._figure(self.sum_metric, self.num_inst)

    def get_global(self):
        """The name and the figure, since the last reset. Waits."""
        if not self._has_global_stats:
            return self.get()
        return self.name, self._figure(self.global_sum_metric, self.global_num_inst)

    def _figure(self, total, count):
        return total / count if count else float("nan")

    def get_name_value(self):
        """Pairs of names and figures. Waits."""
        return _as_pairs(*self.get())

    def get_global_name_value(self):
        """The same since the last reset. Waits."""
        return _as_pairs(*self.get_global()) if self._has_global_stats else self.get_name_value()

    # ---- Batches -------------------------------------------------------------------------------

    def update(self, labels, preds):
        """Takes a batch: labels and predictions, each an array or a list of them."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it updates")

    def update_dict(self, label, pred):
        """The same by names, of which label_names and output_names choose."""
        self.update(_chosen(label, self.label_names), _chosen(pred, self.output_names))

    def reset(self):
        """Forgets everything."""
        self._begin()

    def _begin(self):
        self._waiting = deque()
        self._older = deque()  # what waited before the last reset_local: of all time alone
        self._sums = [0.0, 0.0]
        self._counts = [0, 0]

    def reset_local(self):
        """Forgets what `get` tells; does not wait."""
        self._older += self._waiting
        self._waiting = deque()
        self._sums[0] = 0.0
        self._counts[0] = 0

    # ---- What is queued ------------------------------------------------------------------------

    def _take(self, figure, count=1):
        """Queues the figure of a batch: an array, of which `_add` makes something."""
        self._waiting.append((figure, count))
        if len(self._waiting) + len(self._older) > _MOST_WAITING:
            self._settle(_MOST_WAITING // 2)

    def _settle(self, most=None):
        """Adds up what is queued, or so many of the oldest."""
        while (self._older or self._waiting) and most != 0:
            older = bool(self._older)
            figure, count = (self._older if older else self._waiting).popleft()
            self._add(figure, count, (1,) if older else (0, 1))
            most = None if most is None else most - 1

    def _add(self, figure, count, places):
        """Adds the figure of a batch to the sums: since reset_local (0), and of all time (1)."""
        figure = float(figure)
        for place in places:
            self._sums[place] += figure
            self._counts[place] += count


def _counter(field, place, text):
    """A sum or a count that programs read and write: waits for what is queued."""

    def get(self):
        self._settle()
        return getattr(self, field)[place]

    def put(self, value):
        self._settle()
        getattr(self, field)[place] = value

    return property(get, put, doc=text)


EvalMetric.sum_metric = _counter("_sums", 0, "The sum since the last reset_local.")
EvalMetric.num_inst = _counter("_counts", 0, "Of how many that is.")
EvalMetric.global_sum_metric = _counter("_sums", 1, "The sum since the last reset.")
EvalMetric.global_num_inst = _counter("_counts", 1, "Of how many that is.")


def _as_pairs(names, values):
    names = names if isinstance(names, list) else [names]
    values = values if isinstance(values, list) else [values]
    return list(zip(names, values))


def _chosen(arrays, names):
    return list(arrays.values()) if names is None else [arrays[name] for name in names]


register = registry.get_register_func(EvalMetric, "metric")
alias = registry.get_alias_func(EvalMetric, "metric")
_create = registry.get_create_func(EvalMetric, "metric")


def create(metric, *args, **kwargs):
    """A metric by its name, of a function of labels and predictions, or of a list of metrics."""
    if callable(metric):
        return CustomMetric(metric, *args, **kwargs)
    if isinstance(metric, list):
        composite = CompositeEvalMetric()
        for one in metric:
            composite.add(create(one, *args, **kwargs))
        return composite
    return _create(metric, *args, **kwargs)


# ---- Several -------------------------------------------------------------------------------------


@register
@alias("composite")
class CompositeEvalMetric(EvalMetric):
    """Several metrics of the same labels and predictions."""

    __module__ = "mxnet.metric"

    def __init__(self, metrics=None, name="composite", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names, has_global_stats=True)
        self.metrics = [create(metric) for metric in metrics or ()]

    def add(self, metric):
        """Adds a metric, or what `create` makes one of."""
        self.metrics.append(create(metric))

    def get_metric(self, index):
        """The metric at a place."""
        try:
            return self.metrics[index]
        except IndexError:
            # MXNet gives it back rather than raising it.
            return ValueError(f"there are {len(self.metrics)} metrics, and none of number {index}")

    def update_dict(self, labels, preds):
        """Takes a batch by names."""
        if self.label_names is not None:
            labels = {name: labels[name] for name in labels if name in self.label_names}
        if self.output_names is not None:
            preds = {name: preds[name] for name in preds if name in self.output_names}
        for metric in self.metrics:
            metric.update_dict(labels, preds)

    def update(self, labels, preds):
        """Takes a batch, for each of them."""
        for metric in self.metrics:
            metric.update(labels, preds)

    def reset(self):
        """Forgets everything."""
        for metric in getattr(self, "metrics", ()):
            metric.reset()

    def reset_local(self):
        """Forgets what `get` tells."""
        for metric in getattr(self, "metrics", ()):
            metric.reset_local()

    def get(self):
        """All names, and all figures. Waits."""
        return self._listed(metric.get() for metric in self.metrics)

    def get_global(self):
        """All names, and all figures since the last reset. Waits."""
        return self._listed(metric.get_global() for metric in self.metrics)

    def _listed(self, found):
        names, values = [], []
        for name, value in found:
            names.extend([name] if isinstance(name, str) else name)
            values.extend([value] if not isinstance(value, list) else value)
        return names, values

    def get_config(self):
        """What `create` makes such a metric of."""
        config = super().get_config()
        config["metrics"] = [metric.get_config() for metric in self.metrics]
        return config


# ---- Classes -------------------------------------------------------------------------------------


@register
@alias("acc")
class Accuracy(EvalMetric):
    """How many predictions are right: classes, or a number for each along the axis."""

    __module__ = "mxnet.metric"

    def __init__(self, axis=1, name="accuracy", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names, axis=axis, has_global_stats=True)
        self.axis = axis

    def update(self, labels, preds):
        """Takes a batch. Does not wait."""
        pairs = _pairs(labels, preds)
        with _autograd.pause():
            for label, pred in pairs:
                if pred.shape != label.shape:
                    pred = _argmax(pred, axis=self.axis)
                label, pred = _classes(label), _classes(pred)
                check_label_shapes(label, pred)
                self._take(_ops["count_nonzero"](_equal(label, pred)), label.size)


def _classes(array):
    """As a row of integers."""
    return _cast(array, "int32").reshape((-1,))


@register
@alias("top_k_accuracy", "top_k_acc")
class TopKAccuracy(EvalMetric):
    """How many labels are among the top_k classes that are predicted with the largest numbers."""

    __module__ = "mxnet.metric"

    def __init__(self, top_k=1, name="top_k_accuracy", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names, top_k=top_k, has_global_stats=True)
        self.top_k = top_k
        assert top_k > 1, f"top_k must be 2 or more, not {top_k}: Accuracy is for 1"
        self.name += f"_{top_k}"

    def update(self, labels, preds):
        """Takes a batch. Does not wait."""
        pairs = _pairs(labels, preds)
        with _autograd.pause():
            for label, pred in pairs:
                assert pred.ndim <= 2, f"predictions have one or two dimensions, not {pred.ndim}"
                check_label_shapes(label, pred)
                label = _classes(label)
                if pred.ndim == 2:
                    best = _ops["topk"](pred, min(self.top_k, pred.shape[1]), axis=1)
                    label = label.reshape((-1, 1))
                else:
                    best = _ops["argsort"](pred)
                self._take(_ops["count_nonzero"](_equal(best, label)), pred.shape[0])


class _Binary(EvalMetric):
    """A figure of how often each of two classes was predicted for each.

    average: "macro", the mean of what each batch gives; else that of all batches together.
    """

    def __init__(self, name, output_names, label_names, average):
        self._average = average
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def reset(self):
        """Forgets everything."""
        super().reset()
        self._metrics = [BinaryCounts(), BinaryCounts()]

    def reset_local(self):
        """Forgets what `get` tells."""
        super().reset_local()
        self._metrics[0] = BinaryCounts()

    def update(self, labels, preds):
        """Takes a batch. Does not wait."""
        pairs = _pairs(labels, preds)
        with _autograd.pause():
            counted = [_counted(label, pred) for label, pred in pairs]
        self._take(counted, sum(label.size for label, _ in pairs))

    def _add(self, figure, count, places):
        counts = BinaryCounts()
        for one in figure:
            counts.add(*one.tolist())
        for place in places:
            if self._average == "macro":
                self._sums[place] += self._of(counts)
                self._counts[place] += 1
            else:
                # A reset_local between two batches does not begin anew for those of all time.
                self._metrics[place].add_counts(counts)
                self._counts[place] = self._metrics[place].total
                self._sums[place] = self._of(self._metrics[place]) * self._counts[place]


def _counted(label, pred):
    """How often it is right and wrong of 1 and of 0, and how many labels are neither of two."""
    pred = _argmax(pred, axis=1)
    check_label_shapes(label, pred)
    label = _classes(label)
    yes, true = pred == 1, label == 1
    no, false = pred == 0, label == 0
    parts = [yes & true, yes & false, no & true, no & false]
    odd = (label != _ops["min"](label)) & (label != _ops["max"](label))
    return _ops["stack"]([_ops["count_nonzero"](part) for part in [*parts, odd]])


@register
class F1(_Binary):
    """The harmonic mean of precision and recall of class 1 of two."""

    __module__ = "mxnet.metric"

    def __init__(self, name="f1", output_names=None, label_names=None, average="macro"):
        self.average = average
        super().__init__(name, output_names, label_names, average)

    def _of(self, counts):
        return counts.f1()


@register
class MCC(_Binary):
    """Matthews' correlation of predictions and labels of two classes."""

    __module__ = "mxnet.metric"

    def __init__(self, name="mcc", output_names=None, label_names=None, average="macro"):
        super().__init__(name, output_names, label_names, average)

    def _of(self, counts):
        return counts.mcc()


@register
class PCC(EvalMetric):
    """The correlation of predictions and labels of any number of classes."""

    __module__ = "mxnet.metric"

    def __init__(self, name="pcc", output_names=None, label_names=None, has_global_stats=True):
        super().__init__(name, output_names, label_names, has_global_stats=has_global_stats)

    def reset(self):
        """Forgets everything."""
        super().reset()
        self._pairs = [{}, {}]  # how often each label was predicted as what

    def reset_local(self):
        """Forgets what `get` tells."""
        super().reset_local()
        self._pairs[0] = {}

    def update(self, labels, preds):
        """Takes a batch. Does not wait."""
        pairs = _pairs(labels, preds)
        with _autograd.pause():
            for label, pred in pairs:
                if pred.shape != label.shape:
                    pred = _argmax(pred, axis=1)
                found = [_classes(label), _classes(pred)]
                self._take(found, 1)

    def _add(self, figure, count, places):
        label, pred = (array.tolist() for array in figure)
        for place in places:
            pairs = self._pairs[place]
            for pair in zip(pred, label):
                pairs[pair] = pairs.get(pair, 0) + 1
            self._counts[place] += count

    @property
    def sum_metric(self):
        """The correlation times how many batches there were."""
        return matrix_correlation(self._seen(0)) * self.num_inst

    @property
    def global_sum_metric(self):
        """The same since the last reset."""
        return matrix_correlation(self._seen(1)) * self.global_num_inst

    def _seen(self, place):
        self._settle()
        return self._pairs[place]


# ---- Numbers -------------------------------------------------------------------------------------


class _Difference(EvalMetric):
    """The mean over batches of a figure of differences."""

    def update(self, labels, preds):
        """Takes a batch. Does not wait."""
        pairs = _pairs(labels, preds)
        with _autograd.pause():
            for label, pred in pairs:
                self._take(self._measure(_column(label) - _column(pred)))


def _column(array):
    return array.reshape((-1, 1)) if array.ndim == 1 else array


@register
class MAE(_Difference):
    """The mean of |label - prediction|."""

    __module__ = "mxnet.metric"

    def __init__(self, name="mae", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def _measure(self, difference):
        return _mean(_abs(difference))


@register
class MSE(_Difference):
    """The mean of the squares of label - prediction."""

    __module__ = "mxnet.metric"

    def __init__(self, name="mse", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def _measure(self, difference):
        return _mean(_ops["square"](difference))


@register
class RMSE(_Difference):
    """The mean over batches of the square root of the mean of squares."""

    __module__ = "mxnet.metric"

    def __init__(self, name="rmse", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def _measure(self, difference):
        return _ops["sqrt"](_mean(_ops["square"](difference)))


@register
@alias("pearsonr")
class PearsonCorrelation(EvalMetric):
    """The correlation of predictions and labels.

    average: "macro", the mean of what each batch gives; "micro", that of all batches together.
    """

    __module__ = "mxnet.metric"

    def __init__(self, name="pearsonr", output_names=None, label_names=None, average="macro"):
        self.average = average
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def reset(self):
        """Forgets everything."""
        super().reset()
        self.reset_micro()

    def reset_micro(self):
        """Forgets what is known of all batches together."""
        self._all = Correlation()

    def update(self, labels, preds):
        """Takes a batch. Does not wait."""
        pairs = _pairs(labels, preds)
        with _autograd.pause():
            for label, pred in pairs:
                check_label_shapes(label, pred, False, True)
                self._take(correlation_of(label, pred))

    def _add(self, figure, count, places):
        batch = Correlation(*figure.tolist())
        if self.average == "micro":
            self._all.add(batch)
            for place in places:
                self._counts[place] += count
            return
        for place in places:
            self._sums[place] += batch.value()
            self._counts[place] += count

    def get(self):
        """The name and the figure. Waits."""
        if self.average == "macro" or self.num_inst == 0:
            return super().get()
        return self.name, self._all.value()


# ---- Probabilities -------------------------------------------------------------------------------


def _chances(pred, label, axis):
    """What was predicted for the class that the label is."""
    at = _ops["expand_dims"](_cast(label, "int64"), axis=axis)
    at = _ops["clip"](at, 0, pred.shape[axis] - 1)
    return _ops["squeeze"](_ops["take_along_axis"](pred, at, axis=axis), axis=axis)


@register
class Perplexity(EvalMetric):
    """e to the power of the mean of -log(p), but of labels that are ignore_label."""

    __module__ = "mxnet.metric"

    def __init__(
        self, ignore_label, axis=-1, name="perplexity", output_names=None, label_names=None
    ):
        super().__init__(
            name, output_names, label_names, ignore_label=ignore_label, has_global_stats=True
        )
        self.ignore_label = ignore_label
        self.axis = axis

    def update(self, labels, preds):
        """Takes a batch. Does not wait."""
        assert len(labels) == len(preds), f"{len(labels)} labels, {len(preds)} predictions"
        pairs = _pairs(labels, preds)
        with _autograd.pause():
            measured = [self._measure(*pair) for pair in pairs]
        self._take(measured, sum(label.size for label, _ in pairs))

    def _measure(self, label, pred):
        """The sum over a batch, and of how many that is not."""
        assert label.size == pred.size / pred.shape[-1], (
            f"shape mismatch: {label.shape} vs. {pred.shape}"
        )
        label = label.reshape((-1,))
        if pred.ndim > 2 and self.axis in (-1, pred.ndim - 1):
            pred = pred.reshape((-1, pred.shape[-1]))
        try:
            chances = _chances(pred, label, self.axis)
        except (ValueError, IndexError) as error:
            raise _dialects.translated(error) from None
        if self.ignore_label is None:
            return (-_ops["sum"](_ops["log"](_ops["maximum"](chances, 1e-10))),)
        ignored = _cast(label == self.ignore_label, pred.dtype)
        chances = chances * (1 - ignored) + ignored
        losses = -_ops["sum"](_ops["log"](_ops["maximum"](chances, 1e-10)))
        return losses, _ops["sum"](ignored)

    def _add(self, figure, count, places):
        total = sum(float(one[0]) for one in figure)
        count -= sum(float(one[1]) for one in figure if len(one) > 1)
        for place in places:
            self._sums[place] += total
            self._counts[place] += count

    def _figure(self, total, count):
        return math.exp(total / count) if count else float("nan")


class _Entropy(EvalMetric):
    """The mean of -log(p + eps), p being what was predicted for the label's class."""

    def __init__(self, eps, name, output_names, label_names):
        super().__init__(name, output_names, label_names, eps=eps, has_global_stats=True)
        self.eps = eps

    def update(self, labels, preds):
        """Takes a batch. Does not wait."""
        pairs = _pairs(labels, preds)
        with _autograd.pause():
            for label, pred in pairs:
                label = label.reshape((-1,))
                assert label.shape[0] == pred.shape[0], (label.shape[0], pred.shape[0])
                chances = _chances(pred, label, -1)
                self._take(-_ops["sum"](_ops["log"](chances + self.eps)), label.shape[0])


@register
@alias("ce")
class CrossEntropy(_Entropy):
    """The mean of -log(p + eps), p being what was predicted for the label's class."""

    __module__ = "mxnet.metric"

    def __init__(self, eps=1e-12, name="cross-entropy", output_names=None, label_names=None):
        super().__init__(eps, name, output_names, label_names)


@register
@alias("nll_loss")
class NegativeLogLikelihood(_Entropy):
    """The same as CrossEntropy, by another name."""

    __module__ = "mxnet.metric"

    def __init__(self, eps=1e-12, name="nll-loss", output_names=None, label_names=None):
        super().__init__(eps, name, output_names, label_names)


# ---- Losses and functions ------------------------------------------------------------------------


@register
class Loss(EvalMetric):
    """The mean of losses that were computed elsewhere: they are the predictions."""

    __module__ = "mxnet.metric"

    def __init__(self, name="loss", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def update(self, _, preds):
        """Takes the losses of a batch; labels do not count. Does not wait."""
        preds = [preds] if isinstance(preds, NDArray) else preds
        with _autograd.pause():
            for pred in map(_array, preds):
                self._take(_ops["sum"](pred), pred.size)


@register
class Torch(Loss):
    """Loss by another name."""

    __module__ = "mxnet.metric"

    def __init__(self, name="torch", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names)


@register
class Caffe(Loss):
    """Loss by another name."""

    __module__ = "mxnet.metric"

    def __init__(self, name="caffe", output_names=None, label_names=None):
        super().__init__(name, output_names, label_names)


@register
class CustomMetric(EvalMetric):
    """A function of labels and predictions as NumPy arrays: `update` waits for them.

    It gives a figure of the batch, or a sum and of how many.
    """

    __module__ = "mxnet.metric"

    def __init__(
        self, feval, name=None, allow_extra_outputs=False, output_names=None, label_names=None
    ):
        if name is None:
            name = feval.__name__
            if "<" in name:
                name = f"custom({name})"
        super().__init__(
            name,
            output_names,
            label_names,
            feval=feval,
            allow_extra_outputs=allow_extra_outputs,
            has_global_stats=True,
        )
        self._feval = feval
        self._allow_extra_outputs = allow_extra_outputs

    def update(self, labels, preds):
        """Calls the function for a batch. Waits for the batch."""
        if not self._allow_extra_outputs:
            labels, preds = check_label_shapes(labels, preds, True)
        for pred, label in zip(preds, labels):
            found = self._feval(label.asnumpy(), pred.asnumpy())
            total, count = found if isinstance(found, tuple) else (found, 1)
            for place in (0, 1):
                self._sums[place] += total
                self._counts[place] += count

    def get_config(self):
        """A function cannot be told."""
        raise NotImplementedError("a CustomMetric has a function, which is no text")


def np(numpy_feval, name=None, allow_extra_outputs=False):
    """A metric of a function of labels and predictions as NumPy arrays."""

    def feval(label, pred):
        return numpy_feval(label, pred)

    feval.__name__ = numpy_feval.__name__
    return CustomMetric(feval, name, allow_extra_outputs)


__getattr__ = missing("mxnet.metric")
