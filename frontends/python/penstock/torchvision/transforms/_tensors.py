"""Pictures that are tensors: (..., channels, height, width)."""

from math import cos, radians, sin

from ... import _core
from ..._pictures import colours
from ..._pictures import resize as _resize
from ..._pictures import rotate as _rotate
from ...torch import Tensor, as_tensor, float32, iinfo, int32, int64, tensor, where
from ...torch import bool as _bool
from ...torch import round as _round
from ...torch._dialect import row
from ._modes import InterpolationMode

_as = _core.ndarray.as_subclass
_native = _core.ndarray
_add_border = row("pad", "pad", "input:x, before, after, value=0, mode=None")


def check(x):
    """Pictures have two dimensions at least."""
    if x.ndim < 2:
        raise TypeError(f"Tensor is not a torch image: it has shape {list(x.shape)}")


def size(x):
    """Height and width."""
    return tuple(x.shape[-2:])


def channels(x):
    """How many channels there are."""
    return 1 if x.ndim == 2 else x.shape[-3]


def check_channels(name, x):
    """Colours are of one channel or of three."""
    if channels(x) not in (1, 3):
        raise TypeError(f"{name}: a picture has 1 or 3 channels, not {channels(x)}")


# ---- Places --------------------------------------------------------------------------------------


def crop(x, top, left, height, width):
    """A part of a picture; beyond its border are zeros."""
    rows, columns = size(x)
    bottom, right = top + height, left + width
    inside = x[..., max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
    if left >= 0 and top >= 0 and right <= columns and bottom <= rows:
        return inside
    before = max(-left + min(0, right), 0), max(-top + min(0, bottom), 0)
    after = max(right - max(columns, left), 0), max(bottom - max(rows, top), 0)
    return pad(inside, (*before, *after), 0, "constant")


def pad(x, border, fill, mode):
    """A picture with a border of (left, top, right, bottom); below 0 it is cut off."""
    left, top, right, bottom = border
    if min(border) < 0:
        rows, columns = size(x)
        x = x[..., max(-top, 0) : rows - max(-bottom, 0), max(-left, 0) : columns - max(-right, 0)]
        left, top, right, bottom = (max(side, 0) for side in border)
    others = (0,) * (x.ndim - 2)
    if mode == "constant" and isinstance(fill, (tuple, list)):
        if len(fill) != 1:
            raise ValueError(f"pad: a tensor gets one number as fill, not {len(fill)}")
        fill = fill[0]
    value = fill if mode == "constant" else 0
    return _add_border(x, (*others, top, left), (*others, bottom, right), value, mode)


def hflip(x):
    """Left and right exchanged."""
    return x.flip(-1)


def vflip(x):
    """Top and bottom exchanged."""
    return x.flip(-2)


_RULES = {
    (InterpolationMode.NEAREST, False): _resize.nearest,
    (InterpolationMode.NEAREST, True): _resize.nearest,
    (InterpolationMode.NEAREST_EXACT, False): _resize.nearest_middle,
    (InterpolationMode.NEAREST_EXACT, True): _resize.nearest_middle,
    (InterpolationMode.BILINEAR, False): _resize.linear,
    (InterpolationMode.BILINEAR, True): _resize.smooth_linear,
    (InterpolationMode.BICUBIC, False): _resize.cubic,
    (InterpolationMode.BICUBIC, True): _resize.smooth_cubic,
}


def resize(x, height, width, mode, antialias):
    """Another size."""
    rule = _RULES.get((mode, bool(antialias)))
    if rule is None:
        raise ValueError(f"This interpolation mode is unsupported with Tensor input: {mode}")
    *before, rows, columns = x.shape
    overshoots = mode is InterpolationMode.BICUBIC and not x.dtype.is_floating_point
    flat = (x.to(float32) if overshoots else x).reshape(-1, rows, columns, 1)
    made = _as(_resize.by_rule(_as(flat, _native), width, height, rule), Tensor)
    if overshoots:
        made = _round(made).clamp(0, iinfo(x.dtype).max).to(x.dtype)
    return made.reshape(*before, height, width)


def rotate(x, angle, mode, center, fill):
    """Turned counter-clockwise by so many degrees; the size stays."""
    if mode not in (InterpolationMode.NEAREST, InterpolationMode.BILINEAR):
        raise ValueError(f"This interpolation mode is unsupported with Tensor input: {mode}")
    rows, columns = size(x)
    flat = x.reshape(1, -1, rows, columns)
    wide = flat if x.dtype.is_floating_point else flat.to(float32)
    across, down = center or (columns / 2, rows / 2)
    turn = cos(radians(angle)), sin(radians(angle))
    places = _rotate.places(rows, columns, *turn, across - columns / 2, down - rows / 2)
    nearest = mode is InterpolationMode.NEAREST
    made, inside = _rotate.sampled(_as(wide, _native), *places, nearest)
    made, inside = _as(made, Tensor).reshape(x.shape), _as(inside, Tensor)
    if fill is not None:
        made = _filled(made, inside, fill, nearest)
    return (made if wide is flat or nearest else _round(made)).to(x.dtype)


def _filled(made, inside, fill, nearest):
    values = fill if isinstance(fill, (tuple, list)) else [fill]
    values = tensor([float(one) for one in values], dtype=made.dtype).reshape(-1, 1, 1)
    return where(inside >= 0.5, made, values) if nearest else made * inside + values * (1 - inside)


# ---- Colours -------------------------------------------------------------------------------------


def most(one):
    """What white is in a type."""
    return 1.0 if one.is_floating_point else 1 if one is _bool else iinfo(one).max


def convert(x, one):
    """The same picture in another type, where white is another number."""
    if x.dtype is one:
        return x
    if x.dtype.is_floating_point:
        return _from_float(x, one)
    white = most(x.dtype)
    if one.is_floating_point:
        return x.to(one) / white
    return _between_integers(x, one, white, most(one))


def _from_float(x, one):
    if one.is_floating_point:
        return x.to(one)
    if x.dtype is float32 and one in (int32, int64) or x.dtype is not float32 and one is int64:
        raise RuntimeError(f"The cast from {x.dtype} to {one} cannot be performed safely.")
    return (x * (most(one) + 1.0 - 1e-3)).to(one)


def _between_integers(x, one, before, after):
    if before > after:
        return (x // ((before + 1) // (after + 1))).to(one)
    return x.to(one) * ((after + 1) // (before + 1))


def normalize(x, mean, std, inplace):
    """(x - mean) / std for each channel."""
    if not x.dtype.is_floating_point:
        raise TypeError(f"Input tensor should be a float tensor. Got {x.dtype}.")
    if x.ndim < 3:
        raise ValueError(
            "Expected tensor to be a tensor image of size (..., C, H, W). Got tensor.size() = "
            f"{tuple(x.shape)}"
        )
    _check_deviations(std, x.dtype)
    mean, std = (
        as_tensor(one, dtype=x.dtype, device=x.device).reshape(-1, 1, 1) for one in (mean, std)
    )
    if not inplace:
        return (x - mean) / std
    x.sub_(mean)
    return x.div_(std)


def _check_deviations(std, one):
    numbers = () if isinstance(std, Tensor) else std if isinstance(std, (tuple, list)) else (std,)
    if any(number == 0 for number in numbers):
        raise ValueError(
            f"std evaluated to zero after conversion to {one}, leading to division by zero."
        )


def grey(x, outputs=1):
    """The brightness as one channel, or as three alike; one channel stays what it is."""
    if x.ndim < 3:
        raise TypeError(
            f"Input image tensor should have at least 3 dimensions, but found {x.ndim}"
        )
    check_channels("rgb_to_grayscale", x)
    if outputs not in (1, 3):
        raise ValueError("num_output_channels should be either 1 or 3")
    if channels(x) == 1:
        return x
    red, green, blue = x.unbind(-3)
    made = (0.2989 * red + 0.587 * green + 0.114 * blue).to(x.dtype).unsqueeze(-3)
    return made.expand(x.shape) if outputs == 3 else made


def _blended(x, other, ratio):
    made = (ratio * x + (1.0 - ratio) * other).clamp(0, most(x.dtype))
    return made.to(x.dtype)


def brightness(x, factor):
    """Brighter or darker: 0 is black, 1 is as it was."""
    check_channels("adjust_brightness", x)
    return _blended(x, x * 0, factor)


def contrast(x, factor):
    """More contrast or less: 0 is grey, 1 is as it was."""
    check_channels("adjust_contrast", x)
    wide = x.dtype if x.dtype.is_floating_point else float32
    mean = (grey(x) if channels(x) == 3 else x).to(wide).mean((-3, -2, -1), keepdim=True)
    return _blended(x, mean, factor)


def saturation(x, factor):
    """More colour or less: 0 is without, 1 is as it was."""
    check_channels("adjust_saturation", x)
    return x if channels(x) == 1 else _blended(x, grey(x), factor)


def hue(x, factor):
    """Every hue turned by so many full circles."""
    check_channels("adjust_hue", x)
    if channels(x) == 1:
        return x
    wide = x if x.dtype.is_floating_point else convert(x, float32)
    turned = colours.turned_hue(_as(wide, _native), factor, x.ndim - 3)
    return convert(_as(turned, Tensor), x.dtype)


def gamma(x, power, gain):
    """gain * x ** power, with white as 1."""
    check_channels("adjust_gamma", x)
    wide = x if x.dtype.is_floating_point else convert(x, float32)
    return convert((gain * wide**power).clamp(0, 1), x.dtype)
