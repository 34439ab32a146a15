"""What training is made of (tests/conformance/train): ours answers what PyTorch answered to the cases
in vectors/train_*.json.gz. `make record-train` records them anew."""

import os
import sys

import numpy
import pytest

CONFORMANCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "conformance"))
sys.path.insert(0, CONFORMANCE)

from train import answers, case, run  # noqa: E402

pytestmark = pytest.mark.usefixtures("nothing_recorded")


@pytest.mark.parametrize("family", answers.family_names())
def test_answers_of_pytorch(family):
    found, count = run.differences(family)
    assert not found, "\n".join(found[:5]) + f"\n{len(found)} of {count} cases differ"


def test_a_wrong_answer_is_found():
    """The comparison can fail."""
    one = case.Case("one", {}, None, None)
    wanted = {"y": numpy.ones(3, "float32")}
    assert answers.difference(one, wanted, {"y": numpy.ones(3, "float32")}) is None
    assert "y[1]" in answers.difference(one, wanted, {"y": numpy.array([1, 1.001, 1], "float32")})
    assert "shape" in answers.difference(one, wanted, {"y": numpy.ones((3, 1), "float32")})
    assert "results" in answers.difference(one, wanted, {"z": wanted["y"]})
