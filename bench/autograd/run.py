#!/usr/bin/env python3
"""Runs the benchmark of gradients: ours and its peers, in turn, for several rounds.

Each library is a process of its own (library.py; ../common/libraries.py says where they live). In
a round every library does a row before anybody does the next; the value of a row is the best of
all rounds. Before a row is timed all gradients are compared: who computes something else is not
timed.

Prints a table and writes a JSON list of {"name", "unit", "ours", "peers", "target"}. The exit
status is 1 if the operations of ours that were pushed and executed differ."""

import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(HERE))

from common.environment import processor_seconds  # noqa: E402
from common.libraries import find_pythons, make_programs, parse_options  # noqa: E402
from common.program import COMPILE_S  # noqa: E402
from common.report import OURS, Table, disturbance, selected, write_json  # noqa: E402
from common.rounds import run_rounds, unequal_counts  # noqa: E402
from rows import PEERS, all_rows  # noqa: E402


def main():
    options = parse_options(__doc__.splitlines()[0], "build/bench/autograd.json")
    rounds = options.rounds or (1 if options.quick else 5)
    rows = selected(all_rows(), options.only)
    with tempfile.TemporaryDirectory(prefix="bench-autograd-") as scratch:
        programs = make_programs(options, scratch, os.path.join(HERE, "library.py"),
                                 find_pythons(options, PEERS))
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
