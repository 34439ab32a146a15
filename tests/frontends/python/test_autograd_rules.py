"""What a library that is like torch needs of gradients: facts of its behaviour, in native terms.

After each test nothing of a graph may be left.
"""

import contextlib

import numpy as np
import pytest

import penstock as ps
from penstock import _core, autograd

pytestmark = pytest.mark.usefixtures("nothing_recorded")

RULES = ("unless_paused", "check", "bounds_cut", "lazy")


class Tensor(ps.ndarray, dialect=ps.Dialect("like torch", gradients=RULES)):
    pass


@contextlib.contextmanager
def no_grad():
    before = _core._grad_set_state(None, None, True)
    try:
        yield
    finally:
        _core._grad_set_state(*before)


def leaf(*values):
    x = Tensor(list(values))
    x.attach_grad("add")
    return x


def backward(head, gradient=None, retain=False):
    gradients = None if gradient is None else [gradient]
    _core._grad_walk([head], gradients, None, retain, False, True)


def flows(x):
    return _core._grad_info(x)[0]


def gradient_of(function, *values):
    x = leaf(*values)
    backward(function(x).sum())
    return x.grad.tolist()


def test_what_flows_is_inexact():
    x = leaf(0.0, 1.0, 2.0)
    assert [flows(y) for y in (x * 2, x > 1, x.astype("int64"), x.argmax())] == [True] + [False] * 3
    with pytest.raises(TypeError, match="int64 has no gradient"):
        Tensor([1, 2]).attach_grad("add")


def test_what_made_it():
    x = leaf(1.0, 2.0)
    assert _core._grad_info(x) == (True, True, None)
    assert _core._grad_info(x * 2) == (True, False, "multiply")
    assert _core._grad_info((x * 2).sum()) == (True, False, "sum")
    assert _core._grad_info(x[:1]) == (True, False, "view")
    y = x * 1
    y[0] = 5
    assert _core._grad_info(y) == (True, False, "write")
    assert _core._grad_info(Tensor([1.0])) == (False, False, None)
    with pytest.raises(TypeError, match="_grad_info: expected an array, not 1"):
        _core._grad_info(1)


def test_heads():
    x = leaf(1.0, 1.0)
    with pytest.raises(ValueError, match=r"head 0 has shape \(2,\), no gradient is given"):
        backward(x * x)
    with pytest.raises(ValueError, match=r"the gradient of head 0 has shape \(3,\)"):
        backward(x * x, Tensor([1.0, 1.0, 1.0]))
    backward(x * x, Tensor([1.0, 0.0]))
    assert x.grad.tolist() == [2.0, 0.0]
    with pytest.raises(RuntimeError, match="in no graph"):
        backward(Tensor([1.0]))


def test_walked_twice():
    x = leaf(1.0, 1.0)
    z = (x * x).sum()
    backward(z)
    with pytest.raises(RuntimeError, match="walked before"):
        backward(z)
    z = (x + 1).sum()
    backward(z)
    backward(z)
    assert x.grad.tolist() == [4.0, 4.0]
    z = (x * x).sum()
    backward(z, retain=True)
    backward(z)
    assert x.grad.tolist() == [8.0, 8.0]


def test_leaves_are_written_while_paused_alone():
    x = leaf(1.0, 1.0)
    for write in (
        lambda: x.__iadd__(1),
        lambda: x.fill(2),
        lambda: ps.add(x, 1, out=x),
    ):
        with pytest.raises(RuntimeError, match="^elements of a tensor with a gradient attached, a leaf"):
            write()
    for write in (lambda: x.__setitem__(0, 5), lambda: x[:1].fill(3), lambda: x.T.__imul__(2)):
        with pytest.raises(RuntimeError, match="elements of a tensor with a gradient"):
            write()
    assert _core._version(x) == 0 and x.tolist() == [1.0, 1.0]
    with no_grad():
        x += 1
    assert _core._version(x) == 1
    data = _core._grad_alias(x)
    data[0] = 9
    assert x.tolist() == [9.0, 2.0] and _core._version(x) == 1 and flows(x)


def test_versions():
    x = Tensor(ps.ones(2))
    assert _core._version(x) == 0
    x += 1
    x[:] = x * 2
    ps.add(x, 1, out=x)
    assert _core._version(x) == _core._version(x[:1]) == 3
    assert _core._version(x + 1) == 0
    x.detach()[0] = 7
    assert _core._version(x) == 4
    with pytest.raises(TypeError, match="_version: expected an array, not None"):
        _core._version(None)


def test_what_was_overwritten():
    x = leaf(1.0, 1.0)
    y = x * 2
    z = y * y
    y += 1
    with pytest.raises(RuntimeError, match="was written in place"):
        backward(z.sum())
    y = x * 2
    z = y + 1
    y += 1
    backward(z.sum())
    assert x.grad.tolist() == [2.0, 2.0]
    x = leaf(1.0, 1.0)
    z = (x * x).sum()
    _core._grad_alias(x)[:] = 5
    backward(z)
    assert x.grad.tolist() == [10.0, 10.0]
    x = leaf(1.0, 1.0, 1.0)
    y = x * 1
    y[0] = 5
    backward(y.sum())
    assert y.tolist() == [5.0, 1.0, 1.0] and x.grad.tolist() == [0.0, 1.0, 1.0]


def test_operands_that_the_operation_itself_overwrites():
    x = leaf(2.0, 3.0)
    y = x * 2
    y *= x
    backward(y.sum())
    assert x.grad.tolist() == [8.0, 12.0]


@pytest.mark.parametrize("name", ["exp", "tanh", "sqrt", "max"])
def test_what_nobody_walks_goes(name):
    x = leaf(2.0, 3.0)
    function = getattr(ps, name)
    function(x)
    if name != "max":
        y = x * 2
        function(y, out=y)
        del y
    assert autograd.stats() == (1, 0)


def test_writes_through_an_alias_are_no_part_of_the_graph():
    x = leaf(1.0, 1.0)
    y = x * 2
    _core._grad_alias(y)[:] = 5
    backward((y * y).sum())
    assert x.grad.tolist() == [20.0, 20.0]


def test_pauses():
    assert not _core._grad_is_paused()
    with no_grad():
        assert _core._grad_is_paused()
        x = leaf(1.0)
        assert flows(x) and not flows(x * 2) and not flows(x[:1])
        with pytest.raises(TypeError, match="paused must be True or False, not 3"):
            _core._grad_set_state(None, None, 3)
    y = x * 2
    assert flows(y) and not flows(y.detach())
    backward(y)
    assert x.grad.tolist() == [2.0]
    with autograd.pause():  # of what is recorded where that is on
        assert flows(x * 2)


def test_edges():
    inf = float("inf")
    assert gradient_of(ps.nn.relu, 0.0) == [0.0]
    assert gradient_of(abs, 0.0) == [0.0]
    assert gradient_of(ps.sqrt, 0.0) == [inf]
    assert gradient_of(ps.linalg.norm, 0.0, 0.0) == [0.0, 0.0]
    assert gradient_of(ps.max, 2.0, 2.0, 1.0) == [0.5, 0.5, 0.0]
    assert gradient_of(lambda x: ps.clip(x, 0, 1), 0.0, 0.5, 1.0) == [0.0, 1.0, 0.0]
    assert gradient_of(lambda x: ps.maximum(x, Tensor([0.0])), 0.0) == [0.5]
    assert gradient_of(ps.prod, 0.0, 3.0) == [3.0, 0.0]
    assert gradient_of(lambda x: x**0, 0.0) == [0.0]


def test_largest_along_an_axis_by_its_place():
    """All flows to the first of equal elements; the value is the same as that of max."""

    def largest(x):
        places = ps.argmax(x, axis=0, keepdims=True)
        return ps.take_along_axis(x, places, axis=0)[0]

    assert gradient_of(largest, 2.0, 2.0) == [1.0, 0.0]
    x = leaf(1.0, float("nan"), 3.0)
    assert str(largest(x)) == str(ps.max(x, axis=0))
    m = Tensor([[1.0, 5.0], [5.0, 5.0]])
    m.attach_grad("add")
    backward(largest(m).sum())
    assert m.grad.tolist() == [[0.0, 1.0], [1.0, 0.0]]


def test_gradients_of_gradients():
    x = Tensor(3.0)
    x.attach_grad("add")
    (first,) = _core._grad_walk([x**3], None, [x], True, True, True)
    (second,) = _core._grad_walk([first], None, [x], False, False, True)
    assert float(second) == 18.0 and x.grad is None


@pytest.mark.parametrize("function", [ps.maximum, ps.minimum])
@pytest.mark.parametrize("rules, share", [((), (0.5, 0.5)), (("ties_first",), (1, 0))])
def test_what_flows_to_equal_elements(function, rules, share):
    """However large it is: it is shared by products, not by a difference."""

    class Shared(ps.ndarray, dialect=ps.Dialect("ties", gradients=RULES + rules)):
        pass

    x, y = Shared([1.0, 2.0]), Shared([1.0, 2.0])
    x.attach_grad("add")
    y.attach_grad("add")
    backward(function(x, y), Shared([4.0, float("inf")]))
    for leaf_of_two, part in zip((x, y), share):
        assert leaf_of_two.grad.tolist() == [4 * part, float("inf") if part else 0]


def waves(shape, at, dtype):
    """Numbers that follow no rule, for the test's purposes."""
    line = np.sin(np.arange(np.prod(shape)) * (at + 0.7)).reshape(shape)
    return Tensor((line * (1 + 2j) ** at if dtype == "complex64" else line).astype(dtype))


@pytest.mark.parametrize("axis", [-1, 0, 1, -2])
@pytest.mark.parametrize("dtype", ["float32", "complex64"])
@pytest.mark.parametrize("shapes", [((2, 3, 2),) * 2, ((3, 3), (3, 3, 3)), ((2, 3, 1), (2, 3, 4))])
def test_products_of_vectors(axis, dtype, shapes):
    """What flows to both, and from there on, is what flows through a product and a sum."""

    def parts(x, y):
        return (ps.conj(ps.moveaxis(x, axis, -1)) * ps.moveaxis(y, axis, -1)).sum(axis=-1)

    def whole(x, y):
        return ps.vecdot(x, y, axis=axis)

    def made(function):
        x, y = (waves(shape, at, dtype) for at, shape in enumerate(shapes))
        x.attach_grad("add")
        y.attach_grad("add")
        z = function(x, y)
        first = _core._grad_walk([ps.abs(z * z).sum()], None, [x, y], True, True, True)
        head = ps.abs(first[0] * first[1].sum()).sum()
        second = _core._grad_walk([head], None, [x, y], False, False, True)
        return [z, *first, *second]

    if shapes[0][axis] != shapes[1][axis]:
        with pytest.raises(ValueError, match="lengths 1 and 4 differ along the axis"):
            whole(*(waves(shape, 0, dtype) for shape in shapes))
        return
    for one, other in zip(made(whole), made(parts)):
        assert one.dtype == other.dtype and one.shape == other.shape
        assert ps.abs(one - other).max().item() <= 1e-4 * (1 + ps.abs(other).max().item())
