#!/usr/bin/env python3
"""Runs the benchmark of small operations and of training through the MXNet dialects against the
real MXNet 1.9.1.

Each library is a process of its own (library.py) that runs the same statements (rows.py); the real
one in the environment that `make conformance` makes. In a round both do a row before the next row
is done; the value of a row is the best of all rounds. Both must compute the same.

Prints a table and writes a JSON list of {"name", "unit", "ours", "peers", "target", "met"}: the
target is a thirtieth of MXNet's time, a tenth where a call is made of several operations or a step
is small, half of it in the chapter's training and two thirds for images. The exit status is 1 if a
target is missed, or if the operations of ours that were pushed and executed differ."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(HERE))

from common.pair import Pair  # noqa: E402
from rows import PEER, all_rows  # noqa: E402

PAIR = Pair(HERE, "Small operations and training as MXNet's", PEER, "MXNet 1.9.1",
            "build/conformance/venv/bin/python", "build/bench/mxnet.json", ("MXNET_",))

if __name__ == "__main__":
    sys.exit(PAIR.run(__doc__.splitlines()[0], all_rows()))
