#!/usr/bin/env python3
"""Runs the cases of torch_nn/cases.py in the real PyTorch and in ours, and tells where they differ.

    export PYTHONPATH=build/release/python
    build/venv/bin/python tests/conformance/compare_torch_layers.py"""

import argparse
import collections
import json
import os
import subprocess
import sys

from torch_nn import runner


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--real", default="build/conformance/torch/bin/python", metavar="PYTHON")
    options = parser.parse_args()
    from penstock import torch

    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "record_torch_layers.py")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    real = subprocess.Popen(
        [options.real, script, "--whole"], stdout=subprocess.PIPE, text=True, env=environment
    )
    count, different = collections.Counter(), 0
    for line in real.stdout:
        case, answer = json.loads(line)
        count[case["family"]] += 1
        how = runner.difference(answer, runner.run(torch, case))
        if how:
            different += 1
            print(f"{case['make']} {case['inputs']} {case['mode']}\n    {how}")
    print(f"{sum(count.values())} cases, {different} differ: {dict(count)}")
    return real.wait() or different != 0


if __name__ == "__main__":
    sys.exit(main())
