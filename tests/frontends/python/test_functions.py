"""Every function of penstock, penstock.nn and penstock.linalg against NumPy.

The elementwise functions are found in the table of operations and are tested by their shape and
name, so that a new one needs nothing here. All others are listed in function_cases.py. A function
that is neither fails test_every_function_is_tested.
"""

import contextlib
import inspect
import math
import os
import pathlib
import re

import hypothesis
import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest

import penstock as ps
from function_cases import (
    ALL_CASES,
    CASES,
    DTYPES,
    INTEGERS,
    LINALG_CASES,
    NN_CASES,
    Maker,
    values,
)
from penstock import _core, _functions

# Relative and absolute distance from NumPy's result in a wider type.
TOLERANCE = {
    "float16": (4e-3, 2e-3),
    "float32": (2e-5, 2e-6),
    "float64": (1e-12, 1e-13),
    "complex64": (1e-4, 1e-5),
    "complex128": (1e-11, 1e-12),
}
WIDE = {"float16": "float64", "float32": "float64", "complex64": "complex128"}


def check(ours, theirs, what=""):
    """Same shape, and elements as near as the type allows."""
    if isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs), what
        for one, other in zip(ours, theirs):
            check(one, other, what)
        return
    assert isinstance(ours, ps.ndarray), what
    theirs = np.asarray(theirs)
    dtype = ours.dtype.name
    assert ours.shape == theirs.shape, (what, ours.shape, theirs.shape)
    mine = ours.asnumpy()
    if dtype in TOLERANCE:
        relative, absolute = TOLERANCE[dtype]
        with np.errstate(all="ignore"):
            theirs = theirs.astype(dtype)
        np.testing.assert_allclose(mine, theirs, relative, absolute, err_msg=what)
    else:
        np.testing.assert_array_equal(mine, theirs, err_msg=what)


# ---- Elementwise functions -------------------------------------------------------------------


def tensor_parameters(function):
    """How many arrays an elementwise function takes; 0 if it is none."""
    parameters = inspect.signature(function).parameters
    names = [name for name in parameters if name != "out"]
    if "out" in parameters and names in (["x"], ["x1", "x2"]):
        return len(names)
    return 0


_erf = np.vectorize(math.erf, otypes=[float])
_erfc = np.vectorize(math.erfc, otypes=[float])


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


# What has another name in NumPy, or none.
ELEMENTWISE_ORACLES = {
    "erf": _erf,
    "erfc": _erfc,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "bitwise_left_shift": np.left_shift,
    "bitwise_right_shift": np.right_shift,
    "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
    "sigmoid": _sigmoid,
    "softplus": lambda x: np.logaddexp(x, 0),
    "softsign": lambda x: x / (1 + np.abs(x)),
    "silu": lambda x: x * _sigmoid(x),
    "swish": lambda x: x * _sigmoid(x),
    "gelu": lambda x: 0.5 * x * (1 + _erf(x / math.sqrt(2))),
    "gelu_tanh": lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "mish": lambda x: x * np.tanh(np.logaddexp(x, 0)),
    "hard_sigmoid": lambda x: np.clip(x / 6 + 0.5, 0, 1),
    "hard_swish": lambda x: x * np.clip(x / 6 + 0.5, 0, 1),
    "real": lambda x: x.real.copy(),
    "imag": lambda x: x.imag.copy(),
    "floor": lambda x: x if x.dtype.kind in "iu" else np.floor(x),
    "ceil": lambda x: x if x.dtype.kind in "iu" else np.ceil(x),
    "trunc": lambda x: x if x.dtype.kind in "iu" else np.trunc(x),
    "fix": lambda x: x if x.dtype.kind in "iu" else np.trunc(x),
}

ELEMENTWISE = {
    **{f"ps.{n}": f for n, f in _core._functions.items() if tensor_parameters(f)},
    **{f"ps.nn.{n}": f for n, f in _core._nn.items() if tensor_parameters(f)},
}
# Products and whole-array functions have the same signature.
for name in ("ps.dot", "ps.copy"):
    ELEMENTWISE.pop(name, None)


def oracle(name):
    name = name.rpartition(".")[2]
    return ELEMENTWISE_ORACLES.get(name) or getattr(np, name)


def operands(name, dtype, shapes, seed=0):
    """Arguments in the domain of the function."""
    arrays = [values(dtype, shape, seed + i) for i, shape in enumerate(shapes)]
    if "shift" in name and dtype in INTEGERS:
        arrays[1] = np.abs(arrays[1].astype("int64")).astype(dtype)
    if "pow" in name and dtype in INTEGERS:
        arrays[1] = np.abs(arrays[1].astype("int64") % 4).astype(dtype)
    return arrays


def apply_oracle(name, arrays, wide):
    with np.errstate(all="ignore"):
        return oracle(name)(*(x.astype(wide) for x in arrays))


def check_elementwise(name, arrays):
    """True if the function takes the type."""
    function = ELEMENTWISE[name]
    dtype = arrays[0].dtype.name
    given = [ps.array(x) for x in arrays]
    try:
        result = function(*given)
    except TypeError:
        return False
    inexact = result.dtype.kind in "fc"
    if inexact and dtype not in TOLERANCE:
        assert result.dtype == "float32", (name, dtype)
    wide = WIDE.get(dtype, dtype if dtype in TOLERANCE or not inexact else "float64")
    if dtype in TOLERANCE and (not inexact or "nextafter" in name):
        wide = dtype  # about the very numbers given
    theirs = np.asarray(apply_oracle(name, arrays, wide))
    if not inexact and dtype not in TOLERANCE:
        expected = "bool" if theirs.dtype == bool else dtype
        assert result.dtype == expected, (name, dtype, result.dtype)
        theirs = theirs.astype(expected)
    check(result, theirs, f"{name} of {dtype}")
    into = ps.empty(result.shape, dtype=result.dtype)
    assert function(*given, out=into) is into
    np.testing.assert_array_equal(into.asnumpy(), result.asnumpy())
    return True


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_elementwise(name):
    count = tensor_parameters(ELEMENTWISE[name])
    taken = set()
    for dtype in DTYPES:
        for shapes in [((3, 4), (4,)), ((), (2,)), ((0, 2), (1, 2)), ((257,), (257,))]:
            if check_elementwise(name, operands(name, dtype, shapes[:count])):
                taken.add(dtype)
    assert taken & {"float32", "int32"}, f"{name} takes neither float32 nor int32"


# Formulas in which 0 meets infinity; and inf // 1, which is inf here and NaN there.
UNSETTLED = {"silu", "swish", "mish", "gelu", "gelu_tanh", "hard_swish", "floor_divide"}


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_elementwise_special_numbers(name):
    """Infinities, NaN and zeros of both signs."""
    special = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5])
    for dtype in ("float32", "float64"):
        x = special.astype(dtype)
        pair = [np.repeat(x, len(x)), np.tile(x, len(x))]
        if name.rpartition(".")[2] in UNSETTLED:
            continue
        check_elementwise(name, pair[: tensor_parameters(ELEMENTWISE[name])])


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_elementwise_bfloat16(name):
    """As in float32, rounded."""
    function = ELEMENTWISE[name]
    given = [
        ps.array(x).astype("bfloat16")
        for x in operands(name, "float32", ((5,), (5,))[: tensor_parameters(function)])
    ]
    try:
        result = function(*given)
    except TypeError:
        return
    wide = function(*(x.astype("float32") for x in given))
    np.testing.assert_allclose(
        result.astype("float32").asnumpy(), wide.astype("float32").asnumpy(), 1e-2, 1e-2
    )


@hypothesis.given(st.data())
def test_elementwise_drawn(data):
    """Any function on drawn shapes that fit together, any type, operands with gaps."""
    name = data.draw(st.sampled_from(sorted(ELEMENTWISE)))
    dtype = data.draw(st.sampled_from(DTYPES))
    count = tensor_parameters(ELEMENTWISE[name])
    shapes = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=count, max_dims=4, max_side=5))
    arrays = operands(name, dtype, shapes.input_shapes, seed=data.draw(st.integers(0, 99)))
    check_elementwise(name, [x[..., ::-1] if x.ndim else x for x in arrays])


# ---- Reductions --------------------------------------------------------------------------------

REDUCTIONS = {
    "sum": {},
    "prod": {},
    "min": {},
    "max": {},
    "amin": {},
    "amax": {},
    "mean": {},
    "var": {"ddof": (0, 1)},
    "std": {"ddof": (0, 1)},
    "any": {},
    "all": {},
    "argmin": {},
    "argmax": {},
    "count_nonzero": {},
    "ptp": {},
    "average": {},
}


def reduce_both(name, x, **options):
    function, numpy = getattr(ps, name), getattr(np, name)
    wide = x.astype(WIDE.get(x.dtype.name, x.dtype.name))
    try:
        ours = function(ps.array(x), **options)
    except (TypeError, ValueError) as error:
        if isinstance(error, TypeError) and x.dtype.kind in "bc":
            return  # an order of truth values or complex numbers, or their difference
        with pytest.raises((ValueError, TypeError)):
            numpy(x, **options)
        return
    with np.errstate(all="ignore"):
        theirs = numpy(wide, **options)
    check(ours, theirs, f"{name} of {x.dtype} {x.shape} {options}")


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_reductions(name):
    for dtype in DTYPES:
        x = values(dtype, (3, 4, 5), low=0.5, high=1.5)
        single = name.startswith("arg")
        for axis in (None, 0, -1, *(() if single else ((0, 2), (1, 0, 2)))):
            for keepdims in (False, True):
                options = {"axis": axis, "keepdims": keepdims}
                for key, choices in REDUCTIONS[name].items():
                    options[key] = choices[keepdims]
                reduce_both(name, x, **options)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@hypothesis.given(st.data())
def test_reductions_drawn(data):
    name = data.draw(st.sampled_from(sorted(REDUCTIONS)))
    x = values(
        data.draw(st.sampled_from(DTYPES)),
        data.draw(hnp.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=6)),
        low=0.5,
        high=1.5,
    )
    axis = data.draw(st.one_of(st.none(), st.integers(-x.ndim, x.ndim - 1)))
    reduce_both(name, x.swapaxes(0, -1), axis=axis, keepdims=data.draw(st.booleans()))


def test_sum_types():
    for dtype in ("bool", "int8", "int32"):
        assert ps.ones(2, dtype=dtype).sum().dtype == "int64"
    assert ps.ones(2, dtype="uint8").sum().dtype == "uint64"
    assert ps.ones(2, dtype="int32").sum(dtype="int32").dtype == "int32"
    assert ps.ones(2, dtype="float16").sum().dtype == "float16"
    assert ps.ones(2, dtype="float16").sum(dtype="float64").dtype == "float64"
    assert ps.ones(2, dtype="int32").mean().dtype == "float32"


def test_var_correction():
    x = ps.array([1.0, 2.0, 4.0])
    check(ps.var(x, correction=1), np.var([1.0, 2.0, 4.0], ddof=1))
    check(x.std(ddof=1), np.std([1.0, 2.0, 4.0], ddof=1))


# ---- All others --------------------------------------------------------------------------------

# Tested in test_dtypes.py, or no function of arrays.
ELSEWHERE = {
    "__array_namespace_info__",
    "can_cast",
    "finfo",
    "iinfo",
    "isdtype",
    "result_type",
    "broadcast_shapes",
}


@pytest.mark.parametrize("case", ALL_CASES)
def test_same_as_numpy(case):
    ours, theirs = case if isinstance(case, tuple) else (case, case)
    check(ours(ps, Maker(ps)), theirs(np, Maker(np)))


# ---- Nothing waits -----------------------------------------------------------------------------

# The shape of what these give depends on values.
WAITING = ("nonzero", "argwhere", "flatnonzero", "masked_select", "where-2", "unique")


class FailingMaker(Maker):
    """Makes arrays that fail while they are computed: whoever waits for one raises at the call."""

    def given(self, x):
        flat = np.asarray(x).ravel()
        places = np.arange(flat.size)
        places[-1:] += 1000
        return ps.take(ps.array(flat), places).reshape(np.shape(x))


def forget_errors():
    while True:
        try:
            ps.waitall()
            return
        except IndexError:
            pass


@pytest.mark.skipif(os.environ.get("PENSTOCK_ENGINE") == "sync", reason="everything waits")
@pytest.mark.parametrize("case", ALL_CASES)
def test_nothing_waits(case, request):
    ours = case[0] if isinstance(case, tuple) else case
    waits = any(f"[{name}" in request.node.name for name in WAITING)
    try:
        with pytest.raises(IndexError) if waits else contextlib.nullcontext():
            ours(ps, FailingMaker(ps))
    finally:
        forget_errors()


def compared_with_pytorch():
    """Functions of ps.nn that test_train_vectors.py is about; those of images are named by texts."""
    families = pathlib.Path(__file__).parents[2] / "conformance" / "train" / "families"
    return {
        name
        for path in families.glob("*.py")
        for name in re.findall(r"(?:\bps\.nn\.|_cases\(\")(\w+)", path.read_text())
    }


def test_every_function_is_tested():
    def names(prefix, functions, *cases):
        known = {name.removeprefix(prefix) for name in ELEMENTWISE if name.startswith(prefix)}
        for some in cases:
            known |= set(some)
        return {name for name in functions if name not in known}

    public = [n for n in _functions.__all__ if callable(getattr(_functions, n))]
    assert not names("ps.", [*_core._functions, *public], CASES, REDUCTIONS, ELSEWHERE)
    of_nn = [n for n in ps.nn.__all__ if not isinstance(getattr(ps.nn, n), (type, type(ps)))]
    assert not names("ps.nn.", of_nn, NN_CASES, compared_with_pytorch())
    assert not names("ps.linalg.", ps.linalg.__all__, LINALG_CASES)


# ---- What has no counterpart in NumPy ----------------------------------------------------------


def test_constants():
    assert (ps.pi, ps.e, ps.inf, ps.newaxis) == (math.pi, math.e, math.inf, None)
    assert math.isnan(ps.nan)


def test_take_along_axis_refuses_positions():
    x = ps.arange(6).reshape(2, 3)
    for bad in (3, -4, 100):
        with pytest.raises(IndexError):
            ps.take_along_axis(x, ps.array([[0], [bad]]), axis=1).wait_to_read()


def test_views_share_their_elements():
    x = ps.zeros((2, 3, 4))
    for view in (
        ps.moveaxis(x, 0, -1),
        ps.swapaxes(x, 0, 1),
        ps.matrix_transpose(x),
        ps.split(x, 2)[0],
        ps.unstack(x)[1],
        ps.ravel(x),
        ps.atleast_3d(x),
        ps.diagonal(x, 0, 1, 2),
        ps.flip(x),
        ps.squeeze(x[:1]),
    ):
        before = float(x.sum())
        view[...] = 1
        assert float(x.sum()) > before
        x[...] = 0


def test_reshape_copy():
    x = ps.zeros((2, 3))
    ps.reshape(x, (3, 2), copy=False)[...] = 1
    assert float(x.sum()) == 6
    ps.reshape(x, (3, 2), copy=True)[...] = 2
    x.T.reshape(6, copy=True)[...] = 2
    assert float(x.sum()) == 6
    with pytest.raises(ValueError, match="copy=False"):
        x.T.reshape(6, copy=False)


def test_copies_do_not():
    x = ps.zeros((2, 3))
    for copied in (ps.flatten(x), ps.copy(x), x.astype("float32"), ps.meshgrid(x, x)[0]):
        copied[...] = 1
    assert float(x.sum()) == 0
    assert x.astype("float32", copy=False) is x
    assert ps.astype(x, "float32", copy=False) is x


def test_fill():
    x = ps.zeros((2, 3))
    assert x.fill(7) is None
    check(x, np.full((2, 3), 7.0))
    x[0].fill(ps.array(2.5))
    check(x, [[2.5] * 3, [7.0] * 3])
    with pytest.raises(ValueError, match="one number"):
        x.fill([1, 2, 3])


def test_numbers_and_lists_are_arrays():
    check(ps.sin(0.5), np.sin(0.5))
    check(ps.add([1, 2], [3, 4]), [4, 6])
    check(ps.concat([[1], [2]]), [1, 2])
    check(ps.maximum(np.arange(3), 1), [1, 1, 2])
    check(ps.broadcast_to(0.5, (2, 3)), np.full((2, 3), 0.5))
    check(ps.sum(3), 3)
    check(ps.expand_dims(2.0, 0), [2.0])
    check(ps.take([5, 6, 7], 1), 6)
    check(ps.copy(2.5), 2.5)


def test_missing_names_say_so():
    for name in ps.linalg.NOT_BUILT:
        with pytest.raises(AttributeError, match=name):
            getattr(ps.linalg, name)
    with pytest.raises(AttributeError, match="nonsense"):
        ps.linalg.nonsense


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda x: ps.sum(x, axis=5), ValueError, "axis 5"),
        (lambda x: ps.sum(x, axis=(0, 0)), ValueError, "twice"),
        (lambda x: ps.sum(x, axes=0), TypeError, "'axes'"),
        (lambda x: ps.sum(), TypeError, "'x'"),
        (lambda x: ps.sum(x, 0, None, 1), TypeError, "4 were given"),
        (lambda x: ps.reshape(x, (4,)), ValueError, r"\(2, 3\).*\(4,\)"),
        (lambda x: ps.reshape(x, "ab"), TypeError, "'ab'"),
        (lambda x: ps.sin("abc"), TypeError, "'abc'"),
        (lambda x: ps.zeros((2, -1)), ValueError, r"\(2, -1\)"),
        (lambda x: ps.zeros(2, dtype="float12"), TypeError, "float12"),
        (lambda x: ps.stack([x, ps.ones(3)]), ValueError, r"\(3,\)"),
        (lambda x: ps.concat([]), ValueError, "no tensors"),
        (lambda x: ps.moveaxis(x, 5, 0), ValueError, "axis 5"),
        (lambda x: ps.moveaxis(x, (0, 1), 0), ValueError, "2 axes"),
        (lambda x: ps.moveaxis(x, (0, 0), (0, 1)), ValueError, "twice"),
        (lambda x: ps.swapaxes(x, 0, 2), ValueError, "axis 2"),
        (lambda x: ps.split(x, 4), ValueError, "4 equal parts"),
        (lambda x: ps.array_split(x, 0), ValueError, "above 0"),
        (lambda x: ps.pad(x, ((1, 1),) * 3), ValueError, "2 dimensions"),
        (lambda x: ps.pad(x, -1), ValueError, "at least 0"),
        (lambda x: ps.pad(x, 1, mode="mean"), ValueError, "'mean'"),
        (lambda x: ps.meshgrid(x, indexing="xyz"), ValueError, "'xyz'"),
        (lambda x: ps.tril(ps.ones(3)), ValueError, "two dimensions"),
        (lambda x: ps.diag(ps.ones((2, 2, 2))), ValueError, "not 3"),
        (lambda x: ps.nonzero(1.0), ValueError, "without dimensions"),
        (lambda x: ps.where(x > 0, x), TypeError, "both"),
        (lambda x: ps.tensordot(x, x, axes=3), ValueError, "3 axes"),
        (lambda x: ps.vecdot(x, ps.ones(2)), ValueError, "3 and 2"),
        (lambda x: ps.diff(x, n=-1), ValueError, "-1"),
        (lambda x: ps.average(x, weights=ps.ones(2)), ValueError, r"\(2,\)"),
        (lambda x: ps.broadcast_shapes((2,), (3,)), ValueError, r"\(2,\), \(3,\)"),
        (lambda x: ps.nn.one_hot(x, 3), TypeError, "float32"),
        (lambda x: ps.nn.linear(x, x, activation="nothing"), ValueError, "nothing"),
        (lambda x: ps.linalg.norm(x, ord=2), ValueError, "singular"),
        (lambda x: ps.linalg.cross(x, ps.ones(2)), ValueError, "length 3"),
        (lambda x: ps.linalg.matrix_power(x, 2), ValueError, "square"),
        (lambda x: ps.linalg.outer(x, x), ValueError, "one dimension"),
        (lambda x: ps.max(ps.zeros(0)), ValueError, "no elements"),
        (lambda x: ps.add(x, 1, out=ps.zeros((3, 2))), ValueError, r"\(3, 2\)"),
        (lambda x: ps.add(x, 1, out=np.zeros((2, 3))), TypeError, "out"),
        (lambda x: ps.eye("a"), TypeError, "'a'"),
        (lambda x: ps.full((2,), "a"), TypeError, "'a'"),
    ],
)
def test_errors_state_the_value(call, error, text):
    with pytest.raises(error, match=text):
        call(ps.ones((2, 3)))


def test_functions_describe_themselves():
    for name, function in _core._functions.items():
        assert function.__name__ == name
        assert function.__doc__
        inspect.signature(function)
    assert str(inspect.signature(ps.sum)).startswith("(x, /, axis=None")


EVERY_TYPE = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
    "float16 bfloat16 float32 float64 complex64 complex128"
).split()


@pytest.mark.parametrize("dtype", EVERY_TYPE)
def test_arrays_by_a_shape(dtype):
    for shape in ((1,), (2, 3), (1, 2, 3, 4)):
        one, none = ps.ones(shape, dtype=dtype), ps.zeros(shape, dtype=dtype)
        assert one.shape == none.shape == shape and one.dtype == none.dtype == dtype
        assert set(one.reshape(-1).tolist()) == {1} and set(none.reshape(-1).tolist()) == {0}


def test_a_shape_alone():
    """A tuple of small lengths has a way of its own; others have the same results as with it."""
    assert ps.ones((2, 3)).shape == ps.ones([2, 3]).shape == (2, 3)
    assert ps.ones((2, 3)).dtype == "float32" and ps.zeros((2,)).tolist() == [0, 0]
    assert ps.ones(()).shape == () and ps.ones((2, 0)).shape == (2, 0)
    assert ps.ones((True, np.int64(2))).shape == (1, 2)
    with pytest.raises(ValueError, match="negative length"):
        ps.ones((2, -1))
    with pytest.raises(ValueError, match="too large"):
        ps.ones((1 << 29,) * 3)
    with pytest.raises(OverflowError, match="64 bits"):
        ps.ones((1 << 70,))
    with pytest.raises(ValueError, match="at most 32"):
        ps.ones((1,) * 33)
    with pytest.raises(TypeError, match="integer"):
        ps.ones((2, 1.5))


def test_a_shape_and_a_device():
    assert ps.ones((2,), device="cpu").tolist() == ps.ones((2,), device=None).tolist() == [1, 1]
    for _ in range(2):  # a name that is known does not help one that is not
        assert ps.zeros((1, 2), device="cpu:0").shape == (1, 2)
        with pytest.raises(ValueError, match="no device"):
            ps.ones((1, 2), device="gpu:99")
    with pytest.raises(TypeError, match="a device must be a str"):
        ps.ones((1, 2), device=5)
    with pytest.raises(TypeError, match="no argument 'places'"):
        ps.ones((1, 2), places="cpu")
