#!/usr/bin/env python3
"""One library in the benchmark of gradients: `library.py penstock|torch|jax|jax_jit|mxnet`. Answers a
line for each question: `about`, `check ROW`, `time ROW`, and `counts` for ours
(../common/program.py)."""

import importlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "common")]

import cases  # noqa: E402
import protocol  # noqa: E402


def make_answer(name, seconds):
    given = (importlib.import_module("library_" + name), cases.make, seconds)
    return lambda words: protocol.answer_about(*given, words)


def main():
    protocol.serve_library(__doc__, make_answer)


if __name__ == "__main__":
    main()
