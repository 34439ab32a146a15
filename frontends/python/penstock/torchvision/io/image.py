"""torchvision.io.image: pictures of files as tensors of uint8, (channels, height, width)."""

from enum import Enum

from .. import _missing


class ImageReadMode(Enum):
    """Which channels a picture is read with."""

    UNCHANGED = 0
    GRAY = 1
    GRAY_ALPHA = 2
    RGB = 3
    RGB_ALPHA = 4


_MODES = {
    ImageReadMode.GRAY: "L",
    ImageReadMode.GRAY_ALPHA: "LA",
    ImageReadMode.RGB: "RGB",
    ImageReadMode.RGB_ALPHA: "RGBA",
}


def read_file(path):
    """The bytes of a file as a tensor of one dimension."""
    from ...torch import uint8
    from ...torch._storages import tensor_of

    return tensor_of(_content(path), uint8)


def _content(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise RuntimeError(f"[Errno {error.errno}] {error.strerror}: {str(path)!r}") from None


def read_image(path, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    """The picture of a file.

    >>> from penstock import torchvision
    >>> torchvision.io.read_image("cat.jpg").shape  # doctest: +SKIP
    torch.Size([3, 400, 500])
    """
    return _decoded(_content(path), mode, apply_exif_orientation)


def decode_image(input, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    """The picture whose file is a tensor of bytes. Waits for them."""
    from ...torch import Tensor, uint8

    if not isinstance(input, Tensor):
        return read_image(input, mode, apply_exif_orientation)
    if input.dtype is not uint8 or input.ndim != 1:
        raise RuntimeError(
            f"decode_image: the bytes of a file are uint8 in one dimension, not {input.dtype} of "
            f"shape {list(input.shape)}"
        )
    return _decoded(input.numpy().tobytes(), mode, apply_exif_orientation)


def _decoded(data, mode, turn):
    from io import BytesIO

    from ..._pictures.pillow import pillow

    mode = ImageReadMode[mode.upper()] if isinstance(mode, str) else ImageReadMode(mode)
    image = pillow()
    try:
        with image.open(BytesIO(data)) as picture:
            if mode is ImageReadMode.GRAY:
                picture.draft("L", None)  # the brightness that JPEG stores, as it is
            return _tensor(_upright(picture) if turn else picture, mode)
    except (OSError, SyntaxError, ValueError, image.DecompressionBombError) as error:
        raise RuntimeError(f"decode_image: this is not a picture that is read: {error}") from None


def _upright(picture):
    from PIL import ImageOps

    return ImageOps.exif_transpose(picture)


def _tensor(picture, mode):
    import numpy

    from ...torch import from_numpy

    pixels = _pixels(picture, mode)
    pixels = pixels[:, :, None] if pixels.ndim == 2 else pixels
    return from_numpy(numpy.ascontiguousarray(pixels.transpose(2, 0, 1)))


_ALPHA = (ImageReadMode.GRAY_ALPHA, ImageReadMode.RGB_ALPHA)


def _pixels(picture, mode):
    """The picture as an array, with the channels of a mode."""
    import numpy

    if picture.format == "JPEG" and mode in _ALPHA:
        raise ValueError(f"JPEG has no opacity, which {mode} asks for")
    if picture.mode.startswith("I"):
        return _deep(numpy.asarray(picture), mode)
    if mode is ImageReadMode.UNCHANGED:
        return _unchanged(picture)
    wanted = _MODES[mode]
    if picture.format == "PNG" and wanted in ("L", "LA") and picture.mode not in ("1", "L", "LA"):
        return _grey(picture, wanted)
    return numpy.asarray(picture if picture.mode == wanted else picture.convert(wanted))


def _unchanged(picture):
    """As the file has it: numbers of a palette, inks as they are stored."""
    import numpy

    if picture.mode == "1":
        picture = picture.convert("L")
    pixels = numpy.asarray(picture)
    return 255 - pixels if picture.mode == "CMYK" and "adobe" in picture.info else pixels


def _grey(picture, wanted):
    """The brightness of a PNG file's colours, rounded down."""
    import numpy

    pixels = numpy.asarray(picture.convert("RGBA"))
    made = (pixels[:, :, :3].astype("int32") @ numpy.array([9794, 19234, 3740])) >> 15
    made = made.astype("uint8")
    return made if wanted == "L" else numpy.stack([made, pixels[:, :, 3]], 2)


def _deep(pixels, mode):
    """16 bits of brightness stay 16 bits, as all the channels of a mode."""
    import numpy

    pixels = pixels.astype("uint16")
    full = numpy.full_like(pixels, 65535)
    wanted = _MODES.get(mode, "L")
    channels = [pixels] * (3 if "RGB" in wanted else 1) + [full] * ("A" in wanted)
    return numpy.stack(channels, 2)


__getattr__ = _missing.missing("torchvision.io.image")
