"""Writes vectors/np_expressions.json.gz: what np_expressions.txt gives in the real MXNet 1.9.1.

    python record_np_expressions.py

in an environment that has MXNet 1.9.1 and numpy < 1.24.
"""

import gzip
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import np_expressions  # noqa: E402


def main():
    import mxnet

    rows = [[text, np_expressions.seen(mxnet, text)] for text in np_expressions.lines()]
    text = ",\n".join(json.dumps(row) for row in rows)
    data = gzip.compress(f"[\n{text}\n]\n".encode(), mtime=0)
    (HERE / "vectors" / "np_expressions.json.gz").write_bytes(data)
    print(f"{len(rows)} expressions, {len(data)} bytes")


if __name__ == "__main__":
    main()
