#!/usr/bin/env python3
"""Counts the lines of dialects by kind, and writes the table into docs/ARCHITECTURE.md.

    dialect_lines.py frontends/python/penstock docs/ARCHITECTURE.md    without a page it is printed

A line that is neither empty nor a comment is of one kind:

- names: imports, lists and tables of names, rows of the table of operations with a library's
  argument names, second names of things
- rules: settings of the dialect, and what checks arguments and raises the library's exception
- code: what is left of functions and classes
- docstrings

Names that are recorded from the library (_names.py) are counted by themselves.
"""

import ast
import io
import pathlib
import sys
import tokenize
from collections import Counter

sys.path.append(str(pathlib.Path(__file__).parent))

from coverage_page import between  # noqa: E402

KINDS = ("names", "rules", "code", "docstrings")
PARTS = {
    "`torch`": ("torch",),
    "`torchvision`": ("torchvision",),
    "`paddle`": ("paddle",),
    "in common: `_common`, `_pictures`": ("_common", "_pictures"),
}
RECORD = "_names.py"
RULES = {"Dialect", "EnforceNotMet"}  # what is called, or defined, to say rules
NAMING = {"row", "checked_row", "both", "updated", "setattr", "missing"}  # calls that give names


def written_lines(source):
    """The numbers of lines that have something beside comments."""
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    skipped |= {tokenize.ENCODING, tokenize.ENDMARKER}
    found = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in skipped:
            found.update(range(token.start[0], token.end[0] + 1))
    return found


def called(node):
    """The name of what a call calls; None if it is no call."""
    function = node.func if isinstance(node, ast.Call) else None
    return getattr(function, "attr", getattr(function, "id", None))


def is_naming(node):
    """Whether an expression only names things: constants, names, containers of such, rows."""
    if isinstance(node, (ast.Constant, ast.Name, ast.Attribute, ast.JoinedStr)):
        return True
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return all(map(is_naming, node.elts))
    if isinstance(node, ast.Dict):
        return all(one is None or is_naming(one) for one in (*node.keys, *node.values))
    if isinstance(node, ast.Starred):
        return is_naming(node.value)
    if called(node) in NAMING:
        return True
    split = called(node) in ("split", "frozenset", "set") and isinstance(node, ast.Call)
    inner = [node.func.value] if split and isinstance(node.func, ast.Attribute) else []
    return split and all(map(is_naming, [*inner, *node.args]))


def raises(body):
    """Whether statements do nothing but raise, perhaps after naming what is wrong."""
    *before, last = body
    return isinstance(last, ast.Raise) and all(isinstance(one, ast.Assign) for one in before)


def kind_of(node, inside):
    """The kind of a statement that is no function and no class; None if its parts have kinds."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return "names"
    if isinstance(node, ast.Raise):
        return "rules"
    if isinstance(node, ast.If) and raises(node.body):
        return "rules" if not node.orelse else None
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
        if called(node.value) in RULES or any(is_setting(one) for one in targets(node)):
            return "rules"
        return "names" if not inside and is_naming(node.value) else "code"
    if isinstance(node, ast.Expr) and called(node.value) in NAMING and not inside:
        return "names"
    return None if hasattr(node, "body") else "code"


def targets(node):
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def is_setting(target):
    return isinstance(target, ast.Name) and target.id in ("ERRORS", "rules")


class Lines:
    """The kinds of a file's lines, by their numbers."""

    def __init__(self, source):
        self.kinds = dict.fromkeys(written_lines(source), "code")
        self.visit(ast.parse(source), False)

    def mark(self, node, kind):
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        for line in range(first, node.end_lineno + 1):
            if line in self.kinds:
                self.kinds[line] = kind

    def visit(self, node, inside):
        """Marks what is in a module, a class, a function or a statement with a body."""
        for part in ("body", "orelse", "finalbody", "handlers"):
            for at, one in enumerate(getattr(node, part, ())):
                if at == 0 and part == "body" and is_docstring(node, one):
                    self.mark(one, "docstrings")
                else:
                    self.statement(one, inside)

    def statement(self, node, inside):
        function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        if isinstance(node, ast.ClassDef) and node.name in RULES:
            self.mark(node, "rules")
        elif function or isinstance(node, (ast.ClassDef, ast.ExceptHandler)):
            self.visit(node, inside or function)
        else:
            kind = kind_of(node, inside)
            if kind is None:
                self.visit(node, inside)
            else:
                self.mark(node, kind)


def is_docstring(owner, node):
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return isinstance(owner, owners) and text and isinstance(node.value.value, str)


def counted(folder):
    """How many lines of each kind the files of a folder have, and how many names are recorded."""
    found = Counter()
    for path in sorted(folder.rglob("*.py")):
        kinds = Lines(path.read_text()).kinds
        if path.name == RECORD:
            found["recorded"] += len(kinds)
        else:
            found.update(kinds.values())
            found["files"] += 1
    return found


def table(package):
    """The lines of all parts."""
    lines = "| lines of | names | rules | code | docstrings | all | recorded names | files |\n"
    lines += "| --- |" + " ---: |" * 7 + "\n"
    for title, folders in PARTS.items():
        found = sum((counted(package / folder) for folder in folders), Counter())
        every = sum(found[kind] for kind in KINDS)
        cells = [found[kind] for kind in KINDS] + [every, found["recorded"], found["files"]]
        lines += f"| {title} | " + " | ".join(f"{cell:,}" for cell in cells) + " |\n"
    return lines


def main():
    if not 2 <= len(sys.argv) <= 3:
        raise SystemExit(__doc__)
    made = table(pathlib.Path(sys.argv[1]))
    if len(sys.argv) == 2:
        print(made, end="")
        return
    page = pathlib.Path(sys.argv[2])
    page.write_text(between(page.read_text(), "dialect_lines.py", "lines", made))


if __name__ == "__main__":
    main()
