"""The chapter's PyTorch programs run as they stand, with the book's own helper library.

Values are checked against NumPy, texts to the letter. What the chapter tells of asynchronous
computation is checked as an order of events: whether work was left when a line was printed. No
times are looked at.
"""

import os
import subprocess
import sys

import gate
import numpy
import penstock
import pytest
import seeds

pytest.importorskip("d2l", reason="d2l is not installed: make setup")
pytest.importorskip("scipy", reason="scipy, which d2l imports, is not installed: make setup")

# 000 Turkish, 001 Indonesian, 002 French.
EDITIONS = ("000", "001", "002")


def cells_of(number):
    path = seeds.path_of(number)
    if path is None:
        pytest.skip(f"seed {number} is not in {seeds.FOLDER}")
    return seeds.cells(path.read_text(), "pytorch")


@pytest.fixture(autouse=True)
def torch(monkeypatch):
    """Penstock as torch, without a screen."""
    monkeypatch.setenv("MPLBACKEND", "agg")
    return penstock.install_as("torch")


def test_cells_are_found():
    for number in EDITIONS:
        cells = cells_of(number)
        assert len(cells) == 4
        assert "from d2l import torch as d2l\n" in cells[0]
        assert "torch.cuda.synchronize(device)" in cells[2]


def run_chapter(number):
    """A notebook after all cells. In the one that times products without waiting for them, none
    ends before the line with the time is printed. (In synchronous mode none could be waited for.)
    """

    def open_gate(printed):
        if printed.text.startswith("torch"):
            gate.open()

    notebook = seeds.Notebook(open_gate)
    try:
        for cell in cells_of(number):
            if "Benchmark('torch')" in cell and not penstock.engine.is_sync():
                gate.shut()
            notebook.run(cell)
    finally:
        gate.open()
    return notebook


@pytest.mark.parametrize("number", EDITIONS)
def test_chapter(number, torch):
    notebook = run_chapter(number)
    torch.cuda.synchronize()
    stats = penstock.engine.stats()
    assert stats.executed == stats.pushed and stats.failed == 0
    assert notebook.shown == ["tensor([[3., 3.]])"]
    check_order(notebook)
    check_values(notebook.space, torch)


def check_order(notebook):
    """The loop over products ended before they did; after synchronize nothing is left."""
    names = [line.text.partition(":")[0] for line in notebook.lines]
    assert names == ["numpy", "torch", "Done"]
    left = notebook.line("torch").stats.unfinished
    assert left >= 10 or penstock.engine.is_sync()
    assert notebook.line("Done").stats.unfinished == 0
    ten = notebook.line("Done").stats.executed - notebook.line("torch").stats.executed
    assert ten >= 10


def check_values(space, torch):
    a, b = space["a"], space["b"]
    assert type(a) is torch.Tensor and str(type(a)) == "<class 'torch.Tensor'>"
    assert (a.shape, a.dtype, str(a.device)) == ((1000, 1000), torch.float32, str(space["device"]))
    assert abs(a.mean().item()) < 0.01 and abs(a.std().item() - 1) < 0.01
    wanted = numpy.dot(a.numpy(), a.numpy())
    numpy.testing.assert_allclose(b.numpy(), wanted, rtol=1e-3, atol=1e-3)
    assert space["x"].tolist() == space["y"].tolist() == [[1, 1]]
    assert space["z"].tolist() == [[3, 3]]


def test_helpers_of_the_chapter(torch):
    from d2l import torch as d2l

    assert d2l.torch is torch and d2l.nn is torch.nn
    count = torch.cuda.device_count()
    assert d2l.num_gpus() == count
    if count == 0:
        assert d2l.try_gpu() == torch.device("cpu") and d2l.try_all_gpus() == []


def test_without_touching_the_program(tmp_path):
    """The cells as a script, run by python -m penstock --as torch."""
    script = tmp_path / "chapter.py"
    script.write_text("\n".join(cells_of("000")) + "print(z)\n")
    done = subprocess.run(
        [sys.executable, "-m", "penstock", "--as", "torch", str(script)],
        env={**os.environ, "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines[:-1]] == ["numpy", "torch", "Done"]
    assert lines[-1] == "tensor([[3., 3.]])"
