"""Schedulers that multiply rates by factors."""

from bisect import bisect_right
from collections import Counter
from types import FunctionType

from ._base import LRScheduler, check_optimizer


class _ByFunctions(LRScheduler):
    """A function of the epoch for each group, or one for all."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        count = len(check_optimizer(optimizer).param_groups)
        if isinstance(lr_lambda, (list, tuple)):
            if len(lr_lambda) != count:
                raise ValueError(f"Expected {count} lr_lambdas, but got {len(lr_lambda)}")
            self.lr_lambdas = list(lr_lambda)
        else:
            self.lr_lambdas = [lr_lambda] * count
        super().__init__(optimizer, last_epoch)

    def state_dict(self):
        """As of others; of functions that are objects their attributes, of others None."""
        found = super().state_dict()
        found.pop("lr_lambdas")
        found["lr_lambdas"] = [
            None if isinstance(one, FunctionType) else dict(vars(one)) for one in self.lr_lambdas
        ]
        return found

    def load_state_dict(self, state_dict):
        """Go on from what state_dict gave; functions stay, objects get their attributes."""
        kept = dict(state_dict)
        saved = kept.pop("lr_lambdas")
        super().load_state_dict(kept)
        for function, attributes in zip(self.lr_lambdas, saved):
            if attributes is not None:
                vars(function).update(attributes)


class LambdaLR(_ByFunctions):
    """The first rate times a function of the epoch."""

    def get_lr(self):
        """The rates of the epoch."""
        self._check_inside()
        return [base * one(self.last_epoch) for one, base in zip(self.lr_lambdas, self.base_lrs)]


class MultiplicativeLR(_ByFunctions):
    """The last rate times a function of the epoch."""

    def get_lr(self):
        """The rates of the epoch."""
        self._check_inside()
        if self._is_initial:
            return self._now()
        groups = self.optimizer.param_groups
        return [group["lr"] * one(self.last_epoch) for one, group in zip(self.lr_lambdas, groups)]


class StepLR(LRScheduler):
    """Rates are multiplied by gamma each step_size epochs."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The rates of the epoch."""
        self._check_inside()
        if self.last_epoch == 0 or self.last_epoch % self.step_size != 0:
            return self._now()
        return self._times(self.gamma)

    def _get_closed_form_lr(self):
        power = self.gamma ** (self.last_epoch // self.step_size)
        return [base * power for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    """Rates are multiplied by gamma at milestones; at one that is given twice, twice."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The rates of the epoch."""
        self._check_inside()
        if self.last_epoch not in self.milestones:
            return self._now()
        return self._times(self.gamma ** self.milestones[self.last_epoch])

    def _get_closed_form_lr(self):
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [base * self.gamma**passed for base in self.base_lrs]


class ConstantLR(LRScheduler):
    """Rates times a factor until total_iters epochs are over."""

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if factor > 1.0 or factor < 0:
            raise ValueError(
                "Constant multiplicative factor expected to be between 0 and 1, "
                f"but got {factor}."
            )
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The rates of the epoch."""
        self._check_inside()
        if self.last_epoch == 0:
            return self._times(self.factor)
        if self.last_epoch != self.total_iters:
            return self._now()
        return self._times(1.0 / self.factor)

    def _get_closed_form_lr(self):
        factor = self.factor if self.last_epoch < self.total_iters else 1.0
        return [base * factor for base in self.base_lrs]


class LinearLR(LRScheduler):
    """Rates times a factor that goes from start_factor to end_factor in total_iters epochs."""

    def __init__(
        self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1
    ):
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError(
                "Starting multiplicative factor expected to be greater than 0 and less or equal "
                f"to 1, but got {start_factor}."
            )
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError(
                "Ending multiplicative factor expected to be between 0 and 1, "
                f"but got {end_factor}."
            )
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        whole = self.end_factor - self.start_factor
        return self.start_factor + whole * min(self.total_iters, epoch) / self.total_iters

    def get_lr(self):
        """The rates of the epoch."""
        self._check_inside()
        if self.last_epoch == 0:
            return self._times(self.start_factor)
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._now()
        return self._times(self._factor(self.last_epoch) / self._factor(self.last_epoch - 1))

    def _get_closed_form_lr(self):
        return [base * self._factor(self.last_epoch) for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    """Rates are multiplied by gamma in each epoch."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The rates of the epoch."""
        self._check_inside()
        return self._now() if self._is_initial else self._times(self.gamma)

    def _get_closed_form_lr(self):
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    """Rates times (1 - epoch / total_iters) ** power, down to 0."""

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def _left(self, epoch):
        return 1.0 - min(self.total_iters, epoch) / self.total_iters

    def get_lr(self):
        """The rates of the epoch."""
        self._check_inside()
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._now()
        ratio = self._left(self.last_epoch) / self._left(self.last_epoch - 1)
        return self._times(ratio**self.power)

    def _get_closed_form_lr(self):
        return [base * self._left(self.last_epoch) ** self.power for base in self.base_lrs]
