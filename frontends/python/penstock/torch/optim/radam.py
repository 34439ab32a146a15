"""torch.optim.radam: Adam that trusts its mean of squares when that has seen enough."""

from math import inf, sqrt

from ... import _core
from ..._common.steps import for_each
from . import _checks
from ._stepping import ByRows
from .adam import decays

_update = _core._op_update


class RAdam(ByRows):
    """As Adam, but without the mean of squares in the first steps, and rectified afterwards.

    >>> from penstock import torch
    >>> torch.optim.RAdam([torch.ones(1, requires_grad=True)]).defaults["betas"]
    (0.9, 0.999)
    """

    __module__ = "torch.optim.radam"

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        decoupled_weight_decay=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
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
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _names(self, group):
        return ("exp_avg", "exp_avg_sq")

    def _update(self, group, params, states, gradients, count):
        beta1, beta2 = group["betas"]
        shrink, decay = decays(group)
        found = for_each(count, lambda steps: _rectified(steps + 1, beta1, beta2, group["eps"]))
        eps, inside, first, second = found if type(found) is tuple else map(list, zip(*found))
        numbers = (group["lr"], 1.0 - beta1, 1.0 - beta2, eps, inside, first, second, shrink)
        last = (0.0, -1.0 if group["maximize"] else 1.0, inf, decay)
        _update("adam_update", None, params, *states, gradients, *numbers, *last)


def _rectified(step, beta1, beta2, eps):
    """The row's epsilon, inside, correct1 and correct2; 0, 1, .., 0 leave the squares out."""
    correct1 = 1.0 / (1.0 - beta1**step)
    power = beta2**step
    longest = 2.0 / (1.0 - beta2) - 1.0
    length = longest - 2.0 * step * power / (1.0 - power)
    if length <= 5.0:
        return 0.0, 1.0, correct1, 0.0
    above = (length - 4.0) * (length - 2.0) * longest
    below = (longest - 4.0) * (longest - 2.0) * length
    return eps, 0.0, correct1 * sqrt(above / below) * sqrt(1.0 - power), 1.0
