"""Element types as objects, their common types, and functions about them."""

import pickle

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

import penstock as ps

NAMES = [
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]
IN_NUMPY = [name for name in NAMES if name != "bfloat16"]
names = st.sampled_from(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_objects(name):
    dtype = getattr(ps, name)
    assert repr(dtype) == f"penstock.{name}"
    assert str(dtype) == dtype.name == name
    assert dtype == name and dtype != "text" and dtype != 3
    assert hash(dtype) == hash(name)
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    x = ps.ones(2, dtype=dtype)
    assert x.dtype is dtype
    assert (x.itemsize, x.nbytes) == (dtype.itemsize, 2 * dtype.itemsize)
    assert dtype(1).dtype is dtype and dtype(1).shape == ()
    assert dtype([1, 0]).shape == (2,)


@pytest.mark.parametrize("name", IN_NUMPY)
def test_beside_numpy(name):
    dtype, theirs = getattr(ps, name), np.dtype(name)
    assert (dtype.itemsize, dtype.kind) == (theirs.itemsize, theirs.kind)
    assert dtype == theirs and dtype == theirs.type
    for spelling in (name, theirs, theirs.type):
        assert ps.zeros(1, dtype=spelling).dtype is dtype
    assert ps.array(np.ones(2, name)).dtype is dtype
    assert ps.ones(2, dtype=dtype).asnumpy().dtype == theirs


def test_python_types():
    for kind, dtype in (
        (float, ps.float32),
        (int, ps.int64),
        (bool, ps.bool),
        (complex, ps.complex64),
    ):
        assert ps.zeros(1, dtype=kind).dtype is dtype
        assert ps.array([kind(1)]).dtype is dtype


@pytest.mark.parametrize("bad", ["float12", "", 3, 2.5, [], object, "<f4 "])
def test_no_types(bad):
    with pytest.raises(TypeError, match="element type"):
        ps.zeros(1, dtype=bad)


def test_cannot_be_made():
    with pytest.raises(TypeError):
        type(ps.float32)()


# ---- Common types ------------------------------------------------------------------------------


@hypothesis.given(names, names)
def test_result_type_of_two(a, b):
    result = ps.result_type(a, b)
    assert result is ps.result_type(b, a)
    assert ps.result_type(result, a) is result
    assert (ps.ones(1, dtype=a) + ps.ones(1, dtype=b)).dtype is result
    kinds = [getattr(ps, n).kind for n in (a, b)]
    if kinds[0] == kinds[1] and "bfloat16" not in (a, b):
        assert result == np.result_type(a, b)
    if set(kinds) <= set("biu"):
        assert result == np.result_type(a, b)


def test_result_type_of_integers_and_floats():
    """Integers never widen a floating-point type."""
    for integer in ("int8", "int64", "uint64", "bool"):
        for real in ("float16", "bfloat16", "float32", "float64", "complex64"):
            assert ps.result_type(integer, real) == real
    assert ps.result_type("float64", "complex64") == "complex128"
    assert ps.result_type("float16", "bfloat16") == "float32"


def test_result_type_of_arrays_and_numbers():
    assert ps.result_type(ps.ones(2), 1, ps.int32) is ps.float32
    assert ps.result_type(ps.arange(2), 1.5) is ps.float32
    assert ps.result_type(1.5) is ps.float32
    assert ps.result_type(1) is ps.int64
    assert ps.result_type(True) is ps.bool
    assert ps.result_type(ps.float64, 1j) is ps.complex128
    assert ps.result_type(np.ones(2), np.float32) is ps.float64
    with pytest.raises(ValueError, match="at least one"):
        ps.result_type()
    with pytest.raises(TypeError):
        ps.result_type("text")


@hypothesis.given(names, names)
def test_can_cast(a, b):
    assert ps.can_cast(a, b) == (ps.result_type(a, b) == b)
    assert ps.can_cast(ps.ones(1, dtype=a), b) == ps.can_cast(a, b)


@pytest.mark.parametrize("name", NAMES)
def test_isdtype(name):
    dtype = getattr(ps, name)
    kinds = {
        "bool": dtype.kind == "b",
        "signed integer": dtype.kind == "i",
        "unsigned integer": dtype.kind == "u",
        "integral": dtype.kind in "iu",
        "real floating": dtype.kind == "f",
        "complex floating": dtype.kind == "c",
        "numeric": dtype.kind != "b",
    }
    for kind, expected in kinds.items():
        assert ps.isdtype(dtype, kind) is expected
    assert ps.isdtype(dtype, dtype)
    assert ps.isdtype(dtype, (ps.bool, "numeric"))
    with pytest.raises(ValueError, match="'text'"):
        ps.isdtype(dtype, "text")


# ---- Limits and inspection -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["float16", "float32", "float64", "complex64", "complex128"])
def test_finfo(name):
    ours, theirs = ps.finfo(name), np.finfo(name)
    for field in ("bits", "eps", "max", "min", "smallest_normal", "tiny"):
        assert getattr(ours, field) == float(getattr(theirs, field)), field
    assert ours.dtype == theirs.dtype
    assert ps.finfo(ps.ones(2, dtype=name)).max == ours.max
    assert "eps=" in repr(ours)


def test_finfo_bfloat16():
    ours = ps.finfo(ps.bfloat16)
    assert (ours.bits, ours.eps, ours.smallest_normal) == (16, 2.0**-7, 2.0**-126)
    assert float(ps.array(ours.max).astype("bfloat16")) == ours.max


@pytest.mark.parametrize("name", [n for n in NAMES if "int" in n])
def test_iinfo(name):
    ours, theirs = ps.iinfo(name), np.iinfo(name)
    assert (ours.bits, ours.max, ours.min) == (theirs.bits, theirs.max, theirs.min)
    assert ours.dtype == name


def test_limits_of_other_types():
    with pytest.raises(TypeError, match="int8"):
        ps.finfo("int8")
    with pytest.raises(TypeError, match="float32"):
        ps.iinfo("float32")


def test_namespace_info():
    info = ps.__array_namespace_info__()
    assert info.default_device() in info.devices()
    assert ps.ones(1).device == info.default_device()
    assert info.default_dtypes()["real floating"] is ps.ones(1).dtype
    assert info.default_dtypes()["integral"] is ps.arange(1).dtype
    assert set(info.dtypes()) == set(NAMES)
    assert set(info.dtypes(kind="complex floating")) == {"complex64", "complex128"}
    assert set(info.dtypes(kind=("bool", "real floating"))) == {
        "bool",
        "float16",
        "bfloat16",
        "float32",
        "float64",
    }
    assert info.capabilities()["boolean indexing"] is True


def test_broadcast_shapes():
    for shapes in ([(3, 1), (4,)], [()], [(2, 3), (1,), (5, 1, 1)], [(0, 1), (1, 4)], [3, (2, 1)]):
        assert ps.broadcast_shapes(*shapes) == np.broadcast_shapes(*shapes)
    assert ps.broadcast_shapes() == ()


# ---- Conversions -------------------------------------------------------------------------------


@hypothesis.given(
    st.sampled_from(IN_NUMPY),
    st.sampled_from(IN_NUMPY),
    st.lists(st.integers(0, 100), max_size=5),
)
def test_astype(a, b, numbers):
    x = np.array(numbers).astype(a)
    with np.errstate(all="ignore"):
        theirs = (x.real if np.dtype(b).kind != "c" and b != "bool" else x).astype(b)
    np.testing.assert_array_equal(ps.array(x).astype(b).asnumpy(), theirs)


def test_astype_out_of_range():
    """Defined: cut toward zero, NaN is 0, what is too large is the limit."""
    x = ps.array([1.9, -1.9, float("nan"), 1e30, -1e30])
    np.testing.assert_array_equal(x.astype("int8").asnumpy(), [1, -1, 0, 127, -128])
    np.testing.assert_array_equal(x.astype("uint8").asnumpy(), [1, 0, 0, 255, 0])


def test_astype_arguments():
    x = ps.ones(2)
    with pytest.raises(TypeError, match="element type"):
        x.astype("text")
    with pytest.raises(TypeError):
        x.astype()
    assert x.astype(float).dtype is ps.float32
