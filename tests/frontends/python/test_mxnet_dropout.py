"""Dropout and Embedding of mx.nd and mx.npx."""

import numpy
import pytest

from penstock import mxnet as mx
from penstock.mxnet import autograd, nd, np, npx
from penstock.mxnet.base import MXNetError

pytestmark = pytest.mark.usefixtures("nothing_recorded")
BOTH = pytest.mark.parametrize("kind", [nd, np], ids=["nd", "np"])


@BOTH
def test_dropout_acts_in_training_only(kind):
    dropout = nd.Dropout if kind is nd else npx.dropout
    x = kind.ones((50, 40))
    same = dropout(x, p=0.75)
    assert same is not x and (same.asnumpy() == 1).all()
    mx.random.seed(3)
    with autograd.train_mode():
        found = dropout(x, p=0.75).asnumpy()
    assert set(numpy.unique(found)) == {0, 4}
    assert abs((found == 0).mean() - 0.75) < 0.05
    assert (dropout(x, p=0.75, mode="always").asnumpy() == 0).any()


def test_what_was_dropped_has_no_gradient():
    x = nd.ones((100,))
    x.attach_grad()
    with autograd.record():
        y = nd.Dropout(x, p=0.5)
    y.backward()
    assert (x.grad.asnumpy() == y.asnumpy()).all()


def test_axes_share_their_fate():
    with autograd.train_mode():
        found = nd.Dropout(nd.ones((30, 5, 4)), p=0.5, axes=(1,)).asnumpy()
    assert (found == found[:, :1]).all() and len(numpy.unique(found)) == 2


def test_wrong_arguments():
    for given in (dict(p=1.2), dict(p=-0.1), dict(mode="sometimes")):
        with pytest.raises(MXNetError):
            nd.Dropout(nd.ones(3), **given)
    assert nd.Dropout(nd.ones(3), p=1, mode="always").asnumpy().tolist() == [0, 0, 0]


@BOTH
def test_embedding_clips(kind):
    embedding = nd.Embedding if kind is nd else npx.embedding
    weight = kind.array([[0, 1], [2, 3], [4, 5]])
    weight.attach_grad()
    with autograd.record():
        y = embedding(kind.array([[-1, 0, 7], [2, 1, 2]]), weight, input_dim=3, output_dim=2)
    y.backward()
    assert y.asnumpy().tolist() == [[[0, 1], [0, 1], [4, 5]], [[4, 5], [2, 3], [4, 5]]]
    assert weight.grad.asnumpy().tolist() == [[2, 2], [1, 1], [3, 3]]


def test_embedding_needs_its_lengths():
    weight = nd.ones((3, 2))
    with pytest.raises(MXNetError, match="input_dim"):
        nd.Embedding(nd.array([1]), weight, output_dim=2)
    with pytest.raises(MXNetError, match=r"must have shape \(4, 2\)"):
        nd.Embedding(nd.array([1]), weight, input_dim=4, output_dim=2)
