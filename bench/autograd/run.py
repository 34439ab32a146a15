#!/usr/bin/env python3
"""Runs the benchmark of gradients: ours and its peers, in turn, for several rounds.

Each library is a process of its own (library.py): PyTorch and JAX in a virtual environment that is
made at the first run, the real MXNet in the one that `make conformance` makes; a peer that is not there
is left out. In a round every library does a row before anybody does the next; the value of a row is
the best of all rounds. Before a row is timed all gradients are compared: who computes something else
is not timed.

Prints a table and writes a JSON list of {"name", "unit", "ours", "peers", "target"}. The exit status
is 1 if the operations of ours that were pushed and executed differ."""

import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(HERE))

from common.environment import (  # noqa: E402
    has_module, make_environment, processor_seconds, settings)
from common.program import COMPILE_S, Program  # noqa: E402
from common.report import (  # noqa: E402
    OURS, Table, disturbance, option_parser, selected, write_json)
from common.rounds import run_rounds, unequal_counts  # noqa: E402
from rows import LIBRARIES, PEERS, all_rows  # noqa: E402


def parse_options():
    parser = option_parser(__doc__.splitlines()[0], "build/bench/autograd.json")
    parser.add_argument("--package", default="build/release/python", metavar="FOLDER",
                        help="where the package penstock is")
    parser.add_argument("--real", default="build/conformance/venv/bin/python", metavar="PYTHON",
                        help="a Python that has MXNet 1.9.1")
    return parser.parse_args()


def find_pythons(options):
    """The Python of each library that is there; ours is always, and the first."""
    python, libraries = make_environment(options.venv, LIBRARIES)
    found = {OURS: python if os.access(python, os.X_OK) else sys.executable}
    found |= {name: python for name in PEERS if name.partition("_")[0] in libraries}
    if os.access(options.real, os.X_OK) and has_module(options.real, "mxnet"):
        found["mxnet"] = options.real
    else:
        print(f"no MXNet: {options.real} cannot import it (make conformance installs it)")
    return found


def make_programs(options, scratch):
    env = {k: v for k, v in settings(scratch).items() if not k.startswith(("PYTHONPATH", "MXNET_"))}
    env["PYTHONWARNINGS"] = "ignore"
    ours = env | {"PYTHONPATH": os.path.abspath(options.package)}
    rest = ["--seconds", str(0.03 if options.quick else 0.3)]
    script = os.path.join(HERE, "library.py")
    return [Program(name, [python, script, name, *rest], ours if name == OURS else env)
            for name, python in find_pythons(options).items()]


def main():
    options = parse_options()
    rounds = options.rounds or (1 if options.quick else 5)
    rows = selected(all_rows(), options.only)
    with tempfile.TemporaryDirectory(prefix="bench-autograd-") as scratch:
        programs = make_programs(options, scratch)
        for program in programs:
            print(program.about(), flush=True)
        before = processor_seconds()
        run_rounds(programs, rows, rounds, COMPILE_S)
        wrong = unequal_counts(programs[0])
        for program in programs:
            program.stop()
        used = [b - a for a, b in zip(before, processor_seconds())]
    print(f"\nGradients: best of {rounds} rounds\n")
    peers = [program.name for program in programs if program.name != OURS]
    table = Table(rows, peers)
    table.print(options.markdown)
    table.print_summary([n for p in programs for n in p.notes] + wrong + disturbance(*used))
    write_json(options.output, [row.json(OURS, PEERS) for row in rows])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
