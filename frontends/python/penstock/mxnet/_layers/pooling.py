"""Pooling of one, two and three dimensions over the table's, which has two.

One dimension is two, one of them of length 1. Windows of three dimensions are taken apart: first
over two, then over the third; maxima, sums and means of windows allow that.
"""

from math import prod

from ... import _core
from .. import _composed, _dialects
from ..base import MXNetValueError
from ._arguments import one_of, several

_ops = _core._ops
_max, _avg, _reshape = _ops["max_pool2d"], _ops["avg_pool2d"], _ops["reshape"]

_LAYOUTS = {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}
_LOWEST = {"float16": -65504.0, "float32": -3.4028234663852886e38}


def pooling(
    data,
    kernel=None,
    pool_type="max",
    global_pool=False,
    cudnn_off=False,
    pooling_convention="valid",
    stride=None,
    pad=None,
    p_value=None,
    count_include_pad=True,
    layout=None,
):
    """The largest element, mean, sum or norm of the windows of each channel, or of all of it.

    Windows are one apart unless stride says otherwise. With the convention 'full' the last one may
    reach beyond the margin.
    """
    one_of("Pooling", "pool_type", pool_type, ("avg", "lp", "max", "sum"))
    one_of("Pooling", "pooling_convention", pooling_convention, ("full", "same", "valid"))
    count = data.ndim - 2
    if count not in _LAYOUTS:
        raise MXNetValueError(f"Pooling: data must have 3 to 5 dimensions, not shape {data.shape}")
    one_of("Pooling", "layout", layout, _LAYOUTS[count])
    if pool_type == "lp" and p_value not in (1, 2, 3):
        raise MXNetValueError(f"Pooling: p_value must be 1, 2 or 3, not {p_value!r}")
    last = layout is not None and layout[-1] == "C"
    if global_pool:
        return _dialects.call(type(data), _global, data, pool_type, p_value, last)
    kernel = several("Pooling", "kernel", kernel, count, 0)
    stride = several("Pooling", "stride", stride, count, 1)
    pad = several("Pooling", "pad", pad, count, 0)
    lengths = data.shape[1:-1] if last else data.shape[2:]
    _check(lengths, kernel, stride, pad, pooling_convention)
    counts, ceil = _counts(lengths, kernel, stride, pad, pooling_convention)
    if count == 2 and not last and ceil is not None:
        if pool_type == "max":
            return _max(data, kernel, stride=stride, padding=pad, ceil_mode=ceil)
        if pool_type == "avg":
            include = bool(count_include_pad)
            settings = {"ceil_mode": ceil, "count_include_pad": include}
            return _avg(data, kernel, stride=stride, padding=pad, **settings)
    windows = _Windows(kernel, stride, pad, lengths, counts, ceil, bool(count_include_pad))
    return _dialects.call(type(data), _pooled, data, pool_type, p_value, last, windows)


def _check(lengths, kernel, stride, pad, convention):
    for length, size, step, margin in zip(lengths, kernel, stride, pad):
        if size < 1 or step < 1:
            raise MXNetValueError(f"Pooling: kernel {kernel} and stride {stride} must be above 0")
        if size > length + 2 * margin:
            raise MXNetValueError(
                f"Pooling: kernel size ({size}) exceeds input ({length} padded to "
                f"{length + 2 * margin})"
            )
    if convention == "same" and (len(lengths) != 1 or any(pad)):
        raise MXNetValueError("Pooling: the convention 'same' is for one dimension without pad")


def _counts(lengths, kernel, stride, pad, convention):
    """How many windows there are, and ceil_mode that makes so many; None if neither does."""
    counts, modes = [], {False, True}
    for length, size, step, margin in zip(lengths, kernel, stride, pad):
        room = length + 2 * margin - size
        floor, ceil = room // step + 1, -(-room // step) + 1
        if convention == "valid":
            wanted = floor
        else:
            wanted = ceil if convention == "full" else -(-length // step)
        # The table leaves out a last window that begins behind the elements.
        clipped = ceil - 1 if (ceil - 1) * step >= length + margin else ceil
        modes &= {mode for mode, made in ((False, floor), (True, clipped)) if made == wanted}
        counts.append(wanted)
    return counts, min(modes) if modes else None


class _Windows:
    """Where windows lie."""

    def __init__(self, kernel, stride, pad, lengths, counts, ceil, include):
        self.kernel, self.stride, self.pad, self.lengths = kernel, stride, pad, lengths
        self.counts, self.ceil, self.include = counts, ceil, include

    def part(self, where):
        """The windows of some of the dimensions."""
        kernel, stride, pad = self.kernel[where], self.stride[where], self.pad[where]
        lengths, counts = self.lengths[where], self.counts[where]
        _, ceil = _found(lengths, kernel, stride, pad, counts)
        return _Windows(kernel, stride, pad, lengths, counts, ceil, self.include)


def _found(lengths, kernel, stride, pad, counts):
    """ceil_mode by which there are so many windows, or None."""
    for convention in ("valid", "full"):
        found, ceil = _counts(lengths, kernel, stride, pad, convention)
        if list(found) == list(counts):
            return found, ceil
    return counts, None


def _pooled(x, kind, p, last, windows):
    if kind == "lp":
        return _root(_planes(x**p, "sum", last, windows), p)
    return _planes(x, kind, last, windows)


def _root(sums, p):
    """The root of sums of powers. Signs count: of odd powers they stay."""
    return (sums, _ops["sqrt"](sums), _composed.cube_root(sums))[p - 1]


def _planes(x, kind, last, windows):
    """One or three dimensions by two."""
    if x.ndim == 4:
        return _plane(x, kind, last, windows)
    if x.ndim == 3:
        n, first, second = x.shape
        shape = (n, first, 1, second) if not last else (n, 1, first, second)
        y = _plane(_reshape(x, shape), kind, last, _with_one(windows, 0))
        return _ops["squeeze"](y, 1 if last else 2)
    return _volume(x, kind, last, windows)


def _with_one(windows, place):
    """Windows of one dimension among two; the other, at the place, has length 1."""

    def both(values, one):
        values = list(values)
        values.insert(place, one)
        return tuple(values)

    kernel, stride = both(windows.kernel, 1), both(windows.stride, 1)
    pad, lengths = both(windows.pad, 0), both(windows.lengths, 1)
    counts = both(windows.counts, 1)
    return _Windows(kernel, stride, pad, lengths, counts, windows.ceil, windows.include)


def _volume(x, kind, last, windows):
    flat, deep = windows.part(slice(1, 3)), windows.part(slice(0, 1))
    if last:
        n, d, h, w, c = x.shape
        y = _plane(_reshape(x, (n * d, h, w, c)), kind, True, flat)
        h, w = y.shape[1:3]
        y = _plane(_reshape(y, (n, d, h * w, c)), kind, True, _wide(deep, h * w))
        return _reshape(y, (n, y.shape[1], h, w, c))
    n, c, d, h, w = x.shape
    y = _plane(_reshape(x, (n, c * d, h, w)), kind, False, flat)
    h, w = y.shape[2:]
    y = _plane(_reshape(y, (n, c, d, h * w)), kind, False, _wide(deep, h * w))
    return _reshape(y, (n, c, y.shape[2], h, w))


def _wide(windows, width):
    """Windows along the first of two dimensions, for each of so many places along the second."""
    made = _with_one(windows, 1)
    made.lengths, made.counts = (made.lengths[0], width), (made.counts[0], width)
    return made


def _plane(x, kind, last, windows):
    kernel, ceil = windows.kernel, windows.ceil
    settings = {"stride": windows.stride, "layout": "NHWC" if last else "NCHW"}
    inside = {**settings, "padding": windows.pad, "ceil_mode": ceil}
    if kind == "avg" and ceil is not None:
        return _avg(x, kernel, count_include_pad=windows.include, **inside)
    if kind == "max" and ceil is not None:
        return _max(x, kernel, **inside)
    if kind == "max":
        x = _padded(x, windows, last, _LOWEST.get(str(x.dtype), -1.7976931348623157e308))
        return _max(x, kernel, **settings)
    sums = _avg(_padded(x, windows, last, 0.0), kernel, **settings) * prod(kernel)
    return sums if kind == "sum" else sums / _sizes(windows, last, x.dtype)


def _padded(x, windows, last, value):
    """x with margins, as far as the last windows reach."""
    before, after = [0] * 4, [0] * 4
    for i, margin in enumerate(windows.pad):
        axis = i + (1 if last else 2)
        reach = (windows.counts[i] - 1) * windows.stride[i] + windows.kernel[i]
        before[axis] = margin
        after[axis] = max(0, reach - margin - windows.lengths[i])
    return _ops["pad"](x, before, after, value)


def _sizes(windows, last, dtype):
    """How many elements each window has; at least 1."""
    lines = []
    for i, margin in enumerate(windows.pad):
        low, high = (-margin, margin) if windows.include else (0, 0)
        line, length = [], windows.lengths[i]
        for place in range(windows.counts[i]):
            begin = place * windows.stride[i] - margin
            end = min(begin + windows.kernel[i], length + high)
            line.append(max(1, end - max(begin, low)))
        lines.append(line)
    shape = (len(lines[0]), len(lines[1]), 1) if last else (len(lines[0]), len(lines[1]))
    made = _core.asarray([[a * b for b in lines[1]] for a in lines[0]])
    return _ops["cast"](_reshape(made, shape), dtype)


def _global(x, kind, p, last):
    """All of each channel as one window."""
    shape = x.shape
    if kind == "lp":
        return _root(_global(x**p, "sum", p, last), p)
    ones = (1,) * (x.ndim - 2)
    if kind == "sum":
        y = _ops["sum"](x, tuple(range(1, x.ndim - 1)) if last else tuple(range(2, x.ndim)))
    elif kind == "avg":
        flat = (shape[0], -1, 1, shape[-1]) if last else (*shape[:2], -1, 1)
        y = _ops["global_avg_pool2d"](_reshape(x, flat), "NHWC" if last else "NCHW")
    else:  # picked, so that what flows back does so to the first of the largest
        flat, axis = ((shape[0], -1, shape[-1]), 1) if last else ((*shape[:2], -1), 2)
        x = _reshape(x, flat)
        y = _ops["pick"](x, _ops["argmax"](x, axis), axis)
    return _reshape(y, (shape[0], *ones, shape[-1]) if last else (*shape[:2], *ones))
