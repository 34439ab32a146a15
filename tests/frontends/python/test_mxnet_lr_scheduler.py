"""mx.lr_scheduler: the numbers of MXNet 1.9.1, of calls one after the other."""

import pickle

import pytest

from penstock import mxnet as mx

schedules = mx.lr_scheduler


def rates(schedule, count):
    return [schedule(update) for update in range(count)]


@pytest.mark.parametrize(
    ("schedule", "wanted"),
    [
        (schedules.FactorScheduler(2, 0.5, base_lr=1.0), [1, 1, 1, 0.5, 0.5, 0.25, 0.25, 0.125]),
        (
            schedules.FactorScheduler(3, 0.1, stop_factor_lr=0.02, base_lr=1.0),
            [1, 1, 1, 1, 0.1, 0.1, 0.1, 0.02, 0.02, 0.02, 0.02],
        ),
        (
            schedules.MultiFactorScheduler([3, 5], 0.5, base_lr=0.1, warmup_steps=1),
            [0, 0.1, 0.1, 0.1, 0.05, 0.05, 0.025, 0.025],
        ),
        (schedules.PolyScheduler(4, base_lr=1.0), [1, 0.5625, 0.25, 0.0625, 0, 0]),
        (
            schedules.PolyScheduler(10, 1.0, 1, 0.1, 3, 0.2, "constant"),
            [0.2, 0.2, 0.2, 1, 1 - 0.9 / 7, 1 - 1.8 / 7],
        ),
        (
            schedules.CosineScheduler(4, base_lr=1.0, final_lr=0.5),
            [1, 0.9267767, 0.75, 0.5732233, 0.5],
        ),
        (
            schedules.CosineScheduler(10, 1.0, 0.1, 3, 0.2),
            [0.2, 0.4666667, 0.7333333, 1.0, 0.955436, 0.8305704],
        ),
    ],
)
def test_rates_are_those_of_mxnet(schedule, wanted):
    assert rates(schedule, len(wanted)) == pytest.approx(wanted, rel=1e-6)


def test_a_schedule_remembers_where_it_is():
    schedule = schedules.MultiFactorScheduler([1, 2, 3], 0.5, base_lr=1.0)
    assert [schedule(10), schedule(1)] == [0.125, 0.125]
    assert schedule.base_lr == 0.125 and schedule.cur_step_ind == 3
    cosine = schedules.CosineScheduler(10, base_lr=1.0)
    cosine(5)
    assert cosine(11) == pytest.approx(0.5)  # the last one before the end


def test_changes_are_logged(caplog):
    caplog.set_level("INFO")
    rates(schedules.FactorScheduler(1, 0.5, stop_factor_lr=0.4, base_lr=1.0), 4)
    assert caplog.messages == [
        "Update[2]: the rate is 5.00000e-01 now",
        "Update[3]: the rate is 4.00000e-01 now, and stays so",
    ]


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: schedules.FactorScheduler(0), ValueError),
        (lambda: schedules.FactorScheduler(1, 2), ValueError),
        (lambda: schedules.MultiFactorScheduler([2, 1]), ValueError),
        (lambda: schedules.MultiFactorScheduler([0, 1]), ValueError),
        (lambda: schedules.MultiFactorScheduler((1, 2)), AssertionError),
        (lambda: schedules.PolyScheduler(0), ValueError),
        (lambda: schedules.CosineScheduler(1.5), AssertionError),
        (lambda: schedules.LRScheduler(1, -1), ValueError),
        (lambda: schedules.LRScheduler(1, 1.5), AssertionError),
        (lambda: schedules.LRScheduler(1, 1, 2), ValueError),
        (lambda: schedules.LRScheduler(1, 1, 0, "steep"), ValueError),
        (lambda: schedules.LRScheduler()(1), NotImplementedError),
        (lambda: schedules.LRScheduler(1, 2).get_warmup_lr(2), AssertionError),
    ],
)
def test_arguments_that_make_no_sense_raise(make, error):
    with pytest.raises(error):
        make()


def test_schedules_can_be_pickled():
    schedule = schedules.FactorScheduler(2, 0.5, base_lr=1.0)
    rates(schedule, 4)
    again = pickle.loads(pickle.dumps(schedule))
    assert rates(again, 7)[4:] == rates(schedule, 7)[4:]
    assert type(again).__module__ == "mxnet.lr_scheduler"
