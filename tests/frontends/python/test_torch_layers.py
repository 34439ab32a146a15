"""Layers and functions of torch.nn answer what the real PyTorch 2.15.0 answered to the cases in
tests/conformance/torch_nn: outputs, gradients, buffers, classes of exceptions. Then what cases
cannot say: texts, lazy layers, dropout, errors that come late."""

import os
import sys

import numpy as np
import penstock as ps
import pytest
from penstock import torch
from penstock.torch import nn

CONFORMANCE = os.path.join(os.path.dirname(__file__), "..", "..", "conformance")
sys.path.insert(0, os.path.abspath(CONFORMANCE))

import record_torch_layers  # noqa: E402
from torch_nn import runner  # noqa: E402

BLOCK = 100  # cases in a test


def blocks():
    recorded = record_torch_layers.read()
    families = {}
    for case, answer in recorded:
        families.setdefault(case["family"], []).append((case, answer))
    for name, pairs in families.items():
        for start in range(0, len(pairs), BLOCK):
            yield pytest.param(pairs[start : start + BLOCK], id=f"{name}-{start}")


@pytest.mark.parametrize("pairs", list(blocks()))
def test_answers_of_pytorch(pairs):
    found = []
    for case, answer in pairs:
        how = runner.difference(answer, runner.run(torch, case))
        if how:
            found.append(f"{case['make']} {case['inputs']} {case['mode']}: {how}")
    assert not found, "\n".join(found[:5]) + f"\n{len(found)} differences"


@pytest.mark.parametrize("change", ["value", "shape", "type", "label", "error"])
def test_a_wrong_answer_is_found(change):
    """The comparison can fail: an answer that was changed in one place is another answer."""
    pairs = record_torch_layers.read()
    case, answer = next(pair for pair in pairs if pair[0]["make"].startswith("nn.Linear(3, 4"))
    tensor = answer["tensors"][0]
    if change == "value":
        tensor[3][0] += 1e-3
    elif change == "error":
        answer = {"error": "ValueError"}
    else:
        at = {"label": 0, "type": 1, "shape": 2}[change]
        tensor[at] = {"label": "other", "type": "torch.int8", "shape": [9]}[change]
    assert runner.difference(answer, runner.run(torch, case))


# ---- Texts ---------------------------------------------------------------------------------------

TEXTS = """
Linear(in_features=2, out_features=3, bias=False)       | nn.Linear(2, 3, bias=False)
Bilinear(in1_features=2, in2_features=3, out_features=4, bias=True) | nn.Bilinear(2, 3, 4)
Identity()                                              | nn.Identity(3, a=2)
Flatten(start_dim=0, end_dim=-1)                        | nn.Flatten(0)
Unflatten(dim=1, unflattened_size=(2, 2))               | nn.Unflatten(1, (2, 2))
Conv2d(1, 2, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1)) | nn.Conv2d(1, 2, 3, padding=1)
Conv2d(4, 3, kernel_size=(3, 3), stride=(1, 1), padding=same, dilation=(2, 2)) | \
nn.Conv2d(4, 3, 3, padding='same', dilation=2)
Conv2d(4, 2, kernel_size=(1, 1), stride=(1, 1), groups=2, bias=False, padding_mode=reflect) | \
nn.Conv2d(4, 2, 1, groups=2, bias=False, padding_mode='reflect')
ConvTranspose2d(2, 4, kernel_size=(3, 3), stride=(2, 2), padding=(1, 1), output_padding=(1, 1)) | \
nn.ConvTranspose2d(2, 4, 3, 2, 1, 1)
MaxPool2d(kernel_size=2, stride=2, padding=0, dilation=1, ceil_mode=False) | nn.MaxPool2d(2)
AvgPool1d(kernel_size=(2,), stride=(2,), padding=(0,))  | nn.AvgPool1d(2)
AdaptiveAvgPool2d(output_size=(1, None))                | nn.AdaptiveAvgPool2d((1, None))
BatchNorm1d(3, eps=1e-05, momentum=None, affine=True, bias=True, track_running_stats=True) | \
nn.BatchNorm1d(3, momentum=None)
LayerNorm((3, 4), eps=1e-05, elementwise_affine=False, bias=False) | nn.LayerNorm([3, 4], \
elementwise_affine=False)
GroupNorm(2, 4, eps=1e-05, affine=True, bias=True)      | nn.GroupNorm(2, 4)
RMSNorm((4,), eps=None, elementwise_affine=True)        | nn.RMSNorm(4)
Embedding(4, 2, padding_idx=3)                          | nn.Embedding(4, 2, padding_idx=-1)
Dropout2d(p=0.5, inplace=False)                         | nn.Dropout2d()
LeakyReLU(negative_slope=0.2, inplace=True)             | nn.LeakyReLU(0.2, inplace=True)
GELU(approximate='none')                                | nn.GELU()
Softplus(beta=1.0, threshold=20.0)                      | nn.Softplus()
PReLU(num_parameters=3)                                 | nn.PReLU(3)
Softmax(dim=1)                                          | nn.Softmax(dim=1)
ReLU(inplace=True)                                      | nn.ReLU(True)
Sigmoid()                                               | nn.Sigmoid()
LSTM(2, 3, num_layers=2, bias=False, batch_first=True, dropout=0.1, bidirectional=True) | \
nn.LSTM(2, 3, 2, False, True, 0.1, True)
RNNCell(2, 3, nonlinearity=relu)                        | nn.RNNCell(2, 3, nonlinearity='relu')
LazyConv2d(0, 3, kernel_size=(2, 2), stride=(1, 1))     | nn.LazyConv2d(3, 2)
CrossEntropyLoss()                                      | nn.CrossEntropyLoss()
Upsample(scale_factor=2.0, mode='nearest')              | nn.Upsample(scale_factor=2)
ZeroPad2d((2, 2, 2, 2))                                 | nn.ZeroPad2d(2)
"""


@pytest.mark.parametrize("line", TEXTS.strip().splitlines())
def test_texts(line):
    text, make = (part.strip() for part in line.split(" | "))
    assert repr(eval(make)) == text


# ---- Lazy layers ---------------------------------------------------------------------------------


def test_a_lazy_layer_becomes_a_usual_one():
    net = nn.Sequential(nn.LazyConv2d(4, kernel_size=3), nn.LazyBatchNorm2d(), nn.Flatten())
    net.append(nn.LazyLinear(2, bias=False))
    before = list(net.parameters())
    assert all(repr(one) == "<UninitializedParameter>" for one in before)
    assert net(torch.ones(2, 3, 5, 5)).shape == (2, 2)
    assert [type(one) for one in net] == [nn.Conv2d, nn.BatchNorm2d, nn.Flatten, nn.Linear]
    assert all(a is b for a, b in zip(before, net.parameters()))
    assert net[0].weight.shape == (4, 3, 3, 3) and net[3].weight.shape == (2, 36)
    assert (net[0].in_channels, net[1].num_features, net[3].in_features) == (3, 4, 36)
    assert type(net[1].running_var) is torch.Tensor and net[1].num_batches_tracked.item() == 1


def test_what_a_lazy_parameter_refuses():
    weight = nn.LazyLinear(3).weight
    with pytest.raises(RuntimeError, match="shape"):
        weight.shape
    uses = (lambda: weight + 1, lambda: weight.numel(), lambda: weight.sum(), lambda: len(weight))
    for use in uses:
        with pytest.raises(ValueError, match="uninitialized"):
            use()
    assert (weight.requires_grad, weight.dtype, weight.grad) == (True, torch.float32, None)


def test_lazy_layers_load_and_convert():
    layer, other = nn.LazyLinear(3), nn.Linear(2, 3)
    assert repr(layer.load_state_dict(other.state_dict())) == "<All keys matched successfully>"
    assert torch.equal(layer(torch.ones(1, 2)), other(torch.ones(1, 2)))
    assert type(layer) is nn.Linear and layer.in_features == 2
    assert nn.LazyLinear(3).double()(torch.ones(1, 2, dtype=torch.float64)).dtype is torch.float64


# ---- Dropout -------------------------------------------------------------------------------------


def test_dropout_scales_in_training_alone():
    x = torch.ones(10000)
    layer = nn.Dropout(0.25)
    made = layer(x).numpy()
    assert set(np.unique(made)) == {0, np.float32(1 / 0.75)}
    assert abs((made == 0).mean() - 0.25) < 0.03
    assert layer.eval()(x) is x


def test_dropout_of_channels_and_its_gradient():
    x = torch.ones(50, 8, 2, 2, requires_grad=True)
    made = nn.Dropout2d(0.5)(x)
    made.sum().backward()
    planes = made.detach().numpy().reshape(400, 4)
    assert (planes == planes[:, :1]).all() and set(np.unique(planes)) == {0, 2}
    assert torch.equal(x.grad, made.detach())


def test_seeds_repeat_dropout():
    layer = nn.Dropout(0.5)
    torch.manual_seed(3)
    first = layer(torch.ones(100))
    torch.manual_seed(3)
    assert torch.equal(first, layer(torch.ones(100)))
    assert not torch.equal(first, layer(torch.ones(100)))


# ---- Statistics of batches -----------------------------------------------------------------------


def test_running_statistics():
    layer = nn.BatchNorm1d(1)
    x = torch.tensor([[0.0], [2.0], [4.0]])
    layer(x)
    np.testing.assert_allclose(layer.running_mean.numpy(), [0.2], rtol=1e-6)
    np.testing.assert_allclose(layer.running_var.numpy(), [0.9 + 0.1 * 4], rtol=1e-6)
    assert layer.num_batches_tracked.item() == 1
    plain = nn.BatchNorm1d(1, momentum=None)
    for batch in (x, x + 6):
        plain(batch)
    np.testing.assert_allclose(plain.running_mean.numpy(), [5.0], rtol=1e-6)
    np.testing.assert_allclose(plain.running_var.numpy(), [4.0], rtol=1e-6)
    mean = layer.running_mean.clone()
    layer.eval()(x)
    assert torch.equal(mean, layer.running_mean)


# ---- Errors that come late -----------------------------------------------------------------------


@pytest.mark.parametrize("places", [[3], [-1], [0, 5]])
def test_places_out_of_range_of_an_embedding(places):
    made = nn.Embedding(3, 2)(torch.tensor(places))
    with pytest.raises(IndexError):
        made.tolist()


@pytest.mark.parametrize(
    "make",
    [
        lambda: nn.functional.embedding(torch.tensor([0]), torch.ones(2, 2), max_norm=1.0),
        lambda: nn.MaxPool2d(2, dilation=2)(torch.ones(1, 1, 5, 5)),
        lambda: nn.MaxPool2d(2, return_indices=True)(torch.ones(1, 1, 4, 4)),
        lambda: nn.functional.conv3d(torch.ones(1), torch.ones(1)),
        lambda: nn.LSTM(2, 3, proj_size=1),
        lambda: nn.Linear(1, 1).register_full_backward_hook(print),
        lambda: nn.AlphaDropout()(torch.ones(2)),
        lambda: nn.functional.interpolate(torch.ones(1, 1, 2, 2), 4, mode="bicubic"),
    ],
)
def test_what_is_left_out_raises(make):
    with pytest.raises(NotImplementedError, match="[a-z]"):
        make()


def test_parts_that_are_not_here_are_named():
    with pytest.raises(AttributeError, match="MultiheadAttention"):
        nn.MultiheadAttention
    with pytest.raises(AttributeError, match="grid_sample"):
        nn.functional.grid_sample


def test_second_derivatives():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Tanh(), nn.Flatten())
    net.append(nn.Linear(8, 1)).double()
    x = torch.rand(3, 1, 4, 4, dtype=torch.float64, requires_grad=True)

    def penalty(at):
        (gradient,) = torch.autograd.grad(net(at).sum(), at, create_graph=True)
        return gradient.square().sum()

    (found,) = torch.autograd.grad(penalty(x), x)
    step = torch.zeros_like(x)
    step[1, 0, 2, 1] = 1e-5
    near = [penalty((x + way * step).detach().requires_grad_()).item() for way in (1, -1)]
    np.testing.assert_allclose(found[1, 0, 2, 1].item(), (near[0] - near[1]) / 2e-5, rtol=1e-5)


def test_importing_layers_does_not_import_numpy():
    import subprocess

    program = "import sys; from penstock.torch import nn; nn.Linear(1, 1); "
    program += "print('numpy' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(ps.__file__))}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "False", done.stderr
