#!/usr/bin/env python3
"""Runs the benchmark from Python: ours and its peers, in turn, for several rounds.

Each library is a process of its own (../common/peer.py) in a virtual environment that is made at the
first run; a peer that cannot be installed is left out. In a round every library does a row before
anybody does the next, in an order that changes from round to round; the value of a row is the best of
all rounds. Before a row is timed, all results are compared: who computes something else is not timed.
Imports and sizes are measured from outside (packages.py).

Prints a table and writes a JSON list of {"name", "unit", "ours", "peers", "target"}; null stands for
a peer that is not there or cannot do the row. "pushed" and "executed" say how many operations of ours
were queued and done in the row; the exit status is 1 if they differ anywhere."""

import os
import sys
import tempfile

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(BENCH)

import packages
from common.environment import make_environment, processor_seconds, settings
from common.program import ANSWER_S, COMPILE_S, Program, alive, check, in_turn
from common.report import (OURS, Table, disturbance, option_parser, progress, selected, write_json)
from rows import LIBRARIES, PEERS, all_rows


# ---- Programs ----------------------------------------------------------------------------------

def make_programs(options, scratch):
    python, libraries = make_environment(options.venv, LIBRARIES)
    env = settings(scratch)
    path = env.pop("PYTHONPATH", "")
    ours = env | {"PYTHONPATH": os.path.abspath(options.package) if options.package else path}
    seconds = ["--seconds", str(0.03 if options.quick else 0.2)]
    peer = [python, os.path.join(BENCH, "common", "peer.py")]
    programs = [Program(OURS, [*peer, OURS, *seconds], ours)]
    return programs + [Program(name, [*peer, name, *seconds], env)
                       for name in PEERS if name.partition("_")[0] in libraries]


class Counts:
    """How many operations the engine was given and has done, by row."""

    def __init__(self):
        self.found = {}  # name of a row -> [pushed, executed]

    @staticmethod
    def read(program):
        line, _ = program.send("counts", ANSWER_S)
        return [int(word) for word in line.split()[1:]] if line else [0, 0]

    def add(self, row, before, after):
        known = self.found.get(row.name, [0, 0])
        self.found[row.name] = [k + a - b for k, a, b in zip(known, after, before)]

    def of(self, row):
        return dict(zip(("pushed", "executed"), self.found.get(row.name, [0, 0])))

    def notes(self):
        return [f"{name}: {pushed} operations pushed, {executed} executed"
                for name, (pushed, executed) in self.found.items() if pushed != executed]


# ---- Rows --------------------------------------------------------------------------------------

def outside(program, row, wheels):
    """The value of a row about a whole package; None for a library that is here a second time."""
    name, python = program.name, program.command[0]
    if row.name.startswith("import"):
        return packages.import_ms(python, program.env, name, first=row.name == "import_first")
    if name == OURS:
        return packages.wheel_mb(wheels).get(row.name)
    return packages.installed_mb(python, program.env, name) if row.name == "installed" else None


def ask(program, row, counts):
    """In the program's process, which for memory is a fresh one."""
    fresh = row.name.startswith("memory.")
    if fresh:
        program.stop()
    counted = program.name == OURS and row.name not in program.absent
    before = counts.read(program) if counted else None
    value = program.ask("time", row, COMPILE_S)
    if counted and value is not None:
        counts.add(row, before, counts.read(program))
    if fresh:
        program.stop()
    return value


def run_rounds(programs, rows, rounds, wheels):
    counts = Counts()
    for turn in range(rounds):
        for row in rows:
            progress(f"round {turn + 1} of {rounds}: {row.name}")
            if turn == 0 and not row.outside:
                check(programs, row, OURS)
            for program in in_turn(programs, turn):
                value = (outside(program, row, wheels) if row.outside
                         else ask(program, row, counts))
                if value is not None:
                    row.add(program.name, value)
    progress("")
    return counts


# ---- All of it ---------------------------------------------------------------------------------

def parse_options():
    parser = option_parser(__doc__.splitlines()[0], "build/bench/python.json")
    parser.add_argument("--package", metavar="FOLDER",
                        help="where the package penstock is; default: as PYTHONPATH says, else in "
                             "build/release/python")
    parser.add_argument("--wheels", default="build/wheels", metavar="FOLDER",
                        help="where to look for a wheel of ours")
    options = parser.parse_args()
    if not options.package and not os.environ.get("PYTHONPATH"):
        options.package = "build/release/python"
    return options


def split_rows(programs, rows):
    """Those that somebody has done or failed in, and a note about the others."""
    failed = set().union(*(program.absent for program in programs))
    done = [row for row in rows if row.found or row.name in failed]
    absent = ", ".join(row.name for row in rows if row not in done)
    return done, [f"nobody here has {absent}"] if absent else []


def report(options, programs, rows, counts, notes):
    rows, absent = split_rows(programs, rows)
    table = Table(rows, [p.name for p in programs if p.name != OURS])
    table.print(options.markdown)
    notes = [note for program in programs for note in program.notes] + absent + notes
    table.print_summary(counts.notes() + notes)
    write_json(options.output, [row.json(OURS, PEERS) | counts.of(row) for row in rows])


def main():
    options = parse_options()
    rounds = options.rounds or (1 if options.quick else 5)
    rows = selected(all_rows(), options.only)
    with tempfile.TemporaryDirectory(prefix="bench-python-") as scratch:
        programs = alive(make_programs(options, scratch))
        before = processor_seconds()
        counts = run_rounds(programs, rows, rounds, options.wheels)
        for program in programs:
            program.stop()
        used = [b - a for a, b in zip(before, processor_seconds())]
    print(f"\nBenchmark from Python: best of {rounds} rounds\n")
    report(options, programs, rows, counts, disturbance(*used))
    return 0 if not counts.notes() and programs and programs[0].name == OURS else 1


if __name__ == "__main__":
    sys.exit(main())
