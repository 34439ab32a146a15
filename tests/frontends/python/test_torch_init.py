"""nn.init and the first weights of layers: bounds, means and deviations."""

import math
import warnings

import numpy as np
import pytest
from penstock import torch
from penstock.torch import nn


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


def within(tensor, bound):
    """Spread evenly over +-bound: none is beyond, some come near, the deviation fits."""
    values = tensor.detach().numpy()
    assert np.abs(values).max() <= bound * (1 + 1e-6)
    if values.size >= 200:
        assert np.abs(values).max() > 0.9 * bound
        assert abs(values.std() / (bound / math.sqrt(3)) - 1) < 0.15


def normal(tensor, std, mean=0.0):
    values = tensor.detach().numpy()
    assert abs(values.std() / std - 1) < 0.1 and abs(values.mean() - mean) < 0.1 * std + 1e-3


# ---- First weights -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "layer, inputs",
    [
        (lambda: nn.Linear(400, 300), 400),
        (lambda: nn.Conv2d(16, 300, 3), 144),
        (lambda: nn.Conv1d(16, 300, 3, groups=2), 24),
        (lambda: nn.ConvTranspose2d(16, 300, 3), 2700),
    ],
)
def test_products_spread_over_one_over_the_root_of_inputs(layer, inputs):
    made = layer()
    for one in (made.weight, made.bias):
        within(one, inputs**-0.5)


def test_lazy_layers_are_drawn_at_their_first_call():
    layer = nn.LazyLinear(300)
    layer(torch.ones(1, 100))
    within(layer.weight, 0.1)
    within(layer.bias, 0.1)


@pytest.mark.parametrize("kind", [nn.RNN, nn.LSTM, nn.GRU, nn.LSTMCell])
def test_recurrent_layers_spread_over_one_over_the_root_of_units(kind):
    for one in kind(100, 64).parameters():
        within(one, 1 / 8)


def test_other_layers():
    normal(nn.Embedding(300, 100).weight, 1.0)
    padded = nn.Embedding(5, 3, padding_idx=2).weight
    assert padded[2].tolist() == [0, 0, 0] and padded[1].abs().sum().item() > 0
    for norm in (nn.LayerNorm(4), nn.BatchNorm1d(4), nn.GroupNorm(2, 4)):
        assert norm.weight.tolist() == [1] * 4 and norm.bias.tolist() == [0] * 4
    within(nn.Bilinear(25, 4, 10).weight, 0.2)
    assert nn.PReLU().weight.tolist() == [0.25]


def test_seeds_repeat_weights():
    torch.manual_seed(5)
    first = nn.Linear(3, 3).weight
    torch.manual_seed(5)
    assert torch.equal(first, nn.Linear(3, 3).weight)
    assert not torch.equal(first, nn.Linear(3, 3).weight)


# ---- Functions -----------------------------------------------------------------------------------


def test_plain_functions_write_and_give_the_tensor():
    for make, wanted in (
        (lambda t: nn.init.constant_(t, 3), [[3, 3], [3, 3]]),
        (nn.init.ones_, [[1, 1], [1, 1]]),
        (nn.init.zeros_, [[0, 0], [0, 0]]),
        (nn.init.eye_, [[1, 0], [0, 1]]),
    ):
        one = nn.Parameter(torch.full((2, 2), 9.0))
        assert make(one) is one and one.tolist() == wanted and one.requires_grad


def test_distributions():
    within(nn.init.uniform_(torch.empty(2000), -2, 2), 2)
    normal(nn.init.normal_(torch.empty(5000), 3, 0.5), 0.5, 3)
    within(nn.init.xavier_uniform_(torch.empty(300, 400)), math.sqrt(6 / 700))
    within(nn.init.xavier_uniform_(torch.empty(30, 20, 3), gain=2), 2 * math.sqrt(6 / 150))
    normal(nn.init.xavier_normal_(torch.empty(300, 400)), math.sqrt(2 / 700))
    within(nn.init.kaiming_uniform_(torch.empty(300, 400)), math.sqrt(6 / 400))
    within(nn.init.kaiming_uniform_(torch.empty(300, 400), a=math.sqrt(5)), 1 / 20)
    normal(nn.init.kaiming_normal_(torch.empty(300, 400), nonlinearity="relu"), math.sqrt(2 / 400))
    made = nn.init.kaiming_normal_(torch.empty(300, 400), mode="fan_out", nonlinearity="tanh")
    normal(made, 5 / 3 / math.sqrt(300))


def test_truncated_normal_numbers():
    made = nn.init.trunc_normal_(torch.empty(20000), mean=1.0, std=2.0, a=-1.0, b=2.0).numpy()
    assert made.min() >= -1 and made.max() <= 2 and made.min() < -0.98 and made.max() > 1.98
    grid = np.linspace(-1, 2, 3001)
    density = np.exp(-0.5 * ((grid - 1) / 2) ** 2)
    assert abs(made.mean() - (grid * density).sum() / density.sum()) < 0.02


def test_orthogonal_matrices():
    for shape in ((5, 8), (8, 5), (4, 3, 2)):
        made = nn.init.orthogonal_(torch.empty(shape), gain=2).numpy().reshape(shape[0], -1)
        small = made @ made.T if made.shape[0] <= made.shape[1] else made.T @ made
        np.testing.assert_allclose(small, 4 * np.eye(len(small)), atol=1e-5)


def test_weights_that_pass_their_input():
    x = torch.rand(1, 4, 5)
    weight = nn.init.dirac_(torch.empty(4, 4, 3))
    assert torch.equal(nn.functional.conv1d(x, weight, padding=1), x)
    grouped = nn.init.dirac_(torch.empty(4, 2, 3), groups=2)
    assert torch.equal(nn.functional.conv1d(x, grouped, padding=1, groups=2), x)


def test_sparse_columns():
    made = nn.init.sparse_(torch.empty(10, 6), 0.35).numpy()
    assert ((made == 0).sum(0) == 4).all()


def test_generators():
    generator = torch.Generator().manual_seed(7)
    first = nn.init.normal_(torch.empty(3), generator=generator)
    assert torch.equal(first, nn.init.normal_(torch.empty(3), generator=generator.manual_seed(7)))


def test_gains():
    names = ("linear", "conv2d", "sigmoid", "tanh", "relu", "leaky_relu", "selu")
    wanted = [1, 1, 1, 5 / 3, math.sqrt(2), math.sqrt(2 / 1.0001), 0.75]
    assert [nn.init.calculate_gain(name) for name in names] == pytest.approx(wanted)
    assert nn.init.calculate_gain("leaky_relu", 1) == 1


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda: nn.init.xavier_uniform_(torch.ones(3)), ValueError),
        (lambda: nn.init.kaiming_uniform_(torch.ones(3, 2), mode="other"), ValueError),
        (lambda: nn.init.calculate_gain("other"), ValueError),
        (lambda: nn.init.calculate_gain("leaky_relu", True), ValueError),
        (lambda: nn.init.eye_(torch.ones(3)), ValueError),
        (lambda: nn.init.orthogonal_(torch.ones(3)), ValueError),
        (lambda: nn.init.dirac_(torch.ones(3)), ValueError),
        (lambda: nn.init.sparse_(torch.ones(3), 0.1), ValueError),
        (lambda: nn.init.uniform_(torch.ones(3), 2, 1), RuntimeError),
        (lambda: nn.init.normal_(torch.ones(3), 0, -1), RuntimeError),
        (lambda: nn.init.constant_(3, 2), AttributeError),
    ],
)
def test_errors(call, error):
    with pytest.raises(error):
        call()


def test_older_names_warn():
    for name in "uniform normal constant eye xavier_uniform kaiming_normal orthogonal".split():
        args = (0.5,) if name == "constant" else ()
        with pytest.warns(FutureWarning, match=f"{name}_"):
            assert getattr(nn.init, name)(torch.empty(3, 3), *args).shape == (3, 3)
    with pytest.warns(UserWarning, match="no-op"):
        nn.init.kaiming_uniform_(torch.empty(0, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nn.init.uniform_(torch.empty(3))
