"""Images of other sizes: means of regions, repeated elements, linear interpolation.

Along an axis each of these is a product with a matrix that only depends on the lengths.
"""

from ... import _core
from ..._common.windows import averages
from .. import _dialects
from ..base import MXNetValueError
from ._arguments import one_of, required
from .convolution import deconvolution

_ops = _core._ops
_matmul, _repeat = _ops["matmul"], _ops["repeat"]


def _image(function, data):
    if data.ndim != 4:
        raise MXNetValueError(f"{function}: data must have 4 dimensions, not shape {data.shape}")


def _by_matrices(x, rows, columns):
    """Matrices applied to the last two axes of x; given as lists."""
    rows = _ops["cast"](_core.asarray(rows), x.dtype)
    columns = _ops["cast"](_core.asarray(columns), x.dtype)
    return _matmul(_matmul(rows, x), columns, transpose2=True)


# ---- Means -------------------------------------------------------------------------------------


def adaptive_avg_pooling(data, output_size=None):
    """Means of regions that lie as evenly as can be; output_size is one length or two."""
    _image("AdaptiveAvgPooling2D", data)
    size = 1 if output_size is None or output_size == () else output_size
    size = (size, size) if isinstance(size, int) else tuple(size)
    size = size * 2 if len(size) == 1 else size
    if len(size) != 2 or min(size) < 1:
        raise MXNetValueError(f"AdaptiveAvgPooling2D: output_size {output_size}")
    means = [averages(*pair) for pair in zip(data.shape[2:], size)]
    return _dialects.call(type(data), _by_matrices, data, *means)


# ---- Linear interpolation ----------------------------------------------------------------------

# What is left of a length that is divided by 2, and what is added to a length that has another.
_PARITY = {
    "to_even_down": (0, -1),
    "to_even_up": (0, 1),
    "to_odd_down": (1, -1),
    "to_odd_up": (1, 1),
}


def bilinear_resize(
    data,
    like=None,
    height=1,
    width=1,
    scale_height=None,
    scale_width=None,
    mode="size",
    align_corners=True,
):
    """Linear interpolation between the elements of images, to other lengths."""
    _image("BilinearResize2D", data)
    one_of("BilinearResize2D", "mode", mode, ("size", "odd_scale", "like", *_PARITY))
    if mode == "like":
        required("BilinearResize2D", like=None if like is None else like.shape)
        size = like.shape[2:]
    else:
        wanted = (height, scale_height), (width, scale_width)
        size = [_resized(mode, length, *one) for length, one in zip(data.shape[2:], wanted)]
    lines = [_lines(*pair, align_corners) for pair in zip(data.shape[2:], size)]
    return _dialects.call(type(data), _by_matrices, data, *lines)


def _resized(mode, length, wanted, scale):
    if mode in _PARITY:
        parity, step = _PARITY[mode]
        return length if length % 2 == parity else length + step
    if scale is None:
        return wanted
    if mode == "odd_scale":
        return int(length * scale) if length % 2 == 0 else int((length - 1) * scale) + 1
    return int(length * scale)


def _lines(length, count, align):
    """A row for each new place: the shares of its two neighbours."""
    if align:
        step = (length - 1) / (count - 1) if count > 1 else 0.0
        places = [place * step for place in range(count)]
    else:
        step = length / count if count > 1 else 0.0
        places = [max(0.0, (place + 0.5) * step - 0.5) for place in range(count)]
    made = []
    for place in places:
        low = min(int(place), length - 1)
        high, share = min(low + 1, length - 1), place - low
        row = [0.0] * length
        row[low] += 1 - share
        row[high] += share
        made.append(row)
    return made


# ---- Upsampling --------------------------------------------------------------------------------


def up_sampling(
    *data,
    scale=None,
    num_filter=0,
    sample_type=None,
    multi_input_mode="concat",
    num_args=None,
    workspace=512,
):
    """Images scale times as high and wide: 'nearest' repeats elements, 'bilinear' has weights.

    Of several images each is brought to the size of the first result; then they are put side by
    side as channels ('concat'), or added ('sum').
    """
    required("UpSampling", scale=scale, sample_type=sample_type)
    one_of("UpSampling", "sample_type", sample_type, ("nearest", "bilinear"))
    one_of("UpSampling", "multi_input_mode", multi_input_mode, ("concat", "sum"))
    if sample_type == "bilinear":
        return _with_weights(data, scale, num_filter)
    for one in data:
        _image("UpSampling", one)
    height = data[0].shape[2] * scale
    made = [_nearest(one, height // one.shape[2]) for one in data]
    if len(made) == 1:
        return made[0]
    if multi_input_mode == "concat":
        return _ops["concatenate"](made, 1)
    total = made[0]
    for one in made[1:]:
        total = total + one
    return total


def _nearest(x, scale):
    return _repeat(_repeat(x, scale, 2), scale, 3)


def _with_weights(data, scale, num_filter):
    if len(data) != 2:
        raise MXNetValueError("UpSampling: bilinear needs data and weights")
    kernel = 2 * scale - scale % 2
    sizes = {"kernel": (kernel,) * 2, "stride": (scale,) * 2, "pad": (-(-(scale - 1) // 2),) * 2}
    return deconvolution(*data, num_filter=num_filter, num_group=num_filter, **sizes)
