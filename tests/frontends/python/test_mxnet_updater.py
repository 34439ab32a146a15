"""mx.optimizer.Updater: states by index, and as bytes that MXNet writes and reads too."""

import base64
import pickle

import pytest

from penstock import mxnet as mx

opt = mx.optimizer

# What MXNet 1.9.1 wrote after four steps of `steps` below.
OF_MXNET = base64.b64decode(
    "gASV2AAAAAAAAAB9lChLAIwVbXhuZXQubmRhcnJheS5uZGFycmF5lIwHTkRBcnJheZSTlE6FlFKUfZSMBmhhbmRs"
    "ZZSMCGJ1aWx0aW5zlIwJYnl0ZWFycmF5lJOUQyzJ+pP5AAAAAAEAAAADAAAAAAAAAAEAAAAAAAAAAAAAAAaB570G"
    "gWe+xaCtvpSFlFKUc2JLAWgDaARSlH2UaAdoCkM4yfqT+QAAAAACAAAAAgAAAAAAAAACAAAAAAAAAAEAAAAAAAAA"
    "AAAAAAaB570GgWe+xaCtvgaB576UhZRSlHNidS4="
)


def steps(count=4):
    """An updater that has done so many, and its weights."""
    schedule = mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.1)
    updater = opt.get_updater(opt.create("sgd", momentum=0.9, lr_scheduler=schedule))
    weights = [mx.nd.array([1, 2, 3]), mx.nd.array([[1, 2], [3, 4]])]
    for _ in range(count):
        updater([0, 1], [weight * 0.5 for weight in weights], weights)
    return updater, weights


def test_states_are_made_when_a_parameter_comes_first():
    updater = opt.get_updater(opt.SGD(momentum=0.5, learning_rate=1.0))
    first, second = mx.nd.array([4.0]), mx.nd.array([8.0])
    updater(0, mx.nd.array([1.0]), first)
    assert list(updater.states) == [0]
    updater((0, 1), (mx.nd.array([1.0]), mx.nd.array([1.0])), (first, second))
    assert list(updater.states) == [0, 1] and updater.states_synced == {0: True, 1: True}
    assert (first.asscalar(), second.asscalar()) == (4 - 1 - 1.5, 8 - 1)


def test_states_are_bytes_as_mxnet_writes_them():
    updater, _ = steps()
    assert updater.get_states() == OF_MXNET


def test_states_that_mxnet_wrote_are_read():
    wanted, weights = steps()
    updater, _ = steps(0)
    updater.set_states(OF_MXNET)
    for index in (0, 1):
        assert type(updater.states[index]) is mx.nd.NDArray
        assert (updater.states[index] == wanted.states[index]).asnumpy().all()
    assert updater.states_synced == {0: False, 1: False}
    updater.optimizer.lr_scheduler.base_lr = 0.0
    updater([0, 1], [weight * 0 for weight in weights], weights)  # goes on from there
    assert updater.states_synced == {0: True, 1: True}
    momentum = wanted.states[0].asnumpy() * 0.9
    assert updater.states[0].asnumpy() == pytest.approx(momentum, rel=1e-6)


@pytest.mark.parametrize("name", ["adam", "lbsgd", "nadam", "rmsprop"])
def test_an_optimizer_goes_along(name):
    options = {"batch_scale": 3} if name == "lbsgd" else {}
    updater = opt.get_updater(opt.create(name, learning_rate=0.1, **options))
    weight = mx.nd.array([1.0, 2.0])
    for _ in range(4):
        updater(0, weight * 0.5, weight)
    other = opt.get_updater(opt.create("sgd"))
    other.set_states(updater.get_states(dump_optimizer=True))
    assert type(other.optimizer) is type(updater.optimizer)
    assert other.optimizer.num_update == 4
    same = weight.copy()
    for _ in range(3):
        updater(0, weight * 0.5, weight)
        other(0, same * 0.5, same)
    assert (weight == same).asnumpy().all()


def test_states_of_np_mode_have_its_version():
    mx.npx.set_np()
    try:
        updater = opt.get_updater(opt.SGD(momentum=0.9))
        weight = mx.np.ones(2)
        updater(0, weight * 1, weight)
        data = updater.get_states()
        assert b"\xca\xfa\x93\xf9" in data
        again = opt.get_updater(opt.SGD(momentum=0.9))
        again.set_states(data)
    finally:
        mx.npx.reset_np()
    assert again.states[0].asnumpy() == pytest.approx([-0.01, -0.01])


def test_other_pickles_are_read_too():
    updater = opt.get_updater(opt.SGD(momentum=0.9))
    updater.set_states(pickle.dumps({3: (mx.nd.ones((2,)), None)}))
    assert updater.states[3][0].asnumpy().tolist() == [1, 1] and updater.states[3][1] is None


def test_bytes_that_are_no_states_raise():
    with pytest.raises(pickle.UnpicklingError):
        opt.get_updater(opt.SGD()).set_states(b"nothing")
