"""Pictures of scaling: time over cores, with the ideal line, for each line of the table; time of a
step over the size, waiting each time and once, for each operation."""

import os

from common import picture
from common.report import OURS
from ratios import program_of
from rows import STEP_TITLES, workers_text

WAYS = {"each": "a wait each", "once": "one wait", "sync": "synchronous"}


def seconds_of(row, program):
    """Of what the row shows: a step, or all of its steps."""
    found = row.microseconds(program)
    return None if found is None else found / 1e6


def file_name(row):
    return f"{row.kind}_{row.count}_{row.shape}_{row.way}.svg"


def ideal(points):
    """From the first point on, as if n cores took an n-th of the time."""
    if not points:
        return []
    cores, time = points[0]
    return [(n, time * cores / n) for n, _ in points]


def draw_cores(folder, rows, programs):
    """`rows` are those of a line, one for each number of workers."""
    curves = []
    for i, name in enumerate(programs):
        points = [(row.workers, seconds_of(row, name)) for row in rows if name in row.found]
        curves.append(picture.Curve(name, points, picture.COLOURS[i % len(picture.COLOURS)]))
        if name == OURS:
            curves.append(picture.Curve(OURS + ", ideal", ideal(points), picture.COLOURS[i], "3 4"))
    path = os.path.join(folder, "cores_" + file_name(rows[0]))
    picture.draw(path, f"{rows[0].title}: time over cores",
                 "Each library in a process of its own; best of all rounds. Both axes logarithmic.",
                 picture.Axis("cores", str, marks=[row.workers for row in rows]),
                 picture.times("time"), curves)
    return path


def step_curves(rows):
    """A colour for each way, dots for all cores, dashes for one."""
    most = max(row.workers for row in rows)
    for i, (way, title) in enumerate(WAYS.items()):
        for workers in dict.fromkeys((most, 1)):
            points = [(row.size, row.value(program_of(row)) / 1e6) for row in rows
                      if row.found and (row.way, row.workers) == (way, workers)]
            yield picture.Curve(f"{title}, {workers_text(workers)}", points,
                                picture.COLOURS[(0, 3, 5)[i]],
                                None if workers == most else "3 4")


def draw_steps(folder, kind, rows):
    """`rows` are all of an operation."""
    path = os.path.join(folder, f"step_{kind}.svg")
    picture.draw(path, f"{STEP_TITLES[kind]}: time of a step",
                 "With one wait for many steps, and a wait after each. Both axes logarithmic.",
                 picture.Axis("elements (float32)", lambda value: f"{value:,.0f}"),
                 picture.times("time of a step"), step_curves(rows))
    return path


def draw_all(folder, lines, steps, peers):
    """Files written; `lines` are groups of rows of the table, `steps` those of operations."""
    written = [draw_cores(folder, rows, [OURS, *peers]) for rows in lines
               if any(row.found for row in rows)]
    for kind in STEP_TITLES:
        rows = [row for group in steps for row in group if row.kind == kind and row.found]
        if rows:
            written.append(draw_steps(folder, kind, rows))
    return written
