"""Indexing means what it means in NumPy, for reading and writing, with every kind of key.

Keys are drawn for drawn shapes; the same key is used on a NumPy array and on one of ours. Keys that
hold arrays are tried with NumPy's arrays, with lists and with our arrays in their places."""

import gc
import operator
import weakref

import hypothesis.strategies as st
import numpy as np
import penstock as ps
import pytest
from hypothesis import example, given

# ---- Shapes, arrays, keys --------------------------------------------------------------------


def filled(shape, dtype=np.float32):
    """Numbers that differ, 1 and up, so that a wrong element is seen."""
    return (np.arange(np.prod(shape, dtype=int)) + 1).reshape(shape).astype(dtype)


def pair(shape, dtype=np.float32):
    a = filled(shape, dtype)
    return a, ps.array(a)


def same(a, x):
    b = x.asnumpy()
    assert a.shape == x.shape == b.shape
    assert a.dtype == b.dtype
    np.testing.assert_array_equal(a, b)


shapes = st.lists(st.integers(0, 4), min_size=0, max_size=4).map(tuple)


def slices(length):
    ends = st.none() | st.integers(-length - 2, length + 2)
    steps = st.none() | st.sampled_from([1, 1, 2, -1, -2, 3, -7])
    return st.builds(slice, ends, ends, steps)


@st.composite
def basic_items(draw, shape):
    """Items for all axes or the first few, with None and ... in between."""
    items = []
    for length in shape[: draw(st.integers(0, len(shape)))]:
        whole = draw(st.booleans()) or length == 0
        items.append(draw(slices(length) if whole else st.integers(-length, length - 1)))
    cut = draw(st.integers(0, len(items)))
    if draw(st.booleans()):
        tail = items[cut:]
        axes = shape[len(shape) - len(tail) :]
        fits = [isinstance(i, slice) or -n <= i < n for i, n in zip(tail, axes)]
        items = items[:cut] + [...] + [i if ok else slice(None) for i, ok in zip(tail, fits)]
    for _ in range(draw(st.integers(0, 2))):
        items.insert(draw(st.integers(0, len(items))), None)
    return items


@st.composite
def basic_keys(draw, shape):
    items = draw(basic_items(shape))
    return items[0] if len(items) == 1 and draw(st.booleans()) else tuple(items)


@st.composite
def array_keys(draw, shape):
    """A key with one to three arrays or masks in it."""
    common = tuple(draw(st.lists(st.integers(0, 3), max_size=2)))
    selected = 0

    def positions(length):
        own = common[draw(st.integers(0, len(common))) :]
        own = tuple(1 if draw(st.integers(0, 4)) == 0 else n for n in own)
        if length == 0:
            own = (*own[:-1], 0) if own else (0,)
        size = int(np.prod(own, dtype=int))
        low, high = (-length, length - 1) if length else (0, 0)
        values = draw(st.lists(st.integers(low, high), min_size=size, max_size=size))
        dtype = draw(st.sampled_from([np.int64, np.int32, np.int8, np.uint8]))
        if dtype == np.uint8:
            values = [v % length for v in values]
        return np.array(values, dtype=dtype).reshape(own)

    def mask(lengths):
        size = int(np.prod(lengths, dtype=int))
        bits = draw(st.lists(st.booleans(), min_size=size, max_size=size))
        return np.array(bits, dtype=bool).reshape(lengths)

    items, axis = [], 0
    while axis < len(shape):
        kind = draw(st.sampled_from(["array", "array", "mask", "integer", "slice", "stop"]))
        if kind == "mask" and selected:
            kind = "array"
        if kind == "stop":
            break
        if kind == "array":
            items.append(positions(shape[axis]))
        elif kind == "mask":
            span = draw(st.integers(1, min(2, len(shape) - axis)))
            items.append(mask(shape[axis : axis + span]))
            selected, axis = 1, axis + span - 1
        elif kind == "integer" and shape[axis]:
            items.append(draw(st.integers(-shape[axis], shape[axis] - 1)))
        else:
            items.append(draw(slices(shape[axis])))
        axis += 1
    if not any(isinstance(i, np.ndarray) for i in items):
        items.append(np.bool_(draw(st.booleans())))
    if axis == len(shape) and draw(st.booleans()):
        items.insert(draw(st.integers(0, len(items))), ...)
    if draw(st.integers(0, 3)) == 0:
        items.insert(draw(st.integers(0, len(items))), None)
    return tuple(items)


def ours(key):
    """The key with our arrays in the place of NumPy's."""
    if isinstance(key, tuple):
        return tuple(ours(item) for item in key)
    return ps.array(key) if isinstance(key, np.ndarray) else key


def listed(key):
    """The key with lists; a list without elements would lose shape and type."""
    if isinstance(key, tuple):
        return tuple(listed(item) for item in key)
    return key.tolist() if isinstance(key, np.ndarray) and key.size else key


def fails_in_numpy(a, key):
    try:
        a[key]
    except IndexError:  # arrays that do not fit together
        return True
    return False


shapes_and_basic = shapes.flatmap(lambda s: st.tuples(st.just(s), basic_keys(s)))
shapes_and_arrays = shapes.flatmap(lambda s: st.tuples(st.just(s), array_keys(s)))
two = np.array([0, 1])

# ---- Reading without arrays ------------------------------------------------------------------


@given(shapes_and_basic)
def test_basic_reading(case):
    shape, key = case
    a, x = pair(shape)
    same(np.asarray(a[key]), x[key])


@given(shapes_and_basic, st.data())
def test_basic_reading_of_a_view(case, data):
    shape, key = case
    a, x = pair(shape)
    a, x = np.asarray(a[key]), x[key]
    again = data.draw(basic_keys(a.shape))
    same(np.asarray(a[again]), x[again])


@given(shapes_and_basic)
def test_basic_reading_gives_views(case):
    shape, key = case
    a, x = pair(shape)
    view = x[key]
    x += 1
    a += 1
    same(np.asarray(a[key]), view)


@pytest.mark.parametrize("i", [0, 2, -1, -3, np.int8(1), np.array(2), np.uint64(1), True + 1])
def test_one_integer(i):
    a, x = pair((3, 2))
    same(a[i], x[i])


def test_anything_with_index_is_an_integer():
    class Two:
        def __index__(self):
            return 2

    a, x = pair((3, 2))
    same(a[Two()], x[Two()])
    same(a[: Two()], x[: Two()])
    same(a[Two(), 1], x[Two(), 1])


def test_an_array_without_dimensions_is_an_integer():
    a, x = pair((3, 2))
    i = ps.array(2)
    same(a[2], x[i])
    same(a[:, 1], x[:, i - 1])
    same(a[0:2], x[0:i])
    x[i] = 9
    a[2] = 9
    same(a, x)


big = 2**80


@pytest.mark.parametrize(
    "key",
    [
        slice(-big, big),
        slice(big, -big, -1),
        slice(None, -big),
        slice(-big, None, -1),
        slice(None, -big, -1),
        slice(big, None),
        slice(None, None, big),
        slice(None, None, -big),
        slice(-(2**63), None),
        slice(None, -(2**63)),
        slice(2**63 - 1, None, -(2**63) + 1),
    ],
)
def test_slices_with_huge_numbers(key):
    a, x = pair((5,))
    same(a[key], x[key])


def test_slice_of_step_0():
    x = ps.ones(3)
    with pytest.raises(ValueError, match="step"):
        x[::0]
    with pytest.raises(ValueError, match="step"):
        x[::0] = 1


# ---- Writing without arrays ------------------------------------------------------------------


def values_for(shape):
    """Values that can be broadcast to a shape, as NumPy arrays; some with 1 in front."""

    @st.composite
    def draw_one(draw):
        own = shape[draw(st.integers(0, len(shape))) :]
        own = tuple(1 if draw(st.integers(0, 3)) == 0 else n for n in own)
        own = (1,) * draw(st.integers(0, min(1, len(shape)))) + own
        dtype = draw(st.sampled_from([np.float32, np.float64, np.int64, np.int8, np.bool_]))
        return filled(own) % 2 == 0 if dtype == np.bool_ else -filled(own).astype(dtype)

    return draw_one()


dtypes = st.sampled_from([np.float32, np.int32, np.float64, np.int8, np.complex64])


@given(shapes_and_basic, dtypes, st.data())
def test_basic_writing(case, dtype, data):
    shape, key = case
    a, x = pair(shape, dtype)
    value = data.draw(values_for(np.asarray(a[key]).shape))
    a[key] = value
    kinds = [lambda v: v, ps.array, lambda v: v.tolist() if v.size else v]
    x[key] = data.draw(st.sampled_from(kinds))(value)
    same(a, x)


@given(shapes_and_basic, st.data())
def test_writing_through_views(case, data):
    shape, key = case
    a, x = pair(shape)
    b, y = a[key], x[key]
    if not isinstance(b, np.ndarray):
        b, y = a, x
    again = data.draw(basic_keys(b.shape))
    value = data.draw(values_for(np.asarray(b[again]).shape))
    b[again] = value
    y[again] = value
    same(a, x)
    same(b, y)


@pytest.mark.parametrize("key", [..., slice(None), 1, (1, 0), (slice(None), 1), (), None])
@pytest.mark.parametrize("value", [7, -2.5, True, np.float64(0.5), np.int8(3)])
@pytest.mark.parametrize("dtype", [np.float32, np.int16, np.complex64, np.bool_])
def test_writing_numbers(key, value, dtype):
    a, x = pair((3, 2), dtype)
    a[key] = value
    x[key] = value
    same(a, x)


some_keys = [0, slice(None), [True, False, True], [0, 2], ([0],), ..., True]


@pytest.mark.parametrize("key", some_keys)
@pytest.mark.parametrize(
    "dtype, value",
    [
        ("float64", 0.1),
        ("complex128", 0.1 + 0.7j),
        ("complex128", 0.1),
        ("int64", 2**60 + 1),
        ("int64", 1e18),
        ("uint64", 2**64 - 1),
        ("int32", 16777217.0),
        ("float32", 10**30),
        ("bool", 5),
    ],
)
def test_numbers_lose_nothing_on_the_way(key, dtype, value):
    a, x = np.zeros(3, dtype), ps.zeros(3, dtype=dtype)
    a[key] = value
    x[key] = value
    same(a, x)
    a[...] = [value] * 3
    x[...] = [value] * 3
    same(a, x)


@pytest.mark.parametrize("key", some_keys)
def test_numbers_that_do_not_fit(key):
    for dtype, value, error in [
        ("int8", 300, OverflowError),
        ("uint8", -1, OverflowError),
        ("int64", 2**63, OverflowError),
        ("int64", 2**99, OverflowError),
        ("float32", 1j, TypeError),
        ("int8", [300], OverflowError),
    ]:
        x = ps.ones(3, dtype=dtype)
        with pytest.raises(error, match=f"{dtype}|complex"):
            x[key] = value
        assert x.tolist() == [1, 1, 1]


def test_moving_within_an_array():
    for read, write in [
        (slice(None, -1), slice(1, None)),
        (slice(1, None), slice(None, -1)),
        (slice(None, None, -1), slice(None)),
        (slice(None), slice(None, None, -1)),
        (slice(0, 40), slice(20, 60)),
    ]:
        a, x = pair((60, 3))
        a[write] = a[read].copy()
        x[write] = x[read]
        same(a, x)
    a, x = pair((4, 4))
    a[...] = a.T.copy()
    x[...] = x.T
    same(a, x)


def test_assigning_an_array_to_itself():
    a, x = pair((5,))
    x[:] = x
    x[...] = x
    x[1:4] = x[1:4]
    x[2] = x[2]
    same(a, x)


def test_updates_in_place():
    a, x = pair((4, 3))
    a[1:3] += 10
    x[1:3] += 10
    a[:, 0] *= 2
    x[:, 0] *= 2
    a[-1, -1] -= 5
    x[-1, -1] -= 5
    same(a, x)


def test_a_reader_before_a_write_sees_the_old_elements():
    a, x = pair((1000,))
    doubled, taken = x * 2, x[[5, 999]]
    x[:] = 0
    same(a * 2, doubled)
    same(a[[5, 999]], taken)


def test_a_value_is_captured_when_it_is_assigned():
    x = ps.zeros(4)
    value = np.ones(4, np.float32)
    x[:] = value
    value[:] = 5
    assert x.tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "key, value",
    [
        (slice(None), [1, 2]),
        (0, [[1, 2, 3]] * 2),
        (slice(0, 1), np.zeros((2, 3))),
        (..., np.zeros((2, 2, 3))),
    ],
)
def test_values_of_wrong_shape(key, value):
    a, x = pair((2, 3))
    with pytest.raises(ValueError):
        a[key] = value
    with pytest.raises(ValueError, match="shape"):
        x[key] = value
    same(a, x)


@pytest.mark.parametrize("value", ["text", None, object(), {}])
def test_values_of_no_use(value):
    x = ps.ones(2)
    with pytest.raises((TypeError, ValueError)):
        x[0] = value
    assert x.tolist() == [1, 1]


def test_elements_cannot_be_deleted():
    x = ps.ones(3)
    with pytest.raises(TypeError, match="deleted"):
        del x[0]


# ---- Reading with arrays ---------------------------------------------------------------------


@given(shapes_and_arrays, st.sampled_from([lambda key: key, ours, listed]))
@example(((2, 3, 4), (slice(None), two, ..., two)), ours)
@example(((2, 3, 4), (0, slice(None), two)), ours)
@example(((2, 3, 4), (two, None, two)), ours)
@example(((2, 3, 4), (two, 1, two)), ours)
@example(((2, 3, 4), (slice(None), np.bool_(True), two)), ours)
@example(((2, 3, 4), (slice(None), 0, ..., np.array([0, 1, 3]))), ours)
@example(((2, 3, 4), (two, slice(None), np.arange(4) % 2 == 0)), ours)
def test_reading_with_arrays(case, kind):
    shape, key = case
    a, x = pair(shape)
    if fails_in_numpy(a, key):
        with pytest.raises(IndexError):
            x[kind(key)]
        return
    same(np.asarray(a[key]), x[kind(key)])


@given(shapes_and_arrays, st.data())
def test_reading_a_view_with_arrays(case, data):
    shape, key = case
    a, x = pair(shape)
    before = data.draw(basic_keys(shape))
    a, x = np.asarray(a[before]), x[before]
    key = data.draw(array_keys(a.shape))
    if not fails_in_numpy(a, key):
        same(np.asarray(a[key]), x[ours(key)])


def test_what_is_read_with_arrays_is_a_copy():
    a, x = pair((4, 3))
    for key in ([0, 2], np.array([True, False, True, False]), ([1, 2], [0, 1]), True):
        copy = x[key]
        old = a[key].copy()
        x += 1
        a += 1
        same(old, copy)


def test_masks_of_all_shapes():
    a, x = pair((3, 4, 2))
    same(a[a > 7], x[x > 7])
    rows, layers = a[:, 0, 0] > 5, a[:, :, 0] > 5
    same(a[rows], x[ps.array(rows)])
    same(a[layers], x[layers])
    same(a[rows, ...], x[rows, ...])
    same(a[rows, 1], x[rows.tolist(), 1])
    same(a[:, a[0, :, 0] > 3], x[:, x[0, :, 0] > 3])
    same(a[True], x[True])
    same(a[False], x[False])
    same(a[None, True, 1], x[None, True, 1])
    same(a[a > 99], x[x > 99])


def test_ranges_and_other_sequences():
    a, x = pair((5, 2))
    same(a[range(3)], x[range(3)])
    same(a[[]], x[[]])
    same(a[:, []], x[:, []])
    same(a[[3, 1], [0, 1]], x[(3, 1), (0, 1)])
    same(a[memoryview(np.array([4, 0]))], x[memoryview(np.array([4, 0]))])


def test_the_key_may_be_the_array_itself():
    a = np.array([3, 0, 1, 2])
    x = ps.array(a)
    same(a[a], x[x])
    x[x] = 7
    a[a.copy()] = 7
    same(a, x)


def test_keys_are_captured_when_they_are_used():
    a, x = pair((4,))
    key = np.array([0, 1])
    y = x[key]
    key[:] = 3
    assert y.tolist() == [1, 2]


# ---- Writing with arrays ---------------------------------------------------------------------


@given(shapes_and_arrays, dtypes, st.sampled_from([lambda key: key, ours, listed]), st.data())
@example(((2, 3, 4), (slice(None), two, ..., two)), np.float32, ours, None)
@example(((2, 3, 4), (0, slice(None), two)), np.float32, ours, None)
@example(((2, 3, 4), (slice(None), 0, None, two)), np.float32, ours, None)
@example(((2, 3, 4), (two, 1, two)), np.float32, ours, None)
@example(((2, 3, 4), (slice(None, None, -1), two[:, None], slice(1, 3))), np.int8, ours, None)
@example(((2, 3, 4), (slice(None), np.ones((3, 4), bool))), np.float32, ours, None)
def test_writing_with_arrays(case, dtype, kind, data):
    shape, key = case
    a, x = pair(shape, dtype)
    if fails_in_numpy(a, key):
        return
    selected = np.asarray(a[key]).shape
    value = data.draw(values_for(selected)) if data is not None else -filled(selected)
    try:
        a[key] = value
    except TypeError:  # what has no dimensions takes no value of two, in NumPy
        return
    x[kind(key)] = ps.array(value)
    same(a, x)


@given(shapes_and_arrays, st.sampled_from([5, -1.5, True]), dtypes)
def test_writing_numbers_with_arrays(case, value, dtype):
    shape, key = case
    a, x = pair(shape, dtype)
    if fails_in_numpy(a, key):
        return
    a[key] = value
    x[ours(key)] = value
    same(a, x)


@given(shapes_and_basic, st.data())
def test_writing_with_arrays_through_views(case, data):
    shape, key = case
    a, x = pair(shape)
    b, y = a[key], x[key]
    if not isinstance(b, np.ndarray):
        b, y = a, x
    again = data.draw(array_keys(b.shape))
    if fails_in_numpy(b, again):
        return
    b[again] = -7
    y[ours(again)] = -7
    same(a, x)
    same(b, y)


def test_of_equal_positions_the_last_counts():
    a, x = pair((4,))
    for array in (a, x):
        array[[1, 2, 1, 1]] = [10, 20, 30, 40]
    same(a, x)
    a, x = pair((3, 3))
    for array in (a, x):
        array[[1, 1], [2, 2]] = [5, 6]
    same(a, x)


def test_values_that_are_parts_of_the_array():
    a, x = pair((6, 2))
    a[[0, 1, 2]] = a[3:].copy()
    x[[0, 1, 2]] = x[3:]
    a[[5, 4, 3, 2, 1, 0]] = a.copy()
    x[[5, 4, 3, 2, 1, 0]] = x
    a[a > 5] = a[0, 0].copy()
    x[x > 5] = x[0, 0]
    same(a, x)


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.bool_, np.complex64])
@pytest.mark.parametrize("value", [0, 2.5, True, np.float32(1.5)])
def test_numbers_under_a_mask(dtype, value):
    a, x = pair((3, 4), dtype)
    mask = filled((3, 4)) % 3 == 0
    a[mask] = value
    x[mask] = value
    same(a, x)
    a[mask[:, 2]] = value
    x[ps.array(mask)[:, 2]] = value
    same(a, x)


def test_arrays_under_a_mask():
    a, x = pair((3, 4))
    mask = a > 6
    for array in (a, x):
        array[mask] = np.arange(6) * 10
        array[mask[:, 3]] = [[1.5, 2.5, 3.5, 4.5]]
        array[mask[:, 3]] = np.ones((2, 4))
        array[mask[:, 3]] = np.array([[7], [8]])
    same(a, x)
    a[a > 99] = 1
    x[x > 99] = 1
    same(a, x)


def test_a_mask_made_of_the_array():
    a, x = pair((10,))
    x[x > 5] = x[x > 5] * 2
    a[a > 5] = a[a > 5] * 2
    x[x < 3] = 0
    a[a < 3] = 0
    same(a, x)


def test_updates_in_place_with_arrays():
    a, x = pair((4, 3))
    for array in (a, x):
        array[[0, 2]] += 10
        array[array > 11] *= 2
        array[[1, 3], [0, 2]] -= 1
    same(a, x)


def test_writing_under_a_mask_does_not_wait():
    x = ps.ones((300, 300))
    mask = (x @ x) > 0
    x[mask] = 2
    x[mask[0]] = ps.arange(300, dtype="float32")
    assert float(x[0, 5]) == 5


# ---- Errors ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shape, key, text",
    [
        ((3,), 5, "index 5 is out of bounds for axis 0 with size 3"),
        ((3,), -4, "index -4 is out of bounds for axis 0 with size 3"),
        ((3, 2), (0, 2), "index 2 is out of bounds for axis 1 with size 2"),
        ((3, 2), (..., 2), "index 2 is out of bounds for axis 1 with size 2"),
        ((3, 2), (None, 3), "index 3 is out of bounds for axis 0 with size 3"),
        ((0,), 0, "index 0 is out of bounds for axis 0 with size 0"),
        ((3,), 2**70, f"index {2**70} is out of bounds"),
        ((), 0, "too many indices for array: array is 0-dimensional, but 1 were indexed"),
        ((), slice(None), "array is 0-dimensional, but 1 were indexed"),
        ((3, 2), (0, 0, 0), "array is 2-dimensional, but 3 were indexed"),
        ((3, 2), ([0], ..., 0, 0), "array is 2-dimensional, but 3 were indexed"),
        ((3,), (..., ...), "an index can only have a single ellipsis"),
        ((3,), "a", "None, and integer or boolean arrays are valid indices, not str"),
        ((3,), b"a", "are valid indices, not bytes"),
        ((3,), 1.0, "are valid indices, not float"),
        ((3,), (0j,), "are valid indices, not complex"),
        ((3,), [0.5], "must be of integer or boolean type, not float"),
        ((3,), np.ones(3), "must be of integer or boolean type, not float64"),
        ((3, 2), ([0, 1], [0, 1, 1]), r"broadcast together with shapes \(2,\) \(3,\)"),
        ((3, 2), np.ones(2, bool), "axis 0; size of axis is 3 but size of corresponding boolean"),
        ((3, 2), (0, np.ones(3, bool)), "along axis 1; size of axis is 2"),
        ((3,), np.ones((3, 1), bool), "array is 1-dimensional, but 2 were indexed"),
        ((3,), (None,) * 65, "65 indices"),
        ((3,), (None,) * 32, "the index makes 33 dimensions, at most 32"),
    ],
)
def test_bad_keys(shape, key, text):
    a, x = pair(shape)
    with pytest.raises(IndexError, match=text):
        x[key]
    with pytest.raises(IndexError, match=text):
        x[key] = 0
    same(a, x)


@st.composite
def doubtful_keys(draw, shape):
    """A key with something added, taken away or changed: it may be right, and mostly is not."""
    items = list(draw(array_keys(shape)))
    odd = st.sampled_from([0, 3, -4, 9, ..., None, slice(None), np.ones(2, bool), np.array([0, 1])])
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(items)))
        items[at : at + draw(st.integers(0, 1))] = [draw(odd)]
    return tuple(items)


def raises_index_error(call):
    try:
        call()
    except IndexError:
        return True
    return False


@given(shapes.flatmap(lambda s: st.tuples(st.just(s), doubtful_keys(s))))
def test_what_numpy_refuses_is_refused(case):
    shape, key = case
    a, x = pair(shape)
    if raises_index_error(lambda: a[key]):
        if np.size(a):  # where nothing is selected NumPy looks at no position, or at all of them
            assert raises_index_error(lambda: x[ours(key)].wait_to_read())
            assert raises_index_error(lambda: (operator.setitem(x, ours(key), 1), x.wait_to_read()))
    else:
        same(np.asarray(a[key]), x[ours(key)])


def test_objects_that_are_no_key():
    x = ps.ones(3)
    for key in (object(), {}, [slice(None)], ["a"], [[1, 2], [3]]):
        with pytest.raises((IndexError, TypeError, ValueError)):
            x[key]


@pytest.mark.parametrize(
    "key, text",
    [
        ([0, 3], "3 is out of range for axis 0 with length 3"),
        (([0, 1], [1, -3]), "-3 is out of range for axis 1 with length 2"),
        ((slice(None), [5]), "5 is out of range for axis 1 with length 2"),
        ((0, [9]), "9 is out of range for axis 1 with length 2"),
    ],
)
def test_positions_out_of_range_are_found_while_running(key, text):
    a, x = pair((3, 2))
    with pytest.raises(IndexError, match=text):
        x[key].wait_to_read()
    with pytest.raises(IndexError, match=text):
        (x[key] + 1).asnumpy()
    same(a, x)
    with pytest.raises(IndexError, match=text):
        x[key] = 1
        x.wait_to_read()
    x[...] = 4
    assert x.tolist() == [[4, 4]] * 3


def test_a_wrong_number_of_values_under_a_mask():
    x = ps.ones(4)
    with pytest.raises(ValueError, match="3 values for 2 places"):
        x[np.array([True, False, True, False])] = [1, 2, 3]
        x.wait_to_read()


def test_values_that_do_not_fit_what_arrays_select():
    a, x = pair((4, 3))
    for key, value in [
        ([0, 1], np.zeros((3, 3))),
        (([0, 1], [0, 1]), np.zeros(3)),
        (a[:, 0] > 3, np.zeros((2, 2))),
    ]:
        with pytest.raises(ValueError, match="shape"):
            x[key] = value
    same(a, x)


# ---- Length, iteration, membership -----------------------------------------------------------


def test_length():
    assert len(ps.ones((3, 2))) == 3
    assert len(ps.ones((0, 2))) == 0
    with pytest.raises(TypeError, match=r"len\(\) of unsized object"):
        len(ps.array(1))


def test_iteration():
    a, x = pair((3, 2))
    rows = list(x)
    assert len(rows) == 3
    for b, y in zip(a, rows):
        same(b, y)
    rows[1][:] = 0
    assert x.tolist() == [[1, 2], [0, 0], [5, 6]]
    first, *rest = x
    assert first.tolist() == [1, 2] and len(rest) == 2
    assert operator.length_hint(iter(x)) == 3
    numbers = iter(ps.ones(2))
    assert [next(numbers).shape, next(numbers).shape] == [(), ()]
    for _ in range(2):
        with pytest.raises(StopIteration):
            next(numbers)
    assert list(ps.ones((0, 2))) == []
    with pytest.raises(TypeError, match="iteration over a 0-d array"):
        iter(ps.array(1))


def test_iterators_are_collected():
    class Mine(ps.ndarray):
        pass

    x = Mine([1.0, 2.0])
    x.iterator = iter(x)
    gone = weakref.ref(x)
    del x
    gc.collect()
    assert gone() is None


def test_membership():
    x = ps.array([[1.0, 2.0], [3.0, 4.0]])
    assert 3 in x and 2.0 in x and np.float32(4) in x
    assert 5 not in x and float("nan") not in x
    assert ps.array([1.0, 9.0]) in x
    assert "a" not in x
    assert 1 not in ps.ones((0,))


# ---- Dialects --------------------------------------------------------------------------------


def array_class(**rules):
    class Array(ps.ndarray, dialect=ps.Dialect("test", **rules)):
        pass

    return Array


def is_view(x, key):
    before, view = x.asnumpy(), x[key]
    x += 1
    return view.tolist() != np.asarray(before[key]).reshape(view.shape).tolist()


def test_which_forms_are_copied():
    keys = {"block": slice(1, 3), "strided": slice(None, None, 2), "newaxis": (None, ..., None)}
    for form in keys:
        Array = array_class(copies=[form])
        for name, key in keys.items():
            x = Array([1.0, 2.0, 3.0, 4.0])
            assert type(x[key]) is Array
            assert is_view(x, key) == (name != form or form == "newaxis")
    Array = array_class(copies=["strided"])
    x = Array(np.ones((3, 4)))
    assert is_view(x, 1) and is_view(x, (1, slice(0, 2))) and is_view(x, (2, 2))
    assert not is_view(x, (slice(None), 1)) and not is_view(x, slice(None, None, -1))


def test_forms_that_are_copied_are_still_written_through():
    Array = array_class(copies=["block", "strided", "newaxis"])
    x = Array([1.0, 2.0, 3.0, 4.0])
    x[1:3] = 0
    x[::3] = 9
    x[None, 1] = 5
    assert x.tolist() == [9, 5, 0, 9]


def test_results_of_one_dimension():
    Array = array_class(one_dimension=True)
    x = Array([[1.0, 2.0], [3.0, 4.0]])
    assert x[0].shape == (2,)
    assert x[0][1].shape == x[1, 1].shape == x[..., 1, 1].shape == (1,)
    assert x[ps.array(1), 0].shape == (1,)
    assert [y.shape for y in x[0]] == [(1,), (1,)]
    x[0, 0] = 7
    assert x[0, 0].tolist() == [7]


def test_exceptions_of_a_dialect():
    class Ours(IndexError):
        pass

    class Wrong(ValueError):
        pass

    Array = array_class(errors={"index": Ours, "key": Wrong})
    with pytest.raises(Ours):
        Array([1.0])[3]
    with pytest.raises(Wrong):
        Array([1.0])["a"] = 2


def test_positions_as_floats_where_integers_are_floats():
    Array = array_class(int="float32")
    x = Array([1, 2, 3])
    assert x[Array([2, 0])].tolist() == [3, 1]


def test_results_have_the_class_of_the_array():
    class Mine(ps.ndarray):
        pass

    x = Mine([[1.0, 2.0], [3.0, 4.0]])
    for key in (0, slice(1), (0, 1), ..., [0], x > 1, True, ([0], [1])):
        assert type(x[key]) is Mine
    assert all(type(row) is Mine for row in x)
