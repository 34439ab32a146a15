"""What all schedulers are: they count epochs, and set the rates of an optimiser's groups."""

import warnings

from ..._tensor import Tensor
from ..optimizer import Optimizer

_ORDER = (
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. Call them in the opposite "
    "order: `optimizer.step()` before `lr_scheduler.step()`; otherwise the first value of the "
    "learning rate schedule is skipped."
)
_OVERRIDDEN = (
    "Seems like `optimizer.step()` has been overridden after learning rate scheduler "
    "initialization. Please, make sure to call `optimizer.step()` before `lr_scheduler.step()`."
)
_EPOCH = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where "
    "possible. Please use `scheduler.step()` to step the scheduler."
)


def check_optimizer(optimizer):
    """An optimiser; what is none raises TypeError."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
    return optimizer


def copied(value):
    """A rate that does not follow another: numbers are that by themselves."""
    return value.clone() if isinstance(value, Tensor) else value


def put(group, name, value):
    """Set an option of a group; a rate that is a tensor stays the same one."""
    if isinstance(group[name], Tensor):
        group[name].fill_(value)
    else:
        group[name] = value


def rates(optimizer):
    """The rates of all groups."""
    return [copied(group["lr"]) for group in optimizer.param_groups]


class LRScheduler:
    """Sets the rates of an optimiser's groups. A class of its own defines `get_lr`.

    `last_epoch` is the number of the epoch that was last: -1 begins anew, another goes on from
    groups that have "initial_lr".
    """

    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer, last_epoch=-1):
        self.optimizer = check_optimizer(optimizer)
        for place, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", copied(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{place}] when resuming "
                    f"scheduler with last_epoch >= 0, here {last_epoch}"
                )
        self.base_lrs = [copied(group["initial_lr"]) for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._initial_step()

    def _initial_step(self):
        """The rates of the first epoch; that is no step of the user's."""
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    # ---- Rates --------------------------------------------------------------------------------

    def get_last_lr(self):
        """The rates that were last set, in a list with one for each group."""
        return self._last_lr

    def get_lr(self):
        """The rates of the epoch; for classes to define."""
        raise NotImplementedError(f"{type(self).__name__} does not define get_lr")

    def _check_inside(self):
        if not self._get_lr_called_within_step:
            warnings.warn(
                "To get the last learning rate computed by the scheduler, please use "
                "`get_last_lr()`.",
                UserWarning,
                stacklevel=3,
            )

    def _now(self):
        return rates(self.optimizer)

    def _times(self, factor):
        """The rates that there are, multiplied."""
        return [group["lr"] * factor for group in self.optimizer.param_groups]

    # ---- Steps --------------------------------------------------------------------------------

    def step(self, epoch=None):
        """Set the rates of the next epoch."""
        if self._step_count == 1:
            self._check_order()
        self._step_count += 1
        if epoch is not None:
            warnings.warn(_EPOCH, UserWarning, stacklevel=2)
        self._update_lr(epoch)

    def _check_order(self):
        if "step" in vars(self.optimizer):
            warnings.warn(_OVERRIDDEN, UserWarning, stacklevel=3)
        elif not getattr(self.optimizer, "_opt_called", False):
            warnings.warn(_ORDER, UserWarning, stacklevel=3)

    def _update_lr(self, epoch=None):
        self._get_lr_called_within_step = True
        try:
            if epoch is None:
                self.last_epoch += 1
                values = self.get_lr()
            else:
                self.last_epoch = epoch
                closed = getattr(self, "_get_closed_form_lr", self.get_lr)
                values = closed()
        finally:
            self._get_lr_called_within_step = False
        for group, value in zip(self.optimizer.param_groups, values):
            put(group, "lr", value)
        self._last_lr = self._now()

    # ---- States -------------------------------------------------------------------------------

    def state_dict(self):
        """All that the scheduler knows but its optimiser, in torch's format."""
        return {name: value for name, value in vars(self).items() if name != "optimizer"}

    def load_state_dict(self, state_dict):
        """Go on from what state_dict gave."""
        vars(self).update(state_dict)
