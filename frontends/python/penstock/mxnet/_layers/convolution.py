"""Convolutions and transposed convolutions of one, two and three dimensions.

The table has those of one and two; three are two, with what lies along the depth of a window side
by side as channels.
"""

from ... import _core
from .. import _dialects
from ..base import MXNetValueError
from ._arguments import bias_for, one_of, required, several, shape_is

_ops = _core._ops
_conv1d, _conv2d, _transpose = _ops["conv1d"], _ops["conv2d"], _ops["conv2d_transpose"]
_permute, _reshape = _ops["permute"], _ops["reshape"]

_LAYOUTS = ("NCW", "NCHW", "NCDHW", "NHWC", "NDHWC")


def _dimensions(function, data, kernel, layout):
    """The lengths of a window, which are as many as data has besides batch and channels."""
    required(function, kernel=kernel)
    kernel = (kernel,) if isinstance(kernel, int) else tuple(kernel)
    one_of(function, "layout", layout, _LAYOUTS)
    if not 1 <= len(kernel) <= 3 or data.ndim != len(kernel) + 2:
        raise MXNetValueError(
            f"{function}: data must have {len(kernel) + 2} dimensions, not shape {data.shape}"
        )
    if layout is not None and len(layout) != data.ndim:
        raise MXNetValueError(f"{function}: layout {layout} for data of shape {data.shape}")
    return kernel


# ---- Convolution -------------------------------------------------------------------------------


def convolution(
    data,
    weight,
    bias=None,
    kernel=None,
    stride=None,
    dilate=None,
    pad=None,
    num_filter=None,
    num_group=1,
    workspace=1024,
    no_bias=False,
    cudnn_tune=None,
    cudnn_off=False,
    layout=None,
):
    """Sums over windows of data times weights, plus bias; windows of one to three dimensions.

    data is (batch, channels, ...), weights (num_filter, channels / num_group, ...), unless the
    layout has channels last.
    """
    kernel = _dimensions("Convolution", data, kernel, layout)
    required("Convolution", num_filter=num_filter)
    bias = bias_for("Convolution", bias, no_bias, num_filter)
    count, last = len(kernel), layout is not None and layout[-1] == "C"
    channels = data.shape[-1 if last else 1]
    if channels % num_group or num_filter % num_group:
        raise MXNetValueError(
            f"Convolution: {channels} channels and num_filter {num_filter} must be multiples of "
            f"num_group {num_group}"
        )
    inner = channels // num_group
    expected = (num_filter, *kernel, inner) if last else (num_filter, inner, *kernel)
    shape_is("weight", weight.shape, expected)
    stride = several("Convolution", "stride", stride, count, 1)
    dilate = several("Convolution", "dilate", dilate, count, 1)
    pad = several("Convolution", "pad", pad, count, 0)
    if count == 3:
        function = _conv3d_last if last else _conv3d
        settings = stride, pad, dilate, num_group
        return _dialects.call(type(data), function, data, weight, bias, *settings)
    if count == 1:
        row, (stride,), (pad,), (dilate,) = _conv1d, stride, pad, dilate
    else:
        row = _conv2d_last if last else _conv2d
    return row(
        data, weight, bias, stride=stride, padding=pad, dilation=dilate, groups=num_group
    )


def _conv2d_last(x, weight, bias, **settings):
    return _conv2d(x, _permute(weight, (0, 3, 1, 2)), bias, layout="NHWC", **settings)


def _conv3d(x, weight, bias, stride, pad, dilate, groups):
    """x (N, C, D, H, W) as N times as many images as there are windows along D."""
    depth = weight.shape[2]
    if pad[0]:
        around = (0, 0, pad[0], 0, 0)
        x = _ops["pad"](x, around, around)
    places = _windows(x.shape[2], depth, stride[0], dilate[0])
    count = places.shape[0]
    x = _permute(_ops["take"](x, places, 2), (0, 2, 1, 3, 4, 5))  # N, windows, C, depth, H, W
    n, _, c, _, h, w = x.shape
    images = _reshape(x, (n * count, c * depth, h, w))
    weight = _reshape(weight, (weight.shape[0], -1, *weight.shape[3:]))
    settings = {"stride": stride[1:], "padding": pad[1:], "dilation": dilate[1:]}
    y = _conv2d(images, weight, bias, groups=groups, **settings)
    return _ops["copy"](_permute(_reshape(y, (n, count, *y.shape[1:])), (0, 2, 1, 3, 4)))


def _conv3d_last(x, weight, bias, *settings):
    """The same with channels last."""
    order = (0, 4, 1, 2, 3)
    y = _conv3d(_permute(x, order), _permute(weight, order), bias, *settings)
    return _ops["copy"](_permute(y, (0, 2, 3, 4, 1)))


def _windows(length, kernel, stride, dilate):
    """Places along an axis, a row for each window."""
    reach = dilate * (kernel - 1) + 1
    if reach > length:
        raise ValueError(f"Convolution: kernel size exceed input: {reach} of {length}")
    begins = _ops["arange"](0, length - reach + 1, stride)
    return _reshape(begins, (-1, 1)) + _ops["arange"](0, reach, dilate)


# ---- Transposed --------------------------------------------------------------------------------


def deconvolution(
    data,
    weight,
    bias=None,
    kernel=None,
    stride=None,
    dilate=None,
    pad=None,
    adj=None,
    target_shape=None,
    num_filter=None,
    num_group=1,
    workspace=512,
    no_bias=True,
    cudnn_tune=None,
    cudnn_off=False,
    layout=None,
):
    """The transpose of a convolution: what flows back through it, if data flows to its result.

    Weights are (channels, num_filter / num_group, ...). target_shape, where given, decides pad and
    adj.
    """
    kernel = _dimensions("Deconvolution", data, kernel, layout)
    required("Deconvolution", num_filter=num_filter)
    bias = bias_for("Deconvolution", bias, no_bias, num_filter)
    if layout is not None and layout[-1] == "C":
        raise MXNetValueError(f"Deconvolution: layout {layout}: channels must be second")
    count, channels = len(kernel), data.shape[1]
    if channels % num_group or num_filter % num_group:
        raise MXNetValueError(
            f"Deconvolution: {channels} channels and num_filter {num_filter} must be multiples of "
            f"num_group {num_group}"
        )
    shape_is("weight", weight.shape, (channels, num_filter // num_group, *kernel))
    stride = several("Deconvolution", "stride", stride, count, 1)
    dilate = several("Deconvolution", "dilate", dilate, count, 1)
    pad = several("Deconvolution", "pad", pad, count, 0)
    adj = several("Deconvolution", "adj", adj, count, 0)
    if target_shape:
        target = several("Deconvolution", "target_shape", target_shape, count, 0)
        if any(target):
            pad, adj = _margins(data.shape[2:], kernel, stride, dilate, target)
    for more, step in zip(adj, stride):
        if more >= step:
            raise MXNetValueError(f"Deconvolution: adj {adj} must be smaller than stride {stride}")
    if count == 2:
        return _transpose2d(data, weight, bias, stride, pad, adj, dilate, num_group)
    function = _transpose1d if count == 1 else _transpose3d
    settings = stride, pad, adj, dilate, num_group
    return _dialects.call(type(data), function, data, weight, bias, *settings)


def _margins(lengths, kernel, stride, dilate, target):
    """pad and adj by which a result has the lengths of the target."""
    pad, adj = [], []
    for i, wanted in enumerate(target):
        over = stride[i] * (lengths[i] - 1) + dilate[i] * (kernel[i] - 1) + 1 - wanted
        if over < 0:
            raise MXNetValueError(f"Deconvolution: too big target shape {target}")
        pad.append((over + 1) // 2)
        adj.append(over % 2)
    return tuple(pad), tuple(adj)


def _transpose2d(x, weight, bias, stride, pad, adj, dilate, groups):
    settings = {"padding": pad, "output_padding": adj, "dilation": dilate, "groups": groups}
    return _transpose(x, weight, bias, stride=stride, **settings)


def _transpose1d(x, weight, bias, stride, pad, adj, dilate, groups):
    x, weight = _ops["expand_dims"](x, 2), _ops["expand_dims"](weight, 2)
    sizes = (1, *stride), (0, *pad), (0, *adj), (1, *dilate)
    return _ops["squeeze"](_transpose2d(x, weight, bias, *sizes, groups), 2)


def _transpose3d(x, weight, bias, stride, pad, adj, dilate, groups):
    """Images of each depth for each place along the depth of a window; then these are added up."""
    n, c, d, h, w = x.shape
    depth = weight.shape[2]
    images = _reshape(_permute(x, (0, 2, 1, 3, 4)), (n * d, c, h, w))
    weight = _reshape(weight, (c, -1, *weight.shape[3:]))
    sizes = stride[1:], pad[1:], adj[1:], dilate[1:]
    y = _transpose2d(images, weight, None, *sizes, groups)
    filters, (h, w) = y.shape[1] // depth, y.shape[2:]
    y = _permute(_reshape(y, (n, d, filters, depth, h, w)), (1, 3, 0, 2, 4, 5))
    length = stride[0] * (d - 1) + dilate[0] * (depth - 1) + 1 + adj[0]
    rows = _ops["arange"](0, d)
    places = _reshape(rows, (-1, 1)) * stride[0] + _ops["arange"](0, depth) * dilate[0]
    empty = _ops["zeros"]((length, n, filters, h, w), x.dtype)
    y = _ops["put"](
        empty, _reshape(places, (-1,)), _reshape(y, (-1, n, filters, h, w)), True, 0
    )
    y = y[pad[0] : length - pad[0]]
    y = _ops["copy"](_permute(y, (1, 2, 0, 3, 4)))
    return y if bias is None else y + _reshape(bias, (-1, 1, 1, 1))
