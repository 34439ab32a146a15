"""What training is made of, on penstock and on PyTorch: the same answers.

    PYTHONPATH=tests/conformance build/venv/bin/python -m train.run --real PYTHON

The exit status is 1 if some differ."""

import argparse
import os
import subprocess
import sys
import tempfile

import record

from . import answers


def differences(family):
    """Texts on the cases of a family whose recorded answers differ from ours, and their number."""
    recorded = {line["name"]: line for line in record.read(f"train_{family}")}
    cases = answers.cases_of(family)
    if sorted(recorded) != sorted(case.name for case in cases):
        return [f"{family}: not the cases that were recorded: make record-train"], len(cases)
    found = []
    for case in cases:
        line = recorded[case.name]
        wanted, inputs = (
            {name: answers.unpacked(array) for name, array in line[part].items()}
            for part in ("answer", "inputs")
        )
        found.append(answers.difference(case, wanted, answers.of_ours(case, inputs)))
    return [text for text in found if text], len(cases)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--real", default="build/conformance/torch/bin/python", metavar="PYTHON")
    parser.add_argument("--package", default="build/release/python", metavar="FOLDER")
    options = parser.parse_args()
    sys.path.insert(0, os.path.abspath(options.package))
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([options.real, "-m", "train.record", "--out", folder], check=True)
        record.VECTORS = folder
        for family in answers.family_names():
            texts, count = differences(family)
            failed |= bool(texts)
            print(f"{family}: {len(texts)} of {count} cases differ", *texts, sep="\n    ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
