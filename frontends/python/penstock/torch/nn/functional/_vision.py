"""Functions of images: sizes, windows as columns, channels as pixels."""

from functools import lru_cache

from ..._create import tensor
from ..._dialect import row
from ..._product import matmul
from ..._joining import stack
from ._arguments import several

__all__ = "interpolate upsample unfold pixel_shuffle pixel_unshuffle channel_shuffle".split()

_take = row("take", "interpolate", "input:x, index:indices, dim:axis=None")

# ---- Other sizes ---------------------------------------------------------------------------------

_LINEAR = {"linear": 1, "bilinear": 2}


def _sizes(input, size, scale_factor):
    """The lengths to make, and the factors that were given for them."""
    spatial = input.ndim - 2
    if (size is None) == (scale_factor is None):
        raise ValueError("either size or scale_factor should be defined, and not both")
    if size is not None:
        return several("interpolate", size, spatial, "size"), (None,) * spatial
    factors = (
        (float(scale_factor),) * spatial
        if isinstance(scale_factor, (int, float))
        else tuple(map(float, scale_factor))
    )
    lengths = input.shape[2:]
    return tuple(int(length * one) for length, one in zip(lengths, factors)), factors


def interpolate(
    input,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    """Lines or images of another size: by the nearest element, or linearly between neighbours."""
    if antialias or mode not in ("nearest", *_LINEAR):
        what = "antialias=True" if antialias else f"mode={mode!r}"
        raise NotImplementedError(f"interpolate: {what} is not here; nearest, linear, bilinear are")
    if mode == "nearest" and align_corners is not None:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear"
        )
    if input.ndim not in (3, 4) or mode in _LINEAR and input.ndim - 2 != _LINEAR[mode]:
        raise NotImplementedError(
            f"interpolate: input of {input.ndim} dimensions with mode {mode!r} is not here"
        )
    sizes, factors = _sizes(input, size, scale_factor)
    if recompute_scale_factor:
        factors = (None,) * len(sizes)
    if mode == "nearest":
        return _nearest(input, sizes, factors)
    return _between(input, sizes, factors, bool(align_corners))


def _nearest(input, sizes, factors):
    for at, (count, factor) in enumerate(zip(sizes, factors)):
        length = input.shape[2 + at]
        if count != length:
            step = length / count if factor is None else 1 / factor
            places = (min(int(one * step), length - 1) for one in range(count))
            input = _take(input, tensor(list(places), device=input.device), 2 + at)
    return input


@lru_cache(maxsize=32)
def _weights(length, count, factor, corners, dtype, device):
    """A matrix (count, length) whose products are elements between neighbours."""
    rows = []
    for one in range(count):
        if corners:
            place = one * (length - 1) / (count - 1) if count > 1 else 0.0
        else:
            step = length / count if factor is None else 1 / factor
            place = max((one + 0.5) * step - 0.5, 0.0)
        low = min(int(place), length - 1)
        part = place - low
        line = [0.0] * length
        line[low] += 1 - part
        line[min(low + 1, length - 1)] += part
        rows.append(line)
    return tensor(rows, dtype=dtype, device=device)


def _between(input, sizes, factors, corners):
    lengths = input.shape[2:]
    matrices = [
        _weights(length, count, factor, corners, input.dtype, input.device)
        for length, count, factor in zip(lengths, sizes, factors)
    ]
    made = matmul(input, matrices[-1].T)
    return made if len(matrices) == 1 else matmul(matrices[0], made)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """As interpolate."""
    return interpolate(input, size, scale_factor, mode, align_corners)


# ---- Windows -------------------------------------------------------------------------------------


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """Each window of images as a column: (batch, channels * H * W of it, windows)."""
    if input.ndim not in (3, 4):
        raise RuntimeError(
            f"Expected 3D or 4D (batch mode) tensor for input, but got {list(input.shape)}"
        )
    if input.ndim == 3:
        return unfold(input.unsqueeze(0), kernel_size, dilation, padding, stride).squeeze(0)
    kernel, wide, around, step = (
        several("unfold", value, 2, what)
        for value, what in (
            (kernel_size, "kernel_size"),
            (dilation, "dilation"),
            (padding, "padding"),
            (stride, "stride"),
        )
    )
    if any(around):
        from ._pad import pad

        input = pad(input, (around[1], around[1], around[0], around[0]))
    counts = [
        (length - by * (size - 1) - 1) // jump + 1
        for length, size, by, jump in zip(input.shape[2:], kernel, wide, step)
    ]
    if min(counts) < 1:
        raise RuntimeError(
            f"Given input with spatial size {list(input.shape[2:])}, kernel_size={kernel}, the "
            f"shape of the array of sliding blocks {counts} must be at least one"
        )
    windows = []
    for row_at in range(kernel[0]):
        rows = _steps(row_at * wide[0], counts[0], step[0])
        for column_at in range(kernel[1]):
            columns = _steps(column_at * wide[1], counts[1], step[1])
            windows.append(input[:, :, rows, columns])
    batch, channels = input.shape[:2]
    return stack(windows, 2).reshape(batch, channels * len(windows), counts[0] * counts[1])


def _steps(begin, count, step):
    return slice(begin, begin + (count - 1) * step + 1, step)


# ---- Channels ------------------------------------------------------------------------------------


def pixel_shuffle(input, upscale_factor):
    """Channels as more pixels: (C * r * r, H, W) becomes (C, H * r, W * r)."""
    r = upscale_factor
    *batch, channels, high, wide = input.shape
    if channels % (r * r):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square "
            f"of upscale_factor, but input.size(-3)={channels} is not divisible by {r * r}"
        )
    parts = input.reshape(-1, channels // (r * r), r, r, high, wide)
    made = parts.permute(0, 1, 4, 2, 5, 3)
    return made.reshape(*batch, channels // (r * r), high * r, wide * r)


def pixel_unshuffle(input, downscale_factor):
    """Pixels as more channels: (C, H * r, W * r) becomes (C * r * r, H, W)."""
    r = downscale_factor
    *batch, channels, high, wide = input.shape
    if high % r or wide % r:
        raise RuntimeError(
            "pixel_unshuffle expects height and width to be divisible by downscale_factor, but "
            f"input has {high} x {wide} and downscale_factor={r}"
        )
    parts = input.reshape(-1, channels, high // r, r, wide // r, r)
    made = parts.permute(0, 1, 3, 5, 2, 4)
    return made.reshape(*batch, channels * r * r, high // r, wide // r)


def channel_shuffle(input, groups):
    """Channels of all groups in turn."""
    batch, channels = input.shape[:2]
    if channels % groups:
        raise RuntimeError(
            f"Number of channels must be divisible by groups. Got {channels} channels and {groups} "
            "groups."
        )
    parts = input.reshape(batch, groups, channels // groups, *input.shape[2:])
    return parts.transpose(1, 2).reshape(input.shape)
