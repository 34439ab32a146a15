"""Metrics: values against NumPy over several batches, what is refused, and that an update neither
waits nor keeps a graph."""

import math

import numpy
import pytest

import gate
import penstock as ps

RNG = numpy.random.default_rng(4)
SIZES = (5, 1, 7)


def batches(*shapes):
    """Arrays of so many rows, as NumPy has them."""
    return [RNG.random((n, *shapes)).astype("float32") for n in SIZES]


def classes(high):
    return [RNG.integers(0, high, n) for n in SIZES]


def measured(metric, labels, predictions):
    for label, prediction in zip(labels, predictions, strict=True):
        metric.update(ps.array(label), ps.array(prediction))
    return metric.get()[1]


def together(arrays):
    return numpy.concatenate(arrays)


def test_accuracy():
    labels, predictions = classes(4), batches(4)
    wanted = (together(predictions).argmax(1) == together(labels)).mean()
    assert measured(ps.metric.Accuracy(), labels, predictions) == pytest.approx(wanted)
    chosen = [p.argmax(1) for p in predictions]
    assert measured(ps.metric.Accuracy(), labels, chosen) == pytest.approx(wanted)
    turned = [p.T[None] for p in predictions]
    first = [label[None] for label in labels]
    assert measured(ps.metric.Accuracy(axis=1), first, turned) == pytest.approx(wanted)


def test_accuracy_of_labels_that_are_floats():
    labels, predictions = classes(4), batches(4)
    wanted = measured(ps.metric.Accuracy(), labels, predictions)
    floats = [label.astype("float32") for label in labels]
    assert measured(ps.metric.Accuracy(), floats, predictions) == wanted


@pytest.mark.parametrize("k", [1, 2, 9])
def test_top_k(k):
    labels, predictions = classes(4), batches(4)
    order = numpy.argsort(-together(predictions), axis=1)[:, :k]
    wanted = (order == together(labels)[:, None]).any(1).mean()
    assert measured(ps.metric.TopKAccuracy(k), labels, predictions) == pytest.approx(wanted)


def f1(label, positive):
    hits = (positive & (label == 1)).sum()
    return 2 * hits / max(positive.sum() + (label == 1).sum(), 1)


def test_f1():
    labels, predictions = classes(2), batches()
    positive = [p > 0.5 for p in predictions]
    each = [f1(label, p) for label, p in zip(labels, positive, strict=True)]
    assert measured(ps.metric.F1(), labels, predictions) == pytest.approx(numpy.mean(each))
    wanted = f1(together(labels), together(positive))
    assert measured(ps.metric.F1("micro"), labels, predictions) == pytest.approx(wanted)
    pairs = [numpy.stack([1 - p, p], 1) for p in predictions]
    assert measured(ps.metric.F1("micro"), labels, pairs) == pytest.approx(wanted)


def test_distances():
    labels, predictions = batches(3), batches(3)
    apart = together(labels).astype("float64") - together(predictions)
    wanted = {
        ps.metric.MAE: abs(apart).mean(),
        ps.metric.MSE: (apart**2).mean(),
        ps.metric.RMSE: math.sqrt((apart**2).mean()),
    }
    for metric, value in wanted.items():
        assert measured(metric(), labels, predictions) == pytest.approx(value, rel=1e-6)


def test_probabilities():
    labels, predictions = classes(4), batches(4)
    label, all_of = together(labels), together(predictions).astype("float64")
    losses = -numpy.log(all_of[numpy.arange(len(label)), label] + 1e-12)
    found = measured(ps.metric.CrossEntropy(), labels, predictions)
    assert found == pytest.approx(losses.mean(), rel=1e-5)
    found = measured(ps.metric.Perplexity(), labels, predictions)
    assert found == pytest.approx(math.exp(losses.mean()), rel=1e-5)
    counted = losses[label != 2]
    found = measured(ps.metric.Perplexity(ignore_label=2), labels, predictions)
    assert found == pytest.approx(math.exp(counted.mean()), rel=1e-5)


def test_an_ignored_label_may_be_no_class():
    metric = ps.metric.CrossEntropy(ignore_label=-1)
    metric.update(ps.array([-1, 1]), ps.array([[0.5, 0.5], [0.5, 0.5]]))
    assert metric.get()[1] == pytest.approx(math.log(2), rel=1e-6)


def test_losses():
    losses = batches()
    metric = ps.metric.Loss()
    for loss in losses:
        metric.update(None, ps.array(loss))
    assert metric.get() == ("loss", pytest.approx(together(losses).mean(), rel=1e-6))


def test_several():
    both = ps.metric.CompositeMetric([ps.metric.MAE()])
    both.add(ps.metric.MSE())
    both.update([ps.array([1.0]), ps.array([0.0])], [ps.array([3.0]), ps.array([0.0])])
    assert both.get() == (["mae", "mse"], [1.0, 2.0])
    both.reset()
    assert all(math.isnan(value) for value in both.get()[1])
    assert "MAE" in repr(both)


def test_nothing_yet():
    name, value = ps.metric.Accuracy(name="right").get()
    assert name == "right"
    assert math.isnan(value)


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"accuracy: labels of shape \(2,\), .* \(3,\)"):
        ps.metric.Accuracy().update(ps.zeros(2), ps.zeros(3))
    with pytest.raises(ValueError, match=r"top_2_accuracy: labels of shape \(2,\)"):
        ps.metric.TopKAccuracy(2).update(ps.zeros(2), ps.zeros(2))
    with pytest.raises(ValueError, match="there must be 2 classes"):
        ps.metric.F1().update(ps.zeros(2), ps.zeros((2, 3)))
    with pytest.raises(ValueError, match="average must be"):
        ps.metric.F1("mean")
    with pytest.raises(ValueError, match=r"mae: labels of shape \(2,\)"):
        ps.metric.MAE().update(ps.zeros(2), ps.zeros((2, 1)))
    with pytest.raises(ValueError, match=r"cross_entropy: labels of shape \(2,\)"):
        ps.metric.CrossEntropy().update(ps.zeros(2), ps.zeros((3, 4)))
    with pytest.raises(ValueError, match="1 arrays of labels, 2 of predictions"):
        ps.metric.MAE().update(ps.zeros(2), [ps.zeros(2), ps.zeros(2)])


def test_a_refused_batch_does_not_count():
    metric = ps.metric.MAE()
    with pytest.raises(ValueError, match="mae"):
        metric.update([ps.zeros(2), ps.zeros(2)], [ps.zeros(2), ps.zeros(3)])
    assert math.isnan(metric.get()[1])


def all_metrics():
    return [
        ps.metric.Accuracy(),
        ps.metric.TopKAccuracy(2),
        ps.metric.CrossEntropy(),
        ps.metric.Perplexity(ignore_label=1),
        ps.metric.Loss(),
    ]


def test_an_update_does_not_wait():
    with gate.product(300) as y:  # held until the gate opens
        held = y[:4, :8] * 0.0
        for metric in all_metrics():
            metric.update(ps.array([0, 1, 2, 3]), held)
        pair = ps.metric.CompositeMetric([ps.metric.MAE(), ps.metric.RMSE(), ps.metric.F1()])
        pair.update(ps.zeros((4, 8)), held)
        assert not held.is_ready()
        gate.open()
    assert pair.get()[1] == [0.0, 0.0, 0.0]


def test_a_metric_keeps_no_graph():
    x = ps.random.default_rng(1).uniform(size=(4, 8))
    x.attach_grad()
    before = ps.autograd.stats().nodes
    metrics = all_metrics()
    with ps.autograd.record():
        y = x * 2
        for metric in metrics:
            metric.update(ps.array([0, 1, 2, 3]), y)
    del y
    assert ps.autograd.stats().nodes == before
    assert not any(math.isnan(metric.get()[1]) for metric in metrics)
