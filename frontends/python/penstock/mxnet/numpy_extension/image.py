"""mx.npx.image: images are not built; each function says so when it is called."""

from .._missing import missing
from .._unbuilt import not_built as _not_built

__all__ = [
    *("adjust_lighting", "crop", "flip_left_right", "flip_top_bottom", "normalize"),
    *("random_brightness", "random_color_jitter", "random_contrast", "random_flip_left_right"),
    *("random_flip_top_bottom", "random_hue", "random_lighting", "random_saturation", "resize"),
    "to_tensor",
]


globals().update((name, _not_built(f"mxnet.npx.image.{name}")) for name in __all__)


def __dir__():
    return __all__


__getattr__ = missing("mxnet.npx.image")
