"""Optimisers of the MXNet dialect: what they have in common, apart from their formulas."""

import pickle
import subprocess
import sys

import numpy
import pytest
from processes import environment

from penstock import mxnet as mx

opt = mx.optimizer


class Named:
    """A parameter as param_dict has them."""

    def __init__(self, lr_mult, wd_mult):
        self.lr_mult, self.wd_mult = lr_mult, wd_mult


# ---- By name -------------------------------------------------------------------------------------


def test_optimizers_are_made_by_name():
    made = opt.create("SGD", learning_rate=0.5, momentum=0.9)
    assert type(made) is opt.SGD and made.lr == 0.5 and made.momentum == 0.9
    assert type(made).__module__ == "mxnet.optimizer.optimizer"
    assert type(opt.Optimizer.create_optimizer("groupadagrad")) is opt.contrib.GroupAdaGrad


def test_unknown_names_and_arguments_raise_what_mxnet_raises():
    with pytest.raises(ValueError, match="Cannot find optimizer adamw"):
        opt.create("adamw")
    with pytest.raises(TypeError, match="nothing"):
        opt.create("sgd", nothing=1)
    with pytest.raises(AssertionError, match="param_idx2name must be a dict"):
        opt.SGD(param_idx2name=["weight"])


def test_a_class_of_a_program_is_registered_and_replaced_with_a_warning():
    class Mine(opt.Optimizer):
        pass

    try:
        assert opt.register(Mine) is Mine
        assert type(opt.create("mine")) is Mine
        with pytest.warns(UserWarning, match="and no longer"):
            opt.Optimizer.register(Mine)
    finally:
        del opt.Optimizer.opt_registry["mine"]


def test_the_base_class_has_no_state_and_no_step():
    base = opt.Optimizer()
    assert base.create_state(0, mx.nd.ones((2,))) is None
    with pytest.raises(NotImplementedError):
        base.update(0, mx.nd.ones((2,)), mx.nd.ones((2,)), None)


# ---- Rates and decays ----------------------------------------------------------------------------


def test_the_learning_rate_is_a_number_or_that_of_a_schedule(capsys):
    assert opt.SGD().learning_rate == 0.01
    plain = opt.SGD(learning_rate=0.1)
    plain.set_learning_rate(0.2)
    assert plain.learning_rate == 0.2
    schedule = mx.lr_scheduler.FactorScheduler(1, base_lr=1024)
    assert opt.SGD(lr_scheduler=schedule).learning_rate == 1024
    assert capsys.readouterr().out == ""
    scheduled = opt.SGD(lr_scheduler=schedule, learning_rate=0.3)
    assert scheduled.learning_rate == 0.3 == schedule.base_lr
    assert "the scheduler begins with learning_rate" in capsys.readouterr().out
    with pytest.raises(UserWarning, match="lr_scheduler"):
        scheduled.set_learning_rate(0.5)


def test_multiples_are_those_of_parameters_then_of_indices_then_of_names():
    made = opt.SGD(learning_rate=1.0, wd=1.0, param_idx2name={0: "a_weight", 1: "b_bias"})
    assert made.wd_mult == {"b_bias": 0.0}
    assert made._get_wds([0, 1, 2]) == [1.0, 0.0, 1.0]
    made.set_lr_mult({"a_weight": 0.5, 1: 3.0})
    made.set_wd_mult({"b_bias": 2.0})
    assert made._get_lrs([0, 1, 2]) == [0.5, 3.0, 1.0]
    assert made._get_wds([0, 1]) == [1.0, 2.0]
    assert (made._get_lr(0), made._get_wd(1)) == (0.5, 2.0)
    made.param_dict = {0: Named(4.0, 5.0)}
    assert made._get_lrs([0, 1]) == [4.0, 3.0]
    assert made._get_wds([0, 1]) == [5.0, 2.0]


def test_multiples_of_parameters_may_change_between_steps():
    param = Named(1.0, 1.0)
    made = opt.SGD(learning_rate=0.5, param_dict={0: param})
    weight = mx.nd.array([8.0])
    made.update(0, weight, mx.nd.array([2.0]), None)
    param.lr_mult = 2.0
    made.update(0, weight, mx.nd.array([2.0]), None)
    assert weight.asscalar() == 8 - 1 - 2


def test_updates_are_counted_for_each_parameter_and_device():
    made = opt.SGD(begin_num_update=3)
    made._update_count([0, 1])
    made._update_count(0)
    assert made._index_update_count == {0: 5, 1: 4} and made.num_update == 5
    made._set_current_context(1)
    made._update_count(1)
    assert made._all_index_update_counts == {0: {0: 5, 1: 4}, 1: {1: 4}}
    assert made.num_update == 5


def test_steps_with_other_counts_go_together():
    made, apart = (opt.Adam(learning_rate=0.1) for _ in range(2))
    weights = [mx.nd.array([1.0]), mx.nd.array([1.0])]
    states = [made.create_state(i, w) for i, w in enumerate(weights)]
    grad = mx.nd.array([0.5])
    made.update(0, weights[0], grad, states[0])
    made.update([0, 1], weights, [grad, grad], states)
    alone = mx.nd.array([1.0])
    apart.update(7, alone, grad, apart.create_state(7, alone))
    assert weights[1].asscalar() == alone.asscalar() != weights[0].asscalar()


# ---- Arrays --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(set(opt.Optimizer.opt_registry) - {"sgld"}))
def test_lists_give_what_single_parameters_give(name):
    def weights():
        return [mx.nd.array([[1.0, -2.0]]), mx.nd.array([[3.0], [0.5]])]

    def run(listed):
        made, arrays = opt.create(name, learning_rate=0.1), weights()
        states = [made.create_state(i, w) for i, w in enumerate(arrays)]
        for step in range(3):
            grads = [w * (0.25 + step) for w in weights()]
            if listed:
                made.update([0, 1], arrays, grads, states)
            else:
                for one in zip([0, 1], arrays, grads, states):
                    made.update(*one)
        return [w.asnumpy().tolist() for w in arrays]

    assert run(True) == run(False)


def test_weights_are_changed_in_place_and_keep_their_gradient():
    weight = mx.nd.array([1.0, 2.0])
    weight.attach_grad()
    grad = weight.grad
    with mx.autograd.record():
        loss = (weight * weight).sum()
    loss.backward()
    for name in ("adam", "signum", "lamb"):
        made = opt.create(name)
        made.update(0, weight, weight.grad, made.create_state(0, weight))
    assert weight.grad is not None and grad.asnumpy().tolist() == [2.0, 4.0]
    assert (weight.asnumpy() < [1.0, 2.0]).all()


@pytest.mark.parametrize("name", ["sgd", "adamax", "lars"])
def test_parameters_are_not_updated_while_they_are_recorded(name):
    weight, grad = mx.nd.array([1.0]), mx.nd.array([1.0])
    made = opt.create(name)
    with mx.autograd.record():  # an array in no graph may be
        made.update(0, weight, grad, made.create_state(0, weight))
    weight.attach_grad()
    with pytest.raises(mx.MXNetError, match="record"), mx.autograd.record():
        made.update(0, weight, grad, made.create_state(0, weight))


@pytest.mark.parametrize("name", sorted(set(opt.Optimizer.opt_registry) - {"groupadagrad"}))
def test_parameters_of_np_have_states_of_nd(name):
    mx.npx.set_np()
    try:
        made = opt.create(name)
        weight = mx.np.ones((2, 2))
        updater = opt.get_updater(made)
        updater(0, weight * 0.5, weight)
        assert type(weight) is mx.np.ndarray
        assert not (weight == 1).all()
        states = updater.states[0]
        for state in states if isinstance(states, tuple) else [states]:
            assert state is None or type(state) is mx.nd.NDArray
    finally:
        mx.npx.reset_np()


def test_float16_parameters_have_exact_copies():
    made = opt.SGD(learning_rate=0.25, multi_precision=True)
    weight = mx.nd.array([1024.0]).astype("float16")
    state = made.create_state_multi_precision(0, weight)
    assert state[0] is None and state[1].dtype == numpy.float32
    for _ in range(8):  # a step is too small for the parameter, eight are not
        made.update_multi_precision(0, weight, mx.nd.array([1.0]).astype("float16"), state)
    assert state[1].asscalar() == 1022.0
    assert weight.asscalar() == 1022.0 and weight.dtype == numpy.float16


def test_lists_may_mix_float16_and_float32():
    for name in ("adam", "adamax"):
        made = opt.create(name, learning_rate=0.5, multi_precision=True)
        weights = [mx.nd.array([1.0]).astype("float16"), mx.nd.array([1.0])]
        grads = [w * 0.5 for w in weights]
        states = [made.create_state_multi_precision(i, w) for i, w in enumerate(weights)]
        made.update_multi_precision([0, 1], weights, grads, states)
        assert [w.asscalar() for w in weights] == pytest.approx([0.5, 0.5], rel=1e-3)
        assert [w.dtype for w in weights] == [numpy.float16, numpy.float32]


def test_float16_without_exact_copies_is_advised_against():
    weight = mx.nd.ones((2,)).astype("float16")
    with pytest.warns(UserWarning, match="the SGD optimizer adds up .* multi_precision=True"):
        assert opt.SGD().create_state_multi_precision(0, weight) is None
    with pytest.warns(UserWarning, match="the optimizer adds up .* multi_precision=True"):
        assert opt.Adam().create_state_multi_precision(0, weight)[0].dtype == numpy.float16


# ---- Rules ---------------------------------------------------------------------------------------


def test_dcasgd_has_momentum():
    made = opt.DCASGD(momentum=0.5, learning_rate=0.5, lamda=0.0)
    weight, grad = mx.nd.array([1.0, 1.0]), mx.nd.array([1.0, 1.0])
    state = made.create_state(0, weight)
    for _ in range(2):
        made.update(0, weight, grad, state)
    assert weight.asnumpy().tolist() == [1 - 0.5 - 0.75] * 2
    assert state[1].asnumpy().tolist() == [0.5] * 2  # the weight before


def test_sgld_is_half_a_step_and_noise_of_the_size_of_the_rate():
    weight = mx.nd.zeros((200, 200))
    mx.random.seed(3)
    opt.SGLD(learning_rate=0.04).update(0, weight, mx.nd.ones((200, 200)), None)
    mx.random.seed(3)
    noise = mx.nd.random.normal(0, 0.2, shape=(200, 200))
    assert numpy.allclose(weight.asnumpy(), noise.asnumpy() - 0.02, atol=1e-6)


def test_groupadagrad_is_for_matrices_without_decay():
    made = opt.contrib.GroupAdaGrad(wd=0.1)
    with pytest.raises(AssertionError, match="matrices"):
        made.create_state(0, mx.nd.ones((2,)))
    weight = mx.nd.ones((2, 2))
    with pytest.raises(AssertionError, match="has no weight decay"):
        made.update(0, weight, weight, made.create_state(0, weight))


def test_lbsgd_waits_for_all_parts_of_a_batch():
    made = opt.LBSGD(learning_rate=0.5, batch_scale=2, warmup_epochs=0)
    weight = mx.nd.array([1.0])
    made.update(0, weight, mx.nd.array([1.0]), None)
    assert weight.asscalar() == 1.0
    made.update(0, weight, mx.nd.array([3.0]), None)
    assert weight.asscalar() == 1.0 - 0.5 * 2 * 2


# ---- Of programs ---------------------------------------------------------------------------------


def test_an_optimizer_of_a_program_gets_one_parameter_at_a_time():
    seen = []

    class Mine(opt.Optimizer):
        def create_state(self, index, weight):
            return f"state {index}"

        def update(self, index, weight, grad, state):
            self._update_count(index)
            seen.append((index, type(weight), state))
            weight[:] -= self._get_lr(index) * grad

    mx.npx.set_np()
    try:
        weights = [mx.np.ones(2), mx.np.ones(3)]
        opt.get_updater(Mine(learning_rate=0.5))([4, 5], [w * 1 for w in weights], weights)
        assert [w.tolist() for w in weights] == [[0.5] * 2, [0.5] * 3]
    finally:
        mx.npx.reset_np()
    assert seen == [(4, mx.nd.NDArray, "state 4"), (5, mx.nd.NDArray, "state 5")]


def test_a_program_may_change_the_update_of_an_optimizer():
    class Mine(opt.Adam):
        def update(self, index, weight, grad, state):
            assert isinstance(index, int)
            weight[:] = index

    weights = [mx.nd.ones((1,)), mx.nd.ones((1,))]
    opt.get_updater(Mine())([4, 5], [w * 1 for w in weights], weights)
    assert [w.asscalar() for w in weights] == [4, 5]


def test_a_program_may_change_the_update_of_float16_parameters():
    class Mine(opt.SGD):
        def update(self, index, weight, grad, state):
            assert weight.dtype == grad.dtype == numpy.float32 and state.shape == (2,)
            weight[:] = 0.5

    weight = mx.nd.ones((2,)).astype("float16")
    updater = opt.get_updater(Mine(momentum=0.9, multi_precision=True))
    updater(0, weight * 1, weight)
    updater([], [], [])
    assert weight.asnumpy().tolist() == [0.5, 0.5]


def test_an_optimizer_of_a_program_may_take_lists():
    seen = []

    class Mine(opt.Optimizer):
        def __init__(self):
            super().__init__()
            self.aggregate_num = 2

        def update_multi_precision(self, indices, weights, grads, states):
            seen.append(list(indices))

    weights = [mx.nd.ones((1,)) for _ in range(3)] + [mx.nd.ones((1,)).astype("float64")]
    opt.get_updater(Mine())([0, 1, 2, 3], weights, weights)
    assert seen == [[0, 1], [2], [3]]


# ---- Pickles -------------------------------------------------------------------------------------


def test_pickles_keep_all_but_the_parameters():
    made = opt.NAG(momentum=0.9, learning_rate=0.3, wd=0.1, param_dict={0: Named(2.0, 2.0)})
    made._update_count([0, 0, 1])
    again = pickle.loads(pickle.dumps(made))
    assert type(again) is opt.NAG and again.param_dict == {}
    assert (again.momentum, again.lr, again.wd) == (0.9, 0.3, 0.1)
    again._update_count(0)
    assert again._all_index_update_counts == {0: {0: 3, 1: 1}} and again.num_update == 3


def test_pickles_load_without_installing():
    made = opt.SGD(lr_scheduler=mx.lr_scheduler.CosineScheduler(7, base_lr=0.5))
    program = (
        "import pickle, sys\n"
        "made = pickle.loads(bytes.fromhex(sys.argv[1]))\n"
        "print(made.learning_rate, made.lr_scheduler.max_update, 'mxnet' in sys.modules)\n"
    )
    command = [sys.executable, "-c", program, pickle.dumps(made).hex()]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.stdout == "0.5 7 False\n", done.stderr
