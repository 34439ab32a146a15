"""How pixels between pixels are computed."""

from enum import Enum


class InterpolationMode(Enum):
    """Ways to compute a pixel that lies between others."""

    NEAREST = "nearest"
    NEAREST_EXACT = "nearest-exact"
    BILINEAR = "bilinear"
    BICUBIC = "bicubic"
    BOX = "box"
    HAMMING = "hamming"
    LANCZOS = "lanczos"


# Pillow's numbers.
PILLOW = {
    InterpolationMode.NEAREST: 0,
    InterpolationMode.NEAREST_EXACT: 0,
    InterpolationMode.LANCZOS: 1,
    InterpolationMode.BILINEAR: 2,
    InterpolationMode.BICUBIC: 3,
    InterpolationMode.BOX: 4,
    InterpolationMode.HAMMING: 5,
}
_BY_NUMBER = {number: mode for mode, number in PILLOW.items() if mode.name != "NEAREST_EXACT"}


def checked(mode):
    """A mode, also given as Pillow's number for it."""
    if isinstance(mode, int):
        mode = _BY_NUMBER.get(mode, mode)
    if not isinstance(mode, InterpolationMode):
        raise TypeError(
            "Argument interpolation should be an InterpolationMode or a number of Pillow's, not "
            f"{mode!r}"
        )
    return mode
