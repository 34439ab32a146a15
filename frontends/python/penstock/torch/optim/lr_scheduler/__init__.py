"""Learning rates that change: torch.optim.lr_scheduler.

>>> from penstock import torch
>>> sgd = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.5)
>>> scheduler = torch.optim.lr_scheduler.StepLR(sgd, step_size=2, gamma=0.1)
>>> for epoch in range(4):
...     sgd.step()
...     scheduler.step()
>>> round(scheduler.get_last_lr()[0], 6)
0.005
"""

from ... import _missing
from ._base import LRScheduler
from ._cosine import CosineAnnealingLR, CosineAnnealingWarmRestarts
from ._cycles import CyclicLR, OneCycleLR
from ._factors import (
    ConstantLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    MultiplicativeLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)
from ._joined import ChainedScheduler, SequentialLR
from ._plateau import ReduceLROnPlateau

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]

# Programs compare it with the name of this module.
for _name in __all__:
    globals()[_name].__module__ = __name__
del _name

_LRScheduler = LRScheduler  # its name in older programs

__getattr__ = _missing.missing("torch.optim.lr_scheduler")
