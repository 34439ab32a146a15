"""Residual networks: blocks whose input is added to what they compute of it."""

from ..._shape import flatten
from ...nn import (
    AdaptiveAvgPool2D,
    BatchNorm2D,
    Conv2D,
    Layer,
    Linear,
    MaxPool2D,
    ReLU,
    Sequential,
)
from ._weights import refuse_weights

# How many blocks the four layers of a network have, by its depth.
_BLOCKS = {
    18: (2, 2, 2, 2),
    34: (3, 4, 6, 3),
    50: (3, 4, 6, 3),
    101: (3, 4, 23, 3),
    152: (3, 8, 36, 3),
}


def _conv(inputs, outputs, size, stride=1, groups=1):
    return Conv2D(
        inputs, outputs, size, stride, padding=size // 2, groups=groups, bias_attr=False
    )


class BasicBlock(Layer):
    """Two convolutions of 3 x 3."""

    expansion = 1

    def __init__(self, inplanes, planes, stride=1, downsample=None, groups=1, base_width=64):
        super().__init__()
        self.conv1, self.bn1 = _conv(inplanes, planes, 3, stride), BatchNorm2D(planes)
        self.relu = ReLU()
        self.conv2, self.bn2 = _conv(planes, planes, 3), BatchNorm2D(planes)
        self.downsample, self.stride = downsample, stride

    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        return self.relu(out + (x if self.downsample is None else self.downsample(x)))


class BottleneckBlock(Layer):
    """A convolution of 3 x 3 between two of 1 x 1."""

    expansion = 4

    def __init__(self, inplanes, planes, stride=1, downsample=None, groups=1, base_width=64):
        super().__init__()
        width, wide = int(planes * (base_width / 64.0)) * groups, planes * self.expansion
        self.conv1, self.bn1 = _conv(inplanes, width, 1), BatchNorm2D(width)
        self.conv2, self.bn2 = _conv(width, width, 3, stride, groups), BatchNorm2D(width)
        self.conv3, self.bn3 = _conv(width, wide, 1), BatchNorm2D(wide)
        self.relu = ReLU()
        self.downsample, self.stride = downsample, stride

    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        return self.relu(out + (x if self.downsample is None else self.downsample(x)))


class ResNet(Layer):
    """A network of four layers of such blocks; without classes it gives what they compute."""

    def __init__(self, block, depth=50, width=64, num_classes=1000, with_pool=True, groups=1):
        super().__init__()
        self.groups, self.base_width, self.inplanes = groups, width, 64
        self.num_classes, self.with_pool = num_classes, with_pool
        counts = _BLOCKS[depth]
        self.conv1, self.bn1 = _conv(3, 64, 7, 2), BatchNorm2D(64)
        self.relu, self.maxpool = ReLU(), MaxPool2D(kernel_size=3, stride=2, padding=1)
        self.layer1 = self._make_layer(block, 64, counts[0])
        self.layer2 = self._make_layer(block, 128, counts[1], 2)
        self.layer3 = self._make_layer(block, 256, counts[2], 2)
        self.layer4 = self._make_layer(block, 512, counts[3], 2)
        if with_pool:
            self.avgpool = AdaptiveAvgPool2D((1, 1))
        if num_classes > 0:
            self.fc = Linear(512 * block.expansion, num_classes)

    def _make_layer(self, block, planes, blocks, stride=1):
        wide, downsample = planes * block.expansion, None
        if stride != 1 or self.inplanes != wide:
            downsample = Sequential(_conv(self.inplanes, wide, 1, stride), BatchNorm2D(wide))
        options = {"groups": self.groups, "base_width": self.base_width}
        made = [block(self.inplanes, planes, stride, downsample, **options)]
        self.inplanes = wide
        made += [block(wide, planes, **options) for _ in range(1, blocks)]
        return Sequential(*made)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        x = self.avgpool(x) if self.with_pool else x
        return self.fc(flatten(x, 1)) if self.num_classes > 0 else x


def _builder(depth, block):
    name = f"resnet{depth}"

    def build(pretrained=False, **kwargs):
        refuse_weights(name, pretrained)
        return ResNet(block, depth, **kwargs)

    build.__name__ = build.__qualname__ = name
    build.__doc__ = f"A residual network of {depth} layers."
    return build


resnet18, resnet34 = (_builder(depth, BasicBlock) for depth in (18, 34))
resnet50, resnet101, resnet152 = (_builder(depth, BottleneckBlock) for depth in (50, 101, 152))
