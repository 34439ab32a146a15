"""Sorting, searching, running sums and unique elements against NumPy: every type, any layout.

What is compared is bits where NumPy's own operations have one order too; sums of 16-bit floats,
which NumPy adds up in their own type, are compared with sums in float32.
"""

import pickle

import hypothesis
import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest

import penstock as ps

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
DTYPES = ["bool", *INTEGERS, *FLOATS, *COMPLEX]
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0]


def elements(dtype):
    """Few numbers, so that many are equal, or any."""
    kind = np.dtype(dtype).kind
    if kind == "f":
        width = np.dtype(dtype).itemsize * 8
        return st.sampled_from(SPECIAL) | st.floats(width=width)
    if kind == "c":
        part = st.sampled_from(SPECIAL)
        return st.builds(complex, part, part)
    return hnp.from_dtype(np.dtype(dtype)) | st.sampled_from([0, 1])


@st.composite
def arrays(draw, dtypes=DTYPES, max_side=40):
    """The same elements as a NumPy array and as ours, both through the same view."""
    dtype = draw(st.sampled_from(dtypes))
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=max_side))
    x = draw(hnp.arrays(dtype, shape, elements=elements(dtype)))
    ours = ps.array(x)
    if draw(st.booleans()):
        x, ours = x.T, ours.T
    if draw(st.booleans()):
        x, ours = x[..., ::-1], ours[..., ::-1]
    if draw(st.booleans()):
        x, ours = x[::2], ours[::2]
    return x, ours


def same(ours, theirs):
    """The same type, shape and bits."""
    ours, theirs = np.ascontiguousarray(ours), np.ascontiguousarray(theirs)
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    np.testing.assert_array_equal(ours.view(np.uint8), theirs.view(np.uint8))


def equal(ours, theirs):
    """The same type, shape and numbers; one NaN is as good as another."""
    ours = np.asarray(ours)
    assert ours.dtype == theirs.dtype
    np.testing.assert_array_equal(ours, theirs, strict=True)


def descending(x, axis):
    """Positions in descending order, equal ones in their own order: NumPy has it turned round."""
    turned = np.argsort(np.flip(x, axis), axis=axis, kind="stable")
    return x.shape[axis] - 1 - np.flip(turned, axis)


# ---- Order -------------------------------------------------------------------------------------


@hypothesis.given(arrays(), st.data())
def test_sorting_is_numpys_stable_sort(both, data):
    x, ours = both
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    up, down = np.argsort(x, axis=axis, kind="stable"), descending(x, axis)
    same(ps.argsort(ours, axis=axis), up)
    same(ps.argsort(ours, axis=axis, descending=True), down)
    same(ps.sort(ours, axis=axis), np.take_along_axis(x, up, axis))
    same(ps.sort(ours, axis=axis, descending=True), np.take_along_axis(x, down, axis))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("length", [15, 17, 48, 49, 97, 5000])
def test_long_rows(dtype, length):
    rng = np.random.default_rng(length)
    x = np.frombuffer(rng.bytes(3 * length * np.dtype(dtype).itemsize), dtype)
    if dtype == "bool":
        x = rng.random(3 * length) < 0.5
    x = x.reshape(3, length)
    up = np.argsort(x, kind="stable")
    same(ps.argsort(ps.array(x)), up)
    same(ps.sort(ps.array(x)), np.take_along_axis(x, up, 1))
    same(ps.topk(ps.array(x), 7), descending(x, 1)[:, :7])


def test_bfloat16_is_in_order():
    x = ps.array([2.5, -1.0, ps.nan, 0.0, -0.0, -ps.inf], dtype=ps.bfloat16)
    assert ps.argsort(x).tolist() == [5, 1, 3, 4, 0, 2]
    assert str(ps.sort(x).astype("float32").tolist()) == "[-inf, -1.0, 0.0, -0.0, 2.5, nan]"
    assert ps.searchsorted(ps.sort(x), ps.array([0.0, ps.nan])).tolist() == [2, 5]


@hypothesis.given(arrays(), st.data())
def test_the_first_k(both, data):
    x, ours = both
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    k = data.draw(st.integers(0, x.shape[axis]))
    first = np.s_[:k]
    up, down = np.argsort(x, axis=axis, kind="stable"), descending(x, axis)
    same(ps.topk(ours, k, axis=axis), np.moveaxis(np.moveaxis(down, axis, 0)[first], 0, axis))
    same(
        ps.topk(ours, k, axis=axis, largest=False),
        np.moveaxis(np.moveaxis(up, axis, 0)[first], 0, axis),
    )


def test_a_few_of_many():
    x = np.random.default_rng(3).integers(0, 50, (5, 3000))
    for k in (0, 1, 10, 187, 188, 3000):
        same(ps.topk(ps.array(x), k), descending(x, 1)[:, :k])


@hypothesis.given(st.data(), st.sampled_from(DTYPES), st.sampled_from(["left", "right"]))
def test_searching(data, dtype, side):
    x = np.sort(data.draw(hnp.arrays(dtype, st.integers(0, 50), elements=elements(dtype))))
    values = data.draw(hnp.arrays(dtype, (3, 2), elements=elements(dtype)))
    found = ps.searchsorted(ps.array(x), ps.array(values).T, side=side)
    same(found, np.searchsorted(x, values.T, side))


@hypothesis.given(arrays(max_side=12), st.data())
def test_membership(both, data):
    x, ours = both
    values = data.draw(hnp.arrays(x.dtype, st.integers(0, 9), elements=elements(x.dtype)))
    for invert in (False, True):
        same(ps.isin(ours, ps.array(values), invert=invert), np.isin(x, values, invert=invert))


# ---- Unique elements ----------------------------------------------------------------------------


@hypothesis.given(arrays())
def test_unique_elements(both):
    x, ours = both
    values, indices, inverse, counts = np.unique(x, True, True, True, equal_nan=False)
    inverse = inverse.reshape(x.shape)
    found = ps.unique_all(ours)
    equal(found.values, values)
    same(found.indices, indices)
    same(found.inverse_indices, inverse)
    same(found.counts, counts)
    equal(ps.unique_values(ours), values)
    pair = ps.unique_counts(ours)
    equal(pair.values, values)
    same(pair.counts, counts)
    pair = ps.unique_inverse(ours)
    equal(pair.values, values)
    same(pair.inverse_indices, inverse)


@hypothesis.given(arrays(["bool", "int8", "uint64", *FLOATS]), *[st.booleans()] * 3)
def test_unique_as_numpy_spells_it(both, index, inverse, counts):
    x, ours = both
    found, theirs = (u(a, index, inverse, counts) for u, a in ((ps.unique, ours), (np.unique, x)))
    if not (index or inverse or counts):
        equal(found, theirs)
        return
    assert type(found) is tuple
    for one, other in zip(found, theirs, strict=True):
        equal(one, other.reshape(np.shape(one)))


def test_names_of_the_parts():
    found = ps.unique_all(ps.array([3, 1, 3]))
    assert found._fields == ("values", "indices", "inverse_indices", "counts")
    assert ps.unique_counts([1])._fields == ("values", "counts")
    assert ps.unique_inverse([1])._fields == ("values", "inverse_indices")
    again = pickle.loads(pickle.dumps(found))
    assert type(again) is type(found)
    assert again.counts.tolist() == [1, 2]


# ---- Running sums and products -------------------------------------------------------------------


@hypothesis.given(arrays(["bool", *INTEGERS, "float32", "float64", *COMPLEX]), st.data())
def test_running_sums_and_products(both, data):
    x, ours = both
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1))
    with np.errstate(all="ignore"):
        equal(ps.cumsum(ours, axis), np.cumsum(x, axis))
        if x.dtype.kind != "c":  # NumPy's product of infinities is NaN where ours is infinite
            equal(ps.cumprod(ours, axis), np.cumprod(x, axis))


@hypothesis.given(arrays(["float16"]), st.data())
def test_running_sums_of_halves(both, data):
    x, ours = both
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    with np.errstate(all="ignore"):
        equal(ps.cumsum(ours, axis), np.cumsum(x.astype("float32"), axis).astype("float16"))


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint32", "float32", "float64", "complex64"])
def test_running_sums_in_another_type(dtype):
    x = np.arange(-5, 55, dtype="int16").reshape(3, 20)
    with np.errstate(all="ignore"):
        equal(ps.cumsum(ps.array(x), 1, dtype), np.cumsum(x, 1, dtype))
        equal(ps.cumprod(ps.array(x), 0, dtype=dtype), np.cumprod(x, 0, dtype))


def test_methods():
    x = ps.array([[3, 1], [2, 5]])
    assert x.cumsum().tolist() == [3, 4, 6, 11]
    assert x.cumprod(1).tolist() == [[3, 3], [2, 10]]
    assert x.argsort(0, descending=True).tolist() == [[0, 1], [1, 0]]
    assert not hasattr(x, "sort")


def test_into_an_array():
    x = ps.array([3, 1, 2])
    assert ps.sort(x, out=x) is x
    assert x.tolist() == [1, 2, 3]
    wide = ps.zeros(3)
    assert ps.cumsum(x, out=wide) is wide
    assert wide.tolist() == [1.0, 3.0, 6.0]


# ---- Errors and modes --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda x: ps.sort(x, axis=2), ValueError, "axis 2"),
        (lambda x: ps.sort(x, axis=None), TypeError, "axis"),
        (lambda x: ps.argsort(ps.sum(x)), ValueError, "0 dimensions"),
        (lambda x: ps.topk(x, 4), ValueError, "k is 4, must be from 0 to 3"),
        (lambda x: ps.topk(x, 1.5), TypeError, "k"),
        (lambda x: ps.searchsorted(x, x), ValueError, r"one dimension, not shape \(2, 3\)"),
        (lambda x: ps.searchsorted(x[0], x, side="middle"), ValueError, "middle"),
        (lambda x: ps.cumulative_sum(x), ValueError, r"axis is needed .* shape \(2, 3\)"),
        (lambda x: ps.cumulative_sum(ps.sum(x)), ValueError, "axis is needed"),
        (lambda x: ps.cumsum(x, 0, "bool"), TypeError, "float32 as bool"),
        (lambda x: ps.cumprod(x + 1j, 0, "float32"), TypeError, "complex64 as float32"),
    ],
)
def test_what_is_refused(call, error, text):
    with pytest.raises(error, match=text):
        call(ps.ones((2, 3)))


def test_nothing_waits_but_for_shapes():
    """Queued behind an operation that fails: only what depends on values says so at the call."""
    bad = ps.take(ps.arange(3), ps.array([7]))
    results = [ps.sort(bad), ps.argsort(bad), ps.topk(bad, 1), ps.cumsum(bad)]
    results += [ps.searchsorted(bad, 1), ps.isin(bad, bad), ps._core._ops["unique_inverse"](bad)]
    for result in results:
        with pytest.raises(IndexError, match="index 7"):
            result.wait()
    with pytest.raises(IndexError, match="index 7"):
        ps.unique_values(bad)
    with pytest.raises(IndexError, match="index 7"):
        bad.wait()


def test_no_memory_to_sort():
    x = ps.zeros(4_000_000, dtype="int8")
    x.wait()
    before = ps.memory.stats().limit
    ps.memory.trim()
    ps.memory.set_limit(ps.memory.stats().live + (40 << 20))  # the result fits, nothing beside it
    try:
        places = ps.argsort(x)
        with pytest.raises(MemoryError, match="argsort: no memory to sort rows of 4000000"):
            places.wait()
    finally:
        ps.memory.set_limit(before)
    assert ps.argsort(x)[-1].item() == x.size - 1


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_workers_change_nothing(workers):
    x = np.random.default_rng(0).normal(size=(60, 700)).astype("float32")
    before = ps.engine.workers()
    try:
        ps.engine.set_workers(workers)
        for axis in (0, 1):
            same(ps.sort(ps.array(x), axis=axis), np.sort(x, axis))
            same(ps.cumsum(ps.array(x), axis), np.cumsum(x, axis))
    finally:
        ps.engine.set_workers(before)
