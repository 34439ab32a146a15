"""VGG's networks: convolutions of 3 x 3 in groups, then three dense layers."""

from ...torch import flatten
from ...torch.nn import (
    AdaptiveAvgPool2d,
    BatchNorm2d,
    Conv2d,
    Dropout,
    Linear,
    MaxPool2d,
    Module,
    ReLU,
    Sequential,
    init,
)
from ._weights import refuse_weights

# How many convolutions the five groups have.
_GROUPS = {11: (1, 1, 2, 2, 2), 13: (2, 2, 2, 2, 2), 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}
_CHANNELS = (64, 128, 256, 512, 512)


class VGG(Module):
    """Convolutions, which are the `features`, and a classifier."""

    def __init__(self, features, num_classes=1000, init_weights=True, dropout=0.5):
        super().__init__()
        self.features = features
        self.avgpool = AdaptiveAvgPool2d((7, 7))
        self.classifier = Sequential(
            Linear(512 * 7 * 7, 4096),
            ReLU(True),
            Dropout(p=dropout),
            Linear(4096, 4096),
            ReLU(True),
            Dropout(p=dropout),
            Linear(4096, num_classes),
        )
        if init_weights:
            self._set_first_values()

    def _set_first_values(self):
        for module in self.modules():
            if isinstance(module, Conv2d):
                init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
                init.constant_(module.bias, 0)
            elif isinstance(module, Linear):
                init.normal_(module.weight, 0, 0.01)
                init.constant_(module.bias, 0)

    def forward(self, x):
        return self.classifier(flatten(self.avgpool(self.features(x)), 1))


def _features(depth, norms):
    made, inputs = [], 3
    for count, outputs in zip(_GROUPS[depth], _CHANNELS):
        for _ in range(count):
            made.append(Conv2d(inputs, outputs, 3, padding=1))
            made += [BatchNorm2d(outputs)] if norms else []
            made.append(ReLU(inplace=True))
            inputs = outputs
        made.append(MaxPool2d(2, 2))
    return Sequential(*made)


def _builder(depth, norms):
    name = f"vgg{depth}" + "_bn" * norms

    def build(*, weights=None, progress=True, pretrained=False, **kwargs):
        refuse_weights(name, weights, pretrained)
        return VGG(_features(depth, norms), **kwargs)

    build.__name__ = build.__qualname__ = name
    build.__doc__ = f"VGG's network of {depth} layers{', with batch norms' if norms else ''}."
    return build


vgg11, vgg13, vgg16, vgg19 = (_builder(depth, False) for depth in _GROUPS)
vgg11_bn, vgg13_bn, vgg16_bn, vgg19_bn = (_builder(depth, True) for depth in _GROUPS)
