"""Pictures turned around their middle, over native arrays (N, channels, height, width)."""

from .. import _core

_ops = _core._ops
_cast, _clip = _ops["cast"], _ops["clip"]


def rotated(x, degrees, zoom_in, zoom_out):
    """Each picture turned counter-clockwise; `degrees` has an element for each, or one for all."""
    height, width = x.shape[2:]
    angle = (degrees * 0.017453292519943295).reshape((-1, 1, 1))
    cos, sin = _ops["cos"](angle), _ops["sin"](angle)
    if zoom_in or zoom_out:
        wide, high = (_reach(cos, sin, ratio) for ratio in (height / width, width / height))
        reach = _ops["maximum"](wide, high)
        cos, sin = (cos / reach, sin / reach) if zoom_in else (cos * reach, sin * reach)
    across = _ops["arange"](0, width, dtype="float32").reshape((1, 1, -1)) - (width - 1) / 2
    down = _ops["arange"](0, height, dtype="float32").reshape((1, -1, 1)) - (height - 1) / 2
    columns = cos * across - sin * down + (width - 1) / 2
    rows = sin * across + cos * down + (height - 1) / 2
    return _sampled(x, columns, rows)


def _reach(cos, sin, ratio):
    """How much longer than a side the turned picture reaches in its direction."""
    return _ops["abs"](cos) + _ops["abs"](sin) * ratio


def _sampled(x, columns, rows):
    """The picture at broken places, between four pixels each; beyond the border it is 0."""
    count, channels, height, width = x.shape
    flat = x.reshape((count, channels, height * width))
    left, top = _ops["floor"](columns), _ops["floor"](rows)
    total = None
    for column, across in ((left, 1 - (columns - left)), (left + 1, columns - left)):
        for row, down in ((top, 1 - (rows - top)), (top + 1, rows - top)):
            share = across * down * _inside(column, width) * _inside(row, height)
            place = _clip(row, 0, height - 1) * width + _clip(column, 0, width - 1)
            pixels = _ops["take_along_axis"](flat, _flat(_cast(place, "int64")), 2)
            part = pixels * _flat(share)
            total = part if total is None else total + part
    return total.reshape(x.shape)


def _inside(place, length):
    return _cast((place >= 0) & (place <= length - 1), "float32")


def _flat(x):
    return x.reshape((x.shape[0], 1, -1))
