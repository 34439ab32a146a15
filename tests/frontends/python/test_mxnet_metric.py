"""mx.metric: figures of batches against those of the real MXNet 1.9.1, and what is around them.

The batches are in tests/conformance/mxnet_metrics.py; record_mxnet_metrics.py beside it recorded
what the real one told.
"""

import copy
import json
import math
import pathlib
import pickle
import sys

import numpy
import pytest

from penstock import mxnet as mx

CONFORMANCE = pathlib.Path(__file__).resolve().parents[2] / "conformance"
sys.path.append(str(CONFORMANCE))

import mxnet_metrics  # noqa: E402

RECORDED = json.loads((CONFORMANCE / "vectors" / "mxnet_metrics.json").read_text())

metric = mx.metric
LABEL = mx.nd.array([1, 0, 1])
SCORES = mx.nd.array([[0.2, 0.8], [0.6, 0.4], [0.7, 0.3]])


def test_every_case_was_recorded():
    assert [row[:3] for row in RECORDED] == mxnet_metrics.CASES
    covered = {name for row in RECORDED for name in _names(row[0])}
    there = set(mx.registry.get_registry(metric.EvalMetric).values())
    assert there - {type(metric.create(name, *_needed(name))) for name in covered} == {
        metric.CompositeEvalMetric,
        metric.CustomMetric,
    }


def _names(name):
    return name if isinstance(name, list) else [name]


def _needed(name):
    return {"top_k_accuracy": [2], "perplexity": [None]}.get(name, [])


@pytest.mark.parametrize("row", RECORDED, ids=lambda row: f"{row[0]} {row[1]} {row[2]}")
def test_figures_are_those_of_mxnet(row):
    found = mxnet_metrics.answer(mx, *row[:3])
    for (name, values), (wanted_name, wanted) in zip(found, row[3], strict=True):
        assert name == wanted_name
        for value, figure in zip(values, wanted, strict=True):
            assert value == figure if figure == "nan" else value == pytest.approx(figure, rel=1e-6)


@pytest.mark.parametrize("row", RECORDED[:3] + RECORDED[7:8] + RECORDED[23:24])
def test_arrays_of_np_give_the_same(row):
    made, name, arguments, kind = {}, *row[:3]
    for library in (mx.nd, mx.np):
        one = metric.create(name, **arguments)
        labels, preds = mxnet_metrics.batch(kind, 1)
        one.update(
            [library.array(x, dtype="float32") for x in labels],
            [library.array(x, dtype="float32") for x in preds],
        )
        made[library] = one.get()
    assert made[mx.nd] == made[mx.np]


# ---- Making --------------------------------------------------------------------------------------


def test_metrics_are_made_by_name_and_of_their_configuration():
    for made in (
        metric.create("acc", axis=0),
        metric.create("perplexity", -1),
        metric.create(["acc", "f1"]),
        metric.TopKAccuracy(3, output_names=["a"], label_names=["b"]),
    ):
        text = json.dumps(made.get_config())
        if isinstance(made, metric.TopKAccuracy):
            assert json.loads(text)["name"] == "top_k_accuracy_3"
            continue
        assert metric.create(text).get_config() == made.get_config()
    one = metric.Accuracy()
    assert metric.create(one) is one


def test_names_that_are_not_there_raise():
    for name, text in ((None, "not None"), (3, "by its name, not 3"), ("nope", "the name nope")):
        with pytest.raises(AssertionError, match=text):
            metric.create(name)
    with pytest.raises(AssertionError, match="top_k must be 2 or more, not 1"):
        metric.TopKAccuracy(1)


def test_a_metric_of_a_program():
    @metric.register
    class Count(metric.EvalMetric):
        def __init__(self, name="count"):
            super().__init__(name)

        def update(self, labels, preds):
            self.sum_metric += len(labels) * 6
            self.num_inst += 2

    made = metric.create("count")
    assert math.isnan(made.get()[1])
    made.update([1], [2])
    assert made.get() == made.get_global() == ("count", 3.0)
    assert str(made) == "EvalMetric: {'count': 3.0}"
    made.reset()
    assert made.num_inst == 0
    with pytest.raises(NotImplementedError):
        metric.EvalMetric("none").update([], [])


def test_a_metric_of_a_program_may_reset_by_itself():
    class Worst(metric.EvalMetric):
        def __init__(self):
            super().__init__("worst")

        def reset(self):
            self.num_inst = 0
            self.sum_metric = 0.0

        def update(self, labels, preds):
            self.sum_metric = max(self.sum_metric, preds[0].asnumpy().max())
            self.num_inst = 1

    made = Worst()
    made.update([LABEL], [SCORES])
    assert made.get() == ("worst", pytest.approx(0.8))
    made.reset()
    assert math.isnan(made.get()[1])


# ---- Batches -------------------------------------------------------------------------------------


def test_batches_by_name():
    made = metric.Accuracy(output_names=["out"], label_names=["label"])
    made.update_dict({"label": LABEL, "other": LABEL}, {"out": SCORES, "more": LABEL})
    assert made.get() == ("accuracy", 2 / 3)
    both = metric.CompositeEvalMetric(["acc"], label_names=["label"], output_names=["out"])
    both.update_dict({"label": LABEL, "other": LABEL}, {"out": SCORES, "more": LABEL})
    assert both.get() == (["accuracy"], [2 / 3])


def test_what_does_not_fit_raises():
    for made, labels, preds, text in (
        (metric.Accuracy(), [LABEL, LABEL], [SCORES], "2 of labels, 1 of predictions"),
        (metric.Accuracy(), [LABEL[:2]], [SCORES], "2 of labels, 3 of predictions"),
        (metric.F1(), [LABEL[:2]], [SCORES], "2 of labels, 3 of predictions"),
        (metric.PearsonCorrelation(), [LABEL], [SCORES], r"\(3,\) of labels, \(3, 2\) of"),
    ):
        with pytest.raises(ValueError, match=text):
            made.update(labels, preds)
    for made in (metric.Perplexity(None), metric.CrossEntropy()):
        with pytest.raises(AssertionError):
            made.update([LABEL[:2]], [SCORES])
    with pytest.raises(AssertionError, match="metrics are of arrays"):
        metric.Accuracy().update([numpy.ones(3)], [SCORES])
    three = metric.F1()
    three.update([mx.nd.array([0, 1, 2])], [SCORES])
    with pytest.raises(ValueError, match="binary classification"):
        three.get()


def test_single_arrays_need_no_lists():
    made = metric.MSE()
    made.update(LABEL, LABEL + 2)
    assert made.get() == ("mse", 4.0)
    loss = metric.Loss()
    loss.update(None, LABEL)
    assert loss.get() == ("loss", pytest.approx(2 / 3)) and loss.num_inst == 3


def test_many_batches_are_added_up_on_the_way():
    made = metric.Accuracy()
    for _ in range(1500):
        made.update([LABEL], [SCORES])
    assert len(made._waiting) <= 512
    made.reset_local()
    made.update([LABEL], [LABEL])
    assert (made.num_inst, made.global_num_inst) == (3, 1501 * 3)
    assert (made.sum_metric, made.global_sum_metric) == (3, 1500 * 2 + 3)


def test_metrics_keep_nothing_of_what_is_recorded():
    weight = mx.nd.ones((3, 2))
    weight.attach_grad()
    made = metric.create(["acc", "loss", "mse"])
    with mx.autograd.record():
        out = weight * SCORES
        made.update([SCORES[:, 0] * 0], [out])
        loss = out.sum()
    loss.backward()
    assert (weight.grad == SCORES).asnumpy().all()
    assert made.get()[1][1] == pytest.approx(0.5)


# ---- Functions -----------------------------------------------------------------------------------


def test_a_function_is_a_metric():
    def distance(label, pred):
        return float(abs(label - pred).sum())

    made = metric.np(distance)
    made.update([LABEL], [LABEL + 1])
    assert made.get() == ("distance", 3.0)
    pairs = metric.create(lambda label, pred: (6.0, 4))
    pairs.update([LABEL], [LABEL])
    assert pairs.get() == ("custom(<lambda>)", 1.5) and pairs.num_inst == 4
    with pytest.raises(ValueError, match="1 of labels"):
        made.update([LABEL], [LABEL, LABEL])
    metric.np(distance, name="x", allow_extra_outputs=True).update([LABEL], [LABEL, LABEL])
    with pytest.raises(NotImplementedError, match="which is no text"):
        made.get_config()


def test_several_metrics():
    made = metric.CompositeEvalMetric()
    made.add("acc")
    made.add(metric.CompositeEvalMetric([metric.MSE(name="squares")]))
    made.update([LABEL], [LABEL])
    assert made.get() == (["accuracy", "squares"], [1.0, 0.0])
    assert made.get_name_value() == [("accuracy", 1.0), ("squares", 0.0)]
    assert isinstance(made.get_metric(0), metric.Accuracy)
    assert isinstance(made.get_metric(5), ValueError)  # given, as MXNet does
    made.reset()
    assert all(map(math.isnan, made.get()[1]))


def test_copies_and_pickles():
    made = metric.F1(average="micro")
    made.update([LABEL], [SCORES])
    for again in (copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert again.get() == made.get() == ("f1", pytest.approx(2 / 3))
        again.update([LABEL], [SCORES])
        assert (again.num_inst, made.num_inst) == (6, 3)
