"""Comparing arrays: tolerances that follow from element types, and texts that show what differs."""

import numbers

import numpy as np

from .._nd_array import NDArray

__all__ = [
    "almost_equal",
    "assert_allclose",
    "assert_almost_equal",
    "assert_almost_equal_ignore_nan",
    "assert_almost_equal_with_err",
    "assert_exception",
    "checkShapes",
    "compare_ndarray_tuple",
    "compare_optimizer",
    "default_atols",
    "default_numeric_eps",
    "default_rtols",
    "effective_dtype",
    "get_atol",
    "get_etol",
    "get_rtol",
    "get_tolerance",
    "get_tols",
    "locationError",
    "same",
    "same_array",
]

# ---- Tolerances ----------------------------------------------------------------------------------

_FLOATS = ("float16", "float32", "float64")
_EXACT = ("bool", "int8", "uint8", "int32", "uint32", "int64", "uint64")


def _by_type(*floats):
    """A dictionary by element type, with 0 for those that are exact."""
    values = dict(zip(_FLOATS, floats)) | dict.fromkeys(_EXACT, 0)
    return {np.dtype(name): value for name, value in values.items()}


def default_rtols():
    """The relative tolerance for each element type."""
    return _by_type(1e-2, 1e-4, 1e-5)


def default_atols():
    """The absolute tolerance for each element type."""
    return _by_type(1e-1, 1e-3, 1e-20)


def default_numeric_eps():
    """The step of finite differences for each element type: powers of two, which add exactly."""
    return {np.dtype(name): 2.0**power for name, power in zip(_FLOATS, (-6, -9, -14))}


def effective_dtype(dat):
    """The element type by which the tolerance is chosen."""
    return np.dtype(dat.dtype)


def get_tolerance(dat, tol, default_tol):
    """The tolerance for an array: a number, or an entry of a dictionary by element type."""
    if isinstance(tol, numbers.Number):
        return tol
    dtype = effective_dtype(dat)
    known = {np.dtype(key): value for key, value in (tol or {}).items()}
    return known.get(dtype, default_tol[dtype])


def get_tols(x, y, rtol, atol):
    """Both tolerances for a comparison: the wider of two arrays', or numbers'."""
    arrays = [np.asarray(one) if isinstance(one, numbers.Number) else one for one in (x, y)]

    def wider(tol, defaults):
        return max(get_tolerance(one, tol, defaults) for one in arrays)

    return wider(rtol, default_rtols()), wider(atol, default_atols())


def get_rtol(rtol=None, dtype=np.dtype("float64")):
    """The relative tolerance: the given one, or that of the element type."""
    return default_rtols()[np.dtype(dtype)] if rtol is None else rtol


def get_atol(atol=None, dtype=np.dtype("float64")):
    """The absolute tolerance: the given one, or that of the element type."""
    return default_atols()[np.dtype(dtype)] if atol is None else atol


def get_etol(etol=None):
    """The part of the elements that may differ: none."""
    return 0 if etol is None else etol


# ---- Comparisons ---------------------------------------------------------------------------------


def _host(a):
    return a.asnumpy() if isinstance(a, NDArray) else np.asarray(a)


def same(a, b):
    """Whether two arrays have the same shape and elements."""
    return np.array_equal(_host(a), _host(b))


def same_array(array1, array2):
    """Whether two arrays are one memory: what is written into one is seen in the other."""
    if array1.shape != array2.shape:
        return False
    before = array1.asnumpy()
    array1[:] = before + 1
    seen = np.array_equal(array1.asnumpy(), array2.asnumpy())
    array1[:] = before
    return bool(seen and np.array_equal(array1.asnumpy(), array2.asnumpy()))


def checkShapes(a, b):
    """Raises AssertionError where shapes differ."""
    if a.shape != b.shape:
        raise AssertionError(
            f"\nshapes differ: {a.shape} of the first array, {b.shape} of the second\n"
            f" ACTUAL: {_host(a)!r}\n DESIRED: {_host(b)!r}"
        )


def almost_equal(a, b, rtol=None, atol=None, equal_nan=False, use_broadcast=True):
    """Whether elements are equal within rtol * |b| + atol."""
    rtol, atol = get_tols(a, b, rtol, atol)
    a, b = _host(a), _host(b)
    if not use_broadcast:
        checkShapes(a, b)
    return bool(np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan))


def _violations(a, b, rtol, atol, equal_nan):
    """How many times the tolerance each difference is; what is not within it is above 1 or NaN."""
    with np.errstate(all="ignore"):
        wide = np.result_type(a, b, np.float32)
        a, b = a.astype(wide), b.astype(wide)
        found = np.abs(a - b) / (atol + rtol * np.abs(b) + np.finfo(wide).tiny)
    alike = a == b
    if equal_nan:
        alike = alike | np.isnan(a) & np.isnan(b)
    return np.where(alike, 0, found)


def _find_max_violation(a, b, rtol, atol):
    """Where the difference is greatest, as an index, and how many times the tolerance it is."""
    a, b = np.broadcast_arrays(_host(a), _host(b))
    found = _violations(a, b, rtol, atol, False)
    index = np.unravel_index(np.argmax(found), found.shape)
    return index, found[index]


def locationError(a, b, index, names, maxError=False):
    """A line that shows two elements that differ."""
    most = "maximum " if maxError else ""
    place = tuple(int(one) for one in index)
    return (
        f"Location of {most}error: {place}, "
        f"{names[0]}={a[index]:.8f}, {names[1]}={b[index]:.8f}"
    )


def _describe(a, b, found, wrong, tolerances, names, mismatches):
    """Prints the worst elements, and gives the text of the error."""
    rtol, atol = tolerances
    size = np.nan_to_num(found, nan=np.inf)
    order = np.argsort(-size, axis=None, kind="stable")[: int(wrong.sum())]
    print(f"\nThe largest errors of {found.size} elements, with rtol={rtol}, atol={atol}:\n")
    for number, flat in enumerate(order[: mismatches[0]]):
        index = np.unravel_index(flat, found.shape)
        where = locationError(a, b, index, names)
        print(f"{number + 1:3d}: Error {found[index]:f}  {where}")
    worst = np.unravel_index(order[0], found.shape)
    part = 100 * wrong.sum() / found.size
    return (
        f"\nItems are not equal:\nError {found[worst]:f} exceeds tolerance "
        f"rtol={rtol:e}, atol={atol:e} (mismatch {part:f}%).\n"
        f"{locationError(a, b, worst, names, maxError=True)}\n ACTUAL: {a!r}\n DESIRED: {b!r}"
    )


def _assert_close(a, b, tolerances, names, equal_nan, mismatches, share=0):
    """Raises if more than this share of the elements is not within the tolerances."""
    a, b = np.broadcast_arrays(_host(a), _host(b))
    if np.allclose(a, b, *tolerances, equal_nan=equal_nan):
        return
    found = _violations(a, b, *tolerances, equal_nan)
    wrong = ~(found <= 1)
    if wrong.sum() > share * found.size:
        raise AssertionError(_describe(a, b, found, wrong, tolerances, names, mismatches))


def assert_almost_equal(
    a,
    b,
    rtol=None,
    atol=None,
    names=("a", "b"),
    equal_nan=False,
    use_broadcast=True,
    mismatches=(10, 10),
):
    """Raises AssertionError, and prints the worst elements, where arrays differ.

    Without rtol and atol the tolerance is that of the element types; each may be a dictionary by
    element type too.
    """
    tolerances = get_tols(a, b, rtol, atol)
    if not use_broadcast:
        checkShapes(a, b)
    _assert_close(a, b, tolerances, names, equal_nan, mismatches)


def assert_allclose(a, b, rtol=1e-07, atol=0, equal_nan=True):
    """The same with the tolerance of NumPy's function of this name."""
    assert_almost_equal(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)


def assert_almost_equal_with_err(
    a, b, rtol=None, atol=None, etol=None, names=("a", "b"), equal_nan=False, mismatches=(10, 10)
):
    """The same where a share of the elements, etol, may differ."""
    tolerances = get_tols(a, b, rtol, atol)
    _assert_close(a, b, tolerances, names, equal_nan, mismatches, get_etol(etol))


def assert_almost_equal_ignore_nan(a, b, rtol=None, atol=None, names=("a", "b")):
    """The same for the elements that are not NaN in either array."""
    a, b = np.copy(_host(a)), np.copy(_host(b))
    absent = np.isnan(a) | np.isnan(b)
    a[absent] = 0
    b[absent] = 0
    assert_almost_equal(a, b, rtol, atol, names)


def assert_exception(f, exception_type, *args, **kwargs):
    """Raises AssertionError unless f(*args, **kwargs) raises an exception of this type."""
    try:
        f(*args, **kwargs)
    except exception_type:
        return
    raise AssertionError(f"{f!r} did not raise {exception_type!r}")


# ---- Optimisers ----------------------------------------------------------------------------------


def compare_ndarray_tuple(t1, t2, rtol=None, atol=None):
    """Compares arrays, or tuples of arrays and of None, however deep."""
    if t1 is None or t2 is None:
        return
    if isinstance(t1, (tuple, list)):
        for one, other in zip(t1, t2):
            compare_ndarray_tuple(one, other, rtol, atol)
    else:
        assert_almost_equal(t1, t2, rtol=rtol, atol=atol)


def compare_optimizer(
    opt1,
    opt2,
    shape,
    dtype,
    w_stype="default",
    g_stype="default",
    rtol=1e-4,
    atol=1e-5,
    compare_states=True,
    ntensors=1,
):
    """Does one step with two optimisers from the same weights; compares weights and states.

    With several tensors the shape is a list of theirs; an optimiser that takes lists updates all
    of them by one call.
    """
    from ._arrays import dense_only

    dense_only(w_stype)
    dense_only(g_stype)
    shapes = shape if isinstance(shape, list) else [shape] * ntensors
    weights, gradients = _random_like(shapes, dtype), _random_like(shapes, dtype)
    ends = [_one_step(optimizer, weights, gradients) for optimizer in (opt1, opt2)]
    if compare_states:
        compare_ndarray_tuple(ends[0][1], ends[1][1], rtol=rtol, atol=atol)
    compare_ndarray_tuple(ends[0][0], ends[1][0], rtol=rtol, atol=atol)


def _random_like(shapes, dtype):
    from ..ndarray import random
    from ._arrays import default_context

    return [random.uniform(shape=one, ctx=default_context(), dtype=dtype) for one in shapes]


def _one_step(optimizer, weights, gradients):
    """Copies of the weights after a step, and the states."""
    weights = [one.copy() for one in weights]
    gradients = [one.copy() for one in gradients]
    states = [
        optimizer.create_state_multi_precision(index, one) for index, one in enumerate(weights)
    ]
    indices = list(range(len(weights)))
    if len(weights) > 1 and optimizer.aggregate_num > 0:
        optimizer.update_multi_precision(indices, weights, gradients, states)
    else:
        for one in zip(indices, weights, gradients, states):
            optimizer.update_multi_precision(*one)
    return weights, states
