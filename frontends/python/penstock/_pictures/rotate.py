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
    return sampled(x, *places(height, width, cos, sin))[0]


def places(height, width, cos, sin, across=0.0, down=0.0):
    """Columns and rows where the pixels of a turned picture were.

    It is turned around a point that is so far right of and below the middle.
    """
    across, down = across + (width - 1) / 2, down + (height - 1) / 2
    columns = _ops["arange"](0, width, dtype="float32").reshape((1, 1, -1)) - across
    rows = _ops["arange"](0, height, dtype="float32").reshape((1, -1, 1)) - down
    return cos * columns - sin * rows + across, sin * columns + cos * rows + down


def _reach(cos, sin, ratio):
    """How much longer than a side the turned picture reaches in its direction."""
    return _ops["abs"](cos) + _ops["abs"](sin) * ratio


def sampled(x, columns, rows, nearest=False):
    """The picture at broken places, and how much of each is within it; beyond the border is 0.

    A place is between four pixels, or has the value of the nearest one.
    """
    count, channels, height, width = x.shape
    flat = x.reshape((count, channels, height * width))
    total = within = None
    for column, row, share in _neighbours(columns, rows, nearest):
        share = share * _inside(column, width) * _inside(row, height)
        place = _clip(row, 0, height - 1) * width + _clip(column, 0, width - 1)
        pixels = _ops["take_along_axis"](flat, _flat(_cast(place, "int64")), 2)
        part = pixels * _flat(share)
        total = part if total is None else total + part
        within = share if within is None else within + share
    return total.reshape(x.shape), within


def _neighbours(columns, rows, nearest):
    """Columns and rows of pixels, and what share each has."""
    if nearest:
        return [(_ops["round"](columns), _ops["round"](rows), _ops["ones"]((1, 1, 1), "float32"))]
    left, top = _ops["floor"](columns), _ops["floor"](rows)
    across, down = columns - left, rows - top
    return [
        (left + step, top + other, (across if step else 1 - across) * (down if other else 1 - down))
        for step in (0, 1)
        for other in (0, 1)
    ]


def _inside(place, length):
    return _cast((place >= 0) & (place <= length - 1), "float32")


def _flat(x):
    return x.reshape((x.shape[0], 1, -1))
