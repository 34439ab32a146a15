#!/usr/bin/env python3
"""Writes two lists into docs/mxnet.md: known differences, and which names of MXNet 1.9.1 there are.

    mxnet_coverage.py docs/mxnet.md         with the package to be described on PYTHONPATH

The differences are those that the conformance tests know (tests/conformance/differences.py). The
names are those of the record in penstock/mxnet/_names.py (tests/conformance/record_names.py makes
it). A name counts as built if it is there and does something: what only raises NotBuiltError does
not. Each list stands between two comments of the page.
"""

import importlib.util
import pathlib
import sys
import textwrap
from importlib import import_module

from penstock import mxnet as mx
from penstock.mxnet import _names
from penstock.mxnet.numpy import _by_numpy

ROOT = pathlib.Path(__file__).parents[1]
sys.path.append(str(ROOT / "tools"))

from coverage_page import between, listed, returns  # noqa: E402

TOOL = "mxnet_coverage.py"

ARRAYS = {"mxnet.np.ndarray": mx.np.ones(1), "mxnet.nd.NDArray": mx.nd.ones((1,))}

# What is said of things that only raise, and of modules in which all of them do.
NOT_BUILT = ("NotBuiltError", "Not built: see")

HEAD = """\
| names of | in MXNet 1.9.1 | here |
| --- | ---: | ---: |
"""


def find(path):
    """What has the names: an array, a module, or None if there is no such module."""
    if path in ARRAYS:
        return ARRAYS[path]
    try:
        return import_module("penstock." + path)
    except ModuleNotFoundError:
        return None


def names_of(path):
    """Those that are looked at: modules inside of others are listed by themselves."""
    kinds = dict(_names.NAMES[path])
    if path != "mxnet":
        kinds.pop("modules", None)
    names = " ".join(kinds.values()).split()
    return sorted({name.partition(":")[0] for name in names}, key=str.lower)


def is_built(owner, name):
    thing = getattr(owner, name, None) if owner is not None else None
    if thing is None:
        return hasattr(owner, name)
    text = getattr(thing, "__doc__", None) or ""
    return not any(mark in text for mark in NOT_BUILT) and returns(thing)


def coverage():
    """The table, what is absent, and what NumPy does."""
    rows, missing = "", ""
    for path in _names.NAMES:
        names, owner = names_of(path), find(path)
        if not names:
            continue
        absent = [name for name in names if not is_built(owner, name)]
        rows += f"| `{path}` | {len(names)} | {len(names) - len(absent)} |\n"
        if absent and len(absent) < len(names):
            missing += f"**`{path}`**:\n{listed(absent)}\n\n"
    by_numpy = sorted(set(_by_numpy.__all__) - {"set_printoptions"}, key=str.lower)
    return (
        f"{HEAD}{rows}\nNot here, of those that are there in part:\n\n{missing}"
        f"NumPy does the work, so that the arguments are waited for, of these functions of "
        f"`mxnet.np`:\n{listed(by_numpy)}\n"
    )


def differences():
    """One point for each rule of the conformance tests."""
    path = ROOT / "tests/conformance/differences.py"
    spec = importlib.util.spec_from_file_location("differences", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    points = (f"- **{rule.name}**: {rule.why}." for rule in module.RULES)
    return "\n".join(textwrap.fill(point, 100, subsequent_indent="  ") for point in points) + "\n"


def written(page):
    """The page with what is true now."""
    page = between(page, TOOL, "differences", differences())
    return between(page, TOOL, "coverage", coverage())


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    path = pathlib.Path(sys.argv[1])
    path.write_text(written(path.read_text()))


if __name__ == "__main__":
    main()
