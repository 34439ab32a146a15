"""Residual networks: He and others, "Deep residual learning for image recognition", 2015 (V1), and
"Identity mappings in deep residual networks", 2016 (V2)."""

from ....context import cpu
from ... import nn
from ...block import HybridBlock
from ..model_store import ROOT, loaded
from ._parts import Classifier, named, relu

__all__ = [
    *("ResNetV1", "ResNetV2", "BasicBlockV1", "BasicBlockV2", "BottleneckV1", "BottleneckV2"),
    "get_resnet",
]

_MODULE = "mxnet.gluon.model_zoo.vision.resnet"


def _square(channels, stride, in_channels):
    return nn.Conv2D(
        channels, kernel_size=3, strides=stride, padding=1, use_bias=False, in_channels=in_channels
    )


def _conv1x1(channels, stride=1, in_channels=0):
    return nn.Conv2D(
        channels, kernel_size=1, strides=stride, use_bias=False, in_channels=in_channels
    )


# ---- Blocks: normalised after each convolution ---------------------------------------------------


class _BlockV1(HybridBlock):
    """The body's result plus the input, which is brought into its shape where it differs."""

    def __init__(self, channels, stride, downsample=False, in_channels=0, **kwargs):
        super().__init__(**kwargs)
        self.body = nn.HybridSequential(prefix="")
        self.body.add(*self._layers(channels, stride, in_channels))
        self.downsample = None
        if downsample:
            self.downsample = nn.HybridSequential(prefix="")
            self.downsample.add(_conv1x1(channels, stride, in_channels), nn.BatchNorm())

    def hybrid_forward(self, F, x):
        residual = x if self.downsample is None else self.downsample(x)
        return relu(self.body(x) + residual)


class BasicBlockV1(_BlockV1):
    """Two convolutions by 3 x 3."""

    __module__ = _MODULE

    def _layers(self, channels, stride, in_channels):
        yield _square(channels, stride, in_channels)
        yield nn.BatchNorm()
        yield nn.Activation("relu")
        yield _square(channels, 1, channels)
        yield nn.BatchNorm()


class BottleneckV1(_BlockV1):
    """One convolution by 3 x 3 of a quarter of the channels, between two by 1 x 1."""

    __module__ = _MODULE

    def _layers(self, channels, stride, in_channels):
        yield nn.Conv2D(channels // 4, kernel_size=1, strides=stride)
        yield nn.BatchNorm()
        yield nn.Activation("relu")
        yield _square(channels // 4, 1, channels // 4)
        yield nn.BatchNorm()
        yield nn.Activation("relu")
        yield nn.Conv2D(channels, kernel_size=1, strides=1)
        yield nn.BatchNorm()


# ---- Blocks: normalised before each convolution --------------------------------------------------


class BasicBlockV2(HybridBlock):
    """Two convolutions by 3 x 3."""

    __module__ = _MODULE

    def __init__(self, channels, stride, downsample=False, in_channels=0, **kwargs):
        super().__init__(**kwargs)
        self.bn1 = nn.BatchNorm()
        self.conv1 = _square(channels, stride, in_channels)
        self.bn2 = nn.BatchNorm()
        self.conv2 = _square(channels, 1, channels)
        self.downsample = _conv1x1(channels, stride, in_channels) if downsample else None

    def hybrid_forward(self, F, x):
        first = relu(self.bn1(x))
        residual = x if self.downsample is None else self.downsample(first)
        return self.conv2(relu(self.bn2(self.conv1(first)))) + residual


class BottleneckV2(HybridBlock):
    """One convolution by 3 x 3 of a quarter of the channels, between two by 1 x 1."""

    __module__ = _MODULE

    def __init__(self, channels, stride, downsample=False, in_channels=0, **kwargs):
        super().__init__(**kwargs)
        self.bn1 = nn.BatchNorm()
        self.conv1 = _conv1x1(channels // 4)
        self.bn2 = nn.BatchNorm()
        self.conv2 = _square(channels // 4, stride, channels // 4)
        self.bn3 = nn.BatchNorm()
        self.conv3 = _conv1x1(channels)
        self.downsample = _conv1x1(channels, stride, in_channels) if downsample else None

    def hybrid_forward(self, F, x):
        first = relu(self.bn1(x))
        residual = x if self.downsample is None else self.downsample(first)
        x = self.conv2(relu(self.bn2(self.conv1(first))))
        return self.conv3(relu(self.bn3(x))) + residual


# ---- Networks ------------------------------------------------------------------------------------


class _ResNet(Classifier):
    """Stages of blocks; all but the first begin with half of the height and width."""

    def __init__(self, block, layers, channels, classes=1000, thumbnail=False, **kwargs):
        assert len(layers) == len(channels) - 1, "channels before and after each stage are needed"
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            self.features.add(*self._first(channels[0], thumbnail))
            for place, count in enumerate(layers):
                ends = channels[place : place + 2]
                self.features.add(self._stage(block, count, ends, place))
            self.features.add(*self._last())
            self.output = nn.Dense(classes, in_units=channels[-1])

    @staticmethod
    def _first(channels, thumbnail):
        """A convolution that makes pictures smaller, unless these are small already."""
        if thumbnail:
            yield _square(channels, 1, 0)
            return
        yield nn.Conv2D(channels, 7, 2, 3, use_bias=False)
        yield nn.BatchNorm()
        yield nn.Activation("relu")
        yield nn.MaxPool2D(3, 2, 1)

    @staticmethod
    def _stage(block, count, ends, place):
        before, channels = ends
        stage = nn.HybridSequential(prefix=f"stage{place + 1}_")
        with stage.name_scope():
            stride = 1 if place == 0 else 2
            stage.add(block(channels, stride, channels != before, in_channels=before, prefix=""))
            for _ in range(count - 1):
                stage.add(block(channels, 1, False, in_channels=channels, prefix=""))
        return stage

    @staticmethod
    def _last():
        yield nn.GlobalAvgPool2D()


class ResNetV1(_ResNet):
    """A residual network of blocks that normalise after their convolutions."""

    __module__ = _MODULE


class ResNetV2(_ResNet):
    """A residual network of blocks that normalise before their convolutions."""

    __module__ = _MODULE

    @classmethod
    def _first(cls, channels, thumbnail):
        yield nn.BatchNorm(scale=False, center=False)
        yield from _ResNet._first(channels, thumbnail)

    @staticmethod
    def _last():
        yield nn.BatchNorm()
        yield nn.Activation("relu")
        yield nn.GlobalAvgPool2D()
        yield nn.Flatten()


# By the number of layers: the kind of blocks, how many of them in each stage, and channels.
_WIDE = (64, 256, 512, 1024, 2048)
_SPECS = {
    18: ("basic", (2, 2, 2, 2), (64, 64, 128, 256, 512)),
    34: ("basic", (3, 4, 6, 3), (64, 64, 128, 256, 512)),
    50: ("bottleneck", (3, 4, 6, 3), _WIDE),
    101: ("bottleneck", (3, 4, 23, 3), _WIDE),
    152: ("bottleneck", (3, 8, 36, 3), _WIDE),
}
_VERSIONS = {
    1: (ResNetV1, {"basic": BasicBlockV1, "bottleneck": BottleneckV1}),
    2: (ResNetV2, {"basic": BasicBlockV2, "bottleneck": BottleneckV2}),
}


def get_resnet(version, num_layers, pretrained=False, ctx=cpu(), root=ROOT, **kwargs):
    """A residual network of version 1 or 2 with 18, 34, 50, 101 or 152 layers."""
    assert num_layers in _SPECS, (
        f"num_layers must be one of {list(_SPECS)}, not {num_layers}"
    )
    assert version in _VERSIONS, f"version must be 1 or 2, not {version}"
    kind, layers, channels = _SPECS[num_layers]
    network, blocks = _VERSIONS[version]
    made = network(blocks[kind], list(layers), list(channels), **kwargs)
    return loaded(made, f"resnet{num_layers}_v{version}", pretrained, ctx, root)


get_resnet.__module__ = _MODULE

for _version in _VERSIONS:
    for _layers in _SPECS:
        _name = f"resnet{_layers}_v{_version}"
        globals()[_name] = named(_name, get_resnet, _version, _layers)
        __all__.append(_name)
del _version, _layers, _name
