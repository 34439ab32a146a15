#!/usr/bin/env python3
"""One peer in the benchmark of operations: `peer.py numpy|torch|torch_compile|jax|jax_jit`.

Answers the same commands as ops.c, by the same rules; a row that fails is answered with "-" and
the reason. A peer is a module peer_<name>.py with a statement for each kind of row, which binds
`y`; timeit runs it, so that a call costs what it costs in a plain Python loop. Some have a second
way, named behind an underscore, such as compilation."""

import argparse
import importlib
import os
import sys
import timeit

import inputs

BURST = 10000
SAMPLES_MIN = 3
SAMPLE_S = 2e-4
BURSTS = ("queue", "kept")  # the value is for one operation of many


class Absent(Exception):
    """The peer has no such row."""


class Case:
    """A row made ready: its statement, and what that refers to."""

    def __init__(self, peer, way, row):
        self.kind, shape, dtype = row.split(".")
        self.peer = peer
        every, waits = peer.statements(way)
        if self.kind not in every:
            raise Absent
        shape = tuple(int(n) for n in shape.split("x"))
        self.names = dict(peer.NAMES, shape=shape, burst=BURST)
        self.names["x"] = peer.array(inputs.make(self.kind, shape, dtype, 0))
        if self.kind == "matmul":
            self.names["b"] = peer.array(inputs.make(self.kind, shape, dtype, 1))
        if self.kind == "mask":
            self.names["mask"] = peer.array(inputs.mask(shape))
        self.statement = "\n".join(filter(None, (every[self.kind], waits.get(self.kind))))

    def check(self):
        if self.kind in BURSTS:
            raise Absent
        exec(self.statement, self.names)
        return inputs.digest(self.kind, self.peer.values(self.names["y"]))

    def time(self, seconds):
        """Microseconds of one operation: the best of as many samples as there is time for."""
        timer = timeit.Timer(self.statement, globals=self.names)
        runs = 1
        timer.timeit(1)
        while timer.timeit(runs) < SAMPLE_S:
            runs *= 2
        end = timeit.default_timer() + seconds
        samples = []
        while len(samples) < SAMPLES_MIN or timeit.default_timer() < end:
            samples.append(timer.timeit(runs))
        return min(samples) / runs * 1e6 / (BURST if self.kind in BURSTS else 1)


def answer(peer, way, seconds, words):
    if words == ["about"]:
        return "about " + peer.about(way)
    command, row = words
    try:
        case = Case(peer, way, row)
        value = case.check() if command == "check" else case.time(seconds)
    except Absent:
        return f"{row} -"
    except Exception as error:  # whatever a peer raises leaves out this row and nothing else
        reason = " ".join(str(error).split())[:200]
        return f"{row} - {type(error).__name__}: {reason}"
    return f"{row} {value:.9g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("peer")
    parser.add_argument("--seconds", type=float, default=0.2)
    options = parser.parse_args()
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what a library prints is no answer
    name, _, way = options.peer.partition("_")
    peer = importlib.import_module("peer_" + name)
    for line in sys.stdin:
        print(answer(peer, way, options.seconds, line.split()), file=answers)


if __name__ == "__main__":
    main()
