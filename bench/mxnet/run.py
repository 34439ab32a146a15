#!/usr/bin/env python3
"""Runs the benchmark of small operations and of training through the MXNet dialects against the
real MXNet 1.9.1.

Each library is a process of its own (library.py) that runs the same statements (rows.py); the real
one in the environment that `make conformance` makes. In a round both do a row before the next row
is done; the value of a row is the best of all rounds. Both must compute the same.

Prints a table and writes a JSON list of {"name", "unit", "ours", "peers", "target"}: the target is
a thirtieth of MXNet's time, a tenth where a call is made of several operations or a step is small,
half of it in the chapter's training and two thirds for images. The exit status is 1 if a target is
missed, or if the operations of ours that were pushed and executed differ."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(HERE))

from common.environment import processor_seconds, settings  # noqa: E402
from common.program import Program  # noqa: E402
from common.report import (  # noqa: E402
    OURS, Table, disturbance, option_parser, selected, write_json)
from common.rounds import run_rounds, unequal_counts  # noqa: E402
from rows import PEER, all_rows  # noqa: E402


def parse_options():
    parser = option_parser(__doc__.splitlines()[0], "build/bench/mxnet.json")
    parser.add_argument("--real", default="build/conformance/venv/bin/python", metavar="PYTHON",
                        help="a Python that has MXNet 1.9.1")
    parser.add_argument("--package", default="build/release/python", metavar="FOLDER",
                        help="where the package penstock is")
    return parser.parse_args()


def make_programs(options):
    env = {k: v for k, v in settings("").items() if not k.startswith(("PYTHONPATH", "MXNET_"))}
    env["PYTHONWARNINGS"] = "ignore"
    script = os.path.join(HERE, "library.py")
    rest = ["--seconds", str(0.03 if options.quick else 0.2)]
    ours = env | {"PYTHONPATH": os.path.abspath(options.package)}
    return [Program(OURS, [sys.executable, script, OURS, *rest], ours),
            Program(PEER, [options.real, script, PEER, *rest], env)]


def main():
    options = parse_options()
    rounds = options.rounds or (1 if options.quick else 5)
    rows = selected(all_rows(), options.only)
    programs = make_programs(options)
    for program in programs:
        print(program.about(), flush=True)
    before = processor_seconds()
    run_rounds(programs, rows, rounds)
    wrong = unequal_counts(programs[0])
    for program in programs:
        program.stop()
    used = [b - a for a, b in zip(before, processor_seconds())]
    print(f"\nSmall operations and training as MXNet's: best of {rounds} rounds\n")
    table = Table(rows, [PEER])
    table.print(options.markdown)
    table.print_summary([n for p in programs for n in p.notes] + wrong + disturbance(*used))
    write_json(options.output, [row.json(OURS, [PEER]) for row in rows])
    return 0 if not wrong and all(row.met(OURS, [PEER]) for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
