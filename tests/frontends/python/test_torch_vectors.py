"""What the real PyTorch 2.15.0 answered to the programs in tests/conformance/vectors is what ours
answers, apart from the differences that tests/conformance/torch_programs/differences.py lists.
record_torch.py there made them; `make conformance-torch` runs new ones against the real one."""

import os
import sys

import pytest

CONFORMANCE = os.path.join(os.path.dirname(__file__), "..", "..", "conformance")
sys.path.insert(0, os.path.abspath(CONFORMANCE))

import record  # noqa: E402
from dialect_programs import compare, recorded  # noqa: E402
from torch_programs.dialect import TORCH  # noqa: E402
from torch_programs.runner import TorchRunner  # noqa: E402

VECTORS = record.read("torch_programs")
FAMILIES = list(dict.fromkeys(one["program"]["family"] for one in VECTORS))


@pytest.fixture(scope="module")
def runner():
    return TorchRunner("ours")


@pytest.mark.parametrize("family", FAMILIES)
def test_answers_of_torch(runner, family):
    vectors = [one for one in VECTORS if one["program"]["family"] == family]
    found = recorded.unexplained(TORCH, runner, vectors)
    shown = "\n\n".join(map(recorded.told, found[:5]))
    assert not found, f"{shown}\n\n{len(found)} differences"


def test_a_wrong_answer_is_found(runner):
    """The comparison can fail: an answer that was changed in one number is another answer."""
    program = {"family": "none", "seed": 0, "steps": ["a = torch.ones(2) + 1"]}
    answer = recorded.answer_of_ours(runner, program)
    answer["steps"][0]["data"][0] += 1
    found = compare.differences(program, answer, recorded.answer_of_ours(runner, program))
    assert [one.how for one in found] == ["values"]


def test_a_family_makes_the_same_programs_again():
    families = TORCH.families
    for name in families:
        once, again, other = (families.make_program(name, number) for number in (7, 7, 8))
        assert once == again != other
