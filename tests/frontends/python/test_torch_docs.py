"""docs/torch.md: its examples run, and its lists say what is true."""

import doctest
import pathlib
import re
import sys

import penstock as ps
from penstock import torch
from penstock.torch import _names
from coverage_tool import coverage
from processes import run_quietly

ROOT = pathlib.Path(__file__).parents[3]
PAGE = ROOT / "docs/torch.md"


def tool():
    return coverage("torch")


def test_up_to_date():
    text = PAGE.read_text()
    assert tool().written(text) == text, "docs/torch.md is out of date: run make generate"


def test_examples():
    text = re.sub(r"^```.*$", "", PAGE.read_text(), flags=re.M)
    test = doctest.DocTestParser().get_doctest(text, {"ps": ps}, PAGE.name, str(PAGE), 0)
    report = []
    doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert not report, "".join(report)
    assert len(test.examples) == text.count("\n>>> ") > 0


def test_the_program_of_the_readme():
    text = (ROOT / "README.md").read_text()
    (program,) = re.findall(r"```python\n(from penstock import torch\n.*?)```", text, re.S)
    assert -1e6 < float(run_quietly(program)) < 1e6


def test_what_is_here_is_told_from_what_is_not():
    found = tool()
    is_here = sys.modules[type(found).__module__].is_here
    assert is_here(torch, "mm") and is_here(torch, "pi") and is_here(torch, "nn")
    assert not is_here(torch, "no_such_name") and not is_here(torch, "fft")
    assert not is_here(None, "mm") and found.find("torch.fft") is None
    assert is_here(torch.Tensor, "reshape") and is_here(torch.Tensor, "grad")
    assert not is_here(torch.Tensor, "share_memory_")
    assert not is_here(torch.Tensor, "sparse_mask")


def test_what_is_counted():
    found = tool()
    names = set(found.names_of("torch"))
    assert {"mm", "batch_norm", "quantile", "qr", "symeig", "int8", "nn"} <= names
    assert not names & {"cudnn_convolution", "exp_", "q_scale", "view_copy", "sym_max", "int4"}
    assert "add_" in found.names_of("torch.Tensor")
    assert "modules" not in found.names_of("torch.nn")
    assert sum(len(found.names_of(path)) > 0 for path in _names.NAMES) > 35
