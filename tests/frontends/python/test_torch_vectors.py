"""What the real PyTorch 2.15.0 answered to the programs in tests/conformance/vectors is what ours
answers, apart from the differences that tests/conformance/torch_programs/differences.py lists.
record_torch.py there made them; `make conformance-torch` runs new ones against the real one."""

import contextlib
import os
import sys
import warnings

import pytest

import penstock

CONFORMANCE = os.path.join(os.path.dirname(__file__), "..", "..", "conformance")
sys.path.insert(0, os.path.abspath(CONFORMANCE))

import record  # noqa: E402
from torch_programs import compare, runner  # noqa: E402

VECTORS = record.read("torch_programs")
FAMILIES = list(dict.fromkeys(one["program"]["family"] for one in VECTORS))


@pytest.fixture(scope="module")
def torch():
    return runner.library("ours")


def answer(torch, program):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = runner.run_program(torch, program)
    with contextlib.suppress(Exception):
        penstock.waitall()  # the errors of values that no step waited for
    return made


def told(difference):
    """A program and how the answers differ, for people."""
    steps = difference.program["steps"]
    lines = [f"{'>' if at == difference.at else ' '} {step}" for at, step in enumerate(steps)]
    answers = [f"PyTorch: {difference.real}", f"ours:    {difference.ours}"]
    return "\n".join([difference.how, *lines, *answers])


@pytest.mark.parametrize("family", FAMILIES)
def test_answers_of_torch(torch, family):
    found = []
    for vector in VECTORS:
        if vector["program"]["family"] == family:
            ours = answer(torch, vector["program"])
            differences = compare.compare(vector["program"], vector["answer"], ours)
            found += [one for one in differences if not one.rule]
    assert not found, "\n\n".join(map(told, found[:5])) + f"\n\n{len(found)} differences"


def test_a_wrong_answer_is_found(torch):
    """The comparison can fail: an answer that was changed in one number is another answer."""
    program = {"family": "none", "seed": 0, "steps": ["a = torch.ones(2) + 1"]}
    recorded = answer(torch, program)
    recorded["steps"][0]["data"][0] += 1
    found = compare.compare(program, recorded, answer(torch, program))
    assert [one.how for one in found] == ["values"]


def test_a_family_makes_the_same_programs_again():
    from torch_programs.families import FAMILIES as families
    from torch_programs.families import make_program

    for name in families:
        assert make_program(name, 7) == make_program(name, 7) != make_program(name, 8)
