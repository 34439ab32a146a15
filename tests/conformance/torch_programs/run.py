"""Thousands of random programs on penstock.torch and on PyTorch 2.15.0: see dialect_programs/run.py.

    PYTHONPATH=tests/conformance build/venv/bin/python -m torch_programs.run --real PYTHON
"""

import sys

from dialect_programs.run import main

from .dialect import TORCH

if __name__ == "__main__":
    sys.exit(main(TORCH))
