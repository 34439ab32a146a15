"""torch.optim.sgd: gradient descent."""

from math import inf

from ... import _core
from ..._common.steps import for_each
from . import _checks
from ._stepping import ByRows

_update = _core._op_update


class SGD(ByRows):
    """Gradient descent: w -= lr * g, or with momentum m = momentum * m + g; w -= lr * m.

    The first gradient counts whole in the momentum, later ones less by `dampening`. With nesterov
    the step is that of g + momentum * m.

    >>> from penstock import torch
    >>> w = torch.ones(1, requires_grad=True)
    >>> sgd = torch.optim.SGD([w], lr=0.5, momentum=0.9)
    >>> w.sum().backward()
    >>> sgd.step()
    >>> w
    tensor([0.5000], requires_grad=True)
    """

    __module__ = "torch.optim.sgd"
    _COUNTED = False

    def __init__(
        self,
        params,
        lr=1e-3,
        momentum=0,
        dampening=0,
        weight_decay=0,
        nesterov=False,
        *,
        maximize=False,
        foreach=None,
        differentiable=False,
        fused=None,
    ):
        _checks.rate(lr)
        _checks.at_least_zero(momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        _checks.ways(foreach, differentiable, fused)
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)

    def _names(self, group):
        return ("momentum_buffer",) if group["momentum"] != 0 else ()

    def _count_of(self, param, group):
        """1 for a parameter that has a momentum, else 0."""
        return int(self._state.get(param, {}).get("momentum_buffer") is not None)

    def _update(self, group, params, states, gradients, count):
        rescale = -1.0 if group["maximize"] else 1.0
        last = (rescale, inf, group["weight_decay"])
        if not states:
            _update("sgd_update", None, params, gradients, group["lr"], *last)
            return
        damped = 1.0 - group["dampening"]
        factor = 1.0 if damped == 1.0 else for_each(count, lambda steps: damped if steps else 1.0)
        row = "nesterov_update" if group["nesterov"] else "momentum_update"
        numbers = (group["lr"], group["momentum"], factor)
        _update(row, None, params, states[0], gradients, *numbers, *last)
