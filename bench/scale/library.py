#!/usr/bin/env python3
"""One library in the scaling benchmark: `library.py penstock|numpy|torch|torch_compile|jax`. Answers a
line for each question: `about`, `check ROW`, `time ROW`, and `counts` for ours
(../common/program.py)."""

import argparse
import importlib
import os
import sys

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path += [BENCH, os.path.join(BENCH, "common")]

import cases  # noqa: E402
import protocol  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--seconds", type=float, default=0.2)
    options = parser.parse_args()
    answers = protocol.claim_output()
    name, _, way = options.library.partition("_")
    peer = cases.Peer(importlib.import_module("peer_" + name), way)
    given = (peer, cases.Case, options.seconds)
    protocol.serve(answers, lambda words: protocol.answer_about(*given, words))


if __name__ == "__main__":
    main()
