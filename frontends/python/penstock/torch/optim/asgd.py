"""torch.optim.asgd: gradient descent with a mean of the parameters beside."""

from . import _checks
from ._stepping import ByParameter


class ASGD(ByParameter):
    """Gradient descent with a falling rate; state has `ax`, the mean of a parameter from t0 on.

    >>> from penstock import torch
    >>> torch.optim.ASGD([torch.ones(1, requires_grad=True)]).defaults["alpha"]
    0.75
    """

    __module__ = "torch.optim.asgd"
    _STATES = ("ax",)
    _NUMBERS = ("step", "eta", "mu")

    def __init__(
        self,
        params,
        lr=1e-2,
        lambd=1e-4,
        alpha=0.75,
        t0=1e6,
        weight_decay=0,
        foreach=None,
        maximize=False,
        differentiable=False,
        capturable=False,
    ):
        _checks.rate(lr)
        _checks.at_least_zero(weight_decay=weight_decay)
        _checks.ways(foreach, differentiable)
        defaults = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _first_numbers(self, group):
        return {"step": 0, "eta": group["lr"], "mu": 1.0}

    def _change(self, group, param, gradient, states, numbers):
        (mean,) = states
        rate, small, step, share = group["lr"], group["lambd"], numbers["step"], numbers["mu"]
        param *= 1.0 - small * numbers["eta"]
        param -= numbers["eta"] * gradient
        mean += share * (param - mean)
        numbers["eta"] = rate / (1.0 + small * rate * step) ** group["alpha"]
        numbers["mu"] = 1.0 / max(1.0, step - group["t0"])
