"""Writes vectors/torch_pictures.json: pictures that the real PyTorch 2.15.0 resized and turned.

    python record_torch_pictures.py

in an environment that has PyTorch 2.15.0. torchvision resizes tensors by interpolate, and turns them
by affine_grid and grid_sample.
"""

import json
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import torch_pictures  # noqa: E402


def resized(torch, mode, smooth, height, width, *wanted):
    x = torch.tensor([torch_pictures.picture(height, width)])
    corners = {} if mode.startswith("nearest") else {"align_corners": False, "antialias": smooth}
    return torch.nn.functional.interpolate(x, size=wanted, mode=mode, **corners)[0]


def turned(torch, mode, angle, height, width, center):
    x = torch.tensor([torch_pictures.picture(height, width)])
    turn = math.radians(angle)
    across, down = center or (width / 2, height / 2)
    across, down = across - width / 2, down - height / 2
    cos, sin = math.cos(turn), math.sin(turn)
    rows = [[cos, -sin, across - cos * across + sin * down], [sin, cos, down - sin * across - cos * down]]
    # Places in pixels from the middle, as shares of half the sides.
    theta = [
        [rows[0][0], rows[0][1] * height / width, rows[0][2] * 2 / width],
        [rows[1][0] * width / height, rows[1][1], rows[1][2] * 2 / height],
    ]
    grid = torch.nn.functional.affine_grid(torch.tensor([theta]), x.shape, align_corners=False)
    return torch.nn.functional.grid_sample(x, grid, mode, "zeros", align_corners=False)[0]


def main():
    import torch

    found = {
        "sizes": [[*case, resized(torch, *case).tolist()] for case in torch_pictures.SIZES],
        "turns": [[*case, turned(torch, *case).tolist()] for case in torch_pictures.TURNS],
    }
    text = json.dumps(found, separators=(",", ":"))
    text = json.dumps(json.loads(text, parse_float=lambda one: round(float(one), 6)), separators=(",", ":"))
    (HERE / "vectors" / "torch_pictures.json").write_text(text + "\n")
    print(sum(map(len, found.values())), "pictures")


if __name__ == "__main__":
    main()
