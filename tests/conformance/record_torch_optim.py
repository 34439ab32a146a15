"""Writes what the optimisers and the schedulers of the real PyTorch 2.15.0 do:
vectors/torch_optimizers.json.gz, torch_optimizer_states.json.gz and torch_schedulers.json.gz.

    python record_torch_optim.py

in an environment that has PyTorch 2.15.0. With --whole lines of a kind, a case and its answer go to
the standard output, for compare_torch_optim.py.
"""

import argparse
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


KINDS = {"optimizers": torch_optimizers, "schedulers": torch_schedulers}


def tell(torch):
    for kind, module in KINDS.items():
        for case in module.cases():
            print(json.dumps([kind, case, module.answer(torch, *case)]), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--whole", action="store_true", help="to the standard output")
    whole = parser.parse_args().whole
    import torch

    warnings.simplefilter("ignore")
    if whole:
        tell(torch)
        return
    write(torch, torch_optimizers.cases(), torch_optimizers.answer, "torch_optimizers.json.gz")
    names = [(name,) for name in torch_optimizers.OF_STATES]
    write(torch, names, torch_optimizers.saved, "torch_optimizer_states.json.gz")
    write(torch, torch_schedulers.cases(), torch_schedulers.answer, "torch_schedulers.json.gz")


if __name__ == "__main__":
    main()
