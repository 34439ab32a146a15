#!/usr/bin/env python3
"""Runs the benchmark of small operations and of a step of training through the torch dialect against
the real PyTorch.

Each library is a process of its own (library.py) that runs the same statements (rows.py); the real
one in the environment that `make conformance` makes. In a round both do a row before the next row
is done; the value of a row is the best of all rounds. Both must compute the same.

Prints a table and writes a JSON list of {"name", "unit", "ours", "peers", "target", "met"}. The exit
status is 1 if a target is missed, or if the operations of ours that were pushed and executed
differ."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(HERE))

from common.pair import Pair  # noqa: E402
from rows import PEER, all_rows  # noqa: E402

PAIR = Pair(HERE, "Small operations and training as PyTorch's", PEER, "PyTorch 2.15.0",
            "build/conformance/torch/bin/python", "build/bench/torch.json")

if __name__ == "__main__":
    sys.exit(PAIR.run(__doc__.splitlines()[0], all_rows()))
