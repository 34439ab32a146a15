"""Functions of layers: torch.nn.functional.

>>> from penstock import torch
>>> from penstock.torch.nn import functional as F
>>> F.relu(torch.tensor([-1.0, 2.0]))
tensor([0., 2.])
"""

from ...._common.namespaces import bring as _bring
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

__all__ = _bring(
    globals(),
    *(_activations, _classes, _conv, _dropout, _linear, _losses, _norm, _pad, _pool, _sparse),
    _vision,
)

__getattr__ = _missing.missing("torch.nn.functional")
