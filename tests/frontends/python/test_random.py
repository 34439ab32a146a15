"""Random numbers: their distributions, and that they follow from the seed alone."""

import copy
import math
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import penstock as ps

COUNT = 100_000


def moments(x):
    x = x.asnumpy().astype("float64")
    return x.mean(), x.std()


def near(value, expected, deviation):
    """Within five standard errors of a mean of COUNT numbers."""
    assert abs(value - expected) < 5 * deviation / math.sqrt(COUNT), (value, expected)


@pytest.fixture
def rng():
    return ps.random.default_rng(12345)


# ---- Distributions -----------------------------------------------------------------------------

EULER = 0.5772156649015329

DISTRIBUTIONS = {
    "normal": (lambda r: r.normal(3.0, 2.0, COUNT), 3.0, 2.0),
    "standard_normal": (lambda r: r.standard_normal(COUNT), 0.0, 1.0),
    "randn": (lambda r: r.randn(COUNT // 10, 10), 0.0, 1.0),
    "normal float64": (lambda r: r.normal(-1, 0.5, COUNT, dtype="float64"), -1, 0.5),
    "normal float16": (lambda r: r.normal(0, 1, COUNT, dtype="float16"), 0, 1),
    "uniform": (lambda r: r.uniform(-1.0, 3.0, COUNT), 1.0, 4 / math.sqrt(12)),
    "random": (lambda r: r.random(COUNT), 0.5, 1 / math.sqrt(12)),
    "rand": (lambda r: r.rand(COUNT), 0.5, 1 / math.sqrt(12)),
    "integers": (lambda r: r.integers(0, 7, COUNT), 3.0, 2.0),
    "randint": (lambda r: r.randint(7, size=COUNT), 3.0, 2.0),
    "bernoulli": (lambda r: r.bernoulli(0.2, COUNT), 0.2, 0.4),
    "exponential": (lambda r: r.exponential(2.0, COUNT), 2.0, 2.0),
    "standard_exponential": (lambda r: r.standard_exponential(COUNT), 1.0, 1.0),
    "laplace": (lambda r: r.laplace(1.0, 2.0, COUNT), 1.0, 2 * math.sqrt(2)),
    "gumbel": (lambda r: r.gumbel(1.0, 2.0, COUNT), 1 + 2 * EULER, 2 * math.pi / math.sqrt(6)),
    "lognormal": (
        lambda r: r.lognormal(0.0, 0.5, COUNT),
        math.exp(0.125),
        math.sqrt((math.exp(0.25) - 1) * math.exp(0.25)),
    ),
}


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_moments(name, rng):
    draw, mean, deviation = DISTRIBUTIONS[name]
    x = draw(rng)
    assert x.size == COUNT
    found_mean, found_deviation = moments(x)
    near(found_mean, mean, deviation)
    assert abs(found_deviation - deviation) < 0.03 * deviation
    assert np.isfinite(x.asnumpy().astype("float64")).all()


def test_normal_quantiles(rng):
    x = np.sort(rng.normal(size=COUNT).asnumpy())
    for share, quantile in ((0.0228, -2.0), (0.1587, -1.0), (0.5, 0.0), (0.8413, 1.0)):
        assert abs(x[int(share * COUNT)] - quantile) < 0.05


def test_bounds(rng):
    x = rng.uniform(-1, 2, COUNT).asnumpy()
    assert x.min() >= -1 and x.max() < 2
    x = rng.integers(3, 6, COUNT).asnumpy()
    assert set(np.unique(x)) == {3, 4, 5}
    assert set(np.unique(rng.integers(1, 2, 1000, endpoint=True).asnumpy())) == {1, 2}
    assert (rng.exponential(1.0, COUNT).asnumpy() > 0).all()


def test_integer_types(rng):
    for dtype in ("int8", "uint8", "int32", "uint32", "int64"):
        x = rng.integers(0, 100, 50, dtype=dtype)
        assert x.dtype == dtype
        assert (x.asnumpy() < 100).all()
    with pytest.raises(ValueError):
        rng.integers(0, 300, 5, dtype="int8")


# ---- Shapes and parameters -----------------------------------------------------------------------


def test_shapes(rng):
    assert rng.normal().shape == ()
    assert rng.normal(size=3).shape == (3,)
    assert rng.normal(size=(2, 3)).shape == (2, 3)
    assert rng.normal(size=[2, 3]).shape == (2, 3)
    assert rng.normal(size=()).shape == ()
    assert rng.normal(size=(0, 3)).shape == (0, 3)
    assert rng.rand().shape == rng.randn().shape == ()
    assert rng.rand(2, 3).shape == (2, 3)
    assert rng.uniform(size=np.int64(4)).shape == (4,)


def test_types(rng):
    assert rng.normal().dtype == "float32"
    for dtype in ("float16", "bfloat16", "float32", "float64"):
        for draw in (rng.normal, rng.uniform, rng.exponential, rng.laplace, rng.gumbel):
            assert draw(size=3, dtype=dtype).dtype == dtype
    assert rng.normal(ps.zeros(2, dtype="float64"), 1.0).dtype == "float64"
    assert rng.normal(np.zeros(2), 1.0, dtype="float32").dtype == "float32"
    assert rng.integers(5).dtype == "int64"
    assert rng.bernoulli().dtype == "bool"
    with pytest.raises(TypeError, match="int32"):
        rng.normal(dtype="int32")


def test_array_parameters(rng):
    loc = ps.array([[0.0], [100.0]])
    x = rng.normal(loc, ps.array([0.0, 1.0, 2.0]))
    assert x.shape == (2, 3)
    np.testing.assert_array_equal(x[:, 0].asnumpy(), [0.0, 100.0])
    assert rng.normal(loc, 1.0, size=(5, 2, 3)).shape == (5, 2, 3)
    assert rng.normal([0.0, 1.0], 1).shape == (2,)
    x = rng.uniform(np.array([0.0, 10.0]), np.array([1.0, 20.0]), size=(1000, 2)).asnumpy()
    assert (x >= [0, 10]).all() and (x <= [1, 20]).all() and x[:, 1].mean() > 13
    x = rng.integers(ps.array([0, 100]), ps.array([10, 200]), size=(1000, 2)).asnumpy()
    assert (x >= [0, 100]).all() and (x < [10, 200]).all()
    assert abs(x[:, 0].mean() - 4.5) < 0.6
    x = rng.bernoulli(ps.array([0.0, 1.0]), size=(100, 2)).asnumpy()
    assert not x[:, 0].any() and x[:, 1].all()
    x = rng.exponential(ps.array([1.0, 100.0]), size=(10000, 2)).asnumpy()
    assert abs(x[:, 1].mean() - 100) < 5


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda r: r.normal(0, -1), ValueError, "scale must be at least 0, not -1.0"),
        (lambda r: r.normal(0, float("nan")), ValueError, "nan"),
        (lambda r: r.normal("a"), TypeError, "'a'"),
        (lambda r: r.normal(None), TypeError, "None"),
        (lambda r: r.normal(size=-1), ValueError, "-1"),
        (lambda r: r.normal(size="a"), TypeError, "size must be an integer.*'a'"),
        (lambda r: r.normal(size=1.5), TypeError, "1.5"),
        (lambda r: r.normal(ps.zeros(3), 1, size=2), ValueError, r"\(3,\)"),
        (lambda r: r.normal(ps.zeros(3), 1, size=1), ValueError, r"\(1,\)"),
        (lambda r: r.uniform(2, 1), ValueError, "2.0, above high"),
        (lambda r: r.exponential(-1), ValueError, "scale"),
        (lambda r: r.lognormal(0, -1), ValueError, "sigma"),
        (lambda r: r.laplace(0, -1), ValueError, "scale"),
        (lambda r: r.gumbel(0, -1), ValueError, "scale"),
        (lambda r: r.integers(5, 5), ValueError, "not below 5"),
        (lambda r: r.integers(0), ValueError, "not below 0"),
        (lambda r: r.integers(1.5), TypeError, "1.5"),
        (lambda r: r.bernoulli(1.5), ValueError, "1.5"),
        (lambda r: r.permutation(-1), ValueError, "-1"),
        (lambda r: r.shuffle([1, 2]), TypeError, "array"),
        (lambda r: r.choice(0, 3), ValueError, "nothing"),
        (lambda r: r.choice(3, 4, replace=False), ValueError, "4 of 3"),
        (lambda r: r.choice(3, p=[0.5, 0.5]), ValueError, "3"),
        (lambda r: r.choice(2, p=[0.5, 0.6]), ValueError, "1.1"),
        (lambda r: r.choice(2, p=[1.5, -0.5]), ValueError, "-0.5"),
        (lambda r: r.choice(2, replace=False, p=[0.5, 0.5]), ValueError, "replace"),
    ],
)
def test_bad_parameters(call, error, text, rng):
    state = rng.state
    with pytest.raises(error, match=text):
        call(rng)
    assert rng.state == state


# ---- Orders and choices --------------------------------------------------------------------------


def test_permutation(rng):
    x = rng.permutation(1000).asnumpy()
    assert not (x == np.arange(1000)).all()
    np.testing.assert_array_equal(np.sort(x), np.arange(1000))
    y = rng.permutation(ps.arange(20).reshape(10, 2)).asnumpy()
    np.testing.assert_array_equal(y[:, 1] - y[:, 0], 1)
    assert set(y[:, 0]) == set(range(0, 20, 2))
    assert rng.permutation([5, 6, 7]).shape == (3,)
    assert rng.permutation(0).shape == (0,)


def test_shuffle(rng):
    x = ps.arange(200).reshape(100, 2)
    assert rng.shuffle(x) is None
    y = x.asnumpy()
    assert not (y == np.arange(200).reshape(100, 2)).all()
    np.testing.assert_array_equal(y[:, 1] - y[:, 0], 1)
    assert set(y[:, 0]) == set(range(0, 200, 2))
    view = ps.arange(100)[::2]
    rng.shuffle(view)
    assert sorted(view.tolist()) == list(range(0, 100, 2))


def test_choice(rng):
    assert set(rng.choice(5, 1000).tolist()) == {0, 1, 2, 3, 4}
    assert set(rng.choice([10, 20], 100).tolist()) == {10, 20}
    assert rng.choice(5).shape == ()
    assert rng.choice(5, (2, 3)).shape == (2, 3)
    assert sorted(rng.choice(5, 5, replace=False).tolist()) == [0, 1, 2, 3, 4]
    assert rng.choice(10, (2, 3), replace=False).shape == (2, 3)
    matrix = ps.arange(6).reshape(2, 3)
    assert rng.choice(matrix, 4).shape == (4, 3)
    assert rng.choice(matrix, 4, axis=1).shape == (2, 4)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 100])
def test_choice_with_probabilities(count, rng):
    p = np.arange(1, count + 1, dtype="float64")
    p[count // 2 :: 3] = 0
    p = p / p.sum() if p.sum() else np.ones(count) / count
    for given in (p, list(p), ps.array(p), ps.array(p * 3)):
        x = rng.choice(count, COUNT, p=given).asnumpy()
        shares = np.bincount(x, minlength=count) / COUNT
        assert len(shares) == count
        assert (shares[p == 0] == 0).all()
        assert (np.abs(shares - p) <= 5 * np.sqrt(p / COUNT)).all()


# ---- Seeds and states ----------------------------------------------------------------------------


def draw_some(source):
    return [
        source.normal(size=5).tolist(),
        source.uniform(size=(2, 2)).tolist(),
        source.integers(0, 1000, 5).tolist(),
        source.permutation(7).tolist(),
        source.choice(9, 4, p=[0.5] + [0.0625] * 8).tolist(),
        source.bernoulli(0.5, 9).tolist(),
    ]


def test_same_seed_same_numbers():
    first = draw_some(ps.random.default_rng(7))
    assert draw_some(ps.random.default_rng(7)) == first
    assert draw_some(ps.random.default_rng(8)) != first
    ps.random.seed(7)
    assert draw_some(ps.random) == first
    ps.random.seed(7)
    assert draw_some(ps.random) == first


def test_without_seed():
    assert ps.random.default_rng().state != ps.random.default_rng().state
    ps.random.seed()
    first = ps.random.get_state()
    ps.random.seed()
    assert ps.random.get_state() != first
    rng = ps.random.default_rng(3)
    assert ps.random.default_rng(rng) is rng


def test_draws_follow_each_other(rng):
    x, y = rng.normal(size=4).tolist(), rng.normal(size=4).tolist()
    assert not set(x) & set(y)


def test_state(rng):
    state = rng.state
    first = draw_some(rng)
    assert rng.state != state
    rng.state = state
    assert draw_some(rng) == first
    with pytest.raises(TypeError, match="three integers"):
        rng.state = 5
    with pytest.raises(ValueError, match="-1"):
        rng.state = (1, 2, -1)
    with pytest.raises(AttributeError):
        del rng.state


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))]
)
def test_copies_go_on_alike(duplicate, rng):
    rng.normal(size=100)
    other = duplicate(rng)
    assert type(other) is ps.random.Generator
    assert draw_some(other) == draw_some(rng)


def test_generator_objects():
    with pytest.raises(TypeError, match="'a'"):
        ps.random.Generator("a")
    with pytest.raises(ValueError, match="-1"):
        ps.random.Generator(-1)
    with pytest.raises(ValueError, match=r"2\*\*64"):
        ps.random.Generator(2**64)
    assert "penstock.random.Generator" in repr(ps.random.Generator(1))
    with pytest.raises(TypeError, match="Generator"):
        ps._core._ops["random_normal"]((2,), generator=3)


PROGRAM = """
import penstock as ps
ps.random.seed(99)
x = ps.random.normal(1.0, 2.0, (300, 301))
y = ps.random.uniform(size=100_001) + ps.random.permutation(100_001)
z = ps.random.choice(1000, 5000, p=[0.001] * 1000)
ps.random.shuffle(z)
print([hash(array.tobytes()) for array in (x, y, z)], ps.random.exponential(1.0, 3).tolist())
"""


def test_independent_of_workers():
    seen = set()
    for changed in (
        {"PENSTOCK_WORKERS": "1"},
        {"PENSTOCK_WORKERS": "3"},
        {"PENSTOCK_ENGINE": "sync"},
    ):
        result = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": "0", **changed},
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, result.stderr
        seen.add(result.stdout)
    assert len(seen) == 1, seen


def test_drawing_does_not_wait():
    """Numbers are drawn behind work that is still queued, from the state of the call."""
    ps.random.seed(5)
    expected = ps.random.normal(size=3).tolist()
    slow = ps.ones((1500, 1500))
    for _ in range(3):
        slow = slow @ slow * 1e-4
    ps.random.seed(5)
    x = ps.random.normal(size=3)
    ps.random.seed(6)
    assert x.tolist() == expected
