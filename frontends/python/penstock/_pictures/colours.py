"""Colours of pictures, over native arrays whose channels are red, green, blue along an axis."""

from .. import _core

_ops = _core._ops
_where = _ops["where"]

GREY = (0.299, 0.587, 0.114)  # what the channels add to the brightness


def channels(x, axis):
    """The three channels, each without the axis."""
    at = (slice(None),) * axis
    return [x[(*at, channel)] for channel in range(3)]


def grey(x, axis):
    """The brightness of each pixel, with a dimension of 1 where the channels are."""
    if x.shape[axis] == 1:
        return x
    shape = [1] * x.ndim
    shape[axis] = 3
    shares = _core.array(list(GREY), x.dtype).reshape(shape)
    return _ops["sum"](x * shares, axis, keepdims=True)


def turned_hue(x, turns, axis):
    """Every hue turned by so many full circles; lightness and saturation stay."""
    if x.shape[axis] == 1:
        return x
    high, low = _ops["max"](x, axis), _ops["min"](x, axis)
    chroma = high - low
    turned = _sixths(channels(x, axis), high, chroma) + turns * 6
    parts = []
    for offset in (5, 3, 1):
        k = (turned + offset) % 6
        away = _ops["clip"](_ops["minimum"](k, 4 - k), 0, 1)
        parts.append(high - chroma * away)
    return _ops["stack"](parts, axis)


def _sixths(colours, high, chroma):
    """The hue of each pixel, from 0 to 6; 0 for grey."""
    red, green, blue = colours
    some = _where(chroma == 0, _ops["ones"]((), high.dtype), chroma)
    hue = _where(
        high == red,
        (green - blue) / some,
        _where(high == green, (blue - red) / some + 2, (red - green) / some + 4),
    )
    return _where(chroma == 0, hue * 0, hue)
