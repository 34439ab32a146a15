"""The program at the head of README.md prints what README.md says, but for the figures."""

import pathlib
import re
import subprocess
import sys

import pytest
from processes import LIMIT, environment

ROOT = pathlib.Path(__file__).parents[3]
EXAMPLES = sorted((ROOT / "examples/python").glob("*.py"))


def program_and_output():
    text = (ROOT / "README.md").read_text()
    return re.search(r"```python\n(.*?)```\n\n```\n(.*?)```", text, re.S).groups()


def run(*arguments):
    done = subprocess.run(
        [sys.executable, *arguments], env=environment(), capture_output=True, text=True, timeout=LIMIT
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def without_figures(text):
    return re.sub(r"\d+\.\d+", "#", text)


def test_it_comes_first_and_is_short():
    text = (ROOT / "README.md").read_text()
    program, _ = program_and_output()
    assert text.index("```python") == text.index("```") < 100
    assert len([line for line in program.splitlines() if line]) <= 10


# No product ends before the first line is printed.
GATED = """
import gate, sys
def print_and_open(*values):
    print(*values)
    gate.open()
gate.shut()
exec(sys.argv[1], {"print": print_and_open})
"""


def test_it_prints_what_is_said():
    program, output = program_and_output()
    printed = run("-c", GATED, program)
    assert without_figures(printed) == without_figures(output)
    queued, mean, complete = (float(figure) for figure in re.findall(r"\d+\.\d+", printed))
    assert queued <= complete
    assert 950 < mean < 1050


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples_run(path):
    assert run(str(path)).strip()
