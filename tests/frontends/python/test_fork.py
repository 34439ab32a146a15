"""fork, multiprocessing and subprocesses, with work under way."""

import multiprocessing
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import penstock as ps
from processes import environment, run_and_leave

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning"),
]


def in_child(function):
    """The function's result in a child of fork, as text, and the child's exit status."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(readable)
            os.write(writable, str(function()).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(writable)
    with os.fdopen(readable) as pipe:
        text = pipe.read()
    return text, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_child_computes():
    x = ps.ones((100, 100))
    x.wait()
    assert in_child(lambda: (x @ x)[0, 0].item()) == ("100.0", 0)
    assert (x @ x)[0, 0].item() == 100


def test_a_child_goes_on_with_what_was_queued():
    x = ps.ones((200, 200))
    results = [x @ x + i for i in range(50)]

    def body():
        return [int(result[0, 0].item()) for result in results] == [200 + i for i in range(50)]

    assert in_child(body) == ("True", 0)
    assert [int(result[0, 0].item()) for result in results] == [200 + i for i in range(50)]


def test_writes_stay_in_their_process():
    x = ps.zeros(4)
    x.wait()

    def body():
        x[:] = 5
        return x.tolist()

    assert in_child(body) == ("[5.0, 5.0, 5.0, 5.0]", 0)
    assert x.tolist() == [0.0, 0.0, 0.0, 0.0]


def test_fork_while_another_thread_waits_and_pushes():
    stop = threading.Event()
    x = ps.ones((50, 50))

    def body():
        while not stop.is_set():
            (x @ x).wait()

    threads = [threading.Thread(target=body) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            assert in_child(lambda: (x @ x)[0, 0].item()) == ("50.0", 0)
    finally:
        stop.set()
        for thread in threads:
            thread.join()


class Counting:
    """Threads that add ones to arrays of their own, in bursts, while they are let."""

    def __init__(self, threads):
        self.arrays = [ps.zeros(5000, dtype="float64") for _ in range(threads)]
        self.counts = [0] * threads
        self.let = threading.Event()
        self.inside = threading.Event()  # one of them is in the middle of a burst
        self.stop = False
        self.threads = [threading.Thread(target=self.body, args=(i,)) for i in range(threads)]
        for thread in self.threads:
            thread.start()

    def body(self, index):
        x = self.arrays[index]
        while self.let.wait() and not self.stop:
            for i in range(200):
                x += 1
                self.counts[index] += 1
                if i % 40 == 39:
                    x.sum().item()
                if i == 60:
                    self.inside.set()

    def check(self):
        """All that was queued is done: a count is behind its array by one at most."""
        ps.waitall()
        for x, count in zip(self.arrays, self.counts):
            values = x.asnumpy()
            assert (values == values[0]).all()
            assert count <= values[0] <= count + 1
        return "right"

    def close(self):
        self.stop = True
        self.let.set()
        for thread in self.threads:
            thread.join()


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_child_has_all_that_other_threads_queued(threads):
    counting = Counting(threads)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    try:
        for _ in range(40):
            counting.inside.clear()
            counting.let.set()
            counting.inside.wait()
            counting.let.clear()
            assert in_child(counting.check) == ("right", 0)
    finally:
        sys.setswitchinterval(interval)
        counting.close()
    assert counting.check() == "right"


def test_a_child_that_ends_like_a_program():
    """Exit functions and the end of the interpreter, in a child with work queued."""
    out = run_and_leave("""
        import os, sys
        x = ps.ones((300, 300))
        results = [x @ x for _ in range(200)]
        child = os.fork()
        if child == 0:
            more = [x @ x for _ in range(200)]
            sys.exit(3)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """)
    assert out == "3\n"


def test_a_child_of_a_process_that_multiplies_can_exit():
    """The parent's worker is in the middle of a product that the child has not."""
    out = run_and_leave(
        """
        import os, sys
        x = ps.ones((4000, 4000))
        x.wait()
        y = x @ x
        y.wait(0.01)
        child = os.fork()
        if child == 0:
            print((ps.ones((300, 300)) @ ps.ones((300, 300)))[0, 0].item(), flush=True)
            sys.exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """,
        PENSTOCK_WORKERS="1",
    )
    assert out == "300.0\n0\n"


def test_children_of_children():
    def body():
        return in_child(lambda: (ps.ones(3) + 1).tolist())

    assert in_child(body) == ("('[2.0, 2.0, 2.0]', 0)", 0)


def square(number):
    x = ps.full((20, 20), float(number))
    return (x @ x)[0, 0].item()


def double(x):
    return x * 2


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(method):
    (ps.ones(3) + 1).wait()
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(square, range(8)) == [20.0 * i * i for i in range(8)]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_arrays_travel_between_processes(method):
    x = ps.arange(6).reshape(2, 3)
    with multiprocessing.get_context(method).Pool(1) as pool:
        np.testing.assert_array_equal(pool.apply(double, (x,)).asnumpy(), [[0, 2, 4], [6, 8, 10]])


def test_subprocesses_while_work_is_queued():
    x = ps.ones((300, 300))
    results = [x @ x for _ in range(50)]
    done = subprocess.run(
        [sys.executable, "-c", "import penstock as ps; print((ps.ones(2) + 1).tolist())"],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("[2.0, 2.0]\n", "")
    assert results[-1][0, 0].item() == 300
