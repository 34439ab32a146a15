"""Optimisers whose step is one operation of the table, for all parameters at once."""

import os
from functools import cache
from math import sqrt
from struct import pack, unpack

from ... import _core
from ._optimizer import ListOptimizer, register, same, zeros_like

_op_update = _core._op_update
_INFINITE = float("inf")


@register
class SGD(ListOptimizer):
    """Gradient descent, perhaps with momentum: m = momentum * m - lr * g; w += m."""

    __module__ = "mxnet.optimizer.optimizer"
    _MASTER_LAST = True

    def __init__(self, momentum=0.0, lazy_update=True, **kwargs):
        super().__init__(**kwargs)
        self.momentum = momentum
        self.lazy_update = lazy_update
        self.aggregate_num = int(os.getenv("MXNET_OPTIMIZER_AGGREGATION_SIZE", "4"))

    def create_state(self, index, weight):
        """The momentum."""
        return zeros_like(weight) if self.momentum != 0.0 else None

    def _step(self, indices, arrays, copies, grads, states):
        rates, decays = self._numbers(indices)
        last = (self.rescale_grad, self._limit(), decays)
        if states[0] is None:
            _op_update("sgd_update", copies, arrays, grads, rates, *last)
        else:
            # The rate is inside of the momentum, which so has the sign of the steps.
            numbers = (-1.0, self.momentum, negative(rates))
            _op_update(self._ROW, copies, arrays, states, grads, *numbers, *last)

    _ROW = "momentum_update"


def negative(numbers):
    """The number, or each of the numbers, with its sign changed."""
    return [-number for number in numbers] if type(numbers) is list else -numbers


@register
class ccSGD(SGD):  # noqa: N801
    """An older name of SGD."""

    __module__ = "mxnet.optimizer.optimizer"

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)


@cache
def _gain(beta):
    """1 - beta as MXNet has it, in float32: of 0.999 that is off by 5e-5, which shows in steps."""
    return _rounded(1.0 - _rounded(beta))


def _rounded(number):
    return unpack("f", pack("f", number))[0]


@register
class Adam(ListOptimizer):
    """Steps by running means of gradients and of their squares."""

    __module__ = "mxnet.optimizer.optimizer"

    def __init__(
        self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8, lazy_update=True, **kwargs
    ):
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self.lazy_update = lazy_update

    def create_state(self, index, weight):
        """The mean, and the mean of squares."""
        return (zeros_like(weight), zeros_like(weight))

    def _step(self, indices, arrays, copies, grads, states):
        rates, decays = self._numbers(indices)
        means, squares = zip(*states)
        _op_update(
            *("adam_update", copies, arrays, means, squares, grads, rates),
            *(_gain(self.beta1), _gain(self.beta2), self.epsilon, 0.0),
            *(self._corrections(same(self._times(indices))), 1.0, 0.0),
            *(decays, self.rescale_grad, self._limit(), 0.0),
        )

    def _corrections(self, time):
        """What the means are multiplied by for their start, after so many updates."""
        if type(time) is list:
            return [self._corrections(one) for one in time]
        return sqrt(1.0 - self.beta2**time) / (1.0 - self.beta1**time)


@register
class AdaGrad(ListOptimizer):
    """Steps by the sum of all squares; the weight decay is apart from the gradient."""

    __module__ = "mxnet.optimizer.optimizer"

    def __init__(self, eps=1e-7, **kwargs):
        super().__init__(**kwargs)
        self.float_stable_eps = eps

    def create_state(self, index, weight):
        """The sum of squares."""
        return zeros_like(weight)

    def _step(self, indices, arrays, copies, grads, states):
        rates, decays = self._numbers(indices)
        _op_update(
            *("adagrad_update", copies, arrays, states, grads, rates, 0.0, self.float_stable_eps),
            *(decays, self.rescale_grad, self._limit(), 0.0),
        )


@register
class RMSProp(ListOptimizer):
    """Steps by a running mean of squares; centered, by the spread, and with momentum gamma2."""

    __module__ = "mxnet.optimizer.optimizer"

    def __init__(
        self,
        learning_rate=0.001,
        gamma1=0.9,
        gamma2=0.9,
        epsilon=1e-8,
        centered=False,
        clip_weights=None,
        **kwargs,
    ):
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.gamma1 = gamma1
        self.gamma2 = gamma2
        self.centered = centered
        self.epsilon = epsilon
        self.clip_weights = clip_weights

    def create_state(self, index, weight):
        """The mean of squares; centered also the mean, and the last step."""
        return tuple(zeros_like(weight) for _ in range(3 if self.centered else 1))

    def _step(self, indices, arrays, copies, grads, states):
        rates, decays = self._numbers(indices)
        bound = self.clip_weights if self.clip_weights else _INFINITE
        last = (1.0 - self.gamma1, 0.0, self.epsilon, bound)
        last += (decays, self.rescale_grad, self._limit(), 0.0)
        if self.centered:
            row, numbers = "rmsprop_centered_update", (-1.0, self.gamma2, negative(rates))
        else:
            row, numbers = "rmsprop_update", (rates,)
        _op_update(row, copies, arrays, *zip(*states), grads, *numbers, *last)


@register
class AdaDelta(ListOptimizer):
    """Steps of the size of earlier ones, whatever the learning rate is."""

    __module__ = "mxnet.optimizer.optimizer"

    def __init__(self, rho=0.90, epsilon=1e-5, **kwargs):
        super().__init__(**kwargs)
        self.rho = rho
        self.epsilon = epsilon

    def create_state(self, index, weight):
        """The means of squares of gradients, and of steps."""
        return (zeros_like(weight), zeros_like(weight))

    def _step(self, indices, arrays, copies, grads, states):
        _, decays = self._numbers(indices)
        _op_update(
            *("adadelta_update", copies, arrays, *zip(*states), grads, 1.0, 1.0 - self.rho),
            *(self.epsilon, decays, self.rescale_grad, self._limit(), 0.0),
        )


@register
class Ftrl(ListOptimizer):
    """FTRL-proximal, which makes weights 0 that matter little (lamda1)."""

    __module__ = "mxnet.optimizer.optimizer"

    def __init__(self, lamda1=0.01, learning_rate=0.1, beta=1, **kwargs):
        super().__init__(**kwargs)
        self.lamda1 = lamda1
        self.beta = beta
        self.lr = learning_rate

    def create_state(self, index, weight):
        """The sums z and n."""
        return (zeros_like(weight), zeros_like(weight))

    def _step(self, indices, arrays, copies, grads, states):
        rates, decays = self._numbers(indices)
        _op_update(
            *("ftrl_update", copies, arrays, *zip(*states), grads, rates, self.lamda1, self.beta),
            *(self.rescale_grad, self._limit(), decays),
        )
