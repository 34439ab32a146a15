#!/usr/bin/env python3
"""Runs the benchmark of C++: ours and its peers, in turn, for several rounds.

Each library is a program of its own over library.hpp; ours in C is that of the benchmark of
operations, ours in Python ../common/peer.py. A peer that is not built, or cannot run here, is left
out. The programs stay alive and answer a line for each row they are asked for. In a round every
program does a row before anybody does the next, in an order that changes from round to round; the
value of a row is the best of all rounds. Before a row is timed, all results are compared: who
computes something else is not timed. Instructions are counted (instructions.py) and headers
compiled (headers.py) after that.

Prints a table and each target, and writes a JSON list of {"name", "unit", "ours", "peers",
"target", "met", "targets"}: "target" is the tightest of the targets. null stands for a peer that is
not there or cannot do the row. The exit status is 1 if a target is missed."""

import os
import sys
import tempfile

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(BENCH)

import headers  # noqa: E402
import instructions  # noqa: E402
from common.environment import processor_seconds, settings  # noqa: E402
from common.program import Program, alive  # noqa: E402
from common.report import (  # noqa: E402
    OURS, Table, disturbance, option_parser, print_columns, selected, write_json)
from common.rounds import run_rounds  # noqa: E402
from rows import PEERS, all_rows, verdict_lines  # noqa: E402


def command_of(name, options):
    """How a library's program is called."""
    if name == "python":
        return [sys.executable, os.path.join(BENCH, "common", "peer.py"), OURS]
    file = "bench_ops_penstock" if name == "c" else "bench_cpp_" + name
    return [os.path.join(options.programs, file)]


def make_programs(options, env):
    seconds = ["--seconds", str(0.03 if options.quick else 0.2)]
    found = []
    for name in (OURS, *PEERS):
        command = command_of(name, options)
        if os.access(command[0], os.X_OK):
            path = {"PYTHONPATH": os.path.abspath(options.package)} if name == "python" else {}
            found.append(Program(name, [*command, *seconds], env | path))
        else:
            print(f"no {name}: {command[0]} is not there")
    return found


def measure_outside(options, rows, rounds, env, scratch):
    """Notes."""
    notes = []
    for row in rows:
        if row.name == "line":
            program = os.path.join(options.programs, "bench_cpp_lines")
            notes += instructions.measure(row, program, env, scratch)
        else:
            notes += headers.measure(row, options.compiler, rounds, scratch)
    return notes


def parse_options():
    parser = option_parser(__doc__.splitlines()[0], "build/bench/cpp.json")
    parser.add_argument("--programs", default="build/release/bench", metavar="FOLDER",
                        help="where bench_cpp_* and bench_ops_penstock are")
    parser.add_argument("--package", default="build/release/python", metavar="FOLDER",
                        help="where the package penstock is")
    parser.add_argument("--compiler", default="g++", help="what compiles the headers")
    return parser.parse_args()


def main():
    options = parse_options()
    rounds = options.rounds or (1 if options.quick else 5)
    rows = selected(all_rows(), options.only)
    with tempfile.TemporaryDirectory(prefix="bench-cpp-") as scratch:
        env = settings(scratch)
        programs = alive(make_programs(options, env))
        before = processor_seconds()
        run_rounds(programs, [row for row in rows if not row.outside], rounds)
        notes = measure_outside(options, [row for row in rows if row.outside], rounds, env, scratch)
        for program in programs:
            program.stop()
        used = [b - a for a, b in zip(before, processor_seconds())]
    print(f"\nBenchmark of C++: best of {rounds} rounds\n")
    table = Table(rows, [p.name for p in programs if p.name != OURS])
    table.print(options.markdown)
    print("\nTargets:\n")
    print_columns(verdict_lines(rows), left=(0, 1, 3))
    table.print_summary([n for p in programs for n in p.notes] + notes + disturbance(*used))
    write_json(options.output, [row.json(OURS, PEERS) for row in rows])
    return 1 if any(row.met(OURS, PEERS) is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
