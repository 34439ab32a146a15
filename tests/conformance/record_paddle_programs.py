#!/usr/bin/env python3
"""Makes the recorded vectors of Paddle's programs: what the real PaddlePaddle 3.3.1 answers to some of
the random programs, so that they can be replayed where it is not installed
(test_paddle_programs.py).

    build/venv/bin/python tests/conformance/record_paddle_programs.py

writes vectors/paddle_programs.json.gz: a program and its answer a line. Programs that end its
process, or to which it gives two answers, are left out."""

import argparse
import sys

from dialect_programs.recorded import record
from paddle_programs.dialect import PADDLE


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--real", default="build/conformance/paddle/bin/python", metavar="PYTHON")
    parser.add_argument("--count", type=int, default=30, help="programs of each family")
    options = parser.parse_args()
    record(PADDLE, options.real, options.count)


if __name__ == "__main__":
    sys.exit(main())
