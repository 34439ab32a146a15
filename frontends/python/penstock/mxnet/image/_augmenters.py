"""Augmenters of mx.image: objects that change pictures (height, width, channels), some by luck.

What is random comes from Python's `random`, and the light from numpy.random, as in MXNet.
"""

import json
import random
from math import cos, pi, sin

from ... import _core
from .. import _dialects
from ._functions import (
    center_crop,
    color_normalize,
    imresize,
    interp_method,
    kind_of,
    made,
    random_crop,
    random_size_crop,
    resize_short,
)

__all__ = [
    *("Augmenter", "BrightnessJitterAug", "CastAug", "CenterCropAug", "ColorJitterAug"),
    *("ColorNormalizeAug", "ContrastJitterAug", "CreateAugmenter", "ForceResizeAug"),
    *("HorizontalFlipAug", "HueJitterAug", "LightingAug", "RandomCropAug", "RandomGrayAug"),
    *("RandomOrderAug", "RandomSizedCropAug", "ResizeAug", "SaturationJitterAug", "SequentialAug"),
]

_GREY = [[[0.299, 0.587, 0.114]]]


class Augmenter:
    """Something that changes a picture when it is called. Keywords are what `dumps` tells of it."""

    def __init__(self, **kwargs):
        self._kwargs = {name: plain(value) for name, value in kwargs.items()}

    def dumps(self):
        """Name and settings, as JSON."""
        return json.dumps([type(self).__name__.lower(), self._kwargs])

    def __call__(self, src):
        """The picture, changed."""
        raise NotImplementedError("Must override implementation.")


def plain(value):
    """An array as a list."""
    if isinstance(value, _core.ndarray):
        return value.asnumpy().tolist()
    return value.tolist() if hasattr(value, "tolist") else value


def _matrix(src, rows):
    """Each pixel's colours times a matrix."""
    return _dialects.call(kind_of(src), _core._ops["matmul"], src, made(rows, src, "float32"))


# ---- Several -------------------------------------------------------------------------------------


class SequentialAug(Augmenter):
    """Augmenters, one behind the other."""

    def __init__(self, ts):
        super().__init__()
        self.ts = ts

    def dumps(self):
        """Name and the texts of the augmenters."""
        return [type(self).__name__.lower(), [one.dumps() for one in self.ts]]

    def __call__(self, src):
        for one in self.ts:
            src = one(src)
        return src


class RandomOrderAug(Augmenter):
    """Augmenters in random order."""

    def __init__(self, ts):
        super().__init__()
        self.ts = ts

    dumps = SequentialAug.dumps

    def __call__(self, src):
        random.shuffle(self.ts)
        for one in self.ts:
            src = one(src)
        return src


# ---- Sizes and parts -----------------------------------------------------------------------------


class _SizeAug(Augmenter):
    """Of a size (width, height), or of the shorter side, with a rule of resizing."""

    def __init__(self, size, interp=2):
        super().__init__(size=size, interp=interp)
        self.size, self.interp = size, interp


class ResizeAug(_SizeAug):
    """The shorter side gets a length."""

    def __call__(self, src):
        return resize_short(src, self.size, self.interp)


class ForceResizeAug(_SizeAug):
    """The picture gets a size (width, height), whatever the ratio of its sides."""

    def __call__(self, src):
        sizes = src.shape[0], src.shape[1], self.size[1], self.size[0]
        return imresize(src, *self.size, interp_method(self.interp, sizes))


class RandomCropAug(_SizeAug):
    """A part of this size, somewhere."""

    def __call__(self, src):
        return random_crop(src, self.size, self.interp)[0]


class CenterCropAug(_SizeAug):
    """The part of this size in the middle."""

    def __call__(self, src):
        return center_crop(src, self.size, self.interp)[0]


class RandomSizedCropAug(Augmenter):
    """A part of random area and ratio of its sides, in this size."""

    def __init__(self, size, area, ratio, interp=2, **kwargs):
        super().__init__(size=size, area=area, ratio=ratio, interp=interp)
        self.size, self.area, self.ratio, self.interp = size, area, ratio, interp
        if "min_area" in kwargs:
            self.area = kwargs.pop("min_area")
        assert not kwargs, f"RandomSizedCropAug has no arguments {[*kwargs]}"

    def __call__(self, src):
        return random_size_crop(src, self.size, self.area, self.ratio, self.interp)[0]


class HorizontalFlipAug(Augmenter):
    """Left and right exchanged, with a probability."""

    def __init__(self, p):
        super().__init__(p=p)
        self.p = p

    def __call__(self, src):
        if random.random() < self.p:
            src = _dialects.copied(kind_of(src), _core._ops["flip"], src, 1)
        return src


# ---- Colours -------------------------------------------------------------------------------------


class CastAug(Augmenter):
    """Another element type."""

    def __init__(self, typ="float32"):
        super().__init__(type=typ)
        self.typ = typ

    def __call__(self, src):
        return src.astype(self.typ)


class BrightnessJitterAug(Augmenter):
    """Brightness changed by up to this share."""

    def __init__(self, brightness):
        super().__init__(brightness=brightness)
        self.brightness = brightness

    def __call__(self, src):
        src *= 1.0 + random.uniform(-self.brightness, self.brightness)
        return src


class ContrastJitterAug(Augmenter):
    """Contrast changed by up to this share."""

    def __init__(self, contrast):
        super().__init__(contrast=contrast)
        self.contrast = contrast

    def __call__(self, src):
        alpha = 1.0 + random.uniform(-self.contrast, self.contrast)
        grey = (src * made(_GREY, src, "float32")).sum() * (1.0 - alpha)
        src *= alpha
        src += grey * (3.0 / src.size)
        return src


class SaturationJitterAug(Augmenter):
    """Saturation changed by up to this share."""

    def __init__(self, saturation):
        super().__init__(saturation=saturation)
        self.saturation = saturation

    def __call__(self, src):
        alpha = 1.0 + random.uniform(-self.saturation, self.saturation)
        grey = (src * made(_GREY, src, "float32")).sum(axis=2, keepdims=True)
        src *= alpha
        src += grey * (1.0 - alpha)
        return src


class HueJitterAug(Augmenter):
    """Hues turned by up to this share of half a circle, in the colour space of NTSC."""

    _TO = [[0.299, 0.587, 0.114], [0.596, -0.274, -0.321], [0.211, -0.523, 0.311]]
    _FROM = [[1.0, 0.956, 0.621], [1.0, -0.272, -0.647], [1.0, -1.107, 1.705]]

    def __init__(self, hue):
        super().__init__(hue=hue)
        self.hue = hue

    def __call__(self, src):
        angle = random.uniform(-self.hue, self.hue) * pi
        turn = [[1.0, 0.0, 0.0], [0.0, cos(angle), -sin(angle)], [0.0, sin(angle), cos(angle)]]
        rows = _product(_product(self._FROM, turn), self._TO)
        return _matrix(src, list(map(list, zip(*rows))))


def _product(a, b):
    """The product of two small matrices."""
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


class ColorJitterAug(RandomOrderAug):
    """Brightness, contrast and saturation changed, in random order; those that are above 0."""

    def __init__(self, brightness, contrast, saturation):
        kinds = (
            (BrightnessJitterAug, brightness),
            (ContrastJitterAug, contrast),
            (SaturationJitterAug, saturation),
        )
        super().__init__([kind(share) for kind, share in kinds if share > 0])


class LightingAug(Augmenter):
    """The colours of light added, along principal axes."""

    def __init__(self, alphastd, eigval, eigvec):
        super().__init__(alphastd=alphastd, eigval=eigval, eigvec=eigvec)
        self.alphastd, self.eigval, self.eigvec = alphastd, eigval, eigvec

    def __call__(self, src):
        import numpy

        alpha = numpy.random.normal(0, self.alphastd, size=(3,))
        light = numpy.dot(numpy.asarray(self.eigvec) * alpha, numpy.asarray(self.eigval))
        src += made(light.tolist(), src, "float32")
        return src


class ColorNormalizeAug(Augmenter):
    """(src - mean) / std for each channel; None leaves that part out."""

    def __init__(self, mean, std):
        super().__init__(mean=mean, std=std)
        self.mean, self.std = _parameter(mean), _parameter(std)

    def __call__(self, src):
        cls = kind_of(src)
        mean, std = (one if one is None else one.as_subclass(cls) for one in (self.mean, self.std))
        return color_normalize(src, mean, std)


def _parameter(value):
    if value is None or isinstance(value, _core.ndarray):
        return value
    return made(plain(value), dtype="float32")


class RandomGrayAug(Augmenter):
    """Grey in all channels, with a probability."""

    _ROWS = [[0.21] * 3, [0.72] * 3, [0.07] * 3]

    def __init__(self, p):
        super().__init__(p=p)
        self.p = p

    def __call__(self, src):
        return _matrix(src, self._ROWS) if random.random() < self.p else src


# ---- A list of them ------------------------------------------------------------------------------

# Of the pictures of ImageNet.
_MEAN = [123.68, 116.28, 103.53]
_DEVIATION = [58.395, 57.12, 57.375]
_EIGENVALUES = [55.46, 4.794, 1.148]
_EIGENVECTORS = [
    [-0.5675, 0.7192, 0.4009],
    [-0.5808, -0.0045, -0.8140],
    [-0.5836, -0.6948, 0.4203],
]


def CreateAugmenter(
    data_shape,
    resize=0,
    rand_crop=False,
    rand_resize=False,
    rand_mirror=False,
    mean=None,
    std=None,
    brightness=0,
    contrast=0,
    saturation=0,
    hue=0,
    pca_noise=0,
    rand_gray=0,
    inter_method=2,
):
    """The usual augmenters, for pictures of the shape (channels, height, width), as a list."""
    augmenters = [ResizeAug(resize, inter_method)] if resize > 0 else []
    size = (data_shape[2], data_shape[1])
    if rand_resize:
        assert rand_crop, "CreateAugmenter: rand_resize needs rand_crop"
        ratio = (3.0 / 4.0, 4.0 / 3.0)
        augmenters.append(RandomSizedCropAug(size, 0.08, ratio, inter_method))
    else:
        augmenters.append((RandomCropAug if rand_crop else CenterCropAug)(size, inter_method))
    if rand_mirror:
        augmenters.append(HorizontalFlipAug(0.5))
    augmenters.append(CastAug())
    augmenters += of_colours(brightness, contrast, saturation, hue, pca_noise, rand_gray)
    return augmenters + normalizers(mean, std)


def normalizers(mean, std):
    """What makes numbers of these means and deviations small ones: a list of one, or of none."""
    mean, std = _statistics("mean", mean, _MEAN), _statistics("std", std, _DEVIATION)
    return [] if mean is None and std is None else [ColorNormalizeAug(mean, std)]


def of_colours(brightness, contrast, saturation, hue, pca_noise, rand_gray):
    """Augmenters of colours, those whose amounts are not 0."""
    if brightness or contrast or saturation:
        yield ColorJitterAug(brightness, contrast, saturation)
    if hue:
        yield HueJitterAug(hue)
    if pca_noise > 0:
        import numpy

        eigenvalues, eigenvectors = numpy.array(_EIGENVALUES), numpy.array(_EIGENVECTORS)
        yield LightingAug(pca_noise, eigenvalues, eigenvectors)
    if rand_gray > 0:
        yield RandomGrayAug(rand_gray)


def _statistics(name, value, usual):
    """Numbers for each channel: True is those of ImageNet."""
    if value is True:
        return made(usual, dtype="float32")
    if value is None or value is False:
        return None
    assert hasattr(value, "shape"), f"CreateAugmenter: {name} must be an array, not {value!r}"
    assert value.shape[0] in (1, 3), f"CreateAugmenter: {name} must have 1 or 3 elements"
    return value


for _name in __all__:
    globals()[_name].__module__ = "mxnet.image.image"
del _name
