"""Pooling over images: (batch, channels, height, width)."""

from __future__ import annotations

from .. import _core
from ._block import Block
from ._convolution import _pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .._core import ndarray
    from ._convolution import _Pair

_ops = _core._ops


class _Pool(Block):
    """Windows, and how they lie."""

    def __init__(
        self,
        pool_size: _Pair = 2,
        strides: _Pair | None = None,
        padding: _Pair = 0,
        ceil_mode: bool = False,
    ) -> None:
        kind = type(self).__name__
        self.pool_size = _pair(f"{kind}: pool_size", pool_size)
        self.strides = self.pool_size if strides is None else _pair(f"{kind}: strides", strides)
        self.padding = _pair(f"{kind}: padding", padding)
        self.ceil_mode = ceil_mode

    def _windows(self) -> dict[str, Any]:
        """What an operation is told of the windows."""
        return {
            "kernel": self.pool_size,
            "stride": self.strides,
            "padding": self.padding,
            "ceil_mode": self.ceil_mode,
        }

    def _described(self) -> str:
        return f"{self.pool_size}, strides={self.strides}, padding={self.padding}"


class MaxPool2D(_Pool):
    """The largest element of each window.

    The windows lie side by side unless strides says otherwise. With ceil_mode the last ones may
    reach beyond the image.

    >>> ps.nn.MaxPool2D(2)(ps.arange(16.0).reshape(1, 1, 4, 4))
    array([[[[ 5.,  7.],
             [13., 15.]]]])
    """

    def forward(self, x: ndarray) -> ndarray:
        return _ops["max_pool2d"](x, **self._windows())


class AvgPool2D(_Pool):
    """The mean of each window; with count_include_pad margins count as zeros.

    >>> ps.nn.AvgPool2D(2)(ps.arange(16.0).reshape(1, 1, 4, 4))
    array([[[[ 2.5,  4.5],
             [10.5, 12.5]]]])
    """

    def __init__(
        self,
        pool_size: _Pair = 2,
        strides: _Pair | None = None,
        padding: _Pair = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__(pool_size, strides, padding, ceil_mode)
        self.count_include_pad = count_include_pad

    def forward(self, x: ndarray) -> ndarray:
        include = self.count_include_pad
        return _ops["avg_pool2d"](x, **self._windows(), count_include_pad=include)


class GlobalAvgPool2D(Block):
    """The mean of each channel of each image.

    >>> ps.nn.GlobalAvgPool2D()(ps.ones((2, 3, 4, 5))).shape
    (2, 3, 1, 1)
    """

    def forward(self, x: ndarray) -> ndarray:
        return _ops["global_avg_pool2d"](x)


class GlobalMaxPool2D(Block):
    """The largest element of each channel of each image.

    >>> ps.nn.GlobalMaxPool2D()(ps.ones((2, 3, 4, 5))).shape
    (2, 3, 1, 1)
    """

    def forward(self, x: ndarray) -> ndarray:
        return _ops["global_max_pool2d"](x)
