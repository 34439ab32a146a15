"""SqueezeNet: Iandola and others, "AlexNet-level accuracy with 50x fewer parameters", 2016."""

from ....context import cpu
from ... import nn
from ...contrib.nn import HybridConcurrent
from ..model_store import ROOT, loaded
from ._parts import Classifier, named

__all__ = ["SqueezeNet"]

_MODULE = "mxnet.gluon.model_zoo.vision.squeezenet"

# By version: channels, size of the kernel and stride of the first convolution; then the channels
# that the fires squeeze to (they expand to four times as many, twice), and where poolings are.
_VERSIONS = {
    "1.0": (96, 7, (16, 16, 32, "pool", 32, 48, 48, 64, "pool", 64)),
    "1.1": (64, 3, (16, 16, "pool", 32, 32, "pool", 48, 48, 64, 64)),
}


def _convolution(channels, kernel_size, padding=0):
    part = nn.HybridSequential(prefix="")
    part.add(nn.Conv2D(channels, kernel_size, padding=padding), nn.Activation("relu"))
    return part


def _fire(squeezed):
    """A convolution to few channels, and from these two side by side to many."""
    fire, expand = nn.HybridSequential(prefix=""), HybridConcurrent(axis=1, prefix="")
    fire.add(_convolution(squeezed, 1), expand)
    expand.add(_convolution(4 * squeezed, 1), _convolution(4 * squeezed, 3, 1))
    return fire


class SqueezeNet(Classifier):
    """Version '1.0' or '1.1'."""

    __module__ = _MODULE

    def __init__(self, version, classes=1000, **kwargs):
        assert version in _VERSIONS, (
            f"Unsupported SqueezeNet version {version}:1.0 or 1.1 expected"
        )
        super().__init__(**kwargs)
        channels, kernel_size, parts = _VERSIONS[version]
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            self.features.add(
                nn.Conv2D(channels, kernel_size, strides=2), nn.Activation("relu"), self._pool()
            )
            for part in parts:
                self.features.add(self._pool() if part == "pool" else _fire(part))
            self.features.add(nn.Dropout(0.5))
            self.output = nn.HybridSequential(prefix="")
            self.output.add(
                nn.Conv2D(classes, kernel_size=1),
                nn.Activation("relu"),
                nn.AvgPool2D(13),
                nn.Flatten(),
            )

    @staticmethod
    def _pool():
        return nn.MaxPool2D(pool_size=3, strides=2, ceil_mode=True)


def get_squeezenet(version, pretrained=False, ctx=cpu(), root=ROOT, **kwargs):
    """SqueezeNet of version '1.0' or '1.1'."""
    return loaded(SqueezeNet(version, **kwargs), f"squeezenet{version}", pretrained, ctx, root)


get_squeezenet.__module__ = _MODULE

for _version in _VERSIONS:
    _name = "squeezenet" + _version.replace(".", "_")
    globals()[_name] = named(_name, get_squeezenet, _version)
    __all__.append(_name)
del _version, _name
