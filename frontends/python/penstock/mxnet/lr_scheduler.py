"""mx.lr_scheduler: learning rates as functions of how many updates there were.

A scheduler remembers where it is: it is called with numbers that do not fall.

>>> from penstock.mxnet import lr_scheduler
>>> schedule = lr_scheduler.FactorScheduler(step=2, factor=0.5, base_lr=1.0)
>>> [schedule(update) for update in range(6)]
[1.0, 1.0, 1.0, 0.5, 0.5, 0.25]
"""

import logging
from math import cos, pi

from ._missing import missing
from ._pickles import Pickled

__all__ = [
    "CosineScheduler",
    "FactorScheduler",
    "LRScheduler",
    "MultiFactorScheduler",
    "PolyScheduler",
]


class LRScheduler(Pickled):
    """What schedulers derive from: a rate to begin with, and the updates before it is reached."""

    __module__ = "mxnet.lr_scheduler"

    def __init__(self, base_lr=0.01, warmup_steps=0, warmup_begin_lr=0, warmup_mode="linear"):
        assert isinstance(warmup_steps, int), f"warmup_steps must be int, not {warmup_steps!r}"
        self.base_lr = base_lr
        self.warmup_steps = warmup_steps
        self.warmup_final_lr = base_lr
        self.warmup_begin_lr = warmup_begin_lr
        self.warmup_mode = warmup_mode
        if warmup_begin_lr > base_lr:
            raise ValueError(f"warmup_begin_lr {warmup_begin_lr} is more than base_lr {base_lr}")
        if warmup_steps < 0:
            raise ValueError(f"warmup_steps must be 0 or more, not {warmup_steps}")
        if warmup_mode not in ("linear", "constant"):
            raise ValueError(f"warmup_mode must be 'linear' or 'constant', not {warmup_mode!r}")

    def get_warmup_lr(self, num_update):
        """The rate of an update before the warm-up is over."""
        assert num_update < self.warmup_steps, f"the warm-up is over at update {num_update}"
        if self.warmup_mode == "constant":
            return self.warmup_begin_lr
        rise = self.warmup_final_lr - self.warmup_begin_lr
        return self.warmup_begin_lr + rise * float(num_update) / float(self.warmup_steps)

    def __call__(self, num_update):
        raise NotImplementedError("must override this")


def _check_factor(factor):
    if factor > 1.0:
        raise ValueError(f"factor {factor} would raise the rate: it must be at most 1")


class FactorScheduler(LRScheduler):
    """The rate times `factor` after every `step` updates, but not below stop_factor_lr."""

    __module__ = "mxnet.lr_scheduler"

    def __init__(
        self,
        step,
        factor=1,
        stop_factor_lr=1e-8,
        base_lr=0.01,
        warmup_steps=0,
        warmup_begin_lr=0,
        warmup_mode="linear",
    ):
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        if step < 1:
            raise ValueError(f"step must be at least 1 update, not {step}")
        _check_factor(factor)
        self.step = step
        self.factor = factor
        self.stop_factor_lr = stop_factor_lr
        self.count = 0

    def __call__(self, num_update):
        if num_update < self.warmup_steps:
            return self.get_warmup_lr(num_update)
        while num_update > self.count + self.step:
            self.count += self.step
            self.base_lr *= self.factor
            if self.base_lr < self.stop_factor_lr:
                self.base_lr = self.stop_factor_lr
                logging.info(
                    "Update[%d]: the rate is %0.5e now, and stays so",
                    num_update,
                    self.base_lr,
                )
            else:
                _log_change(num_update, self.base_lr)
        return self.base_lr


def _log_change(num_update, rate):
    logging.info("Update[%d]: the rate is %0.5e now", num_update, rate)


class MultiFactorScheduler(LRScheduler):
    """The rate times `factor` after each of the numbers of updates in the list `step`."""

    __module__ = "mxnet.lr_scheduler"

    def __init__(
        self,
        step,
        factor=1,
        base_lr=0.01,
        warmup_steps=0,
        warmup_begin_lr=0,
        warmup_mode="linear",
    ):
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        assert isinstance(step, list) and step, f"step must be a list of updates, not {step!r}"
        if any(after <= before for before, after in zip(step, step[1:])):
            raise ValueError(f"each number of step must be higher than the one before: {step}")
        if step[0] < 1:
            raise ValueError(f"step must begin with at least 1 update, not {step[0]}")
        _check_factor(factor)
        self.step = step
        self.cur_step_ind = 0
        self.factor = factor
        self.count = 0

    def __call__(self, num_update):
        if num_update < self.warmup_steps:
            return self.get_warmup_lr(num_update)
        while self.cur_step_ind < len(self.step) and num_update > self.step[self.cur_step_ind]:
            self.count = self.step[self.cur_step_ind]
            self.cur_step_ind += 1
            self.base_lr *= self.factor
            _log_change(num_update, self.base_lr)
        return self.base_lr


class _Curve(LRScheduler):
    """From the first rate after the warm-up to final_lr at max_update, along `_left`."""

    def __init__(self, max_update, base_lr, final_lr, *warmup):
        super().__init__(base_lr, *warmup)
        assert isinstance(max_update, int), f"max_update must be int, not {max_update!r}"
        if max_update < 1:
            raise ValueError(f"max_update must be at least 1, not {max_update}")
        self.base_lr_orig = self.base_lr
        self.max_update = max_update
        self.final_lr = final_lr
        self.max_steps = self.max_update - self.warmup_steps

    def __call__(self, num_update):
        if num_update < self.warmup_steps:
            return self.get_warmup_lr(num_update)
        if num_update <= self.max_update:
            gone = float(num_update - self.warmup_steps) / float(self.max_steps)
            self.base_lr = self.final_lr + (self.base_lr_orig - self.final_lr) * self._left(gone)
        return self.base_lr


class PolyScheduler(_Curve):
    """From base_lr to final_lr at max_update, by what is left to the power of `pwr`."""

    __module__ = "mxnet.lr_scheduler"

    def __init__(
        self,
        max_update,
        base_lr=0.01,
        pwr=2,
        final_lr=0,
        warmup_steps=0,
        warmup_begin_lr=0,
        warmup_mode="linear",
    ):
        super().__init__(max_update, base_lr, final_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        self.power = pwr

    def _left(self, gone):
        return pow(1 - gone, self.power)


class CosineScheduler(_Curve):
    """From base_lr to final_lr at max_update, as half a period of the cosine."""

    __module__ = "mxnet.lr_scheduler"

    def __init__(
        self,
        max_update,
        base_lr=0.01,
        final_lr=0,
        warmup_steps=0,
        warmup_begin_lr=0,
        warmup_mode="linear",
    ):
        super().__init__(max_update, base_lr, final_lr, warmup_steps, warmup_begin_lr, warmup_mode)

    def _left(self, gone):
        return (1 + cos(pi * gone)) / 2


__getattr__ = missing("mxnet.lr_scheduler")
