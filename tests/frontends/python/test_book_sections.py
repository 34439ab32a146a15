"""What `make conformance-book` takes of a book's sections, and what it changes of them."""

import ast
import os
import sys

import pytest

CONFORMANCE = os.path.join(os.path.dirname(__file__), "..", "..", "conformance")
sys.path.insert(0, os.path.abspath(CONFORMANCE))

from book import changes, changes_paddle, dialects, run, sections  # noqa: E402

TORCH, PADDLE = dialects.BOOKS["torch"], dialects.BOOKS["paddle"]


def cell(*lines):
    return "\n".join(["```{.python .input}", *lines, "```", ""])


def test_cells_of_pytorch_and_of_all():
    text = "Text.\n" + cell("#@tab mxnet", "from mxnet import np") + cell("x = 1 # mxnet's")
    text += cell("#@tab pytorch", "%matplotlib inline", "import torch") + cell("#@tab all", "x = 2")
    found = [one.splitlines()[1:] for one in sections.cells(text, TORCH)]
    assert found == [["import torch"], ["x = 2"]]


def test_cells_of_sections_with_a_choice():
    text = cell("%load_ext d2lbook.tab", "tab.interact_select('mxnet', 'pytorch')")
    text += cell("%%tab pytorch, jax", "import torch") + cell("%%tab jax", "import jax")
    text += cell("x = 1", "!ls") + "```python\nno_cell\n```\n"
    assert [one.strip() for one in sections.cells(text, TORCH)] == [
        "tab.interact_select('mxnet', 'pytorch')",
        "import torch",
        "x = 1",
    ]
    assert sections.cells(text.replace("'pytorch'", "'jax'"), TORCH) == []
    assert sections.cells(cell("x = 1"), TORCH) == []


def test_cells_of_paddle():
    text = cell("from mxnet import np") + cell("#@tab pytorch", "import torch")
    assert sections.cells(text, PADDLE) == []
    text += cell("#@tab pytorch, paddle", "x = 1") + cell("#@tab paddle", "import paddle")
    text += cell("#@tab all", "x = 2")
    found = [one.splitlines()[1:] for one in sections.cells(text, PADDLE)]
    assert found == [["x = 1"], ["import paddle"], ["x = 2"]]


def test_sections_of_a_folder(tmp_path):
    for name, line in (("b", "import paddle"), ("a", "import paddle"), ("c", "import torch")):
        (tmp_path / "chapter_x").mkdir(exist_ok=True)
        (tmp_path / f"chapter_x/{name}.md").write_text(cell("#@tab all", line))
    assert sections.sections(tmp_path, PADDLE) == ["chapter_x/a", "chapter_x/b"]
    assert sections.source(tmp_path, "chapter_x/c", PADDLE) == []


def test_epochs_are_cut():
    code = "a, num_epochs = f(), 10\nnum_epochs = 1\ndef g(x, num_epochs=5, lr=3): pass\nepochs = 7"
    cut = ast.unparse(changes.FewerEpochs().visit(ast.parse(code))).splitlines()
    assert cut[0] == "a, num_epochs = (f(), 2)" and cut[1] == "num_epochs = 1"
    assert "def g(x, num_epochs=2, lr=3):" in cut and cut[-1] == "epochs = 7"


def test_sizes_are_cut_where_they_are():
    cells = ["x = 1", "batch_size = 64\n"]
    name = "chapter_computer-vision/semantic-segmentation-and-dataset"
    for cuts in (changes.CUTS, changes_paddle.CUTS):
        assert changes.cut_sizes(name, cells, cuts) == ["x = 1", "batch_size = 16\n"]
        assert changes.cut_sizes("chapter/another", cells, cuts) == cells
        with pytest.raises(ValueError, match="batch_size = 64"):
            changes.cut_sizes(name, ["x = 1"], cuts)


def test_assertions_of_losses_are_left_out():
    code = "def f(train_loss):\n    assert train_loss < 0.5\n    assert f\n    return 1"
    made = ast.unparse(changes_paddle.NoAssertions().visit(ast.parse(code)))
    assert made == "def f(train_loss):\n    assert f\n    return 1"


def trained(train_acc):
    assert train_acc > 1
    return train_acc


def test_functions_lose_such_assertions():
    with pytest.raises(AssertionError):
        trained(0)
    assert changes_paddle.without_assertions(trained)(0) == 0


def test_batches_are_small():
    load = changes_paddle.small_batches(lambda size, resize=None: (size, resize), None)
    assert load(256) == (16, None) and load(8) == (8, None)


def test_tables(tmp_path):
    done = {"section": "chapter/a", "finished": True, "done": 3, "cells": 3}
    error = {"type": "RuntimeError", "text": "no\n  GPU", "line": "x.cuda()", "where": "f.py:1"}
    fails = {"section": "chapter/b", "finished": False, "done": 1, "cells": 4, "error": error}
    page = tmp_path / "page.md"
    page.write_text(f"before\n{run.BEGIN}\nold\n{run.END}\nafter\n")
    report = {"real": [done, fails], "ours": [done, {**done, "section": "chapter/b"}]}
    run.write_docs(page, {"dialect": "torch", **report})
    text = page.read_text()
    assert "| PyTorch 2.15.0 | 2 | 1 | 7 | 4 |" in text and "old" not in text
    assert "| `b` | RuntimeError: no GPU, at `x.cuda()` | finishes |" in text and "`a`" not in text
    assert text.startswith("before\n") and text.endswith("\nafter\n")
    run.write_docs(page, {"dialect": "paddle", **report})
    text = page.read_text()
    assert "| PaddlePaddle 3.3.1 | 2 | 1 | 7 | 4 |" in text and "penstock.paddle" in text
