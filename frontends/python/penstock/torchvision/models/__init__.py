"""torchvision.models: residual networks and VGG's, without trained weights.

Parameters have torchvision's names, so that load_state_dict takes what torchvision saved.

>>> from penstock import torch, torchvision
>>> net = torchvision.models.resnet18(num_classes=10).eval()
>>> net(torch.ones(1, 3, 32, 32)).shape
torch.Size([1, 10])
"""

from .. import _missing
from .resnet import ResNet, resnet18, resnet34, resnet50, resnet101, resnet152
from .vgg import VGG, vgg11, vgg11_bn, vgg13, vgg13_bn, vgg16, vgg16_bn, vgg19, vgg19_bn

__all__ = [
    *("ResNet", "resnet18", "resnet34", "resnet50", "resnet101", "resnet152"),
    *("VGG", "vgg11", "vgg11_bn", "vgg13", "vgg13_bn", "vgg16", "vgg16_bn", "vgg19", "vgg19_bn"),
]

__getattr__ = _missing.missing("torchvision.models")
