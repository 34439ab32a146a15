"""Colours of pictures: Pillow's, arrays (H, W, C) of NumPy's, and tensors (C, H, W)."""

import random

from ... import _core
from ..._pictures import colours, pillow_colours
from .._tensor import Tensor
from ._forms import BaseTransform, like, picture

_SHARES = (0.2989, 0.587, 0.114)  # what the channels of a tensor add to its brightness
_native, _as = _core.ndarray, _core.ndarray.as_subclass


# ---- Tensors -------------------------------------------------------------------------------------


def _grey(x):
    if x.ndim < 3 or x.shape[-3] not in (1, 3):
        raise ValueError(
            f"a picture has the shape [1, H, W] or [3, H, W], not {list(x.shape)}"
        )
    if x.shape[-3] == 1:
        return x
    channels = (x[..., at : at + 1, :, :].astype("float32") for at in range(3))
    red, green, blue = (one * share for one, share in zip(channels, _SHARES))
    return (red + green + blue).astype(x.dtype)


def _blended(x, other, ratio):
    most = 1.0 if x.is_floating_point() else 255.0
    made = x.astype("float32") * ratio + other * (1.0 - ratio)
    return made.clip(0.0, most).astype(x.dtype)


def _turned(x, turns):
    if x.shape[-3] == 1:
        return x
    wide = x if x.is_floating_point() else x.astype("float32") / 255.0
    made = _as(colours.turned_hue(_as(wide, _native), turns, x.ndim - 3), Tensor)
    return made if x.is_floating_point() else (made * 255.0).astype(x.dtype)


# ---- Functions -----------------------------------------------------------------------------------


def to_grayscale(img, num_output_channels=1):
    """The brightness as one channel, or as three alike."""
    if num_output_channels not in (1, 3):
        raise ValueError("num_output_channels should be either 1 or 3")
    if not isinstance(img, Tensor):
        return like(pillow_colours.grey(picture(img), num_output_channels), img)
    made = _grey(img)
    return made if num_output_channels == 1 else made.expand([*img.shape[:-3], 3, *img.shape[-2:]])


def adjust_brightness(img, brightness_factor):
    """Brighter or darker: 0 is black, 1 is as it was."""
    if isinstance(img, Tensor):
        return _blended(img, 0.0, brightness_factor)
    return like(pillow_colours.brightness(picture(img), brightness_factor), img)


def adjust_contrast(img, contrast_factor):
    """More contrast or less: 0 is grey, 1 is as it was."""
    if isinstance(img, Tensor):
        mean = _grey(img).astype("float32").mean([-3, -2, -1], keepdim=True)
        return _blended(img, mean, contrast_factor)
    return like(pillow_colours.contrast(picture(img), contrast_factor), img)


def adjust_saturation(img, saturation_factor):
    """More colour or less: 0 is without, 1 is as it was."""
    if isinstance(img, Tensor):
        return _blended(img, _grey(img).astype("float32"), saturation_factor)
    return like(pillow_colours.saturation(picture(img), saturation_factor), img)


def adjust_hue(img, hue_factor):
    """Every hue turned by so many full circles."""
    if not -0.5 <= hue_factor <= 0.5:
        kind = AssertionError if isinstance(img, Tensor) else ValueError
        raise kind(f"hue_factor:{hue_factor} is not in [-0.5, 0.5].")
    if isinstance(img, Tensor):
        return _turned(img, hue_factor)
    return like(pillow_colours.hue(picture(img), hue_factor), img)


# ---- Transforms ----------------------------------------------------------------------------------


def _range(value, name, middle=1.0, bound=(0.0, float("inf"))):
    """From where to where a factor is drawn; None if it is always the same."""
    if isinstance(value, (int, float)):
        if value < 0:
            raise ValueError(f"If {name} is a single number, it must be non negative.")
        low, high = middle - value, middle + value
        low = max(low, 0.0) if name != "hue" else low
    elif isinstance(value, (tuple, list)) and len(value) == 2:
        low, high = value
        if not bound[0] <= low <= high <= bound[1]:
            raise ValueError(f"{name} values should be between {bound}")
    else:
        raise TypeError(f"{name} should be a single number or a list/tuple with lenght 2.")
    return None if low == high == middle else [low, high]


class _ByChance(BaseTransform):
    """A change by a factor that is drawn."""

    _name, _change, _bounds = "", None, ()

    def __init__(self, value, keys=None):
        super().__init__(keys)
        self.value = _range(value, self._name, *self._bounds)

    def _apply_image(self, img):
        if self.value is None:
            return img
        return self._change(img, random.uniform(*self.value))


class BrightnessTransform(_ByChance):
    """Brighter or darker by chance."""

    _name, _change = "brightness", staticmethod(adjust_brightness)


class ContrastTransform(_ByChance):
    """More contrast or less, by chance."""

    _name, _change = "contrast", staticmethod(adjust_contrast)


class SaturationTransform(_ByChance):
    """More colour or less, by chance."""

    _name, _change = "saturation", staticmethod(adjust_saturation)


class HueTransform(_ByChance):
    """Hues turned by chance."""

    _name, _change = "hue", staticmethod(adjust_hue)
    _bounds = (0.0, (-0.5, 0.5))


class ColorJitter(BaseTransform):
    """Brightness, contrast, saturation and hue changed by chance, in some order."""

    def __init__(self, brightness=0, contrast=0, saturation=0, hue=0, keys=None):
        super().__init__(keys)
        self.brightness, self.contrast = brightness, contrast
        self.saturation, self.hue = saturation, hue

    def _apply_image(self, img):
        changes = [
            BrightnessTransform(self.brightness),
            ContrastTransform(self.contrast),
            SaturationTransform(self.saturation),
            HueTransform(self.hue),
        ]
        random.shuffle(changes)
        for change in changes:
            img = change(img)
        return img


class Grayscale(BaseTransform):
    """The brightness as one channel, or as three alike."""

    def __init__(self, num_output_channels=1, keys=None):
        super().__init__(keys)
        self.num_output_channels = num_output_channels

    def _apply_image(self, img):
        return to_grayscale(img, self.num_output_channels)
