"""Functions of mx.nd that are a step of an optimiser, with numbers of the real MXNet."""

import numpy
import pytest
from penstock import mxnet as mx
from penstock.mxnet import nd

COMMON = {"lr": 0.1, "wd": 0.01, "rescale_grad": 0.5, "clip_gradient": 0.3}


def made(seed, positive=False):
    values = numpy.random.RandomState(seed).normal(size=3)
    return nd.array(abs(values) if positive else values)


# Function, states (True: positive), further arguments, the new weight, the new states.
CASES = [
    (
        "sgd_update",
        (),
        {},
        [1.73229, 0.429757, 1.00417],
        [],
    ),
    (
        "sgd_mom_update",
        (False,),
        {"momentum": 0.9},
        [1.35721, 0.379117, -0.918409],
        [[-0.406846, -0.0210403, -1.89715]],
    ),
    (
        "nag_mom_update",
        (False,),
        {"momentum": 0.9, "wd": 0.0},
        [1.36948, 0.411581, -0.701404],
        [[-0.405082, -0.0206401, -1.89617]],
    ),
    (
        "adam_update",
        (False, True),
        {},
        [1.78987, 0.412368, 1.60594],
        [[-0.345082, -0.0806402, -1.94801], [1.78693, 0.436163, 0.0964656]],
    ),
    (
        "rmsprop_update",
        (True,),
        {"clip_weights": 0.2},
        [0.2, 0.2, 0.2],
        [[0.40042, 0.0579535, 2.03262]],
    ),
    (
        "ftrl_update",
        (False, True),
        {},
        [0.0292218, 0.0351008, 0.237128],
        [[-0.703034, -0.616053, -3.35048], [1.87863, 0.52651, 0.166239]],
    ),
    (
        "ftml_update",
        (True, True, False),
        {"t": 3},
        [1.76096, 0.398112, 0.966256],
        [
            [191.438, 94.5798, 44.4795],
            [1.78693, 0.436163, 0.0964656],
            [-337.115, -37.6533, -42.9786],
        ],
    ),
    (
        "signsgd_update",
        (),
        {},
        [1.66229, 0.499757, 1.07776],
        [],
    ),
    (
        "signum_update",
        (False,),
        {"momentum": 0.9, "wd_lh": 0.02},
        [1.66052, 0.299357, 0.876781],
        [[-0.406846, -0.0210403, -1.89715]],
    ),
]


@pytest.mark.parametrize(("name", "states", "others", "weight", "after"), CASES)
def test_a_step(name, states, others, weight, after):
    states = [made(2 + i, positive) for i, positive in enumerate(states)]
    options = COMMON | others
    if name == "ftml_update":
        options["clip_grad"] = options.pop("clip_gradient")
    old = made(0)
    new = getattr(nd, name)(old, made(1), *states, **options)
    numpy.testing.assert_allclose(new.asnumpy(), weight, rtol=1e-4, atol=1e-5)
    for state, expected in zip(states, after, strict=True):
        numpy.testing.assert_allclose(state.asnumpy(), expected, rtol=1e-4, atol=1e-5)
    assert (old.asnumpy() == made(0).asnumpy()).all()
    states = [made(2 + i, positive) for i, positive in enumerate(CASES_BY_NAME[name])]
    assert getattr(nd, name)(old, made(1), *states, out=old, **options) is old
    numpy.testing.assert_allclose(old.asnumpy(), weight, rtol=1e-4, atol=1e-5)


CASES_BY_NAME = {name: states for name, states, *_ in CASES}


def test_float32_copies():
    weight = made(0).astype("float16")
    master = weight.astype("float32")
    nd.mp_sgd_update(weight, made(1).astype("float16"), master, out=weight, **COMMON)
    expected = made(0).asnumpy().astype("float16").astype("float32")
    gradient = made(1).asnumpy().astype("float16").astype("float32")
    step = numpy.clip(0.5 * gradient, -0.3, 0.3) + 0.01 * expected
    numpy.testing.assert_allclose(master.asnumpy(), expected - 0.1 * step, rtol=1e-6)
    assert (weight.asnumpy() == master.asnumpy().astype("float16")).all()


def test_several_at_once():
    weights, gradients = [made(0), made(1)], [made(2), made(3)]
    single = [
        nd.sgd_update(weights[0], gradients[0], lr=0.1, wd=0.0),
        nd.sgd_update(weights[1], gradients[1], lr=0.2, wd=0.5),
    ]
    pairs = (weights[0], gradients[0], weights[1], gradients[1])
    nd.multi_sgd_update(*pairs, lrs=(0.1, 0.2), wds=(0.0, 0.5), num_weights=2, out=weights)
    for one, other in zip(weights, single):
        assert (one.asnumpy() == other.asnumpy()).all()


def test_sums_and_checks_of_several():
    x, y = nd.array([1, 2]), nd.array([[3]])
    assert nd.multi_sum_sq(x, y, num_arrays=2).asnumpy().tolist() == [5, 9]
    assert nd.multi_all_finite(x, y, num_arrays=2).asnumpy().tolist() == [1]
    assert nd.multi_all_finite(x, nd.array([numpy.inf])).asnumpy().tolist() == [0]
    out = nd.zeros((1,))
    nd.multi_all_finite(x, init_output=False, out=out)
    assert out.asscalar() == 0  # what was wrong before stays wrong
    nd.reset_arrays(x, y, num_arrays=2)
    assert x.asnumpy().tolist() == [0, 0] and y.asnumpy().tolist() == [[0]]


def test_bad_input():
    with pytest.raises(mx.MXNetError):
        nd.sgd_update(made(0), made(1), lr=0.1, bogus=1)
    with pytest.raises(AssertionError):
        nd.sgd_update(3, made(1), lr=0.1)
