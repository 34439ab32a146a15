"""One library in a benchmark of a dialect: the real one, or ours under its name. It is a process that
answers a line for each question: `about`, `check ROW`, `time ROW`, and `counts` for ours (program.py)."""

import os
import subprocess
import sys
import timeit

import protocol
from peer import best_s

BURST = 2000
STEPS = 20  # of learning, before the loss is compared
IMPORTS = 5
IMPORT = """
import time
start = time.perf_counter()
import {}
print(1e3 * (time.perf_counter() - start))
"""


class Dialect:
    """What such a benchmark says of its library, in a class of its own.

    `name` is what programs import, `title` what it is called, `rows` are dialect_rows.Rows."""

    name = title = rows = None

    def about(self, module):
        """The real one's version and what matters of its settings."""
        raise NotImplementedError

    def names(self, module):
        """What statements see, beside the library, `wait` and `burst`."""
        raise NotImplementedError

    def values(self, module, tensor):
        """The elements of a result, in one row, as a list of numbers."""
        raise NotImplementedError

    def steps(self, module):
        """For rows of learning a function that does a step and gives the loss before it; statements
        see it under the row's name."""
        raise NotImplementedError


class Library:
    """A dialect's module made ready: the real one if `which` is its name, else ours."""

    def __init__(self, dialect, which):
        self.dialect, self.rows = dialect, dialect.rows
        if which == dialect.name:
            self.module, self.wait = __import__(dialect.name), lambda result: None
            self.text, self.imported = dialect.about(self.module), dialect.name
        else:
            import penstock
            self.module = penstock.install_as(dialect.name)
            self.wait = lambda result: penstock.waitall()
            self.text = (f"Penstock {penstock.__version__} as {dialect.title}, "
                         f"{penstock.engine.workers()} workers")
            self.imported = f"penstock.{dialect.name}"

    def about(self):
        return self.text

    def counts(self):
        import penstock
        penstock.waitall()
        stats = penstock.engine.stats()
        return stats.pushed, stats.executed


class Case:
    """A row of a library."""

    def __init__(self, library, row):
        self.library, self.row = library, row

    def names(self):
        library = self.library
        made = {library.dialect.name: library.module, "wait": library.wait, "burst": BURST}
        return made | library.dialect.names(library.module) | library.dialect.steps(library.module)

    def digest(self):
        """A number that depends on every element of the result."""
        library, row = self.library, self.row
        if row == "import" or row in library.rows.random:
            return 0.0
        step = library.dialect.steps(library.module).get(row)
        if step is not None:
            return [step().item() for _ in range(STEPS)][-1]
        names = self.names()
        exec(library.rows.statement(row)[0], names)
        values = library.dialect.values(library.module, names["z"])
        return sum((at + 1) * value for at, value in enumerate(values))

    def time(self, seconds):
        """Microseconds of one operation, or of a whole piece of a program; milliseconds of an import."""
        if self.row == "import":
            return self.import_ms()
        code, burst = self.library.rows.statement(self.row)
        one = best_s(timeit.Timer(code, globals=self.names()), seconds)
        return one * 1e6 / (BURST if burst else 1)

    def import_ms(self):
        """The best of several, each in a process of its own; the first one fills the caches."""
        command = [sys.executable, "-c", IMPORT.format(self.library.imported)]
        env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        return min(float(subprocess.run(command, env=env, capture_output=True, check=True, text=True)
                         .stdout.split()[-1]) for _ in range(IMPORTS))


def serve(doc, dialect):
    """The program that library.py is."""
    def make_answer(which, seconds):
        library = Library(dialect, which)
        return lambda words: protocol.answer_about(library, Case, seconds, words)

    protocol.serve_library(doc, make_answer)
