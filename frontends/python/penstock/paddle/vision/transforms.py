"""paddle.vision.transforms: what is done to pictures of Pillow's and arrays (H, W, C)."""

import random

from ..._pictures.parts import drawn_size, middle
from .. import _missing
from .._tensor import Tensor
from ._colours import (
    BrightnessTransform,
    ColorJitter,
    ContrastTransform,
    Grayscale,
    HueTransform,
    SaturationTransform,
    adjust_brightness,
    adjust_contrast,
    adjust_hue,
    to_grayscale,
)
from ._forms import BaseTransform, is_array
from ._forms import like as _like
from ._forms import picture as _picture
from ._forms import size as _size

__all__ = [
    *("BaseTransform", "BrightnessTransform", "CenterCrop", "ColorJitter", "Compose"),
    *("ContrastTransform", "Grayscale", "HueTransform", "Normalize", "RandomCrop"),
    *("RandomHorizontalFlip", "RandomResizedCrop", "RandomVerticalFlip", "Resize"),
    *("SaturationTransform", "ToTensor", "Transpose", "adjust_brightness", "adjust_contrast"),
    *("adjust_hue", "center_crop", "crop", "hflip", "normalize", "resize", "to_grayscale"),
    *("to_tensor", "vflip"),
]

_MODES = {"nearest": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3, "box": 4, "hamming": 5}


def to_tensor(pic, data_format="CHW"):
    """A picture as a tensor (channels, H, W) of float32, from 0 to 1 where it has bytes."""
    import numpy

    from .._create import to_tensor as made

    pixels = numpy.asarray(pic)
    if pixels.ndim == 2:
        pixels = pixels[:, :, None]
    pixels = pixels.transpose(2, 0, 1) if data_format == "CHW" else pixels
    scale = 255.0 if pixels.dtype == "uint8" else 1.0
    return made(numpy.ascontiguousarray(pixels.astype("float32") / numpy.float32(scale)))


def resize(img, size, interpolation="bilinear"):
    """Another size: (height, width), or one length for the shorter side."""
    picture = _picture(img)
    if isinstance(size, int):
        wide, high = picture.size
        if wide <= high:
            wide, high = size, int(size * high / wide)
        else:
            wide, high = int(size * wide / high), size
    else:
        high, wide = size
    return _like(picture.resize((wide, high), _MODES[interpolation]), img)


def crop(img, top, left, height, width):
    """A part of a picture; an array or a tensor ends where it ends."""
    rows, columns = slice(top, top + height), slice(left, left + width)
    if isinstance(img, Tensor):
        return img[..., rows, columns]
    if is_array(img):
        return img[rows, columns]
    return _picture(img).crop((left, top, left + width, top + height))


def center_crop(img, output_size):
    """The part in the middle."""
    high, wide = (output_size,) * 2 if isinstance(output_size, int) else output_size
    width, height = _size(img)
    top, left = int(round((height - high) / 2.0)), int(round((width - wide) / 2.0))
    return crop(img, top, left, high, wide)


def hflip(img):
    """Left and right exchanged."""
    if isinstance(img, Tensor):
        return img.flip([-1])
    return _like(_picture(img).transpose(0), img)


def vflip(img):
    """Top and bottom exchanged."""
    if isinstance(img, Tensor):
        return img.flip([-2])
    return _like(_picture(img).transpose(1), img)


def normalize(img, mean, std, data_format="CHW", to_rgb=False):
    """(x - mean) / std for each channel, of a tensor or an array."""
    import numpy

    from .._create import to_tensor as made

    shape = [-1, 1, 1] if data_format == "CHW" else [1, 1, -1]
    mean, std = (numpy.asarray(one, "float32").reshape(shape) for one in (mean, std))
    if isinstance(img, Tensor):
        return (img - made(mean)) / made(std)
    return (numpy.asarray(img, "float32") - mean) / std


class Compose:
    """One transform after the other."""

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, data):
        for one in self.transforms:
            data = one(data)
        return data


class ToTensor(BaseTransform):
    """A picture as a tensor."""

    def __init__(self, data_format="CHW", keys=None):
        super().__init__(keys)
        self.data_format = data_format

    def _apply_image(self, img):
        return to_tensor(img, self.data_format)


class Resize(BaseTransform):
    """Another size."""

    def __init__(self, size, interpolation="bilinear", keys=None):
        super().__init__(keys)
        self.size, self.interpolation = size, interpolation

    def _apply_image(self, img):
        return resize(img, self.size, self.interpolation)


class CenterCrop(BaseTransform):
    """The part in the middle."""

    def __init__(self, size, keys=None):
        super().__init__(keys)
        self.size = size

    def _apply_image(self, img):
        return center_crop(img, self.size)


class Normalize(BaseTransform):
    """(x - mean) / std for each channel."""

    def __init__(self, mean=0.0, std=1.0, data_format="CHW", to_rgb=False, keys=None):
        super().__init__(keys)
        given = ([one] * 3 if isinstance(one, (int, float)) else one for one in (mean, std))
        self.mean, self.std = given
        self.data_format = data_format

    def _apply_image(self, img):
        return normalize(img, self.mean, self.std, self.data_format)


class _Flip(BaseTransform):
    def __init__(self, prob=0.5, keys=None):
        super().__init__(keys)
        if not 0 <= prob <= 1:
            raise AssertionError("probability must be between 0 and 1")
        self.prob = prob

    def _apply_image(self, img):
        return self._flip(img) if random.random() < self.prob else img


class RandomHorizontalFlip(_Flip):
    """Left and right exchanged, with a probability."""

    _flip = staticmethod(hflip)


class RandomVerticalFlip(_Flip):
    """Top and bottom exchanged, with a probability."""

    _flip = staticmethod(vflip)


class RandomCrop(BaseTransform):
    """A part of a picture, anywhere in it."""

    def __init__(
        self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant", keys=None
    ):
        super().__init__(keys)
        if padding is not None or pad_if_needed:
            raise NotImplementedError("RandomCrop: padding and pad_if_needed are not here")
        self.size = (size, size) if isinstance(size, int) else tuple(size)

    def _get_param(self, img, output_size):
        """Top, left, height and width of a part of that size."""
        (width, height), (high, wide) = _size(img), output_size
        if high > height or wide > width:
            raise ValueError(f"RandomCrop: {tuple(output_size)} is larger than {(height, width)}")
        return random.randint(0, height - high), random.randint(0, width - wide), high, wide

    def _apply_image(self, img):
        return crop(img, *self._get_param(img, self.size))


class RandomResizedCrop(BaseTransform):
    """A part of some area and shape, in another size."""

    def __init__(
        self, size, scale=(0.08, 1.0), ratio=(3.0 / 4, 4.0 / 3), interpolation="bilinear", keys=None
    ):
        super().__init__(keys)
        self.size = (size, size) if isinstance(size, int) else tuple(size)
        self.scale, self.ratio, self.interpolation = scale, ratio, interpolation

    def _place(self, width, height):
        size = drawn_size(height, width, self.scale, self.ratio, random.uniform)
        if size is None:
            return middle(height, width, self.ratio)
        tall, wide = size
        return random.randint(0, height - tall), random.randint(0, width - wide), tall, wide

    def _apply_image(self, img):
        part = crop(img, *self._place(*_size(img)))
        return resize(part, self.size, self.interpolation)


class Transpose(BaseTransform):
    """The dimensions of an array in another order."""

    def __init__(self, order=(2, 0, 1), keys=None):
        super().__init__(keys)
        self.order = order

    def _apply_image(self, img):
        import numpy

        pixels = numpy.asarray(img)
        return (pixels[:, :, None] if pixels.ndim == 2 else pixels).transpose(self.order)


__getattr__ = _missing.missing("paddle.vision.transforms")
