"""Operators of arrays with all that may stand beside them, in both orders and in place."""

import math
import operator

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

import penstock as ps

ARITHMETIC = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
}
BITS = {
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
COMPARISONS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
IN_PLACE = {
    "+": operator.iadd,
    "-": operator.isub,
    "*": operator.imul,
    "/": operator.itruediv,
    "//": operator.ifloordiv,
    "%": operator.imod,
    "**": operator.ipow,
    "&": operator.iand,
    "|": operator.ior,
    "^": operator.ixor,
    "<<": operator.ilshift,
    ">>": operator.irshift,
}


def same(ours, theirs):
    assert type(ours) is ps.ndarray
    theirs = np.asarray(theirs)
    assert ours.shape == theirs.shape
    np.testing.assert_allclose(ours.asnumpy(), theirs, rtol=1e-5, atol=1e-6)


floats = np.array([[1.5, -2.0, 3.25], [0.5, 4.0, -1.0]], "float32")
integers = np.array([[1, 2, 3], [4, 5, 6]])


# ---- Numbers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("symbol", ARITHMETIC)
@pytest.mark.parametrize("number", [2, 2.5, True, np.float32(2.5), np.float64(2.5), np.int32(3)])
def test_arithmetic_with_numbers(symbol, number):
    function = ARITHMETIC[symbol]
    x, y = ps.array(floats), np.abs(floats)
    with np.errstate(all="ignore"):
        same(function(x, number), function(floats, number))
        same(function(number, ps.array(y)), function(number, y))
    assert function(x, number).dtype == "float32"


@pytest.mark.parametrize("symbol", BITS)
def test_bits_with_numbers(symbol):
    function = BITS[symbol]
    x = ps.array(integers)
    same(function(x, 2), function(integers, 2))
    same(function(100, x), function(100, integers))
    same(function(x, ps.array(integers)), function(integers, integers))


@pytest.mark.parametrize("symbol", COMPARISONS)
@pytest.mark.parametrize("number", [1.5, 2, True, np.float32(0.5), np.int64(4)])
def test_comparisons_with_numbers(symbol, number):
    function = COMPARISONS[symbol]
    result = function(ps.array(floats), number)
    assert result.dtype == "bool"
    np.testing.assert_array_equal(result.asnumpy(), function(floats, number))
    np.testing.assert_array_equal(
        function(number, ps.array(floats)).asnumpy(), function(number, floats)
    )


@pytest.mark.parametrize(
    "dtype, number, result",
    [
        ("int8", 1, "int8"),
        ("int8", True, "int8"),
        ("int8", 1.5, "float32"),
        ("int64", 1.5, "float32"),
        ("uint8", 200, "uint8"),
        ("bool", True, "bool"),
        ("bool", 1, "int64"),
        ("bool", 1.5, "float32"),
        ("float16", 1, "float16"),
        ("float16", 1.5, "float16"),
        ("bfloat16", 1.5, "bfloat16"),
        ("float64", 1.5, "float64"),
        ("float32", 1j, "complex64"),
        ("float64", 1j, "complex128"),
        ("int32", 1j, "complex64"),
        ("complex64", 1.5, "complex64"),
        ("complex128", 1j, "complex128"),
    ],
)
def test_numbers_are_weak(dtype, number, result):
    x = ps.ones(2, dtype=dtype)
    assert (x + number).dtype == result
    assert (number + x).dtype == result
    assert ps.result_type(x, number) == result


def test_numbers_that_do_not_fit():
    with pytest.raises((ValueError, OverflowError), match="300.*int8"):
        ps.ones(2, dtype="int8") + 300
    with pytest.raises((ValueError, OverflowError), match="-1.*uint8"):
        ps.ones(2, dtype="uint8") * -1
    with pytest.raises(OverflowError, match="64 bits"):
        ps.ones(2, dtype="int64") + 2**70
    same(ps.zeros(1, dtype="uint64") + (2**64 - 1), np.array([2**64 - 1], "uint64"))


# ---- Arrays of others --------------------------------------------------------------------------


@pytest.mark.parametrize("symbol", ARITHMETIC)
def test_arithmetic_with_numpy_arrays(symbol):
    function = ARITHMETIC[symbol]
    y = np.array([1.0, 2.0, 3.0], "float32")
    same(function(ps.array(floats), y), function(floats.astype("f8"), y))
    same(function(y, ps.array(np.abs(floats))), function(y.astype("f8"), np.abs(floats)))
    same(function(ps.array(floats), ps.array(y)), function(floats.astype("f8"), y))
    same(function(ps.array(2.0), ps.array(y)), function(2.0, y))
    same(function(y, ps.array(2.0)), function(y, 2.0))


@pytest.mark.parametrize("symbol", COMPARISONS)
def test_comparisons_with_numpy_arrays(symbol):
    function = COMPARISONS[symbol]
    y = np.array([1.5, -2.0, 9.0])
    same(function(ps.array(floats), y), function(floats, y))
    same(function(y, ps.array(floats)), function(y, floats))


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "int8", "int64", "bool"])
def test_very_small_products(dtype):
    """They are computed apart, with the bits that they have as a part of larger ones."""
    draw = np.random.default_rng(0)
    for k in range(1, 6):
        a, b = (draw.normal(size=shape) * 3 for shape in ((9, k), (k, 9)))
        if dtype == "complex64":
            a, b = a + 1j * b.T, b - 1j * a.T
        a, b = ps.array(a.astype(dtype)), ps.array(b.astype(dtype))
        whole = (a @ b).asnumpy()
        for m, n in ((2, 2), (2, 4), (4, 3), (4, 5), (5, 2)):
            assert (a[:m] @ b[:, :n]).asnumpy().tobytes() == whole[:m, :n].tobytes()
            assert (a[::-1][:m] @ b.T[:n].T).asnumpy().tobytes() == whole[::-1][:m, :n].tobytes()


def test_matmul():
    x, y = floats, floats.T
    same(ps.array(x) @ ps.array(y), x @ y)
    same(ps.array(x) @ y, x @ y)
    same(x @ ps.array(y), x @ y)
    z = ps.array(np.eye(3, dtype="float32"))
    kept = z
    z @= ps.array(2 * np.eye(3, dtype="float32"))
    assert z is kept
    same(z, 2 * np.eye(3))
    with pytest.raises(ValueError, match=r"\(2, 3\)"):
        ps.array(x) @ ps.array(x)
    with pytest.raises((TypeError, ValueError)):
        ps.array(x) @ 2


@hypothesis.given(st.data())
def test_operators_drawn(data):
    """Arrays of drawn types in both orders: as NumPy, in the type that result_type says."""
    symbol = data.draw(st.sampled_from(["+", "-", "*", "==", "<", ">="]))
    function = {**ARITHMETIC, **COMPARISONS}[symbol]
    types = st.sampled_from(["int8", "int32", "int64", "uint8", "float16", "float32", "float64"])
    shape = data.draw(st.sampled_from([(), (3,), (2, 3), (2, 1), (0, 3)]))
    numbers = st.integers(0, 10)
    size = math.prod(shape)
    x = np.array(data.draw(st.lists(numbers, min_size=size, max_size=size)), data.draw(types))
    y = np.array(data.draw(st.lists(numbers, min_size=3, max_size=3)), data.draw(types))
    x = x.reshape(shape)
    result = function(ps.array(x), ps.array(y))
    with np.errstate(all="ignore"):
        theirs = function(x.astype(result.dtype.name) if symbol in ARITHMETIC else x, y)
    if symbol in ARITHMETIC:
        assert result.dtype == ps.result_type(ps.array(x), ps.array(y))
        theirs = theirs.astype(result.dtype.name)
    same(result, theirs)


def test_shapes_that_do_not_fit():
    for function in (*ARITHMETIC.values(), *COMPARISONS.values()):
        with pytest.raises(ValueError, match=r"\(2, 3\) and \(4,\)"):
            function(ps.ones((2, 3)), ps.ones(4))


# ---- Other objects -----------------------------------------------------------------------------


@pytest.mark.parametrize("other", [None, "text", object(), [1, 2, 3], {}])
def test_other_objects(other):
    x = ps.array(floats)
    assert (x == other) is False
    assert (x != other) is True
    assert (other == x) is False
    for function in (operator.add, operator.matmul, operator.lt):
        with pytest.raises(TypeError):
            function(x, other)
        with pytest.raises(TypeError):
            function(other, x)


class Reflected:
    """Steps in where arrays do not know what to do."""

    def __radd__(self, other):
        return "reflected"


def test_reflected_operand():
    assert ps.ones(2) + Reflected() == "reflected"


def test_pow_with_modulus():
    with pytest.raises(TypeError, match="third"):
        pow(ps.ones(2), 2, 3)
    same(pow(ps.array(floats), 2), floats**2)


def test_divmod():
    quotient, rest = divmod(ps.array(integers), 2)
    same(quotient, integers // 2)
    same(rest, integers % 2)
    quotient, rest = divmod(7, ps.array(integers))
    same(quotient, 7 // integers)
    same(rest, 7 % integers)
    with pytest.raises(TypeError):
        divmod(ps.ones(2), "x")


def test_unary():
    x = ps.array(floats)
    same(-x, -floats)
    same(+x, floats)
    same(abs(x), np.abs(floats))
    same(~ps.array(integers), ~integers)
    same(~ps.array([True, False]), [False, True])
    same(round(ps.array([1.26, 2.5])), [1.0, 2.0])
    same(round(ps.array([1.26]), 1), [1.3])
    same(math.floor(x), np.floor(floats))
    same(math.ceil(x), np.ceil(floats))
    same(math.trunc(x), np.trunc(floats))
    with pytest.raises(TypeError, match="float32"):
        ~x
    with pytest.raises(TypeError, match="bool"):
        -ps.array([True])


# ---- In place ----------------------------------------------------------------------------------


@pytest.mark.parametrize("symbol", IN_PLACE)
def test_in_place(symbol):
    source = integers if symbol in BITS else np.abs(floats)
    for other in (2, ps.array(source[0]), source[0]):
        theirs, x = source.copy(), ps.array(source)
        view, kept = x[0], x
        x = IN_PLACE[symbol](x, other)
        theirs = IN_PLACE[symbol](
            theirs, other.asnumpy() if isinstance(other, ps.ndarray) else other
        )
        assert x is kept
        same(x, theirs)
        same(view, theirs[0])


def test_in_place_keeps_type_and_shape():
    x = ps.arange(3)
    for step in (1.5, ps.ones(3)):
        with pytest.raises((TypeError, ValueError), match="float32.*int64"):
            x += step
    with pytest.raises((TypeError, ValueError), match="float32.*int64"):
        x /= 2
    x = ps.ones(3)
    with pytest.raises(ValueError, match=r"\(3,\).*\(2, 3\)"):
        x += ps.ones((2, 3))
    x += np.ones(3)
    assert x.dtype == "float32"
    same(x, [2, 2, 2])
    with pytest.raises(TypeError):
        x += "a"
    same(x, [2, 2, 2])


def test_in_place_with_itself():
    x = ps.arange(6.0)
    x[1:] += x[:-1]
    same(x, [0, 1, 3, 5, 7, 9])
    x *= x
    same(x, [0, 1, 9, 25, 49, 81])


# ---- Becoming Python's numbers -------------------------------------------------------------------


def test_conversions():
    assert float(ps.array(2.5)) == 2.5
    assert float(ps.array([[2.5]])) == 2.5
    assert int(ps.array(2.9)) == 2
    assert complex(ps.array(1 + 2j)) == 1 + 2j
    assert complex(ps.array(2.0)) == 2
    assert bool(ps.array(0.0)) is False
    assert bool(ps.array([3])) is True
    assert operator.index(ps.array(3)) == 3
    assert [10, 20, 30][ps.array(1)] == 20
    assert list(range(ps.array(3))) == [0, 1, 2]
    assert math.sqrt(ps.array(4.0)) == 2


def test_conversions_that_are_refused():
    x = ps.ones((2, 3))
    for kind in (float, int, complex):
        with pytest.raises((TypeError, ValueError), match="6"):
            kind(x)
    with pytest.raises(ValueError, match="ambiguous"):
        bool(x)
    with pytest.raises(ValueError, match="0 elements"):
        bool(ps.ones(0))
    with pytest.raises(TypeError, match="float32"):
        operator.index(ps.array(1.0))
    with pytest.raises(TypeError):
        operator.index(ps.arange(3))
    with pytest.raises(TypeError):
        float(ps.array(1j))
    with pytest.raises((OverflowError, ValueError)):
        int(ps.array(float("nan")))


def test_no_hash():
    with pytest.raises(TypeError, match="unhashable"):
        hash(ps.ones(2))
    with pytest.raises(TypeError):
        {ps.ones(2): 1}
