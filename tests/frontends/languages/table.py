"""The table of operations, as include/penstock_ops.h states it: which arguments a row has, in order.

Writers need it for the order of options, which C++ does not leave open, and for whether a row takes one
integer or a list."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
_ROW = re.compile(r"^/\* (\w+)\((.*)\)$")


def _arguments(signature):
    """Names and kinds, required ones and options: "x, axis: axes = none"."""
    required, options = {}, {}
    for part in re.findall(r"(\w+)(?:: ([^=,]+?))?(?: = ([^,]+))?(?:, |$)", signature):
        name, kind, default = part
        (options if default else required)[name] = kind or "tensor"
    return required, options


def _read():
    rows = {}
    for line in (ROOT / "include/penstock_ops.h").read_text().splitlines():
        found = _ROW.match(line)
        if found:
            rows[found[1]] = _arguments(found[2])
    return rows


_ROWS = _read()


def required(row):
    """The names of the arguments that have no default, with their kinds."""
    return _ROWS[row][0]


def options(row):
    """The names of the arguments that have one, with their kinds, in order."""
    return _ROWS[row][1]


def ordered(row, given):
    """Some options as pairs in the order of the table."""
    unknown = set(given) - set(options(row))
    if unknown:
        raise KeyError(f"{row} has no option {sorted(unknown)}")
    return [(name, given[name]) for name in options(row) if name in given]
