"""RNN of mx.nd and mx.npx: order of the flat parameters, gates, directions, layers, dropout."""

import numpy
import pytest

from penstock.mxnet import autograd, nd, np, npx
from penstock.mxnet.base import MXNetError, NotBuiltError

pytestmark = pytest.mark.usefixtures("nothing_recorded")

STEPS, BATCH, INPUTS, HIDDEN = 3, 2, 4, 5
GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


def stepped(mode, i, h, state, cell):
    """One step: i and h are what input and state give, with their biases, for all gates."""
    if mode.startswith("rnn"):
        z = i + h
        return (numpy.tanh(z) if mode == "rnn_tanh" else numpy.maximum(z, 0)), cell
    i, h = (numpy.split(one, GATES[mode], 1) for one in (i, h))
    if mode == "lstm":
        into, forget, candidate, out = (a + b for a, b in zip(i, h))
        cell = sigmoid(forget) * cell + sigmoid(into) * numpy.tanh(candidate)
        return sigmoid(out) * numpy.tanh(cell), cell
    reset, update = sigmoid(i[0] + h[0]), sigmoid(i[1] + h[1])
    return (1 - update) * numpy.tanh(i[2] + reset * h[2]) + update * state, cell


def walked(mode, x, parts, state, cell):
    """One direction of a layer."""
    w, u, b, c = parts
    found = []
    for one in x:
        state, cell = stepped(mode, one @ w.T + b, state @ u.T + c, state, cell)
        found.append(state)
    return numpy.stack(found), state, cell


def layered(mode, x, flat, states, cells, layers, directions):
    rows = GATES[mode] * HIDDEN
    weights, biases, place = [], [], 0

    def take(*shape):
        nonlocal place
        count = int(numpy.prod(shape))
        place += count
        return flat[place - count : place].reshape(shape)

    for layer in range(layers):
        inputs = INPUTS if layer == 0 else directions * HIDDEN
        for _ in range(directions):
            weights.append((take(rows, inputs), take(rows, HIDDEN)))
    for _ in range(layers * directions):
        biases.append((take(rows), take(rows)))
    last = []
    for layer in range(layers):
        results = []
        for way in range(directions):
            at = layer * directions + way
            parts = *weights[at], *biases[at]
            y, *after = walked(mode, x[::-1] if way else x, parts, states[at], cells[at])
            results.append(y[::-1] if way else y)
            last.append(after)
        x = numpy.concatenate(results, 2)
    return x, numpy.stack([one[0] for one in last]), numpy.stack([one[1] for one in last])


def count(mode, layers, directions):
    rows = directions * GATES[mode] * HIDDEN
    first = rows * (INPUTS + HIDDEN + 2)
    return first + (layers - 1) * rows * (directions * HIDDEN + HIDDEN + 2)


@pytest.mark.parametrize("mode", GATES)
@pytest.mark.parametrize("layers, directions", [(1, 1), (2, 1), (2, 2)])
@pytest.mark.parametrize("kind", [nd, np], ids=["nd", "np"])
def test_values(kind, mode, layers, directions):
    rnn = nd.RNN if kind is nd else npx.rnn
    draw = numpy.random.RandomState(0)
    x = draw.randn(STEPS, BATCH, INPUTS).astype("float32")
    flat = draw.randn(count(mode, layers, directions)).astype("float32") * 0.5
    shape = (layers * directions, BATCH, HIDDEN)
    states = [draw.randn(*shape).astype("float32") for _ in range(2)]
    expected = layered(mode, x, flat, *states, layers, directions)
    arrays = [kind.array(one) for one in (x, flat, *states)]
    arrays = arrays if mode == "lstm" else arrays[:3]
    given = dict(
        mode=mode, state_size=HIDDEN, num_layers=layers, bidirectional=directions == 2, p=0.5
    )
    found = rnn(*arrays, state_outputs=True, **given)
    assert type(found) is list and len(found) == (3 if mode == "lstm" else 2)
    for one, other in zip(found, expected):
        numpy.testing.assert_allclose(one.asnumpy(), other, rtol=1e-4, atol=1e-5)
    alone = rnn(*arrays, **given)
    assert type(alone) is type(arrays[0])
    numpy.testing.assert_array_equal(alone.asnumpy(), found[0].asnumpy())


def test_dropout_between_layers_in_training():
    flat, x = nd.ones((count("rnn_relu", 2, 1),)) * 0.1, nd.ones((STEPS, BATCH, INPUTS))
    state = nd.zeros((2, BATCH, HIDDEN))
    given = dict(mode="rnn_relu", state_size=HIDDEN, num_layers=2)
    plain = nd.RNN(x, flat, state, p=0.5, **given).asnumpy()
    with autograd.train_mode():
        kept = nd.RNN(x, flat, state, **given).asnumpy()
        dropped = nd.RNN(x, flat, state, p=0.9, **given).asnumpy()
    assert (plain == kept).all() and (plain != dropped).any()


def test_gradients_reach_all_arguments():
    draw = numpy.random.RandomState(0)
    shapes = (STEPS, BATCH, INPUTS), (count("lstm", 1, 1),), *[(1, BATCH, HIDDEN)] * 2
    arrays = [nd.array(draw.randn(*shape) * 0.3) for shape in shapes]
    for one in arrays:
        one.attach_grad()

    def loss(*given):
        return nd.RNN(*given, mode="lstm", state_size=HIDDEN, num_layers=1).sum()

    with autograd.record():
        y = loss(*arrays)
    y.backward()
    for place, one in enumerate(arrays):
        direction = nd.array(draw.randn(*one.shape))
        sides = []
        for step in (1e-2, -1e-2):
            moved = list(arrays)
            moved[place] = one + direction * step
            sides.append(loss(*moved).asscalar())
        slope = (one.grad * direction).sum().asscalar()
        assert (sides[0] - sides[1]) / 2e-2 == pytest.approx(slope, rel=2e-2, abs=2e-3)


def test_wrong_arguments():
    x, state = nd.ones((STEPS, BATCH, INPUTS)), nd.zeros((1, BATCH, HIDDEN))
    flat = nd.ones((count("gru", 1, 1),))
    given = dict(mode="gru", state_size=HIDDEN, num_layers=1)
    for arrays, more, text in (
        ((x, nd.ones(7), state), {}, r"must have shape \(165,\) .*, not \(7,\)"),
        ((x, flat, nd.zeros((2, BATCH, HIDDEN))), {}, "state"),
        ((x[0], flat, state), {}, "3 dimensions"),
        ((x, flat, state), dict(mode="foo"), "Invalid Input"),
        ((x, nd.ones((220,)), state), dict(mode="lstm"), "expects 4 inputs"),
    ):
        with pytest.raises(MXNetError, match=text):
            nd.RNN(*arrays, **{**given, **more})
    with pytest.raises(MXNetError, match="state_size"):
        nd.RNN(x, flat, state, mode="gru", num_layers=1)
    with pytest.raises(NotBuiltError, match="projection_size"):
        nd.RNN(x, flat, state, projection_size=2, **given)
