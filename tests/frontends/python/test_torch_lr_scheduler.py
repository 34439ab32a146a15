"""Schedulers of the torch dialect: sixty steps against the real PyTorch 2.15.0's, warnings, errors.

The cases are in tests/conformance/torch_schedulers.py; record_torch_optim.py beside it recorded the
answers.
"""

import gzip
import json
import math
import pathlib
import sys
import warnings

import pytest

from penstock import torch

CONFORMANCE = pathlib.Path(__file__).resolve().parents[2] / "conformance"
sys.path.append(str(CONFORMANCE))

import torch_schedulers  # noqa: E402

S = torch.optim.lr_scheduler

with gzip.open(CONFORMANCE / "vectors" / "torch_schedulers.json.gz", "rt") as file:
    RECORDED = {tuple(row[:3]): row[3] for row in map(json.loads, file)}


def optimizer(groups=1, kind="SGD", **options):
    params = [{"params": [torch.zeros(1, requires_grad=True)]} for _ in range(groups)]
    return getattr(torch.optim, kind)(params, lr=0.1, **options)


def run(scheduler, steps):
    """The rates of the first group, step by step."""
    found = []
    for _ in range(steps):
        scheduler.optimizer.step()
        scheduler.step()
        found.append(scheduler.get_last_lr()[0])
    return found


def same(found, wanted):
    """Whether states are equal, numbers nearly."""
    if isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(same(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    if isinstance(wanted, float):
        return math.isclose(found, wanted, rel_tol=1e-8, abs_tol=1e-12)
    return found == wanted


# ---- Rates ---------------------------------------------------------------------------------------


def test_every_case_was_recorded():
    assert list(RECORDED) == list(torch_schedulers.cases())
    here = set(S.__all__) - {"LRScheduler"}
    assert here == set(torch_schedulers.SCHEDULERS)


@pytest.mark.parametrize("name", torch_schedulers.SCHEDULERS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_rates_are_those_of_torch(name):
    for case, wanted in RECORDED.items():
        if case[0] != name:
            continue
        found = torch_schedulers.answer(torch, *case)
        for step, (row, wanted_row) in enumerate(zip(found["rates"], wanted["rates"], strict=True)):
            assert row == pytest.approx(wanted_row, rel=1e-8, abs=1e-12), f"{case}, step {step}"
        assert same(found["state"], wanted["state"]), f"{case}: {found['state']}"


def test_rates_by_hand():
    assert run(S.StepLR(optimizer(), 2, 0.5), 4) == pytest.approx([0.1, 0.05, 0.05, 0.025])
    assert run(S.LambdaLR(optimizer(), lambda epoch: 1 / (epoch + 1)), 3) == pytest.approx(
        [0.05, 0.1 / 3, 0.025]
    )
    assert run(S.PolynomialLR(optimizer(), 2), 4) == pytest.approx([0.05, 0, 0, 0])
    assert run(S.CosineAnnealingLR(optimizer(), 2), 2) == pytest.approx([0.05, 0.0], abs=1e-12)


def test_the_rates_are_the_optimizers():
    weight = torch.ones(1, requires_grad=True)
    sgd = torch.optim.SGD([weight], lr=1.0)
    scheduler = S.ExponentialLR(sgd, 0.5)
    for _ in range(3):
        weight.grad = torch.ones(1)
        sgd.step()
        scheduler.step()
    assert weight.item() == 1 - 1 - 0.5 - 0.25 and sgd.param_groups[0]["lr"] == 0.125


def test_restarts_by_fractions():
    scheduler = S.CosineAnnealingWarmRestarts(optimizer(), 3, 2)
    found = []
    for epoch in (0, 1.5, 3, 6, 8.25, 9, 15):
        scheduler.step(epoch)
        found.append((scheduler.get_last_lr()[0], scheduler.T_i, scheduler.last_epoch))
    down = 0.05 * (1 + math.cos(math.pi * 5.25 / 6))
    assert found == [
        (pytest.approx(rate), period, last)
        for rate, period, last in (
            *((0.1, 3, 0), (0.05, 3, 1), (0.1, 6, 3), (0.05, 6, 6)),
            *((down, 6, 8), (0.1, 12, 9), (0.05, 12, 15)),
        )
    ]


def test_a_rate_in_a_tensor_stays_that():
    rate = torch.tensor(0.5)
    sgd = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=rate)
    scheduler = S.ExponentialLR(sgd, 0.5)
    run(scheduler, 2)
    assert sgd.param_groups[0]["lr"] is rate and rate.item() == 0.125
    assert scheduler.get_last_lr()[0] is not rate and scheduler.base_lrs[0].item() == 0.5


def test_plateaus_take_tensors():
    scheduler = S.ReduceLROnPlateau(optimizer(), patience=0, factor=0.5)
    for loss in (torch.tensor(1.0), 2.0, torch.tensor(0.5), torch.tensor(0.7)):
        scheduler.step(loss)
    assert scheduler.get_last_lr() == pytest.approx([0.025]) and scheduler.best == 0.5


def test_groups_that_are_added_later():
    sgd = optimizer()
    scheduler = S.ReduceLROnPlateau(sgd, patience=0)
    scheduler.step(1.0)
    sgd.add_param_group({"params": [torch.ones(1)], "lr": 0.5})
    scheduler.step(2.0)
    assert scheduler.get_last_lr() == pytest.approx([0.01, 0.05]) and scheduler.min_lrs == [0, 0]


def test_a_scheduler_of_the_users():
    class Halved(S.LRScheduler):
        def get_lr(self):
            return [group["lr"] * 0.5 for group in self.optimizer.param_groups]

    scheduler = Halved(optimizer())
    assert run(scheduler, 2) == [0.025, 0.0125]
    assert scheduler.state_dict()["last_epoch"] == 2 and "optimizer" not in scheduler.state_dict()
    with pytest.raises(NotImplementedError):
        S.LRScheduler(optimizer())


# ---- Warnings ------------------------------------------------------------------------------------


def test_the_order_of_steps():
    scheduler = S.StepLR(optimizer(), 2)
    with pytest.warns(UserWarning, match="before `optimizer.step"):
        scheduler.step()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scheduler.step()
        run(S.StepLR(optimizer(), 2), 3)
        run(S.StepLR(optimizer(kind="Adamax"), 2), 3)
    sgd = optimizer()
    scheduler = S.StepLR(sgd, 2)
    sgd.step = lambda: None
    with pytest.warns(UserWarning, match="overridden"):
        scheduler.step()


def test_epochs_and_rates_that_should_not_be_asked_for():
    scheduler = S.StepLR(optimizer(), 2)
    scheduler.optimizer.step()
    with pytest.warns(UserWarning, match="epoch parameter"):
        scheduler.step(4)
    assert scheduler.get_last_lr() == pytest.approx([0.001])
    with pytest.warns(UserWarning, match="get_last_lr"):
        scheduler.get_lr()


# ---- Errors --------------------------------------------------------------------------------------


def test_what_cannot_be():
    for make, error, text in (
        (lambda: S.StepLR(3, 2), TypeError, "int is not an Optimizer"),
        (lambda: S.StepLR(optimizer(), 2, last_epoch=3), KeyError, "initial_lr"),
        (lambda: S.LambdaLR(optimizer(2), [abs]), ValueError, "Expected 2 lr_lambdas, but got 1"),
        (lambda: S.ConstantLR(optimizer(), 2.0), ValueError, "between 0 and 1"),
        (lambda: S.LinearLR(optimizer(), 0), ValueError, "greater than 0"),
        (lambda: S.LinearLR(optimizer(), 0.5, 2), ValueError, "between 0 and 1"),
        (lambda: S.OneCycleLR(optimizer(momentum=0.9), 0.1), ValueError, "total_steps"),
        (lambda: S.OneCycleLR(optimizer(), 0.1, 0), ValueError, "positive integer total_steps"),
        (lambda: S.OneCycleLR(optimizer(kind="Adagrad"), 0.1, 9), ValueError, "momentum or beta1"),
        (lambda: S.CyclicLR(optimizer(), 0.1, 0.2, mode="x"), ValueError, "mode is invalid"),
        (lambda: S.CyclicLR(optimizer(2), [0.1], 0.2), ValueError, "base_lr has 1 values"),
        (lambda: S.ReduceLROnPlateau(optimizer(), factor=1.0), ValueError, "Factor should be"),
        (lambda: S.ReduceLROnPlateau(optimizer(), mode="x"), ValueError, "mode x is unknown"),
        (lambda: S.CosineAnnealingWarmRestarts(optimizer(), 0), ValueError, "T_0, but got 0"),
        (lambda: S.SequentialLR(optimizer(), [], []), ValueError, "at least one scheduler"),
        (lambda: S.ChainedScheduler([]), ValueError, "at least one scheduler"),
    ):
        with pytest.raises(error, match=text):
            make()
    sgd = optimizer()
    with pytest.raises(ValueError, match="number of schedulers 1"):
        S.SequentialLR(sgd, [S.ConstantLR(sgd)], [3])
    with pytest.raises(ValueError, match="same optimizer"):
        S.SequentialLR(sgd, [S.ConstantLR(sgd), S.ConstantLR(optimizer())], [3])
    with pytest.raises(ValueError, match="ReduceLROnPlateau"):
        S.ChainedScheduler([S.ReduceLROnPlateau(sgd)])


def test_more_steps_than_a_cycle_has():
    scheduler = S.OneCycleLR(optimizer(momentum=0.9), 0.1, 5)
    run(scheduler, 5)
    with pytest.raises(ValueError, match="Tried to step 6 times"):
        run(scheduler, 1)


def test_what_is_not_here_is_named():
    with pytest.raises(AttributeError, match="SomethingLR"):
        S.SomethingLR
