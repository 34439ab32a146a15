"""torch.optim.adagrad: steps by the sum of all squares of gradients."""

from math import inf

from ... import _core
from ..._common.steps import for_each
from . import _checks
from ._stepping import ByRows, filled_like

_update = _core._op_update


class Adagrad(ByRows):
    """v += g * g; w -= rate * g / (sqrt(v) + eps), where the rate falls as 1 / (1 + n * lr_decay).

    >>> from penstock import torch
    >>> torch.optim.Adagrad([torch.ones(1, requires_grad=True)]).defaults["eps"]
    1e-10
    """

    __module__ = "torch.optim.adagrad"

    def __init__(
        self,
        params,
        lr=1e-2,
        lr_decay=0,
        weight_decay=0,
        initial_accumulator_value=0,
        eps=1e-10,
        foreach=None,
        *,
        maximize=False,
        differentiable=False,
        fused=None,
    ):
        _checks.rate(lr)
        _checks.at_least_zero(
            lr_decay=lr_decay,
            weight_decay=weight_decay,
            initial_accumulator_value=initial_accumulator_value,
            epsilon=eps,
        )
        _checks.ways(foreach, differentiable, fused)
        defaults = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)
        for group in self.param_groups:
            for one in group["params"]:
                self._numbers_of(one, group)
                self._tensor_of("sum", one, group)

    def share_memory(self):
        """Not here: raises."""
        raise NotImplementedError("Adagrad.share_memory: elements are of one process")

    def _names(self, group):
        return ("sum",)

    def _first(self, name, param, group):
        return filled_like(param, group["initial_accumulator_value"])

    def _update(self, group, params, states, gradients, count):
        rate, slower = group["lr"], group["lr_decay"]
        if slower != 0:
            rate = for_each(count, lambda steps: group["lr"] / (1.0 + steps * slower))
        last = (0.0, -1.0 if group["maximize"] else 1.0, inf, group["weight_decay"])
        numbers = (rate, group["eps"], 0.0, *last)
        _update("adagrad_update", None, params, *states, gradients, *numbers)
