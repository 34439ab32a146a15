"""The names that the book's programs use are here: those of ../shared/reference/paddle-api.tsv."""

import csv
import pathlib

import pytest
from penstock import paddle

TABLE = pathlib.Path(__file__).parents[4] / "shared/reference/paddle-api.tsv"


def rows():
    if not TABLE.is_file():
        pytest.skip(f"there is no {TABLE}")
    with TABLE.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def owner_of(name):
    """What has the last part of a name, and that part; None for an idiom."""
    layer = paddle.nn.Linear(2, 2)
    owners = {
        "Tensor.": paddle.ones([2, 2]),
        "nn.Layer#": layer,
        "layer#": layer,
        "optim.Optimizer#": paddle.optimizer.SGD(parameters=layer.parameters()),
        "lr_scheduler#": paddle.optimizer.lr.StepDecay(0.1, 1),
    }
    for begin, owner in owners.items():
        if name.startswith(begin):
            return owner, name[len(begin) :]
    if not name.startswith("paddle."):
        return None
    *above, last = name.split(".")[1:]
    owner = paddle
    for part in above:
        owner = getattr(owner, part)
    return owner, last


def test_all_names_are_here():
    missing = []
    for row in rows():
        found = owner_of(row["name"])
        if found and not hasattr(*found):
            missing.append(row["name"])
    assert missing == []


def test_names_that_are_not_here_are_told():
    for name in ("fft", "sparse", "hub"):
        with pytest.raises(AttributeError, match=f"paddle.{name}"):
            getattr(paddle, name)
