"""Losses as blocks: one number for each sample, weights, labels of other shapes."""

import numpy as np
import pytest

import penstock as ps
from penstock import autograd, nn

RNG = np.random.default_rng(3)
X = RNG.normal(size=(4, 3))
Y = RNG.normal(size=(4, 3))
SIGNS = np.where(RNG.normal(size=(4, 3)) > 0, 1.0, -1.0)
BITS = (SIGNS + 1) / 2
P = np.exp(Y) / np.exp(Y).sum(1, keepdims=True)
LOGS = X - np.log(np.exp(X).sum(1, keepdims=True))
LABELS = np.array([0, 2, 1, 2])
BCE = np.log1p(np.exp(-np.abs(X))) + np.maximum(X, 0) - X * BITS
D = np.abs(X - Y)

CASES = {
    "l1": (nn.L1Loss(), X, Y, D),
    "l2": (nn.L2Loss(), X, Y, D**2 / 2),
    "huber": (nn.HuberLoss(0.7), X, Y, np.where(D < 0.7, D**2 / 1.4, D - 0.35)),
    "hinge": (nn.HingeLoss(0.5), X, SIGNS, np.maximum(0, 0.5 - X * SIGNS)),
    "squared": (nn.SquaredHingeLoss(), X, SIGNS, np.maximum(0, 1 - X * SIGNS) ** 2),
    "logistic": (nn.LogisticLoss(), X, SIGNS, np.log1p(np.exp(-X * SIGNS))),
    "binary": (nn.LogisticLoss("binary"), X, BITS, np.log1p(np.exp(-X * SIGNS))),
    "bce": (nn.SigmoidBCELoss(), X, BITS, BCE),
    "pos_weight": (nn.SigmoidBCELoss(pos_weight=3.0), X, BITS, np.where(BITS == 1, 3 * BCE, BCE)),
    "from_sigmoid": (nn.SigmoidBCELoss(True), 1 / (1 + np.exp(-X)), BITS, BCE),
    "kl": (nn.KLDivLoss(), LOGS, P, P * (np.log(P) - LOGS)),
    "kl_softmax": (nn.KLDivLoss(from_logits=False), X, P, P * (np.log(P) - LOGS)),
}


def close(x, expected):
    np.testing.assert_allclose(x.asnumpy(), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_losses(name):
    loss, x, label, expected = CASES[name]
    close(loss(ps.array(x), ps.array(label)), expected.mean(1))
    close(loss(x, label.reshape(4, 3, 1)), expected.mean(1))
    weights = ps.array([[1.0], [0.0], [2.0], [1.0]], dtype="float64")
    close(loss(x, label, weights), (expected * weights.asnumpy()).mean(1))
    loss.weight, loss.batch_axis = 3.0, 1
    try:
        close(loss(x, label), 3 * expected.mean(0))
    finally:
        loss.weight, loss.batch_axis = None, 0


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("rho", [0.0, 0.25, 1.0])
def test_huber_where_its_parts_meet(rho, dtype):
    x = np.array([0, rho / 2, -rho, 2 * rho, -3, 1e-4, np.inf], dtype)
    d = np.abs(x)
    square = d < rho
    given = ps.array(x)
    given.attach_grad()
    with autograd.record():
        loss = nn.huber_loss(given, ps.zeros(7, dtype=dtype), rho=rho)
    loss.backward()
    slope = x[square] / np.array(rho, dtype) if rho else x[square]
    expected, slopes = d - rho / 2, np.sign(x)
    expected[square], slopes[square] = slope * x[square] / 2, slope
    np.testing.assert_allclose(loss.asnumpy(), expected, rtol=1e-6)
    np.testing.assert_allclose(given.grad.asnumpy(), slopes, rtol=1e-6)


@pytest.mark.parametrize("name", [name for name in CASES if name != "from_sigmoid"])
def test_shapes_that_do_not_fit(name):
    with pytest.raises(ValueError, match=r"shape \(4,\) for predictions of shape \(4, 3\)"):
        CASES[name][0](ps.ones((4, 3)), ps.ones(4))


def test_softmax_cross_entropy():
    expected = -LOGS[np.arange(4), LABELS]
    for label in (LABELS, LABELS.astype("float32"), LABELS.reshape(4, 1)):
        close(nn.SoftmaxCELoss()(X, label), expected)
        close(nn.SoftmaxCELoss(from_logits=True)(LOGS, label), expected)
    close(nn.SoftmaxCELoss(sparse_label=False)(X, P), -(P * LOGS).sum(1))
    close(nn.SoftmaxCELoss(sparse_label=False, from_logits=True)(LOGS, P), -(P * LOGS).sum(1))
    close(nn.SoftmaxCELoss(axis=0)(X.T, LABELS), expected)
    smooth = 0.9 * expected - 0.1 * LOGS.mean(1)
    close(nn.SoftmaxCELoss(smoothing=0.1)(X, LABELS), smooth)
    close(nn.SoftmaxCELoss(ignore_label=2)(X, LABELS), np.where(LABELS == 2, 0, expected))
    close(nn.SoftmaxCELoss(weight=2.0)(X, LABELS), 2 * expected)
    images = np.stack([X, X]).transpose(0, 2, 1)  # (2, classes, places)
    close(nn.SoftmaxCELoss(axis=1)(images, np.stack([LABELS, LABELS])), [expected.mean()] * 2)


def test_softmax_cross_entropy_refuses():
    with pytest.raises(ValueError, match=r"shape \(5,\) for predictions of shape \(4, 3\)"):
        nn.SoftmaxCELoss()(X, np.zeros(5, int))
    with pytest.raises(ValueError, match="no smoothing and no ignore_label"):
        nn.SoftmaxCELoss(from_logits=True, smoothing=0.1)
    with pytest.raises(IndexError, match="3"):
        nn.SoftmaxCELoss()(X, LABELS + 1).wait()
    with pytest.raises(ValueError, match="signed or binary, not 'other'"):
        nn.LogisticLoss("other")
    with pytest.raises(NotImplementedError, match="Loss does not define elements"):
        nn.Loss()(X, X)


def test_gradients():
    x = ps.array(X)
    x.attach_grad()
    with autograd.record():
        loss = nn.SoftmaxCELoss()(x, LABELS)
    loss.backward()
    close(x.grad, np.exp(LOGS) - np.eye(3)[LABELS])


def test_text():
    assert repr(nn.L2Loss()) == "L2Loss()"
    assert repr(nn.HuberLoss(weight=2.0)) == "HuberLoss(weight=2.0)"
