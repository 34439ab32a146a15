"""Schedulers that go up and down, and momentum the other way."""

from math import cos, floor, pi
from types import FunctionType

from ._base import LRScheduler, check_optimizer, put


def _for_groups(name, optimizer, given):
    """A list with a number for each group."""
    count = len(optimizer.param_groups)
    if not isinstance(given, (list, tuple)):
        return [given] * count
    if len(given) != count:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has {len(given)} "
            f"values, param_groups has {count}."
        )
    return list(given)


def _uses_beta1(optimizer, what):
    """Whether the momentum is the first of betas; ValueError if there is none at all."""
    if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
        raise ValueError(
            f"optimizer must support momentum or beta1 with `cycle_momentum` option enabled: {what}"
        )
    return "betas" in optimizer.defaults


def _put_momentum(group, use_beta1, value):
    if use_beta1:
        group["betas"] = (value, *group["betas"][1:])
    else:
        group["momentum"] = value


class CyclicLR(LRScheduler):
    """Rates go from base_lr to max_lr in step_size_up steps, back in step_size_down, and again.

    The mode says how high: 'triangular' always the same, 'triangular2' half as high each time,
    'exp_range' gamma ** step; or a function scale_fn of the cycle or, by scale_mode, of the step.
    """

    def __init__(
        self,
        optimizer,
        base_lr,
        max_lr,
        step_size_up=2000,
        step_size_down=None,
        mode="triangular",
        gamma=1.0,
        scale_fn=None,
        scale_mode="cycle",
        cycle_momentum=True,
        base_momentum=0.8,
        max_momentum=0.9,
        last_epoch=-1,
    ):
        self.optimizer = check_optimizer(optimizer)
        for group, rate in zip(optimizer.param_groups, _for_groups("base_lr", optimizer, base_lr)):
            if last_epoch == -1:
                put(group, "lr", rate)
        self.max_lrs = _for_groups("max_lr", optimizer, max_lr)
        up = float(step_size_up)
        down = up if step_size_down is None else float(step_size_down)
        self.total_size = up + down
        self.step_ratio = up / self.total_size
        if scale_fn is None and mode not in _HEIGHTS:
            raise ValueError(f"mode is invalid and scale_fn is None: {mode!r}")
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode if scale_fn is not None else _HEIGHTS[mode][0]
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = _uses_beta1(optimizer, "CyclicLR")
            self.base_momentums = _for_groups("base_momentum", optimizer, base_momentum)
            self.max_momentums = _for_groups("max_momentum", optimizer, max_momentum)
            if last_epoch == -1:
                self._begin_momentum()
        super().__init__(optimizer, last_epoch)
        self.base_lrs = _for_groups("base_lr", optimizer, base_lr)

    def _begin_momentum(self):
        """Groups say what their momentum goes between, and begin with the largest."""
        both = zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums)
        for group, low, high in both:
            _put_momentum(group, self.use_beta1, high)
            group["max_momentum"] = high
            group["base_momentum"] = low

    def scale_fn(self, x):
        """How high a cycle goes: a part of the whole height."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        return _HEIGHTS[self.mode][1](x, self.gamma)

    def get_lr(self):
        """The rates of the step; sets the momentum."""
        self._check_inside()
        cycle = floor(1 + self.last_epoch / self.total_size)
        place = 1.0 + self.last_epoch / self.total_size - cycle
        if place <= self.step_ratio:
            part = place / self.step_ratio
        else:
            part = (place - 1) / (self.step_ratio - 1)
        part *= self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            every = zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums)
            for group, low, high in every:
                _put_momentum(group, self.use_beta1, high - (high - low) * part)
        return [low + (high - low) * part for low, high in zip(self.base_lrs, self.max_lrs)]

    def state_dict(self):
        """As of others; of a scale_fn that is an object its attributes, of a function None."""
        found = super().state_dict()
        custom = found.pop("_scale_fn_custom")
        plain = custom is None or isinstance(custom, FunctionType)
        found["_scale_fn_custom"] = None if plain else dict(vars(custom))
        return found

    def load_state_dict(self, state_dict):
        """Go on from what state_dict gave; scale_fn stays, and gets its attributes."""
        kept = dict(state_dict)
        attributes = kept.pop("_scale_fn_custom", None)
        super().load_state_dict(kept)
        if attributes is not None:
            vars(self._scale_fn_custom).update(attributes)


# Of each mode what its height depends on, and the height.
_HEIGHTS = {
    "triangular": ("cycle", lambda cycle, gamma: 1.0),
    "triangular2": ("cycle", lambda cycle, gamma: 1 / 2.0 ** (cycle - 1)),
    "exp_range": ("iterations", lambda step, gamma: gamma**step),
}


class OneCycleLR(LRScheduler):
    """Rates go from max_lr / div_factor up to max_lr, and down to far below where they began.

    pct_start is the part of the steps that go up; with three_phase the way down ends where the way
    up began, and a third part goes further down.
    """

    def __init__(
        self,
        optimizer,
        max_lr,
        total_steps=None,
        epochs=None,
        steps_per_epoch=None,
        pct_start=0.3,
        anneal_strategy="cos",
        cycle_momentum=True,
        base_momentum=0.85,
        max_momentum=0.95,
        div_factor=25.0,
        final_div_factor=1e4,
        three_phase=False,
        last_epoch=-1,
    ):
        self.optimizer = check_optimizer(optimizer)
        self.total_steps = _steps(total_steps, epochs, steps_per_epoch)
        if not isinstance(pct_start, float) or not 0 <= pct_start <= 1:
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        self._schedule_phases = _phases(self.total_steps, pct_start, three_phase)
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                "anneal_strategy must be one of 'cos' or 'linear', instead got "
                f"{anneal_strategy}"
            )
        self._anneal_func_type = anneal_strategy
        if last_epoch == -1:
            self._begin(_for_groups("max_lr", optimizer, max_lr), div_factor, final_div_factor)
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = _uses_beta1(optimizer, "OneCycleLR")
            if last_epoch == -1:
                self._begin_momentum(base_momentum, max_momentum)
        super().__init__(optimizer, last_epoch)

    def _begin(self, highest, div_factor, final_div_factor):
        for group, high in zip(self.optimizer.param_groups, highest):
            group["initial_lr"] = high / div_factor
            group["max_lr"] = high
            group["min_lr"] = group["initial_lr"] / final_div_factor

    def _begin_momentum(self, base_momentum, max_momentum):
        lows = _for_groups("base_momentum", self.optimizer, base_momentum)
        highs = _for_groups("max_momentum", self.optimizer, max_momentum)
        for group, low, high in zip(self.optimizer.param_groups, lows, highs):
            _put_momentum(group, self.use_beta1, high)
            group["max_momentum"] = high
            group["base_momentum"] = low

    def _between(self, start, end, part):
        if self._anneal_func_type == "linear":
            return (end - start) * part + start
        return end + (start - end) / 2.0 * (1 + cos(pi * part))

    def get_lr(self):
        """The rates of the step; sets the momentum."""
        self._check_inside()
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(
                f"Tried to step {step} times. The specified number of total steps is "
                f"{self.total_steps}"
            )
        phase, part = self._place(step)
        found = []
        for group in self.optimizer.param_groups:
            found.append(self._between(group[phase["start_lr"]], group[phase["end_lr"]], part))
            if self.cycle_momentum:
                ends = group[phase["start_momentum"]], group[phase["end_momentum"]]
                _put_momentum(group, self.use_beta1, self._between(*ends, part))
        return found

    def _place(self, step):
        """The phase that a step is in, and which part of it is over."""
        begun = 0.0
        for phase in self._schedule_phases:
            end = phase["end_step"]
            if step <= end or phase is self._schedule_phases[-1]:
                return phase, (step - begun) / (end - begun)
            begun = end


def _steps(total_steps, epochs, steps_per_epoch):
    """How many steps there are, from what says so."""
    if total_steps is not None:
        if total_steps <= 0 or not isinstance(total_steps, int):
            raise ValueError(f"Expected positive integer total_steps, but got {total_steps}")
        return total_steps
    if epochs is None or steps_per_epoch is None:
        raise ValueError(
            "You must define either total_steps OR (epochs AND steps_per_epoch)"
        )
    for name, value in (("epochs", epochs), ("steps_per_epoch", steps_per_epoch)):
        if value <= 0 or not isinstance(value, int):
            raise ValueError(f"Expected positive integer {name}, but got {value}")
    return epochs * steps_per_epoch


def _phases(steps, part, three):
    """Until which step rates go from what to what, and momentum."""
    up = _phase(float(part * steps) - 1, ("initial_lr", "max_lr"), ("max", "base"))
    if not three:
        return [up, _phase(steps - 1, ("max_lr", "min_lr"), ("base", "max"))]
    down = _phase(float(2 * part * steps) - 2, ("max_lr", "initial_lr"), ("base", "max"))
    return [up, down, _phase(steps - 1, ("initial_lr", "min_lr"), ("max", "max"))]


def _phase(end, between, momenta):
    return {
        "end_step": end,
        "start_lr": between[0],
        "end_lr": between[1],
        "start_momentum": f"{momenta[0]}_momentum",
        "end_momentum": f"{momenta[1]}_momentum",
    }
