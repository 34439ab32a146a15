"""Writes vectors/torch_views.json: which forms share elements in the real PyTorch 2.15.0.

    python record_torch_views.py

in an environment that has PyTorch 2.15.0 and NumPy.
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import torch_views  # noqa: E402


def main():
    import torch

    if torch.__version__.partition("+")[0] != "2.15.0":
        raise SystemExit(f"PyTorch 2.15.0 is needed, not {torch.__version__}")
    rows = [[*form, torch_views.seen(torch, *form)] for form in torch_views.forms()]
    text = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    (HERE / "vectors" / "torch_views.json").write_text(f"[\n{text}\n]\n")
    print(f"{len(rows)} forms")


if __name__ == "__main__":
    main()
