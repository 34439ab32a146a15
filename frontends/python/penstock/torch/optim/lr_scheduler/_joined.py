"""Schedulers of schedulers: one after the other, or all at once."""

from bisect import bisect_right

from ._base import LRScheduler, check_optimizer, rates


def _check_parts(what, schedulers, optimizer):
    """Schedulers, at least one, of the same optimiser."""
    if len(schedulers) < 1:
        raise ValueError(f"{what} expects at least one scheduler, but got no scheduler.")
    for place, one in enumerate(schedulers):
        if not hasattr(one, "optimizer"):
            raise TypeError(
                f"{what} at index {place} should have `optimizer` as its attribute: "
                f"{type(one).__name__}"
            )
        if isinstance(one, _plateau()):
            raise ValueError(
                f"{what} does not support ReduceLROnPlateau, which needs a metric: index {place}"
            )
        if one.optimizer is not optimizer:
            raise ValueError(
                f"{what} expects all schedulers to belong to the same optimizer, but got scheduler "
                f"{type(one).__name__} at index {place} of another one"
            )


def _plateau():
    from ._plateau import ReduceLROnPlateau

    return ReduceLROnPlateau


class _OfParts(LRScheduler):
    """What has its parts' states in its own."""

    def state_dict(self):
        """As of others, with the states of the parts."""
        found = super().state_dict()
        found.pop("_schedulers")
        found["_schedulers"] = [one.state_dict() for one in self._schedulers]
        return found

    def load_state_dict(self, state_dict):
        """Go on from what state_dict gave."""
        kept = dict(state_dict)
        saved = kept.pop("_schedulers")
        super().load_state_dict(kept)
        for one, state in zip(self._schedulers, saved):
            one.load_state_dict(state)


class SequentialLR(_OfParts):
    """Schedulers one after the other: each from its milestone on."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        _check_parts("SequentialLR", schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than "
                f"the number of milestone points, but got number of schedulers {len(schedulers)} "
                f"and the number of milestones to be equal to {len(milestones)}"
            )
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = check_optimizer(optimizer)
        # All parts have had their first step: it is undone, and that of the first done again.
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        for one in schedulers:
            self.recursive_undo(one)
        schedulers[0]._initial_step()
        self._last_lr = schedulers[0].get_last_lr()

    def recursive_undo(self, sched=None):
        """Take the first step of a scheduler, and of those that it has, back."""
        one = self if sched is None else sched
        for part in getattr(one, "_schedulers", ()):
            self.recursive_undo(part)
        if hasattr(one, "last_epoch"):
            one.last_epoch -= 1

    def step(self):
        """Set the rates of the next epoch, by the scheduler whose turn it is."""
        self.last_epoch += 1
        turn = bisect_right(self._milestones, self.last_epoch)
        one = self._schedulers[turn]
        if turn > 0 and self._milestones[turn - 1] == self.last_epoch:
            one._update_lr(0)
        else:
            one.step()
        self._last_lr = one.get_last_lr()


class ChainedScheduler(_OfParts):
    """Schedulers that all do a step, one upon the other's rates."""

    def __init__(self, schedulers, optimizer=None):
        if len(schedulers) < 1:
            _check_parts("ChainedScheduler", schedulers, optimizer)
        optimizer = schedulers[0].optimizer if optimizer is None else optimizer
        _check_parts("ChainedScheduler", schedulers, optimizer)
        self._schedulers = schedulers
        self.optimizer = optimizer
        self._last_lr = rates(optimizer)

    def step(self):
        """Set the rates of the next epoch."""
        for one in self._schedulers:
            one.step()
        self._last_lr = rates(self.optimizer)
