"""mx.autograd and the gradients of arrays, of both kinds, as MXNet 1.9.1 has them.

Numbers beside the tests are those of the facts that were found by running MXNet itself. After each
test nothing of a graph may be left.
"""

import threading

import numpy
import pytest

from penstock import mxnet as mx
from penstock.mxnet import autograd, nd, np, npx
from penstock.mxnet.base import MXNetError, NotBuiltError

BOTH = pytest.mark.parametrize("kind", [nd, np], ids=["nd", "np"])
pytestmark = pytest.mark.usefixtures("nothing_recorded")


def state():
    return autograd.is_recording(), autograd.is_training()


def leaf(kind, values=(1.0, 2.0), grad_req="write"):
    x = kind.array(values)
    x.attach_grad(grad_req)
    return x


def values(array):
    return array.asnumpy().tolist()


def gradient(kind, function, start):
    x = leaf(kind, start)
    with autograd.record():
        y = function(x)
    y.backward()
    return values(x.grad)


# ---- Scopes: 23, 33 -----------------------------------------------------------------------------


def test_scopes():
    with autograd.record():
        assert state() == (True, True)
        with autograd.pause():
            assert state() == (False, False)
        with autograd.predict_mode():
            assert state() == (True, False)
        assert state() == (True, True)
    with autograd.record(train_mode=0), autograd.train_mode():
        assert state() == (True, True)
    with autograd.pause(train_mode=True):
        assert state() == (False, True)


def test_scopes_end_with_exceptions():
    with pytest.raises(KeyError), autograd.record():
        raise KeyError
    assert state() == (False, False)


def test_switches_give_what_was():
    assert autograd.set_recording(True) is False
    assert autograd.set_training(1) is False
    assert state() == (True, True)
    assert autograd.set_recording(False) is True
    assert autograd.set_training(False) is True


def test_threads_begin_without():
    seen = []
    with autograd.record():
        thread = threading.Thread(target=lambda: seen.append(state()))
        thread.start()
        thread.join()
    assert seen == [(False, False)]


# ---- Arrays: 28 to 32, 34 -----------------------------------------------------------------------


@BOTH
def test_a_chapter(kind):
    x = kind.arange(4)
    assert x.grad is None
    x.attach_grad()
    assert values(x.grad) == [0, 0, 0, 0] and type(x.grad) is type(x)
    with autograd.record():
        y = 2 * kind.dot(x, x)
    y.backward()
    assert values(y.reshape((1,))) == [28]
    assert values(x.grad) == values(4 * x)
    with autograd.record():
        y = x.sum()
    y.backward()
    assert values(x.grad) == [1, 1, 1, 1]  # written anew


@BOTH
def test_heads_with_many_elements_count_as_their_sum(kind):
    assert gradient(kind, lambda x: x * x, [0, 1, 2, 3]) == [0, 2, 4, 6]


@BOTH
def test_adding(kind):
    x = leaf(kind, grad_req="add")
    for _ in range(3):
        with autograd.record():
            y = x * x
        y.backward()
    assert values(x.grad) == [6, 12]


@BOTH
def test_the_gradient_is_one_storage(kind):
    x = leaf(kind)
    grad = x.grad
    with autograd.record():
        y = x * x
    y.backward()
    assert values(grad) == [2, 4]
    x = x + 1
    assert x.grad is None
    with pytest.raises(AttributeError):
        x.grad = grad


@BOTH
def test_twice_and_outside(kind):
    x = leaf(kind)
    with autograd.record():
        y = x * x
    y.backward(retain_graph=True)
    y.backward()
    with pytest.raises(MXNetError, match="walked before"):
        y.backward()
    with pytest.raises(MXNetError, match="in no graph"):
        (x * x).backward()
    for function in (lambda: x + 1, lambda: x.reshape((-1,))):  # which save nothing
        with autograd.record():
            y = function()
        y.backward()
        with pytest.raises(MXNetError, match="walked before"):
            y.backward()


@BOTH
def test_writes_in_place(kind):
    x = leaf(kind)
    with autograd.record():
        with pytest.raises(MXNetError, match="while operations are recorded"):
            x[:] = 1
        with pytest.raises(MXNetError, match="while operations are recorded"):
            x += 1
        y = x * x
    x += 1
    y.backward()
    assert values(x) == [2, 3]
    assert values(x.grad) == [2, 4]  # of what y was computed from


@BOTH
def test_results_are_not_written(kind):  # 30
    x = leaf(kind)
    with autograd.record():
        y = x * 2
        for write in (lambda: y.__iadd__(x), lambda: y.__setitem__(0, 3)):
            with pytest.raises(MXNetError, match="part of a graph is written in place"):
                write()
        z = kind.zeros((2,))
        z += 1  # in no graph
        w = y + z
    y += 1  # not while recording
    w.backward()
    assert values(x.grad) == [2, 2] and values(y) == [3, 5]


@BOTH
def test_attaching_to_a_result_cuts(kind):
    x = leaf(kind)
    with autograd.record():
        u = x * x
        u.attach_grad()
        z = u * x
    z.backward()
    assert values(u.grad) == [1, 2] and values(x.grad) == values(u)


@BOTH
def test_detached(kind):
    x = leaf(kind)
    with autograd.record():
        y = x * x
        u = y.detach()
        z = u * x
    z.backward()
    assert values(x.grad) == values(u) and u.grad is None and type(u) is type(x)
    y.backward()
    assert values(x.grad) == [2, 4]


@BOTH
def test_no_request(kind):
    x = leaf(kind, grad_req="null")
    with autograd.record():
        y = x * x
    with pytest.raises(MXNetError):
        y.backward()


@BOTH
def test_control_flow(kind):
    def f(a):
        b = a * 2
        while (b * b).sum().asnumpy() < 1e6:
            b = b * 2
        return b if b.sum() > 0 else 100 * b

    a = leaf(kind, [-0.7])
    with autograd.record():
        d = f(a)
    d.backward()
    assert values(a.grad) == values(d / a)


# ---- Functions of the module --------------------------------------------------------------------


@BOTH
def test_head_gradients(kind):
    x = leaf(kind)
    factors = kind.array([1.0, 10.0])
    with autograd.record():
        y, z = x * x, x * 3
    y.backward(factors, retain_graph=True, train_mode=False)
    assert values(x.grad) == [2, 40]
    autograd.backward([y, z], [factors, None])
    assert values(x.grad) == [5, 43]
    with autograd.record():
        y = x * x
    with pytest.raises(MXNetError, match=r"has shape \(3,\), the head \(2,\)"):  # 36: it takes it
        y.backward(kind.ones((3,)))
    with pytest.raises(MXNetError, match="2 gradients of heads for 1 heads"):
        autograd.backward([y], [factors, factors])


@BOTH
def test_grad(kind):
    x, z = leaf(kind), leaf(kind, [3.0, 4.0])
    with autograd.record():
        y = x * x * z
        (first,) = autograd.grad(y, x, create_graph=True)
    assert values(first) == [6, 16] and type(first) is type(x)
    both = autograd.grad([first], [x, z], [kind.array([1.0, 2.0])], train_mode=False)
    assert [values(one) for one in both] == [[6, 16], [2, 8]]
    assert values(x.grad) == [0, 0]
    with autograd.record():
        y = x * x
    assert [values(one) for one in autograd.grad(y, [z])] == [[0, 0]]


@BOTH
def test_marked(kind):
    x, z = kind.array([1.0, 2.0]), kind.array([3.0, 4.0])
    grads = [kind.ones((2,)), kind.ones((2,))]
    autograd.mark_variables([x, z], grads, ["write", "add"])
    with autograd.record():
        y = x * z
    y.backward()
    assert [values(one) for one in grads] == [[3, 4], [2, 3]]
    autograd.mark_variables(x, grads[0])
    x.backward()
    assert values(grads[0]) == values(x.grad) == [1, 1]


def test_what_is_wrong():
    x = leaf(nd)
    for call in (
        lambda: autograd.backward(3),
        lambda: autograd.backward(x, "ones"),
        lambda: autograd.backward([x], [3.0]),
        lambda: autograd.grad(x, []),
        lambda: autograd.grad(x, nd.ones((2,))),
        lambda: autograd.mark_variables(x, 3),
        lambda: autograd.mark_variables([x], [x, x]),
        lambda: autograd.mark_variables(x, nd.ones((3,))),
        lambda: x.attach_grad("sum"),
        lambda: nd.ones((2,)).astype("bool").attach_grad(),
    ):
        with pytest.raises(MXNetError):
            call()


def test_what_is_not_built():
    with pytest.raises(NotBuiltError, match="autograd.get_symbol"):
        autograd.get_symbol(nd.ones((1,)))
    with pytest.raises(NotBuiltError, match="'row_sparse'"):
        nd.ones((2,)).attach_grad(stype="row_sparse")
    nd.ones((2,)).attach_grad(stype="default")


# ---- Functions of the program's own -------------------------------------------------------------


class Sigmoid(autograd.Function):
    def forward(self, x):
        assert not autograd.is_recording()
        y = 1 / (1 + (np if isinstance(x, np.ndarray) else nd).exp(-x))
        self.save_for_backward(y, "kept")
        return y

    def backward(self, dy):
        y, kept = self.saved_tensors
        assert kept == "kept" and isinstance(dy, nd.NDArray)
        return dy * y * (1 - y)


class Given(autograd.Function):
    """Copies of its arguments, with the gradients that the test says."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        copies = [x + 0 for x in inputs]
        return copies if len(copies) > 1 else copies[0]

    def backward(self, *output_grads):
        return self.function(*output_grads)


def given(function, *inputs):
    with autograd.record():
        return Given(function)(*inputs)


@BOTH
def test_a_function(kind):
    x = leaf(kind, [0.0, 0.0])
    function = Sigmoid()
    with autograd.record():
        y = function(x) * 4
        assert autograd.is_recording()
    assert function.saved_tensors == ()  # the graph has them
    y.backward()
    assert values(x.grad) == [1, 1]
    assert type(y) is type(x)


@BOTH
def test_functions_of_functions(kind):
    x = leaf(kind, [0.0])
    with autograd.record():
        (first,) = autograd.grad(Sigmoid()(x), x, create_graph=True)
        (second,) = autograd.grad(first * first, x, create_graph=True)
    assert values(first) == [0.25] and values(second) == [0]


@BOTH
def test_several_outputs_of_a_function(kind):
    x, z = leaf(kind), leaf(kind)
    first, second = given(lambda a, b: (a * 2, b + a), x, z)
    second.backward()  # zeros for the first
    assert values(x.grad) == [0, 0] and values(z.grad) == [1, 1]
    first, second = given(lambda a, b: [a * 2, b + a], x, z)
    autograd.backward([first, second])
    assert values(x.grad) == [2, 2] and values(z.grad) == [2, 2]


@BOTH
def test_gradients_are_written_as_arrays_are(kind):
    x = leaf(kind)
    given(lambda dy: dy.astype("float64") * 3, x).backward()
    assert values(x.grad) == [3, 3] and x.grad.dtype == numpy.float32
    given(lambda dy: kind.array([5.0]), x).backward()
    assert values(x.grad) == [5, 5]


@BOTH
def test_what_functions_must_give(kind):
    x = leaf(kind)
    for function, error in [
        (lambda dy: (dy, dy), AssertionError),
        (lambda dy: (None,), AssertionError),
        (lambda dy: 3, TypeError),
        (lambda dy: kind.ones((3,)), ValueError),
    ]:
        with pytest.raises(error):
            given(function, x).backward()
    assert values(x.grad) == [0, 0]


def test_a_function_is_called_once():
    function = Sigmoid()
    assert values(function(nd.zeros((1,)))) == [0.5]
    with pytest.raises(AssertionError, match="was called before"):
        function(nd.zeros((1,)))


def test_what_a_function_raises_arrives():
    def fail(dy):
        raise LookupError("here")

    y = given(fail, leaf(nd))
    with pytest.raises(LookupError, match="here"):
        y.backward()
    with pytest.raises(NotImplementedError):
        autograd.Function()(nd.ones((1,)))
    assert state() == (False, False)


def test_functions_outside_of_record():
    x = leaf(nd)
    function = Sigmoid()
    assert values(function(nd.array([0.0]))) == [0.5]
    assert function.saved_tensors[1] == "kept"
    with autograd.record():
        y = Sigmoid()(nd.array([0.0]))  # nothing flows
    with pytest.raises(MXNetError, match="in no graph"):
        y.backward()
    assert values(x.grad) == [0, 0]


def test_hooks():
    x = leaf(nd)
    with autograd.record():
        y = x * x
    with y.register_hook(lambda gradient: gradient * 10):
        y.backward()
    assert values(x.grad) == [20, 40]
    with pytest.raises(MXNetError, match="in no graph"):
        nd.ones((1,)).register_hook(print)


# ---- Operations ---------------------------------------------------------------------------------

PROGRAMS = {
    "operators": lambda x: x * x / (x + 2) - 3**x + 2 / x - x**2.5,
    "items": lambda x: x[1] * x[0] + x[0:1, 1].sum() * x[:, ::2].sum(),
    "reshaped": lambda x: (x.reshape((3, 2)).T * x.reshape((-1,)).sum()),
    "reductions": lambda x: x.mean(axis=0) * x.max() + x.min(axis=1).sum() * x.sum(),
    "types": lambda x: x.astype("float64") * x,
    "copies": lambda x: x.copy() * x.copyto(mx.cpu()) * x.as_in_context(mx.cpu()),
    "rows": lambda x: sum(row * row.sum() for row in x),
}
OF_ND = {
    "dot": lambda x: nd.dot(x, x.T) * nd.sum(nd.dot(x.T, x)),
    "functions": lambda x: nd.exp(x) * nd.sin(x) + nd.log(x) + nd.sqrt(x) + nd.relu(x - 1),
    "joined": lambda x: nd.concat(x, x * x, dim=0) * nd.stack(x, x).reshape((4, 3)),
    "layers": lambda x: nd.softmax(x) * nd.log_softmax(x) + nd.Activation(x, "tanh"),
    "dense": lambda x: nd.FullyConnected(x, x[:, :], x[0, 0:2], num_hidden=2),
    "picked": lambda x: nd.pick(x, nd.array([0, 2])) * nd.take(x, nd.array([1])).sum(),
}
OF_NP = {
    "dot": lambda x: np.dot(x, x.T) @ x + np.tensordot(x, x, 2),
    "functions": lambda x: np.exp(x) * np.sin(x) + np.log(x) + np.sqrt(x) + npx.relu(x - 1),
    "joined": lambda x: np.concatenate([x, x * x]) * np.stack([x, x]).reshape(4, 3),
    "layers": lambda x: npx.softmax(x) * npx.log_softmax(x) + npx.activation(x, "tanh"),
    "masks": lambda x: x[x > 1] ** 2,
    "places": lambda x: np.where(x > 1, x * x, -x) + x[np.array([1, 1], dtype="int32")],
}
ALL = [(kind, name, PROGRAMS[name]) for kind in (nd, np) for name in PROGRAMS]
ALL += [(nd, *item) for item in OF_ND.items()] + [(np, *item) for item in OF_NP.items()]


@pytest.mark.parametrize(
    "kind, program",
    [(kind, program) for kind, _, program in ALL],
    ids=[f"{kind.__name__.rpartition('.')[2]} {name}" for kind, name, _ in ALL],
)
def test_gradients_are_those_of_differences(kind, program):
    start = numpy.random.default_rng(3).uniform(0.5, 1.5, (2, 3))
    x = kind.array(start, dtype="float64")
    x.attach_grad()
    with autograd.record():
        y = program(x)
    y.backward()
    for place in numpy.ndindex(start.shape):
        step = numpy.zeros_like(start)
        step[place] = 1e-5
        up, down = (
            program(kind.array(start + sign * step, dtype="float64")).sum().asnumpy().item()
            for sign in (1, -1)
        )
        assert x.grad.asnumpy()[place] == pytest.approx((up - down) / 2e-5, abs=1e-6)


def test_at_zero():  # 35
    assert gradient(nd, nd.relu, [-1.0, 0.0, 1.0]) == [0, 0, 1]
    assert numpy.isnan(gradient(nd, nd.relu, [numpy.nan])[0])
    assert gradient(np, np.abs, [-1.0, 0.0, 1.0]) == [-1, 0, 1]


@BOTH
def test_ties(kind):  # 35
    assert gradient(kind, lambda x: x.max(), [1.0, 2.0, 2.0]) == [0, 1, 1]
    assert gradient(kind, lambda x: kind.maximum(x, x * 1), [1.0, 2.0]) == [1, 1]
    pair = leaf(kind, [1.0, 2.0]), leaf(kind, [1.0, 3.0])
    with autograd.record():
        y = kind.maximum(*pair)
    y.backward()
    assert [values(x.grad) for x in pair] == [[1, 0], [0, 1]]  # the first of two that are equal
    assert gradient(kind, lambda x: x.clip(1, 3), [0.0, 1.0, 2.0, 3.0]) == [0, 1, 1, 1]


def test_a_norm_of_zero():  # 35
    assert numpy.isnan(gradient(nd, nd.norm, [0.0, 0.0])).all()


@BOTH
def test_integers(kind):  # 35
    x = kind.array([1, 2, 3], dtype="int32")
    x.attach_grad()
    with autograd.record():
        y = x * x
    y.backward()
    assert x.grad.dtype == numpy.int32 and values(x.grad) == [2, 4, 6]


def test_blocked():
    for block in (nd.BlockGrad, nd.stop_gradient):
        assert gradient(nd, lambda x: block(x) * x, [3.0, 4.0]) == [3, 4]
        y = block(nd.array([1.0]), out=nd.zeros((1,)))
        assert values(y) == [1]


def test_a_loss_begins_with_ones():
    assert gradient(nd, lambda x: nd.make_loss(x * x) * 5, [3.0, 4.0]) == [6, 8]
    out = nd.zeros((1,))
    assert values(nd.make_loss(nd.array([2.0]), out=out)) == values(out) == [2]


def test_what_numpy_computes_is_refused():
    x = leaf(np, [1.0, 2.0, 4.0])
    with autograd.record():
        with pytest.raises(ValueError, match="ptp is computed by NumPy"):
            np.ptp(x)
        with pytest.raises(MXNetError, match="inv is computed by NumPy"):
            np.linalg.inv(np.eye(3) * x)
        assert np.ptp(x.detach()) == 3
        assert np.allclose(x, x) and values(np.searchsorted(x, x)) == [0, 1, 2]
    assert np.ptp(x) == 3


def test_errors_of_what_is_composed_are_those_of_the_dialect():
    x = leaf(np)
    with autograd.record(), pytest.raises(MXNetError, match="while operations are recorded"):
        np.add(x, 1, out=x)
    with autograd.record(), pytest.raises(MXNetError, match="while operations are recorded"):
        np.ones(2).copyto(x)


def test_kinds_share_the_gradient():
    x = leaf(np)
    with autograd.record():
        y = x.as_nd_ndarray() * 3
    y.backward()
    assert values(x.grad) == [3, 3]
    assert type(x.as_nd_ndarray().grad) is mx.nd.NDArray


def test_a_descent():
    """Least squares, as in the first chapters: the line is found."""
    rng = numpy.random.default_rng(5)
    features = np.array(rng.normal(size=(100, 2)), dtype="float32")
    labels = np.dot(features, np.array([2, -3.4])) + 4.2
    w, b = np.zeros(2), np.zeros(1)
    for parameter in (w, b):
        parameter.attach_grad()
    for _ in range(100):
        with autograd.record():
            loss = (np.dot(features, w) + b - labels) ** 2 / 2
        loss.backward()
        for parameter in (w, b):
            parameter[:] = parameter - 0.3 * parameter.grad / 100
    assert numpy.allclose(w.asnumpy(), [2, -3.4], atol=1e-3)
    assert numpy.allclose(b.asnumpy(), 4.2, atol=1e-3)
