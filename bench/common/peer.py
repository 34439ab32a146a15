#!/usr/bin/env python3
"""One library in a benchmark, called from Python: `peer.py numpy|torch|torch_compile|…`.

Answers the same commands as ../ops/ops.c, by the same rules; a row that fails is answered with "-"
and the reason. A library is a module peer_<name>.py with a statement for each kind of row, which
binds `y`; timeit runs it, so that a call costs what it costs in a plain Python loop. Some have a
second way, named behind an underscore, such as compilation. What no single statement can measure is
in scenarios.py.

A row is named KIND.SHAPE.DTYPE, and .CLASS for an array of a class other than the library's own."""

import importlib
import timeit

import inputs
import protocol
import scenarios
from protocol import Absent

BURST = 10000
SAMPLES_MIN = 3
SAMPLE_S = 2e-4
LONG_S = 1.0  # a call that takes longer is timed twice and no more


def best_s(timer, seconds):
    """Of one run. A sample is so many runs that the clock does not matter."""
    runs = 1
    cold = timer.timeit(1)
    if cold > LONG_S:
        return min(cold, timer.timeit(1))
    while timer.timeit(runs) < SAMPLE_S:
        runs *= 2
    end = timeit.default_timer() + seconds
    samples = []
    while len(samples) < SAMPLES_MIN or timeit.default_timer() < end:
        samples.append(timer.timeit(runs))
    return min(samples) / runs


class Case:
    """A row made ready: its statement, and what that refers to."""

    def __init__(self, peer, way, row):
        self.kind, shape, dtype, *classes = row.split(".")
        self.peer = peer
        every, waits = peer.statements(way)
        self.scenario = None if way else scenarios.of(peer).get(self.kind)
        if self.kind not in every and not self.scenario:
            raise Absent
        shape = tuple(int(n) for n in shape.split("x"))
        self.names = dict(peer.NAMES, shape=shape, burst=BURST)
        self.names["x"] = self.array(shape, dtype, 0, *classes)
        if self.kind == "matmul":
            self.names["b"] = self.array(shape, dtype, 1)
        if self.kind == "mask":
            self.names["mask"] = peer.array(inputs.mask(shape))
        self.statement = "\n".join(filter(None, (every.get(self.kind), waits.get(self.kind))))

    def array(self, shape, dtype, which, name=None):
        made = self.peer.array(inputs.make(self.kind, shape, dtype, which))
        if name is None:
            return made
        convert = getattr(self.peer, "CLASSES", {}).get(name)
        if convert is None:
            raise Absent
        return convert(made)

    def is_burst(self):
        """Whether the value is for one operation of many."""
        return "burst" in self.statement

    def check(self):
        if self.scenario or self.is_burst():
            raise Absent
        exec(self.statement, self.names)
        y = self.names["y"]
        return inputs.digest(self.kind, y if isinstance(y, float) else self.peer.values(y))

    def time(self, seconds):
        """Microseconds of one operation: the best of as many samples as there is time for. A
        scenario gives a value in the row's own unit."""
        if self.scenario:
            return self.scenario(self.peer, self.names["x"], seconds)
        one = best_s(timeit.Timer(self.statement, globals=self.names), seconds)
        return one * 1e6 / (BURST if self.is_burst() else 1)


def answer(peer, way, seconds, words):
    if words == ["about"]:
        return "about " + peer.about(way)
    if words == ["counts"]:
        return "counts {} {}".format(*peer.counts())
    command, row = words

    def measure():
        case = Case(peer, way, row)
        return case.check() if command == "check" else case.time(seconds)

    return protocol.answer(row, measure)


def make_answer(name, seconds):
    module, _, way = name.partition("_")
    peer = importlib.import_module("peer_" + module)
    return lambda words: answer(peer, way, seconds, words)


def main():
    protocol.serve_library(__doc__, make_answer)


if __name__ == "__main__":
    main()
