"""Pooling of mx.nd and mx.npx: conventions, margins, gradients, dimensions and layouts."""

import numpy
import pytest

from penstock.mxnet import autograd, nd, np, npx
from penstock.mxnet.base import MXNetError

pytestmark = pytest.mark.usefixtures("nothing_recorded")


def counted(*shape):
    return nd.array(numpy.arange(numpy.prod(shape)).reshape(shape))


def line(*values):
    return nd.array(numpy.array(values, "float32").reshape(1, 1, -1))


def pooled(x, **given):
    return nd.Pooling(x, **given).asnumpy().ravel().tolist()


@pytest.mark.parametrize(
    "given, expected",
    [
        (dict(kernel=(3,)), [2, 3, 4, 5, 6]),  # one apart, unlike the layers
        (dict(kernel=(3,), stride=(2,)), [2, 4, 6]),
        (dict(kernel=(2,), stride=(2,)), [1, 3, 5]),
        (dict(kernel=(2,), stride=(2,), pooling_convention="full"), [1, 3, 5, 6]),
        (dict(kernel=(3,), stride=(2,), pooling_convention="same"), [2, 4, 6, 6]),
        (dict(kernel=(3,), stride=(2,), pad=(1,)), [1, 3, 5, 6]),
        (dict(kernel=(2,), stride=(2,), pool_type="avg"), [0.5, 2.5, 4.5]),
        (
            dict(kernel=(2,), stride=(2,), pool_type="avg", pooling_convention="full"),
            [0.5, 2.5, 4.5, 6],
        ),
        (dict(kernel=(3,), stride=(3,), pad=(1,), pool_type="avg"), [1 / 3, 3, 11 / 3]),
        (
            dict(kernel=(3,), stride=(3,), pad=(1,), pool_type="avg", count_include_pad=False),
            [0.5, 3, 5.5],
        ),
        (dict(kernel=(3,), stride=(3,), pad=(1,), pool_type="sum"), [1, 9, 11]),
        (dict(kernel=(2,), stride=(2,), pool_type="lp", p_value=1), [1, 5, 9]),
        (dict(kernel=(1,), stride=(2,), pool_type="lp", p_value=2), [0, 2, 4, 6]),
        (dict(global_pool=True), [6]),
        (dict(global_pool=True, pool_type="avg", kernel=(2,), pad=(1,)), [3]),
        (dict(global_pool=True, pool_type="sum"), [21]),
    ],
    ids=str,
)
def test_windows_of_a_line(given, expected):
    found = pooled(line(0, 1, 2, 3, 4, 5, 6), **given)
    assert found == pytest.approx(expected, rel=1e-6)


def test_windows_behind_the_elements():
    """With the convention 'full' a last window may lie behind all elements."""
    x = line(1, 2, 3, 4, 5, 6)
    given = dict(kernel=(1,), stride=(3,), pooling_convention="full")
    lowest = float(numpy.finfo("float32").min)
    assert pooled(x, **given) == [1, 4, lowest]
    assert pooled(x, pool_type="avg", **given) == [1, 4, 0]
    assert pooled(x, pool_type="sum", **given) == [1, 4, 0]


def test_signs_count_in_odd_norms():
    x = line(-2, 1, -3, 3)
    given = dict(kernel=(2,), stride=(2,), pool_type="lp")
    assert pooled(x, p_value=1, **given) == [-1, 0]
    assert pooled(x, p_value=3, **given) == pytest.approx([-(7 ** (1 / 3)), 0], rel=1e-6)


@pytest.mark.parametrize("kind", [nd, np], ids=["nd", "np"])
def test_gradients(kind):
    pooling = nd.Pooling if kind is nd else npx.pooling
    x = kind.array(numpy.array([[[[1, 5, 5], [2, 0, 3]]]], "float32"))
    x.attach_grad()

    def flowed(**given):
        with autograd.record():
            y = pooling(x, kernel=(2, 2), **given)
        y.backward(kind.array(numpy.array([[[[1, 10]]]], "float32")))
        return x.grad.asnumpy()[0, 0].tolist()

    assert flowed() == [[0, 11, 0], [0, 0, 0]]  # to the first of the largest
    assert flowed(pool_type="avg") == [[0.25, 2.75, 2.5], [0.25, 2.75, 2.5]]
    assert flowed(pool_type="sum") == [[1, 11, 10], [1, 11, 10]]


def test_global_maximum_flows_to_the_first():
    x = nd.array([[[[7, 7], [1, 7]]]])
    x.attach_grad()
    with autograd.record():
        y = nd.Pooling(x, global_pool=True)
    y.backward()
    assert x.grad.asnumpy().tolist() == [[[[1, 0], [0, 0]]]]


@pytest.mark.parametrize("kind", ["max", "avg", "sum"])
@pytest.mark.parametrize("convention", ["valid", "full"])
def test_three_dimensions(kind, convention):
    x = numpy.random.RandomState(0).randint(-9, 9, (2, 2, 5, 4, 5)).astype("float32")
    given = dict(kernel=(2, 3, 2), stride=(2, 1, 2), pad=(1, 1, 0), pooling_convention=convention)
    y = nd.Pooling(nd.array(x), pool_type=kind, **given).asnumpy()
    border = numpy.finfo("float32").min if kind == "max" else 0
    wide = numpy.pad(x, ((0, 0), (0, 0), (1, 2), (1, 1), (0, 1)), constant_values=border)
    # The overhang is no margin: means do not count it.
    counted = numpy.pad(numpy.ones((7, 6, 5)), ((0, 1), (0, 0), (0, 1)))
    for d, h, w in numpy.ndindex(*y.shape[2:]):
        part = (slice(2 * d, 2 * d + 2), slice(h, h + 3), slice(2 * w, 2 * w + 2))
        window = wide[(slice(None), slice(None), *part)]
        expected = window.max((2, 3, 4)) if kind == "max" else window.sum((2, 3, 4))
        if kind == "avg":
            expected = expected / counted[part].sum()
        numpy.testing.assert_allclose(y[:, :, d, h, w], expected, rtol=1e-6)
    assert y.shape[2:] == ((3, 4, 2) if convention == "valid" else (4, 4, 3))


@pytest.mark.parametrize(
    "layout, shape", [("NWC", (2, 7, 3)), ("NHWC", (2, 5, 6, 3)), ("NDHWC", (1, 4, 5, 4, 2))]
)
@pytest.mark.parametrize("kind", ["max", "avg", "sum"])
def test_channels_last(layout, shape, kind):
    x = numpy.random.RandomState(0).randint(-9, 9, shape).astype("float32")
    count = len(shape) - 2
    windows = dict(kernel=(3,) * count, stride=(2,) * count, pad=(1,) * count)
    for more in (windows, dict(global_pool=True)):
        last = nd.Pooling(nd.array(x), pool_type=kind, layout=layout, **more).asnumpy()
        first = nd.Pooling(nd.array(numpy.moveaxis(x, -1, 1)), pool_type=kind, **more).asnumpy()
        numpy.testing.assert_allclose(numpy.moveaxis(last, -1, 1), first, rtol=1e-6)


@pytest.mark.parametrize(
    "shape, given, text",
    [
        ((2, 2), dict(kernel=(2, 2)), "3 to 5 dimensions"),
        ((1, 1, 6, 6), dict(kernel=(9, 9)), r"kernel size \(9\) exceeds input \(6 padded to 6\)"),
        ((1, 1, 6, 6), dict(kernel=(2, 2), pool_type="foo"), "Invalid Input: 'foo'"),
        ((1, 1, 6, 6), dict(kernel=(2, 2), layout="NCW"), "Invalid Input: 'NCW'"),
        ((1, 1, 6, 6), dict(kernel=(2, 2), pool_type="lp"), "p_value"),
        ((1, 1, 6, 6), dict(), "kernel"),
        ((1, 1, 6, 6), dict(kernel=(2, 2), pooling_convention="same"), "'same'"),
        ((1, 1, 6), dict(kernel=(2,), pad=(1,), pooling_convention="same"), "'same'"),
    ],
    ids=str,
)
def test_wrong_arguments(shape, given, text):
    with pytest.raises(MXNetError, match=text):
        nd.Pooling(nd.ones(shape), **given)
