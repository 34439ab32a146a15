"""paddle.vision.models: residual networks, VGG's and LeNet, without trained weights.

Parameters have PaddlePaddle's names, so that set_state_dict takes what it saved.

>>> from penstock import paddle
>>> net = paddle.vision.models.resnet18(num_classes=10)
>>> net(paddle.ones([2, 3, 32, 32])).shape
paddle.Size([2, 10])
"""

from ... import _missing
from .lenet import LeNet
from .resnet import ResNet, resnet18, resnet34, resnet50, resnet101, resnet152
from .vgg import VGG, vgg11, vgg13, vgg16, vgg19

__all__ = [
    *("LeNet", "ResNet", "VGG"),
    *("resnet18", "resnet34", "resnet50", "resnet101", "resnet152"),
    *("vgg11", "vgg13", "vgg16", "vgg19"),
]

__getattr__ = _missing.missing("paddle.vision.models")
