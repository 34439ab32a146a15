"""Thousands of random programs on penstock.paddle and on PaddlePaddle 3.3.1: see
dialect_programs/run.py.

    PYTHONPATH=tests/conformance build/venv/bin/python -m paddle_programs.run --real PYTHON
"""

import sys

from dialect_programs.run import main

from .dialect import PADDLE

if __name__ == "__main__":
    sys.exit(main(PADDLE))
