"""Pictures in files, by Pillow: compressed bytes to arrays of NumPy, and back.

Arrays are of uint8: (height, width) for grey, else (height, width, channels).
"""

from .._pictures.pillow import eight_bits, own_mode, pillow
from .base import MXNetError, MXNetTypeError, MXNetValueError

_FORMATS = {".jpg": "JPEG", ".jpeg": "JPEG", ".png": "PNG"}


def _pillow():
    return pillow(MXNetError)


def decoded(data, flag=1, rgb=True):
    """The picture that bytes are: flag 1 for colours, 0 for grey, -1 for what it has."""
    if not data:
        raise MXNetValueError("imdecode: there are no bytes to decode")
    from io import BytesIO

    image = _pillow()
    try:
        with image.open(BytesIO(data)) as picture:
            if flag == 0:
                picture.draft("L", None)  # the brightness that JPEG stores, as it is
            return _pixels(picture, flag, rgb)
    except (OSError, SyntaxError, ValueError, image.DecompressionBombError) as error:
        raise MXNetError(f"Decoding failed. Invalid image file: {error}") from None


def _pixels(picture, flag, rgb):
    import numpy

    picture = eight_bits(picture)
    wanted = "L" if flag == 0 else "RGB" if flag > 0 else own_mode(picture)
    pixels = numpy.array(picture if picture.mode == wanted else picture.convert(wanted))
    if pixels.ndim == 3 and not rgb:  # a fourth channel, opacity, stays where it is
        pixels[:, :, :3] = pixels[:, :, 2::-1].copy()
    return pixels


def encoded(pixels, quality, extension):
    """An array (blue, green, red, or grey) as the bytes of a picture file of this kind."""
    import numpy

    image = _pillow()
    pixels = numpy.asarray(pixels)
    if pixels.dtype != "uint8":
        raise MXNetTypeError(f"pack_img: a picture is of uint8, not {pixels.dtype}")
    if pixels.ndim == 3 and pixels.shape[2] == 1:
        pixels = pixels[:, :, 0]
    if pixels.ndim != 2 and (pixels.ndim != 3 or pixels.shape[2] not in (3, 4)):
        raise MXNetValueError(f"pack_img: no picture has shape {pixels.shape}")
    if pixels.ndim == 3:
        pixels = pixels[:, :, [2, 1, 0, 3][: pixels.shape[2]]]
    return _written(image.fromarray(pixels), quality, extension.lower())


def _written(picture, quality, extension):
    from io import BytesIO

    kind = _FORMATS.get(extension) or _pillow().registered_extensions().get(extension)
    if kind is None:
        raise MXNetValueError(f"pack_img: no kind of picture is called {extension!r}")
    if kind == "JPEG" and picture.mode == "RGBA":
        picture = picture.convert("RGB")
    options = {"JPEG": {"quality": quality}, "PNG": {"compress_level": quality}}.get(kind, {})
    if kind == "PNG" and not 0 <= quality <= 9:
        options = {}
    file = BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()
