"""The programs of examples/mxnet print what they print with the real MXNet."""

import importlib.util
import json
import pathlib
import sys

import penstock
import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "conformance"


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


examples = load("examples")
RECORDED = json.loads((FOLDER / "vectors/examples.json").read_text())


def test_all_are_recorded():
    assert examples.names() == sorted(RECORDED)
    assert len(RECORDED) >= 10


@pytest.mark.parametrize("name", examples.names())
def test_as_with_mxnet(name):
    package = pathlib.Path(penstock.__file__).parents[1]
    printed = examples.run_program(name, sys.executable, package)
    assert examples.differences(RECORDED[name], printed) == []


def test_what_counts_as_a_difference():
    assert examples.differences("loss 0.1234 ok\n", "loss 0.1235 ok\n") == []
    assert examples.differences("loss 0.1234\n", "loss 0.1300\n")
    assert examples.differences("3 rows\n", "4 rows\n")
    assert examples.differences("True 1.0\n", "False 1.0\n")
    assert examples.differences("a\nb\n", "a\n")
    assert examples.differences("1.0 2.0\n", "1.0\n")
