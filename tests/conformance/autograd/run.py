"""Thousands of random programs with gradients on penstock and on PyTorch: the same answers.

    PYTHONPATH=tests/conformance build/venv/bin/python -m autograd.run --real PYTHON

The seeds are printed. A program whose answers differ is made as small as it can be and printed as
one that can be run; the exit status is 1 then."""

import argparse
import random
import sys

from libraries import CRASHED, Library

from .compare import differ, shrink
from .programs import make_program
from .rows import listing

CRASH = {"error": "its process ended, or cannot be started", "at": "?"}


def libraries(options):
    """PyTorch's process and ours."""
    return (
        Library("real", options.real, program=["-m", "autograd.reference"]),
        Library("ours", sys.executable, package=options.package, program=["-m", "autograd.ours"]),
    )


class Both:
    """Runs programs in both."""

    def __init__(self, real, ours):
        self.real, self.ours = real, ours
        self.programs = self.steps = 0
        self.found = []  # programs whose answers differ

    def differ(self, program):
        wanted, found = (
            CRASH if answer == CRASHED else answer
            for answer in (self.real.run(program), self.ours.run(program))
        )
        return differ(program, wanted, found)

    def add(self, program):
        self.programs += 1
        self.steps += len(program["steps"])
        if self.differ(program):
            self.found.append(program)

    def show(self, program):
        small = shrink(program, self.differ)
        print(f"\nseed {program['seed']}: {self.differ(small)}\n\n{listing(small)}", flush=True)

    def stop(self):
        self.real.stop()
        self.ours.stop()


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--real", default="build/conformance/torch/bin/python", metavar="PYTHON")
    parser.add_argument("--package", default="build/release/python", metavar="FOLDER")
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, help="where they begin; default: any")
    parser.add_argument("--shown", type=int, default=10, help="programs to show that differ")
    return parser.parse_args()


def main():
    options = parse_options()
    seed = random.randrange(10**6) * 10000 if options.seed is None else options.seed
    print(f"programs from seed {seed}: --seed {seed} repeats them", flush=True)
    both = Both(*libraries(options))
    if trouble := both.differ({"close": 0.0, "steps": [], "read": []}):
        sys.exit(trouble)
    for number in range(options.count):
        both.add(make_program(seed + number))
    print(f"{both.programs} programs, {both.steps} steps: {len(both.found)} differ", flush=True)
    for program in both.found[: options.shown]:
        both.show(program)
    both.stop()
    return 1 if both.found else 0


if __name__ == "__main__":
    sys.exit(main())
