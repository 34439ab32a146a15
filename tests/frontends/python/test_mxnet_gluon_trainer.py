"""Trainers of mx.gluon, as MXNet 1.9.1 has them.

Numbers beside the tests are those of the facts that were found by running MXNet itself.
"""

import numpy
import pytest

from penstock import mxnet as mx
from penstock.mxnet import autograd, gluon, nd, np, npx
from penstock.mxnet.base import NotBuiltError
from penstock.mxnet.gluon import Parameter, ParameterDict, Trainer, nn

CPUS = [mx.cpu(0), mx.cpu(1)]


def made(name="w", ctx=None, value=1.0, **others):
    param = Parameter(name, shape=(2,), init=mx.init.Constant(value), **others)
    param.initialize(ctx=ctx)
    return param


def backward(*params, factor=1.0):
    """Gradients of `factor`, in the next context of twice that, and so on."""
    with autograd.record():
        heads = [
            (param.data(ctx) * (factor * place)).sum()
            for param in params
            for place, ctx in enumerate(param.list_ctx(), 1)
        ]
    autograd.backward(heads)


def all_values(param):
    return [one.asnumpy().tolist() for one in param.list_data()]


def value(param):
    return param.data().asnumpy()[0].item()


def trained(factors, optimizer="sgd", value_=1.0, batch_size=1, **settings):
    """The values of a parameter after steps by these gradients."""
    param = made(value=value_)
    trainer = Trainer([param], optimizer, settings)
    found = []
    for factor in factors:
        backward(param, factor=factor)
        trainer.step(batch_size)
        found.append(value(param))
    return found


# ---- Steps: 37, 38, 39, 46 ----------------------------------------------------------------------


def test_step_writes_in_place():
    param = made()
    array = param.data()
    trainer = Trainer([param], "sgd", {"learning_rate": 0.5})
    backward(param)
    trainer.step(2)
    assert param.data() is array
    assert array.asnumpy().tolist() == [0.75, 0.75]


def test_what_a_step_does_in_which_order():
    """37: divides by the batch size, clips, then adds the decay; biases decay too."""
    assert trained([8], batch_size=2, learning_rate=1, clip_gradient=3, wd=0.5) == [1 - (3 + 0.5)]
    layer = nn.Dense(1, in_units=1)
    layer.initialize("ones")
    layer.bias.set_data(nd.array([4.0]))
    trainer = Trainer(layer.collect_params(), "sgd", {"learning_rate": 1, "wd": 0.25})
    with autograd.record():
        y = layer(nd.array([[1.0]]))
    y.backward()
    trainer.step(1)
    assert layer.bias.data().asscalar() == 4 - 1 - 0.25 * 4


def test_no_batch():
    param = made()
    trainer = Trainer([param], "sgd")
    backward(param)
    with pytest.raises(ZeroDivisionError):
        trainer.step(0)


def test_momentum_has_the_rate_inside():
    """38."""
    assert trained([1, 1], learning_rate=0.5, momentum=0.5) == [0.5, -0.25]


def test_adam():
    """39."""
    m = v = 0.0
    w, wanted = 1.0, []
    for t, g in enumerate([1.0, -2.0], 1):
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        w -= 0.1 * (1 - 0.999**t) ** 0.5 / (1 - 0.9**t) * m / (v**0.5 + 1e-8)
        wanted.append(w)
    numpy.testing.assert_allclose(trained([1, -2], "adam", learning_rate=0.1), wanted, rtol=1e-5)


def test_optimisers_by_name():
    """39."""
    with pytest.raises(ValueError, match="Cannot find optimizer adamw"):
        Trainer([made()], "adamw")
    with pytest.raises(TypeError, match="beta3"):
        Trainer([made()], "sgd", {"beta3": 1})
    with pytest.raises(AssertionError, match="optimizer_params"):
        Trainer([made()], mx.optimizer.SGD(), {"learning_rate": 1})
    optimizer = mx.optimizer.SGD(learning_rate=0.25)
    assert Trainer([made()], optimizer).optimizer is optimizer


def test_rates():
    param = made()
    trainer = Trainer([param], "sgd", {"learning_rate": 1})
    trainer.set_learning_rate(0.5)
    assert trainer.learning_rate == trainer.optimizer.lr == 0.5
    param.lr_mult, param.wd_mult = 0.5, 0
    trainer.optimizer.wd = 100
    backward(param)
    trainer.step(1)
    assert value(param) == 0.75
    scheduler = mx.lr_scheduler.FactorScheduler(1, 0.5, base_lr=1)
    trainer = Trainer([param], "sgd", {"lr_scheduler": scheduler})
    with pytest.raises(UserWarning, match="lr_scheduler"):
        trainer.set_learning_rate(1)


def test_rescale_grad_counts_too():
    assert trained([1], batch_size=2, learning_rate=1, rescale_grad=0.5) == [0.75]


def test_gradients_that_add_up():
    param = made(grad_req="add")
    trainer = Trainer([param], "sgd", {"learning_rate": 1})
    backward(param)
    backward(param)
    trainer.step(1)
    assert value(param) == -1
    assert param.grad().asnumpy().tolist() == [2, 2]


def test_many_parameters_are_one_call(monkeypatch):
    from penstock.mxnet.optimizer import _rows

    calls, real = [], _rows._op_update

    def count(name, copies, arrays, *others):
        calls.append(len(arrays))
        return real(name, copies, arrays, *others)

    net = nn.HybridSequential()
    net.add(nn.Dense(3, activation="relu"), nn.Dense(1))
    net.initialize()
    trainer = Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1, "momentum": 0.9})
    monkeypatch.setattr(_rows, "_op_update", count)
    for _ in range(3):
        with autograd.record():
            y = net(nd.ones((2, 4)))
        y.backward()
        trainer.step(2)
    assert calls == [4, 4, 4]


def test_a_loss_with_its_arguments_exchanged():
    """41: the label takes the shape of the prediction, and gradients flow to it."""
    net = nn.Dense(1, in_units=2)
    net.initialize("zeros")
    trainer = Trainer(net.collect_params(), "sgd", {"learning_rate": 1})
    x, y = nd.array([[1, 0], [0, 1], [1, 1]]), nd.array([1, 2, 3])
    with autograd.record():
        loss = gluon.loss.L2Loss()(y, net(x))
    assert loss.asnumpy().tolist() == [0.5, 2, 4.5]
    loss.backward()
    trainer.step(1)
    assert net.weight.data().asnumpy().tolist() == [[4, 5]]


# ---- Stale gradients: 37 ------------------------------------------------------------------------


def test_stale_gradients_raise():
    used, unused = made("used"), made("unused")
    trainer = Trainer([used, unused], "sgd", {"learning_rate": 1})
    backward(used)
    with pytest.raises(UserWarning, match="`unused` has no new gradient on cpu"):
        trainer.step(1)
    assert value(used) == value(unused) == 1
    trainer.step(1, ignore_stale_grad=True)
    assert (value(used), value(unused)) == (0, 1)
    trainer.step(1, ignore_stale_grad=True)
    assert (value(used), value(unused)) == (0, 1)
    backward(used, unused)
    trainer.step(1)
    assert (value(used), value(unused)) == (-1, 0)
    with pytest.raises(UserWarning, match="`used`"):
        trainer.step(1)


def test_what_makes_a_gradient_fresh():
    param = made()
    trainer = Trainer([param], "sgd", {"learning_rate": 1})
    param.grad()[:] = 3
    with pytest.raises(UserWarning):
        trainer.step(1)
    with autograd.record():
        y = param.data() * 2
    autograd.grad(y, [param.data()])
    with pytest.raises(UserWarning):
        trainer.step(1)
    backward(param)
    param.set_data(nd.array([5, 5]))
    param.zero_grad()
    trainer.step(1)
    assert value(param) == 5


def test_parameters_without_gradients_stay():
    frozen, param = made("frozen", grad_req="null"), made()
    trainer = Trainer([frozen, param], "sgd", {"learning_rate": 1})
    backward(param)
    trainer.step(1)
    assert (value(frozen), value(param)) == (1, 0)
    frozen.grad_req, param.grad_req = "write", "null"
    backward(frozen)
    trainer.step(1)
    assert (value(frozen), value(param)) == (0, 0)


def test_new_arrays_are_trained():
    param = made()
    trainer = Trainer([param], "sgd", {"learning_rate": 1})
    backward(param)
    trainer.step(1)
    old = param.data()
    param.initialize(force_reinit=True)
    with pytest.raises(UserWarning):
        trainer.step(1)
    backward(param)
    trainer.step(1)
    param.cast("float64")
    backward(param)
    trainer.step(1)
    assert (value(param), old.asnumpy()[0]) == (-1, 0)


# ---- Parameters: 40 -----------------------------------------------------------------------------


def test_made_before_shapes_are_known():
    net = nn.Dense(1)
    net.initialize("ones")
    trainer = Trainer(net.collect_params(), "sgd", {"learning_rate": 1})
    with pytest.raises(gluon.DeferredInitializationError):
        trainer.step(1)
    with autograd.record():
        y = net(nd.ones((1, 2)))
    y.backward()
    trainer.step(1)
    assert net.weight.data().asnumpy().tolist() == [[0, 0]]


def test_which_parameters():
    one, other = made("b"), made("a")
    params = ParameterDict()
    params._params.update(b=one, a=other)
    assert Trainer(params, "sgd")._params == [other, one]  # in the order of names
    assert Trainer([one, other], "sgd")._params == [one, other]
    for wrong in (3, one, {one}, [3]):
        with pytest.raises(ValueError, match="must be Parameters in a list or dict"):
            Trainer(wrong, "sgd")
    with pytest.raises(TypeError, match="nothing to train"):
        Trainer([], "sgd")
    with pytest.raises(RuntimeError, match="has not been initialized"):
        Trainer([Parameter("w", shape=(1,))], "sgd")
    with pytest.raises(AssertionError, match="parameters on the same ones"):
        Trainer([made(), made("v", ctx=mx.cpu(1))], "sgd")


def test_numpy_mode():
    npx.set_np()
    try:
        net = nn.Dense(1)
        net.initialize("ones")
        trainer = Trainer(net.collect_params(), "sgd", {"learning_rate": 1, "momentum": 0.5})
        with autograd.record():
            y = net(np.ones((1, 2)))
        y.backward()
        trainer.step(1)
        assert type(net.weight.data()) is np.ndarray
        assert net.weight.data().asnumpy().tolist() == [[0, 0]]
    finally:
        npx.reset_np()


# ---- Several contexts ---------------------------------------------------------------------------


@pytest.mark.parametrize("kvstore", ["local", "device"])
def test_gradients_of_contexts_are_added(kvstore):
    param = made(ctx=CPUS)
    trainer = Trainer([param], "sgd", {"learning_rate": 1, "momentum": 0.5}, kvstore=kvstore)
    backward(param)
    trainer.step(1)
    assert all_values(param) == [[-2, -2], [-2, -2]]
    backward(param)
    trainer.step(1)
    assert all_values(param) == [[-6.5, -6.5], [-6.5, -6.5]]
    for refused in (trainer.allreduce_grads, lambda: trainer.update(1)):
        with pytest.raises(AssertionError, match="update_on_kvstore=False"):
            refused()


def test_updates_outside_of_the_store():
    param = made(ctx=CPUS)
    param.data(mx.cpu(1))[:] = 7  # the first counts
    settings = {"learning_rate": 1, "momentum": 0.5}
    trainer = Trainer([param], "sgd", settings, update_on_kvstore=False)
    backward(param)
    trainer.allreduce_grads()
    assert [one.asnumpy().tolist() for one in param.list_grad()] == [[3, 3], [3, 3]]
    trainer.update(1)
    assert all_values(param) == [[-2, -2], [-2, -2]]
    backward(param)
    trainer.step(1)
    assert all_values(param) == [[-6.5, -6.5], [-6.5, -6.5]]
    assert trainer.optimizer.num_update == 2
    with pytest.raises(UserWarning):
        trainer.step(1)


def test_no_store():
    param = made(ctx=CPUS)
    trainer = Trainer([param], "sgd", {"learning_rate": 1}, kvstore=None)
    backward(param)
    trainer.step(1)
    assert all_values(param) == [[0, 0], [-1, -1]]


def test_a_store_of_the_program():
    param = made()
    store = mx.kv.create("local")
    trainer = Trainer([param], "sgd", {"learning_rate": 1}, kvstore=store)
    backward(param)
    trainer.step(1)
    param.set_data(nd.array([5, 5]))
    backward(param)
    trainer.step(1)
    assert all_values(param) == [[4, 4]]
    sums = Trainer([made(ctx=CPUS)], "sgd", {"learning_rate": 1}, kvstore=mx.kv.create("teststore"))
    backward(*sums._params)
    sums.step(1)
    assert all_values(sums._params[0]) == [[-2, -2], [-2, -2]]


def test_set_data_reaches_the_store():
    param = made(ctx=CPUS)
    trainer = Trainer([param], "sgd", {"learning_rate": 1})
    backward(param)
    trainer.step(1)
    param.set_data(nd.array([10, 10]))
    backward(param)
    trainer.step(1)
    assert all_values(param) == [[7, 7], [7, 7]]


def test_stores_that_cannot_be():
    with pytest.raises(TypeError, match="kvstore must be"):
        Trainer([made()], "sgd", kvstore=3)
    for settings, error in (
        ({"kvstore": "dist_sync"}, NotBuiltError),
        ({"update_on_kvstore": True}, ValueError),
        ({"kvstore": mx.kv.create("teststore"), "update_on_kvstore": True}, ValueError),
    ):
        trainer = Trainer([made()], "sgd", **settings)
        backward(*trainer._params)
        with pytest.raises(error):
            trainer.step(1)
    param = made(ctx=CPUS)
    trainer = Trainer([param], "sgd", compression_params={"type": "2bit"})
    backward(param)
    with pytest.raises(NotBuiltError, match="compression_params"):
        trainer.step(1)


def test_contexts_may_change():
    param = made()
    trainer = Trainer([param], "sgd", {"learning_rate": 1}, kvstore=None)
    backward(param)
    trainer.step(1)
    param.reset_ctx(CPUS)
    backward(param)
    trainer.step(1)
    assert all_values(param) == [[-1, -1], [-2, -2]]


# ---- States -------------------------------------------------------------------------------------


@pytest.mark.parametrize("ctx", [None, CPUS], ids=["one context", "two contexts"])
def test_states(tmp_path, ctx):
    path = str(tmp_path / "states")
    settings = {"learning_rate": 1, "momentum": 0.5}
    first = made(ctx=ctx)
    trainer = Trainer([first], "sgd", settings)
    backward(first)
    trainer.step(1)
    trainer.save_states(path)
    second = made(ctx=ctx)
    second.set_data(first.list_data()[0])
    other = Trainer([second], "sgd", {"learning_rate": 0.25, "momentum": 0.5})
    other.load_states(path)
    assert other.learning_rate == 1
    for param, one in ((first, trainer), (second, other)):
        backward(param)
        one.step(1)
    assert all_values(first) == all_values(second)
    assert other.optimizer.param_dict[0] is second
    with pytest.raises(FileNotFoundError):
        other.load_states(str(tmp_path / "missing"))
