"""Programs as the book teaches them, over the book's own helper library, learn.

They are in torch_programs, know nothing of Penstock, and run as they stand. A program leaves its
losses behind.
"""

import pathlib
import runpy
import sys
import warnings

import penstock
import pytest

pytest.importorskip("d2l", reason="d2l is not installed: make setup")
pytest.importorskip("scipy", reason="scipy, which d2l imports, is not installed: make setup")

FOLDER = pathlib.Path(__file__).parent / "torch_programs"
HELPERS = {"pictures"}
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in HELPERS)


@pytest.fixture
def torch(monkeypatch):
    """Penstock as torch, without a screen, and the programs' folder where they import from."""
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.syspath_prepend(str(FOLDER))
    package = penstock.install_as("torch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield package
    for name in HELPERS:
        sys.modules.pop(name, None)


def test_programs_are_there():
    assert len(PROGRAMS) == 16


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, torch, capsys):
    names = runpy.run_path(str(FOLDER / f"{name}.py"))
    assert names["torch"] is torch
    losses = names["losses"]
    assert losses[-1] < 0.75 * losses[0]
    torch.cuda.synchronize()
    stats = penstock.engine.stats()
    assert stats.executed == stats.pushed
