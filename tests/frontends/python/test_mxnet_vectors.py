"""What the real MXNet 1.9.1 answered to the programs in tests/conformance/vectors is what ours
answers, apart from the differences that tests/conformance/differences.py lists. record.py there
made them; `make conformance` runs new ones against the real one."""

import os
import sys

import pytest

CONFORMANCE = os.path.join(os.path.dirname(__file__), "..", "..", "conformance")
sys.path.insert(0, os.path.abspath(CONFORMANCE))

import compare  # noqa: E402
import record  # noqa: E402
import runner  # noqa: E402

BLOCK = 50  # programs in a test


def blocks():
    for name in ("facts", "nd", "np"):
        vectors = record.read(name)
        for start in range(0, len(vectors), BLOCK):
            yield pytest.param(vectors[start:start + BLOCK], id=f"{name}-{start}")


@pytest.fixture(scope="module")
def mx():
    return runner.library("ours")


def told(difference):
    """A program and how the answers differ, for people."""
    steps = difference.program["steps"]
    lines = [f"{'>' if at == difference.at else ' '} {step}" for at, step in enumerate(steps)]
    answers = [f"MXNet: {difference.real}", f"ours:  {difference.ours}"]
    return "\n".join([difference.how, *lines, *answers])


@pytest.mark.parametrize("vectors", list(blocks()))
def test_answers_of_mxnet(mx, vectors):
    found = []
    for vector in vectors:
        ours = runner.run_program(mx, vector["program"])
        differences = compare.compare(vector["program"], vector["answer"], ours)
        found += [d for d in differences if not d.rule]
    assert not found, "\n\n".join(map(told, found[:5])) + f"\n\n{len(found)} differences"


def test_a_wrong_answer_is_found(mx):
    """The comparison can fail: an answer that was changed in one number is another answer."""
    vector = next(v for v in record.read("facts") if v["program"]["fact"] == "12")
    vector["answer"]["steps"][0]["data"][0] += 1
    ours = runner.run_program(mx, vector["program"])
    assert [d.how for d in compare.compare(vector["program"], vector["answer"], ours)] == ["values"]
