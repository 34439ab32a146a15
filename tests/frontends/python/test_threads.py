"""Arrays shared by many threads."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import penstock as ps

THREADS = 16


def together(function):
    """function(number) in 16 threads that begin at the same moment; their results."""
    barrier = threading.Barrier(THREADS)

    def body(number):
        barrier.wait()
        return function(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(body, range(THREADS)))


def test_all_read_one_array():
    x = ps.arange(1000, dtype=ps.float64)
    expected = np.arange(1000, dtype=np.float64)

    def body(number):
        results = [x * number + i for i in range(50)]
        for i, result in enumerate(results):
            np.testing.assert_array_equal(result.asnumpy(), expected * number + i)
        return True

    assert all(together(body))


def test_all_wait_for_one_array():
    x = ps.ones((1500, 1500))
    y = x @ x
    assert together(lambda number: float(y[number, number])) == [1500.0] * THREADS
    assert together(lambda number: y.wait()) == [True] * THREADS


def test_all_write_one_array():
    """Each write is a whole one: additions in place are not lost."""
    x = ps.zeros(100, dtype=ps.int64)

    def body(number):
        mine = x
        for _ in range(200):
            mine += 1

    together(body)
    assert set(x.tolist()) == {THREADS * 200}


def test_each_writes_its_part():
    x = ps.zeros((THREADS, 64), dtype=ps.int64)

    def body(number):
        for i in range(50):
            x[number] = number * 1000 + i
            assert set(x[number].tolist()) == {number * 1000 + i}

    together(body)
    np.testing.assert_array_equal(x.asnumpy()[:, 0], np.arange(THREADS) * 1000 + 49)


def test_arrays_pass_from_thread_to_thread():
    """A chain: each thread adds to what the one before has queued and not waited for."""
    box = [ps.zeros(10)]
    lock = threading.Lock()

    def body(number):
        for _ in range(20):
            with lock:
                box[0] = box[0] + 1

    together(body)
    assert box[0].tolist() == [float(THREADS * 20)] * 10


def test_all_drop_references():
    """The last reference goes in any thread, with the operation still queued."""

    def body(number):
        for _ in range(100):
            x = ps.ones((30, 30))
            y = x @ x
            del x
            z = y + 1
            del y
            assert z[0, 0].item() == 31

    together(body)


def test_errors_stay_with_their_thread():
    def body(number):
        for i in range(20):
            bad = ps.take(ps.arange(3), ps.array([number + 10]))
            good = ps.arange(3) + number
            with pytest.raises(IndexError, match=str(number + 10)):
                bad.wait()
            assert good.tolist() == [number, number + 1, number + 2]

    together(body)


def test_threads_come_and_go():
    """A thread ends with work queued; others read what it made."""
    made = []

    def body(number):
        x = ps.full((100, 100), 1.0)
        made.append((x @ x) * number)

    for _ in range(5):
        threads = [threading.Thread(target=body, args=(i,)) for i in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    expected = sorted(100.0 * i for i in range(THREADS) for _ in range(5))
    assert sorted(y[0, 0].item() for y in made) == expected


def test_waitall_of_all():
    def body(number):
        results = [ps.ones((40, 40)) @ ps.ones((40, 40)) for _ in range(20)]
        ps.waitall()
        return all(result.is_ready() for result in results)

    assert all(together(body))


def test_settings_change_under_load():
    before = ps.engine.workers()
    x = ps.ones((60, 60))

    def body(number):
        for i in range(30):
            if number == 0:
                ps.engine.set_workers(1 + i % 4)
                ps.engine.stats()
                ps.memory.trim()
            assert (x @ x)[0, 0].item() == 60

    try:
        together(body)
    finally:
        ps.engine.set_workers(before)
