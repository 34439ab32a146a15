"""Hooks: when they run, what they change, how they go.

After each test nothing of a graph may be left.
"""

import os
import threading
import weakref

import pytest

import penstock as ps
from penstock import autograd

pytestmark = [
    pytest.mark.usefixtures("nothing_recorded"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning"),
]


def leaf(values=(1.0, 2.0), grad_req="write"):
    x = ps.array(values)
    x.attach_grad(grad_req)
    return x


def squared(x):
    with autograd.record():
        return x * x


def test_observing():
    seen = []
    x = leaf()
    with autograd.record():
        h = x * x
        y = h * 3 + h
    h.register_hook(lambda gradient: seen.append(gradient.tolist()))
    x.register_hook(lambda gradient: seen.append(gradient.tolist()))
    y.register_hook(lambda gradient: seen.append(gradient.tolist()))
    y.backward()
    assert seen == [[1.0, 1.0], [4.0, 4.0], [8.0, 16.0]]
    assert x.grad.tolist() == [8.0, 16.0]


def test_replacing_in_order():
    x = leaf()
    y = squared(x)
    first = y.register_hook(lambda gradient: gradient * 10)
    y.register_hook(lambda gradient: gradient + 1)
    x.register_hook(lambda gradient: -gradient)
    y.backward(retain_graph=True)
    assert x.grad.tolist() == [-22.0, -44.0]
    assert autograd.grad(y, [y, x], retain_graph=True)[0].tolist() == [11.0, 11.0]
    first.remove()
    first.remove()
    y.backward()
    assert x.grad.tolist() == [-4.0, -8.0]


def test_blocks():
    x = leaf()
    y = squared(x)
    with x.register_hook(lambda gradient: gradient * 0) as hook:
        assert type(hook) is autograd.Hook
        y.backward(retain_graph=True)
        assert x.grad.tolist() == [0.0, 0.0]
    y.backward()
    assert x.grad.tolist() == [2.0, 4.0]
    with pytest.raises(TypeError):
        autograd.Hook()


def test_views_and_parts():
    x = leaf([1.0, 2.0, 3.0])
    with autograd.record():
        view = x[1:]
        y = (view * view).sum() + x.sum()
    view.register_hook(lambda gradient: gradient * 10)
    y.backward()
    assert x.grad.tolist() == [1.0, 41.0, 61.0]


def test_after_a_write_it_is_another_value():
    seen = []
    x = leaf()
    with autograd.record():
        y = x * 3
        y.register_hook(lambda gradient: seen.append(gradient.tolist()))
        y *= x
    y.backward()
    assert seen == [[1.0, 2.0]]  # of x * 3, before the write


def test_accumulated():
    x = leaf(grad_req="add")
    order = []

    def halve(gradient):
        order.append("after")
        gradient /= 2

    x.register_hook(halve, accumulated=True)
    x.register_hook(lambda gradient: order.append("before"))
    for _ in range(2):
        squared(x).backward()
    autograd.grad(squared(x), x)
    assert order == ["before", "after", "before", "after", "before"]
    assert x.grad.tolist() == [1.5, 3.0]
    with pytest.raises(RuntimeError, match="no gradient attached"):
        squared(x).register_hook(halve, accumulated=True)


def test_what_is_given_may_be_written_to():
    def careless(gradient):
        gradient *= 0

    a, b, factors = leaf(), leaf(), ps.ones(2)
    with autograd.record():
        y = a + b
    a.register_hook(careless)
    y.backward(factors)
    assert a.grad.tolist() == b.grad.tolist() == factors.tolist() == [1.0, 1.0]


def test_gradients_of_gradients():
    x = leaf()
    y = squared(x)
    y.register_hook(lambda gradient: gradient * 10 * x.detach())
    first = autograd.grad(y, x, create_graph=True)
    assert first.tolist() == [20.0, 80.0]
    assert autograd.grad(first, x).tolist() == [20.0, 40.0]


class Sub(ps.ndarray):
    pass


def test_classes():
    seen = []
    x = leaf().as_subclass(Sub)
    x.register_hook(lambda gradient: seen.append(type(gradient)))
    squared(x).backward()
    assert seen == [Sub]


# ---- Errors -------------------------------------------------------------------------------------


def test_refused():
    x = leaf()
    with pytest.raises(RuntimeError, match="in no graph"):
        ps.ones(2).register_hook(print)
    with pytest.raises(TypeError, match="expected a function, not 3"):
        x.register_hook(3)
    with pytest.raises(TypeError):
        x.register_hook()
    with pytest.raises(TypeError):
        x.register_hook(print, True)


@pytest.mark.parametrize(
    "gives, error, text",
    [
        (lambda gradient: ps.ones(3), ValueError, r"replacement .* of shape \(3,\), not"),
        (lambda gradient: gradient.astype("float64"), TypeError, "is of float64"),
        (lambda gradient: 2, TypeError, "a hook must give an array or None, not 2"),
    ],
)
def test_what_hooks_may_give(gives, error, text):
    x = leaf()
    y = squared(x)
    with x.register_hook(gives), pytest.raises(error, match=text):
        y.backward()
    assert x.grad.tolist() == [0.0, 0.0]


def test_an_accumulated_gradient_is_not_replaced():
    x = leaf()
    x.register_hook(lambda gradient: gradient, accumulated=True)
    with pytest.raises(ValueError, match="is not replaced"):
        squared(x).backward()


@pytest.mark.parametrize("accumulated", [False, True])
def test_what_is_raised_arrives(accumulated):
    error = LookupError("a", 1)

    def fail(gradient):
        raise error

    x = leaf()
    x.register_hook(fail, accumulated=accumulated)
    y = squared(x)
    with pytest.raises(LookupError) as caught:
        y.backward()
    assert caught.value is error and error.args == ("a", 1)
    error.__traceback__ = None


# ---- Anything -----------------------------------------------------------------------------------


def test_hooks_that_change_hooks():
    x = leaf()
    ran = []

    def first(gradient):
        ran.append("first")
        handles[0].remove()
        handles[1].remove()
        handles.append(x.register_hook(lambda gradient: ran.append("third")))

    handles = [x.register_hook(first)]
    handles.append(x.register_hook(lambda gradient: ran.append("second")))
    squared(x).backward()
    assert ran == ["first"]
    squared(x).backward()
    assert ran == ["first", "third"]
    handles.pop().remove()


def test_what_goes_with_a_hook():
    class Watch:
        def __call__(self, gradient):
            pass

    x, watches = leaf(), [Watch() for _ in range(4)]
    y = squared(x)
    gone = [weakref.ref(watch) for watch in watches]
    kept = y.register_hook(watches[0])
    y.register_hook(watches[1])
    x.register_hook(watches[2])
    x.register_hook(watches[3]).remove()
    del watches
    assert [one() is None for one in gone] == [False, False, False, True]
    del y
    assert [one() is None for one in gone] == [False, True, False, True]
    kept.remove()
    x.attach_grad()  # another value
    assert all(one() is None for one in gone)


def test_walks_and_forks_inside():
    x, u, children = leaf(), leaf(), []

    def inside(gradient):
        squared(u).backward()
        ps.waitall()
        children.append(os.fork())
        return gradient + u.grad

    x.register_hook(inside)
    squared(x).backward()
    right = x.grad.tolist() == [4.0, 8.0]
    if children[0] == 0:
        os._exit(not right)
    assert right and os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 0


def test_threads():
    x, count, failed = leaf(), [], []

    def body():
        try:
            for _ in range(100):
                with x.register_hook(count.append):
                    assert autograd.grad(squared(x), x).tolist() == [2.0, 4.0]
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=body) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == [] and len(count) >= 400
