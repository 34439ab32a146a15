#!/usr/bin/env python3
"""Makes the recorded vectors of torch: what the real PyTorch 2.15.0 answers to some of the random
programs, so that they can be replayed where it is not installed (test_torch_vectors.py).

    build/venv/bin/python tests/conformance/record_torch.py

writes vectors/torch_programs.json.gz: a program and its answer a line. Programs that end its
process, or to which it gives two answers, are left out."""

import argparse
import sys

from libraries import CRASHED
from record import write
from torch_programs import run
from torch_programs.compare import compare
from torch_programs.families import FAMILIES, programs

LONGEST = 4000  # characters of a program


def recorded(real, found):
    """Pairs of a program and its answer."""
    for program in found:
        if sum(map(len, program["steps"])) > LONGEST:
            continue
        answer, again = real.run(program), real.run(program)
        if CRASHED not in (answer, again) and not compare(program, answer, again):
            yield {"program": program, "answer": answer}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--real", default="build/conformance/torch/bin/python", metavar="PYTHON")
    parser.add_argument("--count", type=int, default=50, help="programs of each family")
    options = parser.parse_args()
    real = run.real_library(options.real)
    run.check(real)
    chosen = (one for name in FAMILIES for one in programs(0, options.count, [name]))
    write("torch_programs", recorded(real, chosen))
    real.stop()


if __name__ == "__main__":
    sys.exit(main())
