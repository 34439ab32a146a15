"""Writes files with Penstock into a folder, which record_torch_files.py --read then reads."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import torch_files  # noqa: E402


def main(folder):
    from penstock import torch

    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for name, way in torch_files.rows():
        if name not in torch_files.READ_ONLY:
            (folder / f"{name}+{way}.pt").write_bytes(torch_files.written(torch, name, way))
            count += 1
    print(f"{count} files")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
