"""Convolutions as layers."""

import math

from ...._common.windows import weight_shape
from ..._dialect import default_dtype
from .. import functional as F
from ..functional._arguments import absent, several
from ..initializer import Normal
from .layers import Layer

_MODES = ("reflect", "circular", "zeros", "replicate")


class _Convolution(Layer):
    _transposed = False

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        output_padding,
        dilation,
        groups,
        padding_mode,
        weight_attr,
        bias_attr,
        data_format,
    ):
        super().__init__()
        kind = type(self).__name__
        if padding_mode not in _MODES:
            raise ValueError(
                f"padding_mode must be one of {set(_MODES)}, but got padding_mode={padding_mode!r}"
            )
        if padding_mode != "zeros":
            raise absent(kind, f"padding_mode={padding_mode!r}")
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups.")
        count = self._SPATIAL
        self._in_channels, self._out_channels = in_channels, out_channels
        self._kernel_size = list(several(kind, kernel_size, count, "kernel_size"))
        self._stride = list(several(kind, stride, count, "stride"))
        self._dilation = list(several(kind, dilation, count, "dilation"))
        self._padding, self._groups, self._data_format = padding, groups, data_format
        self.output_padding, self._padding_mode = output_padding, padding_mode
        self._dtype = default_dtype()._name
        self.weight = self.create_parameter(
            self._weight_shape(), weight_attr, default_initializer=self._first()
        )
        self.bias = self.create_parameter([out_channels], bias_attr, is_bias=True)

    def _weight_shape(self):
        given = (self._in_channels, self._out_channels, self._kernel_size, self._groups)
        return list(weight_shape(*given, self._transposed))

    def _first(self):
        if self._transposed:
            return None
        inputs = math.prod(self._kernel_size) * self._in_channels
        return Normal(0.0, (2.0 / inputs) ** 0.5)

    def extra_repr(self):
        text = f"{self._in_channels}, {self._out_channels}, kernel_size={self._kernel_size}"
        if self._stride != [1] * len(self._stride):
            text += f", stride={self._stride}"
        if self._padding != 0:
            text += f", padding={self._padding}"
        if self.output_padding != 0:
            text += f", output_padding={self.output_padding}"
        if self._dilation != [1] * len(self._dilation):
            text += f", dilation={self._dilation}"
        if self._groups != 1:
            text += f", groups={self._groups}"
        return f"{text}, data_format={self._data_format}"


class _Plain(_Convolution):
    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        padding_mode="zeros",
        weight_attr=None,
        bias_attr=None,
        data_format=None,
    ):
        super().__init__(
            *(in_channels, out_channels, kernel_size, stride, padding, 0, dilation, groups),
            *(padding_mode, weight_attr, bias_attr, data_format or self._FORMAT),
        )

    def forward(self, x):
        own = self.__dict__
        return self._function(
            *(x, own["weight"], own["bias"], self._stride, self._padding, self._dilation),
            *(self._groups, self._data_format),
        )


class Conv1D(_Plain):
    """Cross-correlation of lines (batch, channels, length)."""

    _SPATIAL, _FORMAT, _function = 1, "NCL", staticmethod(F.conv1d)


class Conv2D(_Plain):
    """Cross-correlation of images (batch, channels, H, W).

    >>> from penstock import paddle
    >>> paddle.nn.Conv2D(1, 2, 3)(paddle.ones([1, 1, 5, 5])).shape
    paddle.Size([1, 2, 3, 3])
    """

    _SPATIAL, _FORMAT, _function = 2, "NCHW", staticmethod(F.conv2d)


class _Transposed(_Convolution):
    _transposed = True

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        dilation=1,
        groups=1,
        weight_attr=None,
        bias_attr=None,
        data_format=None,
    ):
        super().__init__(
            *(in_channels, out_channels, kernel_size, stride, padding, output_padding, dilation),
            *(groups, "zeros", weight_attr, bias_attr, data_format or self._FORMAT),
        )

    def forward(self, x, output_size=None):
        return self._function(
            x,
            self.weight,
            self.bias,
            stride=self._stride,
            padding=self._padding,
            output_padding=0 if output_size is not None else self.output_padding,
            dilation=self._dilation,
            groups=self._groups,
            output_size=output_size,
            data_format=self._data_format,
        )


class Conv1DTranspose(_Transposed):
    """The transpose of Conv1D."""

    _SPATIAL, _FORMAT, _function = 1, "NCL", staticmethod(F.conv1d_transpose)


class Conv2DTranspose(_Transposed):
    """The transpose of Conv2D."""

    _SPATIAL, _FORMAT, _function = 2, "NCHW", staticmethod(F.conv2d_transpose)
