"""Optimisers: what each does in a step, what all of them share, clipping, schedules, errors.

Twenty steps of every option against PyTorch are in test_train_vectors.py."""

import gc
import weakref

import gate
import numpy as np
import penstock as ps
import pytest
from penstock import _core

pytestmark = pytest.mark.usefixtures("nothing_recorded")

KINDS = ["sgd", "adam", "adamw", "adagrad", "adadelta", "rmsprop", "ftrl"]
OPTIONS = {
    "sgd": [{}, {"momentum": 0.9}, {"momentum": 0.9, "nesterov": True}],
    "adam": [{}, {"weight_decay": 0.1, "decay_first": True}],
    "rmsprop": [{}, {"momentum": 0.9}, {"centered": True}, {"clip_weights": 2.5}],
}
EACH = [(kind, options) for kind in KINDS for options in OPTIONS.get(kind, [{}])]


def weight(*numbers, dtype="float32"):
    array = ps.array(numbers, dtype=dtype)
    array.attach_grad()
    return array


def give(array, *numbers):
    array.grad[...] = ps.array(numbers, dtype=array.dtype)


def pushed():
    return ps.engine.stats().pushed


class Parameter:
    """What a network's parameter looks like to an optimiser."""

    def __init__(self, array, lr_mult=1.0, wd_mult=1.0):
        self.data, self.lr_mult, self.wd_mult = array, lr_mult, wd_mult

    @property
    def grad(self):
        return self.data.grad


# ---- Steps --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "options"), EACH)
def test_a_step_is_one_task(kind, options):
    weights = [weight(*np.linspace(-1, 1, n)) for n in (3, 1, 7, 64, 5, 300)]
    optimiser = ps.optim.create(kind, weights, **options)
    optimiser.step()
    ps.waitall()
    before = pushed()
    optimiser.step()
    assert pushed() - before == 1
    assert optimiser.steps == 2


@pytest.mark.parametrize(("kind", "options"), EACH)
def test_steps_go_downhill(kind, options):
    w = weight(3.0, -2.0)
    optimiser = ps.optim.create(kind, [w], **options)
    start = float((w * w).sum())
    for _ in range(30):
        with ps.autograd.record():
            loss = (w * w).sum()
        loss.backward()
        optimiser.step()
    assert float((w * w).sum()) < start


def test_a_step_does_not_wait():
    w = weight(1.0, 2.0)
    sgd = ps.optim.SGD([w], 1.0, clip_norm=1.0)
    with gate.product() as held:
        w.grad[...] = held.reshape(-1)[:2]
        sgd.step()
        norm = ps.optim.clip_global_norm([w.grad], 1.0)
        assert not w.is_ready()
        assert not norm.is_ready()
    ps.waitall()


def test_the_batch_size_divides():
    w = weight(1.0)
    give(w, 8.0)
    ps.optim.SGD([w], 0.5).step(batch_size=4)
    assert w.tolist() == [0.0]


def test_the_rate_may_be_an_array_or_change():
    w, rate = weight(1.0), ps.array(0.5)
    give(w, 1.0)
    sgd = ps.optim.SGD([w], rate)
    sgd.step()
    rate[...] = 0.25
    sgd.step()
    assert w.tolist() == [0.25]
    sgd.learning_rate = 1.0
    assert sgd.learning_rate == 1.0
    sgd.step()
    assert w.tolist() == [-0.75]
    sgd.learning_rate = ps.optim.schedules.Factor(4.0, period=1, factor=0.5)
    assert sgd.learning_rate == 0.5  # of its fourth step
    sgd.step()
    assert w.tolist() == [-1.25]


def test_numbers_of_numpy():
    w = weight(1.0)
    give(w, 4.0)
    ps.optim.SGD([w], np.float32(0.5), weight_decay=np.float64(2.0)).step(np.int64(2))
    assert w.tolist() == [-1.0]
    params = [Parameter(w, np.float32(0.5))]
    ps.optim.SGD(params, np.float32(0.5)).step()
    assert w.tolist() == [-2.0]


def test_multiples_of_rates_and_decays():
    settings = ((1.0, 1.0, 1.0), (1.0, 0.5, 0.0), (2.0, 1.0, 4.0))
    params = [Parameter(weight(value), lr_mult, wd_mult) for value, lr_mult, wd_mult in settings]
    for param in params:
        give(param.data, 1.0)
    ps.optim.SGD({str(i): p for i, p in enumerate(params)}, 1.0, weight_decay=0.25).step()
    assert [p.data.item() for p in params] == [-0.25, 0.5, -1.0]


def test_momentum_by_both_conventions():
    for inside, wanted in ((False, [1 - 1.0, 1 - 1.0 - 0.25 * 1.5]), (True, [0.0, -0.5 - 0.25])):
        w, found = weight(1.0), []
        give(w, 1.0)
        sgd = ps.optim.SGD([w], 1.0, momentum=0.5, rate_inside=inside)
        for rate in (1.0, 0.25):
            sgd.learning_rate = rate
            sgd.step()
            found.append(w.item())
        assert found == wanted


def test_epsilons():
    """Inside or outside of the root, before or after the correction."""
    ways = {
        (True, False): 1 / (1 + 3),
        (True, True): 1 / (1 + 3) ** 0.5,
        (False, False): (1 - 0.75) ** 0.5 / (1 - 0.5) * 0.5 / (0.25**0.5 + 3),
    }
    for (correct, inside), step in ways.items():
        w = weight(0.0, dtype="float64")
        give(w, 1.0)
        ps.optim.Adam([w], 1.0, (0.5, 0.75), 3.0, correct_eps=correct, eps_inside=inside).step()
        assert abs(w.item() + step) < 1e-12
    for inside, step in ((False, 1 / (1 + 3)), (True, 1 / (1 + 3) ** 0.5)):
        w = weight(0.0, dtype="float64")
        give(w, 1.0)
        ps.optim.Adagrad([w], 1.0, 3.0, eps_inside=inside).step()
        assert abs(w.item() + step) < 1e-12


def mxnet_rmsprop(centered):
    """Steps of MXNet 1.9.1's RMSProp: of (w, v, a, m), with the decay inside of the clip."""

    def step(w, v, a, m, g):
        g = np.clip(g / 4 + 0.2 * w, -0.5, 0.5)
        v = 0.9 * v + 0.1 * g * g
        if not centered:
            return np.clip(w - 0.4 * g / np.sqrt(v + 1e-3), -0.8, 0.8), v, a, m
        a = 0.9 * a + 0.1 * g
        m = 0.8 * m - 0.4 * g / np.sqrt(v - a * a + 1e-3)
        return np.clip(w + m, -0.8, 0.8), v, a, m

    return step


@pytest.mark.parametrize("centered", [False, True])
def test_rmsprop_of_mxnet(centered):
    options = {"centered": True, "momentum": 0.8, "rate_inside": True} if centered else {}
    rng, step = np.random.default_rng(3), mxnet_rmsprop(centered)
    start = rng.uniform(-0.8, 0.8, 40)
    w = weight(*start, dtype="float64")
    optimiser = ps.optim.RMSProp(
        [w], 0.4, 0.9, 1e-3, eps_inside=True, decay_first=True, clip_weights=0.8,
        weight_decay=0.2, clip_gradient=0.5, **options,
    )  # fmt: skip
    state = start, np.zeros(40), np.zeros(40), np.zeros(40)
    for _ in range(20):
        g = rng.normal(size=40) * 3
        w.grad[...] = ps.array(g)
        optimiser.step(4)
        state = step(*state, g)
    np.testing.assert_allclose(w.asnumpy(), state[0], rtol=1e-12, atol=1e-12)
    assert 0 < (np.abs(state[0]) == 0.8).sum() < 40  # some are bound


def test_adam_of_mxnet():
    """The decay inside of the clip, the correction in the rate, an uncorrected epsilon."""
    rng = np.random.default_rng(4)
    expected, mean, square = rng.uniform(-1, 1, 40), np.zeros(40), np.zeros(40)
    w = weight(*expected, dtype="float64")
    adam = ps.optim.Adam(
        [w], 0.1, (0.9, 0.99), 1e-3, correct_eps=False, decay_first=True,
        weight_decay=0.2, clip_gradient=0.5,
    )  # fmt: skip
    for time in range(1, 21):
        g = rng.normal(size=40)
        w.grad[...] = ps.array(g)
        adam.step(4)
        g = np.clip(g / 4 + 0.2 * expected, -0.5, 0.5)
        mean, square = 0.9 * mean + 0.1 * g, 0.99 * square + 0.01 * g * g
        rate = 0.1 * np.sqrt(1 - 0.99**time) / (1 - 0.9**time)
        expected = expected - rate * mean / (np.sqrt(square) + 1e-3)
    np.testing.assert_allclose(w.asnumpy(), expected, rtol=1e-12, atol=1e-12)


def test_others_of_mxnet():
    """AdaGrad and AdaDelta have their decay apart; SGD and NAG the rate inside of the momentum."""
    rng = np.random.default_rng(5)
    start, slopes = rng.uniform(-1, 1, 30), rng.normal(size=(20, 30))
    kinds = {
        "adagrad_update": (_mxnet_adagrad, (0.1, 0.0, 1e-7, 0.3)),
        "adadelta_update": (_mxnet_adadelta, (1.0, 0.1, 1e-5, 0.3)),
        "momentum_update": (_mxnet_momentum, (1.0, 0.9, 0.1)),
        "nesterov_update": (_mxnet_nesterov, (1.0, 0.9, 0.1)),
    }
    for name, (step, numbers) in kinds.items():
        states = {"adadelta_update": 2}.get(name, 1)
        made = [ps.array(start)] + [ps.zeros(30, dtype="float64") for _ in range(states)]
        wanted = [start] + [np.zeros(30)] * states
        decay = 0.2 if len(numbers) == 3 else 0.0  # else it is apart
        for g in slopes:
            _core._op_update(
                name, None, *([one] for one in made), [ps.array(g)], *numbers, 0.5, 0.4, decay
            )
            wanted = step(*wanted, np.clip(0.5 * g, -0.4, 0.4))
        np.testing.assert_allclose(made[0].asnumpy(), wanted[0], rtol=1e-11, err_msg=name)


def _mxnet_adagrad(w, v, g):
    v = v + g * g
    return w - 0.1 * (g / np.sqrt(v + 1e-7) + 0.3 * w), v


def _mxnet_adadelta(w, v, d, g):
    v = 0.9 * v + 0.1 * g * g
    x = np.sqrt(d + 1e-5) / np.sqrt(v + 1e-5) * g
    return w - (x + 0.3 * w), v, 0.9 * d + 0.1 * x * x


def _mxnet_momentum(w, m, g):
    m = 0.9 * m - 0.1 * (g + 0.2 * w)
    return w + m, m


def _mxnet_nesterov(w, m, g):
    h = g + 0.2 * w
    m = 0.9 * m - 0.1 * h
    return w + 0.9 * m - 0.1 * h, m


def test_ftrl_by_numpy():
    rng = np.random.default_rng(3)
    w, g = rng.normal(size=20), rng.normal(size=(20, 20))
    ours = ps.array(w)
    ours.attach_grad()
    ftrl = ps.optim.Ftrl([ours], 0.3, 0.5, 2.0, weight_decay=0.1)
    z, n = np.zeros(20), np.zeros(20)
    for gradient in g:
        ours.grad[...] = ps.array(gradient)
        ftrl.step()
        z += gradient - (np.sqrt(n + gradient**2) - np.sqrt(n)) * w / 0.3
        n += gradient**2
        w = np.where(abs(z) > 0.5, (np.sign(z) * 0.5 - z) / ((2.0 + np.sqrt(n)) / 0.3 + 0.1), 0)
    np.testing.assert_allclose(ours.asnumpy(), w, 1e-9, 1e-12)
    assert (w == 0).any()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_types(dtype):
    w = weight(1.0, 2.0, dtype=dtype)
    other = weight(3.0)
    give(w, 1.0, 1.0)
    give(other, 1.0)
    for kind in KINDS:
        ps.optim.create(kind, [w, other], clip_norm=1.0).step()
    assert w.dtype.name == dtype
    assert all(np.isfinite(w.astype("float32").tolist()))


@pytest.mark.parametrize(("dtype", "rate"), [("float16", 2.0**-13), ("bfloat16", 2.0**-10)])
def test_small_steps_add_up(dtype, rate):
    plain, exact = weight(1.0, -1.0, dtype=dtype), weight(1.0, -1.0, dtype=dtype)
    sgd = [ps.optim.SGD([plain], rate), ps.optim.SGD([exact], rate, multi_precision=True)]
    for w in (plain, exact):
        give(w, 1.0, -1.0)
    for _ in range(20):
        for one in sgd:
            one.step()
    wanted = ps.array([1 - 20 * rate, 20 * rate - 1]).astype(dtype)
    assert plain.tolist() == [1.0, -1.0]  # each step is less than can be seen
    assert exact.tolist() == wanted.tolist() != plain.tolist()
    assert exact.dtype.name == dtype


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize(("kind", "options"), EACH)
def test_exact_copies_do_what_float32_does(kind, options, dtype):
    start, slopes = np.linspace(-1, 1, 9), np.linspace(-0.5, 0.25, 9)
    wide, half, other = (weight(*start, dtype=t) for t in ("float32", dtype, "float32"))
    reference = ps.optim.create(kind, [wide], **options)
    optimiser = ps.optim.create(kind, {"half": half}, multi_precision=True, **options)
    mixed = ps.optim.create(kind, [other], multi_precision=True, **options)
    wide[...] = half.astype("float32")
    other[...] = half.astype("float32")
    for step in range(1, 21):
        half.grad[...] = ps.array(slopes * step / 20)
        wide.grad[...] = half.grad.astype("float32")
        other.grad[...] = wide.grad
        for one in (reference, optimiser, mixed):
            one.step()
        if step == 10:  # states hold the copies too
            states = optimiser.state_dict()
            assert states["half.exact"].dtype.name == "float32"
            optimiser = ps.optim.create(kind, {"half": half}, multi_precision=True, **options)
            optimiser.load_state_dict(states)
    assert half.tolist() == wide.astype(dtype).tolist()
    assert other.tolist() == wide.tolist()


def test_exact_copies_are_one_task():
    weights = [weight(*np.linspace(-1, 1, n), dtype="float16") for n in (3, 1, 70)]
    sgd = ps.optim.SGD(weights, momentum=0.9, multi_precision=True)
    sgd.step()
    ps.waitall()
    before = pushed()
    sgd.step()
    assert pushed() - before == 1


def test_exact_copies_are_clipped_by_the_norm():
    half, wide = weight(1.0, 2.0, dtype="float16"), weight(3.0)
    give(half, 3.0, 0.0)
    give(wide, 4.0)
    ps.optim.SGD([half, wide], 1.0, clip_norm=2.5, multi_precision=True).step()
    np.testing.assert_allclose(half.tolist() + wide.tolist(), [-0.5, 2.0, 1.0], rtol=1e-3)


def test_what_has_no_gradient_is_left_alone():
    w, frozen = weight(1.0), ps.array([1.0])
    give(w, 1.0)
    sgd = ps.optim.SGD({"w": w, "frozen": frozen}, 1.0, momentum=0.5)
    sgd.step()
    assert (w.item(), frozen.item()) == (0.0, 1.0)
    assert set(sgd.state_dict()) == {"steps", "w.momentum"}


def test_gradients_that_are_attached_anew():
    w = weight(1.0)
    sgd = ps.optim.SGD([w], 1.0)
    sgd.step()
    w.attach_grad()
    give(w, 1.0)
    sgd.step()
    assert w.item() == 0.0


def test_zero_grad():
    w = weight(1.0, 2.0)
    give(w, 3.0, 4.0)
    ps.optim.SGD([w]).zero_grad()
    assert w.grad.tolist() == [0.0, 0.0]


def test_an_optimiser_goes_with_its_last_reference():
    sgd = ps.optim.SGD([weight(1.0)], momentum=0.5)
    sgd.step()
    gone = weakref.ref(sgd)
    del sgd
    gc.collect()
    assert gone() is None


# ---- Clipping -----------------------------------------------------------------------------------


def test_clip_global_norm():
    x, y = ps.array([3.0, 0.0]), ps.array([[4.0]])
    norm = ps.optim.clip_global_norm([x, y], 10.0)
    assert (norm.shape, norm.item()) == ((), 5.0)
    assert (x.tolist(), y.tolist()) == ([3.0, 0.0], [[4.0]])
    ps.optim.clip_global_norm(iter((x, y)), 2.5)
    np.testing.assert_allclose(x.tolist(), [1.5, 0], 1e-6)
    assert abs(ps.optim.global_norm([x, y]).item() - 2.5) < 1e-5


def test_clipping_in_the_step_counts_what_is_rescaled():
    w = weight(0.0)
    give(w, 8.0)
    ps.optim.SGD([w], 1.0, clip_norm=3.0).step(batch_size=4)
    assert abs(w.item() + 2) < 1e-5
    ps.optim.SGD([w], 1.0, clip_norm=1.0).step(batch_size=4)
    assert abs(w.item() + 3) < 1e-5


# ---- States -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "options"), EACH)
def test_states_are_saved_and_loaded(kind, options):
    def begin():
        params = {"a": weight(1.0, 2.0), "b": weight(3.0)}
        return params, ps.optim.create(kind, params, **options)

    def go(params, optimiser, steps):
        for step in steps:
            for param in params.values():
                param.grad[...] = param * 0.5 + step
            optimiser.step()

    params, optimiser = begin()
    go(params, optimiser, range(3))
    states = optimiser.state_dict()
    values = {name: param.copy() for name, param in params.items()}
    go(params, optimiser, range(3, 6))
    again, other = begin()
    for name, value in values.items():
        again[name][...] = value
    other.load_state_dict(states)
    assert other.steps == 3
    go(again, other, range(3, 6))
    assert {n: p.tolist() for n, p in again.items()} == {n: p.tolist() for n, p in params.items()}


def test_wrong_states_are_refused():
    w = weight(1.0, 2.0)
    adam = ps.optim.Adam({"w": w})
    adam.step()
    states = adam.state_dict()
    assert set(states) == {"steps", "w.mean", "w.square"}
    for change, text in (
        (lambda s: s.pop("w.mean"), "1 missing: w.mean"),
        (lambda s: s.pop("steps"), "1 missing: steps"),
        (lambda s: s.update(more=w), "1 unknown: more"),
        (lambda s: s.update({"w.mean": ps.ones(3)}), r"w.mean has shape \(3,\)"),
        (lambda s: s.update({"w.mean": ps.ones(2, dtype="float64")}), "float64"),
    ):
        wrong = dict(states)
        change(wrong)
        with pytest.raises(ValueError, match=text):
            adam.load_state_dict(wrong)
    adam.load_state_dict(states)


# ---- Errors -------------------------------------------------------------------------------------


def test_errors_say_what_is_wrong():
    w = weight(1.0)
    for call, error, text in (
        (lambda: ps.optim.create("sgdd", [w]), ValueError, "'sgdd'; there are adadelta, adagrad"),
        (lambda: ps.optim.create(None, [w]), ValueError, "None; there are"),
        (lambda: ps.optim.SGD(w), TypeError, "several arrays"),
        (lambda: ps.optim.SGD([w, 3]), TypeError, "params: 1 must be an array"),
        (lambda: ps.optim.SGD([]), ValueError, "none"),
        (lambda: ps.optim.SGD([ps.ones(3)]).step(), ValueError, "attach_grad"),
        (lambda: ps.optim.SGD([w], nesterov=True), ValueError, "nesterov needs a momentum"),
        (lambda: ps.optim.SGD([w], clip_norm=0), ValueError, "clip_norm must be above 0, not 0"),
        (lambda: ps.optim.Adam([w], betas=(1.0, 0.5)), ValueError, "betas"),
        (lambda: ps.optim.SGD([w, w]).step(), ValueError, "tensor 0 of w and tensor 1 of w share"),
        (lambda: ps.optim.SGD([w], "fast").step(), TypeError, "argument 2 must be"),
        (lambda: ps.optim.clip_global_norm([w], -1), ValueError, "must be above 0, not -1"),
        (lambda: ps.optim.clip_global_norm([], 1), ValueError, "no tensors"),
        (lambda: ps.optim.schedules.Cosine(0.1, 5, warmup=5), ValueError, "warm-up"),
        (lambda: ps.optim.schedules.Constant(0.1, warmup_mode="x"), ValueError, "not 'x'"),
        (lambda: ps.optim.schedules.Constant(0.1)(-1), OverflowError, "unsigned"),
    ):
        with pytest.raises(error, match=text):
            call()


def test_steps_are_not_recorded():
    w = weight(1.0)
    sgd = ps.optim.SGD([w], 1.0)
    with ps.autograd.record(), pytest.raises(RuntimeError, match="pause recording"):
        sgd.step()
    with ps.autograd.record():
        y = w * w
        with ps.autograd.pause():
            sgd.step()
    y.backward()
    assert w.grad.item() == 2.0


def test_errors_name_the_line():
    w = weight(1.0, 2.0)
    w.grad[...] = ps.take(ps.ones(2), ps.array([0, 9]))
    ps.optim.SGD([w]).step()
    with pytest.raises(IndexError, match="test_optim.py"):
        w.tolist()


def test_hostile_lists():
    w = weight(1.0)
    for args in (
        (),
        (3,),
        ("sgd_update",),
        ("sgd_update", None),
        ("sgd_update", None, w),
        ("sgd_update", None, [w], [w, w], 1),
        ("sgd_update", None, [w], [1.0, 2.0], 1),
        ("sgd_update", None, [w, "x"], ..., 1),
        ("sgd_update", None, [w], object(), 1),
        ("sgd_update", None, ...),
        ("sgd_update", w, [w], ..., 1),
        ("sgd_update", [w, w], [w], ..., 1),
        ("sgd_update", ["x"], [w], ..., 1),
        ("sgd_update", [w], [w], ..., 1),
        ("sgd_update", [ps.ones(2)], [w], [ps.ones(1)], 1),
        ("sgd_update", [ps.array([1])], [w], [ps.ones(1)], 1),
        ("no_such_row", None, [w]),
        ("sgd_update", None, *[[w]] * 40),
    ):
        with pytest.raises((TypeError, ValueError, RuntimeError)):
            _core._op_update(*args)


def test_an_argument_that_there_is_not():
    with pytest.raises(TypeError, match=r"^SGD\(\) has no argument 'momentun'$"):
        ps.optim.SGD([ps.ones(2)], 0.1, momentun=0.9)
