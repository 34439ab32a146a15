"""Layers of mx.nd whose gradients are those of a loss, whatever flows to them."""

import numpy
import pytest

from penstock.mxnet import autograd, nd
from penstock.mxnet.base import MXNetError

pytestmark = pytest.mark.usefixtures("nothing_recorded")


def flowed(function, data, label=None, head=3.0, **given):
    """The result, and what flows back to data; nothing does to labels."""
    data = nd.array(data)
    data.attach_grad()
    labels = []
    if label is not None:
        labels = [nd.array(label)]
        labels[0].attach_grad()
        labels[0].grad[:] = 1
    with autograd.record():
        y = function(data, *labels, **given)
    y.backward(nd.ones(y.shape) * head)
    for one in labels:
        assert (one.grad.asnumpy() == 0).all()
    return y.asnumpy(), data.grad.asnumpy()


def softmax(x, axis=-1):
    e = numpy.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


DATA = numpy.random.RandomState(1).randn(2, 3).astype("float32")
P = softmax(DATA)
HOT = numpy.array([[1, 0, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    "given, expected",
    [
        (dict(), P - HOT),
        (dict(grad_scale=2.0), 2 * (P - HOT)),
        (dict(normalization="batch"), (P - HOT) / 2),
        (dict(normalization="valid"), (P - HOT) / 2),
        (dict(smooth_alpha=0.1), P - HOT * 0.9 - (1 - HOT) * 0.05),
        (dict(use_ignore=True, ignore_label=2), (P - HOT) * [[1], [0]]),
        (dict(use_ignore=True, ignore_label=2, normalization="valid"), (P - HOT) * [[1], [0]]),
        (dict(use_ignore=True, ignore_label=2, normalization="batch"), (P - HOT) * [[0.5], [0]]),
        (dict(out_grad=True), 3 * (P - HOT)),
    ],
    ids=str,
)
def test_softmax_output(given, expected):
    found, gradient = flowed(nd.SoftmaxOutput, DATA, [0, 2], **given)
    numpy.testing.assert_allclose(found, P, rtol=1e-5)
    numpy.testing.assert_allclose(gradient, expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("normalization, divisor", [("null", 2), ("batch", 4), ("valid", 4)])
def test_softmax_output_over_channels(normalization, divisor):
    data = numpy.random.RandomState(2).randn(2, 3, 2).astype("float32")
    label = numpy.array([[0, 2], [1, 1]])
    hot = numpy.moveaxis(numpy.eye(3)[label], -1, 1)
    given = dict(multi_output=True, normalization=normalization)
    found, gradient = flowed(nd.SoftmaxOutput, data, label, **given)
    numpy.testing.assert_allclose(found, softmax(data, 1), rtol=1e-5)
    expected = (softmax(data, 1) - hot) / divisor
    numpy.testing.assert_allclose(gradient, expected, rtol=1e-4, atol=1e-6)


def test_softmax_output_of_probabilities_and_other_shapes():
    target = numpy.array([[0.1, 0.2, 0.7], [0, 1, 0]])
    _, gradient = flowed(nd.SoftmaxOutput, DATA, target, normalization="batch")
    numpy.testing.assert_allclose(gradient, P - target, rtol=1e-4, atol=1e-6)
    data = numpy.random.RandomState(2).randn(2, 2, 3).astype("float32")
    found, gradient = flowed(nd.SoftmaxOutput, data, [[0, 2], [1, 1]], preserve_shape=True)
    hot = numpy.eye(3)[[[0, 2], [1, 1]]]
    numpy.testing.assert_allclose(gradient, softmax(data) - hot, rtol=1e-4, atol=1e-6)
    with pytest.raises(MXNetError, match="must have shape"):
        nd.SoftmaxOutput(nd.array(DATA), nd.array([0, 1, 2]))
    # A label that no class has is nowhere.
    _, gradient = flowed(nd.SoftmaxOutput, DATA, [0, 5])
    numpy.testing.assert_allclose(gradient[1], P[1], rtol=1e-5)


@pytest.mark.parametrize(
    "name, forward, difference",
    [
        ("LinearRegressionOutput", lambda x: x, lambda d: d),
        ("LogisticRegressionOutput", lambda x: 1 / (1 + numpy.exp(-x)), lambda d: d),
        ("MAERegressionOutput", lambda x: x, numpy.sign),
    ],
)
def test_regression(name, forward, difference):
    label = numpy.random.RandomState(3).rand(2, 3).astype("float32")
    found, gradient = flowed(getattr(nd, name), DATA, label, grad_scale=2.0)
    numpy.testing.assert_allclose(found, forward(DATA), rtol=1e-5)
    expected = difference(forward(DATA) - label) * 2 / 3
    numpy.testing.assert_allclose(gradient, expected, rtol=1e-4, atol=1e-6)


def test_labels_of_regression_with_and_without_a_second_axis():
    for data, label in (((2, 1), (2,)), ((2,), (2, 1))):
        x, t = DATA[:, 0].reshape(data), DATA[:, 1].reshape(label)
        _, gradient = flowed(nd.LinearRegressionOutput, x, t)
        numpy.testing.assert_allclose(gradient.ravel(), DATA[:, 0] - DATA[:, 1], rtol=1e-5)
    with pytest.raises(MXNetError, match="must have shape"):
        nd.LinearRegressionOutput(nd.ones((2, 3)), nd.ones((6,)))


@pytest.mark.parametrize("linear", [False, True])
def test_svm_output(linear):
    given = dict(margin=0.5, regularization_coefficient=2.0, use_linear=linear)
    found, gradient = flowed(nd.SVMOutput, DATA, [0, 2], **given)
    sign = 1 - 2 * HOT
    over = numpy.maximum(0.5 + sign * DATA, 0)
    expected = 2 * sign * (numpy.sign(over) if linear else 2 * over)
    assert (found == DATA).all()
    numpy.testing.assert_allclose(gradient, expected, rtol=1e-5)


def test_make_loss():
    data = [[1.0, -2.0], [3.0, 0.5]]
    for given, expected in (
        (dict(), 1),
        (dict(grad_scale=3.0, normalization="batch"), 1.5),
        (dict(grad_scale=3.0, normalization="valid", valid_thresh=0.3), 1),
    ):
        found, gradient = flowed(nd.MakeLoss, data, **given)
        assert found.tolist() == data and (gradient == expected).all()


def test_nothing_is_recorded_outside():
    y = nd.SoftmaxOutput(nd.array(DATA), nd.array([0, 2]))
    numpy.testing.assert_allclose(y.asnumpy(), P, rtol=1e-5)
    with pytest.raises(MXNetError, match="Invalid Input"):
        nd.SoftmaxOutput(nd.array(DATA), nd.array([0, 2]), normalization="foo")
