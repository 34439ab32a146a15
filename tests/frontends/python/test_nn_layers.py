"""Layers: what they compute, and what they refuse."""

import numpy as np
import pytest

import penstock as ps
from penstock import autograd, nn

X = np.random.default_rng(1).normal(size=(4, 3, 5)).astype("float32")


def close(x, expected):
    np.testing.assert_allclose(x.asnumpy(), expected, rtol=1e-5, atol=1e-5)


# ---- Sequential, Lambda, Flatten -----------------------------------------------------------------


def test_sequential():
    net = nn.Sequential(nn.Dense(4), nn.relu, lambda x: x + 1).add(nn.Flatten())
    assert len(net) == 4
    assert [type(one).__name__ for one in net] == ["Dense", "Lambda", "Lambda", "Flatten"]
    assert net[0] is next(iter(net))
    assert net[-1] is net[3]
    part = net[1:3]
    assert type(part) is nn.Sequential
    assert part(ps.array([-1.0, 1.0])).tolist() == [1, 2]
    with pytest.raises(IndexError):
        net[4]
    assert nn.Sequential()(5) == 5


def test_sequential_after_changes():
    net = nn.Sequential(nn.Flatten(), nn.ReLU())
    setattr(net, "0", nn.Lambda(lambda x: x - 10))
    assert net(ps.ones((1, 1))).item() == 0  # in its place
    delattr(net, "1")
    assert net(ps.ones((1, 1))).item() == -9


def test_sequential_subclasses():
    class Twice(nn.Sequential):
        def forward(self, x):
            return super().forward(super().forward(x))

    assert Twice(lambda x: x * 3)(2) == 18


def test_lambda():
    assert repr(nn.Lambda("relu")) == "Lambda(relu)"
    assert nn.Lambda("swish")(ps.zeros(1)).item() == 0
    assert nn.Lambda(lambda x, y=1: x + y)(1, y=2) == 3
    with pytest.raises(ValueError, match="no function 'rely'; did you mean 'relu'"):
        nn.Lambda("rely")
    with pytest.raises(TypeError, match="a function or its name, not 5"):
        nn.Lambda(5)
    with pytest.raises(TypeError, match="ReLU is a class; an object of it is needed"):
        nn.Sequential(nn.ReLU)
    with pytest.raises(TypeError, match="argument"):
        nn.Flatten(5)


def test_flatten():
    close(nn.Flatten()(ps.array(X)), X.reshape(4, 15))
    assert nn.Flatten()(X).shape == (4, 15)
    assert nn.Flatten()(ps.ones((0, 3, 5))).shape == (0, 15)
    assert nn.Flatten()(ps.ones(3)).shape == (3, 1)
    with pytest.raises(ValueError, match="no batch"):
        nn.Flatten()(ps.array(1.0))


# ---- Dense ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("flatten", [True, False])
@pytest.mark.parametrize("use_bias", [True, False])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_dense(flatten, use_bias, dtype):
    x = ps.array(X, dtype=dtype)
    layer = nn.Dense(2, flatten=flatten, use_bias=use_bias, dtype=dtype, bias_init=0.5).initialize()
    y = layer(x)
    weight = layer.weight.data.asnumpy()
    assert weight.shape == (2, 15 if flatten else 5)
    expected = (X.reshape(4, 15) if flatten else X) @ weight.T + 0.5 * use_bias
    assert y.dtype == x.dtype
    close(y, expected)


@pytest.mark.parametrize("activation", ["relu", "tanh", "swish", "softmax", nn.relu, ps.cos])
def test_dense_with_activation(activation):
    plain = nn.Dense(3, in_units=5, flatten=False).initialize()
    layer = nn.Dense(3, activation, in_units=5, flatten=False).load(
        {"weight": plain.weight.data, "bias": plain.bias.data}
    )
    function = getattr(nn, activation) if isinstance(activation, str) else activation
    close(layer(ps.array(X)), function(plain(ps.array(X))).asnumpy())


def test_dense_takes_numpy_and_no_samples():
    layer = nn.Dense(2).initialize()
    assert layer(X).shape == (4, 2)
    assert layer(np.ones((0, 3, 5), "float32")).shape == (0, 2)


def test_dense_refuses():
    with pytest.raises(ValueError, match="no function 'nothing'"):
        nn.Dense(2, "nothing")
    with pytest.raises(TypeError, match="a name or a function, not 5"):
        nn.Dense(2, 5)
    with pytest.raises(ValueError, match="no dimensions"):
        nn.Dense(2).initialize()(ps.array(1.0))
    with pytest.raises(ValueError, match="must not be below 0"):
        nn.Dense(-2)


def test_a_bias_without_an_array_is_no_missing_bias():
    layer = nn.Dense(2, in_units=3)
    layer.weight.initialize()
    with pytest.raises(nn.NotInitialized, match="'bias'"):
        layer(ps.ones((1, 3)))


# ---- Activations ---------------------------------------------------------------------------------

ACTIVATIONS = [
    (nn.ReLU(), nn.relu, "ReLU()"),
    (nn.ReLU6(), nn.relu6, "ReLU6()"),
    (nn.Sigmoid(), nn.sigmoid, "Sigmoid()"),
    (nn.Tanh(), nn.tanh, "Tanh()"),
    (nn.SiLU(), nn.silu, "SiLU()"),
    (nn.Mish(), nn.mish, "Mish()"),
    (nn.Softplus(), nn.softplus, "Softplus()"),
    (nn.Softsign(), nn.softsign, "Softsign()"),
    (nn.HardSigmoid(), nn.hard_sigmoid, "HardSigmoid()"),
    (nn.HardSwish(), nn.hard_swish, "HardSwish()"),
    (nn.GELU(), nn.gelu, "GELU()"),
    (nn.GELU(approximate=True), nn.gelu_tanh, "GELU(approximate=True)"),
    (nn.LeakyReLU(0.3), lambda x: nn.leaky_relu(x, 0.3), "LeakyReLU(0.3)"),
    (nn.ELU(1.5), lambda x: nn.elu(x, 1.5), "ELU(1.5)"),
    (nn.Softmax(1), lambda x: nn.softmax(x, 1), "Softmax(axis=1)"),
    (nn.LogSoftmax(), nn.log_softmax, "LogSoftmax(axis=-1)"),
    (nn.Activation("tanh"), nn.tanh, "Activation(tanh)"),
]


@pytest.mark.parametrize("case", ACTIVATIONS, ids=lambda case: case[2])
def test_activations(case):
    layer, function, text = case
    x = ps.array(X)
    assert repr(layer) == text
    assert (layer(x) == function(x)).all()
    assert layer.parameters() == {}


def test_a_small_model_learns():
    """A line through points, by steps written out."""
    rng = ps.random.default_rng(1)
    x = rng.normal(size=(256, 2))
    y = x @ ps.array([2.0, -3.4]) + 4.2
    net = nn.Sequential(nn.Dense(1)).initialize(nn.init.Normal(0.01, rng))
    for _ in range(200):
        with autograd.record():
            loss = ((net(x)[:, 0] - y) ** 2).mean() / 2
        loss.backward()
        for one in net.parameters().values():
            one.data[...] -= 0.3 * one.grad
    close(net[0].weight.data, [[2.0, -3.4]])
    close(net[0].bias.data, [4.2])
