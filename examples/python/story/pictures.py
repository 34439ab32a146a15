"""Part 7: what a trace of small programs shows, as pictures."""

import chart
import graph
import lanes
import memory_chart
import penstock as ps
from clock import be_busy, best

RECORDINGS = 5


def record_graph():
    """z = x * y + 2 on tiny arrays, and the value of z."""
    with ps.engine.trace() as recorder:
        x = ps.ones((1, 2))
        y = ps.ones((1, 2))
        z = x * y + 2
        value = z.tolist()
    return recorder.events, value


def record_lanes(side, count):
    """Products are queued; the program goes on with its own; it waits for the first, for all."""
    x = ps.random.normal(size=(side, side))
    (x @ x).wait()
    once = best((x @ x).wait, 1)
    with ps.engine.trace() as recorder:
        results = [x @ x for _ in range(count)]
        be_busy(0.6 * once)
        results[0].wait_to_read()
        be_busy(0.3 * once)
        ps.waitall()
    return recorder.events


def least_disturbed(recordings):
    """Other programs use the processors too: the recording that took the shortest time."""
    return min(recordings, key=lambda events: events[-1].time_ns - events[0].time_ns)


def graph_picture(folder):
    events, value = record_graph()
    note = "As the engine found it while the lines were run. The number 2 is part of the addition."
    path = folder / "graph.svg"
    graph.draw(events, "z = x * y + 2, as it was queued", note).save(path)
    return path, events, value


def lanes_picture(folder, side, count):
    events = least_disturbed(record_lanes(side, count) for _ in range(RECORDINGS))
    title = f"{count} products of {side} x {side}: program and workers"
    note = "A product is divided: bars of one number are parts of it. A worker without a bar is idle."
    path = folder / "lanes.svg"
    lanes.draw(events, ps.engine.workers(), title, note).save(path)
    return path, events


def chart_picture(folder, rows):
    title = f"{rows[0].steps:,} times y = x + 1: time of a step"
    note = "One worker, fusion off. Both axes are logarithmic."
    path = folder / "loop.svg"
    chart.draw(rows, title, note).save(path)
    return path


def memory_picture(folder, found):
    """Of training: training.Comparison."""
    shape = found.shape
    title = "Memory in training, with and without waits"
    layers = ", ".join(map(str, shape.layers))
    batch = f"{shape.rows} x {shape.inputs}"
    note = f"{batch} batches copied in from NumPy; dense layers of {layers} units"
    path = folder / "memory.svg"
    memory_chart.draw(found, title, note).save(path)
    return path
