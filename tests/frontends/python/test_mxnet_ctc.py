"""CTCLoss of mx.nd against the sum over all paths, one by one."""

import itertools

import numpy
import pytest

from penstock.mxnet import autograd, nd
from penstock.mxnet.base import MXNetError

pytestmark = pytest.mark.usefixtures("nothing_recorded")


def spelled(path, blank):
    """What a path reads: repeated classes are one, and blanks none."""
    return [c for c, _ in itertools.groupby(path) if c != blank]


def expected(x, label, blank):
    """-log of the probability of all paths over x (steps, classes) that read the label."""
    p = numpy.exp(x) / numpy.exp(x).sum(1, keepdims=True)
    total = 0.0
    for path in itertools.product(range(x.shape[1]), repeat=x.shape[0]):
        if spelled(path, blank) == list(label):
            total += numpy.prod([p[step, c] for step, c in enumerate(path)])
    return -numpy.log(total)


X = numpy.random.RandomState(0).randn(5, 3, 4).astype("float32")


def check(labels, found, blank, lengths=(5, 5, 5)):
    right = [expected(X[:n, i], label, blank) for i, (label, n) in enumerate(zip(labels, lengths))]
    numpy.testing.assert_allclose(found.asnumpy(), right, rtol=1e-5)


def test_blank_first():
    label = [[1, 2, 3], [2, 2, 0], [3, 0, 0]]
    check([[1, 2, 3], [2, 2], [3]], nd.CTCLoss(nd.array(X), nd.array(label)), 0)


def test_blank_last():
    label = [[0, 1, 2], [1, 1, -1], [-1, -1, -1]]
    found = nd.ctc_loss(nd.array(X), nd.array(label), blank_label="last")
    check([[0, 1, 2], [1, 1], []], found, 3)


def test_lengths():
    label, steps, lengths = [[1, 2, 3], [2, 2, 1], [3, 1, 1]], [5, 4, 3], [2, 2, 1]
    found = nd.contrib.CTCLoss(
        nd.array(X),
        nd.array(label),
        nd.array(steps),
        nd.array(lengths),
        use_data_lengths=True,
        use_label_lengths=True,
    )
    check([[1, 2], [2, 2], [3]], found, 0, steps)


def test_gradient():
    """Central differences of the sum over all paths."""
    label, head = [[1, 1, 0], [2, 3, 1], [3, 0, 0]], [1.0, 2.0, 0.5]
    x = nd.array(X)
    x.attach_grad()
    with autograd.record():
        loss = nd.CTCLoss(x, nd.array(label))
    loss.backward(nd.array(head))
    wide = X.astype("float64")
    for step, row, c in ((0, 0, 0), (2, 0, 1), (1, 1, 3), (4, 2, 3), (3, 1, 0)):
        read = [value for value in label[row] if value]
        sides = []
        for shift in (1e-5, -1e-5):
            moved = wide[:, row].copy()
            moved[step, c] += shift
            sides.append(expected(moved, read, 0))
        slope = head[row] * (sides[0] - sides[1]) / 2e-5
        assert x.grad.asnumpy()[step, row, c] == pytest.approx(slope, rel=1e-3, abs=1e-5)


def test_what_cannot_be_spelled_has_no_loss():
    x = nd.array(X[:3])
    x.attach_grad()
    with autograd.record():
        loss = nd.CTCLoss(x, nd.array([[1, 1, 1], [1, 2, 3], [1, 1, 0]]))
    loss.backward()
    assert loss.asnumpy()[0] == 0 and loss.asnumpy()[1] > 0
    assert (x.grad.asnumpy()[:, 0] == 0).all()


def test_wrong_arguments():
    x, label = nd.array(X), nd.ones((3, 2))
    for arrays, given, text in (
        ((x, nd.ones((3, 6))), {}, "cannot exceed"),
        ((x, nd.ones((2, 2))), {}, "labels"),
        ((x, label), dict(blank_label="middle"), "Invalid Input"),
        ((x, label), dict(use_data_lengths=True), "needs data_lengths"),
    ):
        with pytest.raises(MXNetError, match=text):
            nd.CTCLoss(*arrays, **given)
