"""paddle.optimizer.lr: rates that change from epoch to epoch, when they are told to."""

import math

from .. import _missing

__all__ = (
    "LRScheduler NoamDecay PiecewiseDecay NaturalExpDecay InverseTimeDecay PolynomialDecay "
    "LinearWarmup ExponentialDecay MultiStepDecay StepDecay LambdaDecay ReduceOnPlateau "
    "CosineAnnealingDecay MultiplicativeDecay LinearLR CosineAnnealingWarmRestarts"
).split()


class LRScheduler:
    """A rate that `step` changes; a class of its own says in get_lr what it is.

    >>> from penstock.paddle.optimizer import lr
    >>> rate = lr.StepDecay(1.0, step_size=2, gamma=0.5)
    >>> [(rate(), rate.step())[0] for _ in range(4)]
    [1.0, 1.0, 0.5, 0.5]
    """

    def __init__(self, learning_rate=0.1, last_epoch=-1, verbose=False):
        if not isinstance(learning_rate, (float, int)):
            raise TypeError(
                f"The type of learning rate must be float, but received {type(learning_rate)}"
            )
        if learning_rate < 0:
            raise ValueError(f"Invalid learning rate: {learning_rate}")
        self.base_lr = self.last_lr = float(learning_rate)
        self.last_epoch, self.verbose = last_epoch, verbose
        self.step()

    def __call__(self):
        """The rate as it is."""
        return self.last_lr

    def get_lr(self):
        """The rate of `last_epoch`; for classes to define."""
        raise NotImplementedError(f"{type(self).__name__} does not define get_lr")

    def step(self, epoch=None):
        """Go on to the next epoch, or to a given one."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        self.last_lr = self.get_lr()
        if self.verbose:
            print(
                f"Epoch {self.last_epoch}: {type(self).__name__} set learning rate to "
                f"{self.last_lr}."
            )

    _KEYS = ("last_epoch", "last_lr")

    def state_dict(self):
        """What the next epochs depend on."""
        return {name: getattr(self, name) for name in self._KEYS}

    def set_state_dict(self, state_dict):
        """Go on from what state_dict gave."""
        for name in self._KEYS:
            if name not in state_dict:
                raise RuntimeError(f"Please check whether state_dict has the key {name!r}")
            setattr(self, name, state_dict[name])

    set_dict = set_state_dict


class _ByEpoch(LRScheduler):
    """A rate whose class has one more number, gamma."""

    def __init__(self, learning_rate, gamma, last_epoch=-1, verbose=False):
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)


class ExponentialDecay(_ByEpoch):
    """The rate times gamma^epoch."""

    def get_lr(self):
        return self.base_lr * self.gamma**self.last_epoch


class NaturalExpDecay(_ByEpoch):
    """The rate times e^(-gamma * epoch)."""

    def get_lr(self):
        return self.base_lr * math.exp(-self.gamma * self.last_epoch)


class InverseTimeDecay(_ByEpoch):
    """The rate divided by 1 + gamma * epoch."""

    def get_lr(self):
        return self.base_lr / (1 + self.gamma * self.last_epoch)


class StepDecay(LRScheduler):
    """The rate times gamma every so many epochs."""

    def __init__(self, learning_rate, step_size, gamma=0.1, last_epoch=-1, verbose=False):
        if not isinstance(step_size, int):
            raise TypeError(
                f"The type of 'step_size' must be 'int', but received {type(step_size)}."
            )
        if gamma >= 1.0:
            raise ValueError("gamma should be < 1.0.")
        self.step_size, self.gamma = step_size, gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self):
        return self.base_lr * self.gamma ** (self.last_epoch // self.step_size)


class MultiStepDecay(LRScheduler):
    """The rate times gamma from each of some epochs on."""

    def __init__(self, learning_rate, milestones, gamma=0.1, last_epoch=-1, verbose=False):
        if not isinstance(milestones, (tuple, list)):
            raise TypeError(
                "The type of 'milestones' must be 'tuple, list', but received "
                f"{type(milestones)}."
            )
        if any(one >= other for one, other in zip(milestones, milestones[1:])):
            raise ValueError("The elements of milestones must be incremented")
        if gamma >= 1.0:
            raise ValueError("gamma should be < 1.0.")
        self.milestones, self.gamma = milestones, gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self):
        passed = sum(self.last_epoch >= one for one in self.milestones)
        return self.base_lr * self.gamma**passed


class PiecewiseDecay(LRScheduler):
    """One of some rates, by which bounds an epoch has reached."""

    def __init__(self, boundaries, values, last_epoch=-1, verbose=False):
        if len(values) != len(boundaries) + 1:
            raise AssertionError(
                f"there must be one value more than boundaries: {len(values)} and {len(boundaries)}"
            )
        self.boundaries, self.values = boundaries, values
        super().__init__(last_epoch=last_epoch, verbose=verbose)

    def get_lr(self):
        return self.values[sum(self.last_epoch >= one for one in self.boundaries)]


class LambdaDecay(LRScheduler):
    """The rate times what a function gives for the epoch."""

    def __init__(self, learning_rate, lr_lambda, last_epoch=-1, verbose=False):
        if not callable(lr_lambda):
            raise TypeError(
                f"The type of 'lr_lambda' must be 'function', but received {type(lr_lambda)}."
            )
        self.lr_lambda = lr_lambda
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self):
        return self.base_lr * self.lr_lambda(self.last_epoch)


class MultiplicativeDecay(LambdaDecay):
    """The rate times what a function has given for all epochs up to this one."""

    def get_lr(self):
        made = self.base_lr
        for epoch in range(1, self.last_epoch + 1):
            made *= self.lr_lambda(epoch)
        return made


class NoamDecay(LRScheduler):
    """A rate that grows for warmup_steps and then falls by the root of the epoch."""

    def __init__(self, d_model, warmup_steps, learning_rate=1.0, last_epoch=-1, verbose=False):
        if d_model <= 0:
            raise ValueError("d_model should be grater than 0")
        self.d_model, self.warmup_steps = d_model, warmup_steps
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self):
        falling = 1 if self.last_epoch == 0 else self.last_epoch**-0.5
        growing = self.warmup_steps**-1.5 * self.last_epoch
        return self.base_lr * self.d_model**-0.5 * min(falling, growing)


class PolynomialDecay(LRScheduler):
    """From the rate to end_lr in decay_steps, by a power of what is left."""

    def __init__(
        self,
        learning_rate,
        decay_steps,
        end_lr=0.0001,
        power=1.0,
        cycle=False,
        last_epoch=-1,
        verbose=False,
    ):
        if not isinstance(decay_steps, int) or decay_steps <= 0:
            raise AssertionError(f"decay_steps must be a positive int, not {decay_steps}")
        self.decay_steps, self.end_lr, self.power, self.cycle = decay_steps, end_lr, power, cycle
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self):
        epoch, steps = self.last_epoch, self.decay_steps
        if self.cycle:
            steps = steps * (1 if epoch == 0 else math.ceil(epoch / float(steps)))
        else:
            epoch = min(epoch, steps)
        left = (1 - float(epoch) / float(steps)) ** self.power
        return (self.base_lr - self.end_lr) * left + self.end_lr


class LinearWarmup(LRScheduler):
    """From start_lr to end_lr in warmup_steps, and then a rate or a scheduler's."""

    def __init__(
        self, learning_rate, warmup_steps, start_lr, end_lr, last_epoch=-1, verbose=False
    ):
        if not isinstance(learning_rate, (float, int, LRScheduler)):
            raise TypeError(
                "the type of learning_rate should be [int, float or LRScheduler], not "
                f"{type(learning_rate)}"
            )
        if not isinstance(warmup_steps, int) or warmup_steps <= 0:
            raise AssertionError(f"warmup_steps must be a positive int, not {warmup_steps}")
        if end_lr <= start_lr:
            raise AssertionError(f"end_lr {end_lr} must be greater than start_lr {start_lr}")
        self.learning_rate, self.warmup_steps = learning_rate, warmup_steps
        self.start_lr, self.end_lr = start_lr, end_lr
        super().__init__(start_lr, last_epoch, verbose)

    def get_lr(self):
        if self.last_epoch < self.warmup_steps:
            part = float(self.last_epoch) / float(self.warmup_steps)
            return (self.end_lr - self.start_lr) * part + self.start_lr
        if isinstance(self.learning_rate, LRScheduler):
            self.learning_rate.step(self.last_epoch - self.warmup_steps)
            return self.learning_rate()
        return self.learning_rate

    def state_dict(self):
        found = super().state_dict()
        if isinstance(self.learning_rate, LRScheduler):
            found["LinearWarmup_LR"] = self.learning_rate.state_dict()
        return found

    def set_state_dict(self, state_dict):
        super().set_state_dict(state_dict)
        if isinstance(self.learning_rate, LRScheduler) and "LinearWarmup_LR" in state_dict:
            self.learning_rate.set_state_dict(state_dict["LinearWarmup_LR"])


class LinearLR(LRScheduler):
    """From start_factor to end_factor of the rate in total_steps."""

    def __init__(
        self,
        learning_rate,
        total_steps,
        start_factor=1.0 / 3,
        end_factor=1.0,
        last_epoch=-1,
        verbose=False,
    ):
        if not 0 < start_factor <= 1.0 or not 0 <= end_factor <= 1.0:
            raise ValueError("start_factor and end_factor must be between 0 and 1")
        if total_steps <= 0:
            raise ValueError("`total_steps` must be greater than 0.")
        self.total_steps = total_steps
        self.start_factor, self.end_factor = start_factor, end_factor
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self):
        part = min(self.last_epoch, self.total_steps) / self.total_steps
        return self.base_lr * (self.start_factor + (self.end_factor - self.start_factor) * part)


class CosineAnnealingDecay(LRScheduler):
    """Half a cosine from the rate to eta_min in T_max epochs, and back."""

    def __init__(self, learning_rate, T_max, eta_min=0, last_epoch=-1, verbose=False):
        if not isinstance(T_max, int) or T_max <= 0:
            raise AssertionError(f"T_max must be a positive int, not {T_max}")
        self.T_max, self.eta_min = T_max, float(eta_min)
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self):
        turn = math.cos(math.pi * self.last_epoch / self.T_max)
        return self.eta_min + (self.base_lr - self.eta_min) * (1 + turn) / 2


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a cosine from the rate to eta_min, again and again; each T_mult times as long."""

    def __init__(
        self, learning_rate, T_0, T_mult=1, eta_min=0, last_epoch=-1, verbose=False
    ):
        if not isinstance(T_0, int) or T_0 <= 0:
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if not isinstance(T_mult, int) or T_mult < 1:
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        self.T_0, self.T_mult, self.eta_min = T_0, T_mult, float(eta_min)
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self):
        at, length = self.last_epoch, self.T_0
        while at >= length:
            at, length = at - length, length * self.T_mult
        turn = math.cos(math.pi * at / length)
        return self.eta_min + (self.base_lr - self.eta_min) * (1 + turn) / 2


class ReduceOnPlateau(LRScheduler):
    """A rate that falls when a number that is given to step has not become better for a while."""

    _KEYS = ("cooldown_counter", "best", "num_bad_epochs", "last_epoch", "last_lr")

    def __init__(
        self,
        learning_rate,
        mode="min",
        factor=0.1,
        patience=10,
        threshold=1e-4,
        threshold_mode="rel",
        cooldown=0,
        min_lr=0,
        epsilon=1e-8,
        verbose=False,
    ):
        if mode not in ("min", "max"):
            raise ValueError(f"mode: {mode} is unknown!")
        if factor >= 1.0:
            raise ValueError("new_lr = origin_lr * gamma and gamma should be < 1.0.")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold mode: {threshold_mode} is unknown!")
        if not isinstance(learning_rate, (float, int)):
            raise TypeError(
                f"The type of 'learning_rate' must be 'float', but received {type(learning_rate)}."
            )
        self.mode, self.factor, self.patience = mode, factor, patience
        self.threshold, self.threshold_mode = threshold, threshold_mode
        self.cooldown, self.min_lr, self.epsilon = cooldown, min_lr, epsilon
        self.cooldown_counter, self.best, self.num_bad_epochs = 0, None, 0
        self.base_lr = self.last_lr = float(learning_rate)
        self.last_epoch, self.verbose = 0, verbose

    def _better(self, value):
        sign = -1 if self.mode == "min" else 1
        if self.threshold_mode == "rel":
            return sign * value > sign * (self.best + sign * self.best * self.threshold)
        return sign * value > sign * self.best + self.threshold

    def step(self, metrics, epoch=None):
        """Go on by a number: a float, or a tensor of one element, which is waited for."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        value = float(metrics.item() if hasattr(metrics, "item") else metrics)
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            return
        if self.best is None or self._better(value):
            self.best, self.num_bad_epochs = value, 0
        else:
            self.num_bad_epochs += 1
        if self.num_bad_epochs > self.patience:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
            lower = max(self.last_lr * self.factor, self.min_lr)
            if self.last_lr - lower > self.epsilon:
                self.last_lr = lower


__getattr__ = _missing.missing("paddle.optimizer.lr")
