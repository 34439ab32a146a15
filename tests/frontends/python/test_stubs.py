"""The type stubs: that they are up to date, that they say what the objects are, that they serve."""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("mypy")

ROOT = pathlib.Path(__file__).parents[3]
SOURCE = ROOT / "frontends/python/penstock"

# Where the stubs say more than a signature can: lengths one by one, a method's self. What a version
# of Python adds: the buffer protocol 3.12, copies of records 3.13. The dialects, and what
# they share, have no stubs.
ALLOWED = r"""
penstock(\._core\.ndarray|\._functions\._ndarray)?\.(reshape|transpose|permute_dims)
penstock(\._core\.ndarray|\._functions\._ndarray)\.(dot|__buffer__)
penstock\._functions\.__all__
penstock\._core\._\w+\.__replace__
penstock\.(_common|_grad_modes|_pictures|mxnet|paddle|torch|torchvision)(\..*)?
"""

TYPED = """
import numpy as np
import penstock as ps
from typing_extensions import assert_type


class Mine(ps.ndarray):
    pass


x = ps.array([[1.0, 2.0], [3.0, 4.0]])
assert_type(x, ps.ndarray)
assert_type(x + 1, ps.ndarray)
assert_type(2.5 * x, ps.ndarray)
assert_type(x @ x.T, ps.ndarray)
assert_type(x > 0, ps.ndarray)
assert_type(x == 1, ps.ndarray)
assert_type(x[0, 1:], ps.ndarray)
assert_type(x.sum(axis=(0, 1)), ps.ndarray)
assert_type(x.reshape(2, 2), ps.ndarray)
assert_type(x.reshape((4, -1)), ps.ndarray)
assert_type(x.T.shape, tuple[int, ...])
assert_type(x.dtype, ps.dtype)
assert_type(float(x[0, 0]), float)
assert_type(x.is_ready(), bool)
assert_type(x.detach(), ps.ndarray)
assert_type(ps.autograd.stats().nodes, int)
x.attach_grad("add")
with x.register_hook(lambda gradient: gradient * 2) as hook:
    assert_type(hook, ps.autograd.Hook)
with ps.autograd.record():
    (x * x).backward(ps.ones((2, 2)), retain_graph=True)
assert_type(ps.sum(x, 0, keepdims=True), ps.ndarray)
assert_type(ps.add(x, np.ones(2)), ps.ndarray)
assert_type(ps.stack([x, x]), ps.ndarray)
assert_type(ps.zeros(3, "int32"), ps.ndarray)
assert_type(ps.zeros((2, 3), dtype=np.float64), ps.ndarray)
assert_type(ps.nn.relu(x), ps.ndarray)
net = ps.nn.Sequential(ps.nn.Dense(4, "relu"), ps.nn.relu, ps.nn.Dense(1)).initialize()
assert_type(net, ps.nn.Sequential)
assert_type(net.parameters()["0.weight"].data, ps.ndarray)
assert_type(net.parameters()["0.weight"].shape, tuple[int, ...])
assert_type(net.summary((2, 2)), str)
loader = ps.data.DataLoader(ps.data.ArrayDataset(x, x), 2, shuffle=True)
for batch in ps.data.progress(loader, "epoch"):
    net(batch[0])
assert_type(ps.linalg.norm(x, axis=1), ps.ndarray)
assert_type(ps.random.normal(0.0, 1.0, (2, 3)), ps.ndarray)
assert_type(ps.random.default_rng(3).integers(10, size=3), ps.ndarray)
assert_type(ps.nonzero(x), tuple[ps.ndarray, ...])
assert_type(ps.engine.stats().pushed, int)
assert_type(ps.memory.stats().live, int)
assert_type(Mine([1.0]) + 1, Mine)
assert_type(Mine([1.0]).sum(), Mine)
assert_type(x.as_subclass(Mine), Mine)
x[0] = [5.0, 6.0]
x += 1
memoryview(x)
with ps.engine.sync():
    pass


@ps.engine.sync()
def stepwise(n: int) -> str:
    return str(n)


async def later() -> ps.ndarray:
    return await x


assert_type(stepwise(3), str)
"""

WRONG = {
    'ps.sum(x, axis="a")': "arg-type",
    "ps.sum(x, wrong=1)": "call-arg",
    "x + object()": "operator",
    "ps.zeros(2.5)": "arg-type",
    "x.shape = (1,)": "misc",
    "ps.exq": "attr-defined",
    "ps.float32 + 1": "operator",
    "ps.nn.Dense()": "call-arg",
    "ps.nn.Parameter((2, 3)).weight": "attr-defined",
}


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """A working folder; beside it the package's Python files and stubs, with nothing built."""
    folder = tmp_path_factory.mktemp("stubs")
    ignored = shutil.ignore_patterns("*.so", "__pycache__")
    shutil.copytree(SOURCE, folder / "path/penstock", ignore=ignored)
    # Modules without a .pyi file: as for users, only their types count.
    plain = [path for path in SOURCE.glob("*.py") if not path.with_suffix(".pyi").exists()]
    names = [f"penstock.{path.stem}" for path in plain]
    packages = ("_common", "data", "mxnet", "nn", "paddle", "torch", "torchvision")
    modules = ",".join([*names, *(f"penstock.{name}.*" for name in packages)])
    work = folder / "work"
    work.mkdir()
    (work / "mypy.ini").write_text(f"[mypy]\n[mypy-{modules}]\nignore_errors = True\n")
    return work


def mypy(sources, *arguments):
    command = [sys.executable, "-m", *arguments]
    settings = {"MYPYPATH": str(sources.parent / "path"), "MYPY_CACHE_DIR": str(sources / "cache")}
    return subprocess.run(
        command, cwd=sources, env=os.environ | settings, capture_output=True, text=True
    )


def check(sources, path):
    done = mypy(sources, "mypy", "--strict", "--config-file", "mypy.ini", str(path))
    return done.stdout + done.stderr


def test_up_to_date():
    spec = importlib.util.spec_from_file_location("python_stubs", ROOT / "tools/python_stubs.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    for name, text in tool.stubs().items():
        assert (SOURCE / name).read_text() == text, f"{name} is out of date: run make generate"
    assert (SOURCE / "py.typed").exists()


def test_stubs_describe_the_package(sources):
    (sources / "allowed").write_text(ALLOWED)
    # Another version of Python needs less of the list.
    options = ["--allowlist", "allowed", "--ignore-unused-allowlist"]
    options += ["--mypy-config-file", "mypy.ini"]
    done = mypy(sources, "mypy.stubtest", "penstock", "--concise", *options)
    assert done.returncode == 0, done.stdout + done.stderr


def test_programs_are_understood(sources):
    (sources / "typed.py").write_text(TYPED)
    assert "Success" in check(sources, "typed.py")


def test_mistakes_are_found(sources):
    lines = ["import penstock as ps", "x = ps.ones(3)", *WRONG]
    (sources / "wrong.py").write_text("\n".join(lines) + "\n")
    text = check(sources, "wrong.py")
    for line, code in enumerate(WRONG.values(), 3):
        assert re.search(rf"^wrong\.py:{line}: error: .*\[{code}\]$", text, re.M), text
    assert f"Found {len(WRONG)} errors" in text


def test_the_readme_type_checks(sources):
    program = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S).group(1)
    (sources / "readme.py").write_text(textwrap.dedent(program))
    assert "Success" in check(sources, "readme.py")


@pytest.mark.parametrize("path", sorted((ROOT / "examples/python").glob("*.py")), ids=lambda p: p.name)
def test_examples_type_check(sources, path):
    assert "Success" in check(sources, path)
