"""Layers, losses and what models are made of: torch.nn.

>>> from penstock import torch
>>> from penstock.torch import nn
>>> net = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
>>> net(torch.ones(4, 2)).shape
torch.Size([4, 1])
"""

from .. import _missing
from . import functional, init, modules, parameter
from .modules import *  # noqa: F403
from .parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

__all__ = [
    *modules.__all__,
    *("Buffer", "DataParallel", "Parameter", "UninitializedBuffer", "UninitializedParameter"),
    *("functional", "init", "modules", "parallel", "parameter", "utils"),
]

_not_here = _missing.missing("torch.nn")


def __getattr__(name):
    from importlib import import_module

    if name in ("parallel", "utils"):
        return import_module(f"{__name__}.{name}")
    if name == "DataParallel":
        from .parallel import DataParallel

        return DataParallel
    return _not_here(name)
