"""Pictures in other sizes, over native arrays (..., height, width, channels).

Each position along an axis is a weighted sum of a few positions of the picture, by OpenCV's rules:
the middles of the outermost pixels stay half a pixel from the border, and beyond the border is what
is at it. So a picture is made of as many takes as the rule has weights, first of rows, then of
columns.
"""

from functools import lru_cache
from math import floor, pi, sin

from .. import _core

_ops = _core._ops
_take, _cast = _ops["take"], _ops["cast"]

_NEAREST, _LINEAR, _CUBIC, _AREA, _LANCZOS, _EXACT = range(6)


def resized(x, width, height, interp):
    """A picture, or several, of this size; interp as OpenCV numbers its rules."""
    if interp not in _RULES:
        raise ValueError(f"resize: Unknown interpolation method {interp!r}: 0 to 4 are known")
    if x.ndim not in (3, 4):
        raise ValueError(f"resize: a picture has 3 dimensions, or 4 with others, not {x.ndim}")
    if width <= 0 or height <= 0:
        raise ValueError(f"resize: width and height must be above 0, not {width} and {height}")
    rows, columns = x.ndim - 3, x.ndim - 2
    sizes = (x.shape[rows], height), (x.shape[columns], width)
    if interp == _AREA and any(before < after for before, after in sizes):
        interp = "area, enlarged"
    rule = _RULES[interp]
    made = _along(_along(x, rows, rule, *sizes[0], 1), columns, rule, *sizes[1], x.shape[-1])
    return made if made.dtype == x.dtype else _narrowed(made, x.dtype)


def _narrowed(x, dtype):
    """Numbers in the type of a picture: integers are the nearest ones that it has."""
    return _cast(x if dtype.kind == "f" else _ops["round"](x), dtype)


def _along(x, axis, rule, before, after, channels):
    """x with as many positions along the axis as `after` says.

    Rows are multiplied by a weight each. Columns with their channels are one dimension, and the
    weights repeat: long rows of numbers are quicker than many short ones.
    """
    if before == after:
        return x
    shape = (*x.shape[:axis], after, *x.shape[axis + 1 :])
    is_columns = axis == x.ndim - 2
    flat = (*shape[:axis], -1) if is_columns else shape
    lengths = (-1,) if is_columns else (-1, 1, 1)
    total = None
    for places, weights in _taps(rule, before, after, channels):
        part = _take(x, places, axis)
        if weights is not None:
            part = part if part.dtype in ("float32", "float64") else _cast(part, "float32")
            part = part.reshape(flat) * weights.reshape(lengths)
        total = part if total is None else total + part
    return total.reshape(shape)


@lru_cache(64)
def _taps(rule, before, after, channels):
    """Places and weights, as arrays with an element for each position of the result.

    Weights have one for each channel.
    """
    rows = [rule(position, before / after, before) for position in range(after)]
    taps = max(map(len, rows))
    rows = [row + [(row[-1][0], 0.0)] * (taps - len(row)) for row in rows]
    found = []
    for tap in range(taps):
        places = [min(max(row[tap][0], 0), before - 1) for row in rows]
        weights = [row[tap][1] for row in rows for _ in range(channels)]
        array = None if rule is _nearest else _core.array(weights, "float32")
        found.append((_core.array(places, "int64"), array))
    return found


# ---- Rules: (place, weight) of what a position is made of; places may lie beyond the border ------


def _nearest(position, scale, length):
    return [(floor(position * scale), 1.0)]


def _middle(position, scale):
    """The place whose middle is at or before the middle of a position, and how far it is away."""
    place = (position + 0.5) * scale - 0.5
    return floor(place), place - floor(place)


def _linear(position, scale, length):
    place, share = _middle(position, scale)
    return [(place, 1 - share), (place + 1, share)]


def _cubic(position, scale, length):
    place, share = _middle(position, scale)
    return [(place + step, _cubic_weight(abs(step - share))) for step in range(-1, 3)]


def _cubic_weight(d, a=-0.75):
    if d <= 1:
        return ((a + 2) * d - (a + 3)) * d * d + 1
    return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a


def _lanczos(position, scale, length):
    place, share = _middle(position, scale)
    weights = [_lanczos_weight(step - share) for step in range(-3, 5)]
    total = sum(weights)
    return [(place + step, weight / total) for step, weight in zip(range(-3, 5), weights)]


def _lanczos_weight(d):
    if abs(d) < 1e-7:
        return 1.0
    return sin(pi * d) * sin(pi * d / 4) / (pi * d * pi * d / 4)


def _area(position, scale, length):
    """The part of each place that the position covers."""
    start, end = position * scale, min((position + 1) * scale, length)
    covered = []
    for place in range(floor(start), min(floor(end) + 1, length)):
        share = min(end, place + 1) - max(start, place)
        if share > 1e-3:
            covered.append((place, share / (end - start)))
    return covered


def _area_enlarged(position, scale, length):
    place = floor(position * scale)
    share = (position + 1) - (place + 1) / scale
    share = share - floor(share) if share > 0 else 0.0
    return [(place, 1 - share), (place + 1, share)]


_RULES = {
    _NEAREST: _nearest,
    _LINEAR: _linear,
    _CUBIC: _cubic,
    _AREA: _area,
    _LANCZOS: _lanczos,
    _EXACT: _linear,
    "area, enlarged": _area_enlarged,
}
