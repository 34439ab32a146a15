"""Writes vectors/torchvision.json.gz: values of expressions by the real torchvision 0.29.2.

    python record_torchvision.py

in an environment that has it, with PyTorch 2.15.0 and Pillow.
"""

import gzip
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import torchvision_cases  # noqa: E402


def main():
    import torchvision

    assert torchvision.__version__.startswith("0.29.2"), torchvision.__version__
    found = torchvision_cases.names()
    rows = [[one, torchvision_cases.value_of(one, found)] for one in torchvision_cases.EXPRESSIONS]
    text = "[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]\n"
    path = HERE / "vectors" / "torchvision.json.gz"
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{len(rows)} values")


if __name__ == "__main__":
    main()
