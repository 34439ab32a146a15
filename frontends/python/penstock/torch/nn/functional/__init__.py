"""Functions of layers: torch.nn.functional.

>>> from penstock import torch
>>> from penstock.torch.nn import functional as F
>>> F.relu(torch.tensor([-1.0, 2.0]))
tensor([0., 2.])
"""

from ... import _missing
from . import (
    _activations,
    _classes,
    _conv,
    _dropout,
    _linear,
    _losses,
    _norm,
    _pad,
    _pool,
    _sparse,
    _vision,
)

__all__ = []
for _module in (
    *(_activations, _classes, _conv, _dropout, _linear, _losses, _norm, _pad, _pool, _sparse),
    _vision,
):
    __all__ += _module.__all__
    globals().update((_name, getattr(_module, _name)) for _name in _module.__all__)
del _module

__getattr__ = _missing.missing("torch.nn.functional")
