"""mx.gluon.nn.conv_layers: convolutions and pooling of one to three dimensions."""

from .... import _core
from ..._layers.convolution import convolution, deconvolution
from ..._layers.pooling import pooling
from ..._missing import missing
from ..block import HybridBlock
from .activations import Activation

__all__ = [
    *("AvgPool1D", "AvgPool2D", "AvgPool3D", "Conv1D", "Conv1DTranspose", "Conv2D"),
    *("Conv2DTranspose", "Conv3D", "Conv3DTranspose", "GlobalAvgPool1D", "GlobalAvgPool2D"),
    *("GlobalAvgPool3D", "GlobalMaxPool1D", "GlobalMaxPool2D", "GlobalMaxPool3D", "MaxPool1D"),
    *("MaxPool2D", "MaxPool3D", "ReflectionPad2D"),
]

_MODULE = "mxnet.gluon.nn.conv_layers"
_pad = _core._ops["pad"]


def _several(name, value, count):
    """So many numbers, of one or of a sequence."""
    if isinstance(value, int):
        return (value,) * count
    assert len(value) == count, f"{name} needs one integer or {count} of them, not {value}"
    return value if isinstance(value, tuple) else tuple(value)


# ---- Convolutions --------------------------------------------------------------------------------


class _Conv(HybridBlock):
    """What all kinds have in common."""

    def __init__(
        self,
        channels,
        kernel_size,
        strides,
        padding,
        dilation,
        groups,
        layout,
        in_channels=0,
        activation=None,
        use_bias=True,
        weight_initializer=None,
        bias_initializer="zeros",
        op_name="Convolution",
        adj=None,
        prefix=None,
        params=None,
    ):
        super().__init__(prefix=prefix, params=params)
        with self.name_scope():
            self._channels = channels
            self._in_channels = in_channels
            self._op_name = op_name
            count = len(kernel_size)
            self._kwargs = {
                "kernel": kernel_size,
                "stride": _several("strides", strides, count),
                "dilate": _several("dilation", dilation, count),
                "pad": _several("padding", padding, count),
                "num_filter": channels,
                "num_group": groups,
                "no_bias": not use_bias,
                "layout": layout,
            }
            if adj is not None:
                self._kwargs["adj"] = adj
            self.weight = self.params.get(
                "weight",
                shape=self._weight_shape(in_channels),
                init=weight_initializer,
                allow_deferred_init=True,
            )
            if use_bias:
                self.bias = self.params.get(
                    "bias", shape=(channels,), init=bias_initializer, allow_deferred_init=True
                )
            else:
                self.bias = None
            if activation is None:
                self.act = None
            else:
                self.act = Activation(activation, prefix=activation + "_")

    def _weight_shape(self, in_channels):
        """(results, inputs of a group, ...), or for a transposed one the other way round."""
        groups, kernel = self._kwargs["num_group"], self._kwargs["kernel"]
        channels = self._channels
        if channels % groups or in_channels % groups:
            raise ValueError(
                f"{type(self).__name__}: {in_channels or '?'} channels and {channels} of the "
                f"result must be multiples of groups={groups}"
            )
        if self._op_name == "Convolution":
            first, second = channels, in_channels // groups
        else:
            first, second = in_channels, channels // groups
        if self._kwargs["layout"][-1] == "C":
            return (first, *kernel, second)
        return (first, second, *kernel)

    def infer_shape(self, x, *args):
        shape = x.shape
        if len(shape) != len(self._kwargs["kernel"]) + 2:
            return  # the operation says what is wrong
        self.weight.shape = self._weight_shape(shape[self._kwargs["layout"].index("C")])

    def hybrid_forward(self, F, x, weight, bias=None):
        found = convolution(x, weight, bias, **self._kwargs)
        return found if self.act is None else self.act(found)

    def _alias(self):
        return "conv"

    def __repr__(self):
        settings, shape = self._kwargs, self.weight.shape
        text = "kernel_size={kernel}, stride={stride}".format(**settings)
        count = len(settings["kernel"])
        if settings["pad"] != (0,) * count:
            text += ", padding={pad}".format(**settings)
        if settings["dilate"] != (1,) * count:
            text += ", dilation={dilate}".format(**settings)
        if settings["num_group"] != 1:
            text += ", groups={num_group}".format(**settings)
        if self.bias is None:
            text += ", bias=False"
        if self.act is not None:
            text += f", {self.act}"
        return f"{type(self).__name__}({shape[1] or None} -> {shape[0]}, {text})"


class _Transpose(_Conv):
    """What transposed convolutions have in common."""

    def hybrid_forward(self, F, x, weight, bias=None):
        found = deconvolution(x, weight, bias, **self._kwargs)
        return found if self.act is None else self.act(found)


def _check_layout(layout, allowed):
    names = " and ".join(repr(one) for one in allowed)
    assert layout in allowed, f"Only supports {names} layout for now"


class Conv1D(_Conv):
    """A convolution of lines: (batch, channels, width)."""

    __module__ = _MODULE

    def __init__(
        self,
        channels,
        kernel_size,
        strides=1,
        padding=0,
        dilation=1,
        groups=1,
        layout="NCW",
        activation=None,
        use_bias=True,
        weight_initializer=None,
        bias_initializer="zeros",
        in_channels=0,
        **kwargs,
    ):
        _check_layout(layout, ("NCW",))
        kernel = _several("kernel_size", kernel_size, 1)
        rest = in_channels, activation, use_bias, weight_initializer, bias_initializer
        windows = kernel, strides, padding, dilation, groups, layout
        super().__init__(channels, *windows, *rest, **kwargs)


class Conv2D(_Conv):
    """A convolution of images: (batch, channels, height, width)."""

    __module__ = _MODULE

    def __init__(
        self,
        channels,
        kernel_size,
        strides=(1, 1),
        padding=(0, 0),
        dilation=(1, 1),
        groups=1,
        layout="NCHW",
        activation=None,
        use_bias=True,
        weight_initializer=None,
        bias_initializer="zeros",
        in_channels=0,
        **kwargs,
    ):
        _check_layout(layout, ("NCHW", "NHWC"))
        kernel = _several("kernel_size", kernel_size, 2)
        rest = in_channels, activation, use_bias, weight_initializer, bias_initializer
        windows = kernel, strides, padding, dilation, groups, layout
        super().__init__(channels, *windows, *rest, **kwargs)


class Conv3D(_Conv):
    """A convolution of volumes: (batch, channels, depth, height, width)."""

    __module__ = _MODULE

    def __init__(
        self,
        channels,
        kernel_size,
        strides=(1, 1, 1),
        padding=(0, 0, 0),
        dilation=(1, 1, 1),
        groups=1,
        layout="NCDHW",
        activation=None,
        use_bias=True,
        weight_initializer=None,
        bias_initializer="zeros",
        in_channels=0,
        **kwargs,
    ):
        _check_layout(layout, ("NCDHW", "NDHWC"))
        kernel = _several("kernel_size", kernel_size, 3)
        rest = in_channels, activation, use_bias, weight_initializer, bias_initializer
        windows = kernel, strides, padding, dilation, groups, layout
        super().__init__(channels, *windows, *rest, **kwargs)


class Conv1DTranspose(_Transpose):
    """A transposed convolution of lines: what flows back through Conv1D."""

    __module__ = _MODULE

    def __init__(
        self,
        channels,
        kernel_size,
        strides=1,
        padding=0,
        output_padding=0,
        dilation=1,
        groups=1,
        layout="NCW",
        activation=None,
        use_bias=True,
        weight_initializer=None,
        bias_initializer="zeros",
        in_channels=0,
        **kwargs,
    ):
        _check_layout(layout, ("NCW",))
        kernel, adj = _several("kernel_size", kernel_size, 1), _several("adj", output_padding, 1)
        rest = in_channels, activation, use_bias, weight_initializer, bias_initializer
        windows = kernel, strides, padding, dilation, groups, layout
        super().__init__(channels, *windows, *rest, op_name="Deconvolution", adj=adj, **kwargs)
        self.outpad = adj


class Conv2DTranspose(_Transpose):
    """A transposed convolution of images: what flows back through Conv2D."""

    __module__ = _MODULE

    def __init__(
        self,
        channels,
        kernel_size,
        strides=(1, 1),
        padding=(0, 0),
        output_padding=(0, 0),
        dilation=(1, 1),
        groups=1,
        layout="NCHW",
        activation=None,
        use_bias=True,
        weight_initializer=None,
        bias_initializer="zeros",
        in_channels=0,
        **kwargs,
    ):
        _check_layout(layout, ("NCHW", "NHWC"))
        kernel, adj = _several("kernel_size", kernel_size, 2), _several("adj", output_padding, 2)
        rest = in_channels, activation, use_bias, weight_initializer, bias_initializer
        windows = kernel, strides, padding, dilation, groups, layout
        super().__init__(channels, *windows, *rest, op_name="Deconvolution", adj=adj, **kwargs)
        self.outpad = adj


class Conv3DTranspose(_Transpose):
    """A transposed convolution of volumes: what flows back through Conv3D."""

    __module__ = _MODULE

    def __init__(
        self,
        channels,
        kernel_size,
        strides=(1, 1, 1),
        padding=(0, 0, 0),
        output_padding=(0, 0, 0),
        dilation=(1, 1, 1),
        groups=1,
        layout="NCDHW",
        activation=None,
        use_bias=True,
        weight_initializer=None,
        bias_initializer="zeros",
        in_channels=0,
        **kwargs,
    ):
        _check_layout(layout, ("NCDHW", "NDHWC"))
        kernel, adj = _several("kernel_size", kernel_size, 3), _several("adj", output_padding, 3)
        rest = in_channels, activation, use_bias, weight_initializer, bias_initializer
        windows = kernel, strides, padding, dilation, groups, layout
        super().__init__(channels, *windows, *rest, op_name="Deconvolution", adj=adj, **kwargs)
        self.outpad = adj


# ---- Pooling -------------------------------------------------------------------------------------


class _Pooling(HybridBlock):
    """What all kinds have in common."""

    def __init__(
        self,
        pool_size,
        strides,
        padding,
        ceil_mode,
        global_pool,
        pool_type,
        layout,
        count_include_pad=None,
        **kwargs,
    ):
        super().__init__(**kwargs)
        count = len(pool_size)
        self._kwargs = {
            "kernel": pool_size,
            "stride": pool_size if strides is None else _several("strides", strides, count),
            "pad": _several("padding", padding, count),
            "global_pool": global_pool,
            "pool_type": pool_type,
            "layout": layout,
            "pooling_convention": "full" if ceil_mode else "valid",
        }
        if count_include_pad is not None:
            self._kwargs["count_include_pad"] = count_include_pad

    def _alias(self):
        return "pool"

    def hybrid_forward(self, F, x):
        return pooling(x, **self._kwargs)

    def __repr__(self):
        text = (
            "size={kernel}, stride={stride}, padding={pad}, ceil_mode={ceil_mode}, "
            "global_pool={global_pool}, pool_type={pool_type}, layout={layout}"
        )
        ceil_mode = self._kwargs["pooling_convention"] == "full"
        return f"{type(self).__name__}({text.format(ceil_mode=ceil_mode, **self._kwargs)})"


_LAYOUTS = {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}


def _check_pool_layout(layout, count):
    allowed = " or ".join(_LAYOUTS[count])
    assert layout in _LAYOUTS[count], f"layout of {count}D pooling must be {allowed}, not {layout}"


class MaxPool1D(_Pooling):
    """The largest element of each window of lines."""

    __module__ = _MODULE

    def __init__(
        self, pool_size=2, strides=None, padding=0, layout="NCW", ceil_mode=False, **kwargs
    ):
        _check_pool_layout(layout, 1)
        size = _several("pool_size", pool_size, 1)
        super().__init__(size, strides, padding, ceil_mode, False, "max", layout, **kwargs)


class MaxPool2D(_Pooling):
    """The largest element of each window of images."""

    __module__ = _MODULE

    def __init__(
        self, pool_size=(2, 2), strides=None, padding=0, layout="NCHW", ceil_mode=False, **kwargs
    ):
        _check_pool_layout(layout, 2)
        size = _several("pool_size", pool_size, 2)
        super().__init__(size, strides, padding, ceil_mode, False, "max", layout, **kwargs)


class MaxPool3D(_Pooling):
    """The largest element of each window of volumes."""

    __module__ = _MODULE

    def __init__(
        self,
        pool_size=(2, 2, 2),
        strides=None,
        padding=0,
        ceil_mode=False,
        layout="NCDHW",
        **kwargs,
    ):
        _check_pool_layout(layout, 3)
        size = _several("pool_size", pool_size, 3)
        super().__init__(size, strides, padding, ceil_mode, False, "max", layout, **kwargs)


class AvgPool1D(_Pooling):
    """The mean of each window of lines; with count_include_pad margins count as zeros."""

    __module__ = _MODULE

    def __init__(
        self,
        pool_size=2,
        strides=None,
        padding=0,
        layout="NCW",
        ceil_mode=False,
        count_include_pad=True,
        **kwargs,
    ):
        _check_pool_layout(layout, 1)
        size, include = _several("pool_size", pool_size, 1), count_include_pad
        super().__init__(size, strides, padding, ceil_mode, False, "avg", layout, include, **kwargs)


class AvgPool2D(_Pooling):
    """The mean of each window of images; with count_include_pad margins count as zeros."""

    __module__ = _MODULE

    def __init__(
        self,
        pool_size=(2, 2),
        strides=None,
        padding=0,
        ceil_mode=False,
        layout="NCHW",
        count_include_pad=True,
        **kwargs,
    ):
        _check_pool_layout(layout, 2)
        size, include = _several("pool_size", pool_size, 2), count_include_pad
        super().__init__(size, strides, padding, ceil_mode, False, "avg", layout, include, **kwargs)


class AvgPool3D(_Pooling):
    """The mean of each window of volumes; with count_include_pad margins count as zeros."""

    __module__ = _MODULE

    def __init__(
        self,
        pool_size=(2, 2, 2),
        strides=None,
        padding=0,
        ceil_mode=False,
        layout="NCDHW",
        count_include_pad=True,
        **kwargs,
    ):
        _check_pool_layout(layout, 3)
        size, include = _several("pool_size", pool_size, 3), count_include_pad
        super().__init__(size, strides, padding, ceil_mode, False, "avg", layout, include, **kwargs)


def _global(name, pool_type, count, what):
    """A layer whose window is all of each channel."""

    def __init__(self, layout=_LAYOUTS[count][0], **kwargs):
        _check_pool_layout(layout, count)
        ones = (1,) * count
        _Pooling.__init__(self, ones, None, 0, True, True, pool_type, layout, **kwargs)

    __init__.__qualname__ = f"{name}.__init__"
    text = f"The {what} of each channel of each instance, in {count} dimensions of length 1."
    return type(name, (_Pooling,), {"__module__": _MODULE, "__doc__": text, "__init__": __init__})


GlobalMaxPool1D = _global("GlobalMaxPool1D", "max", 1, "largest element")
GlobalMaxPool2D = _global("GlobalMaxPool2D", "max", 2, "largest element")
GlobalMaxPool3D = _global("GlobalMaxPool3D", "max", 3, "largest element")
GlobalAvgPool1D = _global("GlobalAvgPool1D", "avg", 1, "mean")
GlobalAvgPool2D = _global("GlobalAvgPool2D", "avg", 2, "mean")
GlobalAvgPool3D = _global("GlobalAvgPool3D", "avg", 3, "mean")


# ---- Margins -------------------------------------------------------------------------------------


class ReflectionPad2D(HybridBlock):
    """Images with margins in which they are mirrored."""

    __module__ = _MODULE

    def __init__(self, padding=0, **kwargs):
        super().__init__(**kwargs)
        if isinstance(padding, int):
            padding = (0, 0, 0, 0, padding, padding, padding, padding)
        assert len(padding) == 8, "padding must be a number or 8 of them, two for each dimension"
        self._padding = padding

    def hybrid_forward(self, F, x):
        return _pad(x, self._padding[::2], self._padding[1::2], 0, "reflect")


__getattr__ = missing("mxnet.gluon.nn.conv_layers")
