"""The programs inside the book chapters of ../shared/seeds: taking them out, and running them.

Cells are fenced blocks that begin with ```{.python .input}. Where cells of a file name a framework
(`#@tab pytorch`), a cell without a name is MXNet's. A notebook runs cells in one namespace, shows
the value of a last expression as IPython does, and notes at each printed line what the engine was
at.
"""

import ast
import contextlib
import io
import pathlib
import re

from penstock import engine

FOLDER = pathlib.Path(__file__).parents[4] / "shared/seeds"

_CELL = re.compile(r"^```\{\.python \.input[^}]*\}\n(.*?)^```$", re.M | re.S)
_TAB = re.compile(r"^#@tab (.+)\n", re.M)


def path_of(number):
    """The file of a seed, None where there is none."""
    return next(iter(sorted(FOLDER.glob(f"{number}_*.txt"))), None)


def cells(text, framework="mxnet"):
    """The cells for a framework, as they stand."""
    return [cell for cell in _CELL.findall(text) if framework in _frameworks(cell)]


def _frameworks(cell):
    tab = _TAB.match(cell)
    return re.split(r"[,\s]+", tab.group(1)) if tab else ["mxnet"]


class Line:
    """A printed line, with the engine's counts when its text came."""

    def __init__(self, text):
        self.text = text
        self.stats = engine.stats()

    def __repr__(self):
        return f"<{self.text!r} with {self.stats.unfinished} unfinished>"


class _Lines(io.TextIOBase):
    """Collects lines; counts are taken with the first piece of each. Tells of each piece."""

    def __init__(self, tell):
        self.lines = []
        self.complete = True
        self.tell_of = tell

    def write(self, text):
        for piece in text.splitlines(keepends=True):
            if self.complete:
                self.lines.append(Line(""))
            self.lines[-1].text += piece.removesuffix("\n")
            self.complete = piece.endswith("\n")
            self.tell_of(self.lines[-1])
        return len(text)


class Notebook:
    """One namespace; `lines` has all that was printed, `shown` the values of last expressions.

    `tell` is called with each line as it is printed, also with the parts of one."""

    def __init__(self, tell=lambda line: None):
        self.tell = tell
        self.space = {"__name__": "__main__"}
        self.lines = []
        self.shown = []

    def run(self, cell):
        """Runs a cell; gives what it printed."""
        body, last = _split(cell)
        out = _Lines(self.tell)
        with contextlib.redirect_stdout(out):
            exec(body, self.space)
            value = eval(last, self.space) if last is not None else None
        if value is not None:
            self.shown.append(_displayed(value))
        self.lines += out.lines
        return out.lines

    def line(self, start):
        """The only line that begins so."""
        (found,) = (line for line in self.lines if line.text.startswith(start))
        return found


def _split(cell):
    """The code of the statements, and that of an expression at the end, if there is one."""
    tree = ast.parse(cell)
    last = None
    if isinstance(tree.body[-1], ast.Expr):
        last = compile(ast.Expression(tree.body.pop().value), "<cell>", "eval")
    return compile(tree, "<cell>", "exec"), last


def _displayed(value):
    from IPython.lib.pretty import pretty

    return pretty(value)
