"""mx.gluon.rnn's layers over whole sequences, as MXNet 1.9.1 has them.

What they compute is compared with the same written out in NumPy, step by step.
"""

import numpy
import pytest

from penstock.mxnet import autograd, init, nd, np, npx
from penstock.mxnet.base import MXNetError
from penstock.mxnet.gluon import contrib, nn, rnn

pytestmark = pytest.mark.usefixtures("nothing_recorded")

LAYERS = pytest.mark.parametrize("make", [rnn.RNN, rnn.LSTM, rnn.GRU])


def drawn(*shape, seed=0):
    return numpy.random.RandomState(seed).uniform(-1, 1, shape).astype("float32")


def settled(layer, x):
    """The layer with parameters that are the same in each run."""
    layer.initialize()
    layer(x)
    for seed, param in enumerate(layer.collect_params().values()):
        param.set_data(nd.array(drawn(*param.shape, seed=seed)))
    return layer


def close(array, expected):
    found = array.asnumpy()
    assert found.shape == expected.shape
    numpy.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


# ---- In NumPy ------------------------------------------------------------------------------------


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


def step(mode, i2h, h2h, h, c):
    if mode == "lstm":
        i, f, g, o = numpy.split(i2h + h2h, 4, 1)
        c = sigmoid(f) * c + sigmoid(i) * numpy.tanh(g)
        return sigmoid(o) * numpy.tanh(c), c
    if mode == "gru":
        (r, z, n), (hr, hz, hn) = numpy.split(i2h, 3, 1), numpy.split(h2h, 3, 1)
        r, z = sigmoid(r + hr), sigmoid(z + hz)
        return (1 - z) * numpy.tanh(n + r * hn) + z * h, c
    return (numpy.tanh if mode == "tanh" else lambda x: numpy.maximum(x, 0))(i2h + h2h), c


def computed(layer, mode, x, states):
    """Outputs and last states of a layer, over x (steps, batch, inputs)."""
    params = {
        name.removeprefix(layer.prefix): param.data().asnumpy().astype("float64")
        for name, param in layer.collect_params().items()
    }
    last = [[], []]
    for number in range(layer._num_layers):
        outputs = []
        for place, way in enumerate("lr"[: layer._dir]):
            part = f"{way}{number}_"
            row = number * layer._dir + place
            h, c = states[0][row], states[-1][row]
            steps = range(len(x)) if way == "l" else range(len(x))[::-1]
            made = {}
            for at in steps:
                i2h = x[at] @ params[part + "i2h_weight"].T + params[part + "i2h_bias"]
                h2h = h @ params[part + "h2h_weight"].T + params[part + "h2h_bias"]
                h, c = step(mode, i2h, h2h, h, c)
                if part + "h2r_weight" in params:
                    h = h @ params[part + "h2r_weight"].T
                made[at] = h
            outputs.append(numpy.stack([made[at] for at in range(len(x))]))
            last[0].append(h)
            last[1].append(c)
        x = numpy.concatenate(outputs, 2)
    return x, [numpy.stack(one) for one in last[: len(states)]]


CASES = [
    ("relu", rnn.RNN, {}),
    ("tanh", rnn.RNN, {"activation": "tanh", "num_layers": 2}),
    ("lstm", rnn.LSTM, {}),
    ("lstm", rnn.LSTM, {"num_layers": 2, "bidirectional": True}),
    ("lstm", rnn.LSTM, {"projection_size": 2}),
    ("lstm", rnn.LSTM, {"projection_size": 2, "num_layers": 2, "bidirectional": True}),
    ("gru", rnn.GRU, {"bidirectional": True}),
    ("gru", rnn.GRU, {"num_layers": 3}),
]


@pytest.mark.parametrize("mode, make, settings", CASES)
@pytest.mark.parametrize("layout", ["TNC", "NTC"])
def test_layers_compute_what_steps_do(mode, make, settings, layout):
    x = drawn(4, 3, 5)
    given = nd.array(x if layout == "TNC" else x.swapaxes(0, 1))
    layer = settled(make(3, layout=layout, **settings), given)
    states = [drawn(*info["shape"], seed=9) for info in layer.state_info(3)]
    expected, last = computed(layer, mode, x, states)
    y, after = layer(given, list(map(nd.array, states)))
    assert type(after) is list and len(after) == len(states)
    close(y, expected if layout == "TNC" else expected.swapaxes(0, 1))
    for found, one in zip(after, last, strict=True):
        close(found, one)
    expected, _ = computed(layer, mode, x, [numpy.zeros_like(one) for one in states])
    close(layer(given), expected if layout == "TNC" else expected.swapaxes(0, 1))


@pytest.mark.parametrize("mode, make, settings", CASES)
def test_gradients_are_those_of_differences(mode, make, settings):
    x = drawn(3, 2, 2)
    layer = settled(make(2, **settings), nd.array(x))
    given = nd.array(x)
    given.attach_grad()
    with autograd.record():
        y = layer(given)
    y.backward()
    states = [numpy.zeros(info["shape"]) for info in layer.state_info(2)]
    length = 1e-4
    for place in [(0, 0, 0), (1, 1, 0), (2, 0, 1)]:
        ends = []
        for sign in (1, -1):
            moved = x.astype("float64")
            moved[place] += sign * length
            ends.append(computed(layer, mode, moved, states)[0].sum())
        expected = (ends[0] - ends[1]) / (2 * length)
        assert abs(given.grad.asnumpy()[place] - expected) < 1e-3
    for param in layer.collect_params().values():
        assert param.grad().shape == param.shape
        assert abs(param.grad()).sum().asscalar() > 0


# ---- States --------------------------------------------------------------------------------------


def test_states():
    layer = rnn.LSTM(4, num_layers=2, bidirectional=True)
    info = {"shape": (4, 3, 4), "__layout__": "LNC", "dtype": "float32"}
    assert layer.state_info(3) == [info, info]
    assert [state.shape for state in layer.begin_state(3)] == [(4, 3, 4)] * 2
    ones = layer.begin_state(batch_size=3, func=nd.ones)
    assert [state.sum().asscalar() for state in ones] == [48, 48]
    seen = []

    def own(name, **settings):
        seen.append((name, settings))
        return nd.zeros(settings["shape"])

    rnn.GRU(2, prefix="mine_").begin_state(5, own, ctx=None)
    shape = {"shape": (1, 5, 2), "__layout__": "LNC", "dtype": "float32", "ctx": None}
    assert seen == [("mine_h0_0", shape)]
    assert [one["shape"] for one in rnn.LSTM(4, projection_size=2).state_info(3)] == [
        (1, 3, 2),
        (1, 3, 4),
    ]


def test_one_state_need_not_be_a_list():
    x = nd.array(drawn(4, 3, 5))
    layer = settled(rnn.GRU(2), x)
    y, states = layer(x, layer.begin_state(3)[0])
    assert type(states) is list and states[0].shape == (1, 3, 2)
    assert y[-1].asnumpy().tolist() == states[0][0].asnumpy().tolist()


def test_states_that_do_not_fit():
    x = nd.ones((4, 3, 5))
    layer = settled(rnn.LSTM(2), x)
    with pytest.raises(ValueError, match=r"shape \(1, 3, 2\), not \(1, 2, 2\)"):
        layer(x, layer.begin_state(2))
    with pytest.raises(MXNetError):
        layer(x, layer.begin_state(3)[:1])


def test_arguments_that_do_not_fit():
    with pytest.raises(AssertionError):
        rnn.LSTM(2, layout="CNT")
    with pytest.raises(KeyError):
        rnn.RNN(2, activation="sine")
    layer = settled(rnn.LSTM(2), nd.ones((4, 3, 5)))
    with pytest.raises(MXNetError):
        layer(nd.ones((4, 3)))
    with pytest.raises(MXNetError):
        layer(nd.ones((4, 3, 6)))
    layer = rnn.LSTM(2, use_sequence_length=True)
    layer.initialize()
    with pytest.raises(MXNetError):
        layer(nd.ones((4, 3, 5)))
    with pytest.raises(RuntimeError):
        rnn.LSTM(2)(nd.ones((4, 3, 5)))


# ---- Parameters ----------------------------------------------------------------------------------


def test_names_and_shapes_of_parameters():
    layer = rnn.GRU(2, num_layers=2, bidirectional=True, prefix="g_")
    shapes = {name: param.shape for name, param in layer.collect_params().items()}
    assert list(shapes)[:5] == [
        *("g_l0_i2h_weight", "g_l0_h2h_weight", "g_l0_i2h_bias", "g_l0_h2h_bias"),
        "g_r0_i2h_weight",
    ]
    assert shapes["g_l0_i2h_weight"] == (6, 0) and shapes["g_r1_i2h_weight"] == (6, 4)
    assert shapes["g_r1_h2h_weight"] == (6, 2) and shapes["g_l1_h2h_bias"] == (6,)
    layer.initialize()
    layer(nd.ones((1, 1, 3)))
    assert layer.l0_i2h_weight.shape == layer.r0_i2h_weight.shape == (6, 3)


def test_texts():
    assert repr(rnn.RNN(5)) == "RNN(None -> 5, TNC)"
    layer = rnn.LSTM(5, 2, "NTC", 0.3, True, 3)
    assert repr(layer) == "LSTM(3 -> 5, NTC, num_layers=2, dropout=0.3, bidirectional)"


@LAYERS
def test_files(make, tmp_path):
    x = nd.array(drawn(4, 3, 5))
    layer = settled(make(2, bidirectional=True), x)
    path = str(tmp_path / "layer.params")
    layer.save_parameters(path)
    names = sorted(nd.load(path))
    assert names[0] == "_unfused.0.l_cell.h2h_bias" and len(names) == 8
    other = make(2, bidirectional=True)
    other.load_parameters(path)
    assert (other(x) == layer(x)).asnumpy().all()
    net = nn.Sequential()
    net.add(make(2))
    assert list(net._collect_params_with_prefix())[0] == "0._unfused.0.i2h_weight"


def test_initialisers():
    layer = rnn.LSTM(2, i2h_bias_initializer=init.LSTMBias(3.0), h2h_weight_initializer="ones")
    layer.initialize(init.Zero())
    layer(nd.ones((1, 1, 3)))
    assert layer.l0_i2h_bias.data().asnumpy().tolist() == [0, 0, 3, 3, 0, 0, 0, 0]
    assert layer.l0_h2h_weight.data().asnumpy().min() == 1
    assert layer.l0_i2h_weight.data().asnumpy().max() == 0


def test_infer_shape():
    layer = rnn.LSTM(2)
    layer.initialize()
    layer.infer_shape(nd.ones((4, 3, 5)), layer.begin_state(3))
    assert layer.l0_i2h_weight.shape == (8, 5)


def test_cast():
    layer = rnn.GRU(2)
    layer.initialize()
    layer.cast("float64")
    y, states = layer(nd.ones((4, 3, 5), dtype="float64"), layer.begin_state(3))
    assert y.dtype == states[0].dtype == numpy.float64


# ---- Other ways to the same ----------------------------------------------------------------------


@LAYERS
@pytest.mark.parametrize("settings", [{}, {"num_layers": 2, "bidirectional": True, "dropout": 0.5}])
def test_cells_of_a_layer(make, settings):
    layer = make(2, **settings)
    cells = layer._unfuse()
    x = nd.array(drawn(4, 3, 5))
    settled(layer, x)
    assert list(cells.collect_params()) == list(layer.collect_params())
    outputs, _ = cells.unroll(4, x, layout="TNC", merge_outputs=True)
    close(outputs, layer(x).asnumpy())
    with pytest.raises(AssertionError):
        rnn.LSTM(2, projection_size=2)._unfuse()


def test_projections_are_those_of_the_cell():
    x = nd.array(drawn(4, 3, 5))
    layer = settled(rnn.LSTM(4, projection_size=2, prefix="p_"), x)
    stack = rnn.HybridSequentialRNNCell(prefix="p_", params=layer.params)
    with stack.name_scope():
        stack.add(contrib.rnn.LSTMPCell(4, 2, prefix="l0_"))
    outputs, states = stack.unroll(4, x, layout="TNC", merge_outputs=True)
    y, after = layer(x, layer.begin_state(3))
    close(outputs, y.asnumpy())
    for one, other in zip(states, after, strict=True):
        close(one, other[0].asnumpy())


def test_dropout_between_layers():
    x = nd.array(drawn(5, 3, 4))
    layer = settled(rnn.LSTM(8, num_layers=2, dropout=0.5), x)
    plain = layer(x).asnumpy()
    assert (layer(x).asnumpy() == plain).all()
    with autograd.train_mode():
        assert (layer(x).asnumpy() != plain).any()
        one = settled(rnn.LSTM(8, dropout=0.5), x)
        assert (one(x).asnumpy() == one(x).asnumpy()).all()


def test_numpy_mode():
    npx.set_np()
    layer = rnn.LSTM(2)
    assert repr(layer) == "LSTM(-1 -> 2, TNC)" and layer.l0_i2h_weight.shape == (8, -1)
    layer.initialize()
    y, states = layer(np.ones((4, 3, 5)), layer.begin_state(3))
    assert type(y) is type(states[0]) is type(states[1]) is np.ndarray
    assert type(layer(np.ones((4, 3, 5)))) is np.ndarray
    npx.reset_np()


def test_lengths_change_nothing():
    layer = rnn.GRU(2, use_sequence_length=True)
    layer.initialize()
    x = nd.array(drawn(4, 3, 5))
    some, all_steps = nd.array([1, 2, 4]), nd.array([4, 4, 4])
    assert (layer(x, sequence_length=some) == layer(x, sequence_length=all_steps)).asnumpy().all()


def test_hybridized():
    x = nd.array(drawn(4, 3, 5))
    layer = settled(rnn.GRU(2), x)
    before = layer(x).asnumpy()
    layer.hybridize()
    assert (layer(x).asnumpy() == before).all()
