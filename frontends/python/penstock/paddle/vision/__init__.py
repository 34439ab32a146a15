"""paddle.vision: pictures, from local files, and what is done to them before training."""

from .. import _missing
from . import datasets, image, transforms
from ._images import get_image_backend, image_load, set_image_backend

__all__ = "datasets get_image_backend image image_load set_image_backend transforms".split()

__getattr__ = _missing.missing("paddle.vision")
