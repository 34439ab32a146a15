"""Dropout."""

from __future__ import annotations

from .. import _core
from ._block import Block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._core import ndarray

_dropout = _core._ops["dropout"]
_is_training = _core._grad_is_training


class Dropout(Block):
    """In training, each element is 0 with probability p, else divided by 1 - p.

    With axes, elements share their fate along these. In prediction x is given as it is.

    >>> layer = ps.nn.Dropout(0.5)
    >>> layer(ps.ones(3))
    array([1., 1., 1.])
    >>> with ps.autograd.train_mode():
    ...     set(layer(ps.ones(100)).tolist()) <= {0.0, 2.0}
    True
    """

    def __init__(self, p: float = 0.5, axes: int | Sequence[int] | None = None) -> None:
        if not 0 <= p < 1:
            raise ValueError(f"Dropout: p must be at least 0 and below 1, not {p!r}")
        self.p = p
        self.axes = axes

    def forward(self, x: ndarray) -> ndarray:
        if self.p == 0 or not _is_training():
            return x
        return _dropout(x, self.p, axes=self.axes)

    def _described(self) -> str:
        return f"p={self.p}" if self.axes is None else f"p={self.p}, axes={self.axes}"
