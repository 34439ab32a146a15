"""Writes vectors/mxnet_optimizers.json.gz: steps of the optimisers of the real MXNet 1.9.1.

    python record_mxnet_optimizers.py

in an environment that has MXNet 1.9.1 and numpy < 1.24.
"""

import gzip
import json
import pathlib
import sys
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import mxnet_optimizers  # noqa: E402


def main():
    import mxnet

    warnings.simplefilter("ignore")
    rows = [[*case, mxnet_optimizers.answer(mxnet, *case)] for case in mxnet_optimizers.cases()]
    text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    path = HERE / "vectors" / "mxnet_optimizers.json.gz"
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as out:
        out.write(text.encode())
    print(f"{len(rows)} cases, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
