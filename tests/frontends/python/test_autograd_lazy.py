"""Gradients of a library in which there are none before the first backward, as torch's.

After each test nothing of a graph may be left.
"""

import threading

import pytest

import penstock as ps
from penstock import _core, autograd

pytestmark = pytest.mark.usefixtures("nothing_recorded")

RULES = ("unless_paused", "check", "bounds_cut", "lazy")


class Lazy(ps.ndarray, dialect=ps.Dialect("lazy", gradients=RULES)):
    pass


def leaf(values=(0.0, 1.0, 2.0)):
    x = Lazy(values)
    x.attach_grad("add")
    return x


def test_none_before_a_backward():
    x = leaf()
    assert x.grad is None
    autograd.grad(x * x, x)
    assert x.grad is None
    (x * x).sum().backward()
    grad = x.grad
    assert type(grad) is Lazy and grad.tolist() == [0.0, 2.0, 4.0]
    x.sum().backward()
    assert grad.tolist() == [1.0, 3.0, 5.0]
    assert _core._grad_info(grad) == (False, False, None)


def test_one_object():
    x = leaf()
    assert _core._grad_get(x, None) is None
    x.sum().backward()
    grad = _core._grad_get(x, None)
    x.sum().backward()
    assert _core._grad_get(x, grad) is grad
    assert x.grad is not grad  # another object for the same array
    _core._grad_set(x, None)
    assert _core._grad_get(x, grad) is None
    x.sum().backward()
    assert _core._grad_get(x, grad) is not grad
    with pytest.raises(TypeError, match="expected an array or None, not 3"):
        _core._grad_get(x, 3)


def test_set():
    x = leaf()
    x.sum().backward()
    old = x.grad
    _core._grad_set(x, None)
    assert x.grad is None
    x.sum().backward()
    assert x.grad.tolist() == old.tolist() == [1.0, 1.0, 1.0]
    given = Lazy([1.0, 2.0, 3.0])
    _core._grad_set(x, given)
    x.sum().backward()
    assert given.tolist() == x.grad.tolist() == [2.0, 3.0, 4.0]


def test_refused():
    x = leaf()
    with pytest.raises(ValueError, match=r"shape \(2,\)"):
        _core._grad_set(x, Lazy([1.0, 2.0]))
    with pytest.raises(ValueError, match="its own gradient"):
        _core._grad_set(x, x)
    with pytest.raises(RuntimeError, match="no gradient was asked for"):
        _core._grad_set(x * 2, None)
    with pytest.raises(TypeError, match="grad must be an array or None, not 'g'"):
        _core._grad_set(x, "g")
    with pytest.raises(AttributeError, match="grad cannot be assigned"):
        x.grad = None  # a library that has this says so itself


def test_hooks_see_it_and_may_take_it_away():
    x = leaf()
    seen = []

    def use_up(gradient):
        seen.append(gradient.tolist())
        _core._grad_set(x, None)

    with x.register_hook(use_up, accumulated=True):
        for _ in range(2):
            (x * 2).sum().backward()
    assert seen == [[2.0] * 3] * 2 and x.grad is None


def test_threads():
    for _ in range(20):
        x = leaf()
        threads = [
            threading.Thread(target=lambda: [x.sum().backward() for _ in range(5)])
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert x.grad.tolist() == [20.0] * 3
