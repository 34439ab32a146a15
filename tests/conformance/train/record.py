"""Records PyTorch's answers, so that ours can be held against them where it is not.

    PYTHONPATH=tests/conformance build/conformance/torch/bin/python -m train.record [family ...]

writes vectors/train_<family>.json.gz: a case a line, with its inputs."""

import argparse
import sys

import record

from . import answers


def recorded(case):
    return {
        "name": case.name,
        "inputs": {k: answers.packed(v) for k, v in case.inputs.items()},
        "answer": {k: answers.packed(v) for k, v in answers.of_torch(case).items()},
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("families", nargs="*", default=answers.family_names())
    parser.add_argument("--out", default=record.VECTORS, metavar="FOLDER")
    options = parser.parse_args()
    record.VECTORS = options.out
    for family in options.families:
        record.write(f"train_{family}", [recorded(case) for case in answers.cases_of(family)])


if __name__ == "__main__":
    sys.exit(main())
