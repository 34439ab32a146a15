"""Kinds of optimisers: the rows of their steps and the numbers of these."""

from math import inf

from ..._common.steps import correction
from ._optimizer import Optimizer, update


class SGD(Optimizer):
    """Gradient descent: w -= rate * g.

    >>> from penstock import paddle
    >>> w = paddle.create_parameter([1], "float32")
    >>> w.sum().backward()
    >>> paddle.optimizer.SGD(0.5, parameters=[w]).step()
    """

    def __init__(
        self,
        learning_rate=0.001,
        parameters=None,
        weight_decay=None,
        grad_clip=None,
        multi_precision=False,
        name=None,
    ):
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)

    def _update(self, part, gradients, rates):
        update("sgd_update", part, gradients, rates)


class Momentum(Optimizer):
    """v = momentum * v + g; w -= rate * v, or with Nesterov's rate * (g + momentum * v)."""

    _STATES = ("velocity",)

    def __init__(
        self,
        learning_rate=0.001,
        momentum=0.9,
        parameters=None,
        use_nesterov=False,
        weight_decay=None,
        grad_clip=None,
        multi_precision=False,
        rescale_grad=1.0,
        use_multi_tensor=False,
        name=None,
    ):
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._momentum, self._rescale = momentum, float(rescale_grad)
        self._row = "nesterov_update" if use_nesterov else "momentum_update"

    def _update(self, part, gradients, rates):
        numbers = (rates, self._momentum, 1.0)
        update(self._row, part, gradients, *numbers, rescale=self._rescale)


class Adagrad(Optimizer):
    """v += g * g; w -= rate * g / (sqrt(v) + epsilon)."""

    _STATES = ("moment",)

    def __init__(
        self,
        learning_rate,
        epsilon=1e-06,
        parameters=None,
        weight_decay=None,
        grad_clip=None,
        name=None,
        initial_accumulator_value=0.0,
    ):
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._epsilon, self._initial = epsilon, float(initial_accumulator_value)

    def _first(self, name):
        return self._initial

    def _update(self, part, gradients, rates):
        update("adagrad_update", part, gradients, rates, self._epsilon, 0.0, 0.0)


class Adadelta(Optimizer):
    """w -= rate * x, x = sqrt((d + epsilon) / (v + epsilon)) * g; v and d are means of squares."""

    _STATES = ("_avg_squared_grad", "_avg_squared_update")

    def __init__(
        self,
        learning_rate=0.001,
        epsilon=1e-06,
        rho=0.95,
        parameters=None,
        weight_decay=None,
        grad_clip=None,
        name=None,
    ):
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._epsilon, self._rho = epsilon, rho

    def _update(self, part, gradients, rates):
        numbers = (rates, 1.0 - self._rho, self._epsilon, 0.0)
        update("adadelta_update", part, gradients, *numbers)


class RMSProp(Optimizer):
    """m = momentum * m + rate * g / sqrt(v + epsilon); w -= m; v is a running mean of g * g.

    Centered, the root is of v - a * a + epsilon, where a is a running mean of g.
    """

    def __init__(
        self,
        learning_rate,
        rho=0.95,
        epsilon=1e-06,
        momentum=0.0,
        centered=False,
        parameters=None,
        weight_decay=None,
        grad_clip=None,
        name=None,
    ):
        for what, value in (("rho", rho), ("epsilon", epsilon), ("momentum", momentum)):
            if value is None or value < 0.0:
                raise ValueError(f"Invalid value of {what}, expect {what} >= 0, not {value}")
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._given = (momentum, rho, epsilon)
        mean = ("mean_grad",) if centered else ()
        self._STATES = ("mean_square", *mean, "momentum")
        self._row = "rmsprop_centered_update" if centered else "rmsprop_momentum_update"

    def _update(self, part, gradients, rates):
        momentum, rho, epsilon = self._given
        numbers = (1.0, momentum, rates, 1.0 - rho, 0.0, epsilon, inf, 0.0)
        update(self._row, part, gradients, *numbers)


class Adam(Optimizer):
    """Steps by running means of gradients and of their squares, corrected for the beginning."""

    _STATES = ("moment1", "moment2")

    def __init__(
        self,
        learning_rate=0.001,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-08,
        parameters=None,
        weight_decay=None,
        grad_clip=None,
        lazy_mode=False,
        multi_precision=False,
        use_multi_tensor=False,
        amsgrad=False,
        name=None,
    ):
        for what, value in (("beta1", beta1), ("beta2", beta2)):
            if not 0 <= value < 1:
                raise ValueError(f"Invalid value of {what}, expect {what} in [0,1).")
        if epsilon < 0:
            raise ValueError("Invalid value of epsilon, expect epsilon >= 0.")
        if amsgrad:
            raise NotImplementedError(f"{type(self).__name__}: amsgrad=True is not here")
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._beta1, self._beta2, self._epsilon = beta1, beta2, epsilon

    def _update(self, part, gradients, rates):
        self._adam(part, gradients, rates, 0.0, part.decays)

    def _adam(self, part, gradients, rates, shrink, decays):
        count = self._count(part)
        first, second = correction(count, self._beta1), correction(count, self._beta2)
        gains = (1.0 - self._beta1, 1.0 - self._beta2)
        numbers = (rates, *gains, self._epsilon, 0.0, first, second, shrink, 0.0)
        update("adam_update", part, gradients, *numbers, decays=decays)

    def _numbers(self):
        """The powers of the decays that the next step has."""
        from .._create import full

        found = {}
        for name, beta in (("beta1_pow_acc", self._beta1), ("beta2_pow_acc", self._beta2)):
            for one in self._parameter_list:
                count = self._counts.get(id(one))
                if count is not None:
                    found[self._key(one, name)] = full([1], beta ** (count + 1), one.dtype)
        return found

    def _set_numbers(self, state_dict, names):
        """Numbers of steps, out of the powers. Waits for these."""
        from math import log

        for one in self._parameter_list:
            found = names.get(f"{one.name}_beta2_pow_acc")
            if found is not None:
                power = float(state_dict[found].item())
                steps = log(power) / log(self._beta2) if 0 < power < 1 and self._beta2 else 1
                self._counts[id(one)] = max(round(steps) - 1, 0)
            for kind in ("beta1_pow_acc", "beta2_pow_acc"):
                key = names.get(f"{one.name}_{kind}")
                if key is not None:
                    self._kept_names[(id(one), kind)] = key


class AdamW(Adam):
    """Adam whose weights shrink by rate * weight_decay in each step, apart from the gradient."""

    def __init__(
        self,
        learning_rate=0.001,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-08,
        parameters=None,
        weight_decay=0.01,
        use_lowprecision_moment=False,
        lr_ratio=None,
        apply_decay_param_fun=None,
        grad_clip=None,
        lazy_mode=False,
        multi_precision=False,
        amsgrad=False,
        name=None,
    ):
        super().__init__(
            *(learning_rate, beta1, beta2, epsilon, parameters, weight_decay, grad_clip),
            amsgrad=amsgrad,
            name=name,
        )
        self._ratio, self._decays_name = lr_ratio, apply_decay_param_fun

    def _options(self):
        found = []
        for (factor, decay), one in zip(super()._options(), self._parameter_list):
            if self._ratio is not None:
                factor = factor * self._ratio(one)
            if self._decays_name is not None and not self._decays_name(one.name):
                decay = 0.0
            found.append((factor, decay))
        return found

    def _update(self, part, gradients, rates):
        self._adam(part, gradients, rates, part.decays, 0.0)
