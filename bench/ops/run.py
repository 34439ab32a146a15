#!/usr/bin/env python3
"""Runs the benchmark of operations: ours and its peers, in turn, for several rounds.

Ours is a C program (ops.c), each peer a Python program (../common/peer.py) in a virtual environment
that is made at the first run; a peer that cannot be installed is left out. The programs stay alive
and answer a line for each row they are asked for. In a round every program does a row before anybody
does the next, in an order that changes from round to round; the value of a row is the best of all
rounds. Before a row is timed, all results are compared: who computes something else is not timed.

Prints a table and writes a JSON list of {"name", "unit", "ours", "peers", "target"}; null stands
for a peer that is not there or cannot do the row."""

import os
import sys
import tempfile

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(BENCH)

from common.environment import make_environment, processor_seconds, settings
from common.program import Program
from common.report import (OURS, Table, disturbance, option_parser, selected, write_json)
from common.rounds import run_rounds
from rows import PEERS, all_rows


def make_programs(options, scratch):
    python, libraries = make_environment(options.venv, ("numpy", "torch", "jax"))
    env, seconds = settings(scratch), ["--seconds", str(0.03 if options.quick else 0.15)]
    programs = [Program(OURS, [options.program, *seconds], env)]
    for peer in PEERS:
        if peer.partition("_")[0] in libraries:
            command = [python, os.path.join(BENCH, "common", "peer.py"), peer, *seconds]
            programs.append(Program(peer, command, env))
    return programs


def parse_options():
    parser = option_parser(__doc__.splitlines()[0], "build/bench/ops.json")
    parser.add_argument("--program", default="build/release/bench/bench_ops_penstock",
                        help="our side, made from ops.c")
    return parser.parse_args()


def main():
    options = parse_options()
    rounds = options.rounds or (1 if options.quick else 5)
    rows = selected(all_rows(), options.only)
    with tempfile.TemporaryDirectory(prefix="bench-ops-") as scratch:
        programs = make_programs(options, scratch)
        for program in programs:
            print(program.about(), flush=True)
        before = processor_seconds()
        run_rounds(programs, rows, rounds)
        for program in programs:
            program.stop()
        used = [b - a for a, b in zip(before, processor_seconds())]
    print(f"\nBenchmark of operations: best of {rounds} rounds\n")
    table = Table(rows, [p.name for p in programs[1:]])
    table.print(options.markdown)
    table.print_summary([n for p in programs for n in p.notes] + disturbance(*used))
    write_json(options.output, [row.json(OURS, PEERS) for row in rows])


if __name__ == "__main__":
    main()
