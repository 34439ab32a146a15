"""Functions with a gradient of their own: what they are given and may give, errors, what is left.

After each test nothing of a graph may be left.
"""

import gc
import os
import sys
import threading
import traceback
import weakref

import numpy as np
import pytest

import penstock as ps
from penstock import autograd

pytestmark = [
    pytest.mark.usefixtures("nothing_recorded"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning"),
]


def leaf(values=(1.0, 2.0), grad_req="write", dtype=None):
    x = ps.array(values, dtype=dtype)
    x.attach_grad(grad_req)
    return x


def applied(function, *args):
    with autograd.record():
        return function.apply(*args)


class Cube(autograd.Function):
    @staticmethod
    def forward(ctx, x):
        assert not autograd.is_recording()
        ctx.save_for_backward(x)
        assert ctx.saved_tensors[0] is x
        return x * x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 3 * x * x * dy


class Sigmoid(autograd.Function):
    """Saves its output."""

    @staticmethod
    def forward(ctx, x):
        y = 1 / (1 + ps.exp(-x))
        ctx.save_for_backward(None, y)
        return y

    @staticmethod
    def backward(ctx, dy):
        nothing, y = ctx.saved_tensors
        assert nothing is None
        return dy * y * (1 - y)


class Given(autograd.Function):
    """A copy, whose gradient a function of the test gives."""

    @staticmethod
    def forward(ctx, function, *arrays):
        ctx.function = function
        return tuple(x + 0 for x in arrays) if len(arrays) > 1 else arrays[0] + 0

    @staticmethod
    def backward(ctx, *gradients):
        found = ctx.function(*gradients)
        return (None, *found) if isinstance(found, tuple) else (None, found)


def test_a_function():
    x = leaf()
    with autograd.record():
        y = Cube.apply(x) * 2
        assert autograd.is_recording()
    y.backward()
    assert x.grad.tolist() == [6.0, 24.0]


def test_what_is_not_recorded():
    x = leaf()
    assert Cube.apply(x).tolist() == [1.0, 8.0]  # recording is off
    assert applied(Cube, ps.array([2.0])).tolist() == [8.0]  # nothing flows
    with autograd.record(), autograd.pause():
        assert Cube.apply(x).tolist() == [1.0, 8.0]
    assert autograd.stats() == (1, 0)


def test_the_output_is_saved_without_a_cycle():
    x = leaf([0.0])
    y = applied(Sigmoid, x)
    assert autograd.stats() == (2, 1)
    y.backward()
    assert x.grad.tolist() == [0.25]
    del y
    assert autograd.stats() == (1, 0)


def test_gradients_of_gradients():
    x = leaf([0.0, 1.0], dtype="float64")
    for function, plain in ((Cube.apply, lambda x: x**3), (Sigmoid.apply, ps.nn.sigmoid)):
        found = []
        for one in (function, plain):
            with autograd.record():
                first = autograd.grad(one(x), x, create_graph=True)
                second = autograd.grad(first, x, create_graph=True)
            found.append([first.tolist(), second.tolist(), autograd.grad(second, x).tolist()])
        assert np.allclose(found[0], found[1], atol=1e-12)


class Several(autograd.Function):
    @staticmethod
    def forward(ctx, scale, x, names, other):
        assert ctx.needs_input_grad == (False, True, False, False)
        ctx.scale, ctx.names = scale, names
        return x * scale, x.astype("float64").sum(), ps.argmax(x)

    @staticmethod
    def backward(ctx, by_product, by_sum, by_place):
        assert ctx.needs_input_grad == (False, True, False, False) and ctx.names == ["a"]
        assert (str(by_sum.dtype), by_sum.shape) == ("float64", ()) and by_place is None
        return None, by_product * ctx.scale + by_sum.astype("float32"), None, None


def test_several_outputs_and_other_arguments():
    x = leaf()
    product, total, place = applied(Several, 3.0, x, ["a"], ps.ones(2))
    assert place.tolist() == 1 and autograd.stats().nodes > 1
    autograd.backward([product, total], [ps.array([1.0, 10.0]), 100.0])
    assert x.grad.tolist() == [103.0, 130.0]
    total.backward()  # zeros stand for what nothing flows to; nothing was saved
    assert x.grad.tolist() == [1.0, 1.0]


def test_a_list_of_outputs():
    class Halves(autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x + 0
            return [y[:1], y[1:]]  # parts of one array

        @staticmethod
        def backward(ctx, first, second):
            return ps.concat([first, second])

    x = leaf()
    halves = applied(Halves, x)
    assert isinstance(halves, list)
    autograd.backward(halves, [[3.0], [5.0]])
    assert x.grad.tolist() == [3.0, 5.0]


def test_only_what_is_wanted():
    wanted = []

    class Product(autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            return a * b

        @staticmethod
        def backward(ctx, dy):
            wanted.append(ctx.needs_input_grad)
            a, b = ctx.saved_tensors
            return dy * b, dy * a

    a, b = leaf(), leaf([3.0, 4.0])
    y = applied(Product, a, b)
    assert autograd.grad(y, b, retain_graph=True).tolist() == [1.0, 2.0]
    y.backward()
    assert wanted == [(False, True), (True, True)]
    assert a.grad.tolist() == [3.0, 4.0]


def test_none_is_no_gradient():
    x = leaf()
    y = applied(Given, lambda dy: None, x)
    assert autograd.grad(y, x).tolist() == [0.0, 0.0]


def test_walks_again():
    x = leaf()
    y = applied(Cube, x)
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.tolist() == [3.0, 12.0]
    with pytest.raises(RuntimeError, match="what Cube saved is gone"):
        y.backward()


class Sub(ps.ndarray):
    pass


def test_classes():
    def look(dy):
        assert type(dy) is Sub
        return dy

    x = leaf().as_subclass(Sub)
    y = applied(Given, look, x)
    assert type(y) is Sub
    y.backward()
    assert type(x.grad) is Sub


def test_what_is_given_may_be_written_to():
    class Careless(Cube):
        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            x *= x
            dy *= 3
            dy *= x
            return dy

    x = leaf()
    with autograd.record():
        y = Careless.apply(x)
        z = y + x
    factors = ps.ones(2)
    for _ in range(2):
        z.backward(factors, retain_graph=True)
        assert x.grad.tolist() == [4.0, 13.0]
    assert factors.tolist() == [1.0, 1.0] and x.tolist() == [1.0, 2.0]


# ---- Errors -------------------------------------------------------------------------------------


def raising(kind, *args):
    """A function that raises; it does not hold what is raised, whose traceback holds the graph."""

    def function(*gradients):
        raise kind(*args)

    return function


@pytest.mark.parametrize(
    "kind, args", [(ZeroDivisionError, (1, 2)), (KeyboardInterrupt, ()), (ValueError, ("x",))]
)
def test_what_is_raised_arrives(kind, args):
    x = leaf()
    y = applied(Given, raising(kind, *args), x)
    with pytest.raises(kind) as caught:
        y.backward()
    assert type(caught.value) is kind and caught.value.args == args
    names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert names[0] == "test_what_is_raised_arrives" and names[-2:] == ["backward", "function"]
    assert not autograd.is_recording()


def test_raised_while_the_walk_is_recorded():
    x = leaf()
    with autograd.record():
        y = Given.apply(raising(KeyError, "k"), x)
        with pytest.raises(KeyError):
            autograd.grad(y, x, create_graph=True)
        assert autograd.is_recording()


def test_raised_in_forward():
    class Fails(autograd.Function):
        @staticmethod
        def forward(ctx, x):
            raise LookupError("no")

    with autograd.record():
        with pytest.raises(LookupError):
            Fails.apply(leaf())
        assert autograd.is_recording()
    with pytest.raises(NotImplementedError, match="forward"):
        autograd.Function.apply(ps.ones(1))


def test_nothing_is_left_of_what_failed():
    class Noted(Cube):
        seen = []

        @staticmethod
        def forward(ctx, x):
            Noted.seen.append(weakref.ref(ctx))
            return Cube.forward(ctx, x)

        @staticmethod
        def backward(ctx, dy):
            if len(Noted.seen) == 1:
                raise ArithmeticError
            return Cube.backward(ctx, dy)

    x = leaf()
    for _ in range(2):
        y = applied(Noted, x)
        try:
            y.backward()
        except ArithmeticError:
            pass
        y = None
        assert Noted.seen[-1]() is None  # it went with the graph, by its count
    assert autograd.stats() == (1, 0)


@pytest.mark.parametrize(
    "gives, error, text",
    [
        (lambda dy: ps.ones(3), ValueError, r"Given: the gradient of input 0 is of .*\(3,\), not"),
        (lambda dy: dy.astype("float64"), TypeError, "is of float64 of .* not of float32"),
        (lambda dy: (dy, dy), ValueError, "for each argument of forward: 3 for 2"),
        (lambda dy: 2.0, TypeError, "Given.backward: gradient 1 must be an array or None, not 2.0"),
        (lambda dy: dy.asnumpy(), TypeError, "gradient 1 must be an array or None"),
    ],
)
def test_what_backward_must_give(gives, error, text):
    x = leaf()
    y = applied(Given, gives, x)
    with pytest.raises(error, match=text):
        y.backward()
    assert x.grad.tolist() == [0.0, 0.0]


def test_a_gradient_for_what_is_no_array():
    class Wrong(Given):
        @staticmethod
        def backward(ctx, dy):
            return dy, dy

    with pytest.raises(TypeError, match="argument 0 is no array"):
        applied(Wrong, None, leaf()).backward()


def test_what_forward_must_give():
    class Gives(autograd.Function):
        @staticmethod
        def forward(ctx, x, gives):
            return gives(x)

    x = leaf()
    for gives, error, text in [
        (lambda x: x, ValueError, "Gives: output 0 shares its elements with input 0"),
        (lambda x: (x + 1, x[:1]), ValueError, "output 1 shares"),
        (lambda x: (x + 1,) * 2, ValueError, "outputs 0 and 1 are one tensor"),
        (lambda x: 3, TypeError, "must give an array or a tuple of arrays, not 3"),
        (lambda x: (x + 1, None), TypeError, "must give an array or a tuple of arrays"),
        (lambda x: leaf(), RuntimeError, "gradient attached"),
    ]:
        with pytest.raises(error, match=text):
            applied(Gives, x, gives)


def test_what_can_be_saved():
    kept = []

    class Saves(autograd.Function):
        @staticmethod
        def forward(ctx, x, what):
            kept.append(ctx)
            ctx.save_for_backward(x, what)
            return x + 1

        @staticmethod
        def backward(ctx, dy):
            return dy, None

    with pytest.raises(TypeError, match="save_for_backward: 1 must be an array or None, not 3"):
        applied(Saves, leaf(), 3)
    y = applied(Saves, leaf(), None)
    y.backward()
    with pytest.raises(RuntimeError, match="while forward and backward run"):
        kept[-1].saved_tensors


# ---- Anything -----------------------------------------------------------------------------------


def test_walks_inside_of_walks():
    u = leaf([3.0])

    def look(dy):
        with autograd.record():
            v = u * u
        v.backward()
        ps.waitall()
        return dy * float(u.grad)

    x = leaf()
    y = applied(Given, look, x)
    y.backward()
    assert x.grad.tolist() == [6.0, 6.0]


def test_its_own_walk_inside_of_its_walk():
    class Nested(Cube):
        depth = 0

        @staticmethod
        def backward(ctx, dy):
            before = ctx.saved_tensors
            if Nested.depth == 0:
                Nested.depth += 1
                y.backward()  # drops what was saved, for those that come later
            assert ctx.saved_tensors is before
            return Cube.backward(ctx, dy)

    x = leaf()
    y = applied(Nested, x)
    y.backward(retain_graph=True)
    assert x.grad.tolist() == [3.0, 12.0]
    del y


def test_errors_inside_of_walks_can_be_caught():
    bad = applied(Given, raising(KeyError, "inner"), leaf())

    def look(dy):
        with pytest.raises(KeyError, match="inner"):
            bad.backward()
        return dy

    x = leaf()
    applied(Given, look, x).backward()
    assert x.grad.tolist() == [1.0, 1.0]
    y = applied(Given, lambda dy: bad.backward(), x)
    with pytest.raises(KeyError, match="inner"):
        y.backward()


def test_the_state_is_put_back():
    def meddle(dy):
        autograd.record().__enter__()
        ps.engine.sync(True).__enter__()
        assert (dy + 1).is_ready()
        return dy

    def run():
        x = leaf()
        applied(Given, meddle, x).backward()
        assert not autograd.is_recording()
        assert ps.engine.is_sync()  # that is the context's
        assert (x + 1).is_ready()

    import contextvars

    contextvars.copy_context().run(run)
    assert not ps.engine.is_sync()


def test_a_child_goes_on():
    children = []

    def fork(dy):
        children.append(os.fork())
        return dy * 2

    x = leaf()
    applied(Given, fork, x).backward()
    right = x.grad.tolist() == [2.0, 2.0]
    if children[0] == 0:
        os._exit(not right)
    assert right and os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 0


def test_threads():
    x = leaf([1.0, 2.0, 3.0])
    y = applied(Cube, x)
    failed = []

    def body():
        try:
            for _ in range(100):
                assert autograd.grad(y, x, retain_graph=True).tolist() == [3.0, 12.0, 27.0]
                z = applied(Cube, x)
                assert autograd.grad(z, x).tolist() == [3.0, 12.0, 27.0]
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=body) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_the_line_is_that_of_the_program():
    with ps.engine.trace() as recorder:
        x = leaf(range(300), dtype="float32")
        y = applied(Cube, x)
        y.backward()
        ps.waitall()
    functions = {event.place[2] for event in recorder.events if event.place}
    own = {"Cube.forward", "Cube.backward"}
    assert own <= functions <= own | {"leaf", "test_the_line_is_that_of_the_program"}


def test_references():
    def function(dy):
        return dy

    x = leaf()
    before = sys.getrefcount(function)
    for _ in range(3):
        y = applied(Given, function, x)
        assert sys.getrefcount(function) == before + 1
        y.backward()
    del y
    assert sys.getrefcount(function) == before
    gc.collect()
    assert sys.getrefcount(function) == before
