"""Records what PyTorch makes of some programs, so that they can be replayed where it is not.

    PYTHONPATH=tests/conformance build/venv/bin/python -m autograd.record --real PYTHON

writes vectors/autograd.json.gz: a program and its answer a line. Of each program the gradients are
kept, and the arrays that it made last."""

import argparse
import sys

import record
from libraries import Library

from .programs import make_program
from .rows import targets_of

LAST = 3  # arrays of a program besides gradients
DIGITS = 11  # of a number: more than are compared


def shortened(program):
    """Only what tells most is read."""
    gradients = [
        name
        for step in program["steps"]
        if step["do"] in ("grad_of", "grad")
        for name in targets_of(step)
    ]
    others = [name for name in program["read"] if name not in gradients]
    return dict(program, read=gradients + others[-LAST:])


def rounded(answer):
    for array in answer["arrays"].values():
        if array["dtype"].startswith("float"):
            array["data"] = [float(f"{value:.{DIGITS}g}") for value in array["data"]]
    return answer


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--real", default="build/conformance/torch/bin/python", metavar="PYTHON")
    parser.add_argument("--count", type=int, default=400)
    options = parser.parse_args()
    real = Library("real", options.real, program=["-m", "autograd.reference"])
    programs = [shortened(make_program(seed)) for seed in range(options.count)]
    pairs = [{"program": p, "answer": rounded(real.run(p))} for p in programs]
    record.write("autograd", pairs)
    real.stop()


if __name__ == "__main__":
    sys.exit(main())
