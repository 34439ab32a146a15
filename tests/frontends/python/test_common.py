"""What dialects have in common is in one place, which knows none of them."""

import ast
import importlib
import pickle
import sys
from functools import lru_cache
from pathlib import Path

import penstock
import pytest
from penstock import paddle, torch

PACKAGE = Path(penstock.__file__).parent
DIALECTS = {"mxnet", "paddle", "torch", "torchvision"}
FILES = [*sorted(PACKAGE.glob("_common/*.py")), *sorted(PACKAGE.glob("_pictures/*.py"))]


@lru_cache(None)
def imported(path):
    """The names of packages and modules that a file imports, part by part."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for one in node.names:
                found.update(one.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            found.update((node.module or "").split("."), (one.name for one in node.names))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_no_dialect_is_imported(path):
    assert DIALECTS.isdisjoint(imported(path))


def test_each_is_of_use_to_a_dialect():
    users = [one for name in DIALECTS for one in (PACKAGE / name).rglob("*.py")]
    used = set().union(*(imported(one) for one in [*users, *FILES]))
    assert {path.stem for path in FILES} - {"__init__"} <= used


# Modules whose functions are called with arrays.
CALLED = """penstock penstock.linalg penstock.nn penstock.random penstock.mxnet.ndarray
penstock.mxnet.ndarray.image penstock.mxnet.numpy penstock.mxnet.numpy.linalg
penstock.mxnet.numpy.random penstock.mxnet.numpy_extension penstock.mxnet.numpy_extension.image
penstock.paddle penstock.paddle.linalg penstock.paddle.nn penstock.paddle.nn.functional
penstock.torch penstock.torch.linalg penstock.torch.nn penstock.torch.nn.functional
penstock.torch.special""".split()


@pytest.mark.parametrize("name", CALLED)
def test_names_of_functions_are_found_by_their_address(name):
    """The key of a dictionary is the very string that programs have for a name."""

    def is_interned(text):
        return sys.intern(f"{text} "[:-1]) is text  # of an equal string: an interned one stays

    names = vars(importlib.import_module(name))
    assert not [one for one in names if not is_interned(one) and one[:2] != "__"]


def test_both_are_of_their_own_classes():
    """No class of a program is taken for one of the other dialect."""
    module, layer = torch.nn.Linear(1, 1), paddle.nn.Linear(1, 1)
    assert not isinstance(module, paddle.nn.Layer) and not isinstance(layer, torch.nn.Module)
    assert not isinstance(torch.ones(1), paddle.Tensor)
    assert not isinstance(paddle.ones([1]), torch.Tensor)
    with pytest.raises(TypeError):
        torch.nn.Sequential(layer)
    with pytest.raises(AssertionError):
        paddle.nn.LayerList([module])


def test_names_of_states():
    module = torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.BatchNorm1d(1))
    assert list(module.state_dict()) == [
        *("0.weight", "0.bias", "1.weight", "1.bias"),
        *("1.running_mean", "1.running_var", "1.num_batches_tracked"),
    ]
    layer = paddle.nn.Sequential(paddle.nn.Linear(1, 1), paddle.nn.BatchNorm1D(1))
    assert list(layer.state_dict()) == [
        *("0.weight", "0.bias", "1.weight", "1.bias", "1._mean", "1._variance"),
    ]


@pytest.mark.parametrize("make", [torch.nn.Linear, torch.nn.LSTM, paddle.nn.Linear, paddle.nn.LSTM])
def test_pickles(make):
    one = make(2, 3)
    again = pickle.loads(pickle.dumps(one))
    assert type(again) is type(one)
    assert list(again.state_dict()) == list(one.state_dict())
    for name, tensor in one.state_dict().items():
        assert again.state_dict()[name].tolist() == tensor.tolist()
