"""The end of the interpreter: with work queued, with arrays that live on, with errors unseen."""

import pytest

from processes import run, run_quietly, start

pytestmark = pytest.mark.timeout(120)


def test_nothing_was_used():
    assert run_quietly("") == ""


def test_a_full_queue():
    run_quietly("""
        x = ps.ones((300, 300))
        results = [x @ x for _ in range(400)]
    """)


def test_a_full_queue_of_dropped_results():
    run_quietly("""
        x = ps.ones((300, 300))
        for _ in range(400):
            x @ x
    """)


def test_workers_in_the_middle_of_a_product():
    """Again and again: exit at any point of it. OpenBLAS takes its memory away at exit."""
    for _ in range(10):
        run_quietly(
            """
            x = ps.ones((1500, 1500))
            x.wait()
            y = x @ x
            y.wait(0.001)
            """,
            PENSTOCK_WORKERS="4",
        )


def test_global_arrays():
    run_quietly("""
        import builtins, sys
        x = ps.ones((100, 100))
        y = x @ x
        builtins.kept = y
        sys.modules["kept"] = y + 1
        class Holder:
            array = y * 2
        cycle = [x]
        cycle.append(cycle)
    """)


def test_arrays_used_while_the_interpreter_goes():
    out = run_quietly("""
        import atexit
        x = ps.ones((100, 100))
        class Last:
            def __del__(self, x=x):
                print((x @ x)[0, 0].item())
        last = Last()
        atexit.register(lambda: print((x + 1)[0, 0].item()))
    """)
    assert out.split() == ["2.0", "100.0"]


@pytest.mark.parametrize("wait", ["y.wait()", "ps.waitall()", "y[0, 0].item()"])
def test_daemon_threads_that_wait(wait):
    run_quietly(f"""
        import threading
        x = ps.ones((2500, 2500))
        x.wait()
        y = x @ x
        began = threading.Barrier(5)
        def body():
            began.wait()
            {wait}
        for _ in range(4):
            threading.Thread(target=body, daemon=True).start()
        began.wait()
    """)


def test_daemon_threads_that_push():
    run_quietly("""
        import threading
        began = threading.Barrier(5)
        def body():
            x = ps.ones((50, 50))
            began.wait()
            while True:
                x = ps.tanh(x @ x)
        for _ in range(4):
            threading.Thread(target=body, daemon=True).start()
        began.wait()
    """)


QUEUE = """
x = ps.ones((300, 300))
results = [x @ x for _ in range(100)]
"""


def test_exit_codes_are_kept():
    process = start(QUEUE + "raise SystemExit(7)")
    assert process.communicate(timeout=60) == ("", "")
    assert process.returncode == 7


def test_an_exception_ends_the_program():
    process = start(QUEUE + "raise KeyError(1)")
    _, errors = process.communicate(timeout=60)
    assert errors.splitlines()[-1] == "KeyError: 1"
    assert process.returncode == 1


# ---- Errors that nobody saw ----------------------------------------------------------------------

HOOK = """
import sys
def hook(args):
    print(args.exc_type.__name__, args.err_msg)
    print(args.exc_value)
    print(*args.exc_value.__notes__)
sys.unraisablehook = hook
def settle(x):
    while not x.is_ready():
        pass
"""


def test_an_unseen_error_is_reported():
    out, errors = run(
        HOOK
        + """
y = ps.take(ps.arange(3), ps.array([7]))
settle(y)
"""
    )
    lines = out.splitlines()
    assert lines[0] == "IndexError Exception ignored in take, whose result nobody waited for"
    assert "7" in lines[1]
    assert "take was queued at" in lines[2]
    assert errors == ""


def test_the_usual_hook_prints_it():
    out, errors = run("""
        y = ps.take(ps.arange(3), ps.array([7]))
        while not y.is_ready():
            pass
    """)
    assert out == ""
    assert "Exception ignored in take, whose result nobody waited for" in errors
    assert "IndexError: " in errors


def test_an_error_that_was_seen_is_not_reported():
    out, errors = run(
        HOOK
        + """
y = ps.take(ps.arange(3), ps.array([7]))
try:
    y.wait()
except IndexError:
    pass
"""
    )
    assert (out, errors) == ("", "")


def test_a_dropped_result_is_reported():
    out, errors = run(
        HOOK
        + """
ps.take(ps.arange(3), ps.array([7]))
while ps.engine.stats().unfinished:
    pass
"""
    )
    assert "IndexError" in out
    assert errors == ""


def test_only_the_root_is_reported():
    out, errors = run(
        HOOK
        + """
y = ps.take(ps.arange(3), ps.array([7]))
z = y + 1
settle(y)
settle(z)
"""
    )
    assert out.count("nobody waited for") == 1
    assert errors == ""


def test_many_errors_are_counted():
    out, errors = run(
        HOOK.replace("print(*args.exc_value.__notes__)", "pass")
        + """
x, i = ps.arange(3), ps.array([7])
kept = [ps.take(x, i) for _ in range(100)]
for y in kept:
    settle(y)
"""
    )
    assert out.count("nobody waited for") == 1
    assert "and 99 more of the same" in out
    assert errors == ""


def test_errors_are_reported_after_the_program_s_own_exit_functions():
    out, errors = run(
        HOOK
        + """
import atexit
y = ps.take(ps.arange(3), ps.array([7]))
def look():
    try:
        y.wait()
    except IndexError:
        print("seen")
atexit.register(look)
"""
    )
    assert (out, errors) == ("seen\n", "")
