#!/usr/bin/env python3
"""One library in the scaling benchmark: `library.py penstock|numpy|torch|torch_compile|jax`. Answers a
line for each question: `about`, `check ROW`, `time ROW`, and `counts` for ours
(../common/program.py)."""

import importlib
import os
import sys

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path += [BENCH, os.path.join(BENCH, "common")]

import cases  # noqa: E402
import protocol  # noqa: E402


def make_answer(name, seconds):
    module, _, way = name.partition("_")
    given = (cases.Peer(importlib.import_module("peer_" + module), way), cases.Case, seconds)
    return lambda words: protocol.answer_about(*given, words)


def main():
    protocol.serve_library(__doc__, make_answer)


if __name__ == "__main__":
    main()
