"""docs/paddle.md and the docstrings of penstock.paddle: their examples run, lists are true."""

import doctest
import importlib
import pathlib
import re

import penstock as ps
import pytest
from coverage_tool import coverage

PAGE = pathlib.Path(__file__).parents[3] / "docs/paddle.md"
EXAMPLES = ["", "Tensor", "Size", "dtype", "no_grad", "to_tensor", "set_default_dtype"]
EXAMPLES += ["set_printoptions", "autograd", "autograd.PyLayer", "device"]


def failures(test):
    report = []
    doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    return "".join(report)


def test_examples():
    text = re.sub(r"^```.*$", "", PAGE.read_text(), flags=re.M)
    test = doctest.DocTestParser().get_doctest(text, {"ps": ps}, PAGE.name, str(PAGE), 0)
    assert len(test.examples) == text.count("\n>>> ") > 0
    assert not failures(test)


def test_up_to_date():
    text = PAGE.read_text()
    assert coverage("paddle").written(text) == text, "out of date: run make generate"


@pytest.mark.parametrize("name", EXAMPLES)
def test_docstrings(name):
    found = importlib.import_module("penstock.paddle")
    for part in name.split(".") if name else ():
        found = getattr(found, part)
    text = found.__doc__
    test = doctest.DocTestParser().get_doctest(text, {}, name, f"<{name}>", 0)
    assert test.examples
    assert not failures(test)


def test_everything_public_is_described():
    from penstock import paddle

    for name in dir(paddle):
        found = vars(paddle).get(name)
        if callable(found) and not name.startswith("_"):
            assert found.__doc__, name
    for name in dir(paddle.Tensor):
        if not name.startswith("_") and callable(getattr(paddle.Tensor, name, None)):
            assert getattr(paddle.Tensor, name).__doc__, name
