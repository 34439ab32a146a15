"""What is known of PyTorch 2.15.0 holds here: each fact of the reference runs as a doctest.

The reference (../shared/reference beside the checkout) was run on the real one. Of exceptions the
class is compared. Where our contract asks for another answer, OURS has it, beside the line of the
program that it belongs to. Errors about values come when the value is waited for: a doctest shows
its values, so that they come in the same place.
"""

import doctest
import pathlib
import re

import penstock
import pytest

REFERENCE = pathlib.Path(__file__).resolve().parents[4] / "shared/reference"
FILE = REFERENCE / "torch-2.15.0-behaviour.md"
FACTS = range(1, 61)

# By the number of the fact: the end of a line of its program, and what ours shows.
OURS = {
    4: {
        # Imports are copies and exports are snapshots.
        "a[0] = 5; t, s": "(tensor([0., 0.]), tensor([0., 0.]))",
        "n[0] = 7; n, x": "(array([7., 1.], dtype=float32), tensor([2., 2.]))",
    },
    21: {
        # All is read before anything is written.
        "x[1:] = x[:-1]": "",
    },
    33: {
        # It waits for all that is queued.
        "torch.cuda.synchronize(torch.device('cpu'))": "",
    },
}

BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.M | re.S)


def parts():
    """The reference in parts: the head, and one for each fact, by its number."""
    if not FILE.is_file():
        pytest.skip(f"the folder shared/reference with {FILE.name} is not beside the checkout")
    head, *rest = re.split(r"^(?=\d+\. )", FILE.read_text(), flags=re.M)
    return head, {int(part.partition(".")[0]): part for part in rest}


def examples_of(text, name):
    """The programs of a part as one test, with our answers where those differ."""
    program = "\n".join(BLOCK.findall(text))
    return doctest.DocTestParser().get_doctest(program, {}, name, str(FILE), 0)


def with_ours(test, answers):
    """The test with our answers in place of the real ones; each must belong to one line."""
    for end, shown in answers.items():
        (example,) = [one for one in test.examples if one.source.rstrip("\n").endswith(end)]
        example.want = f"{shown}\n" if shown else ""
        example.exc_msg = None
    return test


def failures(test, names):
    """What a doctest runner says of the failures of a test."""
    report = []
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    test.globs = names
    runner = doctest.DocTestRunner(verbose=False, optionflags=flags)
    runner.run(test, out=report.append, clear_globs=False)
    return "".join(report)


@pytest.fixture
def names():
    """What the set-up of the reference leaves behind, in a process where torch is ours."""
    import warnings

    workers = penstock.engine.workers()
    torch = penstock.install_as("torch")
    found = {}
    with warnings.catch_warnings():  # the set-up silences them
        assert failures(examples_of(parts()[0], "set-up"), found) == ""
        assert found["torch"] is torch
        yield found
    torch.set_default_dtype(torch.float32)
    torch.set_printoptions(profile="default")
    penstock.engine.set_workers(workers)


def test_all_facts_are_there():
    assert list(parts()[1]) == list(FACTS)
    assert set(OURS) <= set(FACTS)


@pytest.mark.parametrize("number", FACTS)
def test_fact(number, names):
    test = examples_of(parts()[1][number], f"fact {number}")
    assert test.examples
    report = failures(with_ours(test, OURS.get(number, {})), names)
    assert not report, report
