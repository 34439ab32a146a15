"""paddle.vision: pictures, from local files, and what is done to them before training."""

from .. import _missing
from . import datasets, image, transforms
from ._images import get_image_backend, image_load, set_image_backend

__all__ = (
    "datasets get_image_backend image image_load models ops set_image_backend transforms"
).split()

_LATER = ("models", "ops")  # loaded when they are first touched
_not_here = _missing.missing("paddle.vision")


def __getattr__(name):
    if name in _LATER:
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    return _not_here(name)


def __dir__():
    return sorted({*globals(), *_LATER})
