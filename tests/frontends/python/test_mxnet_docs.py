"""docs/mxnet.md: its examples run, and its lists say what is true."""

import doctest
import importlib.util
import pathlib
import re
import sys

import penstock as ps
import pytest
from penstock import mxnet as mx
from penstock.mxnet import _names
from processes import run_quietly

ROOT = pathlib.Path(__file__).parents[3]
PAGE = ROOT / "docs/mxnet.md"


@pytest.fixture
def plain_mode():
    """The examples switch NumPy mode on."""
    yield
    mx.npx.reset_np()


def tool():
    spec = importlib.util.spec_from_file_location("coverage", ROOT / "tools/mxnet_coverage.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_up_to_date():
    text = PAGE.read_text()
    assert tool().written(text) == text, "docs/mxnet.md is out of date: run make generate"


def test_examples(plain_mode):
    text = re.sub(r"^```.*$", "", PAGE.read_text(), flags=re.M)
    test = doctest.DocTestParser().get_doctest(text, {"ps": ps}, PAGE.name, str(PAGE), 0)
    report = []
    doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert not report, "".join(report)
    assert len(test.examples) == text.count("\n>>> ") > 0


def test_the_program_of_the_readme():
    text = (ROOT / "README.md").read_text()
    (program,) = re.findall(r"```python\n(import penstock\n.*?)```", text, re.S)
    assert -1e6 < float(run_quietly(program)) < 1e6


def test_what_is_built_is_told_from_what_is_not():
    found = tool()
    assert found.is_built(mx.np, "exp") and found.is_built(mx.np, "pi")
    assert not found.is_built(mx.np, "no_such_name")
    assert found.is_built(mx.gluon.nn, "Dense") and not found.is_built(mx.sym, "Variable")
    assert not found.is_built(mx, "symbol") and found.is_built(mx, "test_utils")
    assert not found.is_built(mx.autograd, "get_symbol") and found.is_built(mx.autograd, "pause")
    assert not found.is_built(None, "exp")
    x = mx.nd.ones((1,))
    assert found.is_built(x, "asscalar") and found.is_built(x, "grad")
    assert not found.is_built(x, "to_dlpack_for_write")


def test_the_record_has_what_programs_use():
    names = {path: tool().names_of(path) for path in _names.NAMES}
    assert {"waitall", "set_np", "batch_dot"} <= set(names["mxnet.npx"])
    assert {"dot", "Convolution", "ones"} <= set(names["mxnet.nd"])
    assert {"Dense", "Block", "Sequential"} <= set(names["mxnet.gluon.nn"])
    assert {"asscalar", "attach_grad"} <= set(names["mxnet.nd.NDArray"])
    assert "asscalar" not in names["mxnet.np.ndarray"]
    assert "ctypes" not in " ".join(map(" ".join, names.values()))


def test_the_modules_of_the_record_can_be_imported_or_say_why():
    for path in _names.NAMES:
        if path.rpartition(".")[2].lower() != path.rpartition(".")[2] or path.endswith("ndarray"):
            continue
        try:
            assert importlib.import_module("penstock." + path) in sys.modules.values()
        except ModuleNotFoundError as error:
            assert "see docs/mxnet.md" in str(error)


def test_every_module_has_a_text_for_what_is_absent():
    for path in ("np", "npx", "nd", "nd.random", "np.random", "np.linalg", "nd.linalg", "autograd"):
        module = importlib.import_module("penstock.mxnet." + path)
        with pytest.raises(AttributeError, match="see docs/mxnet.md"):
            module.no_such_name
