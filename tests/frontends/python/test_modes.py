"""Synchronous mode follows contexts; settings of the engine."""

import asyncio
import contextvars
import threading

import pytest

import penstock as ps
from processes import run_quietly


def failing():
    return ps.take(ps.arange(3), ps.array([7]))


def is_sync_here():
    """What the engine does, beside what it says: a synchronous call raises by itself."""
    try:
        failed = failing()
    except IndexError:
        here = True
    else:
        here = False
        with pytest.raises(IndexError):
            failed.wait()
    assert ps.engine.is_sync() is here
    return here


def test_asynchronous_unless_told():
    assert not is_sync_here()


def test_context_manager():
    with ps.engine.sync():
        assert is_sync_here()
        assert (ps.ones((500, 500)) @ ps.ones((500, 500))).is_ready()
        with ps.engine.sync(False):
            assert not is_sync_here()
        assert is_sync_here()
    assert not is_sync_here()


def test_it_ends_with_an_exception():
    with pytest.raises(IndexError), ps.engine.sync():
        failing()
    assert not is_sync_here()


def test_one_object_many_times():
    sync = ps.engine.sync()
    with sync, sync:
        assert is_sync_here()
    assert not is_sync_here()
    with sync:
        assert is_sync_here()
    assert not is_sync_here()


def test_function():
    def body():
        ps.engine.set_sync()
        assert is_sync_here()
        ps.engine.set_sync(False)
        assert not is_sync_here()
        ps.engine.set_sync(True)

    contextvars.copy_context().run(body)
    assert not is_sync_here()


def test_function_inside_the_context_manager():
    with ps.engine.sync():
        ps.engine.set_sync(False)
        assert not is_sync_here()
    assert not is_sync_here()
    with ps.engine.sync():
        with ps.engine.sync(False):
            ps.engine.set_sync(None)
            assert not is_sync_here()
        assert is_sync_here()
    assert not is_sync_here()


def test_decorator():
    @ps.engine.sync()
    def double(x, *, times=1):
        """Twice."""
        assert is_sync_here()
        return x * 2 * times

    assert double(3, times=2) == 12
    assert double.__name__ == "double" and double.__doc__ == "Twice."
    assert not is_sync_here()


def test_decorator_of_a_coroutine_function():
    inside = []

    @ps.engine.sync()
    async def body():
        inside.append(is_sync_here())
        await asyncio.sleep(0)
        inside.append(is_sync_here())

    async def main():
        task = asyncio.ensure_future(body())
        await asyncio.sleep(0)
        outside = is_sync_here()
        await task
        return outside

    assert asyncio.run(main()) is False
    assert inside == [True, True]


def test_generators_are_not_decorated():
    def values():
        yield 1

    async def later():
        yield 1

    for function in (values, later):
        with pytest.raises(TypeError, match="is a generator"):
            ps.engine.sync()(function)


def test_bad_arguments():
    for value in (1, None, "yes"):
        with pytest.raises(TypeError, match="on must be True or False"):
            ps.engine.sync(value)
    with pytest.raises(TypeError, match="on must be True, False or None, not 1"):
        ps.engine.set_sync(1)
    with pytest.raises(TypeError, match="expected a function"):
        ps.engine.sync()(3)


def test_tasks_of_asyncio_do_not_leak_into_each_other():
    """Two tasks take turns at every step, one inside the mode and one outside."""

    async def inside(mine, other):
        seen = []
        for _ in range(5):
            with ps.engine.sync():
                seen.append(is_sync_here())
                other.set()
                await mine.wait()
                mine.clear()
                seen.append(is_sync_here())
        other.set()
        return seen

    async def outside(mine, other):
        seen = []
        for _ in range(5):
            await mine.wait()
            mine.clear()
            seen.append(is_sync_here())
            other.set()
        return seen

    async def main():
        a, b = asyncio.Event(), asyncio.Event()
        return await asyncio.gather(inside(a, b), outside(b, a))

    first, second = asyncio.run(main())
    assert first == [True] * 10
    assert second == [False] * 5
    assert not is_sync_here()


def test_a_task_inherits_the_mode_it_was_made_in():
    async def child():
        return is_sync_here()

    async def main():
        with ps.engine.sync():
            task = asyncio.ensure_future(child())
        return await task

    assert asyncio.run(main()) is True


def test_threads_do_not_leak_into_each_other():
    barrier = threading.Barrier(8)
    seen = {}

    def body(number):
        on = number % 2 == 0
        for _ in range(20):
            if on:
                with ps.engine.sync():
                    barrier.wait()
                    here = is_sync_here()
                    barrier.wait()
            else:
                barrier.wait()
                here = is_sync_here()
                barrier.wait()
            seen.setdefault(number, set()).add(here)

    threads = [threading.Thread(target=body, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {number: {number % 2 == 0} for number in range(8)}


def test_a_thread_has_the_mode_of_its_context():
    """One thread runs code of several contexts in turn."""
    sync = contextvars.copy_context()
    sync.run(ps.engine.set_sync, True)
    plain = contextvars.copy_context()
    for _ in range(3):
        assert sync.run(is_sync_here)
        assert not plain.run(is_sync_here)


def test_the_environment_sets_the_default():
    program = """
        print(ps.engine.is_sync())
        print((ps.ones((500, 500)) @ ps.ones((500, 500))).is_ready())
        try:
            ps.take(ps.arange(3), ps.array([7]))
        except IndexError:
            print("raised")
        with ps.engine.sync(False):
            print(ps.engine.is_sync())
        ps.engine.set_sync(False)
        ps.engine.set_sync(None)
        print(ps.engine.is_sync())
    """
    out = run_quietly(program, PENSTOCK_ENGINE="sync")
    assert out.split() == ["True", "True", "raised", "False", "True"]


def test_an_unknown_word_in_the_environment():
    out = run_quietly(
        """
        try:
            (ps.ones((500, 500)) @ ps.ones((500, 500))).wait()
        except ValueError as error:
            print(error)
        """,
        PENSTOCK_ENGINE="syncc",
    )
    assert "PENSTOCK_ENGINE" in out and "syncc" in out


# ---- Settings ------------------------------------------------------------------------------------


def test_stats():
    before = ps.engine.stats()
    (ps.ones((50, 50)) @ ps.ones((50, 50))).wait()
    after = ps.engine.stats()
    assert isinstance(after, ps.engine.Stats)
    assert after.pushed > before.pushed and after.executed > before.executed
    assert "pushed=" in repr(after)
    assert min(after) >= 0
    assert after.failed >= before.failed and after.groups >= before.groups


def test_workers():
    before = ps.engine.workers()
    try:
        for count in (1, 3):
            ps.engine.set_workers(count)
            assert ps.engine.workers() == count
            assert (ps.ones((50, 50)) @ ps.ones((50, 50)))[0, 0].item() == 50
    finally:
        ps.engine.set_workers(before)
    ps.engine.set_workers(None)
    assert ps.engine.workers() >= 1


def test_workers_of_the_environment():
    assert run_quietly("print(ps.engine.workers())", PENSTOCK_WORKERS="3") == "3\n"


@pytest.mark.parametrize("value", [0, -1, 100000, 2**70])
def test_numbers_of_workers_that_are_none(value):
    with pytest.raises(ValueError, match=f"set_workers: workers must be .*{value}"):
        ps.engine.set_workers(value)


@pytest.mark.parametrize("value", [1.5, "2", True])
def test_workers_of_another_kind(value):
    with pytest.raises(TypeError, match="workers must be an integer, not"):
        ps.engine.set_workers(value)


def test_bound():
    before = ps.engine.bound()
    assert isinstance(before, ps.engine.Bound)
    try:
        ps.engine.set_bound(ops=100, soft_bytes=1 << 20)
        assert ps.engine.bound() == (1 << 20, before.soft_ops_per_worker, before.hard_bytes, 100)
        x = ps.ones((200, 200))
        for _ in range(300):
            x @ x
        assert ps.engine.stats().unfinished <= 101
        ps.waitall()
    finally:
        ps.engine.set_bound(ops=before.ops, soft_bytes=before.soft_bytes)
    assert ps.engine.bound() == before


def test_bounds_that_are_none():
    with pytest.raises(ValueError, match="set_bound: ops must be from 0"):
        ps.engine.set_bound(ops=-1)
    with pytest.raises(TypeError, match="set_bound: hard_bytes must be an integer, not 'all'"):
        ps.engine.set_bound(hard_bytes="all")


def test_fusion():
    x = ps.ones((100, 100))
    results = []
    try:
        for on in (False, True):
            ps.engine.set_fusion(on)
            assert ps.engine.fusion() is on
            results.append((ps.exp(x * 0.3 + 0.1) - x).tolist())
    finally:
        ps.engine.set_fusion(True)
    assert results[0] == results[1]
    with pytest.raises(TypeError, match="on must be True or False"):
        ps.engine.set_fusion(1)


def test_what_completion_shows():
    assert dir(ps.engine) == sorted(ps.engine.__all__)
    assert dir(ps.memory) == sorted(ps.memory.__all__)
