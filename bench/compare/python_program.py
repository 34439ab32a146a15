#!/usr/bin/env python3
"""Runs the rows of statements.py: answers `about` and `time ROW` (../common/program.py) with the
package penstock that PYTHONPATH says."""

import argparse
import os
import sys
import timeit

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(BENCH, "common"))

import penstock as ps  # noqa: E402
import protocol  # noqa: E402
from peer import best_s  # noqa: E402
from statements import KINDS  # noqa: E402

BURST = 1000


def names_for(shape):
    """Numbers between 0.5 and 1.5, so that powers and products stay finite."""
    x, z = (ps.random.uniform(0.5, 1.5, shape) for _ in range(2))
    names = {"ps": ps, "x": x, "z": z, "out": ps.zeros(shape), "number": ps.zeros(()),
             "i": ps.arange(0, shape[0], 2), "mask": x > z, "box": [z], "burst": BURST}
    exec("def f(): x + 1\ndef g(): x + 1", names)
    ps.waitall()
    return names


def code_for(kind):
    """What is timed, and how many operations that is."""
    statement, burst = KINDS[kind]
    if burst:
        return f"for _ in range(burst): {statement}\nps.waitall()", BURST
    return statement + ("" if burst is None else "\ny.wait_to_read()"), 1


def answer(seconds, words):
    if words == ["about"]:
        return f"about Penstock {ps.__version__}, {ps.engine.workers()} workers"
    row = words[1]
    kind, shape = row.split(".")
    code, operations = code_for(kind)

    def measure():  # what this version of the package cannot do leaves out this row
        names = names_for(tuple(int(n) for n in shape.split("x")))
        return best_s(timeit.Timer(code, globals=names), seconds) * 1e6 / operations

    return protocol.answer(row, measure)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.2)
    options = parser.parse_args()
    protocol.serve(protocol.claim_output(), lambda words: answer(options.seconds, words))


if __name__ == "__main__":
    main()
