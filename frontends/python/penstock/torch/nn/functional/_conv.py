"""Convolutions of lines and images, and their transposes."""

from ..._dialect import row
from ..._tensor import Tensor
from ._arguments import floats, refuse, several

__all__ = ["conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"]

_conv2d = row(
    "conv2d",
    "conv2d",
    "input:x, weight, bias=None, stride=None, padding=None, dilation=None, groups=1",
    arrays=True,
)
_conv1d = row(
    "conv1d",
    "conv1d",
    "input:x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1",
    arrays=True,
)
_transpose2d = row(
    "conv2d_transpose",
    "conv_transpose2d",
    "input:x, weight, bias=None, stride=None, padding=None, output_padding=None, groups=1, "
    "dilation=None",
    arrays=True,
)


def _checked(name, input, weight, spatial):
    """Whether a batch was given; raises unless there are that or one less dimensions."""
    if not isinstance(input, Tensor):
        refuse(name, input)
    if not isinstance(weight, Tensor):
        raise TypeError(
            f"{name}(): argument 'weight' (position 2) must be Tensor, not {type(weight).__name__}"
        )
    ndim = input.ndim
    if ndim not in (spatial + 1, spatial + 2):
        raise RuntimeError(
            f"Expected {spatial + 1}D (unbatched) or {spatial + 2}D (batched) input to {name}, but "
            f"got input of size: {list(input.shape)}"
        )
    if input.dtype is not weight.dtype:
        raise RuntimeError(
            f"Input type ({input.dtype}) and weight type ({weight.dtype}) should be the same"
        )
    floats(name, input)
    return ndim == spatial + 2


def _check_channels(input, weight, groups, batched):
    channels, expected = input.shape[1 if batched else 0], weight.shape[1] * groups
    if channels != expected:
        raise RuntimeError(
            f"Given groups={groups}, weight of size {list(weight.shape)}, expected "
            f"input{list(input.shape)} to have {expected} channels, but got {channels} channels "
            "instead"
        )


def _same(name, input, weight, stride, dilation):
    """The padding that keeps lengths: what is before, and how much more is behind."""
    if any(step != 1 for step in stride):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    kernel = weight.shape[2:]
    whole = [step * (length - 1) for step, length in zip(dilation, kernel)]
    before = tuple(one // 2 for one in whole)
    uneven = [one % 2 for one in whole]
    if any(uneven):
        from ._pad import pad

        behind = [length for one in reversed(uneven) for length in (0, one)]
        input = pad(input, behind)
    return input, before


def _padding(name, input, weight, stride, padding, dilation):
    """The tensor to convolve, and its padding as ints."""
    if not isinstance(padding, str):
        padding = several(name, padding, len(stride), "padding")
        if min(padding) < 0:
            raise RuntimeError("negative padding is not supported")
        return input, padding
    if padding == "valid":
        return input, (0,) * len(stride)
    if padding != "same":
        raise RuntimeError(
            f"Invalid padding string {padding!r}: it should be one of {{'same', 'valid'}}"
        )
    return _same(name, input, weight, stride, dilation)


def _convolved(run, name, spatial, input, weight, bias, stride, padding, dilation, groups):
    batched = _checked(name, input, weight, spatial)
    stride = several(name, stride, spatial, "stride")
    dilation = several(name, dilation, spatial, "dilation")
    if min(stride) < 1:
        raise RuntimeError("non-positive stride is not supported")
    if min(dilation) < 1:
        raise RuntimeError("dilation should be greater than zero")
    _check_channels(input, weight, groups, batched)
    input, padding = _padding(name, input, weight, stride, padding, dilation)
    if not batched:
        input = input.unsqueeze(0)
    made = run(input, weight, bias, stride, padding, dilation, groups)
    return made if batched else made.squeeze(0)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Cross-correlation of images (batch, channels, H, W), or of one, with weights."""
    return _convolved(
        _conv2d, "conv2d", 2, input, weight, bias, stride, padding, dilation, groups
    )


def _lines(input, weight, bias, stride, padding, dilation, groups):
    return _conv1d(input, weight, bias, stride[0], padding[0], dilation[0], groups)


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Cross-correlation of lines (batch, channels, length), or of one, with weights."""
    return _convolved(_lines, "conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Not here: raises."""
    raise NotImplementedError("conv3d is not here; conv1d and conv2d are")


# ---- Transposed ----------------------------------------------------------------------------------


def _transposed(name, spatial, input, weight, bias, stride, padding, more, groups, dilation):
    batched = _checked(name, input, weight, spatial)
    stride, padding, more, dilation = (
        several(name, value, spatial, what)
        for value, what in (
            (stride, "stride"),
            (padding, "padding"),
            (more, "output_padding"),
            (dilation, "dilation"),
        )
    )
    if any(one >= max(step, wide) for one, step, wide in zip(more, stride, dilation)):
        raise RuntimeError(
            "output padding must be smaller than either stride or dilation, but got output_padding "
            f"{list(more)} stride {list(stride)} dilation {list(dilation)}"
        )
    channels = input.shape[1 if batched else 0]
    if channels != weight.shape[0]:
        raise RuntimeError(
            f"Given transposed=1, weight of size {list(weight.shape)}, expected "
            f"input{list(input.shape)} to have {weight.shape[0]} channels, but got {channels} "
            "channels instead"
        )
    if not batched:
        input = input.unsqueeze(0)
    made = _transpose_run(input, weight, bias, stride, padding, more, groups, dilation)
    return made if batched else made.squeeze(0)


def _transpose_run(input, weight, bias, stride, padding, more, groups, dilation):
    if any(one >= step for one, step in zip(more, stride)):
        return _lengthened(input, weight, bias, stride, padding, more, groups, dilation)
    if len(stride) == 2:
        return _transpose2d(input, weight, bias, stride, padding, more, groups, dilation)
    made = _transpose2d(
        input.unsqueeze(2),
        weight.unsqueeze(2),
        bias,
        (1, *stride),
        (0, *padding),
        (0, *more),
        groups,
        (1, *dilation),
    )
    return made.squeeze(2)


def _lengthened(input, weight, bias, stride, padding, more, groups, dilation):
    """With more elements at the end than a stride has: cut and padded behind the operation."""
    from ._pad import pad

    none = (0,) * len(stride)
    whole = _transpose_run(input, weight, None, stride, none, none, groups, dilation)
    ends = zip(reversed(padding), reversed(more))
    made = pad(whole, [length for one, end in ends for length in (-one, end - one)])
    return made if bias is None else made + bias.reshape(-1, *(1,) * len(stride))


def conv_transpose2d(
    input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1
):
    """The transpose of conv2d: images whose windows the elements are for."""
    return _transposed(
        *("conv_transpose2d", 2, input, weight, bias, stride, padding, output_padding),
        *(groups, dilation),
    )


def conv_transpose1d(
    input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1
):
    """The transpose of conv1d: lines whose windows the elements are for."""
    return _transposed(
        *("conv_transpose1d", 1, input, weight, bias, stride, padding, output_padding),
        *(groups, dilation),
    )


def conv_transpose3d(
    input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1
):
    """Not here: raises."""
    raise NotImplementedError("conv_transpose3d is not here; conv_transpose1d and 2d are")
