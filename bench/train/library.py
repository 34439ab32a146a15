#!/usr/bin/env python3
"""One library in the benchmark of training: `library.py penstock|torch|torch_compile|...`.

Answers a line for each question: `about`, `check ROW`, `time ROW`, and `counts` for ours
(../common/program.py). With --memory it answers none of these: see memory.py."""

import argparse
import importlib
import os
import sys

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path += [BENCH, os.path.join(BENCH, "common"), os.path.join(BENCH, "autograd")]

import cases  # noqa: E402
import memory  # noqa: E402
import protocol  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--memory", metavar="ROW", help="how far memory grows, in MB, and end")
    parser.add_argument("--batches", type=int, default=10)
    options = parser.parse_args()
    answers = protocol.claim_output()
    library = importlib.import_module("train_" + options.library)
    if options.memory:
        print(memory.growth(cases.make(library, options.memory), options.batches), file=answers)
        return
    given = (library, cases.make, options.seconds)
    protocol.serve(answers, lambda words: protocol.answer_about(*given, words))


if __name__ == "__main__":
    main()
