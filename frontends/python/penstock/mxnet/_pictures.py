"""What mx.nd.image and mx.npx.image compute, over native arrays.

A picture is (height, width, channels); its colours are red, green, blue. Factors are drawn by
operations, so that nothing waits for them.
"""

from .. import _core
from .._pictures.colours import GREY, grey, turned_hue
from .._pictures.resize import resized

_ops = _core._ops
_cast, _where = _ops["cast"], _ops["where"]

# Of the colours of ImageNet: deviations along the principal axes, times the axes.
_LIGHTING = (
    (55.46 * -0.5675, 4.794 * 0.7192, 1.148 * 0.4009),
    (55.46 * -0.5808, 4.794 * -0.0045, 1.148 * -0.8140),
    (55.46 * -0.5836, 4.794 * -0.6948, 1.148 * 0.4203),
)


# ---- Shapes --------------------------------------------------------------------------------------


def _check_batch(name, x):
    if x.ndim not in (3, 4):
        raise ValueError(
            f"{name}: Input image must have shape (height, width, channels), or (N, height, width, "
            f"channels), but got {x.shape}"
        )


def _check_one(name, x):
    if x.ndim != 3:
        raise ValueError(
            f"{name}: Input image must have shape (height, width, channels), but got {x.shape}"
        )


def _check_colours(name, x):
    _check_one(name, x)
    if x.shape[2] not in (1, 3):
        raise ValueError(f"{name}: a picture has 1 or 3 channels, not {x.shape[2]}")


def to_tensor(x):
    """Channels first, numbers from 0 to 1."""
    _check_batch("to_tensor", x)
    return _cast(_ops["moveaxis"](x, -1, -3), "float32") / 255.0


def normalize(x, mean, std):
    """(x - mean) / std for each channel, which is the first dimension of a picture."""
    if x.ndim not in (3, 4):
        raise ValueError(
            "normalize: pictures are (channels, height, width), alone or in a batch, not of shape "
            f"{x.shape}"
        )
    channels = x.shape[-3]
    if channels not in (1, 3):
        raise ValueError(
            f"normalize: pictures have 1 or 3 channels, which come before height and width, not as "
            f"in shape {x.shape}"
        )
    mean, std = (_by_channel(name, x, value) for name, value in (("mean", mean), ("std", std)))
    made = (_cast(x, "float32") if x.dtype.kind != "f" else x) - mean
    return _cast(made / std, x.dtype)


def _by_channel(name, x, value):
    """A number for each channel, or one for all."""
    value = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    if len(value) not in (1, x.shape[-3]):
        raise ValueError(
            f"normalize: {name} needs one number, or {x.shape[-3]} for the channels of shape "
            f"{x.shape}, not {value}"
        )
    dtype = x.dtype if x.dtype.kind == "f" else "float32"
    return _core.array(list(map(float, value)), dtype).reshape((-1, 1, 1))


def resize(x, size, keep_ratio, interp):
    """Another size: (width, height), or one number for both, or for the shorter with keep_ratio."""
    _check_batch("resize", x)
    size = tuple(size) if isinstance(size, (tuple, list)) else (size,)
    if len(size) not in (1, 2):
        raise ValueError(f"resize: size is one number or two, not {len(size)} of them")
    if min(size) <= 0:
        raise ValueError(f"resize: lengths of size must be above 0, not {min(size)}")
    width, height = size if len(size) == 2 else size * 2
    if keep_ratio and len(size) == 1:
        rows, columns = x.shape[-3:-1]
        if rows > columns:
            height = int(rows * width / columns)
        else:
            width = int(columns * height / rows)
    return resized(x, width, height, interp)


def crop(x, left, top, width, height):
    """A part of a picture."""
    _check_batch("crop", x)
    rows, columns = x.shape[-3:-1]
    if width <= 0 or height <= 0:
        raise ValueError(f"crop: height {height} and width {width} must be above 0")
    if left < 0 or top < 0:
        raise ValueError(f"crop: the corner {left}, {top} is outside of the picture")
    if left + width > columns:
        raise ValueError(f"crop: {left} + {width} columns are more than the {columns} there are")
    if top + height > rows:
        raise ValueError(f"crop: {top} + {height} rows are more than the {rows} there are")
    return _ops["copy"](x[..., top : top + height, left : left + width, :])


def flipped(x, axis):
    """A picture mirrored along an axis."""
    _check_one("flip", x)
    return _ops["copy"](_ops["flip"](x, axis))


def flipped_or_not(x, axis):
    """The same in half of the cases."""
    _check_one("random_flip", x)
    return _where(_ops["random_bernoulli"]((), 0.5), _ops["flip"](x, axis), x)


# ---- Colours -------------------------------------------------------------------------------------


def _factor(low, high):
    return _ops["random_uniform"]((), min(low, high), max(low, high))


def _check_factors(name, low, high):
    for word, value in (("min_factor", low), ("max_factor", high)):
        if value < 0:
            raise ValueError(f"{name}: {word} must not be below 0, not {value}")


def _wide(x):
    return x if x.dtype in ("float32", "float64") else _cast(x, "float32")


def _brightness(x, factor):
    return x * factor


def _contrast(x, factor):
    return x * factor + _ops["mean"](grey(x, 2)) * (1 - factor)


def _saturation(x, factor):
    """MXNet's: what it mixes in is not the grey of a pixel but the share that blue has of it."""
    return x if x.shape[2] == 1 else x * factor + x[:, :, 2:] * (GREY[2] * (1 - factor))


def _hue(x, factor):
    return turned_hue(x, factor, 2)


_COLOURS = {
    "brightness": _brightness,
    "contrast": _contrast,
    "saturation": _saturation,
    "hue": _hue,
}


def coloured(x, what, low, high):
    """A picture with its brightness, contrast, saturation or hue changed by a random factor."""
    _check_colours(f"random_{what}", x)
    _check_factors(f"random_{what}", low, high)
    return _cast(_COLOURS[what](_wide(x), _factor(low, high)), x.dtype)


def jittered(x, **most):
    """Brightness, contrast, saturation and hue changed in random order, each by its factor."""
    _check_colours("random_color_jitter", x)
    names = list(most)
    made = _wide(x)
    for number in _ops["random_permutation"](len(names)).tolist():
        name = names[number]
        if most[name] > 0:
            made = _COLOURS[name](made, _factor(max(0.0, 1 - most[name]), 1 + most[name]))
            made = _cast(made, x.dtype) if x.dtype.kind != "f" else made
            made = _wide(made)
    return _ops["copy"](x) if made is x else _cast(made, x.dtype)


def lit(x, alpha):
    """The colours of light added: alpha says how much of each principal component."""
    _check_colours("adjust_lighting", x)
    if isinstance(alpha, (tuple, list)):
        if len(alpha) != 3:
            raise ValueError(f"adjust_lighting: alpha must have 3 numbers, not {len(alpha)}")
        alpha = _core.array(list(map(float, alpha)), "float32")
    if x.shape[2] == 1:
        return _ops["copy"](x)
    light = _ops["sum"](_core.array(_LIGHTING, "float32") * alpha, 1)
    return _cast(_wide(x) + light, x.dtype)


def lit_at_random(x, deviation):
    """The same with normal alpha."""
    return lit(x, _ops["random_normal"]((3,), 0.0, deviation))
