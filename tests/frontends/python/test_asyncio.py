"""`await x` under asyncio: the loop goes on meanwhile."""

import asyncio
import gc
import threading
import weakref

import gate
import pytest

import penstock as ps
from processes import run_quietly


def long_product(n=2000):
    x = ps.ones((n, n), dtype=ps.float64)
    x.wait()
    return x @ x


def test_await_gives_the_array():
    async def main():
        y = long_product()
        assert await y is y
        assert y.is_ready()
        return y[0, 0].item()

    assert asyncio.run(main()) == 2000


def test_an_array_that_is_ready_does_not_suspend():
    async def body(x):
        return await x

    x = ps.ones(3)
    x.wait()
    coroutine = body(x)
    with pytest.raises(StopIteration) as stop:
        coroutine.send(None)
    assert stop.value.value is x


def test_the_loop_goes_on():
    """Another task takes turns while one waits."""

    async def take_turns():
        for _ in range(20):
            await asyncio.sleep(0)
        gate.open()

    async def main():
        with gate.product() as y:
            turns = asyncio.ensure_future(take_turns())
            assert await y is y
            assert turns.done()

    asyncio.run(main())


def test_many_at_once():
    async def main():
        x = ps.ones((100, 100))
        results = [x @ x * i for i in range(200)]
        done = await asyncio.gather(*map(asyncio.ensure_future, results))
        assert all(a is b for a, b in zip(done, results))
        return [int(y[0, 0].item()) for y in done]

    assert asyncio.run(main()) == [100 * i for i in range(200)]


def test_one_array_awaited_by_many():
    async def main():
        y = long_product()
        done = await asyncio.gather(*(one(y) for _ in range(20)))
        return all(item is y for item in done)

    async def one(y):
        return await y

    assert asyncio.run(main())


def test_an_error_is_raised():
    async def main():
        with gate.product() as x:
            y = ps.take(ps.arange(3), (x[0, :1] * 0 + 7).astype(ps.int64))
            assert not y.is_ready()
            asyncio.get_running_loop().call_soon(gate.open)
            with pytest.raises(IndexError, match="7") as caught:
                await y
        assert "take was queued at" in caught.value.__notes__[0]
        with pytest.raises(IndexError):
            await y

    asyncio.run(main())
    ps.waitall()  # it has been seen


def test_an_error_that_is_there_already():
    async def main():
        y = ps.take(ps.arange(3), ps.array([7]))
        while not y.is_ready():
            pass
        with pytest.raises(IndexError):
            await y

    asyncio.run(main())


def test_a_later_write_is_not_waited_for():
    async def main():
        y = long_product(1000)
        waiting = asyncio.ensure_future(one(y))
        await asyncio.sleep(0)
        for _ in range(3):
            y[0] = long_product(1000)[0]
        assert await waiting is y
        y.wait()

    async def one(y):
        return await y

    asyncio.run(main())


def test_time_limits():
    async def main():
        with gate.product(300) as y:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(y, timeout=0.001)
            gate.open()
            async with asyncio.timeout(1000):
                await y
            return y[0, 0].item()

    assert asyncio.run(main()) == 300


def test_cancelled_tasks():
    """The others are told all the same, and the work goes on."""

    async def one(y):
        return await y

    async def main():
        with gate.product() as y:
            tasks = [asyncio.ensure_future(one(y)) for _ in range(10)]
            await asyncio.sleep(0)
            for task in tasks[::2]:
                task.cancel()
            gate.open()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(r, asyncio.CancelledError) for r in results[::2])
        assert all(r is y for r in results[1::2])

    asyncio.run(main())


def test_a_loop_that_ends_while_something_is_awaited():
    """The next loop is not disturbed."""

    async def forget(y):
        asyncio.ensure_future(one(y))
        await asyncio.sleep(0)

    async def one(y):
        return await y

    async def main():
        return (await (ps.ones((300, 300)) @ ps.ones((300, 300))))[0, 0].item()

    for _ in range(3):
        with gate.product() as y:
            asyncio.run(forget(y))
        assert asyncio.run(main()) == 300


def test_a_loop_that_is_closed_with_futures_pending():
    loop = asyncio.new_event_loop()

    async def one(y):
        return await y

    with gate.product() as y:
        task = loop.create_task(one(y))
        loop.call_soon(loop.stop)
        loop.run_forever()
        assert not task.done()
        task.cancel()
        loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
        loop.close()
    died = weakref.ref(loop)
    del loop, task
    y.wait()
    for _ in range(1000):  # until one of them has seen that y is complete, too
        asyncio.run(one(long_product(100)))
        gc.collect()
        if died() is None:
            break
    assert died() is None


def test_a_loop_is_used_several_times():
    loop = asyncio.new_event_loop()

    async def one():
        return (await long_product(500))[0, 0].item()

    try:
        for _ in range(3):
            assert loop.run_until_complete(one()) == 500
    finally:
        loop.close()


def test_loops_in_several_threads():
    results = {}
    barrier = threading.Barrier(6)
    shared = long_product()

    async def main(number):
        x = ps.ones((200, 200))
        values = [(await (x @ x * (number + i)))[0, 0].item() for i in range(20)]
        await shared
        return values

    def body(number):
        barrier.wait()
        results[number] = asyncio.run(main(number))

    threads = [threading.Thread(target=body, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {n: [200.0 * (n + i) for i in range(20)] for n in range(6)}


def test_without_a_loop():
    async def body(y):
        return await y

    with gate.product() as y:
        coroutine = body(y)
        with pytest.raises(RuntimeError, match="needs a running asyncio event loop; x.wait"):
            coroutine.send(None)


def test_subclasses():
    class Tagged(ps.ndarray):
        def wait(self):
            raise AssertionError("not this one")

    async def main():
        y = Tagged(long_product(500)) @ Tagged(ps.ones((500, 500), dtype=ps.float64))
        assert await y is y

    asyncio.run(main())


def test_asyncio_is_imported_when_needed():
    out = run_quietly("""
        import sys
        x = ps.ones((300, 300))
        (x @ x).wait()
        print("asyncio" in sys.modules)
    """)
    assert out == "False\n"
