"""Residual networks: blocks whose input is added to what they compute of it."""

from ...torch import flatten
from ...torch.nn import (
    AdaptiveAvgPool2d,
    BatchNorm2d,
    Conv2d,
    Linear,
    MaxPool2d,
    Module,
    ReLU,
    Sequential,
    init,
)
from ._weights import refuse_weights


def _conv(inputs, outputs, size, stride=1):
    return Conv2d(inputs, outputs, size, stride, size // 2, bias=False)


class BasicBlock(Module):
    """Two convolutions of 3 x 3."""

    expansion = 1

    def __init__(self, inplanes, planes, stride=1, downsample=None):
        super().__init__()
        self.conv1, self.bn1 = _conv(inplanes, planes, 3, stride), BatchNorm2d(planes)
        self.relu = ReLU(inplace=True)
        self.conv2, self.bn2 = _conv(planes, planes, 3), BatchNorm2d(planes)
        self.downsample, self.stride = downsample, stride

    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        return self.relu(out + (x if self.downsample is None else self.downsample(x)))


class Bottleneck(Module):
    """A convolution of 3 x 3 between two of 1 x 1, of a quarter of the channels."""

    expansion = 4

    def __init__(self, inplanes, planes, stride=1, downsample=None):
        super().__init__()
        wide = planes * self.expansion
        self.conv1, self.bn1 = _conv(inplanes, planes, 1), BatchNorm2d(planes)
        self.conv2, self.bn2 = _conv(planes, planes, 3, stride), BatchNorm2d(planes)
        self.conv3, self.bn3 = _conv(planes, wide, 1), BatchNorm2d(wide)
        self.relu = ReLU(inplace=True)
        self.downsample, self.stride = downsample, stride

    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        return self.relu(out + (x if self.downsample is None else self.downsample(x)))


class ResNet(Module):
    """A network of four layers of such blocks; `layers` says how many each has."""

    def __init__(self, block, layers, num_classes=1000, zero_init_residual=False):
        super().__init__()
        self.inplanes = 64
        self.conv1, self.bn1 = Conv2d(3, 64, 7, 2, 3, bias=False), BatchNorm2d(64)
        self.relu, self.maxpool = ReLU(inplace=True), MaxPool2d(3, 2, 1)
        self.layer1 = self._make_layer(block, 64, layers[0])
        self.layer2 = self._make_layer(block, 128, layers[1], 2)
        self.layer3 = self._make_layer(block, 256, layers[2], 2)
        self.layer4 = self._make_layer(block, 512, layers[3], 2)
        self.avgpool = AdaptiveAvgPool2d((1, 1))
        self.fc = Linear(512 * block.expansion, num_classes)
        self._set_first_values(zero_init_residual)

    def _make_layer(self, block, planes, blocks, stride=1):
        wide = planes * block.expansion
        downsample = None
        if stride != 1 or self.inplanes != wide:
            downsample = Sequential(_conv(self.inplanes, wide, 1, stride), BatchNorm2d(wide))
        made = [block(self.inplanes, planes, stride, downsample)]
        self.inplanes = wide
        made += [block(wide, planes) for _ in range(1, blocks)]
        return Sequential(*made)

    def _set_first_values(self, zero_init_residual):
        for module in self.modules():
            if isinstance(module, Conv2d):
                init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
            elif zero_init_residual and isinstance(module, (BasicBlock, Bottleneck)):
                last = module.bn2 if isinstance(module, BasicBlock) else module.bn3
                init.constant_(last.weight, 0)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(flatten(self.avgpool(x), 1))


def _builder(name, block, layers):
    def build(*, weights=None, progress=True, pretrained=False, **kwargs):
        refuse_weights(name, weights, pretrained)
        return ResNet(block, layers, **kwargs)

    build.__name__ = build.__qualname__ = name
    build.__doc__ = f"A residual network of {name[6:]} layers."
    return build


resnet18 = _builder("resnet18", BasicBlock, [2, 2, 2, 2])
resnet34 = _builder("resnet34", BasicBlock, [3, 4, 6, 3])
resnet50 = _builder("resnet50", Bottleneck, [3, 4, 6, 3])
resnet101 = _builder("resnet101", Bottleneck, [3, 4, 23, 3])
resnet152 = _builder("resnet152", Bottleneck, [3, 8, 36, 3])
