#!/usr/bin/env python3
"""One library in the benchmark of gradients: `library.py penstock|torch|jax|jax_jit|mxnet`. Answers a
line for each question: `about`, `check ROW`, `time ROW`, and `counts` for ours
(../common/program.py)."""

import argparse
import importlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "common")]

import cases  # noqa: E402
import protocol  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--seconds", type=float, default=0.2)
    options = parser.parse_args()
    answers = protocol.claim_output()
    library = importlib.import_module("library_" + options.library)
    given = (library, cases.make, options.seconds)
    protocol.serve(answers, lambda words: protocol.answer_about(*given, words))


if __name__ == "__main__":
    main()
