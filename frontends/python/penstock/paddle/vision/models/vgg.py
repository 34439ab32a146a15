"""VGG's networks: convolutions of 3 x 3 in groups, then three dense layers."""

from ..._shape import flatten
from ...nn import (
    AdaptiveAvgPool2D,
    BatchNorm2D,
    Conv2D,
    Dropout,
    Layer,
    Linear,
    MaxPool2D,
    ReLU,
    Sequential,
)
from ._weights import refuse_weights

# How many convolutions the five groups have.
_GROUPS = {11: (1, 1, 2, 2, 2), 13: (2, 2, 2, 2, 2), 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}
_CHANNELS = (64, 128, 256, 512, 512)


class VGG(Layer):
    """Convolutions, which are the `features`, and a classifier where there are classes."""

    def __init__(self, features, num_classes=1000, with_pool=True):
        super().__init__()
        self.features, self.num_classes, self.with_pool = features, num_classes, with_pool
        if with_pool:
            self.avgpool = AdaptiveAvgPool2D((7, 7))
        if num_classes > 0:
            self.classifier = Sequential(
                Linear(512 * 7 * 7, 4096),
                ReLU(),
                Dropout(),
                Linear(4096, 4096),
                ReLU(),
                Dropout(),
                Linear(4096, num_classes),
            )

    def forward(self, x):
        x = self.features(x)
        x = self.avgpool(x) if self.with_pool else x
        return self.classifier(flatten(x, 1)) if self.num_classes > 0 else x


def _features(depth, norms):
    made, inputs = [], 3
    for count, outputs in zip(_GROUPS[depth], _CHANNELS):
        for _ in range(count):
            made.append(Conv2D(inputs, outputs, 3, padding=1))
            made += [BatchNorm2D(outputs)] if norms else []
            made.append(ReLU())
            inputs = outputs
        made.append(MaxPool2D(kernel_size=2, stride=2))
    return Sequential(*made)


def _builder(depth):
    name = f"vgg{depth}"

    def build(pretrained=False, batch_norm=False, **kwargs):
        refuse_weights(name, pretrained)
        return VGG(_features(depth, batch_norm), **kwargs)

    build.__name__ = build.__qualname__ = name
    build.__doc__ = f"VGG's network of {depth} layers."
    return build


vgg11, vgg13, vgg16, vgg19 = (_builder(depth) for depth in _GROUPS)
