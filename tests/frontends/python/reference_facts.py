"""Facts of a reference as doctests: what the tests of dialects share.

A reference is a text beside the checkout, ../shared/reference, that was run on the real library: a
head that sets up names, then facts by number, with programs in blocks. Of exceptions the class is
compared. Where our contract asks for another answer, a table has it, beside the line of the program
that it belongs to. Errors about values come when the value is waited for: a doctest shows its values,
so that they come in the same place.
"""

import doctest
import pathlib
import re

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[4] / "shared/reference"
BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.M | re.S)


class Reference:
    """A reference by its file's name, and our answers by the number of the fact and the end of the line:
    a text, "" for nothing, or the class of an exception."""

    def __init__(self, name, ours):
        self.file, self.ours = FOLDER / name, ours

    def parts(self):
        """The head, and the facts by their numbers."""
        if not self.file.is_file():
            pytest.skip(f"the folder shared/reference with {self.file.name} is not beside the checkout")
        head, *rest = re.split(r"^(?=\d+\. )", self.file.read_text(), flags=re.M)
        return head, {int(part.partition(".")[0]): part for part in rest}

    def set_up(self):
        """What the head leaves behind."""
        names = {}
        assert failures(self._test(self.parts()[0], "set-up"), names) == ""
        return names

    def check(self, number, names):
        """A fact holds."""
        test = self._test(self.parts()[1][number], f"fact {number}")
        assert test.examples
        report = failures(with_ours(test, self.ours.get(number, {})), names)
        assert not report, report

    def _test(self, text, name):
        program = "\n".join(BLOCK.findall(text))
        return doctest.DocTestParser().get_doctest(program, {}, name, str(self.file), 0)


def with_ours(test, answers):
    """The test with our answers in place of the real ones; each must belong to one line."""
    for end, shown in answers.items():
        (example,) = [one for one in test.examples if one.source.rstrip("\n").endswith(end)]
        raises = isinstance(shown, type)
        example.exc_msg = f"{shown.__name__}: ours\n" if raises else None
        if not raises:
            example.want = f"{shown}\n" if shown else ""
    return test


def failures(test, names):
    """What a doctest runner says of the failures of a test."""
    report = []
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    test.globs = names
    runner = doctest.DocTestRunner(verbose=False, optionflags=flags)
    runner.run(test, out=report.append, clear_globs=False)
    return "".join(report)
