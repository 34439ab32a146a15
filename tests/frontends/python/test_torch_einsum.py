"""torch.einsum: equations drawn at random against NumPy's, forms of the call, gradients, errors."""

import gate
import numpy as np
import penstock as ps
import pytest
from penstock import torch

SIZES = {"a": 2, "b": 3, "c": 4, "d": 1, "e": 5, "Z": 2}


def near(ours, expected):
    np.testing.assert_allclose(ours.detach().numpy(), expected, rtol=1e-5, atol=1e-5)
    assert tuple(ours.shape) == np.shape(expected)


def drawn_equation(rng):
    """Some operands' subscripts, and perhaps an output's."""
    parts = []
    for _ in range(rng.integers(1, 4)):
        count = rng.integers(0, 4)
        parts.append("".join(rng.choice(list(SIZES), count)))
    letters = sorted(set("".join(parts)))
    rng.shuffle(letters)
    left = ",".join(parts)
    if rng.random() < 0.3:
        return left, parts
    return f"{left}->{''.join(letters[: rng.integers(0, len(letters) + 1)])}", parts


@pytest.mark.parametrize("seed", range(60))
def test_drawn_equations(seed):
    rng = np.random.default_rng(seed)
    for _ in range(5):
        equation, parts = drawn_equation(rng)
        arrays = [rng.standard_normal([SIZES[one] for one in part]).astype("f") for part in parts]
        expected = np.einsum(equation, *arrays)
        near(torch.einsum(equation, *map(torch.tensor, arrays)), expected)


@pytest.mark.parametrize("seed", range(20))
def test_drawn_equations_with_an_ellipsis(seed):
    rng = np.random.default_rng(100 + seed)
    batches = [(), (3,), (2, 3), (2, 1)]
    parts, arrays = [], []
    for _ in range(rng.integers(1, 4)):
        letters = "".join(rng.permutation(list("abc"))[: rng.integers(0, 3)])
        at = rng.integers(0, len(letters) + 1)
        parts.append(letters[:at] + "..." + letters[at:])
        shape = [SIZES[one] for one in letters]
        shape[at:at] = batches[rng.integers(len(batches))]
        arrays.append(rng.standard_normal(shape).astype("f"))
    kept = sorted(set("".join(parts)) - {"."})[:2]
    equation = f"{','.join(parts)}->...{''.join(kept)}"
    near(torch.einsum(equation, *map(torch.tensor, arrays)), np.einsum(equation, *arrays))
    if len(parts) == 1:
        near(torch.einsum(parts[0], torch.tensor(arrays[0])), np.einsum(parts[0], arrays[0]))


def test_other_ways_to_call_it():
    a, b = torch.arange(6.0).reshape(2, 3), torch.arange(12.0).reshape(3, 4)
    expected = (a @ b).numpy()
    near(torch.einsum(" i j , j k -> i k ", a, b), expected)
    near(torch.einsum("ij,jk", [a, b]), expected)
    near(torch.einsum(a, [0, 1], b, [1, 2]), expected)
    near(torch.einsum(a, [0, 1], b, [1, 2], [2, 0]), expected.T)
    near(torch.einsum(a, [..., 7], [7, ...]), a.numpy().T)
    near(torch.einsum("ba", a), a.numpy().T)


def test_lengths_of_one_are_broadcast():
    """NumPy does so for letters, too, but not in each version."""
    one, five = torch.tensor([2.0]), torch.arange(5.0)
    near(torch.einsum("i,i->i", one, five), 2 * np.arange(5.0))
    near(torch.einsum("i,i->", one, five), 20.0)
    near(torch.einsum("i,i,i->i", one, one, five), 4 * np.arange(5.0))


def test_types():
    whole = torch.arange(6).reshape(2, 3)
    assert torch.einsum("ij,j", whole, whole[0]).tolist() == [5, 14]
    with pytest.raises(RuntimeError):
        torch.einsum("ij,j", whole, torch.ones(3))


def test_nothing_to_add_gives_zeros():
    made = torch.einsum("ij,jk->ik", torch.zeros(2, 0), torch.zeros(0, 3))
    assert torch.equal(made, torch.zeros(2, 3))
    assert torch.einsum("ij,jk->ik", torch.zeros(0, 2), torch.zeros(2, 3)).shape == (0, 3)


def test_gradients():
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 3, 4)).astype("f"), rng.standard_normal((2, 5, 4)).astype("f")
    x, y = torch.tensor(a, requires_grad=True), torch.tensor(b, requires_grad=True)
    weight = rng.standard_normal((2, 3, 5)).astype("f")
    (torch.einsum("bqd,bkd->bqk", x, y) * torch.tensor(weight)).sum().backward()
    near(x.grad, weight @ b)
    near(y.grad, weight.swapaxes(1, 2) @ a)
    q = torch.tensor(rng.standard_normal((3, 3)).astype("f"), requires_grad=True)
    torch.einsum("ii", q).backward()
    near(q.grad, np.eye(3))


@pytest.mark.parametrize(
    "equation, shapes, error",
    [
        ("ij->k", [(2, 3)], RuntimeError),
        ("ij->ii", [(2, 3)], RuntimeError),
        ("ii->i", [(2, 3)], RuntimeError),
        ("i,i", [(2,), (3,)], RuntimeError),
        ("i,i", [(2,)], RuntimeError),
        ("i", [(2,), (2,)], RuntimeError),
        ("i1", [(2, 2)], RuntimeError),
        ("i.j", [(2, 2)], RuntimeError),
        ("ij,jk", [(2, 3), (3,)], RuntimeError),
        ("i-j", [(2, 2)], RuntimeError),
        ("i", [], ValueError),
    ],
)
def test_errors(equation, shapes, error):
    with pytest.raises(error, match="einsum"):
        torch.einsum(equation, *(torch.ones(shape) for shape in shapes))


def test_other_errors():
    with pytest.raises(TypeError):
        torch.einsum("i", 5)
    with pytest.raises(ValueError, match="77"):
        torch.einsum(torch.ones(2), [77])


@pytest.mark.timeout(120)
def test_it_does_not_wait():
    before = ps.engine.workers()
    ps.engine.set_workers(max(before, 2))
    try:
        with gate.product() as product:
            y = product.as_subclass(torch.Tensor)
            made = torch.einsum("ij,kj,k->i", y, y, torch.ones(300))
            assert not ps.ndarray.is_ready(made)
    finally:
        ps.engine.set_workers(before)
