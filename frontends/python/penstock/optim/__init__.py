"""Optimisers: they change parameters by their gradients, all of them in one task, without a wait.

>>> w = ps.array([1.0, -2.0])
>>> w.attach_grad()
>>> sgd = ps.optim.SGD([w], lr=0.25)
>>> for step in range(3):
...     with ps.autograd.record():
...         loss = (w * w).sum()
...     loss.backward()
...     sgd.step()
>>> w
array([ 0.125, -0.25 ])

`updates` has their steps as operations, `schedules` learning rates that depend on the step.
"""

from __future__ import annotations

from . import schedules, updates
from ._clip import clip_global_norm, global_norm
from ._kinds import SGD, Adadelta, Adagrad, Adam, AdamW, Ftrl, RMSProp
from ._optimiser import Optimiser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._optimiser import _Parameters

__all__ = [
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Ftrl",
    "Optimiser",
    "RMSProp",
    "SGD",
    "clip_global_norm",
    "create",
    "global_norm",
    "schedules",
    "updates",
]

_ALL = (SGD, Adam, AdamW, Adagrad, Adadelta, RMSProp, Ftrl)
_KINDS = {kind.__name__.lower(): kind for kind in _ALL}


def __dir__() -> list[str]:
    return __all__


def create(name: str, params: _Parameters, **options: Any) -> Optimiser:
    """An optimiser by its name, in letters of any case.

    >>> ps.optim.create('adam', [ps.ones(3)], lr=0.01)
    penstock.optim.Adam(1 parameters, learning_rate=0.01)
    """
    kind = _KINDS.get(name.lower()) if isinstance(name, str) else None
    if kind is None:
        raise ValueError(f"there is no optimiser {name!r}; there are {', '.join(sorted(_KINDS))}")
    return kind(params, **options)
