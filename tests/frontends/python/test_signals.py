"""Ctrl-C ends a wait, and nothing else."""

import signal

import pytest

from processes import finish, run_quietly, start

pytestmark = pytest.mark.timeout(60)

# How long after the signal each way to wait may take to raise. The design says 0.1 s; this is only
# to tell it from waiting for the product.
PROMPT = 2.0

# One product that takes about ten seconds on one worker. `way` waits; a timer sends the signal in
# the middle of it. At the end nothing is waited for: an exit would wait for a part of the product.
PROGRAM = """
import os, signal, sys, time
signal.signal(signal.SIGALRM, signal.default_int_handler)
x = ps.ones((8000, 8000))
x.wait()
y = x @ x
delay = 0.3
began = time.perf_counter()
signal.setitimer(signal.ITIMER_REAL, delay)
try:
    {way}
    print("finished", time.perf_counter() - began)
except KeyboardInterrupt:
    print("interrupted", time.perf_counter() - began - delay)
assert y is None or not y.is_ready()
sys.stdout.flush()
os._exit(0)
"""

WAYS = {
    "wait_to_read": "y.wait_to_read()",
    "wait": "y.wait(timeout=50)",
    "waitall": "ps.waitall()",
    "item": "y[0, 0].item()",
    "float": "float(y[0, 0])",
    "tolist": "y.tolist()",
    "print": "str(y)",
    "dependent": "(y + 1).wait()",
    "bound": "results = [y + i for i in range(100_000)]",
    "sync": "ps.engine.set_sync(True); y.sum()",
    "blocking": "ps.masked_select(y, y > 0)",
}


@pytest.mark.parametrize("way", WAYS)
def test_during_one_long_product(way):
    out = run_quietly(PROGRAM.format(way=WAYS[way]), PENSTOCK_WORKERS="1")
    word, latency = out.split()
    assert word == "interrupted"
    assert float(latency) < PROMPT


def test_a_synchronous_call_is_interrupted():
    program = PROGRAM.replace("y = x @ x", "y = None").format(way="x @ x")
    out = run_quietly(program, PENSTOCK_WORKERS="1", PENSTOCK_ENGINE="sync")
    word, latency = out.split()
    assert word == "interrupted"
    assert float(latency) < PROMPT


def test_control_c_from_outside():
    process = start(
        """
        import os
        x = ps.ones((8000, 8000))
        x.wait()
        y = x @ x
        try:
            print("waiting", flush=True)
            y.wait()
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            os._exit(0)
        """,
        PENSTOCK_WORKERS="1",
    )
    assert process.stdout.readline() == "waiting\n"
    process.send_signal(signal.SIGINT)
    out, errors = finish(process)
    assert (out, errors) == ("interrupted\n", "")


def test_an_interrupted_wait_cancels_nothing():
    out = run_quietly("""
        import signal
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        x = ps.ones((2500, 2500), dtype=ps.float64)
        x.wait()
        y = x @ x
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        try:
            y.wait()
        except KeyboardInterrupt:
            print("interrupted")
        print(y[0, 0].item())
        ps.waitall()
    """)
    assert out == "interrupted\n2500.0\n"


def test_a_handler_may_use_arrays():
    """The handler runs in the middle of a wait, and waits itself."""
    out = run_quietly("""
        import signal
        seen = []
        def handler(number, frame):
            seen.append((ps.arange(4) + len(seen)).tolist())
            signal.setitimer(signal.ITIMER_REAL, 0 if len(seen) == 3 else 0.01)
        signal.signal(signal.SIGALRM, handler)
        x = ps.ones((3000, 3000), dtype=ps.float64)
        x.wait()
        y = x @ x
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        y.wait()
        while len(seen) < 3:
            pass
        print(seen, y[0, 0].item())
    """)
    assert out == "[[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5]] 3000.0\n"


def test_a_handler_may_raise_anything():
    out = run_quietly(
        """
        import os, signal
        def handler(number, frame):
            raise ArithmeticError("mine")
        signal.signal(signal.SIGALRM, handler)
        x = ps.ones((8000, 8000))
        x.wait()
        y = x @ x
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        try:
            y.wait()
        except ArithmeticError as error:
            print(error, flush=True)
            os._exit(0)
        """,
        PENSTOCK_WORKERS="1",
    )
    assert out == "mine\n"


def test_another_thread_waits_on():
    """The signal is the main thread's; a wait in another thread does not end early."""
    out = run_quietly("""
        import signal, threading
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        x = ps.ones((2500, 2500), dtype=ps.float64)
        x.wait()
        y = x @ x
        began, ended = threading.Event(), threading.Event()
        def body():
            began.set()
            print("there", y.wait())
            ended.set()
        thread = threading.Thread(target=body)
        thread.start()
        began.wait()
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        try:
            while True:
                pass
        except KeyboardInterrupt:
            print("interrupted")
        ended.wait()
        thread.join()
    """)
    assert sorted(out.split("\n")) == ["", "interrupted", "there True"]


def test_the_child_of_a_thread_is_interrupted_too():
    """In the child of a fork the thread that forked is the main one."""
    out = run_quietly(
        """
        import os, signal, threading
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        (ps.ones(3) + 1).wait()

        def body():
            (ps.ones(3) + 1).wait()
            child = os.fork()
            if child == 0:
                x = ps.ones((8000, 8000))
                x.wait()
                y = x @ x
                signal.setitimer(signal.ITIMER_REAL, 0.1)
                try:
                    y.wait()
                except KeyboardInterrupt:
                    os._exit(17)
                os._exit(0)
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

        thread = threading.Thread(target=body)
        thread.start()
        thread.join()
        """,
        PENSTOCK_WORKERS="1",
    )
    assert out == "17\n"
