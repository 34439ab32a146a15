"""Optimisers of the MXNet dialect: twenty steps of each, with each of its options, against what the
real MXNet 1.9.1 did.

The cases are in tests/conformance/mxnet_optimizers.py; record_mxnet_optimizers.py beside it
recorded the answers.
"""

import gzip
import json
import pathlib
import sys

import pytest

from penstock import mxnet as mx

CONFORMANCE = pathlib.Path(__file__).resolve().parents[2] / "conformance"
sys.path.append(str(CONFORMANCE))

import mxnet_optimizers  # noqa: E402

with gzip.open(CONFORMANCE / "vectors" / "mxnet_optimizers.json.gz", "rt") as file:
    RECORDED = {tuple(row[:2]): row[2] for row in map(json.loads, file)}

# What the real one has no kernels for.
MORE = {
    ("signum", "no momentum, decay apart"),
    *((name, "float64") for name in ("adagrad", "rmsprop", "adadelta", "ftrl")),
}


def test_every_case_was_recorded():
    assert list(RECORDED) == list(mxnet_optimizers.cases())
    assert MORE == {case for case, wanted in RECORDED.items() if "raises" in wanted}


def test_every_optimizer_has_cases_but_the_random_one():
    there = {name for name, kind in mx.optimizer.Optimizer.opt_registry.items() if _ours(kind)}
    assert there == set(mxnet_optimizers.OPTIONS) | {"sgld"}


def _ours(kind):
    return kind.__module__.startswith("mxnet.")


@pytest.mark.parametrize("name", mxnet_optimizers.OPTIONS)
def test_steps_are_those_of_mxnet(name):
    for (of, option), wanted in RECORDED.items():
        if of != name:
            continue
        found = mxnet_optimizers.answer(mx, name, option)
        if (name, option) in MORE:
            assert "weights" in found, f"{name}, {option}: {found}"
            continue
        # A float16 weight may be rounded to either side.
        relative = 2e-3 if "float16" in option else 1e-5
        for wanted_step, step in zip(wanted["weights"], found["weights"], strict=True):
            assert step == pytest.approx(wanted_step, rel=relative, abs=5e-7), f"{name}, {option}"
