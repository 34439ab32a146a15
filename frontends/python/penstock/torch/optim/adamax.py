"""torch.optim.adamax: Adam by the largest gradients instead of their squares."""

from .._elements import maximum
from . import _checks
from ._stepping import ByParameter


class Adamax(ByParameter):
    """m is a running mean of g, u = max(beta2 * u, |g| + eps); w -= lr * m' / u, m' corrected.

    >>> from penstock import torch
    >>> torch.optim.Adamax([torch.ones(1, requires_grad=True)]).defaults["lr"]
    0.002
    """

    __module__ = "torch.optim.adamax"
    _STATES = ("exp_avg", "exp_inf")

    def __init__(
        self,
        params,
        lr=2e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        foreach=None,
        *,
        maximize=False,
        differentiable=False,
        capturable=False,
    ):
        _checks.rate(lr)
        _checks.at_least_zero(epsilon=eps, weight_decay=weight_decay)
        _checks.betas(betas)
        _checks.ways(foreach, differentiable)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _change(self, group, param, gradient, states, numbers):
        beta1, beta2 = group["betas"]
        mean, largest = states
        mean += (1.0 - beta1) * (gradient - mean)
        maximum(beta2 * largest, gradient.abs() + group["eps"], out=largest)
        param -= group["lr"] / (1.0 - beta1 ** numbers["step"]) * (mean / largest)
