"""Pooling as layers."""

from ... import _missing
from .. import functional as F
from ..functional._arguments import several
from .module import Module

__all__ = (
    "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveMaxPool1d AdaptiveMaxPool2d AvgPool1d AvgPool2d "
    "MaxPool1d MaxPool2d"
).split()


class _MaxPoolNd(Module):
    _run = None

    def __init__(
        self,
        kernel_size,
        stride=None,
        padding=0,
        dilation=1,
        return_indices=False,
        ceil_mode=False,
    ):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding, self.dilation = padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def forward(self, input):
        return type(self)._run(
            *(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode),
            self.return_indices,
        )

    def extra_repr(self):
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )


class MaxPool2d(_MaxPoolNd):
    """The largest element of each window of images.

    >>> from penstock import torch
    >>> torch.nn.MaxPool2d(2)(torch.arange(16.0).reshape(1, 1, 4, 4))
    tensor([[[[ 5.,  7.],
              [13., 15.]]]])
    """

    _run = staticmethod(F.max_pool2d)


class MaxPool1d(_MaxPoolNd):
    """The largest element of each window of lines."""

    _run = staticmethod(F.max_pool1d)


class AvgPool2d(Module):
    """The mean of each window of images."""

    def __init__(
        self,
        kernel_size,
        stride=None,
        padding=0,
        ceil_mode=False,
        count_include_pad=True,
        divisor_override=None,
    ):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding, self.ceil_mode = padding, ceil_mode
        self.count_include_pad, self.divisor_override = count_include_pad, divisor_override

    def forward(self, input):
        return F.avg_pool2d(
            *(input, self.kernel_size, self.stride, self.padding, self.ceil_mode),
            *(self.count_include_pad, self.divisor_override),
        )

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool1d(Module):
    """The mean of each window of lines."""

    def __init__(
        self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True
    ):
        super().__init__()
        self.kernel_size = several("AvgPool1d", kernel_size, 1, "kernel_size")
        stride = kernel_size if stride is None else stride
        self.stride = several("AvgPool1d", stride, 1, "stride")
        self.padding = several("AvgPool1d", padding, 1, "padding")
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad

    def forward(self, input):
        return F.avg_pool1d(
            *(input, self.kernel_size, self.stride, self.padding, self.ceil_mode),
            self.count_include_pad,
        )

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class _Adaptive(Module):
    _run = None

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def forward(self, input):
        return type(self)._run(input, self.output_size)

    def extra_repr(self):
        return f"output_size={self.output_size}"


class AdaptiveAvgPool2d(_Adaptive):
    """Means of windows that make images of a given size."""

    _run = staticmethod(F.adaptive_avg_pool2d)


class AdaptiveAvgPool1d(_Adaptive):
    """Means of windows that make lines of a given length."""

    _run = staticmethod(F.adaptive_avg_pool1d)


class _AdaptiveMax(_Adaptive):
    def __init__(self, output_size, return_indices=False):
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input):
        return type(self)._run(input, self.output_size, self.return_indices)


class AdaptiveMaxPool2d(_AdaptiveMax):
    """The largest elements of windows that make images of a given size."""

    _run = staticmethod(F.adaptive_max_pool2d)


class AdaptiveMaxPool1d(_AdaptiveMax):
    """The largest elements of windows that make lines of a given length."""

    _run = staticmethod(F.adaptive_max_pool1d)


__getattr__ = _missing.missing("torch.nn.modules.pooling")
