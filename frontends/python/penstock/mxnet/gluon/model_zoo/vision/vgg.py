"""VGG: Simonyan and Zisserman, "Very deep convolutional networks for large-scale image
recognition", 2014."""

from ....context import cpu
from ....initializer import Xavier
from ... import nn
from ..model_store import ROOT, loaded
from ._parts import Classifier, named

__all__ = ["VGG", "get_vgg"]

_MODULE = "mxnet.gluon.model_zoo.vision.vgg"

# By the number of layers that have weights, how many convolutions each stage has.
_STAGES = {11: (1, 1, 2, 2, 2), 13: (2, 2, 2, 2, 2), 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}
_CHANNELS = (64, 128, 256, 512, 512)


class VGG(Classifier):
    """Stages of convolutions, each followed by a pooling, and three dense layers."""

    __module__ = _MODULE

    def __init__(self, layers, filters, classes=1000, batch_norm=False, **kwargs):
        assert len(layers) == len(filters), "a number of channels is needed for each stage"
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = self._stages(layers, filters, batch_norm)
            for _ in range(2):
                self.features.add(
                    nn.Dense(
                        4096,
                        activation="relu",
                        weight_initializer="normal",
                        bias_initializer="zeros",
                    )
                )
                self.features.add(nn.Dropout(rate=0.5))
            self.output = nn.Dense(
                classes, weight_initializer="normal", bias_initializer="zeros"
            )

    def _stages(self, layers, filters, batch_norm):
        features = nn.HybridSequential(prefix="")
        settings = {
            "kernel_size": 3,
            "padding": 1,
            "weight_initializer": Xavier(rnd_type="gaussian", factor_type="out", magnitude=2),
            "bias_initializer": "zeros",
        }
        for count, channels in zip(layers, filters, strict=True):
            for _ in range(count):
                features.add(nn.Conv2D(channels, **settings))
                if batch_norm:
                    features.add(nn.BatchNorm())
                features.add(nn.Activation("relu"))
            features.add(nn.MaxPool2D(strides=2))
        return features


def get_vgg(num_layers, pretrained=False, ctx=cpu(), root=ROOT, **kwargs):
    """VGG with 11, 13, 16 or 19 layers; batch_norm=True normalises after each convolution."""
    network = VGG(_STAGES[num_layers], _CHANNELS, **kwargs)
    normalised = "_bn" if kwargs.get("batch_norm") else ""
    return loaded(network, f"vgg{num_layers}{normalised}", pretrained, ctx, root)


get_vgg.__module__ = _MODULE


def _normalised(num_layers, **kwargs):
    return get_vgg(num_layers, **{**kwargs, "batch_norm": True})


_normalised.__module__ = _MODULE

for _layers in _STAGES:
    globals()[f"vgg{_layers}"] = named(f"vgg{_layers}", get_vgg, _layers)
    globals()[f"vgg{_layers}_bn"] = named(f"vgg{_layers}_bn", _normalised, _layers)
    __all__ += [f"vgg{_layers}", f"vgg{_layers}_bn"]
del _layers
