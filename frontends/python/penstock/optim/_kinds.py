"""The optimisers: each is the row of its step, and the row's numbers."""

from __future__ import annotations

from ._clip import limit
from ._optimiser import Optimiser, filled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Unpack

    from .._core import ndarray
    from ._optimiser import _Common, _Parameters, _Rate, _WithoutDecay

class SGD(Optimiser):
    """Gradient descent, perhaps with momentum: w -= lr * g, or m = momentum * m + g; w -= lr * m.

    With `nesterov` the step is that of the gradient ahead. `dampening` is how much less of a
    gradient the momentum takes, but for the first. With `rate_inside` the momentum is that of the
    steps, lr * g, so that a new rate counts from its own step on.

    >>> w = ps.array([1.0])
    >>> w.attach_grad()
    >>> sgd = ps.optim.SGD([w], 0.5)
    >>> with ps.autograd.record():
    ...     loss = (w * w).sum()
    >>> loss.backward()
    >>> sgd.step()
    >>> w
    array([0.])
    """

    def __init__(
        self,
        params: _Parameters,
        lr: _Rate = 0.01,
        momentum: float = 0.0,
        *,
        nesterov: bool = False,
        dampening: float = 0.0,
        rate_inside: bool = False,
        **common: Unpack[_Common],
    ) -> None:
        super().__init__(params, lr, **common)
        momentum, dampening = float(momentum), float(dampening)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError(
                "nesterov needs a momentum above 0 and no dampening, not momentum="
                f"{momentum!r} and dampening={dampening!r}"
            )
        self._momentum = momentum
        self._dampening = dampening
        self._row = "nesterov_update" if nesterov else "momentum_update"
        self._rate_inside = rate_inside
        if momentum != 0:
            self._STATES = ("momentum",)

    def _update(self, arrays: list[ndarray], states: list[list[ndarray]], rescale: Any) -> None:
        rate, decay = self._rates(), self._decays()
        if not states:
            self._apply("sgd_update", arrays, [], rate, rescale, self._clip, decay)
            return
        factor: Any = 1.0 - self._dampening if self._steps > 0 else 1.0
        if self._rate_inside:
            rate, factor = 1.0, _times(rate, factor)
        numbers = (rate, self._momentum, factor, rescale, self._clip, decay)
        self._apply(self._row, arrays, states, *numbers)


def _times(rate: Any, factor: float) -> Any:
    if factor == 1.0:
        return rate
    return [one * factor for one in rate] if isinstance(rate, list) else rate * factor


class Adam(Optimiser):
    """Steps by running means of gradients and of their squares, corrected for their start.

    m = beta1 * m + (1 - beta1) * g; v = beta2 * v + (1 - beta2) * g * g;
    w -= lr * m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + eps) in step t.

    With correct_eps=False eps is added to sqrt(v), before that is corrected; with eps_inside it is
    added to what the root is of. With decay_first the weight decay is added before the gradient is
    clipped, not after it.

    >>> w = ps.array([1.0])
    >>> w.attach_grad()
    >>> adam = ps.optim.Adam([w], lr=0.1)
    >>> with ps.autograd.record():
    ...     loss = (w * w).sum()
    >>> loss.backward()
    >>> adam.step()
    >>> w
    array([0.9])
    """

    _STATES = ("mean", "square")

    def __init__(
        self,
        params: _Parameters,
        lr: _Rate = 0.001,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-08,
        *,
        correct_eps: bool = True,
        eps_inside: bool = False,
        decay_first: bool = False,
        **common: Unpack[_Common],
    ) -> None:
        super().__init__(params, lr, **common)
        self._decay_at = 1 if decay_first else 2
        beta1, beta2 = map(float, betas)
        if not (0 <= beta1 < 1 and 0 <= beta2 < 1):
            raise ValueError(f"betas must be at least 0 and below 1, not {betas!r}")
        self._betas = (beta1, beta2)
        self._eps = (0.0, float(eps)) if eps_inside else (float(eps), 0.0)
        self._correct_eps = correct_eps

    def _corrections(self) -> tuple[float, float]:
        beta1, beta2 = self._betas
        time = self._steps + 1
        first, second = 1.0 / (1.0 - beta1**time), 1.0 / (1.0 - beta2**time)
        return (first, second) if self._correct_eps else (first / second**0.5, 1.0)

    def _update(self, arrays: list[ndarray], states: list[list[ndarray]], rescale: Any) -> None:
        beta1, beta2 = self._betas
        decays: list[Any] = [0.0, 0.0, 0.0]  # apart from the gradient, before the clip, after it
        decays[self._decay_at] = self._decays()
        numbers = (self._rates(), 1.0 - beta1, 1.0 - beta2, *self._eps, *self._corrections())
        last = (*decays[:2], rescale, self._clip, decays[2])
        self._apply("adam_update", arrays, states, *numbers, *last)


class AdamW(Adam):
    """Adam, whose weight decay is apart from the gradient: w -= lr * weight_decay * w.

    >>> ps.optim.AdamW([ps.ones(3)], weight_decay=0.1)
    penstock.optim.AdamW(1 parameters, learning_rate=0.001)
    """

    def __init__(
        self,
        params: _Parameters,
        lr: _Rate = 0.001,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-08,
        *,
        correct_eps: bool = True,
        eps_inside: bool = False,
        weight_decay: float = 0.01,
        **common: Unpack[_WithoutDecay],
    ) -> None:
        epsilon: dict[str, bool] = {"correct_eps": correct_eps, "eps_inside": eps_inside}
        super().__init__(params, lr, betas, eps, **epsilon, weight_decay=weight_decay, **common)
        self._decay_at = 0


class Adagrad(Optimiser):
    """Steps by the sum of all squares: v += g * g; w -= lr * g / (sqrt(v) + eps).

    With eps_inside eps is added to what the root is of. The rate falls as
    1 / (1 + lr_decay * step).

    >>> ps.optim.Adagrad([ps.ones(3)], lr=0.1)
    penstock.optim.Adagrad(1 parameters, learning_rate=0.1)
    """

    _STATES = ("square",)

    def __init__(
        self,
        params: _Parameters,
        lr: _Rate = 0.01,
        eps: float = 1e-10,
        *,
        initial: float = 0.0,
        lr_decay: float = 0.0,
        eps_inside: bool = False,
        **common: Unpack[_Common],
    ) -> None:
        super().__init__(params, lr, **common)
        self._eps = (0.0, float(eps)) if eps_inside else (float(eps), 0.0)
        self._initial = float(initial)
        self._lr_decay = float(lr_decay)

    def _first(self, state: str, array: ndarray) -> ndarray:
        return filled(array, self._initial)

    def _update(self, arrays: list[ndarray], states: list[list[ndarray]], rescale: Any) -> None:
        rate = _times(self._rates(), 1.0 / (1.0 + self._lr_decay * self._steps))
        last = (0.0, rescale, self._clip, self._decays())
        self._apply("adagrad_update", arrays, states, rate, *self._eps, *last)


class Adadelta(Optimiser):
    """Steps of the size of earlier ones, by running means of squares of gradients and of steps.

    v = rho * v + (1 - rho) * g * g; x = sqrt(d + eps) / sqrt(v + eps) * g;
    d = rho * d + (1 - rho) * x * x; w -= lr * x.

    >>> ps.optim.Adadelta([ps.ones(3)], rho=0.95)
    penstock.optim.Adadelta(1 parameters, learning_rate=1.0)
    """

    _STATES = ("square", "delta")

    def __init__(
        self,
        params: _Parameters,
        lr: _Rate = 1.0,
        rho: float = 0.9,
        eps: float = 1e-06,
        **common: Unpack[_Common],
    ) -> None:
        super().__init__(params, lr, **common)
        self._gain = 1.0 - float(rho)
        self._eps = float(eps)

    def _update(self, arrays: list[ndarray], states: list[list[ndarray]], rescale: Any) -> None:
        numbers = (self._rates(), self._gain, self._eps, 0.0, rescale, self._clip, self._decays())
        self._apply("adadelta_update", arrays, states, *numbers)


class RMSProp(Optimiser):
    """Steps by a running mean of squares.

    v = rho * v + (1 - rho) * g * g; w -= lr * g / (sqrt(v) + eps).

    Centered: sqrt(v - a * a), where a is a running mean of gradients. With momentum the quotient is
    added to m = momentum * m, and w -= lr * m. With eps_inside eps is added to what the root is of,
    with decay_first the weight decay to the gradient before that is clipped. With clip_weights
    weights are kept within [-clip_weights, clip_weights].

    >>> ps.optim.RMSProp([ps.ones(3)], centered=True, momentum=0.9)
    penstock.optim.RMSProp(1 parameters, learning_rate=0.01)
    """

    def __init__(
        self,
        params: _Parameters,
        lr: _Rate = 0.01,
        rho: float = 0.99,
        eps: float = 1e-08,
        *,
        momentum: float = 0.0,
        centered: bool = False,
        rate_inside: bool = False,
        eps_inside: bool = False,
        decay_first: bool = False,
        clip_weights: float | None = None,
        **common: Unpack[_Common],
    ) -> None:
        super().__init__(params, lr, **common)
        self._bound = limit("clip_weights", clip_weights)
        self._decay_first = decay_first
        self._gain = 1.0 - float(rho)
        self._eps = (0.0, float(eps)) if eps_inside else (float(eps), 0.0)
        self._momentum = float(momentum)
        self._rate_inside = rate_inside
        if centered:
            self._row, self._STATES = "rmsprop_centered_update", ("square", "mean", "momentum")
        elif self._momentum != 0:
            self._row, self._STATES = "rmsprop_momentum_update", ("square", "momentum")
        else:
            self._row, self._STATES = "rmsprop_update", ("square",)

    def _update(self, arrays: list[ndarray], states: list[list[ndarray]], rescale: Any) -> None:
        rate: Any = self._rates()
        momentum: tuple[Any, ...] = ()
        if len(states) > 1:
            factor = rate if self._rate_inside else 1.0
            rate = 1.0 if self._rate_inside else rate
            momentum = (self._momentum, factor)
        decay = self._decays()
        early, late = (decay, 0.0) if self._decay_first else (0.0, decay)
        last = (self._gain, *self._eps, self._bound, early, rescale, self._clip, late)
        self._apply(self._row, arrays, states, rate, *momentum, *last)


class Ftrl(Optimiser):
    """FTRL-proximal, which makes weights 0 that matter little (l1); weight_decay is its l2.

    k = n + g * g; z += g - (sqrt(k) - sqrt(n)) / lr * w; n = k;
    w = (sign(z) * l1 - z) / ((beta + sqrt(n)) / lr + weight_decay) where |z| > l1, else 0.

    >>> ps.optim.Ftrl([ps.ones(3)], l1=0.1)
    penstock.optim.Ftrl(1 parameters, learning_rate=0.1)
    """

    _STATES = ("z", "n")

    def __init__(
        self,
        params: _Parameters,
        lr: _Rate = 0.1,
        l1: float = 0.01,
        beta: float = 1.0,
        **common: Unpack[_Common],
    ) -> None:
        super().__init__(params, lr, **common)
        self._l1 = float(l1)
        self._beta = float(beta)

    def _update(self, arrays: list[ndarray], states: list[list[ndarray]], rescale: Any) -> None:
        numbers = (self._rates(), self._l1, self._beta, rescale, self._clip, self._decays())
        self._apply("ftrl_update", arrays, states, *numbers)
