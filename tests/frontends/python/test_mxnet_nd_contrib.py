"""Loops, branches, attention and small operations of mx.nd.contrib; values are MXNet's."""

import numpy
import pytest

from penstock.mxnet import autograd, nd
from penstock.mxnet.base import MXNetError

pytestmark = pytest.mark.usefixtures("nothing_recorded")
contrib = nd.contrib


def counted(*shape):
    return nd.array(numpy.arange(numpy.prod(shape)).reshape(shape))


def plain(value):
    """Arrays as lists; lists and tuples stay what they are."""
    if isinstance(value, (list, tuple)):
        return type(value)(plain(one) for one in value)
    return value.asnumpy().tolist()


# ---- Loops and branches ------------------------------------------------------------------------


def test_foreach():
    data = counted(3, 2)
    found = contrib.foreach(lambda x, s: (x + s, s + 1), data, nd.zeros(2))
    assert plain(found) == ([[0, 1], [3, 4], [6, 7]], [3, 3])
    found = contrib.foreach(
        lambda x, s: ([x[0] + x[1]], [s[0] + x[0]]), [data, data], [nd.zeros(2)]
    )
    assert plain(found) == ([[[0, 2], [4, 6], [8, 10]]], [[6, 9]])
    assert plain(contrib.foreach(lambda x, s: ([], [s[0] + x]), data, [nd.zeros(2)])) == (
        [],
        [[6, 9]],
    )
    with pytest.raises(AssertionError, match="data must be arrays of mx.nd"):
        contrib.foreach(lambda x, s: (x, s), 3, [])


def test_foreach_is_recorded():
    data, weight = counted(3, 2), nd.array([1.0, 2.0])
    weight.attach_grad()
    with autograd.record():
        found, _ = contrib.foreach(lambda x, s: (x * weight, s), data, [])
        loss = found.sum()
    loss.backward()
    assert plain(weight.grad) == [6, 9]


def test_while_loop():
    begin = [nd.array([0]), nd.array([1])]

    def step(i, s):
        return [i + s], [i + 1, s + i]

    found = contrib.while_loop(lambda i, s: i < 9, step, begin, max_iterations=3)
    assert plain(found) == ([[[1], [2], [4]]], [[3], [4]])
    found = contrib.while_loop(lambda i, s: i < 2, step, begin, max_iterations=4)
    assert plain(found) == ([[[1], [2], [0], [0]]], [[2], [2]])
    assert plain(contrib.while_loop(lambda i, s: i < 0, step, begin, 2)) == ([], [[0], [1]])
    with pytest.raises(ValueError, match="max_iterations"):
        contrib.while_loop(lambda i, s: i < 2, step, begin)


def test_cond():
    for value, expected in ((1, [1, 1]), (0, [0, 0])):
        found = contrib.cond(nd.array([value]) > 0, lambda: nd.ones(2), lambda: nd.zeros(2))
        assert plain(found) == expected


# ---- Attention ---------------------------------------------------------------------------------


def test_attention_of_a_sequence_to_itself():
    length, batch, heads, width = 3, 2, 2, 4
    draw = numpy.random.RandomState(0)
    x = draw.randn(length, batch, heads * 3 * width).astype("float32")
    q, k, v = numpy.moveaxis(x.reshape(length, batch, heads, 3, width), 3, 0)
    scores = numpy.einsum("ibhd,jbhd->bhij", q, k) / 2
    found = contrib.interleaved_matmul_selfatt_qk(nd.array(x), heads=heads)
    numpy.testing.assert_allclose(
        found.asnumpy(), scores.reshape(-1, length, length), rtol=1e-5, atol=1e-5
    )
    values = contrib.interleaved_matmul_selfatt_valatt(nd.array(x), found, heads=heads)
    expected = numpy.einsum("bhij,jbhd->ibhd", scores, v).reshape(length, batch, -1)
    numpy.testing.assert_allclose(values.asnumpy(), expected, rtol=1e-4, atol=1e-5)


def test_attention_to_another_sequence():
    draw = numpy.random.RandomState(0)
    x, y = draw.randn(2, 1, 4).astype("float32"), draw.randn(3, 1, 8).astype("float32")
    q, (k, v) = x.reshape(2, 1, 2, 2), numpy.moveaxis(y.reshape(3, 1, 2, 2, 2), 3, 0)
    scores = numpy.einsum("ibhd,jbhd->bhij", q, k).reshape(2, 2, 3) / numpy.sqrt(2)
    found = contrib.interleaved_matmul_encdec_qk(nd.array(x), nd.array(y), heads=2)
    numpy.testing.assert_allclose(found.asnumpy(), scores, rtol=1e-5, atol=1e-5)
    values = contrib.interleaved_matmul_encdec_valatt(nd.array(y), found, heads=2)
    expected = numpy.einsum("hij,jbhd->ibhd", scores, v).reshape(2, 1, 4)
    numpy.testing.assert_allclose(values.asnumpy(), expected, rtol=1e-4, atol=1e-5)
    with pytest.raises(MXNetError, match="3 heads"):
        contrib.interleaved_matmul_encdec_qk(nd.array(x), nd.array(y), heads=3)


# ---- Others ------------------------------------------------------------------------------------


def test_small_operations():
    x = counted(3, 2)
    assert plain(contrib.arange_like(x)) == [[0, 1], [2, 3], [4, 5]]
    assert plain(contrib.arange_like(x, axis=1, start=2, step=3)) == [2, 5]
    assert plain(contrib.arange_like(x, repeat=2)) == [[0, 0], [1, 1], [2, 2]]
    assert plain(contrib.div_sqrt_dim(nd.ones((1, 4)))) == [[0.5] * 4]
    assert plain(contrib.boolean_mask(x, nd.array([0, 1, 1]))) == [[2, 3], [4, 5]]
    with pytest.raises(MXNetError, match="first axis"):
        contrib.boolean_mask(x, nd.array([0, 1]), axis=1)
    places, rows = nd.array([2, 0]), nd.array([[1, 2], [3, 4]])
    assert plain(contrib.index_copy(nd.zeros((3, 2)), places, rows)) == [[3, 4], [0, 0], [1, 2]]
    assert plain(contrib.quadratic(x, a=1, b=2, c=3)) == [[3, 6], [11, 18], [27, 38]]


@pytest.mark.parametrize(
    "function, result, gradient",
    [
        (lambda x: contrib.gradientmultiplier(x, scalar=-2), [-1.5, 0.5], [-2, -2]),
        (contrib.round_ste, [-2, 1], [1, 1]),
        (contrib.sign_ste, [-1, 1], [1, 1]),
    ],
)
def test_gradients_of_their_own(function, result, gradient):
    x = nd.array([-1.5, 0.5])
    x.attach_grad()
    with autograd.record():
        y = function(x)
    y.backward()
    assert plain(y) == result and plain(x.grad) == gradient
