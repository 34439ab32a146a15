"""torchvision.datasets: sets of pictures from files that are there. Nothing is downloaded."""

from .. import _missing
from ._base import VisionDataset
from .cifar import CIFAR10, CIFAR100
from .folder import DatasetFolder, ImageFolder
from .mnist import MNIST, FashionMNIST, KMNIST

__all__ = [
    *("CIFAR10", "CIFAR100", "DatasetFolder", "FashionMNIST", "ImageFolder", "KMNIST", "MNIST"),
    "VisionDataset",
]

__getattr__ = _missing.missing("torchvision.datasets")
