"""What run.py says if a language does something else: a writer that is wrong must be found, with the
statement that it has wrong.

    test_differences.py <build folder> <folder of the library> <C compiler> <launcher>
"""

import contextlib
import io
import pathlib
import re
import sys
import tempfile
import unittest

import run
from compare import by_program, first_difference, without_place
from program import program
from statements import Call, walk
from write_c import C

BUILD, LIBRARY, COMPILER, LAUNCHER = (sys.argv[1:] + [""] * 4)[:4]


class Wrong(C):
    """C by somebody who takes sums for differences."""

    name = "wrong C"

    def row(self, row, args, options, result):
        return super().row("subtract" if row == "add" else row, args, options, result)


def run_with(writer, *more):
    """The exit status and the text of a run of C against another C."""
    text = io.StringIO()
    before, run.LANGUAGES = run.LANGUAGES, {"c": C, "other": writer}
    try:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(text):
            status = run.main(
                [f"--build={BUILD}", f"--library={LIBRARY}", f"--cc={COMPILER}", f"--output={folder}",
                 f"--launcher={LAUNCHER}", "--languages=c,other", *more]
            )  # fmt: skip
            left = sorted(path.name for path in pathlib.Path(folder).glob("**/*.c"))
    finally:
        run.LANGUAGES = before
    return status, text.getvalue(), left


class Differences(unittest.TestCase):
    def test_the_same_is_the_same_and_leaves_nothing(self):
        status, text, left = run_with(type("Again", (C,), {"name": "C again"}), "--programs=2")
        self.assertEqual((bool(status), left), (False, []))
        self.assertIn("2 programs in C, C again", text)
        self.assertIn("; 0 programs differ", text)

    def test_a_wrong_writer_is_found_with_its_statement(self):
        status, text, left = run_with(Wrong, "--programs=10")  # not all show what they add
        self.assertTrue(status)
        for seed, number in re.findall(r"program (\d+), statement (\d+): languages or settings", text):
            statements = {one.number: one for one in walk(program(int(seed)).statements)}
            self.assertEqual((type(statements[int(number)]), statements[int(number)].row), (Call, "add"))
        self.assertIn("  as data: Call(", text)
        self.assertIn("row='add'", text)
        self.assertRegex(text, r"(?s)  C:\n.*ps_add\(.*  wrong C:\n.*ps_subtract\(")
        self.assertIn("  sources: ", text)
        self.assertIn("programs_wrong.c", left)

    def test_a_line_that_was_changed_is_found(self):
        status, text, _ = run_with(type("Again", (C,), {"name": "C again"}), "--programs=1", "--spoil")
        self.assertTrue(status)
        self.assertRegex(text, r"C again, synchronous: 1\.\d+ .*\?\n")

    def test_a_program_that_ends_early_is_found(self):
        class Ending(C):
            name = "ending C"

            def end_program(self):
                return ["    exit(3);", *super().end_program()]

        status, text, _ = run_with(Ending, "--programs=1")
        self.assertTrue(status)
        self.assertIn("exit status 3", text)


class Lines(unittest.TestCase):
    def test_places_do_not_count_but_operations_do(self):
        lines = [
            f"1.2 error index: take: index 7 (in take, queued at {place})"
            for place in ("a.c, line 7", "b.py, line 12", "c.cpp, line (1)")
        ]
        self.assertEqual({without_place(line) for line in lines}, {"1.2 error index: take: index 7 (in take)"})
        self.assertEqual(without_place("1.2 int8 (3,) 00"), "1.2 int8 (3,) 00")

    def test_lines_that_are_missing_or_more_differ(self):
        one, two = ["1.0 x", "1.4 y"], ["1.0 x"]
        self.assertIsNone(first_difference({"a": one, "b": one}))
        self.assertEqual(first_difference({"a": one, "b": two}), (4, {"a": "1.4 y", "b": None}))
        self.assertEqual(first_difference({"a": ["1.2 z", "1.4 y"], "b": ["1.4 y"]})[0], 2)

    def test_lines_belong_to_programs(self):
        self.assertEqual(
            by_program("1.0 a\n2.0 b\n1.1 c\nSegmentation fault\n"),
            {1: ["1.0 a", "1.1 c"], 2: ["2.0 b"], None: ["Segmentation fault"]},
        )

    def test_a_seed_is_a_program(self):
        self.assertEqual(repr(program(5)), repr(program(5)))
        self.assertNotEqual(repr(program(5)), repr(program(6)))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
