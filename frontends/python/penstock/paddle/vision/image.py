"""paddle.vision.image: pictures of files."""

from .. import _missing
from ._images import get_image_backend, image_load, set_image_backend

__all__ = ["get_image_backend", "image_load", "set_image_backend"]

__getattr__ = _missing.missing("paddle.vision.image")
