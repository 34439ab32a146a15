"""Pooling as layers."""

from .. import functional as F
from .layers import Layer


class _Pool(Layer):
    def forward(self, x):
        return self._function(x, self.ksize, self.stride, self.padding, *self._more)

    def _keep(self, kernel_size, stride, padding, *more):
        self.ksize, self.stride, self.padding, self._more = kernel_size, stride, padding, more

    def extra_repr(self):
        return f"kernel_size={self.ksize}, stride={self.stride}, padding={self.padding}"


class MaxPool1D(_Pool):
    """The largest element of each window of lines."""

    _function = staticmethod(F.max_pool1d)

    def __init__(
        self, kernel_size, stride=None, padding=0, return_mask=False, ceil_mode=False, name=None
    ):
        super().__init__()
        self._keep(kernel_size, stride, padding, return_mask, ceil_mode)


class MaxPool2D(_Pool):
    """The largest element of each window of images."""

    _function = staticmethod(F.max_pool2d)

    def __init__(
        self,
        kernel_size,
        stride=None,
        padding=0,
        return_mask=False,
        ceil_mode=False,
        data_format="NCHW",
        name=None,
    ):
        super().__init__()
        self._keep(kernel_size, stride, padding, return_mask, ceil_mode, data_format)


class AvgPool1D(_Pool):
    """The mean of each window of lines."""

    _function = staticmethod(F.avg_pool1d)

    def __init__(
        self, kernel_size, stride=None, padding=0, exclusive=True, ceil_mode=False, name=None
    ):
        super().__init__()
        self._keep(kernel_size, stride, padding, exclusive, ceil_mode)


class AvgPool2D(_Pool):
    """The mean of each window of images."""

    _function = staticmethod(F.avg_pool2d)

    def __init__(
        self,
        kernel_size,
        stride=None,
        padding=0,
        ceil_mode=False,
        exclusive=True,
        divisor_override=None,
        data_format="NCHW",
        name=None,
    ):
        super().__init__()
        more = (ceil_mode, exclusive, divisor_override, data_format)
        self._keep(kernel_size, stride, padding, *more)


class _AdaptiveAverage(Layer):
    def extra_repr(self):
        return f"output_size={self._output_size}"


class AdaptiveAvgPool1D(_AdaptiveAverage):
    """Means of windows that make lines of a given length."""

    def __init__(self, output_size, name=None):
        super().__init__()
        self._output_size = output_size

    def forward(self, x):
        return F.adaptive_avg_pool1d(x, self._output_size)


class AdaptiveAvgPool2D(_AdaptiveAverage):
    """Means of windows that make images of a given size."""

    def __init__(self, output_size, data_format="NCHW", name=None):
        super().__init__()
        self._output_size, self._data_format = output_size, data_format

    def forward(self, x):
        return F.adaptive_avg_pool2d(x, self._output_size, self._data_format)


class _AdaptiveMaximum(Layer):
    def __init__(self, output_size, return_mask=False, name=None):
        super().__init__()
        self._output_size, self._return_mask = output_size, return_mask

    def forward(self, x):
        return self._function(x, self._output_size, self._return_mask)

    def extra_repr(self):
        return f"output_size={self._output_size}, return_mask={self._return_mask}"


class AdaptiveMaxPool1D(_AdaptiveMaximum):
    """The largest elements of windows that make lines of a given length."""

    _function = staticmethod(F.adaptive_max_pool1d)


class AdaptiveMaxPool2D(_AdaptiveMaximum):
    """The largest elements of windows that make images of a given size."""

    _function = staticmethod(F.adaptive_max_pool2d)
