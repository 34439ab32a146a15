#!/usr/bin/env python3
"""Makes the recorded vectors of torch: what the real PyTorch 2.15.0 answers to some of the random
programs, so that they can be replayed where it is not installed (test_torch_vectors.py).

    build/venv/bin/python tests/conformance/record_torch.py

writes vectors/torch_programs.json.gz: a program and its answer a line. Programs that end its
process, or to which it gives two answers, are left out."""

import argparse
import sys

from dialect_programs.recorded import record
from torch_programs.dialect import TORCH


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--real", default="build/conformance/torch/bin/python", metavar="PYTHON")
    parser.add_argument("--count", type=int, default=50, help="programs of each family")
    options = parser.parse_args()
    record(TORCH, options.real, options.count)


if __name__ == "__main__":
    sys.exit(main())
