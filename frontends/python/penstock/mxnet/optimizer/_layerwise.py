"""Optimisers that suit the rate of each parameter to the norms of its weights and gradients.

Norms stay on the device: a rate is an array of one element.
"""

import os
from math import sqrt

from ... import _core, autograd as _autograd
from .._dialects import native
from ._composed import Composed
from ._optimizer import ListOptimizer, register, zeros_like
from ._rows import SGD, negative

_ops = _core._ops
_op_update = _core._op_update
_array = _core.ndarray
_norm, _where, _cast, _sum, _square = (
    _ops[name] for name in ("norm", "where", "cast", "sum", "square")
)


def _positive(*norms):
    """Whether all of them are above 0."""
    found = norms[0] > 0
    for norm in norms[1:]:
        found = found & (norm > 0)
    return found


@register
class LARS(ListOptimizer):
    """SGD with a rate times eta * |w| / (|g| + wd * |w| + eps), but of biases and norms."""

    __module__ = "mxnet.optimizer.optimizer"
    _MASTER_LAST = True

    def __init__(
        self,
        momentum=0.0,
        lazy_update=True,
        eta=0.001,
        eps=0,
        momentum_correction=True,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.momentum = momentum
        self.momentum_correction = momentum_correction
        self.lazy_update = lazy_update
        self.aggregate_num = int(os.getenv("MXNET_OPTIMIZER_AGGREGATION_SIZE", "4"))
        self.eta = eta
        self.eps = eps
        self.skip = 0
        self.last_lr = None
        self.cur_lr = None

    create_state = SGD.create_state

    def _without_decay(self, name):
        return not name.endswith("_weight")

    def _get_lrs(self, indices):
        """The learning rates, before norms count; remembers the one before."""
        now = self.learning_rate
        self.last_lr = now if self.cur_lr is None else self.cur_lr
        self.cur_lr = now
        return self._multiplied(now, indices, "lr_mult", self.lr_mult)

    def _layer_rate(self, index, weight, grad, rate, decay):
        """The rate of a parameter: a number, or an array of one element."""
        if self.idx2name.get(index, "").endswith(("gamma", "beta", "bias")):
            return rate
        weight, grad = native(weight), native(grad)
        of_weight, of_grad = _norm(weight), _cast(_norm(grad), weight.dtype) * self.rescale_grad
        suited = self.eta * of_weight / (of_grad + decay * of_weight + self.eps)
        return _where(_positive(of_weight, of_grad), suited, 1.0) * rate

    def _step(self, indices, arrays, copies, grads, states):
        self._update_count(indices)
        given, decays = self._get_lrs(indices), self._get_wds(indices)
        with _autograd.pause():
            rates = list(map(self._layer_rate, indices, arrays, grads, given, decays))
        momentum = self.momentum
        if self.momentum_correction and self.last_lr != 0:
            momentum *= self.cur_lr / self.last_lr
        # Arrays and numbers do not go into one list.
        for suited in (True, False):
            places = [i for i, rate in enumerate(rates) if isinstance(rate, _array) == suited]
            if places:
                chosen = [_chosen(one, places) for one in (arrays, copies, grads, states)]
                self._apply(_chosen(rates, places), _chosen(decays, places), momentum, *chosen)

    def _apply(self, rates, decays, momentum, arrays, copies, grads, states):
        last = (self.rescale_grad, self._limit(), decays)
        if states[0] is None:
            _op_update("sgd_update", copies, arrays, grads, rates, *last)
        else:
            numbers = (-1.0, momentum, negative(rates))
            _op_update("momentum_update", copies, arrays, states, grads, *numbers, *last)


def _chosen(items, places):
    return None if items is None else [items[place] for place in places]


@register
class LBSGD(Composed):
    """SGD for large batches, made of batch_scale smaller ones, with a warm-up of the rate.

    While gradients of a large batch add up, weights stay as they are. warmup_strategy is 'linear',
    'power2', 'sqrt', or 'lars', where the rate is multiplied by |w| / |g|.
    """

    __module__ = "mxnet.optimizer.optimizer"

    def __init__(
        self,
        momentum=0.0,
        multi_precision=False,
        warmup_strategy="linear",
        warmup_epochs=5,
        batch_scale=1,
        updates_per_epoch=32,
        begin_epoch=0,
        num_epochs=60,
        **kwargs,
    ):
        super().__init__(multi_precision=multi_precision, **kwargs)
        self.momentum = momentum
        self.warmup_strategy = warmup_strategy
        self.warmup_epochs = warmup_epochs
        self.batch_scale = batch_scale
        self.updates_per_epoch = updates_per_epoch
        self.init_updates = begin_epoch * updates_per_epoch
        self.num_epochs = num_epochs
        self.lbmult = 1
        self.cumgrads = {}
        self.adaptive = False
        self.admult = 1

    create_state = SGD.create_state

    def _batch_factor(self, nup):
        """What the rate is multiplied by after so many updates."""
        warmup, most = self.updates_per_epoch * self.warmup_epochs, float(self.batch_scale)
        if nup >= warmup:
            return most
        if warmup <= 1:
            return 1.0
        part = float(nup) / warmup
        shapes = {"linear": part, "power2": part * part, "sqrt": sqrt(part)}
        if self.warmup_strategy not in shapes:
            return 1.0
        return 1.0 + (most - 1) * shapes[self.warmup_strategy]

    def _layer_rate(self, weight, g, wd):
        """What suits the rate to the norms, from 0.01 to 100, as an array of one element."""
        weight, g = native(weight), native(g)
        of_weight, of_grad = _sum(_square(weight)), _sum(_square(g))
        suited = _ops["sqrt"](of_weight / (of_grad + wd * of_weight + 1e-18))
        return _ops["clip"](suited, 0.01, 100.0)

    def _counted(self, index):
        """The rate is that before the update is counted."""
        rate, decay = self._get_lr(index), self._get_wd(index)
        self._update_count(index)
        return rate, decay

    def _change(self, index, weight, grad, state, rate, decay):
        grads = self.cumgrads.setdefault(index, {"cum_grad": 0, "num_cums": self.init_updates})
        grads["cum_grad"] = grad + grads["cum_grad"]
        grads["num_cums"] += 1
        if grads["num_cums"] % self.batch_scale:
            return
        grad, grads["cum_grad"] = grads["cum_grad"] / self.batch_scale, 0
        if self.warmup_strategy == "lars":
            rate = [self._layer_rate(weight, grad, decay) * rate]
        else:
            rate = [self._batch_factor(grads["num_cums"]) * rate]
        last = (self.rescale_grad, self._limit(), decay)
        if state is None:
            _op_update("sgd_update", None, [weight], [grad], rate, *last)
        else:
            numbers = (-1.0, self.momentum, negative(rate))
            _op_update("momentum_update", None, [weight], [state], [grad], *numbers, *last)


@register
class LAMB(Composed):
    """Adam whose step is as long as the rate times the norm of the weight."""

    __module__ = "mxnet.optimizer.optimizer"

    def __init__(
        self,
        learning_rate=0.001,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-6,
        lower_bound=None,
        upper_bound=None,
        bias_correction=True,
        **kwargs,
    ):
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self.lower_bound = lower_bound
        self.upper_bound = upper_bound
        self.bias_correction = bias_correction
        self.aggregate_num = int(os.getenv("MXNET_OPTIMIZER_AGGREGATION_SIZE", "45"))

    def create_state(self, index, weight):
        """The mean, and the mean of squares."""
        return (zeros_like(weight), zeros_like(weight))

    def _direction(self, index, weight, grad, state, decay):
        mean, square = state
        grad = self._scaled(grad)
        mean *= self.beta1
        mean += (1.0 - self.beta1) * grad
        square *= self.beta2
        square += (1.0 - self.beta2) * _square(grad)
        if self.bias_correction:
            time = self._index_update_count[index]
            mean = mean / (1.0 - self.beta1**time)
            square = square / (1.0 - self.beta2**time)
        return mean / (_ops["sqrt"](square) + self.epsilon) + decay * weight

    def _change(self, index, weight, grad, state, rate, decay):
        step = self._direction(index, weight, grad, state, decay)
        of_weight, of_step = _norm(weight), _norm(step)
        if self.lower_bound:
            of_weight = _ops["maximum"](of_weight, self.lower_bound)
        if self.upper_bound:
            of_weight = _ops["minimum"](of_weight, self.upper_bound)
        suited = _where(_positive(of_weight, of_step), of_weight / of_step, 1.0)
        weight -= rate * suited * step
