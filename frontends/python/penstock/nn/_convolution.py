"""Convolutions and pooling over images: (batch, channels, height, width)."""

from __future__ import annotations

from .. import _core
from ._block import Block
from ._containers import named
from ._parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeAlias

    from .._core import _DTypeLike, ndarray
    from .init import _InitializerLike

    _Pair: TypeAlias = int | Sequence[int]

_ops = _core._ops


def _pair(what: str, value: Any) -> tuple[int, int]:
    """Two numbers, for height and width, of one or two."""
    both = (value, value) if isinstance(value, int) else tuple(value)
    if len(both) != 2 or not all(isinstance(one, int) for one in both):
        raise ValueError(f"{what} must be one or two integers, not {value!r}")
    return both


class _Convolution(Block):
    """What both kinds have in common."""

    _ROW: str
    weight: Parameter
    bias: Parameter | None

    def __init__(
        self,
        channels: int,
        kernel_size: _Pair,
        strides: _Pair = 1,
        padding: _Pair = 0,
        dilation: _Pair = 1,
        groups: int = 1,
        activation: str | Callable[[Any], Any] | None = None,
        use_bias: bool = True,
        in_channels: int = 0,
        dtype: _DTypeLike = "float32",
        weight_init: _InitializerLike = None,
        bias_init: _InitializerLike = "zeros",
    ) -> None:
        kind = type(self).__name__
        self.channels = channels
        self.kernel_size = _pair(f"{kind}: kernel_size", kernel_size)
        self.strides = _pair(f"{kind}: strides", strides)
        self.padding = _pair(f"{kind}: padding", padding)
        self.dilation = _pair(f"{kind}: dilation", dilation)
        self.groups = groups
        self.activation = named(activation) if isinstance(activation, str) else activation
        shape = self._weight_shape(in_channels) if in_channels else (0, 0, *self.kernel_size)
        self.weight = Parameter(shape, dtype, weight_init)
        self.bias = Parameter(channels, dtype, bias_init) if use_bias else None

    def _weight_shape(self, in_channels: int) -> tuple[int, ...]:
        raise NotImplementedError

    def _in_channels(self) -> int:
        raise NotImplementedError

    def infer_shape(self, x: ndarray) -> None:
        if x.ndim != 4:
            kind = type(self).__name__
            raise ValueError(f"{kind}: x must have 4 dimensions, not shape {x.shape}")
        self.weight.settle(self._weight_shape(x.shape[1]))

    def _convolved(self, x: ndarray, **more: Any) -> ndarray:
        y = _ops[self._ROW](
            x,
            self.weight.data,
            None if self.bias is None else self.bias.data,
            stride=self.strides,
            padding=self.padding,
            dilation=self.dilation,
            groups=self.groups,
            **more,
        )
        return y if self.activation is None else self.activation(y)

    def _described(self) -> str:
        text = f"{self._in_channels() or '?'} -> {self.channels}, kernel_size={self.kernel_size}"
        for name, usual in (("strides", (1, 1)), ("padding", (0, 0)), ("dilation", (1, 1))):
            if getattr(self, name) != usual:
                text += f", {name}={getattr(self, name)}"
        text += f", groups={self.groups}" if self.groups != 1 else ""
        if self.activation is not None:
            text += f", {getattr(self.activation, '__name__', self.activation)}"
        return text


class Conv2D(_Convolution):
    """A convolution: each output channel is a sum over windows of the input channels of its group.

    >>> layer = ps.nn.Conv2D(8, kernel_size=3, padding=1).initialize()
    >>> layer(ps.ones((2, 3, 10, 12))).shape
    (2, 8, 10, 12)
    >>> layer
    Conv2D(3 -> 8, kernel_size=(3, 3), padding=(1, 1))
    """

    _ROW = "conv2d"

    def _weight_shape(self, in_channels: int) -> tuple[int, ...]:
        if in_channels % self.groups:
            raise ValueError(f"Conv2D: {in_channels} channels cannot make {self.groups} groups")
        return (self.channels, in_channels // self.groups, *self.kernel_size)

    def _in_channels(self) -> int:
        return self.weight.shape[1] * self.groups

    def forward(self, x: ndarray) -> ndarray:
        return self._convolved(x)


class Conv2DTranspose(_Convolution):
    """A transposed convolution: what the gradient of Conv2D does to its output.

    >>> layer = ps.nn.Conv2DTranspose(8, kernel_size=2, strides=2).initialize()
    >>> layer(ps.ones((2, 3, 5, 6))).shape
    (2, 8, 10, 12)
    """

    _ROW = "conv2d_transpose"

    def __init__(
        self,
        channels: int,
        kernel_size: _Pair,
        strides: _Pair = 1,
        padding: _Pair = 0,
        output_padding: _Pair = 0,
        dilation: _Pair = 1,
        groups: int = 1,
        activation: str | Callable[[Any], Any] | None = None,
        use_bias: bool = True,
        in_channels: int = 0,
        dtype: _DTypeLike = "float32",
        weight_init: _InitializerLike = None,
        bias_init: _InitializerLike = "zeros",
    ) -> None:
        self.output_padding = _pair("Conv2DTranspose: output_padding", output_padding)
        super().__init__(
            channels, kernel_size, strides, padding, dilation, groups, activation, use_bias,
            in_channels, dtype, weight_init, bias_init,
        )  # fmt: skip

    def _weight_shape(self, in_channels: int) -> tuple[int, ...]:
        if self.channels % self.groups:
            raise ValueError(f"Conv2DTranspose: {self.channels} channels in {self.groups} groups")
        return (in_channels, self.channels // self.groups, *self.kernel_size)

    def _in_channels(self) -> int:
        return self.weight.shape[0]

    def forward(self, x: ndarray) -> ndarray:
        return self._convolved(x, output_padding=self.output_padding)
