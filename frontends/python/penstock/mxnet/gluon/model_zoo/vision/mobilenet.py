"""MobileNet: Howard and others, "Efficient convolutional neural networks for mobile vision
applications", 2017; V2: Sandler and others, "Inverted residuals and linear bottlenecks", 2018."""

from ....context import cpu
from ... import nn
from ...block import HybridBlock
from ..model_store import ROOT, loaded
from ._parts import Classifier, clip, named

__all__ = ["MobileNet", "MobileNetV2", "get_mobilenet", "get_mobilenet_v2"]

_MODULE = "mxnet.gluon.model_zoo.vision.mobilenet"


class RELU6(HybridBlock):
    """Elements brought between 0 and 6."""

    __module__ = _MODULE

    def hybrid_forward(self, F, x):
        return clip(x, 0, 6)


def _convolution(channels, kernel=1, stride=1, pad=0, groups=1, active=nn.Activation):
    """A convolution, its normalisation, and the activation if there is to be one."""
    yield nn.Conv2D(channels, kernel, stride, pad, groups=groups, use_bias=False)
    yield nn.BatchNorm(scale=True)
    if active is nn.Activation:
        yield nn.Activation("relu")
    elif active is not None:
        yield active()


class LinearBottleneck(HybridBlock):
    """More channels, a convolution of each by itself, fewer channels; plus the input if it fits."""

    __module__ = _MODULE

    def __init__(self, in_channels, channels, t, stride, **kwargs):
        super().__init__(**kwargs)
        self.use_shortcut = stride == 1 and in_channels == channels
        inner = in_channels * t
        with self.name_scope():
            self.out = nn.HybridSequential()
            self.out.add(
                *_convolution(inner, active=RELU6),
                *_convolution(inner, 3, stride, 1, inner, active=RELU6),
                *_convolution(channels, active=None),
            )

    def hybrid_forward(self, F, x):
        out = self.out(x)
        return out + x if self.use_shortcut else out


class MobileNet(Classifier):
    """Convolutions of each channel by itself, followed by those of all channels by 1 x 1."""

    __module__ = _MODULE

    # Channels before and after a pair of convolutions, and the stride of the first.
    _pairs = (
        *((32, 64, 1), (64, 128, 2), (128, 128, 1), (128, 256, 2), (256, 256, 1), (256, 512, 2)),
        *((512, 512, 1),) * 5,
        *((512, 1024, 2), (1024, 1024, 1)),
    )

    def __init__(self, multiplier=1.0, classes=1000, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            with self.features.name_scope():
                self.features.add(*_convolution(int(32 * multiplier), 3, 2, 1))
                for before, after, stride in self._pairs:
                    before, after = int(before * multiplier), int(after * multiplier)
                    self.features.add(*_convolution(before, 3, stride, 1, before))
                    self.features.add(*_convolution(after))
                self.features.add(nn.GlobalAvgPool2D(), nn.Flatten())
            self.output = nn.Dense(classes)


class MobileNetV2(Classifier):
    """Bottlenecks without an activation at their ends."""

    __module__ = _MODULE

    # Channels, how many bottlenecks have them, the factor inside, and the stride of the first.
    _stages = (
        *((16, 1, 1, 1), (24, 2, 6, 2), (32, 3, 6, 2), (64, 4, 6, 2), (96, 3, 6, 1)),
        *((160, 3, 6, 2), (320, 1, 6, 1)),
    )

    def __init__(self, multiplier=1.0, classes=1000, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="features_")
            with self.features.name_scope():
                self.features.add(*_convolution(int(32 * multiplier), 3, 2, 1, active=RELU6))
                self.features.add(*self._bottlenecks(multiplier))
                last = int(1280 * multiplier) if multiplier > 1.0 else 1280
                self.features.add(*_convolution(last, active=RELU6), nn.GlobalAvgPool2D())
            self.output = nn.HybridSequential(prefix="output_")
            with self.output.name_scope():
                self.output.add(
                    nn.Conv2D(classes, 1, use_bias=False, prefix="pred_"), nn.Flatten()
                )

    def _bottlenecks(self, multiplier):
        before = int(32 * multiplier)
        for channels, count, factor, stride in self._stages:
            channels = int(channels * multiplier)
            for place in range(count):
                yield LinearBottleneck(before, channels, factor, 1 if place else stride)
                before = channels


def _text(multiplier):
    """A multiplier as names have it: 1.0, 0.75, 0.5, 0.25."""
    text = f"{multiplier:.2f}"
    return text[:-1] if text in ("1.00", "0.50") else text


def get_mobilenet(multiplier, pretrained=False, ctx=cpu(), root=ROOT, **kwargs):
    """MobileNet with so many times the channels of the paper."""
    network = MobileNet(multiplier, **kwargs)
    return loaded(network, f"mobilenet{_text(multiplier)}", pretrained, ctx, root)


def get_mobilenet_v2(multiplier, pretrained=False, ctx=cpu(), root=ROOT, **kwargs):
    """MobileNet V2 with so many times the channels of the paper."""
    network = MobileNetV2(multiplier, **kwargs)
    return loaded(network, f"mobilenetv2_{_text(multiplier)}", pretrained, ctx, root)


get_mobilenet.__module__ = get_mobilenet_v2.__module__ = _MODULE

for _multiplier in (1.0, 0.75, 0.5, 0.25):
    for _get, _family in ((get_mobilenet, "mobilenet"), (get_mobilenet_v2, "mobilenet_v2_")):
        _name = _family + _text(_multiplier).replace(".", "_")
        globals()[_name] = named(_name, _get, _multiplier)
        __all__.append(_name)
del _multiplier, _get, _family, _name
