"""Dense layers."""

from __future__ import annotations

from math import prod

from .. import _core
from ._block import Block
from ._containers import flattened, named
from ._parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .._core import _DTypeLike, ndarray
    from .init import _InitializerLike

_linear = _core._ops["linear"]

# Activations that a product can end in by their name: functions of one element.
_AFTER = ("softmax", "log_softmax", "logsumexp", "one_hot")


class Dense(Block):
    """x @ weight.T + bias, then an activation.

    in_units is found at the first call unless it is given. The activation is a name, as in
    nn.linear, or a function. With flatten all dimensions of x but the first count as one; without,
    the last dimension is the one that is multiplied.

    >>> layer = ps.nn.Dense(2, activation="relu").initialize("ones")
    >>> layer(ps.array([[1.0, 2.0, 3.0]]))
    array([[6., 6.]])
    >>> layer
    Dense(3 -> 2, relu)
    """

    weight: Parameter
    bias: Parameter | None

    def __init__(
        self,
        units: int,
        activation: str | Callable[[Any], Any] | None = None,
        use_bias: bool = True,
        in_units: int = 0,
        flatten: bool = True,
        dtype: _DTypeLike = "float32",
        weight_init: _InitializerLike = None,
        bias_init: _InitializerLike = "zeros",
    ) -> None:
        self.units = units
        self.flatten = flatten
        self.activation = activation
        self._fused, self._after = _taken_apart(activation)
        self.weight = Parameter((units, in_units), dtype, weight_init)
        self.bias = Parameter(units, dtype, bias_init) if use_bias else None

    def infer_shape(self, x: ndarray) -> None:
        if x.ndim == 0:
            raise ValueError("Dense: x has no dimensions")
        self.weight.settle((self.units, prod(x.shape[1:]) if self.flatten else x.shape[-1]))

    def forward(self, x: ndarray) -> ndarray:
        weight, bias = self.weight.data, self.bias
        if self.flatten and x.ndim > 2:
            x = flattened(x)
        y = _linear(x, weight, None if bias is None else bias.data, self._fused)
        return y if self._after is None else self._after(y)

    def _described(self) -> str:
        units, in_units = self.weight.shape
        text = f"{in_units or '?'} -> {units}"
        if self.activation is not None:
            name = getattr(self.activation, "__name__", self.activation)
            text += f", {name}"
        return text if self.bias is not None else text + ", use_bias=False"


def _taken_apart(activation: Any) -> tuple[str | None, Callable[[Any], Any] | None]:
    """The part of an activation that is of the product, and a function for what follows it."""
    if activation is None:
        return None, None
    if not isinstance(activation, str):
        if not callable(activation):
            raise TypeError(f"Dense: activation must be a name or a function, not {activation!r}")
        return None, activation
    function = named(activation)
    name: str = function.__name__
    return (None, function) if name in _AFTER else (name, None)
