"""The sections of the book that have programs of a dialect, and the cells of each.

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


def tabs(cell, unmarked):
    """The frameworks that a cell is for."""
    marked = _TABS.match(cell)
    return {tab.strip() for tab in marked.group(1).split(",")} if marked else {unmarked}


def cells(text, book):
    """The cells of a section's text, in order; none if it has no program of the dialect."""
    choices, ours = " ".join(_CHOICE.findall(text)), {book.tab, "all"}
    if choices and not any(name in choices for name in ours):
        return []
    unmarked = "all" if choices or "#@tab" not in text else "mxnet"
    found = [_MAGIC.sub("", cell) for cell in _CELL.findall(text) if tabs(cell, unmarked) & ours]
    found = [cell for cell in found if cell.strip()]
    return found if any(book.name in cell for cell in found) else []


def sections(folder, book):
    """The names of the sections with programs of the dialect, as `chapter/section`, in order."""
    paths = sorted(pathlib.Path(folder).glob("chapter_*/*.md"))
    names = [f"{path.parent.name}/{path.stem}" for path in paths]
    return [name for name in names if source(folder, name, book)]


def source(folder, section, book):
    """The cells of one section."""
    text = (pathlib.Path(folder) / f"{section}.md").read_text(encoding="utf-8")
    return cells(text, book)
