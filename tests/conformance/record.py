#!/usr/bin/env python3
"""Makes the recorded vectors: what the real MXNet 1.9.1 answers to the facts and to some random
programs, so that they can be replayed where it is not installed (test_mxnet_vectors.py).

    build/venv/bin/python tests/conformance/record.py

writes vectors/facts.json.gz, nd.json.gz and np.json.gz: a program and its answer a line. Programs
that end its process, or to which it gives two answers, are left out."""

import argparse
import gzip
import json
import os
import sys

import facts
from compare import compare
from libraries import CRASHED, Library
from programs import make_program

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "vectors")


def recorded(real, programs):
    """Pairs of a program and its answer."""
    for program in programs:
        answer, again = real.run(program), real.run(program)
        if CRASHED not in (answer, again) and not compare(program, answer, again):
            yield {"program": program, "answer": answer}


def write(name, lines):
    path = os.path.join(VECTORS, name + ".json.gz")
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as out:
        out.write(text.encode())
    print(f"{path}: {text.count(chr(10))} programs, {os.path.getsize(path)} bytes")


def read(name):
    """The pairs of a file."""
    with gzip.open(os.path.join(VECTORS, name + ".json.gz"), "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--real", default="build/conformance/venv/bin/python", metavar="PYTHON")
    parser.add_argument("--count", type=int, default=450, help="random programs for nd, and for np")
    options = parser.parse_args()
    real = Library("real", options.real)
    write("facts", recorded(real, facts.programs()))
    for dialect in ("nd", "np"):
        programs = (make_program(seed, dialect) for seed in range(options.count))
        write(dialect, recorded(real, programs))
    real.stop()


if __name__ == "__main__":
    sys.exit(main())
