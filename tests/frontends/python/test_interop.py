"""Arrays out of numbers, sequences and other libraries' arrays, and back."""

import array as stdlib_array
import ctypes
import math
import os
import sys
import threading
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import penstock as ps
import processes
from penstock import _core

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
    "float32",
    "float64",
    "complex64",
    "complex128",
]


def same(ours, theirs):
    """Whether a penstock array has the type, shape and bits of a NumPy array."""
    assert ours.dtype == theirs.dtype.name
    assert ours.shape == theirs.shape
    back = ours.asnumpy()
    assert back.dtype == theirs.dtype
    assert back.tobytes() == theirs.tobytes()


# ---- layouts -------------------------------------------------------------------------------------


@st.composite
def arrays(draw):
    """NumPy arrays of any type and layout."""
    dtype = np.dtype(draw(st.sampled_from(NAMES)))
    shape = draw(hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4))
    array = draw(hnp.arrays(dtype, shape))
    for _ in range(draw(st.integers(0, 2))):
        change = draw(st.sampled_from(["T", "F", "flip", "step", "spread", "new", "part"]))
        if change == "T":
            array = array.T
        elif change == "F":
            array = np.asfortranarray(array)
        elif change == "flip" and array.ndim:
            array = np.flip(array, draw(st.integers(0, array.ndim - 1)))
        elif change == "step" and array.ndim:
            array = array[:: draw(st.sampled_from([2, 3, -2]))]
        elif change == "spread":
            array = np.broadcast_to(array, (2, *array.shape))
        elif change == "new":
            array = array[..., None]
        elif change == "part" and array.ndim and array.shape[-1] > 1:
            array = array[..., 1:]
    return array


@given(arrays())
def test_layouts_come_and_go(theirs):
    ours = ps.array(theirs)
    same(ours, theirs)
    same(ps.asarray(ours.asnumpy()), theirs)
    np.testing.assert_array_equal(np.asarray(ours), theirs)
    np.testing.assert_array_equal(np.array(ours), theirs)
    assert ours.tobytes() == theirs.tobytes()


@given(arrays())
def test_lists(theirs):
    ours = ps.array(theirs)
    assert repr(ours.tolist()) == repr(theirs.tolist())
    if theirs.size and theirs.ndim:
        position = theirs.size - 1
        assert repr(ours.item(position)) == repr(theirs.item(position))
        index = tuple(n - 1 for n in theirs.shape)
        assert repr(ours.item(*index)) == repr(theirs.item(*index))
        assert repr(ours.item(index)) == repr(theirs.item(index))


@given(arrays())
def test_without_a_copy(theirs):
    ours = ps.array(theirs, copy=False)
    same(ours, theirs)
    if theirs.size:
        assert np.shares_memory(np.asarray(ours), theirs)


@pytest.mark.parametrize("name", NAMES)
def test_views_of_ours(name):
    theirs = np.arange(24).reshape(2, 3, 4).astype(name)
    ours = ps.array(theirs)
    np.testing.assert_array_equal(np.asarray(ours.T), theirs.T)
    np.testing.assert_array_equal(np.asarray(ours[1]), theirs[1])
    np.testing.assert_array_equal(np.asarray(ours[:, ::-2, 1:3]), theirs[:, ::-2, 1:3])
    assert ours[:, ::-2, 1:3].tolist() == theirs[:, ::-2, 1:3].tolist()
    assert ours[:, ::-2, 1:3].tobytes() == theirs[:, ::-2, 1:3].tobytes()


def test_read_only_and_unaligned():
    fixed = np.arange(5.0)
    fixed.flags.writeable = False
    same(ps.array(fixed), fixed)
    same(ps.array(fixed, copy=False), fixed)
    shifted = np.frombuffer(b"\0" + np.arange(5.0).tobytes(), np.float64, offset=1)
    same(ps.array(shifted), shifted)
    same(ps.array(shifted[::2]), shifted[::2])
    with pytest.raises(ValueError, match="copy=False.*not aligned"):
        ps.array(shifted, copy=False)
    fields = np.zeros(4, [("a", "u1"), ("b", "f4")])
    fields["b"] = [1, 2, 3, 4]
    same(ps.array(fields["b"]), fields["b"])
    with pytest.raises(ValueError, match="copy=False"):
        ps.array(fields["b"], copy=False)


@pytest.mark.parametrize(
    ("theirs", "text"),
    [
        (np.arange(3, dtype=">f4"), "'>f'"),
        (np.arange(3, dtype=">i8"), "'>"),
        (np.zeros(3, [("a", "u1"), ("b", "f4")]), "T{"),
        (np.array(["a", "b"]), "'1w'"),
        (np.array([b"a"]), "'1s'"),
        (np.zeros(2, np.longdouble), "'g'"),
        (np.array([1, None]), "'O'"),
        (np.array(["2020-01-01"], "M8[D]"), "no numbers"),
        (np.datetime64("2020-01-01"), "'B'"),
        (np.longdouble(1), "'g'"),
    ],
)
def test_elements_that_are_no_numbers(theirs, text):
    with pytest.raises(TypeError, match="cannot become an array") as caught:
        ps.array(theirs)
    assert text in str(caught.value)


def test_other_buffers():
    assert ps.array(b"ab").tolist() == [97, 98]
    assert ps.array(bytearray(b"ab")).dtype == "uint8"
    assert ps.array(memoryview(b"abcd").cast("H")).shape == (2,)
    assert ps.array(stdlib_array.array("d", [1.5, 2.5])).dtype == "float64"
    assert ps.array(stdlib_array.array("q", [1, -2])).tolist() == [1, -2]
    assert ps.array((ctypes.c_int16 * 3)(1, 2, 3)).dtype == "int16"
    assert ps.array(((ctypes.c_double * 2) * 2)()).shape == (2, 2)
    assert ps.array(ctypes.c_int32(7)).item() == 7
    with pytest.raises(TypeError, match="cannot become an array"):
        ps.array((ctypes.c_char * 3)())


def test_too_many_dimensions():
    with pytest.raises(ValueError, match="40 dimensions, at most 32"):
        ps.array(np.zeros((1,) * 40))
    assert ps.array(np.zeros((1,) * 32)).ndim == 32


# ---- captured before the call returns ------------------------------------------------------------


def test_captured():
    theirs = np.arange(1000.0)
    ours = ps.array(theirs)
    total = ours.sum()
    converted = ps.array(theirs, dtype="float32")
    theirs[:] = -1
    assert ours[999].item() == 999
    assert total.item() == 499500
    assert converted.tolist() == list(range(1000))


def test_operands_are_captured():
    theirs = np.ones(1000, np.float32)
    ours = ps.array(theirs)
    total = ours + theirs
    theirs[:] = 7
    assert total.tolist() == [2.0] * 1000


# ---- snapshots -----------------------------------------------------------------------------------


def test_snapshots_stay():
    ours = ps.array([1.0, 2.0, 3.0])
    view = memoryview(ours)
    shared = np.asarray(ours)
    part = np.asarray(ours[1:])
    capsule = np.from_dlpack(ours)
    ours[:] = 9
    ours[0] = 5
    ps.waitall()
    assert ours.tolist() == [5, 9, 9]
    for snapshot in (np.asarray(view), shared, capsule):
        assert snapshot.tolist() == [1, 2, 3]
        assert not snapshot.flags.writeable
    assert part.tolist() == [2, 3]
    del ours
    assert shared.tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="read-only"):
        shared[0] = 1


def test_asnumpy_is_private():
    ours = ps.array([1.0, 2.0])
    theirs = ours.asnumpy()
    theirs[0] = 7
    assert ours.tolist() == [1, 2]
    assert ours.numpy().flags.owndata


def test_buffer_requests():
    ours = ps.array(np.arange(6.0).reshape(2, 3))
    view = memoryview(ours)
    assert (view.format, view.shape, view.strides) == ("d", (2, 3), (24, 8))
    assert view.readonly and view.c_contiguous and view.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert bytes(ours) == ours.tobytes()
    turned = memoryview(ours.T)
    assert turned.f_contiguous and turned.tolist() == [[0, 3], [1, 4], [2, 5]]
    with pytest.raises(BufferError, match="C order"):
        _core.frombuffer(ours.T)
    room = ctypes.create_string_buffer(256)
    with pytest.raises(BufferError, match=r"read-only.*asnumpy\(\)"):
        ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(ours), room, 1)  # writable
    with open(os.devnull, "rb") as empty, pytest.raises((BufferError, TypeError)):
        empty.readinto(ours)
    assert memoryview(ps.array(3)).tolist() == 3
    assert memoryview(ps.array(np.zeros((0, 3)))).shape == (0, 3)


def test_array_method():
    ours = ps.array([1.5, 2.5])
    assert not ours.__array__().flags.writeable
    assert not ours.__array__(copy=False).flags.writeable
    assert ours.__array__(copy=True).flags.writeable
    assert np.array(ours, copy=True).flags.writeable
    assert ours.__array__(np.float64).dtype == np.float64
    assert ours.__array__("int32", copy=True).tolist() == [1, 2]
    assert np.asarray(ours, dtype=np.int8).tolist() == [1, 2]
    with pytest.raises(ValueError, match="copy=False"):
        ours.__array__(np.float64, copy=False)
    with pytest.raises(ValueError):
        np.array(ours, dtype=np.float64, copy=False)


def test_bfloat16():
    ours = ps.array([1.0, 2.5, -3.0], dtype="bfloat16")
    assert ours.tolist() == [1, 2.5, -3]
    with pytest.raises(BufferError, match="bfloat16.*float32"):
        memoryview(ours)
    try:
        import ml_dtypes
    except ImportError:
        with pytest.raises(TypeError, match="float32.*ml_dtypes"):
            ours.asnumpy()
        return
    theirs = ours.asnumpy()
    assert theirs.dtype == ml_dtypes.bfloat16 and theirs.tolist() == [1, 2.5, -3]
    back = ps.array(theirs[::-1])
    assert back.dtype == "bfloat16" and back.tolist() == [-3, 2.5, 1]
    assert ps.array(ml_dtypes.bfloat16(2.5)).tolist() == 2.5
    assert ps.array(theirs, copy=False).tolist() == [1, 2.5, -3]


# ---- numbers and sequences -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (True, "bool"),
        (3, "int64"),
        (-3, "int64"),
        (2**63, "uint64"),
        (2.5, "float32"),
        (1 + 2j, "complex64"),
        (np.float64(2.5), "float32"),
        (np.float32(2.5), "float32"),
        (np.float16(2.5), "float16"),
        (np.int8(3), "int8"),
        (np.uint64(3), "uint64"),
        (np.bool_(True), "bool"),
        (np.complex64(1j), "complex64"),
    ],
)
def test_numbers(value, dtype):
    ours = ps.array(value)
    assert (ours.dtype, ours.shape) == (dtype, ())
    assert ours.item() == value
    assert ps.array([value, value]).dtype == dtype
    assert ps.array([value, value]).tolist() == [value, value]


def test_large_numbers():
    with pytest.raises(OverflowError, match="18446744073709551616"):
        ps.array(2**64)
    with pytest.raises(OverflowError, match="-9223372036854775809"):
        ps.array([1, -(2**63) - 1])
    with pytest.raises(OverflowError, match="-1 does not fit uint64"):
        ps.array([2**63, -1])
    with pytest.raises(OverflowError, match=r"300 does not fit int8 \(-128 to 127\)"):
        ps.array([1, 300], dtype="int8")
    with pytest.raises(OverflowError, match=r"-1 does not fit uint16 \(0 to 65535\)"):
        ps.array(-1, dtype="uint16")
    assert ps.array(2**70, dtype="float64").item() == 2.0**70
    assert ps.array([2**63, 1]).tolist() == [2**63, 1]


ELEMENTS = [
    st.booleans(),
    st.integers(-(2**31), 2**31),
    st.floats(-100, 100, width=32),
    st.complex_numbers(max_magnitude=100, width=64),
]


@given(st.data(), st.lists(st.integers(0, 4), max_size=3))
def test_nested_sequences(data, shape):
    kind = data.draw(st.integers(0, 3))

    def nested(lengths):
        if not lengths:
            return data.draw(ELEMENTS[kind])
        items = [nested(lengths[1:]) for _ in range(lengths[0])]
        return data.draw(st.sampled_from([list, tuple]))(items)

    value = nested(shape)
    ours, theirs = ps.array(value), np.array(value)
    if 0 not in shape:
        expected = ["bool", "int64", "float32", "complex64"][kind]
        assert ours.dtype == expected
        assert ours.shape == theirs.shape
        np.testing.assert_array_equal(ours.asnumpy(), theirs.astype(expected))
    else:
        assert ours.dtype == "float32" and ours.shape == theirs.shape


def test_kinds_by_content():
    assert ps.array([True, 2]).dtype == "int64"
    assert ps.array([True, 2.0]).dtype == "float32"
    assert ps.array([1, 2.0, 3j]).dtype == "complex64"
    assert ps.array([]).dtype == "float32"
    assert ps.array([np.int8(1), np.int16(2)]).dtype == "int16"
    assert ps.array([np.float16(1), 2]).tolist() == [1, 2]
    assert ps.array(range(3)).tolist() == [0, 1, 2]
    assert ps.array([range(2), (3, 4)]).tolist() == [[0, 1], [3, 4]]
    assert ps.array([1.9, -1.9], dtype="int32").tolist() == [1, -1]
    assert ps.array([0.0, 0.5], dtype=bool).tolist() == [False, True]
    assert ps.array([2**63, 0], dtype=bool).tolist() == [True, False]
    assert ps.array([1, 2], dtype="float16").tolist() == [1, 2]
    assert ps.array([True, False], dtype="complex128").tolist() == [1, 0]
    with pytest.raises(TypeError, match="complex numbers cannot become float32"):
        ps.array([1j], dtype="float32")


def test_kinds_by_dialect():
    class Half(ps.ndarray, dialect=ps.Dialect("interop halves", float="float16", int="float32")):
        pass

    assert Half([1.5, 2]).dtype == "float16"
    assert Half([1, 2**63]).dtype == "float32"
    assert Half(2.5).dtype == "float16"
    assert Half([True]).dtype == "bool"
    assert Half(np.ones(2)).dtype == "float64"


def test_arrays_in_sequences():
    row = ps.array([1.0, 2.0])
    assert ps.array([row, row + 1]).tolist() == [[1, 2], [2, 3]]
    assert ps.array([row[0], 5.0]).tolist() == [1, 5]
    assert ps.array([row, [3, 4]]).tolist() == [[1, 2], [3, 4]]
    assert ps.array([row, np.array([3, 4], np.float32)], dtype="int32").dtype == "int32"
    assert ps.array([[row], [row]]).shape == (2, 1, 2)
    assert ps.array([np.ones(2), np.zeros(2)]).dtype == "float64"
    with pytest.raises(ValueError, match=r"\[1\] has \(3,\), \[0\] has \(2,\)"):
        ps.array([row, np.zeros(3)])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([[1, 2], [3]], r"\[1\] has length 1, those before it 2"),
        ([[[1], [2]], [[3], [4, 5]]], r"\[1\]\[1\] has length 2, those before it 1"),
        ([1, [2]], r"\[1\] is a sequence"),
        ([[1], 2], r"\[1\] is a number"),
        ([[], [1]], r"\[1\] has length 1, those before it 0"),
        ([[], [[]]], r"\[1\] has length 1"),
    ],
)
def test_ragged(value, text):
    with pytest.raises(ValueError, match=text):
        ps.array(value)


def test_endless_nesting():
    value = []
    value.append(value)
    with pytest.raises(ValueError, match="32 deep"):
        ps.array(value)
    row = ps.ones(2)
    value[:] = [value, row]
    with pytest.raises((ValueError, RecursionError)):
        ps.array(value)


@pytest.mark.parametrize(
    "value", [None, "abc", object(), {1: 2}, {1, 2}, np.float32, ["a"], [None]]
)
def test_refused(value):
    with pytest.raises(TypeError, match="must"):
        ps.array(value)


def test_sequence_changed_while_read():
    if sys.version_info < (3, 12):
        pytest.skip("classes with a buffer need Python 3.12")
    values = []

    class Changing:
        def __buffer__(self, flags):
            values.clear()
            return memoryview(np.float32(1))

        def __float__(self):
            return 1.0

    values.extend([Changing(), 2.0])
    with pytest.raises((ValueError, TypeError)):
        ps.array(values)


# ---- copies, types and devices -------------------------------------------------------------------


def test_asarray_and_array():
    ours = ps.array([1.0, 2.0])
    assert ps.asarray(ours) is ours
    assert ps.asarray(ours, copy=False) is ours
    assert ps.asarray(ours, dtype="float32") is ours
    assert ps.asarray(ours, dtype="int32").dtype == "int32"
    other = ps.array(ours)
    other[0] = 7
    assert ours.tolist() == [1, 2]
    assert ps.array(ours, copy=None) is ours
    assert ps.asarray(ours, copy=True) is not ours
    with pytest.raises(ValueError, match="copy=False.*float32.*int8"):
        ps.asarray(ours, dtype="int8", copy=False)
    with pytest.raises(ValueError, match="copy=False: list"):
        ps.array([1, 2], copy=False)
    with pytest.raises(ValueError, match="copy=False: float"):
        ps.array(1.0, copy=False)
    with pytest.raises(ValueError, match="copy=False"):
        ps.array(np.arange(3.0), dtype="float32", copy=False)
    with pytest.raises(TypeError, match="copy must be True, False or None, not 1"):
        ps.array([1], copy=1)
    assert ps.array([1], device="cpu").tolist() == [1]
    with pytest.raises(ValueError):
        ps.array([1], device="moon")


def test_writes_to_borrowed_memory_go_elsewhere():
    theirs = np.arange(4.0)
    ours = ps.array(theirs, copy=False)
    ours[:] = 9
    ours[1] = 5
    assert ours.tolist() == [9, 5, 9, 9]
    assert theirs.tolist() == [0, 1, 2, 3]


def test_frombuffer():
    data = np.arange(4, dtype=np.int32).tobytes()
    assert _core.frombuffer(data, "int32").tolist() == [0, 1, 2, 3]
    assert _core.frombuffer(data, "int32", count=2, offset=4).tolist() == [1, 2]
    assert _core.frombuffer(data[:4]).dtype == "float32"
    for arguments, text in [
        (("int64", -1, 1), "no multiple"),
        (("int32", 5), "do not fit 16 bytes"),
        (("int32", -1, 17), "offset must be 0 to 16, not 17"),
        (("int32", -1, -1), "offset"),
    ]:
        with pytest.raises(ValueError, match=text):
            _core.frombuffer(data, *arguments)


def test_item_errors():
    ours = ps.array([[1, 2], [3, 4]])
    with pytest.raises(ValueError, match=r"shape \(2, 2\) has 4 elements"):
        ours.item()
    with pytest.raises(IndexError, match="position 4 is out of range"):
        ours.item(4)
    with pytest.raises(IndexError, match="index 2 is out of range for dimension 1"):
        ours.item(0, 2)
    with pytest.raises(ValueError, match="3 indices for an array of 2 dimensions"):
        ours.item(0, 0, 0)
    with pytest.raises((TypeError, ValueError)):
        ours.item("a")
    assert (ours.item(-1), ours.item(-1, -2)) == (4, 3)


# ---- operands ------------------------------------------------------------------------------------


def test_numpy_operands():
    ours = ps.array([1.0, 2.0])
    theirs = np.array([3.0, 4.0], np.float32)
    for result in (ours + theirs, theirs + ours, np.add(ours, theirs), np.add(theirs, ours)):
        assert type(result) is ps.ndarray
        assert result.tolist() == [4, 6]
    for scalar in (np.float32(2), np.float64(2), np.int64(2)):
        for result in (ours * scalar, scalar * ours):
            assert type(result) is ps.ndarray
            assert result.tolist() == [2, 4]
    assert (np.float64(2) * ours).dtype == "float32"
    assert (theirs - ours).tolist() == [2, 2]
    assert (theirs @ ours).item() == 11
    assert (theirs > ours).tolist() == [True, True]
    assert (theirs == ours).tolist() == [False, False]
    assert np.power(ours, 2).tolist() == [1, 4]
    assert type(np.arctan2(theirs, ours)) is ps.ndarray
    assert np.absolute(-ours).tolist() == [1, 2]


def test_numpy_functions():
    ours = ps.array([4.0, 9.0])
    assert np.sqrt(ours).tolist() == [2, 3]
    target = ps.zeros(2)
    assert np.sqrt(ours, out=target) is target
    assert target.tolist() == [2, 3]
    with pytest.raises(TypeError, match=r"numpy\.spacing.*asnumpy\(\)"):
        np.spacing(ours)
    with pytest.raises(TypeError, match=r"numpy\.add\.reduce.*asnumpy\(\)"):
        np.add.reduce(ours)
    with pytest.raises(TypeError, match=r"NumPy array.*asnumpy\(\)"):
        np.add(ours, ours, out=np.zeros(2, np.float32))
    with pytest.raises(TypeError, match="where"):
        np.add(ours, ours, where=np.array([True, False]))
    theirs = np.zeros(2, np.float32)
    with pytest.raises(TypeError, match="asnumpy"):
        theirs += ours
    assert np.concatenate([ours, ours]).tolist() == [4, 9, 4, 9]
    assert np.allclose(ours, [4, 9])
    np.testing.assert_allclose(ours, [4, 9])


def test_subclass_operands():
    class Mine(ps.ndarray):
        pass

    ours = Mine([1.0, 2.0])
    assert type(np.ones(2, np.float32) + ours) is Mine
    assert type(np.float32(2) * ours) is Mine


# ---- borrowed memory comes back ------------------------------------------------------------------


class Base(np.ndarray):
    """An array that can be watched."""


def watched(length=4):
    return np.zeros(length).view(Base)


def test_buffers_released_while_the_interpreter_idles():
    count = 10_000
    reader, writer = os.pipe()
    released = 0

    def gone():
        nonlocal released
        released += 1
        if released == count:
            os.write(writer, b"x")

    imported = []
    for _ in range(count):
        base = watched()
        weakref.finalize(base, gone)
        imported.append(ps.array(base, copy=False))
        del base
    total = imported[0]
    for one in imported[:100]:
        total = total + one
    del imported, one
    assert os.read(reader, 1) == b"x"  # this thread runs no bytecode until all are gone
    assert total.tolist() == [0, 0, 0, 0]
    assert released == count
    os.close(reader)
    os.close(writer)


def test_borrowed_memory_outlives_its_arrays():
    base = watched(1000)
    base[:] = np.arange(1000)
    done = threading.Event()
    weakref.finalize(base, done.set)
    result = ps.array(base, copy=False) * 2
    del base
    assert result[999].item() == 1998
    assert done.wait(processes.LIMIT)


def test_released_on_failure():
    base = np.arange(6, dtype=">f8")
    watch = weakref.ref(base)
    with pytest.raises(TypeError):
        ps.array(base, copy=False)
    del base
    assert watch() is None


INTERRUPT = """
import gate, os, signal, numpy as np
signal.signal(signal.SIGALRM, signal.default_int_handler)
with gate.product(1000) as y:
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        {way}
        print('finished', flush=True)
    except KeyboardInterrupt:
        print('interrupted', y.is_ready(), flush=True)
    os._exit(0)
"""


@pytest.mark.parametrize(
    "way", ["np.asarray(y)", "memoryview(y)", "y.asnumpy()", "np.from_dlpack(y)"]
)
def test_interrupted_exports(way):
    program = INTERRUPT.format(way=way)
    assert processes.run_quietly(program, PENSTOCK_WORKERS="1") == "interrupted False\n"


EXIT = """
import numpy as np
class Base(np.ndarray): pass
kept = [ps.array(np.zeros(10).view(Base), copy=False) for _ in range(1000)]
later = [x + 1 for x in kept]
del kept[::2]
print('end')
"""


def test_exit_with_borrowed_memory():
    assert processes.run_quietly(EXIT) == "end\n"


EXIT_THREADS = """
import threading, numpy as np
class Base(np.ndarray): pass
started = threading.Barrier(3)
def work():
    started.wait()
    while True:
        ps.array(np.zeros(8).view(Base), copy=False) + 1
for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
started.wait()
kept = [ps.array(np.zeros(8).view(Base), copy=False) for _ in range(300)]
print('end')
"""


def test_exit_while_threads_borrow():
    assert processes.run_quietly(EXIT_THREADS) == "end\n"


FORK = """
import os, warnings, weakref, numpy as np
warnings.simplefilter('ignore', DeprecationWarning)  # Python's, about forks beside threads
class Base(np.ndarray): pass
first = ps.array(np.zeros(4).view(Base), copy=False)
child = os.fork()
if child == 0:
    reader, writer = os.pipe()
    base = np.ones(4).view(Base)
    weakref.finalize(base, os.write, writer, b'x')
    second = ps.array(base, copy=False)
    del base
    print((first + second).tolist(), flush=True)
    del first, second
    os.read(reader, 1)
    print('child', flush=True)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
del first
print('parent')
"""


@processes.forks_beside_a_new_thread
def test_fork_with_borrowed_memory():
    assert processes.run_quietly(FORK) == "[1.0, 1.0, 1.0, 1.0]\nchild\nparent\n"


def test_many_threads_borrow():
    count, threads = 500, 4
    base = np.arange(8.0)
    before = sys.getrefcount(base)
    barrier = threading.Barrier(threads)
    failures = []

    def work():
        barrier.wait()
        for _ in range(count):
            if ps.array(base, copy=False).sum().item() != 28:
                failures.append(1)

    running = [threading.Thread(target=work) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    assert not failures
    done = threading.Event()
    last = watched()
    weakref.finalize(last, done.set)
    borrowed = ps.array(last, copy=False)
    del last, borrowed
    assert done.wait(processes.LIMIT)  # those before it went first
    assert sys.getrefcount(base) == before


# ---- failures and imports ------------------------------------------------------------------------


def failed():
    x = ps.array([1.0, 2.0])
    return ps.take(x, ps.array([5]))


@pytest.mark.parametrize(
    "read",
    [
        lambda x: x.asnumpy(),
        lambda x: x.tolist(),
        lambda x: x.item(),
        lambda x: x.tobytes(),
        lambda x: memoryview(x),
        lambda x: np.asarray(x),
        lambda x: repr(x),
        lambda x: str(x),
        lambda x: x.__dlpack__(),
        lambda x: x.__dlpack__(max_version=(1, 0)),
    ],
)
def test_failures_are_raised(read):
    with pytest.raises((IndexError, ValueError), match="5"):
        read(failed())


def test_numpy_is_not_imported():
    program = (
        "import sys\n"
        "x = ps.array([[1, 2], [3, 4]]); print(x); repr(x); x.tolist(); memoryview(x)\n"
        "import pickle, copy; pickle.loads(pickle.dumps(x)); copy.deepcopy(x)\n"
        "ps.from_dlpack(x); format(x[0, 0], '.1f')\n"
        "print('numpy' in sys.modules)"
    )
    assert processes.run_quietly(program) == "[[1 2]\n [3 4]]\nFalse\n"


class Stranger:
    """Has nothing but __array__."""

    def __init__(self, value):
        self.value = value

    def __array__(self, dtype=None, copy=None):
        return self.value


def test_array_method_of_others():
    assert ps.array(Stranger(np.arange(3.0))).tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match="__array__ gave str"):
        ps.array(Stranger("abc"))
    assert math.isnan(ps.array(Stranger(np.array([math.nan]))).item())
