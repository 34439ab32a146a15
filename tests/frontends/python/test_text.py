"""repr, str and format."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import penstock as ps

DEFAULTS = ("float32", "int64", "bool", "complex64")
LINE = 75


def expected(theirs, name="array"):
    """What NumPy would write if our element types were its defaults."""
    prefix = name + "("
    text = np.array2string(theirs, separator=", ", prefix=prefix, suffix=")")
    extras = []
    if (theirs.size == 0 and theirs.ndim != 1) or theirs.size > 1000:
        extras.append(f"shape={theirs.shape}")
    if theirs.size == 0 or theirs.dtype.name not in DEFAULTS:
        extras.append(f"dtype={theirs.dtype.name}")
    if not extras:
        return prefix + text + ")"
    text, extra = prefix + text + ",", ", ".join(extras) + ")"
    last = len(text) - (text.rfind("\n") + 1)
    between = " " if last + len(extra) + 1 <= LINE else "\n" + " " * len(prefix)
    return text + between + extra


# From a million on NumPy 2.3 and later write float32 with exponents; earlier versions and we do
# not.
LARGE = 999_936.0
floats = st.one_of(
    st.floats(-LARGE, LARGE, width=32), st.sampled_from([float("nan"), float("inf"), -float("inf")])
)

ELEMENTS = {
    "bool": st.booleans(),
    "int8": st.integers(-128, 127),
    "int64": st.integers(-(2**63), 2**63 - 1),
    "uint64": st.integers(0, 2**64 - 1),
    "float32": floats,
    "float64": st.floats(),
    "complex64": st.builds(complex, floats, floats),
    "complex128": st.complex_numbers(),
}


@st.composite
def arrays(draw):
    name = draw(st.sampled_from(sorted(ELEMENTS)))
    shape = draw(hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5))
    return draw(hnp.arrays(np.dtype(name), shape, elements=ELEMENTS[name]))


@given(arrays())
def test_as_numpy_writes_it(theirs):
    ours = ps.array(theirs)
    assert repr(ours) == expected(theirs)
    assert str(ours) == str(theirs)


@pytest.mark.parametrize(
    "shape",
    [(1001,), (40, 50), (3, 400), (400, 3), (7, 8, 20), (2, 2, 300), (6, 6, 6, 6), (2000, 1)],
)
@pytest.mark.parametrize("name", ["int64", "float32", "float64", "bool", "complex64"])
def test_summaries(shape, name):
    theirs = (np.arange(np.prod(shape)) * 1.25).reshape(shape).astype(name)
    assert repr(ps.array(theirs)) == expected(theirs)
    assert str(ps.array(theirs)) == str(theirs)


@pytest.mark.parametrize("shape", [(30,), (3, 30), (2, 2, 17), (1, 1, 1, 40), (1000,)])
@pytest.mark.parametrize("name", ["int64", "float32", "float64", "bool", "complex128"])
def test_long_lines(shape, name):
    theirs = (np.arange(np.prod(shape)) * 1.25).reshape(shape).astype(name)
    assert repr(ps.array(theirs)) == expected(theirs)


def test_examples():
    assert repr(ps.array([1.0, 2.0])) == "array([1., 2.])"
    assert repr(ps.array([1, 2], dtype="int32")) == "array([1, 2], dtype=int32)"
    assert repr(ps.array([1.5], dtype="bfloat16")) == "array([1.5], dtype=bfloat16)"
    assert repr(ps.array(1.5)) == "array(1.5)"
    assert repr(ps.array(True)) == "array(True)"
    assert repr(ps.array([])) == "array([], dtype=float32)"
    assert repr(ps.zeros((0, 3))) == "array([], shape=(0, 3), dtype=float32)"
    assert str(ps.array([[1, 2], [3, 4]])) == "[[1 2]\n [3 4]]"
    assert repr(ps.array([[1, 2], [3, 4]]).T) == "array([[1, 3],\n       [2, 4]])"


def test_subclasses():
    class Sub(ps.ndarray):
        pass

    theirs = np.arange(40, dtype=np.float32).reshape(2, 20)
    assert repr(Sub([1.0, 2.0])) == "Sub([1., 2.])"
    assert repr(Sub(theirs)) == expected(theirs, "Sub")
    assert repr(Sub(theirs) + 1) == expected(theirs + 1, "Sub")


def test_all_settings():
    """What the packages in Python that stand for other libraries write their texts with."""
    write = ps._core._format
    x = ps.array([[1.5, -200.25], [0.0, float("nan")]])
    assert write(x) == str(x)
    assert write(x, "torch") == "[[   1.5000, -200.2500],\n [   0.0000,       nan]]"
    assert (
        write(x, "torch", prefix="tensor(", suffixes="dtype=torch.float32\nrequires_grad=True")
        == "tensor([[   1.5000, -200.2500],\n"
        "        [   0.0000,       nan]], dtype=torch.float32, requires_grad=True)"
    )
    assert write(x[0], "torch", precision=1, scientific=True) == "[ 1.5e+00, -2.0e+02]"
    assert write(ps.array([1e9]), "torch", scientific=False) == "[1000000000.]"
    row = ps.arange(7, dtype="int64")
    assert write(row, "torch", threshold=5, edge=1) == "[0,  ..., 6]"
    assert write(row, "torch", width=9) == "[0, 1, 2,\n 3, 4, 5,\n 6]"
    assert write(row, prefix="array(") == repr(row)


def test_settings_that_are_refused():
    x = ps.array([1.0])
    with pytest.raises(ValueError, match="no style 'prose'"):
        ps._core._format(x, "prose")
    with pytest.raises(ValueError, match="less than -1"):
        ps._core._format(x, precision=-2)
    with pytest.raises(TypeError, match="True, False or None, not 1"):
        ps._core._format(x, scientific=1)
    with pytest.raises(TypeError):
        ps._core._format([1.0])


def test_format():
    number = ps.array(3.14159)
    assert format(number, ".3f") == "3.142"
    assert f"{ps.array(5):>4d}|{ps.array(True)}" == "   5|True"
    assert f"{number}" == str(number)
    row = ps.array([1.0, 2.0])
    assert f"{row}" == "[1. 2.]"
    with pytest.raises(TypeError, match="'.3f' is for a number, the array has 1 dimensions"):
        format(row, ".3f")
    with pytest.raises(ValueError):
        format(number, "q")
    with pytest.raises(TypeError):
        number.__format__(5)


def test_print_waits(capsys):
    x = ps.ones((50, 50))
    print((x @ x)[0, 0])
    assert capsys.readouterr().out == "50.0\n"
