"""Colours of pictures that are Pillow's."""


def grey(x, outputs=1):
    """The brightness as one channel, or as three alike."""
    if outputs not in (1, 3):
        raise ValueError("num_output_channels should be either 1 or 3")
    made = x.convert("L")
    if outputs == 1:
        return made
    from PIL import Image

    return Image.merge("RGB", (made, made, made))


def _enhanced(name, x, factor):
    from PIL import ImageEnhance

    return getattr(ImageEnhance, name)(x).enhance(factor)


def brightness(x, factor):
    """Brighter or darker: 0 is black, 1 is as it was."""
    return _enhanced("Brightness", x, factor)


def contrast(x, factor):
    """More contrast or less: 0 is grey, 1 is as it was."""
    return _enhanced("Contrast", x, factor)


def saturation(x, factor):
    """More colour or less: 0 is without, 1 is as it was."""
    return _enhanced("Color", x, factor)


def hue(x, factor):
    """Every hue turned by so many full circles."""
    if x.mode in ("L", "1", "I", "F"):
        return x
    from PIL import Image

    turns = int(factor * 255) % 256
    hues, *others = x.convert("HSV").split()
    hues = hues.point([(one + turns) % 256 for one in range(256)])
    return Image.merge("HSV", (hues, *others)).convert(x.mode)


def gamma(x, power, gain):
    """gain * x ** power, with white as 1."""
    table = [int(255.999 * gain * (one / 255) ** power) for one in range(256)] * 3
    table = [min(max(one, 0), 255) for one in table]
    return x.convert("RGB").point(table).convert(x.mode)
