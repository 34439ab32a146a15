"""The end of the interpreter: with work queued, with arrays that live on, with errors unseen."""

import re

import pytest

from processes import (
    LIMIT,
    NOTICE,
    forks_beside_a_new_thread,
    run,
    run_and_leave,
    run_quietly,
    start,
)


def test_nothing_was_used():
    assert run_quietly("") == ""


def test_a_full_queue():
    run_and_leave("""
        x = ps.ones((300, 300))
        results = [x @ x for _ in range(400)]
    """)


def test_a_full_queue_of_dropped_results():
    run_and_leave("""
        x = ps.ones((300, 300))
        for _ in range(400):
            x @ x
    """)


def test_workers_in_the_middle_of_a_product():
    """Again and again: exit at any point of it. OpenBLAS takes its memory away at exit."""
    for _ in range(10):
        run_and_leave(
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
    run_and_leave(f"""
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
    run_and_leave("""
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


QUEUE = """
x = ps.ones((300, 300))
results = [x @ x for _ in range(100)]
"""


def test_exit_codes_are_kept():
    process = start(QUEUE + "raise SystemExit(7)")
    out, errors = process.communicate(timeout=LIMIT)
    assert (out, NOTICE.sub("", errors)) == ("", "")
    assert process.returncode == 7


def test_an_exception_ends_the_program():
    process = start(QUEUE + "raise KeyError(1)")
    _, errors = process.communicate(timeout=LIMIT)
    assert NOTICE.sub("", errors).splitlines()[-1] == "KeyError: 1"
    assert process.returncode == 1


def test_os_exit_tells_nothing():
    process = start(QUEUE + "ps.take(x, ps.array([10**6]))\nimport os\nos._exit(5)")
    assert process.communicate(timeout=LIMIT) == ("", "")
    assert process.returncode == 5


# ---- What is dropped -----------------------------------------------------------------------------

# Hours of work for the only worker, whose end no program sees; calls are not held back.
BUSY = """
ps.engine.set_bound(soft_bytes=1 << 40, hard_bytes=1 << 40, ops=10**7)
busy = ps.sum(ps.broadcast_to(ps.ones(1), (2, 10**6, 10**7)), axis=(1, 2))
"""


def dropped(errors):
    """How many operations are said to be dropped, and the place of the first."""
    found = NOTICE.search(errors)
    assert found, errors
    return int(found[1]), found[2]


@pytest.mark.parametrize("count", [0, 1, 100, 200_000])
def test_what_is_dropped_is_counted(count):
    program = BUSY + f"part = busy[:2]\nfor _ in range({count}):\n    part = part + 1\n"
    out, errors = run(program, PENSTOCK_WORKERS="1")
    number, place = dropped(errors)
    assert (out, number) == ("", count + 1)
    assert "(in sum, queued at <string>, line 4)" in place
    assert NOTICE.sub("", errors) == ""


def test_a_hook_sees_what_is_dropped():
    out, errors = run(HOOK + BUSY, PENSTOCK_WORKERS="1")
    lines = out.splitlines()
    assert lines[0] == "RuntimeError Exception ignored at the end of the program"
    assert lines[1].startswith("1 operation that nobody waited for is dropped (in sum, queued ")
    assert lines[2].startswith("sum was queued at <string>, line ")
    assert errors == ""


def test_little_that_is_left_is_done_in_silence():
    for _ in range(5):
        assert run_quietly("x = ps.ones((100, 100))\ny = x @ x + ps.tanh(x)\n") == ""


def test_what_would_be_dropped_can_still_be_waited_for():
    out = run_and_leave("""
        x = ps.ones((1500, 1500))
        class Last:
            def __del__(self, y=x @ x):
                print(y[0, 0].item())
        last = Last()
    """)
    assert out == "1500.0\n"


# ---- Errors that nobody saw ----------------------------------------------------------------------

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
ps.take(x, i)
ps.take(x, i, axis=0)
"""
    )
    lines = out.splitlines()
    assert len(lines) == 2
    assert lines[0].endswith("in take, whose result nobody waited for (and 2 further errors)")
    assert "and 99 more of the same (in take, queued at <string>, line 14)" in lines[1]
    assert errors == ""


# ---- What can fail and has not run ---------------------------------------------------------------

FAILING = {
    "take": "y = ps.take(ps.arange(3), ps.array([7]))",
    "put": "x = ps.arange(3); x[ps.array([7])] = 1",
    "masked_put": "x = ps.arange(3); x[ps.array([True, False, True])] = ps.array([1, 2, 3])",
    "indexing": "x = ps.arange(3); y = x[ps.array([7])]",
    "of a chain": "x = ps.arange(1000.0); y = ps.take(ps.tanh(x * 2) + 1, ps.array([1000]))",
    "dropped": "ps.take(ps.arange(3), ps.array([7]))",
}


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("name", FAILING)
def test_an_error_of_the_last_line_is_told(name, workers):
    out, errors = run("import sys\n" + FAILING[name] + "\n", PENSTOCK_WORKERS=workers)
    first, second = errors.splitlines()
    assert first.startswith("Exception ignored in ")
    assert first.endswith(", whose result nobody waited for:")
    assert re.match("(IndexError|ValueError): ", second)
    assert "queued at <string>, line 3)" in second
    assert out == ""


def test_what_can_fail_runs_although_the_worker_is_busy():
    out, errors = run(
        HOOK + BUSY + "ps.take(ps.arange(3), ps.array([7]))\nps.take(busy, ps.array([10**9]))\n",
        PENSTOCK_WORKERS="1",
    )
    lines = out.splitlines()
    assert lines[0] == "IndexError Exception ignored in take, whose result nobody waited for"
    assert "index 7" in lines[1]
    assert "RuntimeError Exception ignored at the end of the program" in lines
    assert "2 operations that nobody waited for are dropped" in out  # the sum, what needs it
    assert errors == ""


def test_every_error_was_seen():
    run_quietly("""
        x, i = ps.arange(3), ps.array([7])
        kept = [ps.take(x, i) for _ in range(10)]
        for y in kept:
            try:
                y.wait()
            except IndexError:
                pass
    """)


def test_synchronous_programs_have_nothing_to_tell():
    process = start("ps.take(ps.arange(3), ps.array([7]))", PENSTOCK_ENGINE="sync")
    out, errors = process.communicate(timeout=LIMIT)
    assert process.returncode == 1
    assert "IndexError: take: index 7" in errors
    assert "Exception ignored" not in errors
    run_quietly(
        """
        try:
            ps.take(ps.arange(3), ps.array([7]))
        except IndexError:
            pass
        x = ps.ones((300, 300)) @ ps.ones((300, 300))
        """,
        PENSTOCK_ENGINE="sync",
    )


def test_errors_of_daemon_threads_are_told():
    _, errors = run("""
        import threading
        queued = threading.Event()
        def body():
            y = ps.take(ps.arange(3), ps.array([7]))
            queued.set()
            threading.Event().wait()
        threading.Thread(target=body, daemon=True).start()
        queued.wait()
    """)
    assert "IndexError: take: index 7" in errors


def test_a_hook_that_uses_the_library():
    """What it queues is not told again: the end comes."""
    out, errors = run("""
        import sys
        def hook(args):
            print(args.exc_type.__name__)
            ps.take(ps.arange(3), ps.array([7]))
        sys.unraisablehook = hook
        ps.take(ps.arange(3), ps.array([7]))
    """)
    assert (out, errors) == ("IndexError\n", "")


@forks_beside_a_new_thread
def test_a_child_does_not_tell_what_its_parent_queued():
    out, errors = run(
        BUSY
        + """
import os, sys
pid = os.fork()
if pid == 0:
    sys.exit(3)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
""",
        PENSTOCK_WORKERS="1",
    )
    assert out == "3\n"
    assert dropped(errors)[0] == 1
    assert NOTICE.sub("", errors, count=1) == ""


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
