"""Convolution and Deconvolution of mx.nd and mx.npx against sums written out one by one.

All numbers are small integers, so that results are exact in any order of summation.
"""

import itertools

import numpy
import pytest

from penstock.mxnet import autograd, nd, np, npx
from penstock.mxnet.base import MXNetError

pytestmark = pytest.mark.usefixtures("nothing_recorded")

# lengths, channels, filters, groups, kernel, stride, pad, dilate
CASES = [
    ((5,), 2, 3, 1, (2,), (1,), (0,), (1,)),
    ((7,), 4, 2, 2, (3,), (2,), (1,), (2,)),
    ((4, 5), 2, 3, 1, (3, 2), (1, 2), (1, 0), (1, 1)),
    ((6, 6), 4, 4, 2, (2, 3), (2, 1), (0, 2), (2, 1)),
    ((3, 4), 2, 3, 1, (3, 4), (1, 1), (0, 0), (1, 1)),  # one window
    ((3, 4, 3), 2, 2, 1, (2, 2, 2), (1, 2, 1), (1, 0, 1), (1, 1, 1)),
    ((4, 3, 3), 2, 4, 2, (2, 1, 2), (2, 1, 1), (0, 1, 0), (2, 1, 2)),
]
IDS = [f"{case[0]} {case[4]} groups {case[3]}" for case in CASES]


def integers(seed, *shape):
    return numpy.random.RandomState(seed).randint(-3, 4, shape).astype("float32")


def pairs(case):
    """Places of x, of weights and of the result that belong together; at last how many results."""
    lengths, channels, filters, groups, kernel, stride, pad, dilate = case
    counts = [
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, k, s, p, d in zip(lengths, kernel, stride, pad, dilate)
    ]
    for place in itertools.product(*map(range, counts)):
        for tap in itertools.product(*map(range, kernel)):
            at = [i * s - p + t * d for i, s, p, t, d in zip(place, stride, pad, tap, dilate)]
            if all(0 <= i < n for i, n in zip(at, lengths)):
                for f in range(filters):
                    for c in range(channels // groups):
                        first = f // (filters // groups) * (channels // groups)
                        yield (first + c, *at), (f, c, *tap), (f, *place)
    yield None, None, counts


def summed(x, w, case):
    """The convolution of each of a batch, without bias."""
    *places, (_, _, counts) = pairs(case)
    y = numpy.zeros((x.shape[0], case[2], *counts), "float32")
    for one, result in zip(x, y):
        for at, tap, place in places:
            result[place] += one[at] * w[tap]
    return y


def flowing(x, w, head, case):
    """What flows back to x and to w."""
    *places, _ = pairs(case)
    dx, dw = numpy.zeros_like(x), numpy.zeros_like(w)
    for one, flow, gradient in zip(x, head, dx):
        for at, tap, place in places:
            gradient[at] += flow[place] * w[tap]
            dw[tap] += flow[place] * one[at]
    return dx, dw


def settings(case):
    _, _, filters, groups, kernel, stride, pad, dilate = case
    return dict(
        kernel=kernel, stride=stride, pad=pad, dilate=dilate, num_filter=filters, num_group=groups
    )


@pytest.mark.parametrize("case", CASES, ids=IDS)
@pytest.mark.parametrize("kind", [nd, np], ids=["nd", "np"])
def test_convolution_and_its_gradients(kind, case):
    convolution = nd.Convolution if kind is nd else npx.convolution
    lengths, channels, filters, groups, kernel = case[:5]
    x, w = integers(1, 2, channels, *lengths), integers(2, filters, channels // groups, *kernel)
    b = integers(3, filters)
    arrays = [kind.array(one) for one in (x, w, b)]
    for one in arrays:
        one.attach_grad()
    with autograd.record():
        y = convolution(*arrays, **settings(case))
    expected = summed(x, w, case)
    assert type(y) is type(arrays[0])
    wide = (-1,) + (1,) * len(lengths)
    numpy.testing.assert_array_equal(y.asnumpy(), expected + b.reshape(wide))
    head = integers(4, *expected.shape)
    y.backward(kind.array(head))
    dx, dw = flowing(x, w, head, case)
    numpy.testing.assert_array_equal(arrays[0].grad.asnumpy(), dx)
    numpy.testing.assert_array_equal(arrays[1].grad.asnumpy(), dw)
    axes = (0, *range(2, head.ndim))
    numpy.testing.assert_array_equal(arrays[2].grad.asnumpy(), head.sum(axes))


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_deconvolution_is_what_flows_back(case):
    lengths, channels, filters, groups, kernel, stride, pad, dilate = case
    # x of the convolution is the result here, and adj makes up for what stride leaves over.
    w = integers(2, filters, channels // groups, *kernel)
    counts = summed(numpy.zeros((1, channels, *lengths)), w, case).shape[2:]
    x = integers(5, 2, filters, *counts)
    adj = tuple(
        n - ((c - 1) * s - 2 * p + d * (k - 1) + 1)
        for n, c, s, p, d, k in zip(lengths, counts, stride, pad, dilate, kernel)
    )
    given = dict(settings(case), num_filter=channels, adj=adj)
    expected, _ = flowing(numpy.zeros((2, channels, *lengths), "float32"), w, x, case)
    bias = integers(6, channels)
    wide = (-1,) + (1,) * len(lengths)
    arrays = [nd.array(one) for one in (x, w, bias)]
    for one in arrays:
        one.attach_grad()
    with autograd.record():
        y = nd.Deconvolution(*arrays, no_bias=False, **given)
    numpy.testing.assert_array_equal(y.asnumpy(), expected + bias.reshape(wide))
    head = integers(7, *expected.shape)
    y.backward(nd.array(head))
    numpy.testing.assert_array_equal(arrays[0].grad.asnumpy(), summed(head, w, case))
    assert nd.Deconvolution(*arrays[:2], **given).shape == expected.shape


def test_target_shape_decides_margins():
    x, w = nd.ones((1, 1, 6, 6)), nd.array(numpy.arange(9).reshape(1, 1, 3, 3))
    common = dict(kernel=(3, 3), stride=(2, 2), num_filter=1)
    whole = nd.Deconvolution(x, w, **common).asnumpy()
    assert whole.shape == (1, 1, 13, 13)
    for length, pad in ((13, 0), (12, 1), (11, 1), (10, 2)):
        y = nd.Deconvolution(x, w, target_shape=(length, length), pad=(2, 2), **common).asnumpy()
        part = slice(pad, pad + length)
        numpy.testing.assert_array_equal(y[0, 0], whole[0, 0, part, part])
    with pytest.raises(MXNetError, match="too big target shape"):
        nd.Deconvolution(x, w, target_shape=(14, 14), **common)


@pytest.mark.parametrize("layout, kernel", [("NHWC", (2, 3)), ("NDHWC", (2, 1, 2))])
def test_channels_last(layout, kernel):
    count = len(kernel)
    x, w = integers(1, 2, 3, *[4] * count), integers(2, 2, 3, *kernel)
    common = dict(kernel=kernel, num_filter=2, no_bias=True)
    first = nd.Convolution(nd.array(x), nd.array(w), **common).asnumpy()
    x, w = (nd.array(numpy.moveaxis(one, 1, -1)) for one in (x, w))
    last = nd.Convolution(x, w, layout=layout, **common).asnumpy()
    numpy.testing.assert_array_equal(numpy.moveaxis(last, -1, 1), first)


@pytest.mark.parametrize(
    "given, text",
    [
        (dict(num_filter=8, no_bias=True), "kernel is not presented"),
        (dict(kernel=(3, 3), no_bias=True), "num_filter is not presented"),
        (dict(kernel=(3, 3), num_filter=8), "expects 3 inputs"),
        (dict(kernel=3, num_filter=8, no_bias=True), "must have 3 dimensions"),
        (dict(kernel=(3, 3), num_filter=7, no_bias=True), r"must have shape \(7, 4, 3, 3\)"),
        (dict(kernel=(3, 3), num_filter=8, no_bias=True, layout="NWC"), "Invalid Input: 'NWC'"),
        (dict(kernel=(3, 3), num_filter=8, no_bias=True, stride=(1,)), "stride must be 2"),
        (dict(kernel=(3, 3), num_filter=8, no_bias=True, num_group=3), "num_group 3"),
        (dict(kernel=(3, 3), num_filter=8, no_bias=True, strides=1), "strides"),
    ],
)
def test_wrong_arguments(given, text):
    with pytest.raises(MXNetError, match=text):
        nd.Convolution(nd.ones((2, 4, 6, 6)), nd.ones((8, 4, 3, 3)), **given)


def test_adj_is_smaller_than_stride():
    with pytest.raises(MXNetError, match="smaller than stride"):
        nd.Deconvolution(
            nd.ones((1, 1, 3, 3)), nd.ones((1, 1, 2, 2)), kernel=(2, 2), adj=(1, 1), num_filter=1
        )


def test_arrays_of_the_other_kind_are_refused():
    for first, second in ((nd, np), (np, nd)):
        arrays = first.ones((1, 1, 3)), second.ones((1, 1, 2))
        with pytest.raises(TypeError):
            nd.Convolution(*arrays, kernel=(2,), num_filter=1, no_bias=True)
