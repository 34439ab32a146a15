"""Optimisers and metrics of the MXNet dialect do not wait for what they are given: they are called
while that is still being computed."""

import gate
import pytest

from penstock import mxnet as mx


@pytest.mark.parametrize("name", sorted(mx.optimizer.Optimizer.opt_registry))
def test_updates_run_ahead_of_gradients(name):
    updater = mx.optimizer.get_updater(mx.optimizer.create(name, learning_rate=0.1))
    weight = mx.nd.ones((300, 300))
    with gate.product() as product:
        grad = product.as_subclass(mx.nd.NDArray) / 300
        for _ in range(3):
            updater([0], [grad], [weight])
        assert not product.is_ready()
    assert not (weight.asnumpy() == 1).any()


def test_metrics_run_ahead_of_predictions():
    metrics = mx.metric.create(
        ["acc", "mae", "mse", "rmse", "ce", "nll_loss", "f1", "mcc", "pcc", "loss"]
    )
    metrics.add(mx.metric.TopKAccuracy(2))
    metrics.add(mx.metric.Perplexity(None))
    label = mx.nd.zeros((300,))
    label[:10] = 1
    with gate.product() as product:
        scores = product.as_subclass(mx.nd.NDArray)[:, :2] / 300
        metrics.update([label], [scores])
        metrics.reset_local()
        metrics.update([label], [scores])
        assert not product.is_ready()
    found = dict(metrics.get_name_value())
    assert found["accuracy"] == 290 / 300 and found["loss"] == 1.0
    assert dict(metrics.get_global_name_value())["accuracy"] == 290 / 300
