"""Ctrl-C ends a wait, and nothing else."""

import signal

import pytest

from processes import finish, run_quietly, start

# A product that does not end, on the only worker. `way` waits for it; a timer sends the signal. At
# the end nothing is waited for.
PROGRAM = """
import gate, os, signal, sys
signal.signal(signal.SIGALRM, signal.default_int_handler)
with gate.product(1000) as y:
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        {way}
        print("finished")
    except KeyboardInterrupt:
        print("interrupted")
    assert not y.is_ready()
    sys.stdout.flush()
    os._exit(0)
"""

WAYS = {
    "wait_to_read": "y.wait_to_read()",
    "wait": "y.wait(timeout=1000)",
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
    assert out == "interrupted\n"


def test_a_synchronous_call_is_interrupted():
    out = run_quietly(
        """
        import gate, os, signal
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        x = ps.ones((1000, 1000))
        gate.shut()
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            x @ x
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        os._exit(0)
        """,
        PENSTOCK_WORKERS="1",
        PENSTOCK_ENGINE="sync",
    )
    assert out == "interrupted\n"


def test_control_c_from_outside():
    process = start(
        """
        import gate, os
        with gate.product(1000) as y:
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
        import gate, signal
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        with gate.product(1000) as y:
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.01)
                y.wait()
            except KeyboardInterrupt:
                print("interrupted")
        print(y[0, 0].item())
        ps.waitall()
    """)
    assert out == "interrupted\n1000.0\n"


def test_a_handler_may_use_arrays():
    """The handler runs in the middle of a wait, and waits itself."""
    out = run_quietly("""
        import gate, signal
        seen = []
        def handler(number, frame):
            seen.append((ps.arange(4) + len(seen)).tolist())
            if len(seen) == 3:
                gate.open()
            else:
                signal.setitimer(signal.ITIMER_REAL, 0.01)
        signal.signal(signal.SIGALRM, handler)
        with gate.product(1000) as y:
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            y.wait()
        print(seen, y[0, 0].item())
    """)
    assert out == "[[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5]] 1000.0\n"


def test_a_handler_may_raise_anything():
    out = run_quietly(
        """
        import gate, os, signal
        def handler(number, frame):
            raise ArithmeticError("mine")
        signal.signal(signal.SIGALRM, handler)
        with gate.product(1000) as y:
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.1)
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
        import gate, signal, threading
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        began = threading.Event()
        with gate.product(1000) as y:
            def body():
                began.set()
                print("there", y.wait())
            thread = threading.Thread(target=body)
            thread.start()
            began.wait()
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.02)
                while True:
                    pass
            except KeyboardInterrupt:
                print("interrupted")
            assert thread.is_alive()
        thread.join()
    """)
    assert out == "interrupted\nthere True\n"


def test_the_child_of_a_thread_is_interrupted_too():
    """In the child of a fork the thread that forked is the main one."""
    out = run_quietly(
        """
        import gate, os, signal, threading
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        (ps.ones(3) + 1).wait()

        def in_child():
            with gate.product(1000) as y:
                try:
                    signal.setitimer(signal.ITIMER_REAL, 0.1)
                    y.wait()
                except KeyboardInterrupt:
                    os._exit(17)
                os._exit(0)

        def body():
            (ps.ones(3) + 1).wait()
            child = os.fork()
            if child == 0:
                in_child()
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

        thread = threading.Thread(target=body)
        thread.start()
        thread.join()
        """,
        PENSTOCK_WORKERS="1",
    )
    assert out == "17\n"
