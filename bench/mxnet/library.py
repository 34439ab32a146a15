#!/usr/bin/env python3
"""One library in the benchmark against MXNet: `library.py mxnet|penstock`. Answers a line for each
question: `about`, `check ROW`, `time ROW`, and `counts` for ours (../common/program.py)."""

import os
import sys
import timeit

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "common")]

import numpy  # noqa: E402
import protocol  # noqa: E402
import training  # noqa: E402
from peer import best_s  # noqa: E402
from rows import statement  # noqa: E402

BURST = 2000


def library(name):
    if name == "mxnet":
        import mxnet as mx
        return mx, f"MXNet {mx.__version__}"
    import penstock
    import penstock.mxnet as mx
    return mx, f"Penstock {penstock.__version__} as MXNet, {penstock.engine.workers()} workers"


def names_for(mx, row):
    """What a row's statement sees; np rows run under set_np."""
    dialect = row.partition(".")[0]
    mx.npx.set_np() if dialect == "np" else mx.npx.reset_np()
    made = getattr(mx, dialect)
    return {"mx": mx, dialect: made, "npx": mx.npx, "burst": BURST, "x": made.array([1.5, 2.5]),
            "z": made.array([0.5, 3.0]), "m": made.array([[1.0, 2.0], [3.0, 4.0]])}


def check(mx, row):
    """A number that depends on every element of the result."""
    if row.startswith("train_"):
        return training.make(mx, row).digest()
    names = names_for(mx, row)
    exec(statement(row)[0], names)
    values = numpy.asarray(names["y"].asnumpy(), dtype="float64").ravel()
    return float((values * numpy.arange(1, values.size + 1)).sum())


def time(mx, row, seconds):
    """Microseconds of one operation, or of one step of a loop."""
    if row.startswith("train_"):
        return training.make(mx, row).time(seconds)
    code, burst = statement(row)
    one = best_s(timeit.Timer(code, globals=names_for(mx, row)), seconds)
    return one * 1e6 / (BURST if burst else 1)


def counts():
    import penstock
    penstock.waitall()
    stats = penstock.engine.stats()
    return f"counts {stats.pushed} {stats.executed}"


def answer(mx, about, seconds, words):
    if words == ["about"]:
        return "about " + about
    if words == ["counts"]:
        return counts()
    command, row = words
    return protocol.answer(
        row, lambda: check(mx, row) if command == "check" else time(mx, row, seconds))


def make_answer(name, seconds):
    mx, about = library(name)
    return lambda words: answer(mx, about, seconds, words)


def main():
    protocol.serve_library(__doc__, make_answer)


if __name__ == "__main__":
    main()
