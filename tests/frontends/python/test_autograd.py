"""Gradients: scopes, arrays with a gradient attached, walks, errors; what Python does to arrays.

Gradients of whole programs are held against differences; all else against numbers known by hand.
After each test nothing of a graph may be left.
"""

import copy
import pickle
import threading

import numpy as np
import pytest

import penstock as ps
from penstock import autograd

pytestmark = pytest.mark.usefixtures("nothing_recorded")


def leaf(values=(1.0, 2.0), grad_req="write", dtype=None):
    x = ps.array(values, dtype=dtype)
    x.attach_grad(grad_req)
    return x


def state():
    return autograd.is_recording(), autograd.is_training()


# ---- Scopes -------------------------------------------------------------------------------------


def test_what_scopes_set():
    assert state() == (False, False)
    with autograd.record():
        assert state() == (True, True)
        with autograd.pause():
            assert state() == (False, False)
            with autograd.train_mode():
                assert state() == (False, True)
        with autograd.predict_mode():
            assert state() == (True, False)
        assert state() == (True, True)
    assert state() == (False, False)
    with autograd.record(train_mode=False):
        assert state() == (True, False)
        with autograd.pause(train_mode=True):
            assert state() == (False, True)
    with autograd.train_mode(), autograd.record(False):
        assert state() == (True, False)


@pytest.mark.parametrize("scope", ["record", "pause", "train_mode", "predict_mode"])
def test_scopes_end_with_exceptions(scope):
    with autograd.record(False):
        with pytest.raises(ZeroDivisionError), getattr(autograd, scope)():
            raise ZeroDivisionError
        assert state() == (True, False)


def test_one_scope_many_times():
    scope = autograd.record()
    with scope, autograd.pause(), scope:
        assert state() == (True, True)
    assert state() == (False, False)
    assert repr(scope) == "penstock.autograd.record(True)"
    assert repr(autograd.predict_mode()) == "penstock.autograd.predict_mode()"


def test_scopes_decorate():
    @autograd.record()
    def down(n):
        """Counts down."""
        assert state() == (True, True)
        with autograd.pause():
            return n if n == 0 else down(n - 1)

    assert down(3) == 0 and state() == (False, False)
    assert down.__doc__ == "Counts down."


def test_what_cannot_be_decorated():
    def generator():
        yield 1

    async def coroutine():
        pass

    with pytest.raises(TypeError, match="is a generator"):
        autograd.record()(generator)
    with pytest.raises(TypeError, match="is a coroutine function; the state is the thread's"):
        autograd.pause()(coroutine)
    with pytest.raises(TypeError, match="pause: expected a function to decorate, not 7"):
        autograd.pause()(7)


def test_modes_are_truth_values():
    with pytest.raises(TypeError, match="train_mode must be True or False, not 2"):
        autograd.record(2).__enter__()


def test_scopes_keep_other_settings():
    with autograd.record():
        ps.engine.set_sync(True)
    with autograd.record(), ps.engine.sync(False):
        pass
    assert ps.engine.is_sync()
    with pytest.raises(IndexError):
        ps.take(ps.arange(3), ps.array([7]))
    ps.engine.set_sync(None)


def test_threads_have_states_of_their_own():
    seen = []

    def work():
        seen.append(state())
        x = leaf([3.0])
        with autograd.record():
            seen.append(state())
            (x * x).backward()
        seen.append(x.grad.item())

    with autograd.pause(train_mode=True):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert seen == [(False, False), (True, True), 6.0]


def test_threads_walk_at_once():
    found = {}

    def work(n):
        x = leaf([float(n)])
        for _ in range(50):
            with autograd.record():
                y = x * x * x
            y.backward()
        found[n] = x.grad.item()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {n: 3.0 * n * n for n in range(4)}


def test_a_graph_can_be_walked_by_another_thread():
    x = leaf()
    with autograd.record():
        y = x * x
    thread = threading.Thread(target=y.backward)
    thread.start()
    thread.join()
    assert x.grad.tolist() == [2.0, 4.0]


# ---- Arrays with a gradient ---------------------------------------------------------------------


def test_twice_the_square():
    x = ps.arange(4.0)
    assert x.grad is None
    x.attach_grad()
    assert x.grad.tolist() == [0, 0, 0, 0]
    with autograd.record():
        y = 2 * ps.linalg.vecdot(x, x)
    y.backward()
    assert y.item() == 28 and (x.grad == 4 * x).all()


def test_the_gradient_is_one_array():
    x = leaf()
    grad = x.grad
    with autograd.record():
        y = x * x
    y.backward()
    assert grad.tolist() == [2.0, 4.0]
    x.grad[:] = 7
    assert grad.tolist() == [7.0, 7.0]


def test_write_and_add():
    x, z = leaf(), leaf(grad_req="add")
    for _ in range(3):
        with autograd.record():
            y = x * z
        y.backward()
    assert x.grad.tolist() == [1.0, 2.0]
    assert z.grad.tolist() == [3.0, 6.0]
    z.grad[:] = 0
    z.backward()
    assert z.grad.tolist() == [1.0, 1.0]


def test_null_removes_it():
    x = leaf()
    x.attach_grad("null")
    assert x.grad is None
    with autograd.record():
        y = x * x
    with pytest.raises(RuntimeError, match="head 0 is in no graph"):
        y.backward()


def test_a_new_array_has_none():
    x = leaf()
    with autograd.record():
        y = x * 2
        x = x + 1
    assert x.grad is None and y.grad is None


def test_attaching_cuts():
    x = leaf()
    with autograd.record():
        y = x * x
        y.attach_grad()
        z = y * 3
    z.backward()
    assert y.grad.tolist() == [3.0, 3.0]
    assert x.grad.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_the_gradient_has_the_type(dtype):
    x = leaf(dtype=dtype)
    with autograd.record():
        y = (x * x).sum()
    y.backward()
    assert (str(x.grad.dtype), x.grad.tolist()) == (dtype, [2.0, 4.0])


def test_complex_arrays_have_one():
    x = leaf(dtype="complex64")
    assert x.grad.tolist() == [0, 0]


def test_only_numbers_with_fractions_have_one():
    with pytest.raises(TypeError, match="of int64 has no gradient"):
        ps.arange(3).attach_grad()


def test_requests():
    x = ps.ones(2)
    with pytest.raises(ValueError, match="must be 'write', 'add' or 'null', not 'wrong'"):
        x.attach_grad("wrong")
    with pytest.raises(TypeError, match="must be 'write', 'add' or 'null', not 3"):
        x.attach_grad(grad_req=3)
    with pytest.raises(TypeError):
        x.attach_grad("add", "add")


def test_the_gradient_cannot_be_assigned():
    x = leaf()
    with pytest.raises(AttributeError, match=r"cannot be assigned: .*x\.grad\[:\] = value"):
        x.grad = ps.ones(2)
    with pytest.raises(AttributeError, match="cannot be deleted"):
        del x.grad


@pytest.mark.parametrize("key", [slice(None), ..., slice(0, 2)])
def test_views_have_a_graph_of_their_own(key):
    x = leaf()
    with autograd.pause():
        constant = x[key]
    own = x[key]
    own.attach_grad("add")
    with autograd.record():
        y = constant * x * own
    y.backward()
    assert x.grad.tolist() == own.grad.tolist() == [1.0, 4.0]
    assert constant.grad is None


def test_detached():
    x = leaf()
    with autograd.record():
        y = x * x
        u = y.detach()
        z = u * x
    z.backward()
    assert (x.grad == u).all() and u.grad is None
    y.backward()
    assert x.grad.tolist() == [2.0, 4.0]
    u[0] = 9
    assert y[0] == 9  # the same elements


def queued_operations():
    ps.waitall()
    return ps.engine.stats().executed


@pytest.mark.parametrize("key", [slice(1, 3), slice(None), ..., (slice(0, 2), 1)])
def test_a_part_that_is_updated_is_written_once(key):
    x = ps.ones((4, 300, 100))
    ps.waitall()
    before = queued_operations()
    x[key] += 1
    assert queued_operations() == before + 1
    y, wanted = leaf(np.arange(8.0).reshape(4, 2)), np.ones((4, 2))
    wanted[key] = 3
    with autograd.record():
        z = y * 1
        z[key] *= 3
    z.backward()
    assert y.grad.tolist() == wanted.tolist()


@pytest.mark.parametrize("key", [slice(0, 1), slice(None), ..., slice(0, 2)])
def test_what_is_written_where_it_is_may_come_from_elsewhere(key):
    x = leaf()
    with autograd.record():
        y = x * x
        y[key] = y.detach()[key]  # nothing flows through that
        z = y * x
    z.backward()
    wanted = np.array([3.0, 12.0])  # 3 x^2, and y alone where it is detached
    wanted[key] = np.array([1.0, 4.0])[key]
    assert x.grad.tolist() == wanted.tolist()
    y = x * x
    own = y[key]
    own.attach_grad()
    with autograd.record():
        y[key] = own
        z = y * x
    z.backward()
    assert own.grad.tolist() == x[key].tolist()


@pytest.mark.parametrize("key", [slice(None), slice(0, 2), ...])
def test_a_complete_overwrite_ends_what_was_recorded(key):
    x = leaf()
    with autograd.record():
        y = x * x
        view, part = y[:], y[0:1]
        nodes = autograd.stats().nodes
        y[key] = 3
        for z in (y, view, part):
            with pytest.raises(RuntimeError, match="is in no graph"):
                z.backward()
        for _ in range(100):
            y[key] = x
        assert autograd.stats().nodes <= nodes + 4
        total = view.sum() + part.sum()
    total.backward()
    assert x.grad.tolist() == [2.0, 1.0]


def test_a_leaf_is_not_written_with_itself_either():
    x = leaf()
    with autograd.record(), pytest.raises(RuntimeError, match="a leaf, are written in place"):
        x[:] = x
    with autograd.record(), pytest.raises(RuntimeError, match="a leaf, are written in place"):
        x[0:1] = x[0:1]


def test_control_flow():
    def f(a):
        b = a * 2
        while ps.linalg.norm(b) < 1000:
            b = b * 2
        return b if b.sum() > 0 else 100 * b

    for value in (0.3, -7.0, 2000.0):
        a = leaf(value)
        with autograd.record():
            d = f(a)
        d.backward()
        assert a.grad == d / a


# ---- Walks --------------------------------------------------------------------------------------


def test_head_gradients():
    x = leaf()
    for factor in (ps.array([1.0, 10.0]), np.array([1.0, 10.0], "float32"), [1, 10]):
        with autograd.record():
            y = x * x
        y.backward(factor)
        assert x.grad.tolist() == [2.0, 40.0]
    with autograd.record():
        y = x.sum()
    y.backward(out_grad=3)
    assert x.grad.tolist() == [3.0, 3.0]


def test_several_heads():
    x, z = leaf(), leaf([5.0, 6.0])
    with autograd.record():
        heads = [x * z, x * 3, x.sum()]
    autograd.backward(heads, [None, ps.array([1.0, 2.0]), 10], retain_graph=True)
    assert x.grad.tolist() == [5 + 3 + 10, 6 + 6 + 10]
    autograd.backward(tuple(heads))
    assert x.grad.tolist() == [5 + 3 + 1, 6 + 3 + 1]
    autograd.backward([])


def test_retained():
    x = leaf()
    with autograd.record():
        y = x * x
    y.backward(retain_graph=True)
    y.backward(None, False)
    with pytest.raises(RuntimeError, match="walked before, and what multiply saved is gone"):
        y.backward()


def test_outside_of_record():
    x = leaf()
    y = x * x
    with pytest.raises(RuntimeError, match="while operations were recorded"):
        y.backward()
    with autograd.record(), autograd.pause():
        y = x * x
    with pytest.raises(RuntimeError, match="head 0 is in no graph"):
        autograd.backward(y)


def test_wrong_head_gradients():
    x = leaf()
    with autograd.record():
        y = x * x
    with pytest.raises(ValueError, match=r"of head 0 has shape \(3,\), the head \(2,\)"):
        y.backward(ps.ones(3))
    with pytest.raises(TypeError, match="of head 0 is of float64, the head of float32"):
        y.backward(ps.ones(2, dtype="float64"))
    with pytest.raises(TypeError, match="the gradient of head 0 must be an array, not <object"):
        y.backward(object())
    with pytest.raises(ValueError, match="1 gradients of heads for 2 heads"):
        autograd.backward([y, y], [None])
    with pytest.raises(TypeError, match="head_grads must be a list, as heads is"):
        autograd.backward([y, y], ps.ones(2))
    y.backward()
    assert x.grad.tolist() == [2.0, 4.0]  # nothing was dropped


def test_wrong_heads():
    with pytest.raises(TypeError, match="heads must be an array or a list of arrays, not 3"):
        autograd.backward(3)
    with pytest.raises(TypeError, match="backward: head 1 must be an array, not 3"):
        autograd.backward([leaf(), 3])
    with pytest.raises(TypeError, match="grad: variable 0 must be an array, not 'x'"):
        autograd.grad([leaf()], ["x"])
    with pytest.raises(RuntimeError, match="wanted 0 is in no graph"):
        autograd.grad(leaf(), ps.ones(2))


def test_grad_gives_new_arrays():
    x, z = leaf(), leaf([3.0, 4.0])
    with autograd.record():
        y = x * x * z
    by_x, by_z = autograd.grad(y, [x, z], ps.array([10.0, 1.0]), retain_graph=True)
    assert by_x.tolist() == [60.0, 16.0] and by_z.tolist() == [10.0, 4.0]
    assert autograd.grad(y, z).tolist() == [1.0, 4.0]
    assert x.grad.tolist() == [0.0, 0.0]  # that of backward alone


def test_grad_of_what_does_not_matter_is_zero():
    x, z = leaf(), leaf()
    with autograd.record():
        y = x * 2
    assert [one.tolist() for one in autograd.grad(y, [z, x])] == [[0.0, 0.0], [2.0, 2.0]]


def test_grad_of_something_between():
    x = leaf()
    with autograd.record():
        h = x * x
        y = h * h
    assert autograd.grad(y, h, retain_graph=True).tolist() == [2.0, 8.0]
    assert autograd.grad([y], [h, x])[1].tolist() == [4.0, 32.0]


def test_a_walk_stops_at_what_is_wanted():
    x = leaf()
    with autograd.record():
        h = x * x
        y = h * 3
    autograd.grad(y, h)
    h.backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_different_elements():
    x = leaf([2.0, 1.0, 2.0])
    with autograd.record():
        y = ps.unique_values(x) * 3
    y.backward()
    assert x.grad.sum() == 6


def test_gradients_of_gradients():
    x = leaf()
    with autograd.record():
        y = x**4
        first = autograd.grad(y, x, create_graph=True)
        second = autograd.grad(first, x, create_graph=True)
    second.backward()
    assert first.tolist() == [4.0, 32.0]
    assert second.tolist() == [12.0, 48.0]
    assert x.grad.tolist() == [24.0, 48.0]


def test_value_and_grad():
    @autograd.value_and_grad
    def f(x, y, power=1):
        """A sum."""
        assert autograd.is_recording()
        return (x**power * y).sum()

    x, y = ps.array([1.0, 2.0]), ps.array([3.0, 4.0])
    value, gradients = f(x, y, power=2)
    assert value == 19 and type(gradients) is tuple
    assert [one.tolist() for one in gradients] == [[6.0, 16.0], [1.0, 4.0]]
    assert x.grad is None and f.__doc__ == "A sum."
    assert not autograd.is_recording()


def test_value_and_grad_leaves_attached_gradients():
    x = leaf()
    value, (found,) = autograd.value_and_grad(lambda x: (x * x).sum())(x)
    assert found.tolist() == [2.0, 4.0] and x.grad.tolist() == [0.0, 0.0]


def test_value_and_grad_of_itself():
    inner = autograd.value_and_grad(lambda x: (x**4).sum())
    value, (second,) = autograd.value_and_grad(lambda x: inner(x)[1][0].sum())(ps.array([1.0, 2.0]))
    assert value == 36 and second.tolist() == [12.0, 48.0]


def test_value_and_grad_is_recorded():
    x = leaf()
    with autograd.record():
        value, (first,) = autograd.value_and_grad(lambda x: (x**3).sum())(x)
        y = value + first.sum()
    y.backward()
    assert x.grad.tolist() == [3 + 6.0, 12 + 12.0]


def test_value_and_grad_of_what_is_none():
    with pytest.raises(TypeError, match="expected a function, not 3"):
        autograd.value_and_grad(3)
    with pytest.raises(TypeError, match="argument 1 must be an array, not 2"):
        autograd.value_and_grad(lambda x, y: x)(ps.ones(1), 2)


def test_exceptions_in_a_function_are_its_own():
    with pytest.raises(ZeroDivisionError):
        autograd.value_and_grad(lambda x: 1 / 0)(ps.ones(1))
    assert state() == (False, False)


def test_the_line_is_that_of_the_call():
    with ps.engine.trace() as recorder:
        x = leaf(range(3), dtype="float32")
        with autograd.record():
            y = x * x
        y.backward()
        ps.waitall()
    lines = {event.name: event.place[1:] for event in recorder.events if event.place}
    first = test_the_line_is_that_of_the_call.__code__.co_firstlineno
    assert lines["multiply"] == (first + 4, "test_the_line_is_that_of_the_call")
    assert lines["ones"] == (first + 5, "test_the_line_is_that_of_the_call")


def test_an_error_of_backward_has_two_lines():
    x = leaf()
    with autograd.record():
        y = x * x
    y.backward()
    with pytest.raises(RuntimeError) as caught:
        y.backward()
    first = test_an_error_of_backward_has_two_lines.__code__.co_firstlineno
    assert str(caught.value).endswith(
        f" (in backward, for the gradient of multiply, queued at {__file__}, line {first + 3}; "
        f"backward at {__file__}, line {first + 6})"
    )
    [note] = caught.value.__notes__
    assert note.splitlines() == [
        f"multiply was queued at {__file__}, line {first + 3}, in "
        "test_an_error_of_backward_has_two_lines",
        "    y = x * x",
        f"gradients were asked for at {__file__}, line {first + 6}",
        "    y.backward()",
    ]


def test_slices_cost_their_part():
    x = leaf(np.arange(600.0).reshape(6, 100))
    with autograd.record():
        h = ps.zeros((6, 100), dtype="float64")
        h[0] = x[0]
        for t in range(1, 6):
            h[t] = h[t - 1] * x[t]
        y = h.sum()
    y.backward()
    rows = x.asnumpy()
    wanted = np.zeros_like(rows)
    for t in range(6):
        for k in range(t, 6):
            factors = [rows[i] for i in range(k + 1) if i != t]
            wanted[t] += np.prod(factors, axis=0) if factors else 1
    np.testing.assert_allclose(x.grad.asnumpy(), wanted, rtol=1e-12)


def test_two_libraries_in_one_graph():
    from penstock import mxnet

    x, z = leaf(), mxnet.np.array([1.0, 2.0])
    z.attach_grad()
    with autograd.record(), pytest.raises((TypeError, RuntimeError)):
        x * z


def test_errors_flow_back():
    x = leaf([1.0, 2.0, 3.0])
    with autograd.record():
        y = x * ps.take(x, ps.array([0, 1, 9]))
    y.backward()
    with pytest.raises(IndexError, match="9"):
        x.grad.asnumpy()
    with pytest.raises(IndexError):
        y.wait()


def test_what_is_kept_is_counted():
    x = leaf()
    assert autograd.stats() == (1, 0)
    with autograd.record():
        y = x * x
        z = y + 1
    counts = autograd.stats()
    assert counts.nodes == 3 and counts.saves == 2
    z.backward()
    assert autograd.stats() == (3, 0)
    del y, z
    assert autograd.stats().nodes == 1


def test_long_graphs():
    x = leaf(1.0)
    y = x
    with autograd.record():
        for _ in range(20_000):
            y = y + x
    y.backward()
    assert x.grad == 20_001


def test_types_that_mix():
    x = leaf()
    with autograd.record():
        y = x * ps.array([1.0, 3.0], dtype="float64") * ps.array([2, 5])
    y.backward()
    assert (str(y.dtype), str(x.grad.dtype)) == ("float64", "float32")
    assert x.grad.tolist() == [2.0, 15.0]


def test_no_elements():
    x = leaf(np.zeros((0, 3)))
    with autograd.record():
        y = (x * x).sum() + x.reshape(3, 0).sum()
    y.backward()
    assert x.grad.shape == (0, 3)


# ---- Programs -----------------------------------------------------------------------------------


def in_place(x):
    y = x * 2
    y += x * x
    y *= 3
    y -= 1
    y /= x
    return y


def write_items(x):
    y = x * 2
    y[0] = x[1] * x[1]
    y[:, 1] = 5
    y[1, 2] *= x[0, 0]
    return y * y


def write_masks(x):
    y = x * 2
    y[y > 2] = 0
    y[ps.array([[True, False, True], [False, False, True]])] = x[0]
    return y * y


def write_places(x):
    y = x * 2
    y[:, ps.array([0, 2])] = x[:, :2] * x[:, :2]
    return y * y


def given_output(x):
    y = ps.zeros((2, 3), dtype="float64")
    ps.multiply(x, x, out=y)
    ps.add(y, x, out=y)
    return y * x


def write_views(x):
    y = x * 2
    row = y[0]
    row += x[1]
    z = y * y
    row *= 3
    y.T[0] = x[:, 2] * x[:, 1]
    y[:, 1:] += y[:, :-1]
    return z + y * row


def write_over(x):
    y = x * 3
    y.fill(2)
    ps.multiply(y, x, out=y)
    ps.sin(y, out=y)
    y[...] += x[0]
    return y * y


def unpacked(x):
    a, b = x
    return a * b


PROGRAMS = {
    "operators": lambda x: -(x**3) + 2**x + 1 / x - (3 - x) + abs(x - 1) + x % 0.7,
    "in place": in_place,
    "items": lambda x: x[1] * x[0, 1] + x[-1, -1] * x[:, ::-2].sum(),
    "places": lambda x: x[ps.array([0, 1, 1]), [0, 0, 2]] ** 2 + x[[1, 1, 0], 0],
    "masks": lambda x: x[x > 1] ** 2,
    "write items": write_items,
    "write masks": write_masks,
    "write places": write_places,
    "shapes": lambda x: x.reshape(3, 2) @ x + (x.T @ x.mT.T).ravel().sum() * x[None, 0],
    "transposed": lambda x: x.transpose(1, 0) ** 2 * x.flatten()[:2],
    "types": lambda x: x.astype("float64") * x.astype("float64", copy=False),
    "copies": lambda x: copy.copy(x) * copy.deepcopy(x) * x.to_device("cpu:0"),
    "given output": given_output,
    "write views": write_views,
    "write over": write_over,
    "iteration": lambda x: sum(row * row.sum() for row in x),
    "unpacked": unpacked,
    "reductions": lambda x: x.sum() * x.mean(axis=0) + x.max() * x.min(1, keepdims=True) + x.std(),
    "products": lambda x: x @ x.T @ x + np.ones((2, 2)) @ x,
    "functions": lambda x: ps.sin(x) * ps.exp(x) + ps.log(x) / ps.sqrt(x) + np.tanh(x),
    "networks": lambda x: ps.nn.softmax(x) * ps.nn.relu(x - 1) + ps.nn.sigmoid(x),
    "choices": lambda x: ps.where(x > 1, x * x, -x) + x.clip(0.7, 1.2) * ps.maximum(x, 1),
    "joined": lambda x: ps.concat([x, x * x], axis=1) ** 2 + ps.stack([x, x])[0, 0, 0],
    "numpy": lambda x: np.ones((2, 3)) * x + np.float64(2) * x * np.arange(3.0),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_are_those_of_differences(name):
    program = PROGRAMS[name]
    start = np.random.default_rng(1).uniform(0.5, 1.5, (2, 3))
    x = leaf(start)
    with autograd.record():
        y = program(x)
    y.backward()
    for place in np.ndindex(start.shape):
        step = np.zeros_like(start)
        step[place] = 1e-5
        up, down = (program(ps.array(start + sign * step)).sum().item() for sign in (1, -1))
        assert x.grad[place].item() == pytest.approx((up - down) / 2e-5, abs=1e-6)


# ---- What Python does to arrays -----------------------------------------------------------------


class Sub(ps.ndarray):
    pass


def test_classes_share_the_gradient():
    x = leaf()
    same = x.as_subclass(Sub)
    assert type(same.grad) is Sub
    with autograd.record():
        y = same * x
    assert type(autograd.grad(y, same, retain_graph=True)) is Sub
    assert type(autograd.grad(y, leaf().as_subclass(Sub), retain_graph=True)) is Sub
    y.backward()
    assert x.grad.tolist() == same.grad.tolist() == [2.0, 4.0]
    assert type(y.detach()) is Sub


def test_recorded_arrays_are_read():
    x = leaf()
    with autograd.record():
        y = x * x
        nodes = autograd.stats().nodes
        assert y.asnumpy().tolist() == y.tolist() == np.from_dlpack(y).tolist() == [1.0, 4.0]
        assert repr(y) == "array([1., 4.])" and float(y.sum()) == 5.0
        assert bytes(memoryview(y)) == y.tobytes()
        restored = pickle.loads(pickle.dumps(y))
    assert autograd.stats().nodes == nodes
    assert restored.tolist() == [1.0, 4.0] and restored.grad is None
    assert pickle.loads(pickle.dumps(x)).grad is None
    y.backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_leaves_are_not_written_while_recording():
    x = leaf()
    for write in (
        lambda: x.__iadd__(1),
        lambda: x.__setitem__(0, 1),
        lambda: x[:1].fill(3),
        lambda: ps.add(x, 1, out=x),
    ):
        with autograd.record(), pytest.raises(RuntimeError, match="with a gradient attached"):
            write()
    x += 1
    with autograd.record(), autograd.pause():
        x[0] = 5
    assert x.tolist() == [5.0, 3.0] and x.grad.tolist() == [0.0, 0.0]


def test_what_was_saved_stays():
    a = leaf()
    with autograd.record():
        b = a * a
    a += 1
    b.backward()
    assert a.grad.tolist() == [2.0, 4.0]


def test_a_descent():
    """Least squares by steps along the gradient find the line."""
    rng = ps.random.default_rng(3)
    x = rng.normal(size=(200, 2))
    y = x @ ps.array([2.0, -3.4]) + 4.2
    w, b = leaf([0.0, 0.0]), leaf(0.0)
    for _ in range(100):
        with autograd.record():
            loss = ((x @ w + b - y) ** 2).mean() / 2
        loss.backward()
        for parameter in (w, b):
            parameter -= 0.3 * parameter.grad
    assert np.allclose(w.asnumpy(), [2.0, -3.4], atol=1e-3) and abs(b.item() - 4.2) < 1e-3
