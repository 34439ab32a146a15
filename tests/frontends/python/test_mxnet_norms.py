"""BatchNorm, LayerNorm, GroupNorm, InstanceNorm, LRN of mx.nd and mx.npx."""

import numpy
import pytest

from penstock.mxnet import autograd, nd, np, npx
from penstock.mxnet.base import MXNetError

pytestmark = pytest.mark.usefixtures("nothing_recorded")
BOTH = pytest.mark.parametrize("kind", [nd, np], ids=["nd", "np"])


def normal(seed, *shape):
    return numpy.random.RandomState(seed).randn(*shape).astype("float32")


def near(found, expected):
    numpy.testing.assert_allclose(found.asnumpy(), expected, rtol=2e-5, atol=2e-6)


def scaled(x, axes, eps):
    return (x - x.mean(axes, keepdims=True)) / numpy.sqrt(x.var(axes, keepdims=True) + eps)


class Batch:
    """The arguments of a batch norm of 3 channels."""

    def __init__(self, kind=nd, dtype="float32"):
        self.function = nd.BatchNorm if kind is nd else npx.batch_norm
        self.values = [2, 3, 4], [1, 0, -1], [0.5, 0, 1], [1, 2, 3]
        self.arrays = [kind.array(one, dtype=dtype) for one in self.values]
        self.gamma, self.beta, self.mean, self.var = self.arrays

    def __call__(self, x, **given):
        return self.function(x, *self.arrays, **given)


# ---- Over a batch ------------------------------------------------------------------------------


@BOTH
def test_moving_statistics_in_prediction(kind):
    batch, x = Batch(kind), normal(0, 4, 3, 2)
    gamma, beta, mean, var = (numpy.array(one, "float32").reshape(3, 1) for one in batch.values)
    y = batch(kind.array(x), fix_gamma=False, eps=1e-5)
    near(y, (x - mean) / numpy.sqrt(var + 1e-5) * gamma + beta)
    near(batch(kind.array(x)), (x - mean) / numpy.sqrt(var + 1e-3) + beta)  # gamma is 1
    near(batch.mean, [0.5, 0, 1])


@BOTH
def test_statistics_of_the_batch_in_training(kind):
    batch, x = Batch(kind), normal(0, 4, 3, 2)
    mean, var = x.mean((0, 2)), x.var((0, 2))
    with autograd.train_mode():
        y = batch(kind.array(x), fix_gamma=False, eps=1e-5, momentum=0.8)
    gamma, beta = (numpy.array(one).reshape(3, 1) for one in batch.values[:2])
    near(y, scaled(x, (0, 2), 1e-5) * gamma + beta)
    near(batch.mean, numpy.array([0.5, 0, 1]) * 0.8 + mean * 0.2)
    near(batch.var, numpy.array([1, 2, 3]) * 0.8 + var * 0.2)


def test_global_statistics_stay():
    batch, x = Batch(), normal(0, 4, 3)
    with autograd.record():
        y = batch(nd.array(x), fix_gamma=False, eps=0.0, use_global_stats=True)
    gamma, beta, mean, var = (numpy.array(one) for one in batch.values)
    near(y, (x - mean) / numpy.sqrt(var) * gamma + beta)
    near(batch.mean, [0.5, 0, 1])


def test_other_axes():
    x = normal(0, 4, 5, 3)
    with autograd.train_mode():
        y = Batch()(nd.array(x), fix_gamma=False, axis=-1)
    gamma, beta = (numpy.array(one) for one in Batch().values[:2])
    near(y, scaled(x, (0, 1), 1e-3) * gamma + beta)


def test_mean_and_deviation_as_results():
    batch, x = Batch(), normal(0, 4, 3, 2)
    with autograd.train_mode():
        found = batch(nd.array(x), output_mean_var=True)
    assert type(found) is list
    near(found[1], x.mean((0, 2)))
    near(found[2], 1 / numpy.sqrt(x.var((0, 2)) + 1e-3))
    near(batch.mean, numpy.array([0.5, 0, 1]) * 0.9 + x.mean((0, 2)) * 0.1)
    _, mean, deviation = batch(nd.array(x), output_mean_var=True)
    near(mean, batch.mean.asnumpy())
    near(deviation, 1 / numpy.sqrt(batch.var.asnumpy() + 1e-3))


def test_gradients_of_a_batch():
    x, head = normal(0, 6, 3), normal(1, 6, 3)
    batch, data = Batch(), nd.array(x)
    for one in (data, batch.gamma, batch.beta):
        one.attach_grad()
    with autograd.record():
        y = batch(data, fix_gamma=False, eps=1e-5)
    y.backward(nd.array(head))
    unit, gamma = scaled(x, 0, 1e-5), numpy.array(batch.values[0])
    near(batch.gamma.grad, (head * unit).sum(0))
    near(batch.beta.grad, head.sum(0))
    centred = head - head.mean(0) - unit * (head * unit).mean(0)
    near(data.grad, centred * gamma / numpy.sqrt(x.var(0) + 1e-5))


def test_a_fixed_gamma_has_gradient_zero():
    batch = Batch()
    batch.gamma.attach_grad()
    batch.gamma.grad[:] = 5
    with autograd.record():
        y = batch(nd.array(normal(0, 6, 3)))
    y.backward()
    assert batch.gamma.grad.asnumpy().tolist() == [0, 0, 0]


def test_float16_has_statistics_of_float32():
    batch, x = Batch(), normal(0, 4, 3)
    with autograd.train_mode():
        y = batch(nd.array(x).astype("float16"), fix_gamma=False)
    assert y.dtype is numpy.float16
    half = x.astype("float16").astype("float32")
    near(batch.mean, numpy.array([0.5, 0, 1]) * 0.9 + half.mean(0) * 0.1)


def test_batch_norm_with_relu():
    batch, x = Batch(), nd.array(normal(0, 4, 3))
    near(nd.contrib.BatchNormWithReLU(x, *batch.arrays), batch(x).asnumpy().clip(0))
    near(nd.contrib.SyncBatchNorm(x, *batch.arrays, key="a"), batch(x).asnumpy())
    with pytest.raises(MXNetError, match="one device"):
        nd.contrib.SyncBatchNorm(x, *batch.arrays, ndev=2)


# ---- Others ------------------------------------------------------------------------------------


@BOTH
def test_layer_norm(kind):
    function = nd.LayerNorm if kind is nd else npx.layer_norm
    x, gamma, beta = normal(0, 2, 3, 4), normal(1, 3), normal(2, 3)
    arrays = [kind.array(one) for one in (x, gamma, beta)]
    wide = gamma.reshape(3, 1), beta.reshape(3, 1)
    near(function(*arrays, axis=1, eps=1e-3), scaled(x, 1, 1e-3) * wide[0] + wide[1])
    found = function(*arrays, axis=1, eps=1e-3, output_mean_var=True)
    near(found[1], x.mean(1, keepdims=True))
    near(found[2], numpy.sqrt(x.var(1, keepdims=True) + 1e-3))


def test_group_norm_has_a_number_for_each_group():
    x, gamma, beta = normal(0, 2, 4, 3), normal(1, 2), normal(2, 2)
    arrays = [nd.array(one) for one in (x, gamma, beta)]
    groups = x.reshape(2, 2, 6)
    expected = scaled(groups, 2, 1e-5) * gamma.reshape(2, 1) + beta.reshape(2, 1)
    near(nd.GroupNorm(*arrays, num_groups=2), expected.reshape(x.shape))
    found = nd.GroupNorm(*arrays, num_groups=2, output_mean_var=True)
    near(found[1], groups.mean(2))
    near(found[2], numpy.sqrt(groups.var(2) + 1e-5))
    with pytest.raises(MXNetError, match=r"gamma must have shape \(4,\)"):
        nd.GroupNorm(*arrays, num_groups=4)
    with pytest.raises(MXNetError, match="3 groups"):
        nd.GroupNorm(*arrays, num_groups=3)


def test_instance_norm():
    x, gamma, beta = normal(0, 2, 3, 4), normal(1, 3), normal(2, 3)
    expected = scaled(x, 2, 1e-3) * gamma.reshape(3, 1) + beta.reshape(3, 1)
    near(nd.InstanceNorm(*(nd.array(one) for one in (x, gamma, beta))), expected)


def test_local_response_norm():
    x = normal(0, 2, 5, 2, 3)
    squares = numpy.pad(x * x, ((0, 0), (1, 1), (0, 0), (0, 0)))
    sums = squares[:, :-2] + squares[:, 1:-1] + squares[:, 2:]
    expected = x / (1.5 + 0.5 / 3 * sums) ** 0.6
    near(nd.LRN(nd.array(x), nsize=3, alpha=0.5, beta=0.6, knorm=1.5), expected)
    with pytest.raises(MXNetError, match="nsize"):
        nd.LRN(nd.array(x), nsize=2)
