"""nn.functional by formulas in NumPy and numbers worked out by hand; warnings, errors, edges."""

import math
import warnings

import numpy as np
import pytest
from penstock import torch
from penstock.torch import nn
from penstock.torch.nn import functional as F


def close(tensor, wanted, rtol=1e-5, atol=1e-6):
    np.testing.assert_allclose(tensor.detach().numpy(), wanted, rtol=rtol, atol=atol)


def slope(function, *values):
    """What flows back to each value."""
    x = torch.tensor(values, requires_grad=True)
    function(x).sum().backward()
    return x.grad.tolist()


X = np.linspace(-3, 3, 13, dtype=np.float32)


# ---- Elements ------------------------------------------------------------------------------------


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def normal(x):
    return np.array([0.5 * (1 + math.erf(one / math.sqrt(2))) for one in x])


FORMULAS = {
    "relu": np.maximum(X, 0),
    "relu6": np.clip(X, 0, 6),
    "leaky_relu": np.where(X > 0, X, 0.01 * X),
    "elu": np.where(X > 0, X, np.exp(X) - 1),
    "selu": 1.0507009873554805 * np.where(X > 0, X, 1.6732632423543772 * (np.exp(X) - 1)),
    "silu": X * sigmoid(X),
    "mish": X * np.tanh(np.log1p(np.exp(X))),
    "gelu": X * normal(X),
    "softplus": np.log1p(np.exp(X)),
    "softsign": X / (1 + np.abs(X)),
    "sigmoid": sigmoid(X),
    "tanh": np.tanh(X),
    "tanhshrink": X - np.tanh(X),
    "hardtanh": np.clip(X, -1, 1),
    "hardsigmoid": np.clip(X / 6 + 0.5, 0, 1),
    "hardswish": X * np.clip(X / 6 + 0.5, 0, 1),
    "hardshrink": np.where(np.abs(X) > 0.5, X, 0),
    "softshrink": np.sign(X) * np.maximum(np.abs(X) - 0.5, 0),
    "logsigmoid": -np.log1p(np.exp(-X)),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_formulas(name):
    close(getattr(F, name)(torch.tensor(X)), FORMULAS[name])


def test_what_flows_back_at_the_edges():
    assert slope(F.relu, 0.0) == [0] and slope(F.relu6, 0.0, 6.0) == [0, 0]
    assert slope(F.leaky_relu, 0.0) == pytest.approx([0.01]) and slope(F.elu, 0.0) == [1]
    assert slope(F.hardtanh, -1.0, 0.0, 1.0) == [0, 1, 0]
    assert slope(F.hardsigmoid, -3.0, 3.0) == [0, 0]
    assert slope(F.softshrink, 0.5, 0.6) == [0, 1] and slope(F.hardshrink, -0.5, 0.6) == [0, 1]
    assert slope(lambda x: F.threshold(x, 1.0, 5.0), 1.0, 2.0) == [0, 1]


def test_large_numbers_do_not_overflow():
    big = torch.tensor([-1e4, -200.0, 200.0, 1e4])
    close(F.softplus(big), [0, 0, 200, 1e4])
    close(F.logsigmoid(big), [-1e4, -200, 0, 0])
    close(F.softmax(torch.tensor([1e5, 0.0]), 0), [1, 0])
    close(F.log_softmax(torch.tensor([1e5, 0.0]), 0), [0, -1e5])
    assert F.softmax(torch.tensor([-math.inf] * 2), 0).isnan().all()


@pytest.mark.parametrize("name", ["relu", "leaky_relu", "elu", "selu", "celu", "hardtanh"])
def test_in_place(name):
    x = torch.tensor([-2.0, 0.5], requires_grad=True)
    inner = x * 3
    wanted = getattr(F, name)(inner.detach().clone())
    made = getattr(F, name)(inner, inplace=True)
    assert made is inner and torch.equal(made.detach(), wanted)
    made.sum().backward()
    gradient = x.grad.clone()
    x.grad = None
    getattr(F, name)(x * 3).sum().backward()
    assert torch.equal(gradient, x.grad)
    with pytest.raises(RuntimeError, match="leaf"):
        getattr(F, name + "_")(x)


def test_integers_are_refused_as_in_pytorch():
    whole = torch.tensor([-1, 1])
    assert F.relu(whole).tolist() == [0, 1] and F.relu6(torch.tensor([-2, 8])).tolist() == [0, 6]
    for name in ("gelu", "elu", "silu", "softplus", "leaky_relu", "hardsigmoid", "mish"):
        with pytest.raises(NotImplementedError, match="int64"):
            getattr(F, name)(whole)
    with pytest.raises(NotImplementedError):
        F.softmax(whole, 0)
    assert F.softmax(whole, 0, dtype=torch.float64).dtype is torch.float64
    with pytest.raises(TypeError):
        F.linear([1.0], torch.ones(1, 1))


def test_softmax_guesses_a_dimension_with_a_warning():
    for shape, dim in (((3,), 0), ((2, 3), 1), ((2, 3, 4), 0), ((1, 2, 3, 4), 1)):
        x = torch.rand(shape)
        with pytest.warns(UserWarning, match="Implicit dimension"):
            made = F.softmax(x)
        close(made.sum(dim), np.ones(made.sum(dim).shape))
    assert F.softmax(torch.tensor(2.0), 0).item() == 1
    with pytest.raises(IndexError):
        F.softmax(torch.ones(2), 3)
    close(torch.ones(2, 2).softmax(1), np.full((2, 2), 0.5))
    assert torch.softmax(torch.ones(2), 0, torch.float64).dtype is torch.float64


def test_random_choices_by_logits():
    torch.manual_seed(0)
    hard = F.gumbel_softmax(torch.zeros(2000, 2, requires_grad=True), hard=True)
    assert set(hard.detach().numpy().reshape(-1)) <= {0, 1}
    close(hard.sum(1), np.ones(2000))
    assert abs(hard[:, 0].mean().item() - 0.5) < 0.05 and hard.requires_grad


# ---- Products and distances ----------------------------------------------------------------------


def test_linear():
    x, w, b = torch.arange(6.0).reshape(2, 3), torch.ones(4, 3), torch.arange(4.0)
    close(F.linear(x, w, b), x.numpy() @ w.numpy().T + b.numpy())
    assert F.linear(x[0], w).tolist() == [3, 3, 3, 3]
    for wrong in (lambda: F.linear(x, torch.ones(4, 2)), lambda: F.linear(x.double(), w)):
        with pytest.raises(RuntimeError):
            wrong()


def test_distances():
    a, b = torch.rand(3, 4), torch.rand(3, 4)
    x, y = a.numpy(), b.numpy()
    lengths = np.linalg.norm(x, axis=1) * np.linalg.norm(y, axis=1)
    close(F.cosine_similarity(a, b), (x * y).sum(1) / lengths)
    close(F.pairwise_distance(a, b), np.linalg.norm(x - y + 1e-6, axis=1))
    close(F.normalize(a, dim=0), x / np.linalg.norm(x, axis=0))
    assert F.normalize(torch.zeros(1, 2)).tolist() == [[0, 0]]


def test_attention():
    q, k, v = torch.rand(2, 3, 4), torch.rand(2, 5, 4), torch.rand(2, 5, 6)
    scores = q.numpy() @ k.numpy().transpose(0, 2, 1) / 2
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    close(F.scaled_dot_product_attention(q, k, v), weights @ v.numpy())
    first = F.scaled_dot_product_attention(q, k, v, is_causal=True)[:, 0]
    close(first, v[:, 0].numpy())


# ---- Images --------------------------------------------------------------------------------------


def correlated(x, w, stride=1):
    high, wide = x.shape[2] - w.shape[2] + 1, x.shape[3] - w.shape[3] + 1
    made = np.zeros((x.shape[0], w.shape[0], high, wide))
    for i in range(high):
        for j in range(wide):
            window = x[:, None, :, i : i + w.shape[2], j : j + w.shape[3]]
            made[:, :, i, j] = (window * w).sum((2, 3, 4))
    return made[:, :, ::stride, ::stride]


@pytest.mark.parametrize("stride", [1, 2, 3])
def test_convolution_is_correlation(stride):
    x, w = torch.rand(2, 3, 6, 7), torch.rand(4, 3, 3, 2)
    close(F.conv2d(x, w, stride=stride), correlated(x.numpy(), w.numpy(), stride))
    lines = correlated(x[:, :, :1].numpy(), w[:, :, :1].numpy(), stride)[:, :, 0]
    close(F.conv1d(x[:, :, 0], w[:, :, 0], stride=stride), lines)


def test_a_transposed_convolution_is_the_transpose():
    x, y, w = torch.rand(1, 2, 5, 5), torch.rand(1, 3, 3, 3), torch.rand(3, 2, 3, 3)
    forward, back = F.conv2d(x, w), F.conv_transpose2d(y, w)
    assert (forward * y).sum().item() == pytest.approx((x * back).sum().item(), rel=1e-5)


def test_shapes_of_images():
    x = torch.ones(1, 1, 5, 5)
    assert F.max_pool2d(x, 2).shape == (1, 1, 2, 2)
    assert F.max_pool2d(x, 2, ceil_mode=True).shape == (1, 1, 3, 3)
    assert F.avg_pool2d(x, 2, padding=1)[0, 0, 0, 0].item() == 0.25
    assert F.conv2d(x[0], torch.ones(1, 1, 3, 3)).shape == (1, 3, 3)
    assert F.conv_transpose2d(x, torch.ones(1, 1, 3, 3), stride=2).shape == (1, 1, 11, 11)
    assert F.adaptive_avg_pool2d(torch.arange(6.0).reshape(1, 2, 3), (1, 2)).tolist() == [[[2, 3]]]
    assert F.adaptive_max_pool1d(torch.tensor([[5.0, 1.0, 2.0]]), 2).tolist() == [[5, 2]]


@pytest.mark.parametrize(
    "call, sizes",
    [
        (lambda x: F.conv2d(x, torch.ones(1, 2, 3, 3)), ["[1, 1, 5, 5]", "2 channels"]),
        (lambda x: F.conv2d(x, torch.ones(1, 1, 7, 7)), ["7", "5"]),
        (lambda x: F.conv2d(x[0, 0], torch.ones(1, 1, 3, 3)), ["[5, 5]"]),
        (lambda x: F.conv2d(x.double(), torch.ones(1, 1, 3, 3)), ["float64", "float32"]),
        (lambda x: F.max_pool2d(x, 2, padding=2), ["2"]),
        (lambda x: F.max_pool2d(x, 6), ["6", "5"]),
    ],
)
def test_errors_of_images_name_the_sizes(call, sizes):
    with pytest.raises(RuntimeError) as told:
        call(torch.ones(1, 1, 5, 5))
    assert all(one in str(told.value) for one in sizes), str(told.value)


def test_padding():
    x = torch.arange(1.0, 4.0)
    assert F.pad(x, (1, 2)).tolist() == [0, 1, 2, 3, 0, 0]
    assert F.pad(x, (-1, 1), value=9).tolist() == [2, 3, 9]
    line = x.reshape(1, 3)
    assert F.pad(line, (2, 1), "reflect").tolist() == [[3, 2, 1, 2, 3, 2]]
    assert F.pad(line, (2, 1), "replicate").tolist() == [[1, 1, 1, 2, 3, 3]]
    assert F.pad(line, (2, 1), "circular").tolist() == [[2, 3, 1, 2, 3, 1]]
    for lengths, mode, error in (
        ((1,), "constant", RuntimeError),
        ((3, 3), "reflect", RuntimeError),
        ((1, 1), "other", NotImplementedError),
    ):
        with pytest.raises(error):
            F.pad(line, lengths, mode)


def test_windows_and_pixels():
    x = torch.arange(16.0).reshape(1, 1, 4, 4)
    assert F.unfold(x, 2, stride=2)[0, :, 0].tolist() == [0, 1, 4, 5]
    four = torch.arange(4.0).reshape(1, 4, 1, 1)
    assert F.pixel_shuffle(four, 2).tolist() == [[[[0, 1], [2, 3]]]]
    channels = torch.rand(1, 4, 2, 2)
    assert torch.equal(F.pixel_unshuffle(F.pixel_shuffle(channels, 2), 2), channels)
    larger = F.interpolate(x[:, :, :1, :2], scale_factor=2)
    assert larger.tolist() == [[[[0, 0, 1, 1], [0, 0, 1, 1]]]]
    corners = F.interpolate(x[:, :, :1, :2], size=(1, 3), mode="bilinear", align_corners=True)
    close(corners, [[[[0, 0.5, 1]]]])


# ---- Normalisation -------------------------------------------------------------------------------


def test_normalisation():
    x = torch.rand(4, 6, 5) * 3 + 1
    values = x.numpy()

    def standard(axes):
        mean, var = values.mean(axes, keepdims=True), values.var(axes, keepdims=True)
        return (values - mean) / np.sqrt(var + 1e-5)

    close(F.batch_norm(x, None, None, training=True), standard((0, 2)), atol=1e-5)
    close(F.layer_norm(x, (5,)), standard(2), atol=1e-5)
    close(F.layer_norm(x, (6, 5)), standard((1, 2)), atol=1e-5)
    close(F.instance_norm(x), standard(2), atol=1e-5)
    close(F.group_norm(x, 1), standard((1, 2)), atol=1e-5)
    close(F.rms_norm(x, (5,), eps=0.1), values / np.sqrt((values**2).mean(2, keepdims=True) + 0.1))


def test_errors_of_normalisation():
    with pytest.raises(ValueError, match=r"more than 1 value per channel.*\[1, 3\]"):
        F.batch_norm(torch.ones(1, 3), None, None, training=True)
    with pytest.raises(RuntimeError, match="4.*not 3|4 elements not 3"):
        F.batch_norm(torch.ones(2, 4), torch.ones(3), torch.ones(3))
    with pytest.raises(RuntimeError, match=r"\[4\].*\[2, 3\]"):
        F.layer_norm(torch.ones(2, 3), (4,))


def test_dropout_of_nothing_and_of_all():
    x = torch.rand(5)
    assert torch.equal(F.dropout(x, 0.0), x) and F.dropout(x, 1.0).tolist() == [0] * 5
    assert F.dropout(x, training=False) is x
    with pytest.raises(ValueError, match="1.5"):
        F.dropout(x, 1.5)
    inner = x.clone().requires_grad_() * 1
    assert F.dropout(inner, 0.5, inplace=True) is inner


# ---- Places --------------------------------------------------------------------------------------


def test_embedding_and_its_row_of_padding():
    weight = torch.arange(6.0).reshape(3, 2).requires_grad_()
    made = F.embedding(torch.tensor([[2, 0], [0, 1]]), weight, padding_idx=0)
    assert made.tolist() == [[[4, 5], [0, 1]], [[0, 1], [2, 3]]]
    made.sum().backward()
    assert weight.grad.tolist() == [[0, 0], [1, 1], [1, 1]]
    with pytest.raises(RuntimeError, match="Long, Int"):
        F.embedding(torch.tensor([1.0]), weight)


def test_one_hot():
    made = F.one_hot(torch.tensor([[0, 2]]))
    assert made.tolist() == [[[1, 0, 0], [0, 0, 1]]] and made.dtype is torch.int64
    assert F.one_hot(torch.tensor(1), 4).tolist() == [0, 1, 0, 0]
    for wrong in ([3], [-1], [0, 1, 2]):
        late = F.one_hot(torch.tensor(wrong), 2)
        assert late.shape == (len(wrong), 2)
        with pytest.raises(RuntimeError):
            late.tolist()
    with pytest.raises(RuntimeError, match="LongTensor"):
        F.one_hot(torch.tensor([1.0]), 2)


def test_nothing_warns_without_reason():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.Flatten())
        net.append(nn.LazyLinear(3))
        F.cross_entropy(net(torch.rand(2, 1, 5, 5)), torch.tensor([0, 1])).backward()
