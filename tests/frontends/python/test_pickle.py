"""Pickle, copy and deepcopy."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import processes
import pytest

import penstock as ps
from penstock import _core

NAMES = [
    "bool",
    "int8",
    "int64",
    "uint16",
    "uint64",
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]
PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


class Tagged(ps.ndarray):
    """An array with attributes."""


class Slotted(ps.ndarray):
    __slots__ = ("note",)


class Private(ps.ndarray):
    """Says itself how it is pickled."""

    def __reduce__(self):
        return (rebuild_private, (self.tolist(),))


def rebuild_private(values):
    return Private(values)


def same(a, b):
    assert type(a) is type(b)
    assert (a.dtype, a.shape) == (b.dtype, b.shape)
    assert a.tobytes() == b.tobytes()


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("name", NAMES)
def test_round_trip(protocol, name):
    base = ps.array(np.arange(24).reshape(2, 3, 4)).astype(name)
    for ours in (base, base.T, base[:, ::-1], base[0, 0, 0], base[:0], base[1:, :, 2]):
        same(pickle.loads(pickle.dumps(ours, protocol)), ours)


def test_out_of_band():
    ours = ps.array(np.arange(1000.0))
    buffers = []
    data = pickle.dumps(ours, 5, buffer_callback=buffers.append)
    assert len(data) < 500 and len(buffers) == 1
    assert buffers[0].raw().nbytes == 8000
    ours[:] = 0  # what was pickled stays as it was
    same(pickle.loads(data, buffers=buffers), ps.array(np.arange(1000.0)))
    same(pickle.loads(data, buffers=[bytearray(8000)]), ps.array(np.zeros(1000)))
    with pytest.raises(ValueError, match="16 bytes for shape"):
        pickle.loads(data, buffers=[b"\0" * 16])
    with pytest.raises(TypeError):
        pickle.loads(data, buffers=[5])


def test_value_at_the_time():
    ours = ps.array([1.0, 2.0])
    data = pickle.dumps(ours)
    ours += 1
    assert pickle.loads(data).tolist() == [1, 2]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_subclasses(protocol):
    ours = Tagged([1.0, 2.0])
    ours.label, ours.me = "a", ours
    again = pickle.loads(pickle.dumps(ours, protocol))
    same(again, ours)
    assert again.label == "a" and again.me is again
    slotted = Slotted([1.0])
    slotted.note = 7
    assert pickle.loads(pickle.dumps(slotted, protocol)).note == 7
    assert type(pickle.loads(pickle.dumps(Private([1.0]), protocol))) is Private


def test_another_process():
    data = pickle.dumps(ps.array([[1, 2], [3, 4]]))
    program = "import pickle, sys; print(pickle.load(sys.stdin.buffer).tolist())"
    result = subprocess.run(
        [sys.executable, "-c", program], input=data, capture_output=True, timeout=processes.LIMIT
    )
    assert result.stdout == b"[[1, 2], [3, 4]]\n", result.stderr


def test_failed_arrays():
    bad = ps.take(ps.array([1.0]), ps.array([5]))
    for protocol in PROTOCOLS:
        with pytest.raises((IndexError, ValueError), match="5"):
            pickle.dumps(bad, protocol)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ((ps.ndarray, "float32", (2,), b"\0" * 7), ValueError, "7 bytes for shape"),
        ((ps.ndarray, "float32", (2,), b"\0" * 9), ValueError, "9 bytes for shape"),
        ((ps.ndarray, "float32", (-2,), b""), ValueError, "negative length"),
        ((ps.ndarray, "float32", (-1, -2), b"\0" * 8), ValueError, "negative length"),
        ((ps.ndarray, "float32", (2**62, 2**62), b""), ValueError, "0 bytes for shape"),
        ((ps.ndarray, "float32", (2**62, 4), b""), ValueError, "0 bytes for shape"),
        ((ps.ndarray, "float32", (2**70,), b""), OverflowError, "too (big|large)"),
        ((ps.ndarray, "float32", ("a",), b""), TypeError, "str"),
        ((ps.ndarray, "float32", [2], b"\0" * 8), TypeError, "tuple"),
        ((ps.ndarray, "float32", (1,) * 33, b"\0" * 4), TypeError, "at most 32"),
        ((ps.ndarray, "float33", (1,), b"\0" * 4), TypeError, "float33"),
        ((ps.ndarray, 5, (1,), b"\0" * 4), TypeError, "str"),
        ((ps.ndarray, "float32", (1,), "abcd"), TypeError, "bytes-like"),
        ((dict, "float32", (1,), b"\0" * 4), TypeError, "derive from ndarray"),
        ((5, "float32", (1,), b"\0" * 4), TypeError, "derive from ndarray"),
        ((ps.ndarray, "float32", (1,)), TypeError, "4 arguments"),
    ],
)
def test_hostile(arguments, error, text):
    with pytest.raises(error, match=text):
        _core._rebuild(*arguments)


def test_copies():
    ours = ps.array([[1.0, 2.0], [3.0, 4.0]])
    for made in (copy.copy(ours), copy.deepcopy(ours), copy.deepcopy([ours])[0]):
        same(made, ours)
        made[0, 0] = 9
    assert ours[0, 0].item() == 1
    twice = copy.deepcopy([ours, ours])
    assert twice[0] is twice[1]


def test_copies_of_subclasses():
    ours = Tagged([1.0, 2.0])
    ours.parts, ours.me = [1], ours
    shallow, deep = copy.copy(ours), copy.deepcopy(ours)
    assert type(shallow) is Tagged and type(deep) is Tagged
    assert shallow.parts is ours.parts and shallow.me is ours
    assert deep.parts == [1] and deep.parts is not ours.parts
    assert deep.me is deep
