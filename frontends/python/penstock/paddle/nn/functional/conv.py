"""Convolutions of lines and images, and their transposes."""

from ...._common.windows import transposed_length
from ..._dialect import row
from ._arguments import channels_first, channels_last, several, tensor
from .common import _pad

__all__ = "conv1d conv2d conv3d conv1d_transpose conv2d_transpose conv3d_transpose".split()

_conv2d = row(
    "conv2d", "conv2d", "x, weight, bias=None, stride=None, padding=None, dilation=None, groups=1"
)
_transpose2d = row(
    "conv2d_transpose",
    "conv2d_transpose",
    "x, weight, bias=None, stride=None, padding=None, output_padding=None, groups=1, dilation=None",
)


def _check(name, x, channels, groups, spatial):
    tensor(name, x)
    if x.ndim != spatial + 2:
        raise ValueError(
            f"(InvalidArgument) {name}: x must have {spatial + 2} dimensions, but its shape is "
            f"{list(x.shape)}"
        )
    if x.shape[1] != channels:
        raise ValueError(
            "(InvalidArgument) The number of input's channels should be equal to filter's channels "
            f"* groups for Op(Conv). But received: the input's shape is {list(x.shape)}, and "
            f"{channels} channels are wanted in {groups} groups"
        )


def _around(name, x, kernel, stride, padding, dilation):
    """Padding before and after along each dimension behind the channels."""
    spatial = len(kernel)
    if isinstance(padding, str):
        kind = padding.upper()
        if kind not in ("SAME", "VALID"):
            raise ValueError(f"Unknown padding: '{padding}'. It can only be 'SAME' or 'VALID'.")
        if kind == "VALID":
            return [(0, 0)] * spatial
        return [_same(*given) for given in zip(x.shape[2:], kernel, stride, dilation)]
    if isinstance(padding, (list, tuple)) and padding and isinstance(padding[0], (list, tuple)):
        return [tuple(one) for one in padding[-spatial:]]
    if isinstance(padding, (list, tuple)) and len(padding) == 2 * spatial and spatial > 1:
        return list(zip(padding[::2], padding[1::2]))
    if isinstance(padding, (list, tuple)) and spatial == 1 and len(padding) == 2:
        return [tuple(padding)]
    return [(one, one) for one in several(name, padding, spatial, "padding")]


def _same(length, kernel, stride, dilation):
    whole = max((-(-length // stride) - 1) * stride + dilation * (kernel - 1) + 1 - length, 0)
    return whole // 2, whole - whole // 2


def _padded(x, around):
    """The tensor to convolve, and padding that is the same before and after."""
    if all(before == after for before, after in around):
        return x, tuple(before for before, _ in around)
    before, after = zip((0, 0), (0, 0), *around)
    return _pad(x, before, after, 0, None), (0,) * len(around)


def _convolved(name, spatial, x, weight, bias, stride, padding, dilation, groups, data_format):
    x, last = channels_first(name, tensor(name, x), data_format, spatial)
    tensor(name, weight, "weight", 1)
    if weight.ndim != spatial + 2:
        raise ValueError(
            f"(InvalidArgument) {name}: the weight must have {spatial + 2} dimensions, but its "
            f"shape is {list(weight.shape)}"
        )
    _check(name, x, weight.shape[1] * groups, groups, spatial)
    stride, dilation = (
        several(name, given, spatial, what)
        for given, what in ((stride, "stride"), (dilation, "dilation"))
    )
    if isinstance(padding, str) and padding.upper() == "SAME":
        dilation = (1,) * spatial  # PaddlePaddle's rule
    around = _around(name, x, weight.shape[2:], stride, padding, dilation)
    x, padding = _padded(x, around)
    if spatial == 1:
        x, weight = x.unsqueeze(2), weight.unsqueeze(2)
        stride, padding, dilation = (1, *stride), (0, *padding), (1, *dilation)
    made = _conv2d(x, weight, bias, stride, padding, dilation, groups)
    return channels_last(made.squeeze(2) if spatial == 1 else made, last, spatial)


def conv2d(
    x,
    weight,
    bias=None,
    stride=1,
    padding=0,
    dilation=1,
    groups=1,
    data_format="NCHW",
    name=None,
):
    """Cross-correlation of images (batch, channels, H, W) with weights."""
    return _convolved(
        "conv2d", 2, x, weight, bias, stride, padding, dilation, groups, data_format
    )


def conv1d(
    x,
    weight,
    bias=None,
    stride=1,
    padding=0,
    dilation=1,
    groups=1,
    data_format="NCL",
    name=None,
):
    """Cross-correlation of lines (batch, channels, length) with weights."""
    return _convolved(
        "conv1d", 1, x, weight, bias, stride, padding, dilation, groups, data_format
    )


def conv3d(x, weight, *args, **kwargs):
    """Not here: raises."""
    raise NotImplementedError("conv3d is not here; conv1d and conv2d are")


# ---- Transposed ----------------------------------------------------------------------------------


def _transposed(name, spatial, x, weight, bias, options, groups, output_size, data_format):
    x, last = channels_first(name, tensor(name, x), data_format, spatial)
    _check(name, x, weight.shape[0], groups, spatial)
    stride, more, dilation = (
        several(name, options[what], spatial, what)
        for what in ("stride", "output_padding", "dilation")
    )
    kernel = weight.shape[2:]
    around = _around(name, x, kernel, stride, options["padding"], dilation)
    if any(before != after for before, after in around):
        raise NotImplementedError(f"{name}: padding that differs before and after is not here")
    padding = tuple(before for before, _ in around)
    if output_size is not None:
        more = _more(name, x, kernel, stride, padding, dilation, output_size)
    if spatial == 1:
        x, weight = x.unsqueeze(2), weight.unsqueeze(2)
        stride, padding, dilation, more = (1, *stride), (0, *padding), (1, *dilation), (0, *more)
    made = _transpose2d(x, weight, bias, stride, padding, more, groups, dilation)
    return channels_last(made.squeeze(2) if spatial == 1 else made, last, spatial)


def _more(name, x, kernel, stride, padding, dilation, output_size):
    """How much longer the result must be to have a given size."""
    wanted = several(name, output_size, len(kernel), "output_size")
    found = []
    for size, *window in zip(wanted, x.shape[2:], kernel, stride, padding, dilation):
        least, step = transposed_length(*window), window[2]
        if not least <= size < least + step:
            raise ValueError(f"{name}: output_size {size} is not in [{least}, {least + step})")
        found.append(size - least)
    return tuple(found)


def conv2d_transpose(
    x,
    weight,
    bias=None,
    stride=1,
    padding=0,
    output_padding=0,
    dilation=1,
    groups=1,
    output_size=None,
    data_format="NCHW",
    name=None,
):
    """The transpose of conv2d: images whose windows the elements are for."""
    options = dict(stride=stride, padding=padding, output_padding=output_padding)
    options["dilation"] = dilation
    return _transposed(
        "conv2d_transpose", 2, x, weight, bias, options, groups, output_size, data_format
    )


def conv1d_transpose(
    x,
    weight,
    bias=None,
    stride=1,
    padding=0,
    output_padding=0,
    groups=1,
    dilation=1,
    output_size=None,
    data_format="NCL",
    name=None,
):
    """The transpose of conv1d: lines whose windows the elements are for."""
    options = dict(stride=stride, padding=padding, output_padding=output_padding)
    options["dilation"] = dilation
    return _transposed(
        "conv1d_transpose", 1, x, weight, bias, options, groups, output_size, data_format
    )


def conv3d_transpose(x, weight, *args, **kwargs):
    """Not here: raises."""
    raise NotImplementedError("conv3d_transpose is not here; conv1d_transpose and 2d are")
