"""Optimisers whose step is composed of elementwise operations, parameter by parameter.

The engine runs them as a few tasks. What a step computes is native: the rules of a dialect, such as
which types go together, do not act in it.
"""

from math import sqrt

from ... import _core, autograd as _autograd
from .._dialects import native
from ..base import MXNetError
from ._optimizer import ListOptimizer, register, zeros_like
from ._rows import SGD

_ops = _core._ops
_sqrt, _sign, _abs, _square = _ops["sqrt"], _ops["sign"], _ops["abs"], _ops["square"]
_clip, _maximum, _assign, _cast = _ops["clip"], _ops["maximum"], _ops["assign"], _ops["cast"]


class Composed(ListOptimizer):
    """`_change` is the step of one parameter, by native arrays."""

    def _step(self, indices, arrays, copies, grads, states):
        if _autograd.is_recording() and _has_gradients(copies or arrays):
            raise MXNetError("parameters cannot be updated while they are recorded")
        with _autograd.pause():
            for place, index in enumerate(indices):
                array, grad = native(arrays[place]), native(grads[place])
                copy = None if copies is None else copies[place]
                if copy is not None:
                    grad = _cast(grad, array.dtype)
                self._change(index, array, grad, native(states[place]), *self._counted(index))
                if copy is not None:
                    _assign(array, out=native(copy))

    def _counted(self, index):
        """Counts the update of a parameter; its rate and its decay."""
        self._update_count(index)
        return self._get_lr(index), self._get_wd(index)

    def _scaled(self, grad, weight=None, decay=0.0):
        """The gradient, rescaled, with the decay if it comes before clipping, and clipped."""
        grad = grad * self.rescale_grad
        if weight is not None:
            grad = grad + decay * weight
        limit = self._limit()
        return grad if limit == float("inf") else _clip(grad, -limit, limit)

    def _change(self, index, weight, grad, state, rate, decay):
        raise NotImplementedError


def _has_gradients(arrays):
    return any(array is not None and array.grad is not None for array in arrays)


@register
class Signum(Composed):
    """Steps of one size, by the sign of the gradient or of its running mean."""

    __module__ = "mxnet.optimizer.optimizer"

    def __init__(self, learning_rate=0.01, momentum=0.9, wd_lh=0.0, **kwargs):
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.momentum = momentum
        self.wd_lh = wd_lh

    def create_state(self, index, weight):
        """The running mean."""
        return zeros_like(weight) if self.momentum != 0.0 else None

    def _change(self, index, weight, grad, state, rate, decay):
        if state is None:
            weight *= 1 - rate * (decay + self.wd_lh)
            weight -= rate * _sign(grad)
            return
        grad = self._scaled(grad) + decay * weight
        state *= self.momentum
        state -= (1 - self.momentum) * grad
        weight *= 1 - rate * self.wd_lh
        weight += rate * _sign(state)


@register
class NAG(Composed):
    """SGD with momentum, by the gradient a step ahead.

    The momentum takes the weight decay of the new weight, which no operation of the table does: it
    is one only where there is no decay.
    """

    __module__ = "mxnet.optimizer.optimizer"
    _MASTER_LAST = True
    _ADVISED = "NAG"
    _ROW = "nesterov_update"

    def __init__(self, momentum=0.0, **kwargs):
        super().__init__(**kwargs)
        self.momentum = momentum

    create_state = SGD.create_state

    def _step(self, indices, arrays, copies, grads, states):
        if states[0] is None or not any(self._get_wds(indices)):
            SGD._step(self, indices, arrays, copies, grads, states)
        else:
            super()._step(indices, arrays, copies, grads, states)

    def _change(self, index, weight, grad, state, rate, decay):
        grad = self._scaled(grad)
        ahead = rate * (self.momentum + 1) * (grad + decay * weight)
        weight += self.momentum**2 * state - ahead
        state *= self.momentum
        state -= rate * (grad + decay * weight)


@register
class FTML(Composed):
    """Follow the moving leader."""

    __module__ = "mxnet.optimizer.optimizer"

    def __init__(self, beta1=0.6, beta2=0.999, epsilon=1e-8, **kwargs):
        super().__init__(**kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon

    def create_state(self, index, weight):
        """d, v and z."""
        return tuple(zeros_like(weight) for _ in range(3))

    def _change(self, index, weight, grad, state, rate, decay):
        time = self._index_update_count[index]
        old, square, sums = state
        grad = self._scaled(grad, weight, decay)
        square *= self.beta2
        square += (1 - self.beta2) * _square(grad)
        new = _sqrt(square / (1 - self.beta2**time)) + self.epsilon
        new *= (1 - self.beta1**time) / rate if rate else float("inf")
        sums *= self.beta1
        sums += (1 - self.beta1) * grad - (new - self.beta1 * old) * weight
        _assign(-sums / new, out=weight)
        _assign(new, out=old)


@register
class DCASGD(Composed):
    """SGD that makes up for gradients which are late: they were of the weight before."""

    __module__ = "mxnet.optimizer.optimizer"

    def __init__(self, momentum=0.0, lamda=0.04, **kwargs):
        super().__init__(**kwargs)
        self.momentum = momentum
        self.weight_previous = {}
        self.lamda = lamda

    def create_state(self, index, weight):
        """The momentum, and the weight before."""
        return (zeros_like(weight) if self.momentum != 0.0 else None, weight.copy())

    def _change(self, index, weight, grad, state, rate, decay):
        momentum, previous = state
        grad = self._scaled(grad)
        late = self.lamda * grad * grad * (weight - previous)
        step = -rate * (grad + decay * weight + late)
        if momentum is not None:
            momentum *= self.momentum
            momentum += step
            step = momentum
        _assign(weight, out=previous)
        weight += step


@register
class SGLD(Composed):
    """Langevin dynamics: half a step of SGD, and normal noise of the size of the rate."""

    __module__ = "mxnet.optimizer.optimizer"

    def __init__(self, **kwargs):
        super().__init__(**kwargs)

    def create_state(self, index, weight):
        """Nothing."""

    def _change(self, index, weight, grad, state, rate, decay):
        noise = _ops["random_normal"](
            weight.shape, 0, sqrt(rate), dtype=weight.dtype, device=weight.device
        )
        weight += -rate / 2 * (self._scaled(grad) + decay * weight) + noise


@register
class Adamax(Composed):
    """Adam by the largest gradient instead of the mean of squares."""

    __module__ = "mxnet.optimizer.optimizer"

    def __init__(self, learning_rate=0.002, beta1=0.9, beta2=0.999, **kwargs):
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1 = beta1
        self.beta2 = beta2

    def create_state(self, index, weight):
        """The mean, and the largest gradient."""
        return (zeros_like(weight), zeros_like(weight))

    def _change(self, index, weight, grad, state, rate, decay):
        rate = rate / (1.0 - self.beta1 ** self._index_update_count[index])
        mean, largest = state
        grad = self._scaled(grad, weight, decay)
        mean *= self.beta1
        mean += (1.0 - self.beta1) * grad
        _assign(_maximum(self.beta2 * largest, _abs(grad)), out=largest)
        weight -= rate * mean / largest


@register
class Nadam(Composed):
    """Adam with Nesterov's momentum. The schedule of the momentum is one for all parameters."""

    __module__ = "mxnet.optimizer.optimizer"

    def __init__(
        self,
        learning_rate=0.001,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-8,
        schedule_decay=0.004,
        **kwargs,
    ):
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self.schedule_decay = schedule_decay
        self.m_schedule = 1.0

    def create_state(self, index, weight):
        """The mean, and the mean of squares."""
        return (zeros_like(weight), zeros_like(weight))

    def _momentum(self, time):
        return self.beta1 * (1.0 - 0.5 * 0.96 ** (time * self.schedule_decay))

    def _change(self, index, weight, grad, state, rate, decay):
        time = self._index_update_count[index]
        now, next_one = self._momentum(time), self._momentum(time + 1)
        self.m_schedule *= now
        mean, square = state
        grad = self._scaled(grad, weight, decay)
        mean *= self.beta1
        mean += (1.0 - self.beta1) * grad
        square *= self.beta2
        square += (1.0 - self.beta2) * grad * grad
        ahead = next_one / (1.0 - self.m_schedule * next_one) * mean
        ahead += (1.0 - now) / (1.0 - self.m_schedule) * grad
        weight -= rate * ahead / (_sqrt(square / (1.0 - self.beta2**time)) + self.epsilon)


@register
class Test(Composed):
    """Adds gradients to weights: for tests of what is around an optimiser."""

    __module__ = "mxnet.optimizer.optimizer"

    def __init__(self, **kwargs):
        super().__init__(**kwargs)

    def create_state(self, index, weight):
        """The weight after the last update."""
        return zeros_like(weight)

    def _change(self, index, weight, grad, state, rate, decay):
        weight += grad * self.rescale_grad
        _assign(weight, out=state)
