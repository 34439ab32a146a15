"""examples/python/story: its formulas, tables and pictures, and a short run of all of it."""

import doctest
import io
import os
import pathlib
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import numpy
import penstock as ps
import pytest
from processes import LIMIT, environment

STORY = pathlib.Path(__file__).parents[3] / "examples/python/story"
sys.path.insert(0, str(STORY))

import chart  # noqa: E402
import formula  # noqa: E402
import graph  # noqa: E402
import lanes  # noqa: E402
import loop  # noqa: E402
import memory_chart  # noqa: E402
import pictures  # noqa: E402
import products  # noqa: E402
import svg  # noqa: E402
import table  # noqa: E402
import training  # noqa: E402
from screen import Screen  # noqa: E402

NAMESPACE = "{http://www.w3.org/2000/svg}"


# ---- Formulas and tables ------------------------------------------------------------------------


def test_the_formulas():
    assert formula.synchronous(10_000, 1, 2, 3) == 60_000
    assert formula.asynchronous(10_000, 1, 2, 3) == 1 + 20_000 + 3
    assert formula.asynchronous(10_000, 2, 1, 3) == 20_000  # the program's own work decides
    assert formula.asynchronous(10_000, 2, 0, 3) == 20_000
    assert formula.helping(10_000, 1, 3) == 20_000
    assert formula.helping(10_000, 2, 1) == 20_000


def test_where_the_condition_turns():
    assert formula.running_dominates(10, 1, 1)  # 10 > 9
    assert formula.running_dominates(10, 1, 0.91)
    assert not formula.running_dominates(10, 1, 0.9)
    assert not formula.running_dominates(10_000, 1, 0)


@pytest.mark.parametrize("t2", [0.0, 0.5, 1.0, 5.0])
def test_waiting_once_is_never_predicted_to_be_slower(t2):
    waits_once = formula.asynchronous(1000, 1.0, t2, 0.1)
    assert formula.helping(1000, 1.0, t2) <= waits_once < formula.synchronous(1000, 1.0, t2, 0.1)


@pytest.mark.parametrize("module", [table, lanes, memory_chart])
def test_examples_in_the_modules(module):
    failed, tried = doctest.testmod(module)
    assert failed == 0 < tried


def test_tables_are_aligned():
    text = table.render(("what", "a\ntime"), [("one", "1 s"), ("eleven", "11.5 ms")])
    assert text.split("\n") == [
        "              a",
        "what       time",
        "------  -------",
        "one         1 s",
        "eleven  11.5 ms",
    ]


def test_a_row_knows_its_regime():
    short = loop.Row(2, 100, True, t1=1.0, t2=0.0, t3=0.5)
    long = loop.Row(2, 100, False, t1=1.0, t2=4.0, t3=0.5)
    assert (short.holds, short.predicted_asynchronous) == (False, 100)
    assert (long.holds, long.predicted_asynchronous) == (True, 401.5)
    assert (long.predicted_synchronous, long.predicted_helping) == (550, 250)


def test_rounds_follow_from_the_time_there_is():
    row = loop.Row(2, 1000, False, t1=1e-3, t2=1e-3, t3=0.0)  # both loops: 4 s
    assert [loop.rounds_for(row, seconds) for seconds in (3, 5, 9, 100)] == [0, 1, 2, 3]


# ---- The screen ---------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_steps_are_lines_where_there_is_no_terminal():
    out = io.StringIO()
    screen = Screen(2, out)
    screen.step("first")
    screen.say("text")
    screen.step("second")
    screen.end()
    assert out.getvalue() == "   (1 of 2: first)\ntext\n   (2 of 2: second)\n"


def test_a_bar_on_a_terminal():
    out = Terminal()
    screen = Screen(2, out)
    screen.step("first")
    screen.say("text")
    screen.end()
    assert f"[{'#' * 12}{'.' * 12}] 1/2 first" in out.getvalue()
    assert out.getvalue().endswith("\r\x1b[K")  # nothing of it stays


# ---- Measuring ----------------------------------------------------------------------------------


def test_all_steps_are_run_and_settings_are_restored():
    before = ps.engine.workers(), ps.engine.fusion(), ps.engine.bound()
    seen = []
    rows = loop.sweep((2, 5000), 40, 60.0, seen.append)
    assert (ps.engine.workers(), ps.engine.fusion(), ps.engine.bound()) == before
    assert seen == [row.elements for row in rows] == [2, 5000]
    for row in rows:
        assert row.pushed == row.executed == 40
        assert row.t1 > 0 and row.t3 > 0 and (row.t2 == 0) == row.at_once
    assert not rows[1].at_once  # too many elements to be done at the call


def test_sizes_that_take_too_long_are_left_out():
    rows = loop.sweep((2, 5000), 40, 0.0)
    assert [row.elements for row in rows] == [2]  # one is always there


def test_matrices_are_smaller_on_slow_machines():
    assert products.choose_side(64, 60.0) == 64
    assert products.choose_side(64, 0.0) == 16


# ---- Pictures -----------------------------------------------------------------------------------


def parse(canvas):
    """The picture as a tree; everything lies inside of it."""
    root = ElementTree.fromstring(str(canvas))
    width, height = float(root.get("width")), float(root.get("height"))
    for text in root.iter(NAMESPACE + "text"):
        size = 18 if text.get("class") == "title" else 13
        wide = svg.text_width(text.text, size)
        x, y = float(text.get("x")), float(text.get("y"))
        left = x - {"start": 0, "middle": wide / 2, "end": wide}[text.get("text-anchor")]
        assert left >= 0 and left + wide <= width, text.text
        assert 0 < y < height, text.text
    return root


def texts(root):
    return [text.text for text in root.iter(NAMESPACE + "text")]


def test_text_is_escaped():
    canvas = svg.Canvas(100, 100, "a < b & c", '"')
    canvas.rect(0, 0, 5, 5, "box", tip="x < y")
    canvas.text(1, 20, "<&>")
    assert texts(parse(canvas)) == ["<&>"]


def test_the_graph_is_what_the_trace_says():
    events, value = pictures.record_graph()
    assert value == [[3.0, 3.0]]
    nodes = graph.nodes_of(events)
    assert [node.name for node in nodes] == ["ones", "ones", "multiply", "add"]
    assert [[before.number for before in node.follows] for node in nodes] == [[], [], [1, 2], [3]]
    assert [node.code for node in nodes][2:] == ["z = x * y + 2"] * 2
    root = parse(graph.draw(events, "title", "note"))
    assert len(list(root.iter(NAMESPACE + "path"))) == 3 + 1  # one is in the legend
    assert {"multiply", "add", "after no. 1, 2", "x = ps.ones((1, 2))"} <= set(texts(root))


def test_columns_follow_the_dependencies():
    nodes = graph.nodes_of(pictures.record_graph()[0])
    assert graph.place_nodes(nodes) == 2
    assert [(node.column, node.row) for node in nodes] == [(0, 0), (0, 1), (1, 0.5), (2, 0.5)]


def test_lanes_have_a_bar_for_each_operation():
    events = pictures.record_lanes(48, 4)
    marks, bars = lanes.marks_of(events), lanes.bars_of(events)
    assert [mark.number for mark in marks] == [1, 2, 3, 4]
    runs = {bar.number: bar for bar in bars if bar.kind == "run"}
    assert sorted(runs) == [1, 2, 3, 4]
    assert all(marks[number - 1].time <= bar.start <= bar.end for number, bar in runs.items())
    assert all(bar.start <= bar.end for bar in bars)
    last = max(bar.end for bar in bars if bar.kind == "wait")
    assert last >= max(bar.end for bar in runs.values())  # waitall comes back after all of them
    root = parse(lanes.draw(events, 2, "title", "note"))
    assert texts(root).count("worker 2") == 2  # in both parts, also if it did nothing


def test_threads_that_join_have_a_bar_for_their_part():
    event = ps.engine.Event
    events = [
        event(0, "queued", 7, "matmul", "thread 1", None, None),
        event(10, "start", 7, "matmul", "worker 1", "held", None),
        event(11, "loop", 7, "matmul", "worker 1", 8, None),
        event(12, "loop", 7, "matmul", "worker 2", 8, None),
        event(13, "loop", 7, "matmul", "worker 2", 2, None),  # inside of it
        event(14, "loop end", 7, "matmul", "worker 2", 2, None),
        event(20, "loop end", 7, "matmul", "worker 2", 3, None),
        event(21, "loop end", 7, "matmul", "worker 1", 5, None),
        event(22, "end", 7, "matmul", "worker 1", None, None),
    ]
    bars = [(bar.thread, bar.start, bar.end, bar.number) for bar in lanes.bars_of(events)]
    assert sorted(bars) == [("worker 1", 10, 22, 1), ("worker 2", 12, 20, 1)]


def test_the_lanes_of_threads():
    with ps.engine.trace() as recorder:
        ps.ones(3).wait()
    found = lanes.threads_of(recorder.events, 3)
    assert found[0].startswith("thread")
    assert [name for name in found if name.startswith("worker")] == [
        "worker 1",
        "worker 2",
        "worker 3",
    ]


@pytest.mark.parametrize("count", [1, 2, 9])
def test_the_chart(count):
    rows = [loop.Row(10**i + 1, 10, i < 3, 1e-7, 1e-8 * 10**i, 1e-8) for i in range(count)]
    for row in rows:
        row.synchronous, row.asynchronous = row.predicted_synchronous, row.predicted_asynchronous
    root = parse(chart.draw(rows, "title", "note"))
    dots = list(root.iter(NAMESPACE + "circle"))
    assert len(dots) == 2 * count + 2  # two are in the legend


# ---- Training -----------------------------------------------------------------------------------


def test_both_loops_learn_and_memory_is_noted():
    shape = training.Shape(rows=64, inputs=8, layers=(16, 1), batches=12)
    said = []
    found = training.compare(numpy, shape, said.append)
    assert len(said) == 2
    for run in (found.each, found.once):
        assert len(run.memory) == 12 and run.last < run.first and run.seconds > 0
    weights = 4 * 2 * (8 * 16 + 16 + 16 + 1)  # and gradients
    assert found.before >= weights and found.copied == 12 * 4 * 64 * 9
    assert all(value >= found.before for value in found.each.memory)
    assert max(found.once.memory) <= max(found.each.memory) + found.bound


def test_the_chart_of_memory():
    shape = training.Shape(rows=1000, inputs=999, layers=(1,), batches=20)  # 4 MB each
    steady, ahead = training.Run(1.0, [30_000_000] * 20), training.Run(1.0, [50_000_000] * 20)
    found = training.Comparison(shape, steady, ahead, before=20_000_000, bound=40_000_000)
    root = parse(memory_chart.draw(found, "title", "note"))
    curves = list(root.iter(NAMESPACE + "polyline"))
    assert len(curves) == 4 + 4  # each has a piece in the legend
    heights = [float(curve.get("points").split()[0].split(",")[1]) for curve in curves[::2]]
    each, once, bound, _ = heights
    assert each > once > bound  # from top to bottom: more memory is further up
    assert {"what the bound allows", "waits in each batch", "batches"} <= set(texts(root))


# ---- All of it ----------------------------------------------------------------------------------


def start(folder, *code, **settings):
    """The story in a process; with code, that is run instead of run.py."""
    program = code or (str(STORY / "run.py"),)
    return subprocess.Popen(
        [sys.executable, *program, "--quick", "--out", str(folder)],
        env=environment(**settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        pipesize=4096,  # less than the story prints: it does not end while nobody reads
    )


def finish(process):
    out, err = process.communicate(timeout=LIMIT)
    assert (process.returncode, err) == (0, ""), err
    return out


def test_a_quick_run(tmp_path):
    out = finish(start(tmp_path / "pictures"))
    headings = [line for line in out.split("\n") if re.match(r"\d\. |All figures", line)]
    assert [heading[:2] for heading in headings] == ["1.", "2.", "3.", "4.", "5.", "6.", "7.", "Al"]
    end = out[out.index("All figures\n") :]
    for name in ("graph", "lanes", "loop", "memory"):
        path = tmp_path / f"pictures/{name}.svg"
        assert f"picture: {path}" in end
        parse(path.read_text())
    for what in ("NumPy", "with waitall", "print(y)", "waits once", "waits each time"):
        assert what in end
    assert "training, 6 batches, waits at the end: memory" in end
    assert "stays flat because" in " ".join(out.split())
    assert "100 steps were queued in these loops, and 100 were run" in " ".join(out.split())


def test_it_goes_on_without_numpy(tmp_path):
    code = (
        "import runpy, sys; sys.modules['numpy'] = None; "
        f"sys.path.insert(0, {str(STORY)!r}); "
        f"sys.argv[0] = {str(STORY / 'run.py')!r}; "
        f"runpy.run_path({str(STORY / 'run.py')!r}, run_name='__main__')"
    )
    out = finish(start(tmp_path, "-c", code))
    assert "NumPy is not installed" in out
    assert "y.tobytes()" in out and "y.asnumpy()" not in out
    assert "this part is left out" in out and not (tmp_path / "memory.svg").exists()


def test_it_is_asynchronous_whatever_the_environment_says(tmp_path):
    out = finish(start(tmp_path, PENSTOCK_ENGINE="sync"))
    assert "100 steps were queued in these loops, and 100 were run" in " ".join(out.split())


def test_an_interrupt_ends_it_politely(tmp_path):
    process = start(tmp_path)
    begin = b"penstock "
    assert os.read(process.stdout.fileno(), len(begin)) == begin  # and it has not ended
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=LIMIT)
    assert (process.returncode, err) == (130, "")
    assert out.endswith("Stopped. What was queued is dropped.\n")
