"""Pillow, which reads and writes files of pictures. It is imported when it is first needed."""

_DEEP = ("I", "I;16", "I;16B", "I;16L", "F")  # elements of more than 8 bits


def pillow(error=ImportError):
    """PIL.Image; `error` is the class of what is raised where it is not installed."""
    try:
        from PIL import Image
    except ImportError:
        raise error(
            "reading and writing pictures needs the package Pillow, which is not installed: "
            "pip install Pillow"
        ) from None
    return Image


def own_mode(picture):
    """The mode that has all a picture has: grey, colours, or colours with opacity."""
    if picture.mode in ("1", "L", "LA"):
        return "L"
    return "RGBA" if "A" in picture.mode or "transparency" in picture.info else "RGB"


def eight_bits(picture):
    """A picture with the upper 8 of 16 bits; others as they are."""
    if picture.mode not in _DEEP:
        return picture
    import numpy

    pixels = numpy.asarray(picture)
    return pillow().fromarray((pixels / 256).clip(0, 255).astype("uint8"))
