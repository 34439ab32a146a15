"""Writes vectors/np_expressions.json.gz: what np_expressions.txt gives in the real MXNet 1.9.1.

    python record_np_expressions.py

in an environment that has MXNet 1.9.1 and numpy < 1.24.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import np_expressions  # noqa: E402
import record_expressions  # noqa: E402

if __name__ == "__main__":
    record_expressions.write("np_expressions", np_expressions.lines(), np_expressions.seen)
