"""C++, Python and Second in one process: the line that queued is named, whoever waits.

`take` with a position out of range fails while it runs: at once, or late, when a product ends that a
gate holds. mixed.cpp is a shared object without anything of Python in it.
"""

import contextlib
import ctypes
import linecache
import os

import second  # first: it chooses the package's extension module
import gate
import penstock as ps
import pytest

CPP_FILE = os.path.join(os.path.dirname(__file__), "mixed.cpp")
TEXT = "index 9 is out of range for the flattened tensor with length 3; it is number 1 of the indices"
AXIS_TEXT = TEXT.replace("the flattened tensor", "axis 0")


class Seen(ctypes.Structure):
    """What C++ saw of an exception."""

    _fields_ = [
        ("kind", ctypes.c_char * 32),
        ("text", ctypes.c_char * 1000),
        ("operation", ctypes.c_char * 64),
        ("file", ctypes.c_char * 500),
        ("line", ctypes.c_uint32),
    ]


class Cpp:
    """The shared object; its arrays are Python's."""

    def __init__(self, language):
        self.language = language
        self.library = ctypes.CDLL(os.environ["MIXED_LIBRARY"])
        for name in ("take", "operator", "call"):
            getattr(self.library, f"mixed_{name}").restype = ctypes.c_void_p
        for name in ("wait", "add_expression", "add_functions"):
            getattr(self.library, f"mixed_{name}").restype = ctypes.c_bool

    def queue(self, name, x, places):
        """An array, and the line of C++ that queued it."""
        line = ctypes.c_uint32()
        function = getattr(self.library, f"mixed_{name}")
        pointers = self.language.pointer(x), self.language.pointer(places)
        return self.language.array(function(*pointers, ctypes.byref(line))), line.value

    def wait(self, x):
        """What C++ caught; None if nothing."""
        seen = Seen()
        done = self.library.mixed_wait(self.language.pointer(x), ctypes.byref(seen))
        return None if done else seen

    def call(self, name, x):
        seen = Seen()
        made = self.library.mixed_call(
            name.encode(), self.language.pointer(x), ctypes.byref(seen)
        )
        return self.language.array(made) if made else seen

    def add(self, how, name):
        """The error's text; None if the row is there now."""
        seen = Seen()
        done = getattr(self.library, f"mixed_add_{how}")(name.encode(), ctypes.byref(seen))
        return None if done else seen.text.decode()


@pytest.fixture
def language():
    loaded = second.Second()
    loaded.at("model.sec", 1)
    yield loaded
    ps.waitall()
    if loaded.library is not None:
        loaded.unload()


@pytest.fixture
def cpp(language):
    return Cpp(language)


@contextlib.contextmanager
def positions_now(values):
    yield ps.array(values, dtype="int64")


@contextlib.contextmanager
def positions_late(values):
    with gate.product() as product:
        yield product[0, : len(values)].astype("int64") * 0 + ps.array(values, dtype="int64")


WHEN = pytest.mark.parametrize("positions", [positions_now, positions_late])
HOW = pytest.mark.parametrize("how", ["take", "operator"])


def numbers():
    return ps.array([1.0, 2.0, 3.0])


def line_with(text):
    lines = linecache.getlines(__file__)
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"# {text}\n"))


# ---- Queued in C++ -------------------------------------------------------------------------------


@WHEN
@HOW
def test_python_waits_for_cpp(cpp, positions, how):
    with positions([0, 9]) as places:
        y, line = cpp.queue(how, numbers(), places)
    with pytest.raises(IndexError) as caught:
        y.wait()
    text = TEXT if how == "take" else AXIS_TEXT
    assert str(caught.value) == f"take: {text} (in take, queued at {CPP_FILE}, line {line})"
    source = linecache.getline(CPP_FILE, line).strip()
    assert "give(" in source
    note = f"take was queued at {CPP_FILE}, line {line}\n    {source}"
    assert caught.value.__notes__ == [note]


@WHEN
@HOW
def test_second_waits_for_cpp(cpp, language, positions, how):
    with positions([0, 9]) as places:
        y, line = cpp.queue(how, numbers(), places)
    with pytest.raises(second.Failed) as caught:
        language.wait(y)
    assert caught.value.error.line == line
    assert caught.value.error.place == f"{CPP_FILE}, line {line}"


def test_what_python_computes_from_it_is_told_the_same(cpp):
    y, line = cpp.queue("take", numbers(), ps.array([9]))
    with pytest.raises(IndexError, match=f"mixed.cpp, line {line}"):
        (y + 1).sum().item()


# ---- Cpp waits -----------------------------------------------------------------------------------


@WHEN
def test_cpp_waits_for_python(cpp, positions):
    with positions([0, 9]) as places:
        y = ps.take(numbers(), places)  # this line
    gate.open()
    seen = cpp.wait(y)
    # The interpreter's lock is not held in a call by ctypes: Python is named, its line is not.
    assert seen.text.decode() == f"take: {TEXT} (in take, queued in Python)"
    assert (seen.kind, seen.operation, seen.line) == (b"out_of_range", b"take", 0)


@WHEN
def test_cpp_waits_for_python_with_its_lock(cpp, positions):
    locked = ctypes.PyDLL(os.environ["MIXED_LIBRARY"])
    locked.mixed_wait.restype = ctypes.c_bool
    with positions([0, 9]) as places:
        y = ps.take(numbers(), places)  # with its lock
    seen, line = Seen(), line_with("with its lock")
    assert not locked.mixed_wait(cpp.language.pointer(y), ctypes.byref(seen))
    assert seen.file.decode() == __file__
    assert seen.line == line
    assert seen.text.decode() == f"take: {TEXT} (in take, queued at {__file__}, line {line})"


@WHEN
def test_cpp_waits_for_second(cpp, language, positions):
    with positions([1, 10]) as places:
        language.at("model.sec", 12)
        y = language.call("take", numbers(), places, 1)
    seen = cpp.wait(y)
    assert (seen.file, seen.line) == (b"model.sec", 12)
    assert seen.text.decode().endswith("(in take, queued at model.sec, line 12)")


def test_cpp_waits_for_a_frontend_that_is_gone(cpp, language):
    language.at("model.sec", 12)
    y = language.call("take", numbers(), ps.array([10]), 1)
    pointer = language.pointer(y)
    language.unload()
    language.library = None
    seen = Seen()
    assert not cpp.library.mixed_wait(pointer, ctypes.byref(seen))
    assert seen.kind == b"out_of_range"
    assert seen.text.decode().endswith("(in take, queued in Second)")
    assert (seen.file, seen.line) == (b"", 0)


# ---- Rows that are added at run time -------------------------------------------------------------


@pytest.mark.parametrize("how, expected", [("expression", [2, 5, 10]), ("functions", [3, 6, 9])])
def test_rows_that_cpp_adds_are_everywhere(cpp, language, how, expected):
    name = f"mixed_{how}"
    assert cpp.call(name, numbers()).kind == b"invalid"
    assert cpp.add(how, name) is None
    assert "already" in cpp.add(how, name)
    assert cpp.call(name, numbers()).tolist() == expected
    assert ps.call(name, numbers()).tolist() == expected
    assert language.call(name, numbers()).tolist() == expected


def test_what_a_kernel_in_cpp_throws_is_pythons(cpp):
    assert cpp.add("functions", "mixed_throwing") is None
    y = ps.call("mixed_throwing", ps.array([-1.0]))
    with pytest.raises(RuntimeError, match="negative"):
        y.wait()


def test_a_row_that_second_added_is_there_in_cpp(cpp):
    assert cpp.call("second_to_positions", ps.array([1, 2])).tolist() == [0, 1]
