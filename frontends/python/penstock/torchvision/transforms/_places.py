"""Transforms of where pixels are, without chance."""

from ...torch.nn import Module
from . import functional as F
from ._modes import InterpolationMode, checked


class Resize(Module):
    """Another size: (height, width), or one length for the shorter side."""

    def __init__(
        self, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True
    ):
        super().__init__()
        F.check_size(size, max_size)
        self.size, self.max_size = size, max_size
        self.interpolation, self.antialias = checked(interpolation), antialias

    def forward(self, img):
        return F.resize(img, self.size, self.interpolation, self.max_size, self.antialias)

    def __repr__(self):
        return (
            f"{type(self).__name__}(size={self.size}, interpolation={self.interpolation.value}, "
            f"max_size={self.max_size}, antialias={self.antialias})"
        )


class CenterCrop(Module):
    """The part in the middle."""

    def __init__(self, size):
        super().__init__()
        self.size = F.sizes(size)

    def forward(self, img):
        return F.center_crop(img, self.size)

    def __repr__(self):
        return f"{type(self).__name__}(size={self.size})"


class FiveCrop(CenterCrop):
    """The four corners and the middle."""

    def forward(self, img):
        return F.five_crop(img, self.size)


class Pad(Module):
    """A border around."""

    def __init__(self, padding, fill=0, padding_mode="constant"):
        super().__init__()
        F.check_padding(padding, fill, padding_mode)
        self.padding, self.fill, self.padding_mode = padding, fill, padding_mode

    def forward(self, img):
        return F.pad(img, self.padding, self.fill, self.padding_mode)

    def __repr__(self):
        return (
            f"{type(self).__name__}(padding={self.padding}, fill={self.fill}, "
            f"padding_mode={self.padding_mode})"
        )
