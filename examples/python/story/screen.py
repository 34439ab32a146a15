"""Text for the reader, with a progress bar below it while figures are measured.

The bar is drawn on terminals only. Elsewhere each step is a line of its own.
"""

import shutil
import sys
import textwrap

BAR = 24
WIDTH = 100


class Screen:
    def __init__(self, steps, out=None):
        self.out = out or sys.stdout
        self.bar = self.out.isatty()
        self.steps = steps
        self.done = 0
        self.name = ""

    def heading(self, text):
        self.say(f"\n{text}\n{'=' * len(text)}")

    def tell(self, text):
        """A paragraph, filled."""
        self.say(textwrap.fill(" ".join(text.split()), WIDTH))

    def say(self, text=""):
        """Lines as they are."""
        self._clear()
        print(text, file=self.out, flush=True)
        self._draw()

    def step(self, name):
        """The next thing that takes time begins."""
        self.done = min(self.done + 1, self.steps)
        self.name = name
        if not self.bar:
            print(f"   ({self.done} of {self.steps}: {name})", file=self.out, flush=True)
        self._draw()

    def end(self):
        self._clear()
        self.name = ""

    def _clear(self):
        if self.bar and self.name:
            self.out.write("\r\x1b[K")

    def _draw(self):
        if self.bar and self.name:
            self.out.write("\r\x1b[K" + self._text())
            self.out.flush()

    def _text(self):
        full = BAR * self.done // self.steps
        room = shutil.get_terminal_size().columns - 1
        return f"[{'#' * full}{'.' * (BAR - full)}] {self.done}/{self.steps} {self.name}"[:room]
