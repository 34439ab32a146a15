"""Transforms of colours."""

from ...torch import randperm
from ...torch.nn import Module
from . import functional as F
from ._compose import chance
from ._random_places import between


class Grayscale(Module):
    """The brightness as one channel, or as three alike."""

    def __init__(self, num_output_channels=1):
        super().__init__()
        self.num_output_channels = num_output_channels

    def forward(self, img):
        return F.rgb_to_grayscale(img, self.num_output_channels)

    def __repr__(self):
        return f"{type(self).__name__}(num_output_channels={self.num_output_channels})"


class RandomGrayscale(Module):
    """Without colours, with a probability; as many channels as there were."""

    def __init__(self, p=0.1):
        super().__init__()
        self.p = p

    def forward(self, img):
        if not chance(self.p):
            return img
        return F.rgb_to_grayscale(img, F.get_image_num_channels(img))

    def __repr__(self):
        return f"{type(self).__name__}(p={self.p})"


_ADJUST = (F.adjust_brightness, F.adjust_contrast, F.adjust_saturation, F.adjust_hue)


class ColorJitter(Module):
    """Brightness, contrast, saturation and hue changed by chance, in some order."""

    def __init__(self, brightness=0, contrast=0, saturation=0, hue=0):
        super().__init__()
        self.brightness = _range("brightness", brightness)
        self.contrast = _range("contrast", contrast)
        self.saturation = _range("saturation", saturation)
        self.hue = _range("hue", hue, 0.0, (-0.5, 0.5))

    @staticmethod
    def get_params(brightness, contrast, saturation, hue):
        """The order, and the four factors; None for what stays."""
        ranges = (brightness, contrast, saturation, hue)
        return randperm(4), *(None if one is None else between(*one) for one in ranges)

    def forward(self, img):
        ranges = self.brightness, self.contrast, self.saturation, self.hue
        order, *factors = self.get_params(*ranges)
        for number in order.tolist():
            if factors[number] is not None:
                img = _ADJUST[number](img, factors[number])
        return img

    def __repr__(self):
        return (
            f"{type(self).__name__}(brightness={self.brightness}, contrast={self.contrast}, "
            f"saturation={self.saturation}, hue={self.hue})"
        )


def _range(name, value, middle=1.0, bound=(0.0, float("inf"))):
    """From where to where a factor is drawn; None if it is always the same."""
    if isinstance(value, (int, float)):
        if value < 0:
            raise ValueError(f"If {name} is a single number, it must be non negative.")
        low, high = middle - value, middle + value
        low = max(low, 0.0) if name != "hue" else low
    elif isinstance(value, (tuple, list)) and len(value) == 2:
        low, high = map(float, value)
    else:
        raise TypeError(f"{name} should be a single number or a list/tuple with length 2.")
    if not bound[0] <= low <= high <= bound[1]:
        raise ValueError(f"{name} values should be between {bound}, but got {[low, high]}.")
    return None if low == high == middle else (low, high)
