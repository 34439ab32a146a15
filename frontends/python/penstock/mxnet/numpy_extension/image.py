"""mx.npx.image: images are not built; each function says so when it is called."""

from .._missing import missing
from ..base import NotBuiltError

__all__ = [
    *("adjust_lighting", "crop", "flip_left_right", "flip_top_bottom", "normalize"),
    *("random_brightness", "random_color_jitter", "random_contrast", "random_flip_left_right"),
    *("random_flip_top_bottom", "random_hue", "random_lighting", "random_saturation", "resize"),
    "to_tensor",
]


def not_built(name, module="mxnet.npx"):
    """A function that says, when it is called, that it is not built."""

    def function(*args, **kwargs):
        raise NotBuiltError(f"{module}.{name} is not built; see docs/mxnet.md")

    function.__name__ = function.__qualname__ = name
    function.__module__ = module.replace("npx", "numpy_extension")
    function.__doc__ = "Not built: raises."
    return function


globals().update((name, not_built(name, "mxnet.npx.image")) for name in __all__)


def __dir__():
    return __all__


__getattr__ = missing("mxnet.npx.image")
