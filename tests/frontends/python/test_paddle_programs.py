"""What the real PaddlePaddle 3.3.1 answered to the programs in tests/conformance/vectors is what ours
answers, apart from the differences that tests/conformance/paddle_programs/differences.py lists.
record_paddle_programs.py there made them; `make conformance-paddle` runs new ones against the real
one."""

import os
import sys

import pytest

CONFORMANCE = os.path.join(os.path.dirname(__file__), "..", "..", "conformance")
sys.path.insert(0, os.path.abspath(CONFORMANCE))

import record  # noqa: E402
from dialect_programs import compare, recorded  # noqa: E402
from paddle_programs import differences  # noqa: E402
from paddle_programs.dialect import PADDLE  # noqa: E402
from paddle_programs.runner import PaddleRunner  # noqa: E402

VECTORS = record.read("paddle_programs")
FAMILIES = list(dict.fromkeys(one["program"]["family"] for one in VECTORS))


@pytest.fixture(scope="module")
def runner():
    return PaddleRunner("ours")


@pytest.mark.parametrize("family", FAMILIES)
def test_answers_of_paddle(runner, family):
    vectors = [one for one in VECTORS if one["program"]["family"] == family]
    found = recorded.unexplained(PADDLE, runner, vectors)
    shown = "\n\n".join(map(recorded.told, found[:5]))
    assert not found, f"{shown}\n\n{len(found)} differences"


def test_a_wrong_answer_is_found(runner):
    """The comparison can fail: an answer that was changed in one number is another answer."""
    program = {"family": "none", "seed": 0, "steps": ["a = paddle.ones([2]) + 1"]}
    answer = recorded.answer_of_ours(runner, program)
    answer["steps"][0]["data"][0] += 1
    ours = recorded.answer_of_ours(runner, program)
    found = compare.compare(program, answer, ours, PADDLE.known_difference)
    assert [(one.how, one.rule) for one in found] == [("values", None)]


def test_a_family_makes_the_same_programs_again():
    families = PADDLE.families
    for name in families:
        once, again, other = (families.make_program(name, number) for number in (7, 7, 8))
        assert once == again != other


def test_rules_have_names_of_their_own_and_reasons():
    names = [rule.name for rule in differences.RULES]
    assert len(set(names)) == len(names)
    assert all(len(rule.why) > 10 for rule in differences.RULES)
