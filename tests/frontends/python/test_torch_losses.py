"""Losses by formulas in NumPy; reductions, labels that are ignored, errors at the call and late."""

import numpy as np
import pytest
from penstock import torch
from penstock.torch import nn
from penstock.torch.nn import functional as F

REDUCTIONS = ("none", "mean", "sum")


def close(tensor, wanted, rtol=1e-5, atol=1e-6):
    np.testing.assert_allclose(tensor.detach().numpy(), wanted, rtol=rtol, atol=atol)


def reduced(elements, reduction):
    return {"none": elements, "mean": elements.mean(), "sum": elements.sum()}[reduction]


def log_softmax(x, axis):
    x = x - x.max(axis, keepdims=True)
    return x - np.log(np.exp(x).sum(axis, keepdims=True))


@pytest.fixture
def pair():
    torch.manual_seed(1)
    return torch.randn(4, 3) * 2, torch.rand(4, 3)


# ---- Of elements ---------------------------------------------------------------------------------


def elements(name, x, y):
    d = np.abs(x - y)
    return {
        "MSELoss()": d**2,
        "L1Loss()": d,
        "SmoothL1Loss()": np.where(d < 1, 0.5 * d**2, d - 0.5),
        "SmoothL1Loss(beta=0.5)": np.where(d < 0.5, d**2, d - 0.25),
        "HuberLoss(delta=2.0)": np.where(d < 2, 0.5 * d**2, 2 * (d - 1)),
        "BCEWithLogitsLoss()": np.logaddexp(0, x) - x * y,
        "KLDivLoss()": y * (np.log(y) - x),
        "SoftMarginLoss()": np.logaddexp(0, -y * x),
        "PoissonNLLLoss()": np.exp(x) - y * x,
    }[name]


NAMES = (
    "MSELoss() L1Loss() SmoothL1Loss() SmoothL1Loss(beta=0.5) HuberLoss(delta=2.0) "
    "BCEWithLogitsLoss() KLDivLoss() SoftMarginLoss() PoissonNLLLoss()"
).split()


@pytest.mark.filterwarnings("ignore:reduction")
@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("name", NAMES)
def test_losses_of_elements(name, reduction, pair):
    inner = "" if name.endswith("()") else ", "
    loss = eval(f"nn.{name[:-1]}{inner}reduction={reduction!r})")
    x, y = pair
    close(loss(x, y), reduced(elements(name, x.numpy(), y.numpy()), reduction), rtol=2e-5)


def test_unequal_shapes_are_broadcast_with_a_warning():
    with pytest.warns(UserWarning, match=r"\[3, 1\].*\[3\]"):
        made = nn.MSELoss()(torch.arange(3.0), torch.arange(3.0).reshape(3, 1))
    close(made, 4 / 3)
    with pytest.warns(UserWarning), pytest.raises(RuntimeError, match="3.*2"):
        F.mse_loss(torch.ones(3), torch.ones(2))


def test_weights_of_elements():
    x, weight = torch.tensor([1.0, 3.0]), torch.tensor([1.0, 3.0])
    close(F.mse_loss(x, torch.zeros(2), weight=weight), (1 + 27) / 4)
    close(F.l1_loss(x, torch.zeros(2), weight=weight, reduction="sum"), 10)
    with pytest.raises(ValueError):
        F.huber_loss(x, torch.zeros(2), weight=torch.ones(3))


def test_older_arguments():
    x = torch.tensor([1.0, 3.0])
    with pytest.warns(UserWarning, match="reduction='sum'"):
        assert F.mse_loss(x, torch.zeros(2), size_average=False).item() == 10
    with pytest.warns(UserWarning, match="reduction='none'"):
        assert nn.L1Loss(reduce=False)(x, torch.zeros(2)).tolist() == [1, 3]
    with pytest.raises(ValueError, match="other"):
        F.mse_loss(x, x, reduction="other")


def test_types_of_elements():
    x = torch.ones(2)
    assert F.mse_loss(x, x.double()).dtype is torch.float64
    assert F.mse_loss(x, x.long()).dtype is torch.float32
    with pytest.raises(NotImplementedError):
        F.mse_loss(x.long(), x.long())
    with pytest.raises(RuntimeError):
        F.binary_cross_entropy(x, x.long())
    with pytest.raises(RuntimeError):
        F.binary_cross_entropy_with_logits(x, x.long())


# ---- Of probabilities ----------------------------------------------------------------------------


def test_two_classes(pair):
    x, y = pair
    p, t = torch.sigmoid(x), y.numpy()
    wanted = -t * np.log(p.numpy()) - (1 - t) * np.log(1 - p.numpy())
    close(F.binary_cross_entropy(p, y), wanted.mean(), rtol=2e-5)
    close(F.binary_cross_entropy(p, y, weight=y), (wanted * t).mean(), rtol=2e-5)
    close(F.binary_cross_entropy_with_logits(x, y, weight=y), (wanted * t).mean(), rtol=2e-5)
    factor = torch.tensor([1.0, 2.0, 0.5])
    part = -factor.numpy() * t * np.log(p.numpy()) - (1 - t) * np.log(1 - p.numpy())
    close(F.binary_cross_entropy_with_logits(x, y, pos_weight=factor), part.mean(), rtol=2e-5)
    sure, wrong = torch.tensor([0.0, 1.0]), torch.tensor([1.0, 0.0])
    edges = F.binary_cross_entropy(sure, wrong, reduction="none")
    assert edges.tolist() == [100, 100]


def test_what_is_no_probability_is_found_late():
    for wrong in (1.5, -0.1, float("nan")):
        late = F.binary_cross_entropy(torch.tensor([0.5, wrong]), torch.ones(2))
        with pytest.raises(RuntimeError):
            late.item()
    for call in (F.binary_cross_entropy, F.binary_cross_entropy_with_logits):
        with pytest.raises(ValueError, match=r"\[2\].*\[1\]"):
            call(torch.ones(1), torch.ones(2))


# ---- Of classes ----------------------------------------------------------------------------------


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("shape", [(5, 3), (4, 3, 2), (2, 3, 2, 2)])
@pytest.mark.parametrize("smoothing", [0.0, 0.3])
@pytest.mark.parametrize("weighted", [False, True])
def test_cross_entropy_of_labels(reduction, shape, smoothing, weighted):
    torch.manual_seed(2)
    x, labels = torch.randn(shape), torch.randint(0, 3, (shape[0], *shape[2:]))
    labels.reshape(-1)[1] = -100
    weight = torch.tensor([0.5, 2.0, 1.0]) if weighted else torch.ones(3)
    logs = np.moveaxis(-log_softmax(x.numpy(), 1), 1, -1) * weight.numpy()
    t = labels.numpy()
    valid, safe = t != -100, np.where(t == -100, 0, t)
    picked = np.take_along_axis(logs, safe[..., None], -1)[..., 0]
    loss = np.where(valid, (1 - smoothing) * picked + smoothing / 3 * logs.sum(-1), 0)
    if reduction == "mean":
        wanted = loss.sum() / (weight.numpy()[safe] * valid).sum()
    else:
        wanted = reduced(loss, reduction)
    settings = {"weight": weight if weighted else None, "label_smoothing": smoothing}
    close(F.cross_entropy(x, labels, reduction=reduction, **settings), wanted, rtol=2e-5)
    if not smoothing:
        made = F.nll_loss(F.log_softmax(x, 1), labels, settings["weight"], reduction=reduction)
        close(made, wanted, rtol=2e-5)


def test_cross_entropy_of_probabilities(pair):
    x, t = pair
    wanted = -(t.numpy() * log_softmax(x.numpy(), 1)).sum(1)
    close(F.cross_entropy(x, t), wanted.mean(), rtol=2e-5)
    close(F.cross_entropy(x, t, reduction="none"), wanted, rtol=2e-5)
    labels = torch.tensor([0, 1, 2, 0])
    close(F.cross_entropy(x, F.one_hot(labels, 3).float()), F.cross_entropy(x, labels).item())


def test_the_gradient_of_cross_entropy(pair):
    x = pair[0].clone().requires_grad_()
    labels = torch.tensor([0, 2, -100, 1])
    F.cross_entropy(x, labels).backward()
    soft = np.exp(log_softmax(x.detach().numpy(), 1))
    soft[[0, 1, 3], [0, 2, 1]] -= 1
    soft[2] = 0
    close(x.grad, soft / 3, rtol=2e-5)


def test_labels_that_are_all_ignored():
    x = torch.zeros(2, 3)
    assert F.cross_entropy(x, torch.tensor([-100, -100])).isnan().item()
    assert F.cross_entropy(x, torch.tensor([1, 1]), ignore_index=1, reduction="sum").item() == 0
    close(F.cross_entropy(x, torch.tensor([2, 1]), ignore_index=1), np.log(3))


@pytest.mark.parametrize("loss", [F.cross_entropy, F.nll_loss])
@pytest.mark.parametrize("labels", [[0, 3], [-1, 0]])
def test_labels_out_of_range_are_found_late(loss, labels):
    late = loss(torch.zeros(2, 3), torch.tensor(labels))
    with pytest.raises(IndexError):
        late.item()


@pytest.mark.parametrize("loss", [F.cross_entropy, F.nll_loss])
@pytest.mark.parametrize(
    "labels, error, text",
    [
        (torch.tensor([0, 1], dtype=torch.int32), RuntimeError, "Int"),
        (torch.tensor([0.0, 1.0]), RuntimeError, "Float"),
        (torch.tensor([0, 1, 1]), ValueError, r"\(2\).*\(3\)"),
        (torch.tensor([[0], [1]]), RuntimeError, r"\[2, 1\]"),
    ],
)
def test_wrong_labels(loss, labels, error, text):
    with pytest.raises(error, match=text):
        loss(torch.zeros(2, 3), labels)


def test_wrong_weights_and_smoothing():
    x, labels = torch.zeros(2, 3), torch.tensor([0, 1])
    with pytest.raises(RuntimeError, match="3 classes"):
        F.cross_entropy(x, labels, torch.ones(2))
    with pytest.raises(RuntimeError, match="1.5"):
        F.cross_entropy(x, labels, label_smoothing=1.5)
    with pytest.raises(RuntimeError, match="floating point"):
        F.cross_entropy(x, torch.ones(2, 3, dtype=torch.int64))


def test_a_class_of_its_own():
    """The book's masked loss: derived from CrossEntropyLoss, whose reduction it sets."""

    class Masked(nn.CrossEntropyLoss):
        def forward(self, made, labels, lengths):
            weights = (torch.arange(labels.shape[1])[None, :] < lengths[:, None]).float()
            self.reduction = "none"
            return (super().forward(made.permute(0, 2, 1), labels) * weights).mean(dim=1)

    labels = torch.ones((3, 4), dtype=torch.long)
    made = Masked()(torch.ones(3, 4, 10), labels, torch.tensor([4, 2, 0]))
    close(made, [2.3025851, 1.1512925, 0])


# ---- Margins -------------------------------------------------------------------------------------


def test_margins(pair):
    x, _ = pair
    values, signs = x.numpy(), torch.tensor([[1.0, -1.0, 1.0]] * 4)
    s = signs.numpy()
    wanted = np.where(s == 1, values, np.maximum(0, 1 - values))
    close(nn.HingeEmbeddingLoss()(x, signs), wanted.mean())
    other = x.flip(0)
    wanted = np.maximum(0, -s * (values - values[::-1]) + 0.5)
    close(nn.MarginRankingLoss(0.5)(x, other, signs), wanted.mean())
    near, far = (np.linalg.norm(values - one + 1e-6, axis=1) for one in (values[::-1], values * 2))
    close(nn.TripletMarginLoss()(x, other, x * 2), np.maximum(near - far + 1, 0).mean())


def test_weights_are_buffers():
    loss = nn.CrossEntropyLoss(weight=torch.ones(3))
    assert list(loss.state_dict()) == ["weight"] and loss.double().weight.dtype is torch.float64
    both = nn.BCEWithLogitsLoss(pos_weight=torch.ones(1))
    assert list(both.state_dict()) == ["pos_weight"] and list(both.parameters()) == []
