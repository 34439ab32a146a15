"""RNN, LSTM and GRU as layers: against steps written out, states, layouts, weights by name."""

import numpy as np
import pytest

import penstock as ps
from penstock import autograd, nn

X = np.random.default_rng(4).normal(size=(5, 2, 3))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def step_rnn(i, h, states):
    return (np.tanh(i + h),)


def step_lstm(i, h, states):
    a, f, g, o = np.split(i + h, 4, -1)
    cell = sigmoid(f) * states[1] + sigmoid(a) * np.tanh(g)
    return sigmoid(o) * np.tanh(cell), cell


def step_gru(i, h, states):
    (ir, iz, i_n), (hr, hz, hn) = np.split(i, 3, -1), np.split(h, 3, -1)
    z = sigmoid(iz + hz)
    return ((1 - z) * np.tanh(i_n + sigmoid(ir + hr) * hn) + z * states[0],)


KINDS = {
    "rnn": (lambda **settings: nn.RNN(4, "tanh", **settings), step_rnn),
    "lstm": (lambda **settings: nn.LSTM(4, **settings), step_lstm),
    "gru": (lambda **settings: nn.GRU(4, **settings), step_gru),
}


def along(step, x, parts, name, states):
    """One direction of one layer: all outputs, and the last states."""
    outputs = []
    for one in x if name[0] == "l" else x[::-1]:
        i = one @ parts[f"{name}_i2h_weight"].T + parts[f"{name}_i2h_bias"]
        h = states[0] @ parts[f"{name}_h2h_weight"].T + parts[f"{name}_h2h_bias"]
        states = step(i, h, states)
        outputs.append(states[0])
    return np.stack(outputs if name[0] == "l" else outputs[::-1]), states


def written_out(step, x, layer, states):
    parts = {name: one.asnumpy() for name, one in layer.unpacked().items()}
    last = []
    for number in range(layer.num_layers):
        ways = []
        for way in "lr" if layer.bidirectional else "l":
            begin = tuple(one[len(last)] for one in states)
            y, end = along(step, x, parts, f"{way}{number}", begin)
            ways.append(y)
            last.append(end)
        x = np.concatenate(ways, -1)
    return x, [np.stack(part) for part in zip(*last)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("settings", [(1, False), (2, False), (2, True)], ids=str)
def test_recurrent_layers(kind, settings):
    make, step = KINDS[kind]
    layers, both = settings
    layer = make(num_layers=layers, bidirectional=both, dtype="float64").initialize()
    states = tuple(one + 0.5 for one in layer.begin_state(2))
    y, after = layer(ps.array(X), states)
    expected, last = written_out(step, X, layer, [one.asnumpy() for one in states])
    np.testing.assert_allclose(y.asnumpy(), expected, rtol=1e-9, atol=1e-9)
    for one, other in zip(after, last, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_layouts_and_states(kind):
    make, _ = KINDS[kind]
    layer = make(dtype="float64").initialize()
    x = ps.array(X)
    y = layer(x)
    for begin in (None, layer.begin_state(2), list(layer.begin_state(2))):
        again, after = layer(x, begin)
        assert (y == again).all()
        assert (after[0][0] == y[-1]).all()
    other = make(layout="NTC", dtype="float64").load({"weights": layer.weights.data})
    assert other.input_size == 3
    assert (other(x.swapaxes(0, 1)).swapaxes(0, 1) == y).all()


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_flow(kind):
    make, _ = KINDS[kind]
    layer = make(dtype="float64").initialize()
    x = ps.array(X)
    x.attach_grad()
    with autograd.record():
        y = layer(x)
    y.backward()
    assert x.grad.any() and all(part.any() for part in [layer.weights.grad])


def test_dropout_between_layers():
    layer = nn.LSTM(4, num_layers=2, dropout=0.5).initialize()
    x = ps.array(X, dtype="float32")
    plain = layer(x)
    assert (layer(x) == plain).all()
    with autograd.train_mode():
        assert (layer(x) != plain).any()


def test_names_of_weights():
    layer = nn.GRU(4, num_layers=2, bidirectional=True, input_size=3).initialize()
    shapes = {name: one.shape for name, one in layer.unpacked().items()}
    assert list(shapes)[:4] == ["l0_i2h_weight", "l0_h2h_weight", "r0_i2h_weight", "r0_h2h_weight"]
    assert shapes["l1_i2h_weight"] == (12, 8)
    assert shapes["r1_h2h_bias"] == (12,)
    assert sum(map(np.prod, shapes.values())) == layer.weights.data.size
    layer.unpacked()["l0_i2h_weight"][...] = 0  # views
    assert not layer.weights.data[: 12 * 3].any()


def test_text():
    assert repr(nn.LSTM(4)) == "LSTM(? -> 4)"
    layer = nn.GRU(4, 2, bidirectional=True, input_size=3)
    assert repr(layer) == "GRU(3 -> 4, 2 layers, bidirectional)"


def test_refusals():
    with pytest.raises(ValueError, match="layout must be one of TNC, NTC, not 'NCT'"):
        nn.LSTM(4, layout="NCT")
    with pytest.raises(ValueError, match="relu or tanh, not 'gelu'"):
        nn.RNN(4, "gelu")
    with pytest.raises(ValueError, match="0 units in 1 layers"):
        nn.GRU(0)
    with pytest.raises(ValueError, match=r"3 dimensions, not shape \(2, 3\)"):
        nn.LSTM(4).initialize()(ps.ones((2, 3)))
    layer = nn.LSTM(4).initialize()
    with pytest.raises(ValueError, match="LSTM: 1 states, not 2"):
        layer(ps.ones((5, 2, 3)), layer.begin_state(2)[0])
    with pytest.raises(TypeError, match="one argument, not 2"):
        layer(ps.ones((5, 2, 3)), *layer.begin_state(2))
