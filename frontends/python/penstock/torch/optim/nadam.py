"""torch.optim.nadam: Adam with the momentum of the step ahead."""

from . import _checks
from ._stepping import ByParameter


class NAdam(ByParameter):
    """As Adam, with a momentum that grows, and of which the next one's share is taken.

    >>> from penstock import torch
    >>> torch.optim.NAdam([torch.ones(1, requires_grad=True)]).defaults["momentum_decay"]
    0.004
    """

    __module__ = "torch.optim.nadam"
    _STATES = ("exp_avg", "exp_avg_sq")
    _NUMBERS = ("step", "mu_product")

    def __init__(
        self,
        params,
        lr=2e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        momentum_decay=4e-3,
        decoupled_weight_decay=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
    ):
        _checks.rate(lr)
        _checks.at_least_zero(
            epsilon=eps, weight_decay=weight_decay, momentum_decay=momentum_decay
        )
        _checks.betas(betas)
        _checks.ways(foreach, differentiable)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _first_numbers(self, group):
        return {"step": 0, "mu_product": 1.0}

    def _change(self, group, param, gradient, states, numbers):
        rate, (beta1, beta2), step = group["lr"], group["betas"], numbers["step"]
        mean, square = states
        share, following = (
            beta1 * (1.0 - 0.5 * 0.96 ** (time * group["momentum_decay"]))
            for time in (step, step + 1)
        )
        product = numbers["mu_product"] = numbers["mu_product"] * share
        if group["decoupled_weight_decay"] and group["weight_decay"] != 0:
            param *= 1.0 - rate * group["weight_decay"]
        mean += (1.0 - beta1) * (gradient - mean)
        square += (1.0 - beta2) * (gradient * gradient - square)
        root = (square / (1.0 - beta2**step)).sqrt() + group["eps"]
        now = (1.0 - share) / (1.0 - product)
        ahead = following / (1.0 - product * following)
        param -= rate * (now * gradient + ahead * mean) / root
