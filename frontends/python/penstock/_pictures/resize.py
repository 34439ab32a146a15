"""Pictures in other sizes, over native arrays (..., height, width, channels).

Each position along an axis is a weighted sum of a few positions of the picture, by OpenCV's rules:
the middles of the outermost pixels stay half a pixel from the border, and beyond the border is what
is at it. So a picture is made of as many takes as the rule has weights, first of rows, then of
columns. PyTorch's rules are the same, or, smoothed, weights that get wider as the picture gets
smaller, without any beyond the border.
"""

from functools import lru_cache
from math import floor, pi

from .. import _core

_ops = _core._ops
_take, _cast, _floor = _ops["take"], _ops["cast"], _ops["floor"]

_NEAREST, _LINEAR, _CUBIC, _AREA, _LANCZOS, _EXACT = range(6)


def resized(x, width, height, interp):
    """A picture, or several, of this size; interp as OpenCV numbers its rules."""
    if interp not in _RULES:
        raise ValueError(f"resize: Unknown interpolation method {interp!r}: 0 to 4 are known")
    if x.ndim not in (3, 4):
        raise ValueError(f"resize: a picture has 3 dimensions, or 4 with others, not {x.ndim}")
    if width <= 0 or height <= 0:
        raise ValueError(f"resize: width and height must be above 0, not {width} and {height}")
    if interp == _AREA and (x.shape[-3] < height or x.shape[-2] < width):
        interp = "area, enlarged"
    return by_rule(x, width, height, _RULES[interp])


def by_rule(x, width, height, rule):
    """A picture, or several, of this size, by one of the rules below."""
    rows, columns = x.ndim - 3, x.ndim - 2
    made = _along(x, rows, rule, x.shape[rows], height, 1)
    made = _along(made, columns, rule, x.shape[columns], width, x.shape[-1])
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
    """Places and weights of what is summed, with an element for each position of the result.

    Weights have one for each channel; None is 1.
    """
    positions = _ops["arange"](0, after, dtype="float64")
    found = []
    for place, weight in rule(positions, before / after, before):
        place = _cast(_ops["clip"](place, 0, before - 1), "int64")
        if weight is not None:
            weight = _ops["repeat"](_cast(weight, "float32"), channels)
        found.append((place, weight))
    return found


# ---- Rules: places, which may lie beyond the border, and weights, for positions ------------------


def _nearest(positions, scale, length):
    return [(_floor(positions * scale), None)]


def nearest_middle(positions, scale, length):
    """The place that the middle of a position is in."""
    return [(_floor((positions + 0.5) * scale), None)]


def _middle(positions, scale):
    """The place whose middle is at or before the middle of a position, and how far it is away."""
    middle = (positions + 0.5) * scale - 0.5
    place = _floor(middle)
    return place, middle - place


def _linear(positions, scale, length):
    place, share = _middle(positions, scale)
    return [(place, 1 - share), (place + 1, share)]


def _cubic(positions, scale, length):
    place, share = _middle(positions, scale)
    weights = _far(1 + share), _near(share), _near(1 - share), _far(2 - share)
    return [(place + step, weight) for step, weight in zip(range(-1, 3), weights)]


_BEND = -0.75  # the slope of the cubic curve where it crosses zero


def _near(d):
    """The weight at a distance up to 1."""
    return ((_BEND + 2) * d - (_BEND + 3)) * d * d + 1


def _far(d):
    """The weight at a distance from 1 to 2."""
    return ((_BEND * d - 5 * _BEND) * d + 8 * _BEND) * d - 4 * _BEND


def _lanczos(positions, scale, length):
    place, share = _middle(positions, scale)
    weights = [_windowed(step - share) for step in range(-3, 5)]
    total = sum(weights[1:], weights[0])
    return [(place + step, weight / total) for step, weight in zip(range(-3, 5), weights)]


def _windowed(d):
    """sin(pi d) / (pi d), faded out at a distance of 4."""
    is_zero = _ops["abs"](d) < 1e-7
    angle = _ops["where"](is_zero, d + 1, d) * pi
    weight = _ops["sin"](angle) * _ops["sin"](angle * 0.25) / (angle * angle * 0.25)
    return _ops["where"](is_zero, d * 0 + 1, weight)


def _area(positions, scale, length):
    """The part of each place that a position covers."""
    start = positions * scale
    end = _ops["clip"](start + scale, 0, length)
    first = _floor(start)
    covered = []
    for step in range(floor(scale) + 2):
        place = first + step
        share = _ops["minimum"](end, place + 1) - _ops["maximum"](start, place)
        covered.append((place, _ops["clip"](share, 0, 1) / (end - start)))
    return covered


def _area_enlarged(positions, scale, length):
    place = _floor(positions * scale)
    share = _ops["clip"]((positions + 1) - (place + 1) / scale, 0, length)
    share = share - _floor(share)
    return [(place, 1 - share), (place + 1, share)]


# ---- Rules that are smoothed


def smooth_linear(positions, scale, length):
    """A triangle over as many places as a position covers."""
    return _smooth(positions, scale, length, 1, lambda d: _ops["clip"](1 - d, 0, 1))


def smooth_cubic(positions, scale, length):
    """A cubic curve over twice as many."""
    return _smooth(positions, scale, length, 2, _cubic_curve)


def _cubic_curve(d):
    bend = -0.5
    near = ((bend + 2) * d - (bend + 3)) * d * d + 1
    far = ((bend * d - 5 * bend) * d + 8 * bend) * d - 4 * bend
    return _ops["where"](d < 1, near, _ops["where"](d < 2, far, d * 0))


def _smooth(positions, scale, length, support, curve):
    wide = max(scale, 1.0)
    middle, reach = (positions + 0.5) * scale, support * wide
    first = _ops["clip"](_floor(middle - reach + 0.5), 0, length)
    end = _ops["clip"](_floor(middle + reach + 0.5), 0, length)
    found, total = [], 0.0
    for step in range(floor(2 * reach) + 2):
        place = first + step
        weight = curve(_ops["abs"](place - middle + 0.5) / wide)
        weight = _ops["where"](place < end, weight, weight * 0)
        found.append((place, weight))
        total = total + weight
    return [(place, weight / total) for place, weight in found]


nearest, linear, cubic = _nearest, _linear, _cubic

_RULES = {
    _NEAREST: _nearest,
    _LINEAR: _linear,
    _CUBIC: _cubic,
    _AREA: _area,
    _LANCZOS: _lanczos,
    _EXACT: _linear,
    "area, enlarged": _area_enlarged,
}
