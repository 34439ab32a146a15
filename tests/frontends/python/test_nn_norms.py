"""Dropout, embeddings, LayerNorm and BatchNorm: training and prediction."""

import numpy as np
import pytest

import penstock as ps
from penstock import autograd, nn

X = np.random.default_rng(5).normal(size=(6, 3, 4)).astype("float32")


def close(x, expected):
    np.testing.assert_allclose(x.asnumpy(), expected, rtol=1e-4, atol=1e-5)


def normal(x, axes):
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + 1e-5)


# ---- Dropout -------------------------------------------------------------------------------------


def test_dropout():
    layer = nn.Dropout(0.25)
    x = ps.ones(1000)
    assert layer(x) is x
    assert nn.Dropout(0)(x) is x
    x.attach_grad()
    with autograd.record():
        y = layer(x)
    y.backward()
    kept = y.asnumpy()
    np.testing.assert_allclose(kept[kept != 0], 1 / 0.75, rtol=1e-6)
    assert 150 < (kept == 0).sum() < 350
    assert (x.grad == y).all()
    with autograd.record(train_mode=False):
        assert layer(x) is x


def test_dropout_along_axes():
    with autograd.train_mode():
        y = nn.Dropout(0.5, axes=1)(ps.ones((50, 20))).asnumpy()
    assert (y == y[:, :1]).all()
    assert len(set(y[:, 0])) == 2


def test_dropout_follows_the_seed():
    layer = nn.Dropout()
    results = []
    for _ in range(2):
        ps.random.seed(4)
        with autograd.train_mode():
            results.append(layer(ps.ones(64)).tolist())
    assert results[0] == results[1]


def test_dropout_refuses():
    for p in (-0.1, 1, 1.5, float("nan")):
        with pytest.raises(ValueError, match="at least 0 and below 1"):
            nn.Dropout(p)


# ---- Embedding -----------------------------------------------------------------------------------


def test_embedding():
    layer = nn.Embedding(10, 4).initialize()
    places = ps.array([[1, 2], [1, 9]])
    with autograd.record():
        y = layer(places)
    y.backward()
    close(y, layer.weight.data.asnumpy()[places.asnumpy()])
    counts = layer.weight.grad[:, 0].tolist()
    assert counts == [0, 2, 1, 0, 0, 0, 0, 0, 0, 1]
    assert repr(layer) == "Embedding(10 -> 4)"
    with pytest.raises(IndexError, match="10"):
        layer(ps.array([10])).wait()


# ---- LayerNorm -----------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [-1, 1, (1, 2), (-2, -1)])
def test_layer_norm(axis):
    layer = nn.LayerNorm(axis).initialize()
    axes = axis if isinstance(axis, tuple) else (axis,)
    close(layer(ps.array(X)), normal(X, axes))
    assert layer.gamma.shape == tuple(X.shape[i] for i in axes)
    assert list(layer.parameters()) == ["gamma", "beta"]
    assert list(nn.LayerNorm(center=False, scale=False).parameters()) == []


def test_layer_norm_scales():
    layer = nn.LayerNorm(in_channels=4, gamma_init=2.0, beta_init=1.0).initialize()
    x = ps.array(X)
    x.attach_grad()
    with autograd.record():
        y = layer(x)
    y.backward()
    close(y, 2 * normal(X, (-1,)) + 1)
    close(layer.beta.grad, [18.0] * 4)
    with pytest.raises(ValueError):
        layer(ps.ones((2, 5)))


# ---- BatchNorm -----------------------------------------------------------------------------------


def test_batch_norm():
    layer = nn.BatchNorm(momentum=0.8).initialize()
    x = ps.array(X)
    with autograd.record():
        y = layer(x)
    y.backward()
    close(y, normal(X, (0, 2)))
    close(layer.running_mean.data, 0.2 * X.mean((0, 2)))
    close(layer.running_var.data, 0.8 + 0.2 * X.var((0, 2)))
    close(layer.beta.grad, [24.0] * 3)
    assert layer.running_mean.grad is None
    mean, var = layer.running_mean.data.asnumpy(), layer.running_var.data.asnumpy()
    expected = (X - mean[:, None]) / np.sqrt(var[:, None] + 1e-5)
    close(layer(x), expected)
    with autograd.record(train_mode=False):
        close(layer(x), expected)
    close(layer.running_mean.data, mean)


def test_batch_norm_names():
    layer = nn.BatchNorm()
    names = ["gamma", "beta", "running_mean", "running_var"]
    assert list(layer.parameters()) == names
    assert list(nn.BatchNorm(scale=False, center=False).parameters()) == names[2:]
    assert repr(layer) == "BatchNorm(?, axis=1, epsilon=1e-05)"


def test_batch_norm_round_trip(tmp_path):
    layer = nn.BatchNorm(axis=-1).initialize()
    with autograd.train_mode():
        layer(ps.array(X))
    layer.save(tmp_path / "a.safetensors")
    other = nn.BatchNorm(axis=-1).load(tmp_path / "a.safetensors")
    assert (other(X) == layer(X)).all()
