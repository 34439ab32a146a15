"""Writes what the optimisers and the schedulers of the real PyTorch 2.15.0 do:
vectors/torch_optimizers.json.gz, torch_optimizer_states.json.gz and torch_schedulers.json.gz.

    python record_torch_optim.py

in an environment that has PyTorch 2.15.0.
"""

import gzip
import json
import pathlib
import sys
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import torch_optimizers  # noqa: E402
import torch_schedulers  # noqa: E402


def write(torch, cases, answer, name):
    rows = [[*case, answer(torch, *case)] for case in cases]
    text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    path = HERE / "vectors" / name
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as out:
        out.write(text.encode())
    print(f"{name}: {len(rows)} cases, {path.stat().st_size} bytes")


def main():
    import torch

    warnings.simplefilter("ignore")
    write(torch, torch_optimizers.cases(), torch_optimizers.answer, "torch_optimizers.json.gz")
    names = [(name,) for name in torch_optimizers.OF_STATES]
    write(torch, names, torch_optimizers.saved, "torch_optimizer_states.json.gz")
    write(torch, torch_schedulers.cases(), torch_schedulers.answer, "torch_schedulers.json.gz")


if __name__ == "__main__":
    main()
