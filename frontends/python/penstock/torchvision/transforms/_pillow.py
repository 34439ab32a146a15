"""Pictures that are Pillow's."""

import sys

from ..._pictures.pillow_colours import (  # noqa: F401
    brightness,
    contrast,
    gamma,
    grey,
    hue,
    saturation,
)
from ._modes import PILLOW


def is_picture(x):
    """Whether it is a picture of Pillow's, which nothing is while that is not loaded."""
    image = sys.modules.get("PIL.Image")
    return image is not None and isinstance(x, image.Image)


def size(x):
    """Height and width."""
    return x.height, x.width


def channels(x):
    """How many channels there are."""
    return len(x.getbands())


# ---- Places --------------------------------------------------------------------------------------


def crop(x, top, left, height, width):
    """A part of a picture; beyond its border are zeros."""
    return x.crop((left, top, left + width, top + height))


def pad(x, border, fill, mode):
    """A picture with a border of (left, top, right, bottom); below 0 it is cut off."""
    from PIL import ImageOps

    if mode == "constant":
        return ImageOps.expand(x, border=border, fill=_colour(x, fill))
    left, top, right, bottom = border
    if min(border) < 0:
        cut = max(-left, 0), max(-top, 0), x.width - max(-right, 0), x.height - max(-bottom, 0)
        x = x.crop(cut)
        left, top, right, bottom = (max(side, 0) for side in border)
    return _padded(x, ((top, bottom), (left, right)), mode)


def _padded(x, border, mode):
    import numpy
    from PIL import Image

    palette = x.getpalette() if x.mode == "P" else None
    pixels = numpy.asarray(x)
    border = (*border, (0, 0)) if pixels.ndim == 3 else border
    made = Image.fromarray(numpy.pad(pixels, border, mode))
    if palette is not None:
        made = made.convert("P") if made.mode != "P" else made
        made.putpalette(palette)
    return made


def _colour(x, fill):
    """One number for all channels, or a number for each."""
    count = channels(x)
    if isinstance(fill, (tuple, list)):
        if len(fill) not in (1, count):
            raise ValueError(
                f"The number of elements in 'fill' does not match the number of channels of the "
                f"image ({len(fill)} != {count})"
            )
        fill = tuple(fill) * (count if len(fill) == 1 else 1)
        return fill if count > 1 else fill[0]
    return (fill,) * count if count > 1 else fill


def hflip(x):
    """Left and right exchanged."""
    return x.transpose(0)


def vflip(x):
    """Top and bottom exchanged."""
    return x.transpose(1)


def resize(x, height, width, mode, antialias):
    """Another size; Pillow always smoothes."""
    return x.resize((width, height), PILLOW[mode])


def rotate(x, angle, mode, expand, center, fill):
    """Turned counter-clockwise by so many degrees."""
    colour = None if fill is None else _colour(x, fill)
    if x.mode != "F" and colour is not None:
        colour = tuple(map(int, colour)) if isinstance(colour, tuple) else int(colour)
    return x.rotate(angle, PILLOW[mode], expand, center, fillcolor=colour)
