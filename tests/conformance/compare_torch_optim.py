#!/usr/bin/env python3
"""Runs the cases of torch_optimizers.py, twenty steps each, and of torch_schedulers.py in the real
PyTorch and in ours, and tells where they differ.

    export PYTHONPATH=build/release/python
    build/venv/bin/python tests/conformance/compare_torch_optim.py"""

import argparse
import collections
import json
import math
import os
import subprocess
import sys
import warnings

import record_torch_optim


def near(wanted, found, relative, absolute):
    """Whether two answers are the same, numbers nearly."""
    if isinstance(wanted, dict):
        return list(wanted) == list(found) and near(
            list(wanted.values()), list(found.values()), relative, absolute
        )
    if isinstance(wanted, (list, tuple)):
        return len(wanted) == len(found) and all(
            near(a, b, relative, absolute) for a, b in zip(wanted, found)
        )
    if isinstance(wanted, float) and isinstance(found, (int, float)):
        same = math.isnan(wanted) and math.isnan(found)
        return same or math.isclose(wanted, found, rel_tol=relative, abs_tol=absolute)
    return wanted == found


def differs(torch, kind, case, wanted):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = record_torch_optim.KINDS[kind].answer(torch, *case)
    found = json.loads(json.dumps(found))
    # The real one rounds to 16 bits within a step, ours after it.
    relative, absolute = (0, 0.01) if "float16" in case else (1e-5, 5e-7)
    return None if near(wanted, found, relative, absolute) else found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--real", default="build/conformance/torch/bin/python", metavar="PYTHON")
    options = parser.parse_args()
    from penstock import torch

    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    real = subprocess.Popen(
        [options.real, record_torch_optim.__file__, "--whole"],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    count, different = collections.Counter(), 0
    for line in real.stdout:
        kind, case, wanted = json.loads(line)
        count[kind] += 1
        found = differs(torch, kind, case, wanted)
        if found is not None:
            different += 1
            print(f"{' '.join(case)}\n    real: {str(wanted)[:300]}\n    ours: {str(found)[:300]}")
    print(f"{sum(count.values())} cases, {different} differ: {dict(count)}")
    return real.wait() or different != 0


if __name__ == "__main__":
    sys.exit(main())
