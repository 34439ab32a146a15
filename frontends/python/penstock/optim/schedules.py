"""Learning rates that depend on the number of the step: an optimiser takes one as its `lr`.

>>> rate = ps.optim.schedules.Cosine(0.1, steps=100, warmup=10)
>>> [round(rate(step), 4) for step in (0, 5, 10, 55, 100)]
[0.0, 0.05, 0.1, 0.05, 0.0]
"""

from __future__ import annotations

from .. import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypedDict, Unpack

    class _Warmup(TypedDict, total=False):
        """How the first steps differ."""

        warmup: int
        warmup_from: float
        warmup_mode: str

__all__ = ["Constant", "Cosine", "Factor", "MultiFactor", "Polynomial", "Schedule"]


def __dir__() -> list[str]:
    return __all__


class Schedule:
    """A learning rate as a function of the number of the step, which is not negative.

    During the first `warmup` steps it grows from `warmup_from` to the first rate; with warmup_mode
    'constant' it stays `warmup_from`.
    """

    _KIND = 0

    def __init__(
        self,
        lr: float,
        *,
        last: float = 0.0,
        factor: float = 1.0,
        power: float = 1.0,
        period: int = 0,
        milestones: Iterable[int] = (),
        warmup: int = 0,
        warmup_from: float = 0.0,
        warmup_mode: str = "linear",
    ) -> None:
        if warmup_mode not in ("linear", "constant"):
            raise ValueError(f"warmup_mode must be 'linear' or 'constant', not {warmup_mode!r}")
        self.lr = lr
        steady = warmup_mode == "constant"
        curve = (last, warmup_from, factor, power, period, warmup, steady, tuple(milestones))
        self._curve = curve
        self(0)  # says what is wrong now

    def __call__(self, step: int) -> float:
        rate: float = _core._schedule_rate(self._KIND, self.lr, *self._curve, step)
        return rate

    def __repr__(self) -> str:
        return f"penstock.optim.schedules.{type(self).__name__}(lr={self.lr!r})"


class Constant(Schedule):
    """The same rate for all steps after the warm-up.

    >>> rate = ps.optim.schedules.Constant(0.1, warmup=2)
    >>> [rate(0), rate(1), rate(2), rate(3)]
    [0.0, 0.05, 0.1, 0.1]
    """

    def __init__(self, lr: float, **warmup: Unpack[_Warmup]) -> None:
        super().__init__(lr, **warmup)


class Factor(Schedule):
    """The rate times `factor` after every `period` steps, but at least `least`.

    >>> rate = ps.optim.schedules.Factor(0.5, period=10, factor=0.5)
    >>> [rate(0), rate(9), rate(10), rate(20)]
    [0.5, 0.5, 0.25, 0.125]
    """

    _KIND = 1

    def __init__(
        self, lr: float, period: int, factor: float, least: float = 0.0, **warmup: Unpack[_Warmup]
    ) -> None:
        super().__init__(lr, last=least, factor=factor, period=period, **warmup)


class MultiFactor(Schedule):
    """The rate times `factor` from each of the milestones on.

    >>> rate = ps.optim.schedules.MultiFactor(0.5, milestones=[10, 15], factor=0.5)
    >>> [rate(9), rate(10), rate(15)]
    [0.5, 0.25, 0.125]
    """

    _KIND = 2

    def __init__(
        self, lr: float, milestones: Iterable[int], factor: float, **warmup: Unpack[_Warmup]
    ) -> None:
        super().__init__(lr, milestones=milestones, factor=factor, **warmup)


class Polynomial(Schedule):
    """From the rate to `last` at step `steps`, by what is left to the power of `power`.

    >>> rate = ps.optim.schedules.Polynomial(1.0, steps=10, power=2)
    >>> [rate(0), rate(5), rate(10), rate(11)]
    [1.0, 0.25, 0.0, 0.0]
    """

    _KIND = 3

    def __init__(
        self,
        lr: float,
        steps: int,
        power: float = 1.0,
        last: float = 0.0,
        **warmup: Unpack[_Warmup],
    ) -> None:
        super().__init__(lr, last=last, power=power, period=steps, **warmup)


class Cosine(Schedule):
    """From the rate to `last` at step `steps`, as half a period of the cosine.

    >>> rate = ps.optim.schedules.Cosine(1.0, steps=10, last=0.5)
    >>> [rate(0), rate(5), rate(10), rate(11)]
    [1.0, 0.75, 0.5, 0.5]
    """

    _KIND = 4

    def __init__(self, lr: float, steps: int, last: float = 0.0, **warmup: Unpack[_Warmup]) -> None:
        super().__init__(lr, last=last, period=steps, **warmup)
