"""Runs the cells of one section in one namespace, and prints how far they got as JSON.

    python -m book.run_section real|ours DIALECT BOOK SECTION CELL_SECONDS

The current folder has the stand-in files beside it, in ../data and ../img."""

import ast
import contextlib
import importlib
import io
import json
import multiprocessing
import os
import signal
import sys
import time
import traceback
import types
import warnings

from . import changes, dialects, sections


class Tab:
    """The book's choice of a framework."""

    def __init__(self, chosen):
        self.chosen = chosen

    def selected(self, *names):
        given = [one for name in names for one in ([name] if isinstance(name, str) else name)]
        return self.chosen in given

    @staticmethod
    def interact_select(*names):
        """Nothing is shown."""


def too_long(*signal_and_frame):
    raise TimeoutError("the cell takes too long")


def run_cell(code, name, namespace, changed):
    """Runs a cell; shows the value of its last expression, as a notebook does."""
    tree = ast.parse(code, name)
    for transform in changed:
        tree = transform.visit(tree)
    shown = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), namespace)
    if shown is not None:
        value = eval(compile(ast.Expression(shown.value), name, "eval"), namespace)
        if value is not None:
            print(repr(value))
    namespace["d2l"].plt.close("all")


def what_failed(error, cells):
    """The error, with the program's line and ours."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if frame.filename.startswith("<cell ")]
    line = ""
    if inside:
        lines = cells[int(inside[-1].filename[6:-1])].split("\n")
        line = lines[inside[-1].lineno - 1].strip()
    where = f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}"
    return {"type": type(error).__name__, "text": str(error), "line": line, "where": where}


def run(cells, seconds, wait, given, changed):
    """How far the cells got, as the module __main__. All that they queued is waited for."""
    sys.modules["__main__"] = types.ModuleType("__main__")  # where pickles look for their classes
    namespace = vars(sys.modules["__main__"])
    namespace.update(given)
    shown, number = io.StringIO(), 0
    try:
        with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
            for number, code in enumerate(cells):
                signal.alarm(seconds)
                run_cell(code, f"<cell {number}>", namespace, changed)
                wait()
    except BaseException as error:  # whatever ends a program is part of the answer
        signal.alarm(0)
        return {"finished": False, "done": number, "error": what_failed(error, cells)}
    signal.alarm(0)
    return {"finished": True, "done": len(cells)}


def main():
    which, dialect, folder, section, seconds = sys.argv[1:]
    warnings.simplefilter("ignore")
    if which == "ours":
        import penstock

        penstock.install_as(dialect)
    book, library = dialects.BOOKS[dialect], importlib.import_module(dialect)
    changed = importlib.import_module(book.changes)
    cells = changes.cut_sizes(section, sections.source(folder, section, book), changed.CUTS)
    given = {"tab": Tab(book.tab), "d2l": changed.patch()}
    signal.signal(signal.SIGALRM, too_long)
    begin = time.monotonic()
    wait = changed.wait if which == "ours" else lambda: None
    answer = run(cells, int(seconds), wait, given, changed.TRANSFORMS)
    took = round(time.monotonic() - begin, 1)
    answer.update(section=section, cells=len(cells), seconds=took, version=library.__version__)
    print(json.dumps(answer), flush=True)
    for worker in multiprocessing.active_children():  # they would keep what was printed open
        worker.kill()
    os._exit(0)  # a cell that ran out of time may have left work behind


if __name__ == "__main__":
    main()
