"""Optimisers: torch.optim.

>>> from penstock import torch
>>> w = torch.tensor([1.0, -2.0], requires_grad=True)
>>> sgd = torch.optim.SGD([w], lr=0.25)
>>> for step in range(3):
...     sgd.zero_grad()
...     (w * w).sum().backward()
...     sgd.step()
>>> w
tensor([ 0.1250, -0.2500], requires_grad=True)

A step is queued and not waited for. Each optimiser is in a module of its name, which is loaded when
it is first asked for.
"""

from .. import _missing
from .optimizer import Optimizer

_KINDS = {
    name: name.lower()
    for name in (
        *("SGD", "Adam", "AdamW", "Adagrad", "Adadelta", "RMSprop"),
        *("Adamax", "NAdam", "RAdam", "Rprop", "ASGD"),
    )
}
__all__ = ["Optimizer", "lr_scheduler", *_KINDS]

_not_here = _missing.missing("torch.optim")


def __getattr__(name):
    from importlib import import_module

    if name in _KINDS:
        found = getattr(import_module(f"{__name__}.{_KINDS[name]}"), name)
        globals()[name] = found
        return found
    if name == "lr_scheduler" or name in _KINDS.values():
        return import_module(f"{__name__}.{name}")
    return _not_here(name)


def __dir__():
    return sorted(__all__)
