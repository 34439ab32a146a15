"""What `make conformance-book` takes of a book's sections, and what it changes of their programs."""

import ast
import os
import sys

import pytest

CONFORMANCE = os.path.join(os.path.dirname(__file__), "..", "..", "conformance")
sys.path.insert(0, os.path.abspath(CONFORMANCE))

from book import changes, run, sections  # noqa: E402


def cell(*lines):
    return "\n".join(["```{.python .input}", *lines, "```", ""])


def test_cells_of_pytorch_and_of_all():
    text = "Text.\n" + cell("#@tab mxnet", "from mxnet import np") + cell("x = 1 # mxnet's")
    text += cell("#@tab pytorch", "%matplotlib inline", "import torch") + cell("#@tab all", "x = 2")
    assert [one.splitlines()[1:] for one in sections.cells(text)] == [["import torch"], ["x = 2"]]


def test_cells_of_sections_with_a_choice():
    text = cell("%load_ext d2lbook.tab", "tab.interact_select('mxnet', 'pytorch')")
    text += cell("%%tab pytorch, jax", "import torch") + cell("%%tab jax", "import jax")
    text += cell("x = 1", "!ls") + "```python\nno_cell\n```\n"
    assert [one.strip() for one in sections.cells(text)] == [
        "tab.interact_select('mxnet', 'pytorch')",
        "import torch",
        "x = 1",
    ]
    assert sections.cells(text.replace("'pytorch'", "'jax'")) == []
    assert sections.cells(cell("x = 1")) == []


def test_epochs_are_cut():
    code = "a, num_epochs = f(), 10\nnum_epochs = 1\ndef g(x, num_epochs=5, lr=3): pass\nepochs = 7"
    cut = ast.unparse(changes.FewerEpochs().visit(ast.parse(code))).splitlines()
    assert cut[0] == "a, num_epochs = (f(), 2)" and cut[1] == "num_epochs = 1"
    assert "def g(x, num_epochs=2, lr=3):" in cut and cut[-1] == "epochs = 7"


def test_sizes_are_cut_where_they_are():
    cells = ["x = 1", "batch_size = 64\n"]
    name = "chapter_computer-vision/semantic-segmentation-and-dataset"
    assert changes.cut_sizes(name, cells) == ["x = 1", "batch_size = 16\n"]
    assert changes.cut_sizes("chapter/another", cells) == cells
    with pytest.raises(ValueError, match="batch_size = 64"):
        changes.cut_sizes(name, ["x = 1"])


def test_tables(tmp_path):
    done = {"section": "chapter/a", "finished": True, "done": 3, "cells": 3}
    error = {"type": "RuntimeError", "text": "no\n  GPU", "line": "x.cuda()", "where": "f.py:1"}
    fails = {"section": "chapter/b", "finished": False, "done": 1, "cells": 4, "error": error}
    page = tmp_path / "page.md"
    page.write_text(f"before\n{run.BEGIN}\nold\n{run.END}\nafter\n")
    run.write_docs(page, {"real": [done, fails], "ours": [done, {**done, "section": "chapter/b"}]})
    text = page.read_text()
    assert "| PyTorch 2.15.0 | 2 | 1 | 7 | 4 |" in text and "old" not in text
    assert "| `b` | RuntimeError: no GPU, at `x.cuda()` | finishes |" in text and "`a`" not in text
    assert text.startswith("before\n") and text.endswith("\nafter\n")
