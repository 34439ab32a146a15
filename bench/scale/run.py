#!/usr/bin/env python3
"""Runs the scaling benchmark: what more workers gain, and that nothing gets slower.

table   lines as the other benchmarks have, with 1, 2, 4 and so on workers, beside the peers
step    operations of many sizes, with one wait, a wait each, and synchronous: never slower
engine  what the engine costs beside bare threads (engine.c)

Each library with each number of workers is a process of its own (programs.py). In a round all of them
do a line before anybody does the next; the value is the best of all rounds. Before a line of the table
is timed all results are compared: who computes something else is not timed. What looks slower than
it may is measured again, in as many rounds, before it is reported.

Prints tables, draws pictures beside the JSON file and writes there a list of {"name", "unit", "ours",
"peers", "target"}; ratios also have "noise" and "slower", and the last row counts those that are. The
exit status is 1 if the operations of ours that were pushed and executed differ."""

import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(HERE))

import pictures  # noqa: E402
from common import processors  # noqa: E402
from common.environment import processor_seconds  # noqa: E402
from common.program import COMPILE_S  # noqa: E402
from common.report import (  # noqa: E402
    OURS, Table, disturbance, number, option_parser, print_columns, selected, write_json)
from common.rounds import run_groups, unequal_counts  # noqa: E402
from programs import Maker  # noqa: E402
from ratios import LIMIT, program_of, ratios, slower  # noqa: E402
from rows import (  # noqa: E402
    PEERS, engine_rows, idle_row, step_groups, table_groups, workers_text)


def parse_options():
    parser = option_parser(__doc__.splitlines()[0], "build/bench/scale.json")
    parser.add_argument("--package", default="build/release/python", metavar="FOLDER",
                        help="where the package penstock is")
    parser.add_argument("--programs", default="build/release/bench", metavar="FOLDER",
                        help="where bench_scale_engine and bench_scale_openmp are")
    parser.add_argument("--workers", metavar="N,N", help="default: 1, 2, 4 and so on, all processors")
    parser.add_argument("--unbound", action="store_true",
                        help="do not confine programs to as many processors as workers")
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.quick else 5)
    most = len(os.sched_getaffinity(0))
    options.workers = (sorted({int(n) for n in options.workers.split(",")}) if options.workers
                       else processors.counts(most))
    return options


def chosen(groups, pattern):
    """The groups that have a row with such a name."""
    return [group for group in groups if selected(group, pattern)]


def stop(programs):
    """Notes of what they could not do."""
    for program in programs:
        program.stop()
    return [note for program in programs for note in program.notes]


# ---- The parts -----------------------------------------------------------------------------------

def measure_table(options, maker, lines):
    """Notes about what is wrong, other notes, and the names of peers that are there."""
    if not lines:
        return [], [], []
    programs = {n: maker.table(n, PEERS) for n in options.workers}
    every = [program for n in options.workers for program in programs[n]]
    for program in programs[options.workers[-1]]:
        print(program.about(), flush=True)
    groups = [[(program, row) for row in line for program in programs[row.workers]]
              for line in lines]
    run_groups(groups, options.rounds, COMPILE_S)
    wrong = [note for n in options.workers for note in unequal_counts(programs[n][0])]
    peers = [program.name for program in programs[options.workers[0]][1:]]
    return wrong, stop(every), peers


def measure_steps(options, maker, groups):
    """Notes."""
    if not groups:
        return []
    programs = {n: maker.steps(n) for n in options.workers}

    def measure(some):
        run_groups([[(programs[row.workers][program_of(row)], row) for row in group]
                    for group in some], options.rounds, checked=False)

    measure(groups)
    doubtful = [group for group in groups if any(ratio.is_slower() for ratio in ratios(group))]
    if not options.quick:
        measure(doubtful)
    return stop([p for n in options.workers for p in programs[n].values()])


def measure_engine(options, maker, rows):
    """Notes."""
    program = maker.engine() if rows else None
    if program is None:
        return ["bench_scale_engine is not built: no rows of the engine"] if rows else []
    idle = [row for row in rows if row.name == idle_row().name]
    run_groups([[(program, row)] for row in rows if row not in idle], options.rounds, checked=False)
    run_groups([[(program, row)] for row in idle], 1, checked=False)
    return stop([program])


# ---- What was found ------------------------------------------------------------------------------

def print_table(options, lines, peers):
    rows = [row for line in lines for row in line]
    for row in rows:
        row.title += ", " + workers_text(row.workers)
    print(f"\nScaling: best of {options.rounds} rounds; ratio: ours / the best peer, above 1 is "
          "slower\n")
    Table(rows, peers).print(options.markdown)


def step_line(group):
    """Microseconds of each row of a group, in the order of step_groups."""
    return [group[0].title, str(group[0].count),
            *(number(row.value(program_of(row))) for row in group)]


def print_steps(options, groups):
    heads = [f"{row.way} {row.workers}" for row in groups[0]]
    print("\nTime of a step in us: how it waits, and with how many workers\n")
    print_columns([["", "steps", *heads], *map(step_line, groups)], left=(0,))


def print_engine(rows):
    print("\nThe engine beside bare threads\n")
    print_columns([[row.title, number(row.value(OURS)), row.unit] for row in rows], left=(0, 2))


def print_slower(groups):
    every = [ratio for group in groups for ratio in ratios(group)]
    found = slower(groups)
    print(f"\nNever slower: {len(found)} of {len(every)} ratios are above {LIMIT} by more than their "
          "noise")
    for ratio in sorted(found, key=lambda ratio: -ratio.value()):
        print(f"  {ratio.title}: {ratio.value():.2f}, noise {ratio.noise():.2f}")


def json_rows(lines, steps, engine):
    """All rows; at the end how many ratios are too large."""
    rows = [row.json(OURS, PEERS) for line in lines for row in line]
    for row in (row for group in steps for row in group):
        name = program_of(row)
        rows.append(row.json(name, ()) | {"noise": row.spread(name) if row.found else None})
    rows += [ratio.json() for group in steps for ratio in ratios(group)]
    rows += [row.json(OURS, ()) for row in engine]
    return rows + [{"name": "ratio.slower", "unit": "rows", "ours": len(slower(steps)), "peers": {},
                    "target": 0}] * bool(steps)


def report(options, lines, steps, engine, peers):
    pictures_at = os.path.splitext(options.output)[0]
    for path in pictures.draw_all(pictures_at, lines, steps, peers):
        print("drawn: " + path)
    if lines:
        print_table(options, lines, peers)
    if steps:
        print_steps(options, steps)
    if engine:
        print_engine(engine)


def main():
    options = parse_options()
    lines = chosen(table_groups(options.workers), options.only)
    steps = chosen(step_groups(options.workers), options.only)
    engine = selected([*engine_rows(), idle_row()], options.only)
    with tempfile.TemporaryDirectory(prefix="bench-scale-") as scratch:
        maker = Maker(options, scratch)
        before = processor_seconds()
        wrong, notes, peers = measure_table(options, maker, lines)
        notes += measure_steps(options, maker, steps) + measure_engine(options, maker, engine)
        used = [b - a for a, b in zip(before, processor_seconds())]
    report(options, lines, steps, engine, peers)
    for note in wrong + notes + disturbance(*used):
        print("note: " + note)
    write_json(options.output, json_rows(lines, steps, engine))
    if steps:
        print_slower(steps)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
