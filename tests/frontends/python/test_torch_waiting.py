"""What waits in the torch dialect, and what does not.

A product is held back by a gate. What returns meanwhile cannot have waited for it; what gives the
right value while another thread opens the gate has waited. No times are looked at.
"""

import threading

import gate
import numpy as np
import penstock as ps
import pytest
from penstock import torch

# A test that fails while the gate is shut ends by this: pytest would show the tensor.
pytestmark = pytest.mark.timeout(120)

is_ready = ps.ndarray.is_ready


@pytest.fixture(autouse=True)
def two_workers():
    """One of them is kept busy by the product."""
    before = ps.engine.workers()
    ps.engine.set_workers(max(before, 2))
    yield
    ps.engine.set_workers(before)


@pytest.fixture
def y():
    """A tensor of 300 by 300 numbers, all 300, that are not there before the gate opens."""
    with gate.product() as product:
        made = product.as_subclass(torch.Tensor)
        assert type(made) is torch.Tensor and not is_ready(made)
        yield made


@pytest.fixture
def opened():
    """Starts a thread that opens the gate."""
    started = []

    def start():
        thread = threading.Thread(target=gate.open)
        started.append(thread)
        thread.start()

    yield start
    for thread in started:
        thread.join()


def listed(text):
    """The programs of a table, in which bars and ends of lines separate."""
    return [one.strip() for line in text.strip().splitlines() for one in line.split(" | ")]


# ---- What does not wait --------------------------------------------------------------------------

QUEUED = """
y + 1 | 2 * y - y / 3 | y // 7 | y % 7 | y ** 2 | -y | abs(y) | y > 3 | y == y | ~(y > 3) | y @ y
y.T | y[0] | y[:, 1:3] | y[..., None] | y[::2] | y.reshape(-1) | y.view(90000) | y.flatten()
y.unsqueeze(0) | y.squeeze() | y.expand(2, 300, 300) | y.permute(1, 0) | y.split(100)[0] | y.detach()
y.data | y.clone() | y.contiguous() | y.to(torch.float64) | y.long() | y.half() | y.cpu() | y.type_as(y)
y[torch.tensor([1, 2])] | y[[1, 2], [3, 4]] | torch.ones(400)[y.long()] | y.gather(1, y.long() - 300)
y.sum() | y.mean(0) | y.std() | y.var(1) | y.max() | y.max(dim=1) | y.argmax() | y.norm() | y.prod(0)
y.cumsum(0) | y.sort() | y.topk(3) | y.argsort() | y.all() | y.any() | torch.count_nonzero(y)
torch.exp(y) | torch.relu(y) | torch.tanh(y) | torch.sigmoid(y) | torch.sqrt(y) | torch.log(y)
torch.clamp(y, 0, 1) | torch.where(y > 3, y, 0.0) | torch.maximum(y, y) | torch.cat((y, y)) | y.round()
torch.stack([y, y]) | torch.mm(y, y) | torch.bmm(y[None], y[None]) | torch.mv(y, y[0]) | torch.tril(y)
torch.dot(y[0], y[1]) | torch.matmul(y, y) | torch.outer(y[0], y[1]) | torch.repeat_interleave(y, 2)
y.add_(1) | y.mul_(2) | y.zero_() | y.fill_(3) | y.copy_(y + 1) | y.masked_fill(y > 3, 0.0)
y.masked_fill_(y > 3, 0.0) | y.__setitem__(0, 5) | y.__setitem__(slice(2), y[2:4]) | y.clamp_(0, 1)
y.__setitem__([1, 2], 7.0) | y.__setitem__(y > 3, 0.0) | torch.rand_like(y) | torch.zeros_like(y)
torch.normal(y, 1.0) | torch.isnan(y) | y.index_select(0, torch.tensor([1]))
y.shape | y.dtype | y.device | y.numel() | y.dim() | len(y) | hash(y) | y.stride() | y.is_contiguous()
y.requires_grad | y.grad | y is None | y == None | isinstance(y, torch.Tensor) | id(y) | [y, y][0]
y.__iadd__(1) | torch.meshgrid(y[0], y[1], indexing='ij') | y.unbind() | list(y) | y.chunk(3)
torch.softmax(y, 1) | torch.log_softmax(y, 1) | torch.square(y).mean() | y.transpose(0, 1)
"""


@pytest.mark.parametrize("program", listed(QUEUED))
def test_does_not_wait(program, y):
    eval(program, {"torch": torch, "y": y})
    assert ps.engine.stats().unfinished > 0


def test_a_chain_of_work_runs_ahead(y):
    x = y
    for _ in range(20):
        x = torch.relu(x * 2 - x) + 1
        x[0] = x[1]
    assert not is_ready(x)
    gate.open()
    assert x.tolist() == [[320] * 300] * 300


def test_backward_does_not_wait(y):
    w = torch.ones(300, requires_grad=True)
    loss = ((y * w) ** 2).mean()
    loss.backward()
    (again,) = torch.autograd.grad((y * w).sum(), w)
    assert not is_ready(loss) and not is_ready(w.grad) and not is_ready(again)
    w.grad.zero_()
    with torch.no_grad():
        w -= 0.1 * again
    gate.open()
    assert w.tolist() == pytest.approx([1 - 0.1 * 300 * 300] * 300)


# ---- Layers, losses, optimisers, data ------------------------------------------------------------

LAYERS = """
nn.Linear(300, 4) | nn.LazyLinear(4) | nn.Sequential(nn.Linear(300, 5), nn.ReLU(), nn.Linear(5, 1))
nn.ReLU() | nn.Sigmoid() | nn.Tanh() | nn.LeakyReLU(0.1) | nn.GELU() | nn.Softmax(dim=1) | nn.Flatten()
nn.Dropout(0.5) | nn.LayerNorm(300) | nn.BatchNorm1d(300) | nn.LazyBatchNorm1d() | nn.Identity()
"""
PICTURES = """
nn.Conv2d(3, 2, 3, padding=1) | nn.LazyConv2d(2, kernel_size=3, stride=2) | nn.MaxPool2d(2)
nn.AvgPool2d(2) | nn.AdaptiveAvgPool2d((1, 1)) | nn.BatchNorm2d(3) | nn.LazyBatchNorm2d()
nn.ConvTranspose2d(3, 2, 4, stride=2)
"""
RECURRENT = "nn.RNN(30, 4) | nn.GRU(30, 4, num_layers=2) | nn.LSTM(30, 4, bidirectional=True)"
LOSSES = """
nn.MSELoss()(y, y + 1) | nn.L1Loss()(y, y + 1) | nn.CrossEntropyLoss()(y, y[0].long() - 300)
nn.BCEWithLogitsLoss()(y, y / 300) | nn.CrossEntropyLoss(reduction='none')(y, y[0].long() - 300)
nn.functional.cross_entropy(y, y / 300) | nn.functional.one_hot(y[0].long() - 300, 5)
nn.Embedding(301, 4)(y[0].long()) | nn.NLLLoss()(y, y[0].long() - 300)
"""


def names():
    from penstock.torch import nn, optim

    return {"torch": torch, "nn": nn, "optim": optim}


def runs_ahead(layer, x, training):
    layer.train(training)
    for _ in range(2):
        made = layer(x)
    made = made[0] if isinstance(made, tuple) else made
    if made.requires_grad:
        # With a factor that is not there: a product of what is there may run in this thread, which
        # the gate would hold.
        (made * x.mean()).sum().backward()
    assert not is_ready(made)


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("layer", listed(LAYERS))
def test_layers_do_not_wait(layer, training, y):
    runs_ahead(eval(layer, names()), y, training)


@pytest.mark.parametrize("layer", listed(PICTURES))
def test_layers_of_pictures_do_not_wait(layer, y):
    runs_ahead(eval(layer, names()), y.reshape(-1)[: 2 * 3 * 64].reshape(2, 3, 8, 8), True)


@pytest.mark.parametrize("layer", listed(RECURRENT))
def test_recurrent_layers_do_not_wait(layer, y):
    runs_ahead(eval(layer, names()), y.reshape(-1)[: 5 * 2 * 30].reshape(5, 2, 30), True)


@pytest.mark.parametrize("program", listed(LOSSES))
def test_losses_do_not_wait(program, y):
    assert not is_ready(eval(program, {**names(), "y": y}))


OPTIMISERS = """
optim.SGD(w, lr=0.1) | optim.SGD(w, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.1)
optim.Adam(w, lr=0.1) | optim.AdamW(w) | optim.RMSprop(w) | optim.Adagrad(w) | optim.Adadelta(w)
"""


@pytest.mark.parametrize("program", listed(OPTIMISERS))
def test_optimisers_do_not_wait(program, y):
    from penstock.torch import nn, optim

    w = nn.Parameter(torch.ones(300))
    optimiser = eval(program, {"optim": optim, "w": [w]})
    schedule = optim.lr_scheduler.StepLR(optimiser, 1, 0.5)
    for _ in range(3):
        optimiser.zero_grad()
        (y[0] * w).sum().backward()
        nn.utils.clip_grad_norm_([w], 1.0)
        optimiser.step()
        schedule.step()
    state = optimiser.state_dict()
    assert not is_ready(w) and state["param_groups"][0]["lr"] > 0
    gate.open()
    assert (w < 1).all().item()


def test_parameters_are_handed_over_without_waiting(y):
    from penstock.torch import nn

    first, second = nn.Linear(300, 300), nn.Linear(300, 300)
    with torch.no_grad():
        first.weight.copy_(y)
    second.load_state_dict(first.state_dict())
    assert not is_ready(second.weight) and repr(second).startswith("Linear(")
    gate.open()
    assert torch.equal(second.weight, first.weight) and second.weight[0, 0].item() == 300


def test_batches_do_not_wait_for_their_elements(y):
    from penstock.torch.utils import data

    loader = data.DataLoader(data.TensorDataset(y, y[0]), batch_size=7, shuffle=True)
    rows, numbers = next(iter(loader))
    assert not is_ready(rows) and (rows.shape, numbers.shape) == ((7, 300), (7,))


# ---- What waits ----------------------------------------------------------------------------------

WAITING = [
    ("item", lambda y: y[0, 0].item(), 300),
    ("item of a sum", lambda y: y.sum().item(), 300 * 300 * 300),
    ("tolist", lambda y: y[0, :2].tolist(), [300, 300]),
    ("numpy", lambda y: y[0, :2].numpy().tolist(), [300, 300]),
    ("asarray", lambda y: np.asarray(y[0, :2]).tolist(), [300, 300]),
    ("float", lambda y: float(y[0, 0]), 300.0),
    ("int", lambda y: int(y[0, 0]), 300),
    ("bool", lambda y: bool(y[0, 0] > 299), True),
    ("if", lambda y: 1 if y[0, 0] else 2, 1),
    ("repr", lambda y: repr(y[0, :2]), "tensor([300., 300.])"),
    ("str", lambda y: str(y[0, 0]), "tensor(300.)"),
    ("format", lambda y: f"{y[0, 0]:.1f}", "300.0"),
    ("in", lambda y: 300 in y[0], True),
    ("index of a list", lambda y: list(range(400))[y[0, 0].long()], 300),
    ("mask", lambda y: y[y > 299].shape, (300 * 300,)),
    ("masked_select", lambda y: y.masked_select(y < 0).shape, (0,)),
    ("nonzero", lambda y: torch.nonzero(y[0, :2]).shape, (2, 1)),
    ("unique", lambda y: y.unique().shape, (1,)),
    ("equal", lambda y: torch.equal(y, y), True),
    ("allclose", lambda y: torch.allclose(y, y), True),
]


@pytest.mark.parametrize("function, wanted", [row[1:] for row in WAITING], ids=[r[0] for r in WAITING])
def test_waits_for_what_it_needs(function, wanted, y, opened):
    opened()
    assert function(y) == wanted


@pytest.mark.parametrize("function", [row[1] for row in WAITING], ids=[row[0] for row in WAITING])
def test_waits_for_that_alone(function, y):
    """The same of another tensor, while the product is held."""
    other = torch.full((2, 2), 300.0)
    function(other)
    assert not is_ready(y)


def test_printing(y, opened, capsys):
    opened()
    print(y[:1, :2])
    assert capsys.readouterr().out == "tensor([[300., 300.]])\n"


@pytest.mark.parametrize("device", [(), ("cpu",), (torch.device("cpu"),)])
def test_synchronize_waits_for_all(device, y, opened):
    made = [y + k for k in range(10)]
    opened()
    torch.cuda.synchronize(*device)
    assert all(map(is_ready, made)) and ps.engine.stats().unfinished == 0


# ---- Errors about values -------------------------------------------------------------------------


def test_errors_about_values_come_where_they_are_waited_for():
    bad = torch.arange(3)[torch.tensor([5])]
    later = bad + 1
    for one in (bad, later):
        with pytest.raises(IndexError, match="5"):
            one.tolist()
    with pytest.raises(RuntimeError, match="[Zz]ero"):
        (torch.arange(3) // torch.zeros(3, dtype=torch.int64)).tolist()


def test_errors_about_shapes_come_at_the_call(y):
    for program in ("y @ torch.ones(2)", "y + torch.ones(7)", "y.reshape(7, 7)", "y[0, 0, 0]"):
        with pytest.raises((RuntimeError, IndexError)):
            eval(program, {"y": y, "torch": torch})
    assert not is_ready(y)
