"""torchvision.transforms: what is done to the pictures of a data set.

>>> from penstock import torch
>>> from penstock.torchvision import transforms
>>> both = transforms.Compose([transforms.CenterCrop(2), transforms.Normalize(0.5, 0.5)])
>>> both(torch.ones(1, 4, 4)).shape
torch.Size([1, 2, 2])
"""

from .. import _missing
from . import functional
from ._colours import ColorJitter, Grayscale, RandomGrayscale
from ._compose import Compose, Lambda, RandomApply, RandomChoice, RandomOrder
from ._modes import InterpolationMode
from ._places import CenterCrop, FiveCrop, Pad, Resize
from ._random_places import (
    RandomCrop,
    RandomHorizontalFlip,
    RandomResizedCrop,
    RandomRotation,
    RandomVerticalFlip,
)
from ._to_and_from import ConvertImageDtype, Normalize, PILToTensor, ToPILImage, ToTensor

__all__ = [
    *("CenterCrop", "ColorJitter", "Compose", "ConvertImageDtype", "FiveCrop", "Grayscale"),
    *("InterpolationMode", "Lambda", "Normalize", "PILToTensor", "Pad", "RandomApply"),
    *("RandomChoice", "RandomCrop", "RandomGrayscale", "RandomHorizontalFlip", "RandomOrder"),
    *("RandomResizedCrop", "RandomRotation", "RandomVerticalFlip", "Resize", "ToPILImage"),
    *("ToTensor", "functional"),
]

__getattr__ = _missing.missing("torchvision.transforms")
