"""The sections of the book that have PyTorch programs, and the cells of each.

A section is a Markdown file. Its cells are of one framework each or of all: the first line of a
cell says of which (`%%tab pytorch`, `#@tab all`). A cell that does not say is of all frameworks
where the section lets its readers choose (`tab.interact_select`), or if none of its cells says;
otherwise it is of MXNet."""

import pathlib
import re

_CELL = re.compile(r"^```\{\.python \.input[^}]*\}\n(.*?)^```", re.M | re.S)
_TABS = re.compile(r"\s*(?:%%tab|#@tab) (.+)\n")
_CHOICE = re.compile(r"tab\.interact_select\((.*?)\)", re.S)
_MAGIC = re.compile(r"^[%!].*\n?", re.M)  # IPython's commands, and those of the shell
_OURS = {"pytorch", "all"}


def tabs(cell, unmarked):
    """The frameworks that a cell is for."""
    marked = _TABS.match(cell)
    return {tab.strip() for tab in marked.group(1).split(",")} if marked else {unmarked}


def cells(text):
    """The PyTorch cells of a section's text, in order; none if it has no program for PyTorch."""
    choices = " ".join(_CHOICE.findall(text))
    if choices and not any(name in choices for name in _OURS):
        return []
    unmarked = "all" if choices or "#@tab" not in text else "mxnet"
    found = [_MAGIC.sub("", cell) for cell in _CELL.findall(text) if tabs(cell, unmarked) & _OURS]
    found = [cell for cell in found if cell.strip()]
    return found if any("torch" in cell for cell in found) else []


def sections(book):
    """The names of the sections with PyTorch programs, as `chapter/section`, in order."""
    book = pathlib.Path(book)
    paths = sorted(book.glob("chapter_*/*.md"))
    return [f"{p.parent.name}/{p.stem}" for p in paths if cells(p.read_text(encoding="utf-8"))]


def source(book, section):
    """The cells of one section."""
    return cells((pathlib.Path(book) / f"{section}.md").read_text(encoding="utf-8"))
