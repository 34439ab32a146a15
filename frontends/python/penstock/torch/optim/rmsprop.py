"""torch.optim.rmsprop: steps by a running mean of squares of gradients."""

from math import inf

from ... import _core
from . import _checks
from ._stepping import ByRows

_update = _core._op_update


class RMSprop(ByRows):
    """v is a running mean of g * g; w -= lr * g / (sqrt(v) + eps).

    Centered, the root is of v - a * a, where a is a running mean of g. With momentum the quotient
    is added to m = momentum * m, and w -= lr * m.

    >>> from penstock import torch
    >>> torch.optim.RMSprop([torch.ones(1, requires_grad=True)]).defaults["alpha"]
    0.99
    """

    __module__ = "torch.optim.rmsprop"

    def __init__(
        self,
        params,
        lr=1e-2,
        alpha=0.99,
        eps=1e-8,
        weight_decay=0,
        momentum=0,
        centered=False,
        capturable=False,
        foreach=None,
        maximize=False,
        differentiable=False,
    ):
        _checks.rate(lr)
        _checks.at_least_zero(
            epsilon=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha
        )
        _checks.ways(foreach, differentiable)
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _names(self, group):
        momentum = group["momentum"] > 0
        if group["centered"]:
            # The row has a momentum in any case; without one it is no part of the state.
            return ("square_avg", "grad_avg", "momentum_buffer" if momentum else "_last_step")
        return ("square_avg", "momentum_buffer") if momentum else ("square_avg",)

    def _update(self, group, params, states, gradients, count):
        row = ("rmsprop_update", "rmsprop_momentum_update", "rmsprop_centered_update")
        momentum = (group["momentum"], 1.0) if len(states) > 1 else ()
        numbers = (group["lr"], *momentum, 1.0 - group["alpha"], group["eps"], 0.0, inf, 0.0)
        last = (-1.0 if group["maximize"] else 1.0, inf, group["weight_decay"])
        _update(row[len(states) - 1], None, params, *states, gradients, *numbers, *last)
