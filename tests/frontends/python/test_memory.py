"""What arrays use: statistics, the limit, giving back; nothing leaks."""

import gc
import weakref

import pytest

import penstock as ps
from processes import run_quietly

MEGABYTE = 1 << 20


def settled():
    gc.collect()
    ps.waitall()
    return ps.memory.stats()


def test_live_follows_arrays():
    before = settled().live
    x = ps.ones((1024, 1024)) + 1
    x.wait()
    assert settled().live - before >= 4 * MEGABYTE
    del x
    assert settled().live - before < MEGABYTE


def test_peak():
    ps.memory.reset_peak()
    before = settled().live
    x = ps.ones((1024, 1024)) + 1
    x.wait()
    del x
    stats = settled()
    assert stats.peak - before >= 4 * MEGABYTE
    ps.memory.reset_peak()
    assert ps.memory.stats().peak - before < 4 * MEGABYTE


def test_trim():
    x = ps.ones((1024, 1024)) + 1
    x.wait()
    del x
    cached = settled().cached
    assert cached > 0
    assert ps.memory.trim() > 0
    assert ps.memory.stats().cached < cached


def test_stats_is_a_named_tuple():
    stats = ps.memory.stats()
    assert isinstance(stats, ps.memory.Stats)
    assert stats == (stats.live, stats.peak, stats.cached, stats.queued, stats.limit)


def test_limit():
    before = ps.memory.stats().limit
    ps.memory.trim()
    try:
        ps.memory.set_limit(settled().live + 64 * MEGABYTE)
        x = ps.ones((8192, 8192)) + 1
        with pytest.raises(MemoryError):
            x.wait()
        assert (ps.ones(10) + 1).tolist() == [2.0] * 10
        ps.memory.set_limit(None)
        assert ps.memory.stats().limit is None
    finally:
        ps.memory.set_limit(before)


@pytest.mark.parametrize("value", [0, -1, 2**64])
def test_limits_that_are_none(value):
    with pytest.raises(ValueError, match=f"set_limit: bytes must be .*{value}"):
        ps.memory.set_limit(value)


@pytest.mark.parametrize("value", [1e9, "1 GB", True])
def test_limits_of_another_kind(value):
    with pytest.raises(TypeError, match="set_limit: bytes must be an integer, not"):
        ps.memory.set_limit(value)


def test_the_environment_sets_the_limit():
    out = run_quietly("print(ps.memory.stats().limit)", PENSTOCK_MEMORY_LIMIT="1000000000")
    assert out == "1000000000\n"


class Tagged(ps.ndarray):
    """A subclass with attributes, and so with a dictionary."""


def test_reference_cycles_are_collected():
    before = settled().live
    x = Tagged(ps.ones((1024, 1024)))
    y = x + 1
    y.wait()
    x.self, x.other, y.other = x, y, x
    died = weakref.ref(x), weakref.ref(y)
    del x, y
    assert settled().live - before < MEGABYTE
    assert died[0]() is None and died[1]() is None


def test_a_cycle_through_an_array_that_is_queued():
    x = Tagged(ps.ones((1500, 1500)))
    x.product = x @ x
    x.product.source = x
    died = weakref.ref(x)
    del x
    gc.collect()
    assert died() is None
    ps.waitall()


def test_a_million_operations_leave_memory_flat():
    """In portions, so that the first one shows what is kept for reuse."""
    out = run_quietly("""
        import resource

        def portion(x):
            for _ in range(250_000):
                x = x + 1
            x.wait()

        x = ps.ones(2)
        portion(x)
        first = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(3):
            portion(x)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - first)
    """)
    assert int(out) < 4096  # kilobytes
