"""Errors that operations meet while they run point to the line of the program that queued them.

`take` with a position out of range is such an error: positions are looked at by a worker.
"""

import asyncio
import gc
import importlib.util
import itertools
import linecache
import random
import re
import sys
import textwrap
import threading
import traceback
import types

import numpy as np
import penstock as ps
import pytest

LINES = 1000
RUNS = 100
BAD = [0, 99]  # positions, of which one is out of range for VALUES
VALUES = [10.0, 20.0, 30.0]

numbers = itertools.count()


def write(path, source):
    path.write_text(textwrap.dedent(source), encoding="utf-8")
    return path


def load(path):
    """The module in a file, under a name that is used once."""
    name = f"module_{next(numbers)}"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def marked_line(source):
    """The number of the line that says so."""
    lines = textwrap.dedent(source).splitlines()
    return next(n for n, line in enumerate(lines, 1) if line.endswith("# this line"))


def assert_points_to(error, place, operation="take"):
    """Whether text and note name operation and place."""
    assert str(error).endswith(f"(in {operation}, queued at {place})")
    assert error.__notes__[0].startswith(f"{operation} was queued at {place}, in ")
    assert len(error.__notes__) == 1


def failure_of(array):
    with pytest.raises(IndexError) as caught:
        array.wait_to_read()
    return caught.value


# ---- One of a thousand lines ---------------------------------------------------------------------


def thousand_lines(path):
    """A module whose `run` queues an operation, and one on its result, in each of its lines."""
    lines = ["import penstock as ps", "def run(x, at, results):"]
    lines += [f"    results[{n}] = ps.take(x, at[{n}]) * {n}" for n in range(LINES)]
    return write(path, "\n".join(lines) + "\n")


def test_one_of_a_thousand_lines(tmp_path):
    path = thousand_lines(tmp_path / "lines.py")
    run = load(path).run
    chosen = random.Random(5).sample(range(LINES), RUNS)
    x, good, bad = ps.array(VALUES), ps.array([2, 0]), ps.array(BAD)
    right = np.array([30.0, 10.0], np.float32)
    for line in chosen:
        at, results = [good] * LINES, [None] * LINES
        at[line] = bad
        run(x, at, results)
        error = failure_of(results[line])
        assert_points_to(error, f"{path}, line {line + 3}")
        assert f"    results[{line}] = ps.take(x, at[{line}]) * {line}" in error.__notes__[0]
        assert "index 99" in str(error) and "length 3" in str(error)
        others = ps.stack(results[:line] + results[line + 1 :]).asnumpy()
        factors = np.delete(np.arange(LINES, dtype=np.float32), line)
        assert np.array_equal(others, factors[:, None] * right)


# ---- Kinds of places -----------------------------------------------------------------------------

PLACES = {
    "function": """
        import penstock as ps

        def run(x, at):
            y = x + 1
            return ps.take(y, at)  # this line
        """,
    "method": """
        import penstock as ps

        class Model:
            def forward(self, x, at):
                return x.take(at)  # this line

        def run(x, at):
            return Model().forward(x, at)
        """,
    "index": """
        def run(x, at):
            return x[at]  # this line
        """,
    "comprehension": """
        import penstock as ps

        def run(x, at):
            return [
                ps.take(x, places)  # this line
                for places in (0, at)
            ][1]
        """,
    "generator": """
        import penstock as ps

        def several(x, at):
            yield x
            yield ps.take(x, at)  # this line
            yield x

        def run(x, at):
            return list(several(x, at))[1]
        """,
    "generator expression": """
        import penstock as ps

        def run(x, at):
            return next(
                ps.take(x, places)  # this line
                for places in (at,)
            )
        """,
    "coroutine": """
        import asyncio
        import penstock as ps

        async def deep(x, at):
            await asyncio.sleep(0)
            return ps.take(x, at)  # this line

        async def main(x, at):
            results = await asyncio.gather(deep(x, at), deep(x, 0))
            return results[0]

        def run(x, at):
            return asyncio.run(main(x, at))
        """,
    "lambda": """
        import penstock as ps

        pick = (
            lambda x, at:
            ps.take(x, at)  # this line
        )

        def run(x, at):
            return pick(x, at)
        """,
    "decorated": """
        import functools
        import penstock as ps

        def twice(function):
            @functools.wraps(function)
            def wrapper(x, at):
                function(x, 0)
                return function(x, at)
            return wrapper

        @twice
        def run(x, at):
            y = x * 2
            return ps.take(y, at)  # this line
        """,
    "decorator": """
        import penstock as ps

        def picking(function):
            def wrapper(x, at):
                return ps.take(function(x), at)  # this line
            return wrapper

        @picking
        def run(x):
            return x * 2
        """,
    "several lines": """
        import penstock as ps

        def run(x, at):
            return (
                x
                + ps.take(  # this line
                    x,
                    at,
                )
                [0]
            )
        """,
    "callback of map": """
        import penstock as ps

        def pick(pair):
            return ps.take(*pair)  # this line

        def run(x, at):
            return list(map(pick, [(x, at)]))[0]
        """,
    "with": """
        import contextlib
        import penstock as ps

        @contextlib.contextmanager
        def picked(x, at):
            y = ps.take(x, at)  # this line
            yield y

        def run(x, at):
            with picked(x, at) as y:
                return y
        """,
    "thread": """
        import threading
        import penstock as ps

        def run(x, at):
            results = []
            def work():
                y = x * 1
                results.append(ps.take(y, at))  # this line
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
            return results[0]
        """,
    "function of the package": """
        import penstock as ps

        def run(x, at):
            x = ps.stack([x, x])
            return ps.take_along_axis(x, ps.stack([at, at]), axis=1)  # this line
        """,
}


@pytest.mark.parametrize("kind", PLACES)
def test_places(kind, tmp_path):
    path = write(tmp_path / "program.py", PLACES[kind])
    result = load(path).run(ps.array(VALUES), ps.array(BAD))
    row = "take_along_axis" if "package" in kind else "take"
    assert_points_to(failure_of(result), f"{path}, line {marked_line(PLACES[kind])}", row)


@pytest.mark.parametrize("name", ["Übung", "データ", "программа", "a b", "𝛼"])
def test_paths_with_any_letters(name, tmp_path):
    folder = tmp_path / name
    folder.mkdir()
    path = write(folder / f"{name}.py", PLACES["function"])
    result = load(path).run(ps.array(VALUES), ps.array(BAD))
    assert_points_to(failure_of(result), f"{path}, line {marked_line(PLACES['function'])}")


def test_line_of_a_library_function(tmp_path):
    """The innermost frame outside of the package: the library's line, not its caller's."""
    library = load(write(tmp_path / "library.py", PLACES["function"]))
    result = library.run(ps.array(VALUES), ps.array(BAD))
    place = f"{tmp_path / 'library.py'}, line {marked_line(PLACES['function'])}"
    error = failure_of(result)
    assert_points_to(error, place)
    assert __file__ not in str(error)
    assert ", in run\n" in error.__notes__[0]


def test_exec_without_a_file():
    scope = {"ps": ps, "x": ps.array(VALUES), "at": ps.array(BAD)}
    exec(compile("y = 1\nz = ps.take(x, at)", "no such file", "exec"), scope)
    error = failure_of(scope["z"])
    assert_points_to(error, "no such file, line 2")
    assert error.__notes__ == ["take was queued at no such file, line 2, in <module>"]


def test_exec_of_text():
    scope = {"ps": ps, "x": ps.array(VALUES), "at": ps.array(BAD)}
    exec("\n\nz = ps.take(x, at)", scope)
    assert_points_to(failure_of(scope["z"]), "<string>, line 3")


def test_threads_keep_their_own_lines(tmp_path):
    """16 threads, each with a file of its own, queue and fail side by side."""
    count, barrier, errors = 16, threading.Barrier(16), {}
    source = "import penstock as ps\n" + "\n" * 20 + "def run(x, at):\n    return ps.take(x, at)\n"
    modules = [load(write(tmp_path / f"worker{n}.py", "\n" * n + source)) for n in range(count)]

    def work(n):
        x, at = ps.array(VALUES), ps.array(BAD)
        barrier.wait()
        for _ in range(20):
            results = [modules[n].run(x, at) for _ in range(10)]
            errors.setdefault(n, []).extend(failure_of(result) for result in results)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n in range(count):
        assert len(errors[n]) == 200
        for error in errors[n]:
            assert_points_to(error, f"{modules[n].__file__}, line {n + 23}")


# ---- Notebooks -----------------------------------------------------------------------------------


class Shell:
    """As much of IPython's shell as names cells."""

    def __init__(self, cells):
        self.compile = types.SimpleNamespace(format_code_name=cells.get)


def run_cell(monkeypatch, file, cells, source):
    fake = types.ModuleType("IPython")
    fake.get_ipython = lambda: Shell(cells)
    monkeypatch.setitem(sys.modules, "IPython", fake)
    lines = source.splitlines(keepends=True)
    monkeypatch.setitem(linecache.cache, file, (len(source), None, lines, file))
    scope = {"ps": ps, "x": ps.array(VALUES), "at": ps.array(BAD)}
    exec(compile(source, file, "exec"), scope)
    return failure_of(scope["z"])


CELL = "y = x + 1\n\nz = ps.take(y, at)\n"


def test_cells_of_a_notebook(monkeypatch):
    file = "/cells/ipykernel_7/3141592653.py"
    error = run_cell(monkeypatch, file, {file: ("Cell", "In[3]")}, CELL)
    assert_points_to(error, "Cell In[3], line 3")
    assert error.__notes__[0].endswith("\n    z = ps.take(y, at)")


def test_files_imported_by_a_notebook(monkeypatch):
    """The shell knows nothing of them, and says None."""
    error = run_cell(monkeypatch, "/somewhere/else.py", {}, CELL)
    assert_points_to(error, "/somewhere/else.py, line 3")


def test_without_a_shell(monkeypatch):
    """IPython is imported, but its shell does not run."""
    fake = types.ModuleType("IPython")
    fake.get_ipython = lambda: None
    monkeypatch.setitem(sys.modules, "IPython", fake)
    y = ps.take(ps.array(VALUES), ps.array(BAD))
    assert __file__ in str(failure_of(y))


# ---- Code that is gone ---------------------------------------------------------------------------


def queue_from_new_code(count):
    """Operations from functions that exist no longer when this returns."""
    x = ps.array(VALUES)
    for n in range(count):
        scope = {"ps": ps, "x": x}
        exec(compile(f"def run():\n    return x + {n}\nrun()", f"made {n}", "exec"), scope)


def fail_in_new_code(file):
    scope = {"ps": ps, "x": ps.array(VALUES), "at": ps.array(BAD)}
    exec(compile("def run():\n\n    return ps.take(x, at)\ny = run()", file, "exec"), scope)
    return scope.pop("y")


def test_code_that_died_before_the_error_is_shown():
    y = fail_in_new_code("gone")
    gc.collect()
    queue_from_new_code(5000)
    gc.collect()
    assert_points_to(failure_of(y), "gone, line 3")


def test_code_that_died_before_the_error_is_shown_again():
    y = fail_in_new_code("gone too")
    first = str(failure_of(y))
    for _ in range(3):
        queue_from_new_code(3000)
        ps.waitall()
        assert str(failure_of(y)) == first


def test_code_that_died_and_nobody_saw_it():
    fail_in_new_code("unseen")
    gc.collect()
    queue_from_new_code(5000)
    with pytest.raises(IndexError) as caught:
        ps.waitall()
    assert_points_to(caught.value, "unseen, line 3")


# ---- What an error does --------------------------------------------------------------------------


def fail():
    return ps.take(ps.array(VALUES), ps.array(BAD))


def test_every_wait_raises_it():
    y = fail()
    texts = {str(failure_of(y)) for _ in range(3)}
    assert len(texts) == 1
    for read in (y.asnumpy, y.tolist, y.wait, lambda: print(y), lambda: float(y[0])):
        with pytest.raises(IndexError, match="index 99"):
            read()
    assert y.is_ready()


def test_it_flows_to_all_that_is_computed_from_it():
    y = fail()
    z = ps.sum(y * 2 + 1)
    assert str(failure_of(z)) == str(failure_of(y))


def test_the_oldest_of_several_is_raised():
    first = ps.take(ps.array(VALUES), ps.array([7]))
    second = ps.take(ps.array(VALUES), ps.array([8]))
    assert "index 7" in str(failure_of(second + first))
    assert "index 8" in str(failure_of(second))


def test_a_complete_overwrite_clears_it():
    y = fail()
    failure_of(y)
    y[:] = 5
    assert y.tolist() == [5.0, 5.0]


def test_unrelated_arrays_stay_exact():
    x = ps.arange(1000)
    before, y, after = x * 2, fail(), x * 3
    failure_of(y)
    assert np.array_equal(before.asnumpy(), np.arange(1000) * 2)
    assert np.array_equal(after.asnumpy(), np.arange(1000) * 3)


def test_waitall_raises_each_once_the_oldest_first():
    x = ps.array(VALUES)
    kept = [
        ps.take(x, ps.array([50])),
        ps.take(x, ps.array([51])),
        ps.take(x, ps.array([52])),
    ]
    for position in (50, 51, 52):
        with pytest.raises(IndexError, match=f"index {position} ") as caught:
            ps.waitall()
        assert "more of the same" not in str(caught.value)
    ps.waitall()
    assert "index 51" in str(failure_of(kept[1]))


def errors_of_waitall():
    """What one waitall after the other raises, until one raises nothing."""
    errors = []
    while True:
        try:
            ps.waitall()
            return errors
        except IndexError as error:
            errors.append(error)


@pytest.mark.parametrize("count", [2, 100, 20_000])
def test_a_loop_that_fails_is_one_error(count):
    """The oldest stands for those of its line, kept or not; memory does not grow with them."""
    x, at = ps.array(VALUES), ps.array(BAD)
    assert errors_of_waitall() == []
    kept = [ps.take(x, at) for _ in range(count)]
    (error,) = errors_of_waitall()
    line = f"{__file__}, line {sys._getframe().f_lineno - 2}"
    assert f", and {count - 1} more of the same (in take, queued at {line})" in str(error)
    assert ps.engine.stats().unseen_errors == 0
    assert "more of the same" not in str(failure_of(kept[0]))
    assert "index 99" in str(failure_of(kept[-1]))
    assert errors_of_waitall() == []


def test_each_line_of_a_loop_has_its_error():
    x, at = ps.array(VALUES), ps.array(BAD)
    for _ in range(10):
        ps.take(x, at)
        ps.take(x, at, axis=0)
    first, second = errors_of_waitall()
    assert "flattened" in str(first) and "axis 0" in str(second)
    for error in (first, second):
        assert "and 9 more of the same" in str(error)


def test_more_lines_than_are_kept():
    """All classes are those that the operations met: the loop of errors_of_waitall ends."""
    names = {"ps": ps, "x": ps.array(VALUES), "at": ps.array(BAD)}
    exec("\n".join(["ps.take(x, at)"] * 100), names)
    errors = errors_of_waitall()
    assert len(errors) == 64
    counts = [re.search(r", and (\d+) further failures", str(error)) for error in errors]
    assert sum(int(found[1]) for found in counts if found) == 36


def test_waitall_raises_what_nobody_can_read_any_more():
    fail()  # its result is dropped at once
    with pytest.raises(IndexError) as caught:
        ps.waitall()
    assert f"{__file__}, line " in str(caught.value)


def test_waitall_leaves_out_what_was_seen():
    failure_of(fail())
    ps.waitall()


def test_sync_mode_raises_at_the_call():
    x, at = ps.array(VALUES), ps.array(BAD)
    line = sys._getframe().f_lineno + 3
    with ps.engine.sync():
        with pytest.raises(IndexError, match="index 99") as caught:
            ps.take(x, at)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].lineno == line
    assert f"{__file__}, line {line}" in str(caught.value)


def test_await_raises_it():
    async def main():
        with pytest.raises(IndexError) as caught:
            await fail()
        return caught.value

    assert "in take, queued at" in str(asyncio.run(main()))


def test_memory_that_there_is_not():
    y = ps.ones(1 << 45)
    with pytest.raises(MemoryError, match=str(4 << 45)) as caught:
        y.wait_to_read()
    assert f"queued at {__file__}, line " in str(caught.value)


def test_printed_tracebacks_show_the_line():
    text = "".join(traceback.format_exception(failure_of(fail())))
    assert "take was queued at" in text
    assert "    return ps.take(ps.array(VALUES), ps.array(BAD))" in text.rpartition("queued at")[2]


# ---- Errors at the call --------------------------------------------------------------------------

# What is called, the exception, and what its text must state.
CALLS = [
    # Shapes
    ("x + ps.ones(4)", ValueError, "add; (2, 3); (4,)"),
    ("x @ x", ValueError, "matmul; (2, 3)"),
    ("x.reshape(4, 5)", ValueError, "reshape; (2, 3); (4, 5)"),
    ("ps.reshape(x, (-1, -1))", ValueError, "(-1, -1)"),
    ("ps.broadcast_to(x, (3, 2))", ValueError, "(2, 3); (3, 2)"),
    ("ps.zeros((2, -1))", ValueError, "zeros; (2, -1)"),
    ("ps.ones((1 << 62, 1 << 62))", ValueError, "ones; 4611686018427387904; float32"),
    ("ps.stack([x, i])", ValueError, "stack; (2, 3); (3,)"),
    ("ps.stack([])", ValueError, "stack"),
    ("ps.concatenate([x, i])", ValueError, "concatenate; (2, 3); (3,)"),
    ("ps.squeeze(x, axis=0)", ValueError, "squeeze; (2, 3); 0"),
    ("ps.masked_select(x, ps.array([True]))", ValueError, "masked_select; (1,); (2, 3)"),
    ("x[0] = ps.ones(7)", ValueError, "(7,); (3,)"),
    ("ps.array([[1, 2], [3]])", ValueError, "[1]; 1; 2"),
    ("ps.broadcast_shapes((2,), (3,))", ValueError, "(2,); (3,)"),
    ("ps.linalg.matrix_power(x, 2)", ValueError, "matrix_power; (2, 3)"),
    ("ps.max(ps.zeros((0, 2)))", ValueError, "max; (0, 2)"),
    ("ps.split(i, 2)", ValueError, "split; 3; 2"),
    ("float(x)", ValueError, "(2, 3); 6"),
    ("bool(x)", ValueError, "6; any(); all()"),
    # Axes and positions
    ("x.sum(axis=5)", ValueError, "sum; 5; 2"),
    ("x.sum(axis=(0, 0))", ValueError, "sum; 0; twice"),
    ("x.transpose(0, 7)", ValueError, "7; 2"),
    ("ps.flip(x, 4)", ValueError, "flip; 4; 2"),
    ("ps.take(i, [0], axis=3)", ValueError, "take; 3; 1"),
    ("x[7]", IndexError, "7; 0; 2"),
    ("x[0, -9]", IndexError, "-9; 1; 3"),
    ("x[0, 0, 0]", IndexError, "2; 3"),
    ("x['a']", IndexError, "integers; slices; str"),
    ("x[ps.array([0.5])]", IndexError, "integer; boolean; float32"),
    ("x[ps.array([True, False, True])]", IndexError, "0; 2; 3"),
    ("x[5] = 1", IndexError, "5; 0; 2"),
    # Element types
    ("f & f", TypeError, "bitwise_and; float32"),
    ("ps.bitwise_left_shift(f, 1)", TypeError, "bitwise_left_shift; float32; int"),
    ("ps.subtract(b, b)", TypeError, "subtract; bool"),
    ("ps.less(c, c)", TypeError, "less; complex64"),
    ("ps.floor(c)", TypeError, "floor; complex64"),
    ("ps.take(i, f)", TypeError, "take; float32; integers"),
    ("ps.zeros(2, 'float99')", TypeError, "'float99'; bfloat16; complex128"),
    ("ps.zeros(2, dtype=list)", TypeError, "list; 'float32'"),
    ("ps.finfo(ps.int8)", TypeError, "finfo; int8"),
    ("ps.nn.one_hot(f, 3)", TypeError, "one_hot; float32"),
    ("i[0] = 1j", TypeError, "complex; int64"),
    # Kinds of objects
    ("x.reshape('abc')", TypeError, "reshape; shape; integer; 'abc'"),
    ("x.sum(axis='a')", TypeError, "sum; axis; integer; 'a'"),
    ("ps.clip(x, 'a')", TypeError, "clip; min; 'a'"),
    ("ps.array(['a'])", TypeError, "[0]; 'a'"),
    ("ps.array([1, None])", TypeError, "[1]; None"),
    ("ps.stack(3)", TypeError, "stack; sequence; 3"),
    ("ps.add(x, 1, out=3)", TypeError, "out; 3"),
    ("ps.linspace('a', 1, 3)", TypeError, "linspace; start; 'a'"),
    ("ps.zeros(2, device=3)", TypeError, "device; 3"),
    ("x + 'a'", TypeError, "+; ndarray; str"),
    ("x.wait(timeout='a')", TypeError, "timeout; seconds; 'a'"),
    ("ps.engine.set_workers('a')", TypeError, "workers; integer; 'a'"),
    ("ps.random.default_rng('a')", TypeError, "seed; integer; 'a'"),
    ("ps.from_dlpack(3)", TypeError, "__dlpack__; 3"),
    # Arguments
    ("ps.sum()", TypeError, "sum(); 'x'; sum(x, /, axis=None"),
    ("ps.sum(x, wrong=1)", TypeError, "sum(); 'wrong'; sum(x, /, axis=None"),
    ("ps.sum(x, 0, 'float32', 3)", TypeError, "sum(); 3; 4"),
    ("ps.add(x)", TypeError, "add(); 'x2'; add(x1, x2, /"),
    ("ps.add(x, x1=x)", TypeError, "add(); 'x1'"),
    ("ps.where(x, 1)", TypeError, "where; x1; x2"),
    # Values
    ("ps.zeros(2, device='gpu:7')", ValueError, "gpu:7; cpu:0"),
    ("ps.arange(0, 5, 0)", ValueError, "arange; step; 0"),
    ("ps.linspace(0, 1, -3)", ValueError, "linspace; -3"),
    ("ps.repeat(i, -2)", ValueError, "repeat; -2"),
    ("ps.matmul(x, x.T, activation='abc')", ValueError, 'matmul; "abc"; relu'),
    ("ps.isdtype(ps.int8, 'abc')", ValueError, "isdtype; 'abc'; numeric"),
    ("x.wait(timeout=-1)", ValueError, "timeout; -1"),
    ("ps.engine.set_workers(0)", ValueError, "workers; 1; 1024; 0"),
    ("ps.memory.set_limit(-1)", ValueError, "bytes; -1"),
    ("ps.random.normal(0, -1, 3)", ValueError, "normal; scale; -1.0"),
    ("ps.random.uniform(2, 1, 3)", ValueError, "uniform; 2.0; 1.0"),
    ("ps.random.integers(5, 5)", ValueError, "integers; 5"),
    ("ps.random.choice(3, 5, replace=False)", ValueError, "choice; 5; 3"),
    ("ps.array([1], 'uint8') + 300", (OverflowError, ValueError), "add; 300; uint8"),
    ("ps.array([300], 'int8')", OverflowError, "300; int8; -128; 127"),
    ("ps.array([2**70])", OverflowError, f"{2**70}; int64"),
    ("i + 2**70", OverflowError, f"{2**70}; 64"),
    ("ps.ones(2**70)", OverflowError, f"ones; {2**70}; 64"),
]


@pytest.mark.parametrize("call, kind, words", CALLS, ids=[call for call, _, _ in CALLS])
def test_errors_at_the_call(call, kind, words):
    scope = {
        "ps": ps,
        "x": ps.ones((2, 3)),
        "i": ps.array([1, 2, 3]),
        "f": ps.array([1.0, 2.0]),
        "b": ps.array([True]),
        "c": ps.array([1 + 2j]),
    }
    with pytest.raises(kind) as caught:
        exec(call, scope)
    text = str(caught.value)
    missing = [word for word in words.split("; ") if word not in text]
    assert not missing, f"{text!r} does not state {missing}"


@pytest.mark.parametrize(
    ("name", "fails"),
    [
        ("embedding", lambda: ps.nn.embedding(ps.array(BAD), ps.array([VALUES]))),
        ("pick", lambda: ps.nn.pick(ps.array([VALUES, VALUES]), ps.array(BAD))),
        ("take_along_axis", lambda: ps.take_along_axis(ps.array(VALUES), ps.array(BAD), 0)),
    ],
)
def test_the_row_that_was_called_is_named(name, fails):
    with pytest.raises(IndexError) as caught:
        fails().wait()
    assert str(caught.value).startswith(f"{name}: index 99 is out of range for axis ")
    assert "; it is number 1 of the indices" in str(caught.value)
    assert f"(in {name}, queued at " in str(caught.value)
