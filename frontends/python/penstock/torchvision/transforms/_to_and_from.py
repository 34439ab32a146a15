"""Transforms between Pillow's pictures and tensors, and of their numbers."""

from ...torch.nn import Module
from . import functional as F


class _Plain:
    """A transform that is no module."""

    def __repr__(self):
        return f"{type(self).__name__}()"


class ToTensor(_Plain):
    """A picture as a tensor (channels, height, width) of numbers from 0 to 1."""

    def __call__(self, pic):
        return F.to_tensor(pic)


class PILToTensor(_Plain):
    """A picture as a tensor (channels, height, width) of the numbers that it has."""

    def __call__(self, pic):
        return F.pil_to_tensor(pic)


class ToPILImage(_Plain):
    """A tensor or an array of NumPy's as a picture of Pillow's. Waits."""

    def __init__(self, mode=None):
        self.mode = mode

    def __call__(self, pic):
        return F.to_pil_image(pic, self.mode)

    def __repr__(self):
        mode = "" if self.mode is None else f"mode={self.mode}"
        return f"{type(self).__name__}({mode})"


class ConvertImageDtype(Module):
    """The same picture in another type, where white is another number."""

    def __init__(self, dtype):
        super().__init__()
        self.dtype = dtype

    def forward(self, image):
        return F.convert_image_dtype(image, self.dtype)

    def __repr__(self):
        return f"{type(self).__name__}()"


class Normalize(Module):
    """(tensor - mean) / std for each channel."""

    def __init__(self, mean, std, inplace=False):
        super().__init__()
        self.mean, self.std, self.inplace = mean, std, inplace

    def forward(self, tensor):
        return F.normalize(tensor, self.mean, self.std, self.inplace)

    def __repr__(self):
        return f"{type(self).__name__}(mean={self.mean}, std={self.std})"
