"""torch.optim.adam: steps by running means of gradients and of their squares."""

from math import inf

from ... import _core
from ..._common.steps import correction, for_each
from . import _checks
from ._stepping import ByRows

_update = _core._op_update


class Adam(ByRows):
    """m and v are running means of g and g * g; w -= lr * m' / (sqrt(v') + eps), both corrected.

    With amsgrad the largest v so far counts. The weight decay is a part of g; if it is decoupled,
    w -= lr * weight_decay * w comes beside.

    >>> from penstock import torch
    >>> w = torch.ones(1, requires_grad=True)
    >>> adam = torch.optim.Adam([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> adam.step()
    >>> w
    tensor([0.9000], requires_grad=True)
    """

    __module__ = "torch.optim.adam"

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        amsgrad=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
        fused=None,
        decoupled_weight_decay=False,
    ):
        _checks.rate(lr)
        _checks.at_least_zero(epsilon=eps, weight_decay=weight_decay)
        _checks.betas(betas)
        _checks.ways(foreach, differentiable, fused)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, defaults)

    def _names(self, group):
        if group["amsgrad"]:
            return ("exp_avg", "exp_avg_sq", "max_exp_avg_sq")
        return ("exp_avg", "exp_avg_sq")

    def _update(self, group, params, states, gradients, count):
        beta1, beta2 = group["betas"]
        shrink, decay = decays(group)
        rate, gains, eps = group["lr"], (1.0 - beta1, 1.0 - beta2), group["eps"]
        steps = for_each(count, lambda before: before + 1)
        corrections = correction(steps, beta1), correction(steps, beta2)
        last = (0.0, -1.0 if group["maximize"] else 1.0, inf, decay)
        if len(states) == 2:
            numbers = (rate, *gains, eps, 0.0, *corrections, shrink, *last)
            _update("adam_update", None, params, *states, gradients, *numbers)
            return
        # The means move, then the maximum, then the parameters by means that stay.
        mean, square, largest = states
        means = (0.0, *gains, eps, 0.0, 1.0, 1.0, 0.0, *last)
        _update("adam_update", None, params, mean, square, gradients, *means)
        _update("maximum", None, largest, square)
        step = (rate, 0.0, 0.0, eps, 0.0, *corrections, shrink)
        _update("adam_update", None, params, mean, largest, gradients, *step)


def decays(group):
    """How much of a weight is taken off beside the gradient, and how much is added to that."""
    decay = group["weight_decay"]
    return (decay, 0.0) if group["decoupled_weight_decay"] else (0.0, decay)
