"""RNN, LSTM, GRU and their cells: by formulas in NumPy, step by step; shapes, states, errors."""

import numpy as np
import pytest
from penstock import torch
from penstock.torch import nn


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def step(kind, x, states, weights):
    """One step in NumPy: the next states."""
    w, u, b, c = weights
    first, second = x @ w.T + b, states[0] @ u.T + c
    if kind == "RNN":
        return [np.tanh(first + second)]
    if kind == "LSTM":
        i, f, g, o = np.split(first + second, 4, axis=-1)
        cell = sigmoid(f) * states[1] + sigmoid(i) * np.tanh(g)
        return [sigmoid(o) * np.tanh(cell), cell]
    r, z, n = np.split(first, 3, axis=-1)
    r2, z2, n2 = np.split(second, 3, axis=-1)
    update = sigmoid(z + z2)
    return [(1 - update) * np.tanh(n + sigmoid(r + r2) * n2) + update * states[0]]


def run(kind, layer, x, states):
    """All steps, layers and directions in NumPy: outputs, and the last states."""
    made, last = x, []
    for number in range(layer.num_layers):
        lines = []
        for way in range(1 + layer.bidirectional):
            end = f"l{number}" + ("_reverse" if way else "")
            names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
            found = [getattr(layer, f"{name}_{end}", torch.zeros(1)) for name in names]
            weights = [one.detach().numpy() for one in found]
            place = number * (1 + layer.bidirectional) + way
            now, line = [one[place] for one in states], []
            for one in made[::-1] if way else made:
                now = step(kind, one, now, weights)
                line.append(now[0])
            lines.append(line[::-1] if way else line)
            last.append(now)
        made = np.concatenate([np.stack(line) for line in lines], -1)
    return made, [np.stack(one) for one in zip(*last)]


def listed(states):
    return list(states) if isinstance(states, tuple) else [states]


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("bias", [True, False])
def test_formulas(kind, layers, bidirectional, bias):
    torch.manual_seed(0)
    layer = getattr(nn, kind)(3, 4, layers, bidirectional=bidirectional, bias=bias)
    count = 2 if kind == "LSTM" else 1
    shape = (layers * (1 + bidirectional), 2, 4)
    x, begin = torch.rand(5, 2, 3), [torch.rand(shape) for _ in range(count)]
    output, states = layer(x, tuple(begin) if count == 2 else begin[0])
    wanted, last = run(kind, layer, x.numpy(), [one.numpy() for one in begin])
    np.testing.assert_allclose(output.detach().numpy(), wanted, rtol=1e-5, atol=1e-6)
    for one, other in zip(listed(states), last):
        np.testing.assert_allclose(one.detach().numpy(), other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind", [nn.RNN, nn.LSTM, nn.GRU])
def test_states_are_zeros_unless_given(kind):
    layer = kind(3, 4, 2, bidirectional=True)
    x, zeros = torch.rand(5, 2, 3), torch.zeros(4, 2, 4)
    one, _ = layer(x)
    other, _ = layer(x, (zeros, zeros) if kind is nn.LSTM else zeros)
    assert torch.equal(one, other)


@pytest.mark.parametrize("kind", [nn.RNN, nn.LSTM, nn.GRU])
def test_layouts(kind):
    layer, first = kind(3, 4), kind(3, 4, batch_first=True)
    first.load_state_dict(layer.state_dict())
    x = torch.rand(5, 2, 3)
    output, states = layer(x)
    turned, same = first(x.transpose(0, 1))
    assert torch.equal(output, turned.transpose(0, 1))
    assert all(torch.equal(a, b) for a, b in zip(listed(states), listed(same)))
    single, last = layer(x[:, 0])
    np.testing.assert_allclose(single.detach().numpy(), output[:, 0].detach().numpy(), rtol=1e-6)
    assert single.shape == (5, 4) and {tuple(one.shape) for one in listed(last)} == {(1, 4)}


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
def test_a_layer_is_its_cell_step_by_step(kind):
    layer, cell = getattr(nn, kind)(3, 4), getattr(nn, f"{kind}Cell")(3, 4)
    cell.load_state_dict({name[:-3]: one for name, one in layer.state_dict().items()})
    x = torch.rand(5, 2, 3, requires_grad=True)
    output, _ = layer(x)
    states, outputs = None, []
    for one in x:
        states = cell(one, states)
        outputs.append(states[0] if kind == "LSTM" else states)
    found = torch.stack(outputs)
    made, steps = output.detach().numpy(), found.detach().numpy()
    np.testing.assert_allclose(made, steps, rtol=1e-5, atol=1e-6)
    output.square().sum().backward()
    gradient, x.grad = x.grad.clone(), None
    found.square().sum().backward()
    np.testing.assert_allclose(gradient.numpy(), x.grad.numpy(), rtol=1e-4, atol=1e-6)
    for name, one in cell.named_parameters():
        other = getattr(layer, f"{name}_l0")
        np.testing.assert_allclose(one.grad.numpy(), other.grad.numpy(), rtol=1e-4, atol=1e-5)


def test_names_and_shapes_of_parameters():
    layer = nn.GRU(2, 3, 2, bidirectional=True)
    found = {name: tuple(one.shape) for name, one in layer.named_parameters()}
    first = "weight_ih_l0 weight_hh_l0 bias_ih_l0 bias_hh_l0 weight_ih_l0_reverse"
    assert list(found)[:5] == first.split() and len(found) == 16
    assert found["weight_ih_l0"] == (9, 2) and found["weight_ih_l1"] == (9, 6)
    assert found["weight_hh_l0"] == (9, 3) and found["bias_hh_l1_reverse"] == (9,)
    plain = [name for name, _ in nn.RNN(2, 3, bias=False).named_parameters()]
    assert plain == ["weight_ih_l0", "weight_hh_l0"]
    assert [len(one) for one in nn.LSTM(2, 3, 2).all_weights] == [4, 4]


def test_dropout_between_layers_in_training_alone():
    torch.manual_seed(0)
    layer = nn.LSTM(3, 16, 2, dropout=0.5)
    x = torch.rand(4, 2, 3)
    assert not torch.equal(layer(x)[0], layer(x)[0])
    layer.eval()
    assert torch.equal(layer(x)[0], layer(x)[0])
    with pytest.warns(UserWarning, match="dropout"):
        nn.RNN(2, 3, dropout=0.5)


def test_gradients_flow_to_states():
    layer, begin = nn.GRU(2, 3), torch.zeros(1, 2, 3, requires_grad=True)
    output, state = layer(torch.rand(4, 2, 2), begin)
    state.sum().backward()
    assert begin.grad.abs().sum().item() > 0
    assert torch.equal(state[0], output[-1])


@pytest.mark.parametrize("kind", [nn.RNN, nn.LSTM, nn.GRU])
@pytest.mark.parametrize(
    "shape, state, error, text",
    [
        ((1, 1, 1, 2), None, ValueError, "4D"),
        ((2,), None, ValueError, "1D"),
        ((1, 1, 3), None, RuntimeError, "Expected 2, got 3"),
        ((0, 4, 2), None, RuntimeError, "length"),
        ((5, 2, 2), (1, 4, 3), RuntimeError, r"\(1, 2, 3\), got \[1, 4, 3\]"),
        ((5, 2, 2), (2, 3), RuntimeError, "3-D"),
        ((5, 2), (1, 2, 3), RuntimeError, "2-D"),
        ((5, 2, 2), (2, 2, 3), RuntimeError, r"\[2, 2, 3\]"),
    ],
)
def test_wrong_shapes(kind, shape, state, error, text):
    begin = None if state is None else torch.ones(state)
    begin = (begin, begin) if kind is nn.LSTM and begin is not None else begin
    with pytest.raises(error, match=text):
        kind(2, 3)(torch.ones(shape), begin)


def test_wrong_settings_and_types():
    for call, error in (
        (lambda: nn.RNN(2, 0), ValueError),
        (lambda: nn.RNN(2, 3, 0), ValueError),
        (lambda: nn.RNN(2, 3.5), TypeError),
        (lambda: nn.GRU(2, 3, dropout=2), ValueError),
        (lambda: nn.RNN(2, 3, nonlinearity="other"), ValueError),
        (lambda: nn.GRU(2, 3)(torch.ones(3, 2, 2, dtype=torch.float64)), ValueError),
        (lambda: nn.GRUCell(2, 3)(torch.ones(4, 3)), RuntimeError),
        (lambda: nn.GRUCell(2, 3)(torch.ones(4, 2), torch.ones(3, 3)), RuntimeError),
        (lambda: nn.GRUCell(2, 3)(torch.ones(1, 4, 2)), ValueError),
    ):
        with pytest.raises(error):
            call()


def test_a_language_model_learns():
    torch.manual_seed(0)

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.rnn, self.out = nn.Embedding(6, 8), nn.GRU(8, 16), nn.Linear(16, 6)

        def forward(self, x, state=None):
            made, state = self.rnn(self.words(x), state)
            return self.out(made), state

    model, x, losses = Model(), torch.arange(24).reshape(-1, 1) % 6, []
    for _ in range(60):
        made, _ = model(x[:-1])
        loss = nn.functional.cross_entropy(made.reshape(-1, 6), x[1:].reshape(-1))
        model.zero_grad()
        loss.backward()
        with torch.no_grad():
            for one in model.parameters():
                one -= 0.5 * one.grad
        losses.append(loss)
    assert losses[0].item() > 1.5 and losses[-1].item() < 0.1
