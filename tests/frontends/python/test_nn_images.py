"""Convolutions and pooling as layers: arguments that reach the operations, shapes, text."""

import numpy as np
import pytest

import penstock as ps
from penstock import autograd, nn

X = np.random.default_rng(2).normal(size=(2, 4, 7, 6)).astype("float32")


def close(x, expected):
    np.testing.assert_allclose(x.asnumpy(), expected, rtol=1e-4, atol=1e-4)


def windows(x, kernel, strides, padding=(0, 0), dilation=(1, 1), fill=0.0):
    """(batch, channels, rows, columns, kernel rows, kernel columns)."""
    (m, n), (p, q), (s, t), (d, e) = kernel, padding, strides, dilation
    x = np.pad(x, ((0, 0), (0, 0), (p, p), (q, q)), constant_values=fill)
    view = np.lib.stride_tricks.sliding_window_view
    return view(x, (d * (m - 1) + 1, e * (n - 1) + 1), (2, 3))[:, :, ::s, ::t, ::d, ::e]


SETTINGS = [
    {},
    {"strides": 2},
    {"padding": (1, 2)},
    {"dilation": (2, 1)},
    {"strides": (2, 1), "padding": 1, "dilation": 2},
]


def pair(value):
    return (value, value) if isinstance(value, int) else value


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_conv2d(settings):
    layer = nn.Conv2D(5, (3, 2), **settings, bias_init=0.5).initialize(nn.init.Normal(1.0))
    with autograd.record():
        y = layer(ps.array(X))
    y.backward()
    every = {name: pair(settings.get(name, usual)) for name, usual in
             (("strides", 1), ("padding", 0), ("dilation", 1))}  # fmt: skip
    seen = windows(X, (3, 2), every["strides"], every["padding"], every["dilation"])
    expected = np.einsum("bchwij,ocij->bohw", seen, layer.weight.data.asnumpy()) + 0.5
    close(y, expected)
    close(layer.weight.grad[0], seen.sum((0, 2, 3)))
    close(layer.bias.grad, [np.prod(expected.shape) / 5] * 5)


def test_groups():
    layer = nn.Conv2D(6, 3, groups=2, use_bias=False).initialize(nn.init.Normal(1.0))
    y = layer(ps.array(X))
    weight = layer.weight.data.asnumpy()
    assert weight.shape == (6, 2, 3, 3)
    halves = [
        np.einsum("bchwij,ocij->bohw", windows(X[:, 2 * i : 2 * i + 2], (3, 3), (1, 1)), part)
        for i, part in enumerate(np.split(weight, 2))
    ]
    close(y, np.concatenate(halves, 1))
    assert repr(layer) == "Conv2D(4 -> 6, kernel_size=(3, 3), groups=2)"


def test_activation():
    layer = nn.Conv2D(3, 3, activation="relu", in_channels=4).initialize(nn.init.Normal(1.0))
    y = layer(ps.array(X))
    assert (y >= 0).all() and (y == 0).any()
    assert repr(layer) == "Conv2D(4 -> 3, kernel_size=(3, 3), relu)"


def test_transpose_undoes_shapes():
    """It is the transpose: <conv(x), y> = <x, transpose(y)>."""
    conv = nn.Conv2D(5, 3, strides=2, padding=1, use_bias=False).initialize(nn.init.Normal(1.0))
    x = ps.array(X)
    y = conv(x)
    z = ps.random.default_rng(1).normal(size=y.shape)
    back = nn.Conv2DTranspose(
        4, 3, strides=2, padding=1, output_padding=(0, 1), use_bias=False
    ).load({"weight": conv.weight.data})
    assert back(z).shape == x.shape
    one, other = (y * z).sum().item(), (x * back(z)).sum().item()
    assert abs(one - other) <= 1e-5 * ps.abs(y * z).sum().item()  # however much cancels
    assert repr(back).startswith("Conv2DTranspose(5 -> 4, kernel_size=(3, 3), strides=(2, 2)")


def test_transpose_settles_its_input():
    layer = nn.Conv2DTranspose(8, 2, strides=2, groups=2).initialize()
    assert layer(ps.array(X)).shape == (2, 8, 14, 12)
    assert layer.weight.shape == (4, 4, 2, 2)


def test_max_pool():
    close(nn.MaxPool2D()(ps.array(X)), windows(X, (2, 2), (2, 2)).max((4, 5)))
    seen = windows(X, (3, 2), (2, 1), (1, 0), fill=-np.inf)
    close(nn.MaxPool2D((3, 2), (2, 1), (1, 0))(ps.array(X)), seen.max((4, 5)))
    assert nn.MaxPool2D(2, ceil_mode=True)(ps.array(X)).shape == (2, 4, 4, 3)
    assert repr(nn.MaxPool2D(3, 1)) == "MaxPool2D((3, 3), strides=(1, 1), padding=(0, 0))"


def test_avg_pool():
    close(nn.AvgPool2D()(ps.array(X)), windows(X, (2, 2), (2, 2)).mean((4, 5)))
    seen = windows(X, (3, 3), (1, 1), (1, 1))
    close(nn.AvgPool2D(3, 1, 1)(ps.array(X)), seen.mean((4, 5)))
    counts = windows(np.ones_like(X), (3, 3), (1, 1), (1, 1)).sum((4, 5))
    pool = nn.AvgPool2D(3, 1, 1, count_include_pad=False)
    close(pool(ps.array(X)), seen.sum((4, 5)) / counts)


def test_global_pools():
    close(nn.GlobalAvgPool2D()(ps.array(X)), X.mean((2, 3), keepdims=True))
    close(nn.GlobalMaxPool2D()(ps.array(X)), X.max((2, 3), keepdims=True))


def test_refusals():
    with pytest.raises(ValueError, match=r"kernel_size must be one or two integers, not \(1, 2"):
        nn.Conv2D(4, (1, 2, 3))
    with pytest.raises(ValueError, match=r"x must have 4 dimensions, not shape \(4, 3\)"):
        nn.Conv2D(4, 3).initialize()(ps.ones((4, 3)))
    with pytest.raises(ValueError, match="4 channels cannot make 3 groups"):
        nn.Conv2D(6, 3, groups=3).initialize()(ps.array(X))
    with pytest.raises(ValueError) as caught:
        nn.Sequential(nn.Conv2D(6, 9, in_channels=4)).initialize()(ps.array(X))
    note = "in layer '0': Conv2D(4 -> 6, kernel_size=(9, 9)), called with float32 (2, 4, 7, 6)"
    assert note in caught.value.__notes__
