"""torch.optim.adadelta: steps of the size of earlier ones."""

from math import inf

from ... import _core
from . import _checks
from ._stepping import ByRows

_update = _core._op_update


class Adadelta(ByRows):
    """v is a running mean of g * g, d of x * x; x = sqrt(d + eps) / sqrt(v + eps) * g; w -= lr * x.

    >>> from penstock import torch
    >>> torch.optim.Adadelta([torch.ones(1, requires_grad=True)]).defaults["rho"]
    0.9
    """

    __module__ = "torch.optim.adadelta"

    def __init__(
        self,
        params,
        lr=1.0,
        rho=0.9,
        eps=1e-6,
        weight_decay=0,
        foreach=None,
        *,
        capturable=False,
        maximize=False,
        differentiable=False,
    ):
        _checks.rate(lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        _checks.at_least_zero(epsilon=eps, weight_decay=weight_decay)
        _checks.ways(foreach, differentiable)
        defaults = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "capturable": capturable,
            "foreach": foreach,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _names(self, group):
        return ("square_avg", "acc_delta")

    def _update(self, group, params, states, gradients, count):
        numbers = (group["lr"], 1.0 - group["rho"], group["eps"], 0.0)
        last = (-1.0 if group["maximize"] else 1.0, inf, group["weight_decay"])
        _update("adadelta_update", None, params, *states, gradients, *numbers, *last)
