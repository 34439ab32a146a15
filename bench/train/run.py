#!/usr/bin/env python3
"""Runs the benchmark of training: ours and its peers, in turn, for several rounds.

Each library is a process of its own (library.py; ../common/libraries.py says where they live). In a
round every library does a row before anybody does the next; the value of a row is the best of all
rounds. Before a row is timed all results are compared: who computes something else is not timed.
How far memory grows is another benchmark, --memory: in processes by themselves, for several numbers
of batches, and as a picture beside the JSON file.

Prints a table and writes a JSON list of {"name", "unit", "ours", "peers", "target"}. The exit status is 1 if the operations of ours that were pushed
and executed differ."""

import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(HERE))

import memory  # noqa: E402
from common.environment import processor_seconds  # noqa: E402
from common.libraries import (  # noqa: E402
    environment_of, find_pythons, make_programs, parse_options)
from common.program import COMPILE_S  # noqa: E402
from common.report import OURS, Table, disturbance, progress, selected, write_json  # noqa: E402
from common.rounds import run_rounds, unequal_counts  # noqa: E402
from rows import (  # noqa: E402
    MEMORY_COUNTS, MEMORY_PEERS, PEERS, MemoryRow, all_rows)

SCRIPT = os.path.join(HERE, "library.py")


def memory_rows(options, scratch, pythons):
    """A row for each number of batches, and the growth of each library by name."""
    counts = MEMORY_COUNTS[:1] if options.quick else MEMORY_COUNTS

    def grown(name, kind, batches):
        progress(f"memory: {name}, {kind}, {batches} batches")
        return memory.measure(pythons[name], SCRIPT, name, kind, batches,
                              environment_of(name, options, scratch))

    waits = grown(OURS, "mlp_waits", counts[0])
    rows = [MemoryRow(batches, waits) for batches in counts]
    curves = {f"{OURS}, waiting for each": [waits] * len(counts)}
    for name in pythons:
        most = counts[-1] if name == OURS else MEMORY_PEERS
        curves[name] = [grown(name, "mlp", count) if count <= most else None for count in counts]
        for row, value in zip(rows, curves[name]):
            if value is not None:
                row.add(name, value)
    progress("")
    return rows, curves


def measure(options, scratch, rows):
    """The rows with their values, the names of the peers, and notes."""
    pythons = find_pythons(options, PEERS)
    programs = make_programs(options, scratch, SCRIPT, pythons)
    for program in programs:
        print(program.about(), flush=True)
    before = processor_seconds()
    run_rounds(programs, rows, options.rounds or (1 if options.quick else 5), COMPILE_S)
    wrong = unequal_counts(programs[0])
    for program in programs:
        program.stop()
    used = [b - a for a, b in zip(before, processor_seconds())]
    notes = [n for p in programs for n in p.notes] + wrong + disturbance(*used)
    return rows, [name for name in pythons if name != OURS], notes, wrong


def measure_memory(options, scratch):
    """The same of memory, and the picture."""
    pythons = find_pythons(options, PEERS)
    rows, curves = memory_rows(options, scratch, pythons)
    picture = os.path.splitext(options.output)[0] + ".svg"
    memory.draw(picture, [row.batches for row in rows], curves)
    return rows, [name for name in pythons if name != OURS], [], []


def main():
    options = parse_options(__doc__.splitlines()[0], "build/bench/train.json",
                            memory="how far memory grows, instead")
    with tempfile.TemporaryDirectory(prefix="bench-train-") as scratch:
        if options.memory:
            rows, peers, notes, wrong = measure_memory(options, scratch)
        else:
            rows, peers, notes, wrong = measure(options, scratch,
                                                selected(all_rows(), options.only))
    print("\nTraining: " + ("growth of memory" if options.memory else
                             "a step, the best of all rounds") + "\n")
    table = Table(rows, peers)
    table.print(options.markdown)
    table.print_summary(notes)
    write_json(options.output, [row.json(OURS, PEERS) for row in rows])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
