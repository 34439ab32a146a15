"""What the real PaddlePaddle 3.3.1 answered to expressions is what ours answers, apart from the
differences that tests/conformance/paddle_expressions.py lists. record_paddle.py there made them."""

import gzip
import json
import pathlib
import sys

import penstock
import pytest

CONFORMANCE = pathlib.Path(__file__).resolve().parents[2] / "conformance"
sys.path.insert(0, str(CONFORMANCE))

import paddle_expressions  # noqa: E402

VECTORS = CONFORMANCE / "vectors" / "paddle_expressions.json.gz"


def recorded():
    with gzip.open(VECTORS, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.fixture(autouse=True)
def wait_for_errors():
    """Some values divide by zero, and nothing waits for them."""
    yield
    while True:
        try:
            return penstock.waitall()
        except RuntimeError as error:
            assert "ZeroDivisionError" in str(error)


@pytest.mark.parametrize("kind", ["value", "gradient", "write"])
def test_answers(kind):
    from penstock import paddle

    wrong, count = [], 0
    for case, real in recorded():
        if case[0] != kind:
            continue
        count += 1
        ours = json.loads(json.dumps(paddle_expressions.answer(paddle, case)))
        if not paddle_expressions.same(real, ours) and not paddle_expressions.reason(case, real):
            wrong.append(f"{' '.join(case)}\n    real {real}\n    ours {ours}")
    assert count > 100
    assert not wrong, "\n".join([f"{len(wrong)} of {count}", *wrong])


def test_known_differences_are_there():
    """Each pattern of what differs belongs to an answer that does."""
    from penstock import paddle

    seen = set()
    for case, real in recorded():
        why = paddle_expressions.reason(case, real)
        if why is not None and why not in seen:
            ours = json.loads(json.dumps(paddle_expressions.answer(paddle, case)))
            if not paddle_expressions.same(real, ours):
                seen.add(why)
    known = {*paddle_expressions.BY_ANSWER.values(), *paddle_expressions.BY_CASE.values()}
    assert seen == known
