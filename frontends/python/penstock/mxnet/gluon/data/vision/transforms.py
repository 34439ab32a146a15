"""mx.gluon.data.vision.transforms: blocks that change pictures (height, width, channels)."""

import random

from .... import image
from ...._missing import missing
from ...._mode import mode
from ....ndarray import image as _nd_image
from ....numpy_extension import image as _npx_image
from ....util import is_np_array  # noqa: F401
from ...block import Block, HybridBlock
from ...nn import HybridSequential, Sequential

__all__ = [
    *("Cast", "CenterCrop", "Compose", "CropResize", "Normalize", "RandomApply"),
    *("RandomBrightness", "RandomColorJitter", "RandomContrast", "RandomFlipLeftRight"),
    *("RandomFlipTopBottom", "RandomHue", "RandomLighting", "RandomResizedCrop"),
    *("RandomRotation", "RandomSaturation", "Resize", "Rotate", "ToTensor"),
]


def _functions():
    """The functions of pictures of this thread's mode."""
    return _npx_image if mode.array else _nd_image


def _both(size):
    return (size, size) if isinstance(size, int) else size


class Compose(Sequential):
    """Transforms one behind the other; those in a row that can be hybridized are, together."""

    def __init__(self, transforms):
        super().__init__()
        row = []
        for transform in [*transforms, None]:
            if isinstance(transform, HybridBlock):
                row.append(transform)
                continue
            if row:
                self.add(row[0] if len(row) == 1 else _hybridized(row))
                row = []
            if transform is not None:
                self.add(transform)


def _hybridized(transforms):
    together = HybridSequential()
    together.add(*transforms)
    together.hybridize()
    return together


class RandomApply(Sequential):
    """A transform, with a probability."""

    def __init__(self, transforms, p=0.5):
        super().__init__()
        self.transforms = transforms
        self.p = p

    def forward(self, x):
        if self.p < random.random():
            return x
        if isinstance(self.transforms, (list, tuple)):
            for transform in self.transforms:
                x = transform(x)
            return x
        return self.transforms(x)


# ---- Numbers -------------------------------------------------------------------------------------


class Cast(HybridBlock):
    """Another element type."""

    def __init__(self, dtype="float32"):
        super().__init__()
        self._dtype = dtype

    def hybrid_forward(self, F, x):
        return x.astype(self._dtype)


class ToTensor(HybridBlock):
    """Numbers from 0 to 255 as float32 from 0 to 1, channels first."""

    def hybrid_forward(self, F, x):
        return _functions().to_tensor(x)


class Normalize(HybridBlock):
    """(x - mean) / std for each channel, which is the first dimension of a picture."""

    def __init__(self, mean=0.0, std=1.0):
        super().__init__()
        self._mean = mean
        self._std = std

    def hybrid_forward(self, F, x):
        return _functions().normalize(x, self._mean, self._std)


# ---- Sizes and parts -----------------------------------------------------------------------------


class Resize(HybridBlock):
    """Another size: (width, height), or one number for both, or for the shorter one."""

    def __init__(self, size, keep_ratio=False, interpolation=1):
        super().__init__()
        self._keep = keep_ratio
        self._size = size
        self._interpolation = interpolation

    def hybrid_forward(self, F, x):
        return _functions().resize(x, self._size, self._keep, self._interpolation)


class CenterCrop(Block):
    """The part in the middle, of a size (width, height)."""

    def __init__(self, size, interpolation=1):
        super().__init__()
        self._args = (_both(size), interpolation)

    def forward(self, x):
        return image.center_crop(x, *self._args)[0]


class CropResize(HybridBlock):
    """The part at column x and row y; of another size if one is given."""

    def __init__(self, x, y, width, height, size=None, interpolation=None):
        super().__init__()
        self._x, self._y = x, y
        self._width, self._height = width, height
        self._size = size
        self._interpolation = interpolation

    def hybrid_forward(self, F, x):
        functions = _functions()
        part = functions.crop(x, self._x, self._y, self._width, self._height)
        if not self._size:
            return part
        interp = 1 if self._interpolation is None else self._interpolation
        return functions.resize(part, self._size, False, interp)


class RandomResizedCrop(Block):
    """A part of random area and ratio of its sides, in a size (width, height)."""

    def __init__(self, size, scale=(0.08, 1.0), ratio=(3.0 / 4.0, 4.0 / 3.0), interpolation=1):
        super().__init__()
        self._args = (_both(size), scale, ratio, interpolation)

    def forward(self, x):
        return image.random_size_crop(x, *self._args)[0]


class RandomFlipLeftRight(HybridBlock):
    """Left and right exchanged, in half of the cases."""

    def hybrid_forward(self, F, x):
        return _functions().random_flip_left_right(x)


class RandomFlipTopBottom(HybridBlock):
    """Top and bottom exchanged, in half of the cases."""

    def hybrid_forward(self, F, x):
        return _functions().random_flip_top_bottom(x)


# ---- Turning -------------------------------------------------------------------------------------


class Rotate(Block):
    """Pictures (channels, height, width) of float32 turned by an angle."""

    def __init__(self, rotation_degrees, zoom_in=False, zoom_out=False):
        super().__init__()
        self._args = (rotation_degrees, zoom_in, zoom_out)

    def forward(self, x):
        _check_float(x)
        return image.imrotate(x, *self._args)


class RandomRotation(Block):
    """Pictures (channels, height, width) of float32 turned by an angle between two limits."""

    def __init__(self, angle_limits, zoom_in=False, zoom_out=False, rotate_with_proba=1.0):
        super().__init__()
        lower, upper = angle_limits
        if lower >= upper:
            raise ValueError(f"angle_limits are a lower and a higher angle, not {angle_limits}")
        if not 0 <= rotate_with_proba <= 1:
            raise ValueError(f"rotate_with_proba must be from 0 to 1, not {rotate_with_proba}")
        self._args = (angle_limits, zoom_in, zoom_out)
        self._rotate_with_proba = rotate_with_proba

    def forward(self, x):
        import numpy

        if numpy.random.random() > self._rotate_with_proba:
            return x
        _check_float(x)
        return image.random_rotate(x, *self._args)


def _check_float(x):
    if x.dtype != "float32" and getattr(x.dtype, "__name__", None) != "float32":
        raise TypeError(
            f"rotations are for pictures of float32, not {x.dtype}: put ToTensor before them"
        )


# ---- Colours -------------------------------------------------------------------------------------


class _Factor(HybridBlock):
    """A change by a factor of [max(0, 1 - amount), 1 + amount]."""

    _function = None

    def __init__(self, amount):
        super().__init__()
        self._args = (max(0, 1 - amount), 1 + amount)

    def hybrid_forward(self, F, x):
        return getattr(_functions(), self._function)(x, *self._args)


class RandomBrightness(_Factor):
    """Brightness changed by a factor of [max(0, 1 - brightness), 1 + brightness]."""

    _function = "random_brightness"

    def __init__(self, brightness):
        super().__init__(brightness)


class RandomContrast(_Factor):
    """Contrast changed by a factor of [max(0, 1 - contrast), 1 + contrast]."""

    _function = "random_contrast"

    def __init__(self, contrast):
        super().__init__(contrast)


class RandomSaturation(_Factor):
    """Saturation changed by a factor of [max(0, 1 - saturation), 1 + saturation]."""

    _function = "random_saturation"

    def __init__(self, saturation):
        super().__init__(saturation)


class RandomHue(_Factor):
    """Hues turned by a part of [max(0, 1 - hue), 1 + hue] full circles."""

    _function = "random_hue"

    def __init__(self, hue):
        super().__init__(hue)


class RandomColorJitter(HybridBlock):
    """Brightness, contrast, saturation and hue changed, in random order."""

    def __init__(self, brightness=0, contrast=0, saturation=0, hue=0):
        super().__init__()
        self._args = (brightness, contrast, saturation, hue)

    def hybrid_forward(self, F, x):
        return _functions().random_color_jitter(x, *self._args)


class RandomLighting(HybridBlock):
    """The colours of light added, by the principal components of natural pictures."""

    def __init__(self, alpha):
        super().__init__()
        self._alpha = alpha

    def hybrid_forward(self, F, x):
        return _functions().random_lighting(x, self._alpha)


for _name in __all__:
    globals()[_name].__module__ = "mxnet.gluon.data.vision.transforms"
del _name

__getattr__ = missing("mxnet.gluon.data.vision.transforms")
