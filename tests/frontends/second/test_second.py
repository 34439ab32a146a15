"""Two languages in one process: who queues is named, in its own counting, whoever waits.

`take` with a position out of range fails while it runs. Positions are there at once, or late: when a
product ends that a gate holds.
"""

import contextlib
import linecache

import second  # first: it chooses the package's extension module
import gate
import penstock as ps
import pytest

INDEX_ERROR = 3  # ps_error_kind

FROM_1 = "take: index 100 is out of range for axis 2 with length 3; it is number 3 of the indices"
FROM_0 = "take: index 99 is out of range for axis 1 with length 3; it is number 2 of the indices"


@pytest.fixture
def language():
    """Second, which is unloaded after the test if it is still there."""
    loaded = second.Second()
    loaded.at("model.sec", 1)
    yield loaded
    ps.waitall()
    if loaded.library is not None:
        unload(loaded)


def unload(language):
    language.unload()
    language.library = None


@contextlib.contextmanager
def positions_now(values):
    yield ps.array(values, dtype="int64")


@contextlib.contextmanager
def positions_late(values):
    """The same, computed from a product that ends behind the block, or at `gate.open`."""
    with gate.product() as product:
        yield product[0, : len(values)].astype("int64") * 0 + ps.array(values, dtype="int64")


WHEN = pytest.mark.parametrize("positions", [positions_now, positions_late])


def matrix():
    return ps.zeros((2, 3))


def failure_of(array):
    with pytest.raises(IndexError) as caught:
        array.wait()
    return caught.value


# ---- Who queued ----------------------------------------------------------------------------------


@WHEN
def test_python_waits_for_second(language, positions):
    with positions([1, 2, 100]) as places:
        language.at("model.sec", 12)
        y = language.call("take", matrix(), places, 2)
        language.at("model.sec", 13)
    error = failure_of(y)
    assert str(error) == f"{FROM_1} (in take, queued at model.sec, line 12)"
    assert error.__notes__ == ["take was queued at model.sec, line 12"]


@WHEN
def test_what_follows_is_told_the_same(language, positions):
    with positions([1, 2, 100]) as places:
        language.at("model.sec", 12)
        y = language.call("take", matrix(), places, 2) + 1
    assert str(failure_of(y)) == f"{FROM_1} (in take, queued at model.sec, line 12)"


@WHEN
def test_second_waits_for_python(language, positions):
    with positions([0, 1, 99]) as places:
        y = ps.take(matrix(), places, axis=1)  # this line
    with pytest.raises(second.Failed) as caught:
        language.wait(y, locked=True)
    error = caught.value.error
    line = next(n for n, text in enumerate(linecache.getlines(__file__), 1) if "# this line" in text)
    assert error.kind == INDEX_ERROR
    assert error.line == line
    assert error.place == f"{__file__}, line {line}"
    assert error.text == f"{FROM_0} (in take, queued at {error.place})"


@WHEN
def test_python_is_named_where_it_cannot_be_entered(language, positions):
    with positions([0, 1, 99]) as places:
        y = ps.take(matrix(), places, axis=1)
    pointer = language.pointer(y)
    assert pointer.value != 0
    with pytest.raises(second.Failed) as caught:
        language.run(lambda: language.wait(y))
    assert caught.value.error.text == f"{FROM_0} (in take, queued in Python)"
    assert caught.value.error.place == ""
    failure_of(y)


def test_synchronous_calls_say_it_at_once(language):
    places = ps.array([1, 2, 100], dtype="int64")

    def program():
        language.set_mode(second.SYNC)
        language.at("model.sec", 5)
        try:
            language.call("take", matrix(), places, 2)
        finally:
            language.set_mode(second.AS_ENGINE)

    with pytest.raises(second.Failed) as caught:
        language.run(program)
    assert caught.value.error.kind == INDEX_ERROR
    assert caught.value.error.text.startswith(FROM_1)


def test_one_engine_runs_both(language):
    before = ps.engine.stats().pushed
    for _ in range(10):
        language.call("exp", matrix())
    ps.waitall()
    assert ps.engine.stats().pushed > before
    capsule = ps._core._to_capsule(matrix())
    assert ps._core._from_capsule(capsule).shape == (2, 3)


def test_handles_of_another_library_are_refused():
    other = second._api.PyCapsule_New(1, second.CAPSULE, None)
    with pytest.raises(ValueError, match="another copy of the library"):
        ps._core._from_capsule(other)
    with pytest.raises(TypeError, match="no capsule"):
        ps._core._from_capsule(matrix())
    with pytest.raises(TypeError, match="no penstock array"):
        ps._core._to_capsule(other)


# ---- Counting ------------------------------------------------------------------------------------


def test_axes_and_positions_count_from_1(language):
    x = ps.array([[1.0, 7.0, 3.0], [9.0, 5.0, 6.0]])
    assert language.call("sum", x, 1).tolist() == x.sum(axis=0).tolist()
    assert language.call("sum", x, -1).tolist() == x.sum(axis=1).tolist()
    assert language.call("argmax", x, 2).tolist() == [2, 1]
    assert language.call("take", x, ps.array([3, 1, -1]), 2).tolist() == [[3, 1, 3], [6, 9, 6]]


def test_elements_count_from_1(language):
    x = ps.array([[1.0, 7.0, 3.0], [9.0, 5.0, 6.0]])
    assert language.get(x, 1, 2).item() == 7
    assert language.get(x, 2).tolist() == [9, 5, 6]
    assert language.get(x, -1, -1).item() == 6
    language.set(x, 1, 1, value=10)
    language.set_many(x, ps.array([2]), 8)
    assert x.tolist() == [[10, 7, 3], [8, 8, 8]]
    assert language.get_many(x, ps.array([2, 1])).tolist() == [[8, 8, 8], [10, 7, 3]]


def test_views_are_shared(language):
    x = matrix()
    row = language.get(x, 2)
    row[1] = 5
    assert x[1, 1] == 5


@pytest.mark.parametrize(
    "program, text",
    [
        (lambda it, x: it.get(x, 1, 4), "index 4 is out of bounds for axis 2 with size 3"),
        (lambda it, x: it.set(x, 3, value=1), "index 3 is out of bounds for axis 1 with size 2"),
        (lambda it, x: it.get(x, -3), "index -3 is out of bounds for axis 1 with size 2"),
        (lambda it, x: it.get(x, 0), "position 0: counting begins with 1"),
        (lambda it, x: it.call("sum", x, 0), "axis 0: counting begins with 1"),
        (lambda it, x: it.call("sum", x, 3), "sum: axis 3 is out of range for 2 dimensions"),
        (lambda it, x: it.call("summe", x), "summe"),
    ],
)
def test_calls_that_fail_count_from_1(language, program, text):
    x = matrix()
    with pytest.raises(second.Failed) as caught:
        language.run(lambda: program(language, x))
    assert text in caught.value.error.text
    assert caught.value.error.place == ""


def test_a_thread_of_pythons_counts_from_0(language):
    with pytest.raises(second.Failed, match="index 3 is out of bounds for axis 1 with size 3"):
        language.get(matrix(), 1, 4)


@WHEN
def test_positions_that_fail_late(language, positions):
    x = matrix()
    with positions([1, 3]) as places:
        language.at("model.sec", 21)
        y = language.get_many(x, places)
    assert "index 3 is out of range for axis 1 with length 2" in str(failure_of(y))
    assert str(failure_of(y)).endswith("queued at model.sec, line 21)")
    with positions([0, 1]) as places:
        language.at("model.sec", 22)
        language.set_many(x, places, 5)
    assert str(failure_of(x)).endswith("queued at model.sec, line 22)")


# ---- What is gone --------------------------------------------------------------------------------


@WHEN
def test_a_language_that_was_unloaded_is_named(language, positions):
    with positions([1, 2, 100]) as places:
        language.at("model.sec", 12)
        y = language.call("take", matrix(), places, 2)
        unload(language)
    error = failure_of(y)
    assert str(error) == f"{FROM_1} (in take, queued in Second)"
    assert not hasattr(error, "__notes__")


@WHEN
def test_lines_of_c_that_were_unloaded(language, positions):
    with positions([1, 2, 100]) as places:
        known = language.take_in_c(matrix(), places)
        y = language.take_in_c(matrix(), places)
        gate.open()
        assert "second.c, line " in str(failure_of(known))
        unload(language)
    assert str(failure_of(y)).endswith("(in take, queued in C)")


def test_loaded_again_it_has_lines_of_its_own(language):
    places = ps.array([1, 2, 100])
    language.at("model.sec", 12)
    y = language.call("take", matrix(), places, 2)
    unload(language)
    again = second.Second()
    again.at("other.sec", 12)
    z = again.call("take", matrix(), places, 2)
    assert str(failure_of(z)).endswith("queued at other.sec, line 12)")
    assert str(failure_of(y)).endswith("queued in Second)")
    again.unload()


@WHEN
def test_second_keeps_pythons_handles(language, positions):
    """A handle outlives the object that it came from, and what is queued the handle."""
    with positions([1, 2]) as places:
        y = language.call("take", ps.ones((2, 3)), places, 2)
        del places
    assert y.tolist() == [[1, 1], [1, 1]]
