"""Writes vectors/mxnet_metrics.json: what metrics of the real MXNet 1.9.1 tell.

    python record_mxnet_metrics.py

in an environment that has MXNet 1.9.1 and numpy < 1.24.
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import mxnet_metrics  # noqa: E402


def main():
    import mxnet

    rows = [[*case, mxnet_metrics.answer(mxnet, *case)] for case in mxnet_metrics.CASES]
    text = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    (HERE / "vectors" / "mxnet_metrics.json").write_text(f"[\n{text}\n]\n")
    print(f"{len(rows)} cases")


if __name__ == "__main__":
    main()
