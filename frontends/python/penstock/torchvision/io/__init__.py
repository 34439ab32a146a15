"""torchvision.io: pictures of files as tensors."""

from .. import _missing
from .image import ImageReadMode, decode_image, read_file, read_image

__all__ = ["ImageReadMode", "decode_image", "read_file", "read_image"]

__getattr__ = _missing.missing("torchvision.io")
