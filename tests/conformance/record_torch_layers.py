#!/usr/bin/env python3
"""Makes vectors/torch_layers.json.gz: what the real PyTorch answers to the cases of
torch_nn/cases.py, so that they can be replayed where it is not installed (test_torch_layers.py).
Run by a Python that has it:

    build/conformance/torch/bin/python tests/conformance/record_torch_layers.py

A line is a case and its answer; of larger tensors the answer has sums. With --whole the lines go to
the standard output, with all elements, for compare_torch_layers.py."""

import argparse
import gzip
import json
import os
import sys

from torch_nn import cases, runner

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "vectors", "torch_layers.json.gz")


def shortened(answer):
    """An answer with summaries of its tensors."""
    if "error" in answer:
        return {"error": answer["error"]}
    tensors = [
        [label, dtype, shape, [float(f"{one:.7g}") for one in runner.summary(values)]]
        for label, dtype, shape, values in answer["tensors"]
    ]
    return {"tensors": tensors}


def read():
    """Pairs of a case and its recorded answer."""
    with gzip.open(FILE, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def write(lines):
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    with open(FILE, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as out:
        out.write(text.encode())
    print(f"{FILE}: {len(lines)} cases, {os.path.getsize(FILE)} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--whole", action="store_true", help="to the standard output, all elements")
    options = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    answers = ([case, runner.run(torch, case)] for case in cases.all_cases())
    if options.whole:
        for case, answer in answers:
            print(json.dumps([case, answer]))
    else:
        write([[case, shortened(answer)] for case, answer in answers])


if __name__ == "__main__":
    sys.exit(main())
