"""Writes vectors/torch_files.json.gz: files that the real PyTorch 2.15.0 wrote, and their values.

    python record_torch_files.py
    python record_torch_files.py --read FOLDER

in an environment that has PyTorch 2.15.0. The second reads the files of a folder, which
`torch_files_written.py FOLDER` wrote with Penstock, and compares them with what the real one makes.
"""

import base64
import gzip
import io
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import torch_files  # noqa: E402


def record():
    import torch

    found = []
    for name, way in torch_files.rows():
        data = torch_files.written(torch, name, way)
        value = torch.load(io.BytesIO(data), weights_only=False)
        shown = torch_files.described(torch, value)
        found.append([name, way, base64.b64encode(data).decode(), shown])
    text = "[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in found) + "\n]\n"
    path = HERE / "vectors" / "torch_files.json.gz"
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{len(found)} files")


def compare(folder):
    import torch

    wrong = count = 0
    for path in sorted(folder.glob("*.pt")):
        name, _, way = path.stem.partition("+")
        weights = way in ("protocol 2", "plain") and name not in torch_files.NOT_WEIGHTS
        value = torch.load(path, weights_only=weights)
        expected = torch_files.written(torch, name, "protocol 2")
        expected = torch.load(io.BytesIO(expected), weights_only=False)
        shown = [torch_files.described(torch, one) for one in (value, expected)]
        count += 1
        if shown[0] != shown[1]:
            wrong += 1
            print(path.name, *shown, sep="\n  ")
    print(f"{count} files, {wrong} differ")
    return wrong


if __name__ == "__main__":
    if sys.argv[1:2] == ["--read"]:
        sys.exit(compare(pathlib.Path(sys.argv[2])) != 0)
    record()
