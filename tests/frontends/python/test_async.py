"""Calls return at once; waiting, asking, time limits, errors."""

import math
import sys
import threading

import gate
import numpy as np
import pytest

import penstock as ps
from processes import run_quietly


def failing():
    return ps.take(ps.arange(3), ps.array([7]))


def test_work_goes_on_while_python_is_busy():
    with gate.product(300) as y:
        assert not y.is_ready()
        gate.open()
        while not y.is_ready():  # no wait: a worker ends it
            pass
        assert y[0, 0].item() == 300


def test_work_starts_without_another_call():
    """A short operation that is pushed and never asked for starts by itself."""
    out = run_quietly("""
        x = ps.ones((300, 300))
        x.wait_to_read()
        before = ps.engine.stats().executed
        y = x @ x
        while ps.engine.stats().executed == before:
            pass
        print("ran")
    """)
    assert out == "ran\n"


def test_a_call_returns_before_its_result_is_there():
    with gate.product() as y:
        assert not y.is_ready()
        gate.open()
        assert y.wait() is True
        assert y.is_ready()


def test_waiting_for_the_first_of_several():
    before = ps.engine.workers()
    ps.engine.set_workers(1)
    try:
        calls = gate.calls_of_a_product()
        with gate.product() as first:
            x = ps.ones((300, 300))
            results = [first, *(x @ x for _ in range(10))]
            gate.let_pass(calls)
            results[0].wait_to_read()
            assert [result.is_ready() for result in results] == [True] + [False] * 10
    finally:
        ps.engine.set_workers(before)


def test_wait_to_read_returns_nothing():
    assert (ps.ones(3) + 1).wait_to_read() is None


def test_wait_with_a_time_limit():
    with gate.product() as y:
        assert y.wait(timeout=0) is False
        assert y.wait(0.001) is False
        gate.open()
        assert y.wait(timeout=1000) is True
        assert y.wait(timeout=0) is True


@pytest.mark.parametrize("forever", [None, math.inf, 1e300, 10**30])
def test_no_time_limit(forever):
    assert (ps.ones(3) + 1).wait(timeout=forever) is True
    ps.waitall(timeout=forever)


@pytest.mark.parametrize("value", [-1, -0.001, math.nan, -math.inf])
def test_time_limits_that_are_none(value):
    x = ps.ones(3)
    with pytest.raises(ValueError, match="timeout must be None or a number of seconds"):
        x.wait(timeout=value)
    with pytest.raises(ValueError, match="waitall: timeout must be .* not"):
        ps.waitall(timeout=value)


@pytest.mark.parametrize("value", ["1", [], object()])
def test_time_limits_of_another_kind(value):
    with pytest.raises(TypeError, match="wait: timeout must be None or a number of seconds"):
        ps.ones(3).wait(value)


def test_arguments_of_waits():
    with pytest.raises(TypeError, match="no argument 'seconds'"):
        ps.ones(3).wait(seconds=1)
    with pytest.raises(TypeError, match="takes one argument"):
        ps.waitall(1, 2)
    with pytest.raises(TypeError, match="takes one argument"):
        ps.waitall(1, timeout=2)


def test_waitall_waits_for_everything():
    results = [ps.ones((400, 400)) @ ps.ones((400, 400)) for _ in range(8)]
    assert ps.waitall() is None
    assert all(result.is_ready() for result in results)


def test_waitall_with_a_time_limit():
    with gate.product() as y:
        with pytest.raises(TimeoutError, match="after 0.001 seconds"):
            ps.waitall(timeout=0.001)
        gate.open()
        ps.waitall(timeout=1000)
        assert y.is_ready()


def test_an_error_comes_at_every_wait():
    y = failing()
    z = y + 1
    for _ in range(2):
        with pytest.raises(IndexError, match="7"):
            y.wait_to_read()
        with pytest.raises(IndexError, match="7"):
            z.wait(timeout=1000)
    assert y.is_ready()


def test_waitall_raises_each_unseen_error_once():
    kept = [failing(), failing()]  # of one line
    with pytest.raises(IndexError, match="and 1 more of the same"):
        ps.waitall()
    ps.waitall()
    with pytest.raises(IndexError):
        kept[1].wait()


def test_an_error_that_was_seen_is_not_raised_by_waitall():
    with pytest.raises(IndexError):
        failing().wait()
    ps.waitall()


def test_other_arrays_stay_usable():
    x = ps.arange(10)
    bad, good = failing(), x * 2
    with pytest.raises(IndexError):
        bad.wait()
    np.testing.assert_array_equal(good.asnumpy(), np.arange(10) * 2)


def test_a_dropped_result_still_reports_its_error():
    failing()
    with pytest.raises(IndexError):
        ps.waitall()


def test_the_queue_holds_back_a_program_that_runs_ahead():
    before = ps.engine.stats()
    x = ps.ones((64, 64))
    for _ in range(20000):
        x = x @ x
    assert ps.engine.stats().unfinished <= ps.engine.bound().ops + 1
    x.wait()
    assert ps.engine.stats().pushed - before.pushed >= 20000


def test_everything_pushed_is_executed():
    ps.waitall()
    before = ps.engine.stats()
    x = ps.ones((100, 100))
    for _ in range(50):
        x = ps.nn.relu(x * 0.5 + 1)
    ps.waitall()
    after = ps.engine.stats()
    assert after.executed - before.executed == after.pushed - before.pushed
    assert after.unfinished == 0
    assert after.skipped == before.skipped and after.failed == before.failed


def test_waiting_releases_the_interpreter():
    """Another thread of Python opens the gate while this one waits: nobody else could."""
    go = threading.Event()

    def body():
        go.wait()
        gate.open()

    interval = sys.getswitchinterval()
    with gate.product() as y:
        thread = threading.Thread(target=body)
        thread.start()
        sys.setswitchinterval(1e6)  # the thread runs when this one gives the interpreter up
        try:
            go.set()
            assert not y.is_ready()
            y.wait()
        finally:
            sys.setswitchinterval(interval)
    thread.join()
