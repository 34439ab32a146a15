"""tools/dialect_lines.py: which kind a line of a dialect is of."""

import importlib.util
import pathlib

ROOT = pathlib.Path(__file__).parents[3]

SOURCE = '''\
"""A module."""                                     # docstrings
# A comment.
from . import _core                                 # names
__all__ = ["a", "b"]                                # names
TABLE = {                                           # names
    "add": "plus",                                  # names
}                                                   # names
rules = Dialect("x", scalar="ranks")                # rules
_add = row("add", "plus", "x:x1, y:x2")             # names
other = _add                                        # names


def plus(x, y):                                     # code
    """The sum."""                                  # docstrings
    if x is None:                                   # rules
        raise ValueError("x")                       # rules
    from .inner import helper                       # names
    made = helper(x)                                # code
    for one in y:                                   # code
        if not one:                                 # rules
            what = "y"                              # rules
            raise TypeError(what)                   # rules
    return _add(made, y)                            # code


class Tensor:                                       # code
    """A class."""                                  # docstrings

    plus = plus                                     # names

    def sum(self):                                  # code
        try:                                        # code
            return self.run()                       # code
        except KeyError:                            # code
            raise IndexError from None              # rules


both("plus", globals(), __all__)                    # names
'''


def tool():
    spec = importlib.util.spec_from_file_location("dialect_lines", ROOT / "tools/dialect_lines.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_kinds_of_lines():
    wanted = {}
    for number, line in enumerate(SOURCE.splitlines(), 1):
        code, _, kind = line.partition("  #")
        if code.strip() and not code.startswith("#"):
            wanted[number] = kind.strip()
    assert tool().Lines(SOURCE).kinds == wanted


def test_every_line_is_counted_once():
    found = tool()
    for part in ("torch", "paddle", "_common"):
        folder = ROOT / "frontends/python/penstock" / part
        counts = found.counted(folder)
        sources = [path.read_text() for path in folder.rglob("*.py")]
        written = sum(len(found.written_lines(source)) for source in sources)
        every = sum(counts[kind] for kind in found.KINDS)
        assert every + counts["recorded"] == written and counts["code"] > counts["rules"] > 0


def test_the_table_has_a_place_in_the_page():
    page = (ROOT / "docs/ARCHITECTURE.md").read_text()
    assert page.count("<!-- lines: written by tools/dialect_lines.py -->") == 1
