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
        raise RuntimeError(f"decode_image: this is not a picture that can be read: {error}") from None


def _upright(picture):
    from PIL import ImageOps

    return ImageOps.exif_transpose(picture)


def _tensor(picture, mode):
    import numpy

    from ..._pictures.pillow import eight_bits
    from ...torch import from_numpy

    wanted = _MODES.get(mode) or _own_mode(picture)
    if wanted != picture.mode and not wanted.startswith("I;16"):
        picture = eight_bits(picture).convert(wanted)
    pixels = numpy.asarray(picture)
    pixels = pixels[:, :, None] if pixels.ndim == 2 else pixels
    if pixels.dtype.byteorder == ">":
        pixels = pixels.astype(pixels.dtype.newbyteorder("<"))
    return from_numpy(numpy.ascontiguousarray(pixels.transpose(2, 0, 1)))


def _own_mode(picture):
    """What has all that a picture has; colours of a palette are colours."""
    if picture.mode in ("L", "LA", "RGB", "RGBA") or picture.mode.startswith("I;16"):
        return picture.mode
    if picture.mode == "1":
        return "L"
    return "RGBA" if "A" in picture.mode or "transparency" in picture.info else "RGB"


__getattr__ = _missing.missing("torchvision.io.image")
