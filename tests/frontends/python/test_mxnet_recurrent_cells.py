"""mx.gluon.rnn's cells, and those of gluon.contrib.rnn, as MXNet 1.9.1 has them."""

import numpy
import pytest

from penstock.mxnet import autograd, init, nd, np, npx, random
from penstock.mxnet.base import MXNetError
from penstock.mxnet.gluon import contrib, nn, rnn

pytestmark = pytest.mark.usefixtures("nothing_recorded")

BASIC = pytest.mark.parametrize("make", [rnn.RNNCell, rnn.LSTMCell, rnn.GRUCell])


@pytest.fixture(autouse=True)
def seeded():
    """The same elements are dropped in each run."""
    random.seed(1)


def drawn(*shape, seed=0):
    return nd.array(numpy.random.RandomState(seed).uniform(-1, 1, shape))


def ready(cell):
    cell.initialize()
    return cell


def equal(one, other):
    numpy.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-6)


def form(value):
    """The shapes of arrays in lists and tuples."""
    return [form(one) for one in value] if isinstance(value, (list, tuple)) else value.shape


def ones_of(cell, x):
    """A step of a cell all of whose parameters and states are 1, in the first unit."""
    for param in cell.collect_params().values():
        param.init = "ones"
    cell.initialize()
    output, states = cell(x, cell.begin_state(batch_size=1, func=nd.ones))
    return [round(float(one[0, 0].asscalar()), 5) for one in (output, *states)]


# ---- One step ------------------------------------------------------------------------------------


def test_steps():
    x = nd.array([[0.5, -1.0]])  # with weights and biases of 1 the input brings 0.5, the state 3
    s = 1 / (1 + numpy.exp(-3.5))
    cell = s + s * numpy.tanh(3.5)
    lstm = [s * numpy.tanh(cell), s * numpy.tanh(cell), cell]
    gru = (1 - s) * numpy.tanh(0.5 + s * 3) + s
    assert ones_of(rnn.RNNCell(2), x) == [round(float(numpy.tanh(3.5)), 5)] * 2
    assert ones_of(rnn.RNNCell(2, activation="relu"), x) == [3.5, 3.5]
    assert ones_of(rnn.RNNCell(2, activation=nn.LeakyReLU(0.5)), x) == [3.5, 3.5]
    assert ones_of(rnn.LSTMCell(2), x) == [round(float(one), 5) for one in lstm]
    assert ones_of(rnn.GRUCell(2), x) == [round(float(gru), 5)] * 2
    other = rnn.LSTMCell(2, activation="relu", recurrent_activation="relu")
    assert ones_of(other, x) == [3.5 * 15.75, 3.5 * 15.75, 15.75]
    assert ones_of(contrib.rnn.LSTMPCell(2, 2), x)[1] == round(float(2 * lstm[0]), 5)
    with pytest.raises(MXNetError):
        ones_of(rnn.RNNCell(2, activation="sine"), x)


@BASIC
def test_parameters_and_states(make):
    cell = make(3, prefix="c_")
    gates = {rnn.RNNCell: 1, rnn.LSTMCell: 4, rnn.GRUCell: 3}[make]
    shapes = {name: param.shape for name, param in cell.collect_params().items()}
    assert shapes == {
        "c_i2h_weight": (3 * gates, 0),
        "c_h2h_weight": (3 * gates, 3),
        "c_i2h_bias": (3 * gates,),
        "c_h2h_bias": (3 * gates,),
    }
    info = {"shape": (2, 3), "__layout__": "NC"}
    assert cell.state_info(2) == [info] * (2 if make is rnn.LSTMCell else 1)
    ready(cell)(nd.ones((2, 5)), cell.begin_state(2))
    assert cell.i2h_weight.shape == (3 * gates, 5)
    assert make(3).prefix.startswith({1: "rnn", 4: "lstm", 3: "gru"}[gates])


def test_texts():
    assert repr(rnn.RNNCell(5)) == "RNNCell(None -> 5, tanh)"
    assert repr(rnn.LSTMCell(5, input_size=2)) == "LSTMCell(2 -> 20)"
    both = rnn.BidirectionalCell(rnn.GRUCell(5), rnn.GRUCell(5))
    assert repr(both) == (
        "BidirectionalCell(forward=GRUCell(None -> 15), backward=GRUCell(None -> 15))"
    )
    stack = rnn.SequentialRNNCell()
    stack.add(rnn.DropoutCell(0.3))
    stack.add(rnn.ResidualCell(rnn.GRUCell(1)))
    assert repr(stack) == (
        "SequentialRNNCell(\n(0): DropoutCell(rate=0.3, axes=())\n"
        "(1): ResidualCell(GRUCell(None -> 3))\n)"
    )
    zoneout = rnn.ZoneoutCell(rnn.RNNCell(1), 0.1, 0.2)
    assert repr(zoneout) == "ZoneoutCell(p_out=0.1, p_state=0.2, RNNCell(None -> 1, tanh))"
    assert repr(contrib.rnn.LSTMPCell(4, 2)) == "LSTMPCell(None -> 16 -> 2)"


# ---- Sequences -----------------------------------------------------------------------------------


@BASIC
@pytest.mark.parametrize("layout", ["NTC", "TNC"])
def test_unroll_is_step_by_step(make, layout):
    cell = ready(make(3))
    x = drawn(2, 4, 5) if layout == "NTC" else drawn(4, 2, 5)
    steps = [x[:, t] if layout == "NTC" else x[t] for t in range(4)]
    states, outputs = cell.begin_state(2), []
    for step in steps:
        output, states = cell(step, states)
        outputs.append(output)
    for given in (x, steps):
        found, last = cell.unroll(4, given, layout=layout)
        assert type(found) is list
        for one, other in zip([*found, *last], [*outputs, *states], strict=True):
            equal(one, other)
    merged, _ = cell.unroll(4, steps, layout=layout, merge_outputs=True)
    equal(merged, nd.stack(*outputs, axis=layout.index("T")))


def test_unroll_begins_with_states():
    cell = ready(rnn.GRUCell(3))
    x = drawn(2, 4, 5)
    first, states = cell.unroll(2, x[:, :2], merge_outputs=True)
    second, _ = cell.unroll(2, x[:, 2:], begin_state=states, merge_outputs=True)
    equal(nd.concat(first, second, dim=1), cell.unroll(4, x, merge_outputs=True)[0])


def test_unroll_of_a_wrong_length():
    cell = ready(rnn.GRUCell(3))
    for given in (drawn(2, 4, 5), [drawn(2, 5)] * 4):
        with pytest.raises(AssertionError):
            cell.unroll(3, given)


def makers():
    yield lambda: rnn.RNNCell(5)
    yield lambda: rnn.BidirectionalCell(rnn.LSTMCell(2), rnn.LSTMCell(3))
    yield lambda: rnn.ResidualCell(rnn.GRUCell(5))
    yield lambda: contrib.rnn.VariationalDropoutCell(rnn.GRUCell(5), 0.5, 0.5, 0.5)

    def stack():
        both = rnn.SequentialRNNCell()
        both.add(rnn.LSTMCell(5))
        both.add(rnn.DropoutCell(0.5))
        both.add(rnn.ResidualCell(rnn.BidirectionalCell(rnn.RNNCell(2), rnn.RNNCell(3))))
        return both

    yield stack


@pytest.mark.parametrize("make", list(makers()))
@pytest.mark.parametrize("layout", ["NTC", "TNC"])
def test_sequences_of_several_lengths(make, layout):
    cell = ready(make())
    x, lengths = drawn(3, 4, 5), [2, 4, 1]
    given = x if layout == "NTC" else x.swapaxes(0, 1)
    valid = nd.array(lengths)
    found, states = cell.unroll(4, given, valid_length=valid, merge_outputs=True, layout=layout)
    found = found if layout == "NTC" else found.swapaxes(0, 1)
    for row, length in enumerate(lengths):
        alone, last = cell.unroll(length, x[row : row + 1, :length], merge_outputs=True)
        equal(found[row : row + 1, :length], alone)
        assert abs(found[row, length:].asnumpy()).sum() == 0
        for one, other in zip(states, last, strict=True):
            equal(one[row : row + 1], other)


def test_forms_of_outputs():
    cell = ready(rnn.BidirectionalCell(rnn.GRUCell(5), rnn.GRUCell(5)))
    x, lengths = drawn(2, 4, 3), nd.array([2, 4])
    one, several, states = (2, 4, 10), [(2, 10)] * 4, [(2, 5)] * 2
    for given in (x, [drawn(2, 3)] * 4):
        assert form(cell.unroll(4, given)) == [several, states]
        assert form(cell.unroll(4, given, merge_outputs=True)) == [one, states]
        assert form(cell.unroll(4, given, valid_length=lengths)) == [one, states]
        listed = cell.unroll(4, given, valid_length=lengths, merge_outputs=False)
        assert form(listed) == [several, states]


# ---- Several cells -------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [rnn.SequentialRNNCell, rnn.HybridSequentialRNNCell])
def test_cells_one_behind_the_other(make):
    stack = make()
    stack.add(rnn.LSTMCell(4))
    stack.add(rnn.GRUCell(3))
    ready(stack)
    assert len(stack) == 2 and isinstance(stack[1], rnn.GRUCell)
    assert [info["shape"] for info in stack.state_info(2)] == [(2, 4), (2, 4), (2, 3)]
    x = drawn(2, 3, 5)
    outputs, states = stack.unroll(3, x)
    step, after = stack(x[:, 0], stack.begin_state(batch_size=2))
    equal(step, outputs[0])
    assert form(states) == form(after) == [(2, 4), (2, 4), (2, 3)]
    first, _ = stack[0].unroll(3, x)
    equal(outputs[2], stack[1].unroll(3, first)[0][2])
    assert list(stack._collect_params_with_prefix())[0] == "0.i2h_weight"


def test_cells_in_both_directions():
    left, right = rnn.GRUCell(2), rnn.GRUCell(3)
    both = ready(rnn.BidirectionalCell(left, right))
    x = drawn(2, 4, 5)
    outputs, states = both.unroll(4, x, merge_outputs=True)
    forth, l_states = left.unroll(4, x, merge_outputs=True)
    back, r_states = right.unroll(4, nd.flip(x, 1), merge_outputs=True)
    equal(outputs, nd.concat(forth, nd.flip(back, 1), dim=2))
    equal(states[0], l_states[0])
    equal(states[1], r_states[0])
    with pytest.raises(NotImplementedError):
        both(x[:, 0], states)
    stack = rnn.HybridSequentialRNNCell()
    stack.add(both)
    with pytest.raises(AssertionError):
        stack(x[:, 0], states)


# ---- Cells around cells --------------------------------------------------------------------------


def test_residual():
    base = rnn.GRUCell(5)
    cell = ready(rnn.ResidualCell(base))
    x = drawn(2, 3, 5)
    output, states = cell(x[:, 0], cell.begin_state(batch_size=2))
    equal(output, states[0] + x[:, 0])
    outputs, _ = cell.unroll(3, x, merge_outputs=True)
    equal(outputs[:, 0], output)
    assert list(cell.collect_params()) == list(base.collect_params())
    assert cell.prefix == base.prefix + "residualcell"


def test_a_cell_is_modified_once():
    base = rnn.GRUCell(5)
    cell = rnn.ResidualCell(base)
    with pytest.raises(AssertionError):
        base.begin_state(2)
    with pytest.raises(AssertionError):
        rnn.ZoneoutCell(base)
    assert form(cell.begin_state(batch_size=2)) == [(2, 5)]
    with pytest.raises(AssertionError):
        rnn.ZoneoutCell(rnn.BidirectionalCell(rnn.GRUCell(1), rnn.GRUCell(1)))


def share(array):
    """How many of the elements are not 0."""
    return float((array != 0).mean().asscalar())


def test_dropout():
    cell = rnn.DropoutCell(0.25)
    x = nd.ones((10, 4, 100))
    assert (cell.unroll(4, x)[0] == 1).asnumpy().all()
    with autograd.train_mode():
        dropped, states = cell.unroll(4, x)
        assert states == [] and abs(share(dropped) - 0.75) < 0.05
        assert abs(float(dropped.max().asscalar()) - 4 / 3) < 1e-6
        together, _ = rnn.DropoutCell(0.25, axes=(1,)).unroll(4, x)
        assert ((together[:, 0] != 0) == (together[:, 3] != 0)).asnumpy().all()
    assert form(cell.unroll(4, x, merge_outputs=False)) == [[(10, 100)] * 4, []]
    with pytest.raises(AssertionError):
        rnn.DropoutCell("much")


def test_zoneout():
    cell = rnn.ZoneoutCell(rnn.RNNCell(2000), zoneout_outputs=0.25, zoneout_states=0.5)
    cell.initialize(init.One())
    x = nd.ones((1, 3, 2))
    with autograd.train_mode():
        (first, second, _), (state,) = cell.unroll(3, x)
    assert abs(share(first) - 0.75) < 0.05 and abs(share(second) - 0.9375) < 0.05
    assert abs(share(state) - 0.875) < 0.05
    outputs, _ = cell.unroll(3, x)
    assert share(outputs[0]) == 1


def test_dropout_that_is_the_same_at_all_steps():
    cell = contrib.rnn.VariationalDropoutCell(rnn.RNNCell(500), drop_outputs=0.5)
    cell.initialize(init.One())
    x = nd.ones((1, 3, 2))
    with autograd.train_mode():
        first, *others = cell.unroll(3, x)[0]
        again = cell.unroll(3, x)[0][0]
    assert abs(share(first) - 0.5) < 0.1
    for other in others:
        assert ((other != 0) == (first != 0)).asnumpy().all()
    assert not ((again != 0) == (first != 0)).asnumpy().all()
    assert share(cell.unroll(3, x)[0][0]) == 1


def test_dynamic_unroll():
    cell = ready(rnn.GRUCell(3))
    x, lengths, states = drawn(4, 2, 5), nd.array([2, 4]), [drawn(2, 3)]
    unroll = contrib.rnn.rnn_cell.dynamic_unroll
    outputs, last = unroll(cell, x, states, valid_length=lengths)
    expected, ends = cell.unroll(4, x, states, "TNC", True, lengths)
    equal(outputs, expected)
    equal(last[0], ends[0])
    with autograd.train_mode():
        dropped, _ = unroll(cell, x, states, drop_outputs=0.5)
    assert ((dropped[0] != 0) == (dropped[3] != 0)).asnumpy().all() and share(dropped) < 1


# ---- Convolutions --------------------------------------------------------------------------------


def test_convolutions():
    make = contrib.rnn.Conv2DLSTMCell
    cell = make((3, 6, 7), hidden_channels=4, i2h_kernel=3, h2h_kernel=(3, 5), i2h_pad=1)
    assert repr(cell) == "Conv2DLSTMCell(3 -> 16, tanh, NCHW)"
    assert cell.h2h_weight.shape == (16, 4, 3, 5) and cell.i2h_weight.shape == (16, 3, 3, 3)
    info = {"shape": (2, 4, 6, 7), "__layout__": "NCHW"}
    assert cell.state_info(2) == [info, info]
    output, states = ready(cell)(drawn(2, 3, 6, 7), cell.begin_state(2))
    assert form([output, states]) == [(2, 4, 6, 7), [(2, 4, 6, 7)] * 2]
    with pytest.raises(AssertionError):
        make((3, 6, 7), 4, i2h_kernel=3, h2h_kernel=2)
    cell = ready(make((0, 6, 7), 4, i2h_kernel=3, h2h_kernel=1))
    assert repr(cell) == "Conv2DLSTMCell(None -> 16, tanh, NCHW)"
    cell(drawn(2, 3, 6, 7), cell.begin_state(2))
    assert cell.i2h_weight.shape == (16, 3, 3, 3)


@pytest.mark.parametrize("name", ["RNN", "LSTM", "GRU"])
def test_a_convolution_of_one_element_is_a_product(name):
    conv = getattr(contrib.rnn, f"Conv1D{name}Cell")((5, 1), 3, i2h_kernel=1, h2h_kernel=1)
    cell = getattr(rnn, f"{name}Cell")(3, input_size=5)
    ready(conv)
    ready(cell)
    for one, other in zip(conv.collect_params().values(), cell.collect_params().values()):
        other.set_data(one.data().reshape(other.shape))
    x = drawn(2, 5)
    output, states = conv(x.reshape((2, 5, 1)), conv.begin_state(2))
    expected, last = cell(x, cell.begin_state(2))
    for one, other in zip([output, *states], [expected, *last], strict=True):
        equal(one.reshape((2, 3)), other)


# ---- Programs ------------------------------------------------------------------------------------


def test_a_cell_of_a_program():
    class Sum(rnn.HybridRecurrentCell):
        def state_info(self, batch_size=0):
            return [{"shape": (batch_size, 2), "__layout__": "NC"}]

        def hybrid_forward(self, F, inputs, states):
            output = F.broadcast_add(inputs, states[0])
            return output, [output]

    outputs, states = Sum().unroll(3, nd.ones((1, 3, 2)), merge_outputs=True)
    assert outputs.asnumpy().tolist() == [[[1, 1], [2, 2], [3, 3]]]
    assert states[0].asnumpy().tolist() == [[3, 3]]


def test_gradients_flow_through_all_steps():
    cell = ready(rnn.LSTMCell(3))
    x = drawn(2, 4, 5)
    x.attach_grad()
    with autograd.record():
        outputs, _ = cell.unroll(4, x)
        outputs[-1].backward()
    assert (abs(x.grad).sum(axis=(0, 2)) > 0).asnumpy().all()
    for param in cell.collect_params().values():
        assert abs(param.grad()).sum().asscalar() > 0


def test_numpy_mode():
    npx.set_np()
    cell = rnn.LSTMCell(3)
    assert repr(cell) == "LSTMCell(-1 -> 12)"
    cell.initialize()
    outputs, states = cell.unroll(4, np.ones((2, 4, 5)), merge_outputs=True)
    assert type(outputs) is type(states[0]) is np.ndarray and outputs.shape == (2, 4, 3)
    npx.reset_np()
