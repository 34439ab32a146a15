"""The tensors of the torch dialect: types, arithmetic, shapes, text, devices, gradients.

SHOWS has programs and what they show, RAISES programs and the class of their error, both as PyTorch
2.15.0 has them. What differs by contract (copies and snapshots, what waits) is at the end.
"""

import copy
import math
import pickle
import warnings

import numpy as np
import penstock
import pytest
from penstock import torch

# ---- Texts of results ----------------------------------------------------------------------------

SHOWS = """
# Types of literals and of new tensors
torch.tensor(1).dtype, torch.tensor(1.0).dtype, torch.tensor(True).dtype
    (torch.int64, torch.float32, torch.bool)
torch.tensor([1, 2.5]).dtype, torch.tensor([True, 3]).dtype, torch.tensor(2j).dtype
    (torch.float32, torch.int64, torch.complex64)
torch.tensor(np.arange(2, dtype='int16')).dtype, torch.tensor(np.float64(2)).dtype
    (torch.int16, torch.float64)
torch.zeros(2).dtype, torch.eye(2).dtype, torch.linspace(0, 1, 3), torch.randperm(3).dtype
    (torch.float32, torch.float32, tensor([0.0000, 0.5000, 1.0000]), torch.int64)
torch.arange(1, 7, 2), torch.arange(0, 1, 0.25), torch.full((2,), 7), torch.full((2,), 7.0)
    (tensor([1, 3, 5]), tensor([0.0000, 0.2500, 0.5000, 0.7500]), tensor([7, 7]), tensor([7., 7.]))
torch.ones(2, 3).shape == torch.ones((2, 3)).shape == torch.ones([2, 3]).shape
    True
torch.zeros_like(torch.arange(3)), torch.ones_like(torch.arange(2), dtype=torch.float64)
    (tensor([0, 0, 0]), tensor([1., 1.], dtype=torch.float64))
torch.ones(2).new_zeros(3), torch.arange(2).new_tensor([1.5]).dtype
    (tensor([0., 0., 0.]), torch.int64)
torch.Tensor([3, 4]), torch.LongTensor([3]), torch.FloatTensor(2, 2).shape
    (tensor([3., 4.]), tensor([3]), torch.Size([2, 2]))
torch.ones(2, 3).size(), torch.ones(2, 3).size(-1), torch.ones(2, 3).numel(), torch.ones(2, 3).dim()
    (torch.Size([2, 3]), 3, 6, 2)
torch.Size([2, 3])[1:], torch.Size([2]) + (3,), torch.Size([4, 5]).numel(), (2, 3) == torch.Size([2, 3])
    (torch.Size([3]), torch.Size([2, 3]), 20, True)

# Promotion: by kinds, and by ranks of tensors, numbers without dimensions, and Python's numbers
(torch.arange(2, dtype=torch.int16) + 1).dtype, (torch.arange(2, dtype=torch.int16) + 1.5).dtype
    (torch.int16, torch.float32)
(torch.ones(2) + torch.tensor(1, dtype=torch.float64)).dtype, (torch.arange(2) + torch.ones(2)).dtype
    (torch.float32, torch.float32)
(torch.ones(2, dtype=torch.float16) * torch.ones(2, dtype=torch.float64)).dtype
    torch.float64
torch.result_type(torch.ones(1, dtype=torch.uint8), torch.ones(1, dtype=torch.int8))
    torch.int16
torch.tensor([True]) + 1, torch.tensor([True]) + torch.tensor([True]), torch.tensor([True]) * 2.5
    (tensor([2]), tensor([True]), tensor([2.5000]))
torch.tensor([250], dtype=torch.uint8) + 10, torch.tensor([100], dtype=torch.int8) + 100
    (tensor([4], dtype=torch.uint8), tensor([-56], dtype=torch.int8))

# Arithmetic
torch.tensor([5, -5]) / 2, torch.tensor([5, -5]) // 2, torch.tensor([5, -5]) % 3
    (tensor([ 2.5000, -2.5000]), tensor([ 2, -3]), tensor([2, 1]))
torch.fmod(torch.tensor([5, -5]), 3), torch.div(torch.tensor([5, -5]), 2, rounding_mode='trunc')
    (tensor([ 2, -2]), tensor([ 2, -2]))
torch.tensor([1.0, -1.0, 0.0]) / 0, torch.tensor([2, 3]) ** 2, 2 ** torch.tensor([3.0])
    (tensor([inf, -inf, nan]), tensor([4, 9]), tensor([8.]))
torch.tensor([1, 2]) == torch.tensor([1.0, 3.0]), torch.tensor([1]) == None, torch.tensor([1]) == 'a'
    (tensor([ True, False]), False, False)
torch.ones(2, dtype=torch.int32).sum().dtype, torch.tensor([True, True]).sum(), torch.arange(4).prod()
    (torch.int64, tensor(2), tensor(0))
torch.arange(4.).std(), torch.arange(4.).var(unbiased=False), torch.arange(6.).reshape(2, 3).mean(0)
    (tensor(1.2910), tensor(1.2500), tensor([1.5000, 2.5000, 3.5000]))
torch.ones(2, 3).sum(dim=(0, 1)), torch.ones(2, 3).sum(1, keepdim=True).shape, torch.tensor([]).sum()
    (tensor(6.), torch.Size([2, 1]), tensor(0.))
torch.tensor([3, 1, 2]).max(), torch.tensor([3, 1, 2]).argmin(), torch.tensor([1.0, math.nan]).max()
    (tensor(3), tensor(1), tensor(nan))
torch.tensor([[1, 5], [7, 2]]).max(dim=1).values, torch.tensor([[1, 5], [7, 2]]).max(dim=1).indices
    (tensor([5, 7]), tensor([1, 0]))
torch.sort(torch.tensor([3, 1, 2])), torch.topk(torch.tensor([3, 1, 2]), 2).values
    (torch.return_types.sort(
    values=tensor([1, 2, 3]),
    indices=tensor([1, 2, 0])), tensor([3, 2]))
torch.clamp(torch.arange(4), 1, 2), torch.where(torch.arange(3) > 1, 1.5, 0.0), torch.round(torch.tensor(2.5))
    (tensor([1, 1, 2, 2]), tensor([0.0000, 0.0000, 1.5000]), tensor(2.))
torch.cumsum(torch.arange(4), 0), torch.tensor([0., 0.]).softmax(0), torch.arange(3.).norm()
    (tensor([0, 1, 3, 6]), tensor([0.5000, 0.5000]), tensor(2.2361))

# Products and shapes
torch.arange(4.).reshape(2, 2) @ torch.eye(2), torch.arange(3) @ torch.arange(3)
    (tensor([[0., 1.],
            [2., 3.]]), tensor(5))
torch.bmm(torch.ones(2, 1, 3), torch.ones(2, 3, 4)).shape, torch.mv(torch.ones(2, 3), torch.ones(3))
    (torch.Size([2, 1, 4]), tensor([3., 3.]))
torch.einsum('ij,ij->i', torch.ones(2, 3), torch.ones(2, 3)), torch.outer(torch.arange(2), torch.arange(2))
    (tensor([3., 3.]), tensor([[0, 0],
            [0, 1]]))
torch.cat((torch.ones(1, 2), torch.zeros(2, 2))).shape, torch.stack([torch.ones(2)] * 3, dim=1).shape
    (torch.Size([3, 2]), torch.Size([2, 3]))
torch.arange(5).split(2), torch.arange(6).chunk(3)[1], torch.arange(2).repeat(2), torch.arange(2).tile(2, 1).shape
    ((tensor([0, 1]), tensor([2, 3]), tensor([4])), tensor([2, 3]), tensor([0, 1, 0, 1]), torch.Size([2, 2]))
torch.arange(6).reshape(-1, 2).T.shape, torch.ones(2, 1, 3).squeeze().shape, torch.ones(3)[:, None].shape
    (torch.Size([2, 3]), torch.Size([2, 3]), torch.Size([3, 1]))
[g.tolist() for g in torch.meshgrid(torch.arange(2), torch.arange(2), indexing='ij')]
    [[[0, 0], [1, 1]], [[0, 1], [0, 1]]]

# Indexing
torch.arange(12).reshape(3, 4)[1, 2], torch.arange(12).reshape(3, 4)[:, 1], torch.arange(5)[-2:]
    (tensor(6), tensor([1, 5, 9]), tensor([3, 4]))
torch.arange(12).reshape(3, 4)[[0, 2], [1, 3]], torch.arange(5)[torch.arange(5) > 2], torch.arange(9)[::4]
    (tensor([ 1, 11]), tensor([3, 4]), tensor([0, 4, 8]))
torch.nonzero(torch.tensor([0, 1, 1])), torch.tensor([3, 1, 3]).unique(), [int(v) for v in torch.arange(3)]
    (tensor([[1],
            [2]]), tensor([1, 3]), [0, 1, 2])
torch.gather(torch.arange(6).reshape(2, 3), 1, torch.tensor([[2], [0]])), torch.arange(3).flip(0)
    (tensor([[2],
            [3]]), tensor([2, 1, 0]))

# Text
torch.tensor(3.), torch.tensor([0.5]), torch.tensor([1.0, 1e6]), torch.tensor([1e-7])
    (tensor(3.), tensor([0.5000]), tensor([1.0000e+00, 1.0000e+06]), tensor([1.0000e-07]))
torch.ones(2, dtype=torch.int8), torch.ones(1, dtype=torch.float64), torch.tensor([True, False])
    (tensor([1, 1], dtype=torch.int8), tensor([1.], dtype=torch.float64), tensor([ True, False]))
torch.zeros(0), torch.zeros(2, 0), torch.tensor(-math.inf), torch.tensor([math.nan, 1.5])
    (tensor([]), tensor([], size=(2, 0)), tensor(-inf), tensor([   nan, 1.5000]))
torch.arange(1002)
    tensor([   0,    1,    2,  ...,  999, 1000, 1001])
f'{torch.tensor(2.5)}', f'{torch.tensor(2.5):.3f}', str(torch.tensor([2])), '%d' % torch.tensor(3)
    ('2.5', '2.500', 'tensor([2])', '3')
torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True) * 2
    (tensor([1.], requires_grad=True), tensor([2.], grad_fn=<MulBackward0>))
torch.float, torch.half, torch.long, torch.ones(1).type(), torch.ones(1).long().type()
    (torch.float32, torch.float16, torch.int64, 'torch.FloatTensor', 'torch.LongTensor')

# Numbers
torch.tensor(3).item(), torch.tensor([[1.5]]).item(), float(torch.tensor(2)), int(torch.tensor(2.9))
    (3, 1.5, 2.0, 2)
torch.arange(4).reshape(2, 2).tolist(), bool(torch.tensor([0.0])), len(torch.ones(3)), 2 in torch.arange(3)
    ([[0, 1], [2, 3]], False, 3, True)
['a', 'b', 'c'][torch.tensor(1)], (torch.ones(2) + np.float32(1)).dtype, (torch.ones(2) + np.ones(2)).dtype
    ('b', torch.float32, torch.float64)

# Devices
torch.device('cpu'), torch.device('cuda', 1), str(torch.device('cuda:0')), torch.ones(1).device
    (device(type='cpu'), device(type='cuda', index=1), 'cuda:0', device(type='cpu'))
torch.device('cpu') == torch.device('cpu:0'), torch.ones(1).device == torch.device('cpu')
    (False, True)

# Gradients
[t.requires_grad for t in (lambda x: (x * 2, x > 0, x.long(), x.detach()))(torch.ones(1, requires_grad=True))]
    [True, False, False, False]
(lambda x: (x.is_leaf, x.grad, x.grad_fn, (x + 1).is_leaf))(torch.ones(1, requires_grad=True))
    (True, None, None, False)
"""

# ---- Classes of errors ---------------------------------------------------------------------------

RAISES = """
ValueError      torch.tensor([[1, 2], [3]])
ValueError      torch.tensor(2 ** 70)
TypeError       torch.tensor('a')
RuntimeError    torch.tensor([999], dtype=torch.uint8)
TypeError       torch.ones(1.5)
TypeError       torch.set_default_dtype(torch.int32)
RuntimeError    torch.arange(2) // 0
RuntimeError    torch.tensor([2]) ** -2
NotImplementedError   torch.tensor([True]) - torch.tensor([True])
NotImplementedError   torch.ones(1) & 1
NotImplementedError   torch.arange(3).mean()
RuntimeError    torch.ones(2, 3) + torch.ones(2)
RuntimeError    torch.arange(2).__iadd__(1.5)
RuntimeError    torch.ones(2).__iadd__(torch.ones(3, 2))
RuntimeError    torch.tensor([]).max()
IndexError      torch.ones(2).sum(dim=2)
TypeError       torch.exp(2.0)
TypeError       torch.ones(2) + [1, 1]
TypeError       torch.ones(2) + 'a'
RuntimeError    torch.mm(torch.ones(2, 3), torch.ones(2, 3))
RuntimeError    torch.mm(torch.ones(2), torch.ones(2, 3))
RuntimeError    torch.ones(2, 2) @ torch.ones(2, 2).double()
RuntimeError    torch.dot(torch.ones(2, 2), torch.ones(2, 2))
RuntimeError    torch.arange(6).reshape(4, 2)
RuntimeError    torch.arange(6).reshape(2, 3).T.view(-1)
RuntimeError    torch.cat((torch.ones(2, 3), torch.ones(3, 3)), dim=1)
RuntimeError    torch.stack((torch.ones(2), torch.ones(3)))
ValueError      torch.arange(4)[::-1]
IndexError      torch.arange(4)[4]
IndexError      torch.arange(4)[0, 0]
IndexError      torch.arange(4)[torch.tensor([1.0])]
IndexError      torch.arange(4)[torch.tensor([True])]
IndexError      torch.arange(4)[torch.tensor([4])]
IndexError      torch.tensor(1)[0]
RuntimeError    torch.arange(4).__setitem__(slice(2), torch.ones(3))
TypeError       torch.arange(4).__setitem__(slice(2), [1, 2])
RuntimeError    torch.ones(2).item()
ValueError      float(torch.ones(2))
RuntimeError    bool(torch.ones(2))
RuntimeError    bool(torch.ones(0))
TypeError       len(torch.tensor(1))
TypeError       iter(torch.tensor(1))
TypeError       f'{torch.ones(2):.2f}'
RuntimeError    torch.ones(1, requires_grad=True).numpy()
ValueError      torch.from_numpy(np.arange(3)[::-1])
RuntimeError    torch.device('gpu')
RuntimeError    torch.normal(0, -1, (2,))
RuntimeError    torch.randint(3, 3, (1,))
RuntimeError    torch.ones(2, dtype=torch.int64, requires_grad=True)
RuntimeError    torch.ones(1).backward()
RuntimeError    (torch.ones(2, requires_grad=True) * 2).backward()
RuntimeError    torch.ones(2, requires_grad=True).add_(1)
RuntimeError    torch.ones(2, requires_grad=True).__setitem__(0, 1)
RuntimeError    copy.deepcopy(torch.ones(1, requires_grad=True) * 1)
AttributeError  torch.ones(1).no_such_attribute
AttributeError  torch.no_such_function
"""


def shown():
    """Pairs of a program and what it shows."""
    found = []
    for line in SHOWS.splitlines():
        if line.startswith("    "):
            program, text = found[-1]
            found[-1] = program, f"{text}{line[4:]}\n"
        elif line and not line.startswith("#"):
            found.append((line, ""))
    return [(program, text.rstrip("\n")) for program, text in found]


def raised():
    """Pairs of a program and the name of the class."""
    return [line.split(None, 1)[::-1] for line in RAISES.strip().splitlines()]


NAMES = {"torch": torch, "np": np, "math": math, "copy": copy}


@pytest.mark.parametrize("program, text", shown())
def test_shows(program, text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert repr(eval(program, dict(NAMES))) == text


@pytest.mark.parametrize("program, name", raised())
def test_raises(program, name):
    """At the call, or when the value is shown."""
    with pytest.raises(eval(name)) as caught, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        repr(eval(program, dict(NAMES)))
    assert type(caught.value).__name__ == name and str(caught.value)


def test_counts_for_each_place():
    x = torch.tensor([1.5, 2.5])
    assert x.repeat_interleave(torch.tensor([2, 1]), 0).tolist() == [1.5, 1.5, 2.5]
    for counts in ([0, 0], [0]):
        assert x.repeat_interleave(torch.tensor(counts), 0).shape == (0,)
    assert torch.zeros((0,)).repeat_interleave(torch.tensor([2]), 0).shape == (0,)


# ---- Writes and views ----------------------------------------------------------------------------


def test_writes_keep_the_object():
    x = torch.ones(3)
    view, same = x[1:], x
    x += 1
    x[:] = x * 2
    assert x.add_(1) is x and same is x
    assert view.tolist() == [5, 5] and (x._version, view._version) == (3, 3)
    x = x + 1
    assert same.tolist() == [5, 5, 5] and x.tolist() == [6, 6, 6]


def test_assignment_converts_and_broadcasts():
    x = torch.zeros(2, 3, dtype=torch.int64)
    x[0] = 1.7
    x[1, 1:] = torch.tensor([2.9, -2.9])
    x[x < 0] = 8
    assert x.tolist() == [[1, 1, 1], [0, 2, 8]]
    x[[0, 0]] = torch.tensor([[5], [6]])
    assert x[0].tolist() == [6, 6, 6]


def test_conversions_that_change_nothing_are_the_tensor_itself():
    x = torch.ones(2)
    assert all(y is x for y in (x.to("cpu"), x.cpu(), x.float(), x.type(torch.float32)))
    assert x.contiguous() is x and x.to(torch.float64) is not x
    assert hash(x) == id(x) and x in {x}


def test_the_default_type():
    torch.set_default_dtype(torch.float64)
    try:
        assert torch.tensor(1.0).dtype is torch.zeros(1).dtype is torch.float64
        assert (torch.arange(2) / 2).dtype is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


def test_print_options():
    torch.set_printoptions(precision=2)
    try:
        assert repr(torch.tensor([1 / 3])) == "tensor([0.33])"
    finally:
        torch.set_printoptions(profile="default")
    assert repr(torch.tensor([1 / 3])) == "tensor([0.3333])"


# ---- Gradients -----------------------------------------------------------------------------------


def test_gradients_accumulate_in_place():
    x = torch.arange(3.0, requires_grad=True)
    torch.dot(x, x).backward()
    grad = x.grad
    assert grad.tolist() == [0, 2, 4]
    x.sum().backward()
    assert x.grad is grad and grad.tolist() == [1, 3, 5] and not grad.requires_grad


def test_a_graph_is_walked_once_unless_it_is_kept():
    x = torch.ones(2, requires_grad=True)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward()
    with pytest.raises(RuntimeError, match="retain"):
        y.backward()
    assert x.grad.tolist() == [4, 4]


def test_what_was_saved_must_not_be_written():
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    z = y * y
    y += 1
    with pytest.raises(RuntimeError, match="in place"):
        z.sum().backward()
    z = (x * x).sum()
    x.data[:] = 5  # goes unseen
    z.backward()
    assert x.grad.tolist() == [10, 10]


@pytest.mark.parametrize(
    "made", ["x / y", "1 / y", "torch.logaddexp(x, y)", "F.elu(y)", "x * y", "x % y", "F.silu(y)"]
)
def test_results_that_no_gradient_needs_may_be_written(made):
    """Gradients of these are made of their operands, so that what follows may be in place."""
    names = {"torch": torch, "F": torch.nn.functional}
    x, y = (torch.tensor(values, requires_grad=True) for values in ([1.0, -2.0], [3.0, -0.5]))
    wanted = torch.autograd.grad(eval(made, names | {"x": x, "y": y}).sum(), y)[0]
    z = eval(made, names | {"x": x, "y": y})
    z += 1
    z.mul_(2)
    z.sum().backward()
    assert torch.allclose(y.grad, 2 * wanted)


def test_without_gradients():
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        x += 1
        assert not (x * 2).requires_grad

    @torch.no_grad()
    def doubled(x):
        return x * 2

    assert not doubled(x).requires_grad and x.requires_grad and x.tolist() == [2, 2]
    y = x * 2
    y.retain_grad()
    y.sum().backward()
    assert y.grad.tolist() == [1, 1] and y.detach().grad_fn is None


def test_gradients_of_gradients():
    x = torch.tensor(3.0, requires_grad=True)
    (first,) = torch.autograd.grad(x**3, x, create_graph=True)
    (second,) = torch.autograd.grad(first, x)
    assert (first.item(), second.item(), x.grad) == (27, 18, None)


@pytest.mark.parametrize(
    "function, at, wanted",
    [
        (torch.relu, [0.0], [0.0]),
        (torch.abs, [0.0], [0.0]),
        (torch.sqrt, [0.0], [math.inf]),
        (torch.norm, [0.0, 0.0], [0.0, 0.0]),
        (torch.max, [2.0, 2.0, 1.0], [0.5, 0.5, 0.0]),
        (lambda x: x.max(dim=0).values, [2.0, 2.0], [1.0, 0.0]),
        (lambda x: torch.clamp(x, 0, 1), [0.0, 0.5, 1.0], [0.0, 1.0, 0.0]),
        (torch.prod, [0.0, 3.0], [3.0, 0.0]),
    ],
)
def test_gradients_at_the_edges(function, at, wanted):
    x = torch.tensor(at, requires_grad=True)
    function(x).sum().backward()
    assert x.grad.tolist() == wanted


# ---- Copies and pickles --------------------------------------------------------------------------


def test_copies():
    x = torch.arange(4.0, requires_grad=True)
    for made in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert made.tolist() == x.tolist() and made.requires_grad and made.is_leaf
        with torch.no_grad():
            made[0] = 9
        assert x[0].item() == 0


# ---- Random numbers ------------------------------------------------------------------------------


def test_seeds_and_distributions():
    torch.manual_seed(3)
    first = torch.randn(5), torch.rand(5), torch.randint(9, (5,)), torch.randperm(5)
    torch.manual_seed(3)
    again = torch.randn(5), torch.rand(5), torch.randint(9, (5,)), torch.randperm(5)
    assert all(map(torch.equal, first, again))
    x = torch.normal(2.0, 3.0, (20000,))
    assert abs(x.mean().item() - 2) < 0.1 and abs(x.std().item() - 3) < 0.1
    u = torch.rand(20000)
    assert 0 <= u.min().item() < 0.01 and 0.99 < u.max().item() < 1
    assert sorted(torch.randperm(6).tolist()) == list(range(6))
    assert torch.randint(2, 5, (1000,)).unique().tolist() == [2, 3, 4]


# ---- What differs by contract --------------------------------------------------------------------


def test_imports_are_copies_and_exports_snapshots():
    a = np.zeros(2, dtype="float32")
    t, s = torch.from_numpy(a), torch.as_tensor(a)
    a[0] = 5
    assert t.tolist() == s.tolist() == [0, 0]
    x = torch.ones(2)
    n = x.numpy()
    x += 1
    n[0] = 7
    assert n.tolist() == [7, 1] and x.tolist() == [2, 2]


def test_overlapping_writes_read_all_first():
    x = torch.arange(4.0)
    x[1:] = x[:-1]
    assert x.tolist() == [0, 0, 1, 2]


def test_synchronize_takes_any_device_and_waits_for_all():
    made = [torch.ones(100, 100) @ torch.ones(100, 100) for _ in range(5)]
    for device in (None, "cpu", torch.device("cpu")):
        torch.cuda.synchronize(device)
        assert penstock.engine.stats().unfinished == 0
    assert made[-1][0, 0].item() == 100
