"""Writes vectors/nd_expressions.json.gz: what nd_expressions.txt gives in the real MXNet 1.9.1.

    python record_expressions.py

in an environment that has MXNet 1.9.1 and numpy < 1.24.
"""

import gzip
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import expressions  # noqa: E402


def recorded(seen, text):
    """What an expression gives. Errors that nobody saw must not be taken for the next one's."""
    import mxnet

    found = seen(mxnet, text)
    try:
        mxnet.nd.waitall()
    except Exception:
        pass
    return found


def write(name, texts, seen):
    """Writes what expressions give into the file of vectors of this name."""
    rows = [[text, recorded(seen, text)] for text in texts]
    lines = ",\n".join(json.dumps(row) for row in rows)
    data = gzip.compress(f"[\n{lines}\n]\n".encode(), mtime=0)
    (HERE / "vectors" / f"{name}.json.gz").write_bytes(data)
    print(f"{len(rows)} expressions, {len(data)} bytes")


if __name__ == "__main__":
    write("nd_expressions", expressions.expressions(), expressions.seen)
