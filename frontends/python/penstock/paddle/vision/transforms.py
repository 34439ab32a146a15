"""paddle.vision.transforms: what is done to pictures of Pillow's and arrays (H, W, C)."""

import random

from ..._pictures.parts import drawn_size, middle
from .. import _missing

__all__ = (
    "CenterCrop Compose Normalize RandomCrop RandomHorizontalFlip RandomResizedCrop "
    "RandomVerticalFlip Resize ToTensor Transpose center_crop crop hflip normalize resize "
    "to_tensor vflip"
).split()

_MODES = {"nearest": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3, "box": 4, "hamming": 5}


def _picture(img):
    """A picture of Pillow's, also of an array."""
    from ..._pictures.pillow import pillow

    if isinstance(img, pillow().Image):
        return img
    import numpy

    pixels = numpy.asarray(img)
    one = pixels.ndim == 3 and pixels.shape[2] == 1
    return pillow().fromarray(pixels[:, :, 0] if one else pixels)


def _like(made, img):
    """A picture in the form of what was given."""
    import numpy

    if not isinstance(img, numpy.ndarray):
        return made
    pixels = numpy.asarray(made)
    return pixels[:, :, None] if img.ndim == 3 and pixels.ndim == 2 else pixels


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
    """A part of a picture."""
    return _like(_picture(img).crop((left, top, left + width, top + height)), img)


def center_crop(img, output_size):
    """The part in the middle."""
    high, wide = (output_size,) * 2 if isinstance(output_size, int) else output_size
    width, height = _picture(img).size
    top, left = int(round((height - high) / 2.0)), int(round((width - wide) / 2.0))
    return crop(img, top, left, high, wide)


def hflip(img):
    """Left and right exchanged."""
    return _like(_picture(img).transpose(0), img)


def vflip(img):
    """Top and bottom exchanged."""
    return _like(_picture(img).transpose(1), img)


def normalize(img, mean, std, data_format="CHW", to_rgb=False):
    """(x - mean) / std for each channel, of a tensor or an array."""
    import numpy

    from .._create import to_tensor as made
    from .._tensor import Tensor

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


class _Transform:
    """A transform of a picture."""

    def __init__(self, keys=None):
        self.keys = keys

    def __call__(self, img):
        return self._apply_image(img)


class ToTensor(_Transform):
    """A picture as a tensor."""

    def __init__(self, data_format="CHW", keys=None):
        super().__init__(keys)
        self.data_format = data_format

    def _apply_image(self, img):
        return to_tensor(img, self.data_format)


class Resize(_Transform):
    """Another size."""

    def __init__(self, size, interpolation="bilinear", keys=None):
        super().__init__(keys)
        self.size, self.interpolation = size, interpolation

    def _apply_image(self, img):
        return resize(img, self.size, self.interpolation)


class CenterCrop(_Transform):
    """The part in the middle."""

    def __init__(self, size, keys=None):
        super().__init__(keys)
        self.size = size

    def _apply_image(self, img):
        return center_crop(img, self.size)


class Normalize(_Transform):
    """(x - mean) / std for each channel."""

    def __init__(self, mean=0.0, std=1.0, data_format="CHW", to_rgb=False, keys=None):
        super().__init__(keys)
        given = ([one] * 3 if isinstance(one, (int, float)) else one for one in (mean, std))
        self.mean, self.std = given
        self.data_format = data_format

    def _apply_image(self, img):
        return normalize(img, self.mean, self.std, self.data_format)


class _Flip(_Transform):
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


class RandomCrop(_Transform):
    """A part of a picture, anywhere in it."""

    def __init__(
        self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant", keys=None
    ):
        super().__init__(keys)
        if padding is not None or pad_if_needed:
            raise NotImplementedError("RandomCrop: padding and pad_if_needed are not here")
        self.size = (size, size) if isinstance(size, int) else tuple(size)

    def _apply_image(self, img):
        (width, height), (high, wide) = _picture(img).size, self.size
        if high > height or wide > width:
            raise ValueError(f"RandomCrop: {self.size} is larger than {(height, width)}")
        top, left = random.randint(0, height - high), random.randint(0, width - wide)
        return crop(img, top, left, high, wide)


class RandomResizedCrop(_Transform):
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
        part = crop(img, *self._place(*_picture(img).size))
        return resize(part, self.size, self.interpolation)


class Transpose(_Transform):
    """The dimensions of an array in another order."""

    def __init__(self, order=(2, 0, 1), keys=None):
        super().__init__(keys)
        self.order = order

    def _apply_image(self, img):
        import numpy

        pixels = numpy.asarray(img)
        return (pixels[:, :, None] if pixels.ndim == 2 else pixels).transpose(self.order)


__getattr__ = _missing.missing("paddle.vision.transforms")
