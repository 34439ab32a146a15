"""The chapter's PaddlePaddle programs run as they stand, with the book's own helper library.

That is d2l 0.17.6, the last with a part for PaddlePaddle: it is in a folder of its own, so that the
notebook runs in a process of its own. Values are checked against NumPy, texts to the letter; what
the chapter tells of asynchronous computation as an order of events, without times.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

import penstock
import pytest
import seeds
from processes import LIMIT, environment

FOLDER = pathlib.Path(os.environ.get("D2L_PADDLE", f"{sys.prefix}/d2l-paddle"))
CELL = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)

PROGRAM = """
import json, sys
import gate, numpy, penstock, seeds
cells, folder = json.loads(sys.argv[1]), sys.argv[2]
sys.path.insert(0, folder)
paddle = penstock.install_as("paddle")


def open_gate(printed):
    if printed.text.startswith("飞桨"):
        gate.open()


notebook = seeds.Notebook(open_gate)
try:
    for cell in cells:
        if "飞桨" in cell and not penstock.engine.is_sync():
            gate.shut()
        notebook.run(cell)
finally:
    gate.open()
paddle.device.cuda.synchronize()
stats, space = penstock.engine.stats(), notebook.space
assert stats.executed == stats.pushed and stats.failed == 0
names = [line.text.partition(":")[0] for line in notebook.lines]
assert names == ["numpy", "飞桨", "Done"], names
assert notebook.line("飞桨").stats.unfinished >= 10 or penstock.engine.is_sync()
assert notebook.line("Done").stats.unfinished == 0
a, b = space["a"], space["b"]
assert type(a) is paddle.Tensor and a.shape == [1000, 1000] and a.dtype == paddle.float32
assert abs(a.mean().item()) < 0.01 and abs(a.std().item() - 1) < 0.01
numpy.testing.assert_allclose(b.numpy(), a.numpy() @ a.numpy(), rtol=1e-3, atol=1e-3)
assert space["d2l"].__file__.startswith(folder)
print(json.dumps(notebook.shown))
"""

SHOWN = (
    "Tensor(shape=[1, 2], dtype=float32, place=Place(cpu), stop_gradient=True,\n       [[3., 3.]])"
)


def cells():
    path = seeds.path_of("003")
    if path is None:
        pytest.skip(f"seed 003 is not in {seeds.FOLDER}")
    return CELL.findall(path.read_text())


def is_there(name):
    path = pathlib.Path(penstock.__file__).parent / "paddle" / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").is_file()


def run(*arguments):
    if not (FOLDER / "d2l/paddle.py").is_file():
        pytest.skip(f"d2l 0.17.6 is not in {FOLDER}: make setup")
    for name in ("nn", "io", "vision.transforms"):
        if not is_there(name):
            pytest.skip(f"penstock.paddle.{name}, which d2l imports, is not in this checkout")
    pytest.importorskip("pandas", reason="pandas, which d2l imports, is not installed: make setup")
    done = subprocess.run(
        [sys.executable, *arguments],
        env=environment(MPLBACKEND="agg"),
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_cells_are_found():
    found = cells()
    assert len(found) == 4
    assert "from d2l import paddle as d2l\n" in found[0]
    assert "paddle.device.cuda.synchronize()" in found[2]


def test_chapter():
    assert json.loads(run("-c", PROGRAM, json.dumps(cells()), str(FOLDER))) == [SHOWN]


def test_without_touching_the_program(tmp_path):
    """The cells as a script, run by python -m penstock --as paddle."""
    script = tmp_path / "chapter.py"
    head = f"import sys\nsys.path.insert(0, {str(FOLDER)!r})\n"
    script.write_text(head + "\n".join(cells()) + "print(z)\n")
    lines = run("-m", "penstock", "--as", "paddle", str(script)).splitlines()
    assert [line.partition(":")[0] for line in lines[:3]] == ["numpy", "飞桨", "Done"]
    assert "\n".join(lines[3:]) == SHOWN
