"""Convolutions as layers."""

import math

from ...._common.windows import transposed_length, weight_shape
from ... import _missing
from ..._create import empty
from .. import functional as F
from .. import init
from ..functional._arguments import several
from ..parameter import Parameter, UninitializedParameter
from .lazy import LazyModuleMixin
from .module import Module

__all__ = (
    "Conv1d Conv2d ConvTranspose1d ConvTranspose2d LazyConv1d LazyConv2d LazyConvTranspose1d "
    "LazyConvTranspose2d"
).split()

_MODES = {"zeros", "reflect", "replicate", "circular"}


class _ConvNd(Module):
    """What convolutions have in common."""

    _spatial = 2
    _transposes = False

    def _settle(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        dilation,
        output_padding,
        groups,
        bias,
        padding_mode,
        settings,
    ):
        _check(in_channels, out_channels, groups, padding, stride, padding_mode)
        self.in_channels, self.out_channels = in_channels, out_channels
        self.kernel_size, self.stride = kernel_size, stride
        self.padding, self.dilation = padding, dilation
        self.transposed, self.output_padding = self._transposes, output_padding
        self.groups, self.padding_mode = groups, padding_mode
        self.weight = Parameter(empty(self._weight_shape(), **settings))
        if bias:
            self.bias = Parameter(empty(out_channels, **settings))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def _weight_shape(self):
        given = (self.in_channels, self.out_channels, self.kernel_size, self.groups)
        return weight_shape(*given, self._transposes)

    def _tuple(self, value, what):
        return several(type(self).__name__, value, self._spatial, what)

    def reset_parameters(self):
        """New weights and biases, spread evenly over +-1 / sqrt(numbers that a result is of)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            init._spread_bias(self.weight, self.bias)

    def extra_repr(self):
        none = (0,) * self._spatial
        text = (
            f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}"
        )
        text += f", padding={self.padding}" if self.padding != none else ""
        text += f", dilation={self.dilation}" if self.dilation != (1,) * self._spatial else ""
        if self.output_padding != none:
            text += f", output_padding={self.output_padding}"
        text += f", groups={self.groups}" if self.groups != 1 else ""
        text += ", bias=False" if self.bias is None else ""
        mode = self.padding_mode
        return text + (f", padding_mode={mode}" if mode != "zeros" else "")


def _check(in_channels, out_channels, groups, padding, stride, padding_mode):
    if groups <= 0:
        raise ValueError("groups must be a positive integer")
    if in_channels % groups:
        raise ValueError("in_channels must be divisible by groups")
    if out_channels % groups:
        raise ValueError("out_channels must be divisible by groups")
    if isinstance(padding, str):
        if padding not in ("same", "valid"):
            raise ValueError(
                f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}"
            )
        if padding == "same" and any(step != 1 for step in stride):
            raise ValueError("padding='same' is not supported for strided convolutions")
    if padding_mode not in _MODES:
        raise ValueError(
            f"padding_mode must be one of {_MODES}, but got padding_mode='{padding_mode}'"
        )


class _Convolution(_ConvNd):
    """A convolution of any number of dimensions."""

    _run = None  # the function

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__()
        around = padding if isinstance(padding, str) else self._tuple(padding, "padding")
        self._settle(
            *(in_channels, out_channels, self._tuple(kernel_size, "kernel_size")),
            *(self._tuple(stride, "stride"), around, self._tuple(dilation, "dilation")),
            *((0,) * self._spatial, groups, bias, padding_mode),
            {"device": device, "dtype": dtype},
        )

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input, weight, bias):
        padding = self.padding
        if self.padding_mode != "zeros":
            input = F.pad(input, self._around(), mode=self.padding_mode)
            padding = (0,) * self._spatial
        return type(self)._run(
            input, weight, bias, self.stride, padding, self.dilation, self.groups
        )

    def _around(self):
        """The padding as pad takes it: the last dimension first, before and behind."""
        if self.padding == "valid":
            return (0, 0) * self._spatial
        found = []
        for at in range(self._spatial - 1, -1, -1):
            if self.padding == "same":
                whole = self.dilation[at] * (self.kernel_size[at] - 1)
                found += [whole // 2, whole - whole // 2]
            else:
                found += [self.padding[at]] * 2
        return tuple(found)


class Conv2d(_Convolution):
    """Cross-correlation of images (batch, channels, H, W), plus bias.

    >>> from penstock import torch
    >>> layer = torch.nn.Conv2d(1, 2, kernel_size=3, padding=1)
    >>> layer(torch.ones(4, 1, 8, 8)).shape
    torch.Size([4, 2, 8, 8])
    """

    _run = staticmethod(F.conv2d)


class Conv1d(_Convolution):
    """Cross-correlation of lines (batch, channels, length), plus bias."""

    _spatial = 1
    _run = staticmethod(F.conv1d)


class _Transposed(_ConvNd):
    """A transposed convolution of any number of dimensions."""

    _transposes = True
    _run = None

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__()
        if padding_mode != "zeros":
            raise ValueError(
                f'Only "zeros" padding mode is supported for {type(self).__name__}'
            )
        self._settle(
            *(in_channels, out_channels, self._tuple(kernel_size, "kernel_size")),
            *(self._tuple(stride, "stride"), self._tuple(padding, "padding")),
            *(self._tuple(dilation, "dilation"), self._tuple(output_padding, "output_padding")),
            *(groups, bias, padding_mode, {"device": device, "dtype": dtype}),
        )

    def forward(self, input, output_size=None):
        more = self.output_padding
        if output_size is not None:
            more = self._output_padding(input, output_size)
        return type(self)._run(
            *(input, self.weight, self.bias, self.stride, self.padding, more),
            *(self.groups, self.dilation),
        )

    def _output_padding(self, input, output_size):
        """What must be added at the end for a result of that size."""
        wanted = tuple(output_size)[-self._spatial :]
        found = []
        options = zip(self.kernel_size, self.stride, self.padding, self.dilation)
        for at, window in enumerate(zip(input.shape[-self._spatial :], options)):
            least = transposed_length(window[0], *window[1])
            more = wanted[at] - least
            if not 0 <= more < max(self.stride[at], self.dilation[at]):
                most = least + self.stride[at] - 1
                raise ValueError(
                    f"requested an output size of {list(wanted)}, but valid sizes along dimension "
                    f"{at} range from {least} to {most} (for an input of {list(input.shape)})"
                )
            found.append(more)
        return tuple(found)


class ConvTranspose2d(_Transposed):
    """The transpose of Conv2d: images whose windows the elements are for."""

    _run = staticmethod(F.conv_transpose2d)


class ConvTranspose1d(_Transposed):
    """The transpose of Conv1d: lines whose windows the elements are for."""

    _spatial = 1
    _run = staticmethod(F.conv_transpose1d)


# ---- Lazy ----------------------------------------------------------------------------------------


class _LazyConvXd(LazyModuleMixin):
    """Convolutions that learn in_channels from the first call."""

    def _begin(self, out_channels, bias, device, dtype):
        settings = {"device": device, "dtype": dtype}
        self.weight = UninitializedParameter(**settings)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(**settings)

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input, *args, **kwargs):
        if not self.has_uninitialized_params():
            if self.in_channels == 0:  # loaded, not called
                self.in_channels = self.weight.shape[0 if self._transposes else 1] * (
                    1 if self._transposes else self.groups
                )
            return
        self.in_channels = self._channels(input)
        if self.in_channels % self.groups:
            raise ValueError("in_channels must be divisible by groups")
        self.weight.materialize(self._weight_shape())
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()

    def _channels(self, input):
        ndim = input.ndim
        if ndim not in (self._spatial + 1, self._spatial + 2):
            raise RuntimeError(
                f"Expected {self._spatial + 1}D (unbatched) or {self._spatial + 2}D (batched) "
                f"input to {type(self).__name__}, but got input of size: {list(input.shape)}"
            )
        return input.shape[ndim - self._spatial - 1]


class _LazyConvolution(_LazyConvXd):
    def __init__(
        self,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__(
            *(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode),
            *(device, dtype),
        )
        self._begin(out_channels, bias, device, dtype)


class LazyConv2d(_LazyConvolution, Conv2d):
    """A Conv2d that learns in_channels from the first call."""

    cls_to_become = Conv2d


class LazyConv1d(_LazyConvolution, Conv1d):
    """A Conv1d that learns in_channels from the first call."""

    cls_to_become = Conv1d


class _LazyTransposed(_LazyConvXd):
    def __init__(
        self,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__(
            *(0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation),
            *(padding_mode, device, dtype),
        )
        self._begin(out_channels, bias, device, dtype)


class LazyConvTranspose2d(_LazyTransposed, ConvTranspose2d):
    """A ConvTranspose2d that learns in_channels from the first call."""

    cls_to_become = ConvTranspose2d


class LazyConvTranspose1d(_LazyTransposed, ConvTranspose1d):
    """A ConvTranspose1d that learns in_channels from the first call."""

    cls_to_become = ConvTranspose1d


__getattr__ = _missing.missing("torch.nn.modules.conv")
