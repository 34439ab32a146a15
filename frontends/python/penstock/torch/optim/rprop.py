"""torch.optim.rprop: steps by the signs of gradients."""

from .._elements import where
from . import _checks
from ._stepping import ByParameter, filled_like


class Rprop(ByParameter):
    """Steps whose size grows while the sign of the gradient stays, and falls where it changed.

    >>> from penstock import torch
    >>> torch.optim.Rprop([torch.ones(1, requires_grad=True)]).defaults["etas"]
    (0.5, 1.2)
    """

    __module__ = "torch.optim.rprop"
    _STATES = ("prev", "step_size")

    def __init__(
        self,
        params,
        lr=1e-2,
        etas=(0.5, 1.2),
        step_sizes=(1e-6, 50),
        *,
        capturable=False,
        foreach=None,
        maximize=False,
        differentiable=False,
    ):
        _checks.rate(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        _checks.ways(foreach, differentiable)
        defaults = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _first(self, name, param, group):
        return filled_like(param, group["lr"] if name == "step_size" else 0.0)

    def _change(self, group, param, gradient, states, numbers):
        before, size = states
        less, more = group["etas"]
        agree = gradient * before
        changed = agree < 0
        scaled = where(agree > 0, size * more, where(changed, size * less, size))
        size.copy_(scaled.clamp(*group["step_sizes"]))
        counts = gradient.masked_fill(changed, 0.0)
        param -= counts.sign() * size
        before.copy_(counts)
