"""The rows of a benchmark of a dialect against the library whose programs it runs: statements that are
the same in both."""

from common.row import Row

IMPORT_MS = 30


class Rows:
    """Calls, done many times before a wait; whole pieces of programs, done once; and the import.

    `calls` and `whole` have for each name what the row is called, its statement, which binds `z` in
    a call, and how many times cheaper it must be. Of rows in `random` the values differ."""

    def __init__(self, peer, calls, whole, random=()):
        self.peer, self.calls, self.whole = peer, calls, whole
        self.random = random

    def statement(self, row):
        """The code of a row by name, and whether it is run many times before a wait."""
        if row in self.whole:
            return self.whole[row][1], False
        return f"for _ in range(burst): {self.calls[row][1]}\nwait(z)", True

    def all(self):
        made = [Row(name, title, times=1 / cheaper, against=(self.peer,))
                for name, (title, _, cheaper) in (self.calls | self.whole).items()]
        return [*made, Row("import", f"import {self.peer}", limit=IMPORT_MS, unit="ms")]
