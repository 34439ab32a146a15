"""DenseNet: Huang and others, "Densely connected convolutional networks", 2016."""

from ....context import cpu
from ... import nn
from ...contrib.nn import HybridConcurrent, Identity
from ..model_store import ROOT, loaded
from ._parts import Classifier, named

__all__ = ["DenseNet"]

_MODULE = "mxnet.gluon.model_zoo.vision.densenet"

# By the number of layers: channels at first, how many each layer adds, and layers of each block.
_SPECS = {
    121: (64, 32, (6, 12, 24, 16)),
    161: (96, 48, (6, 12, 36, 24)),
    169: (64, 32, (6, 12, 32, 32)),
    201: (64, 32, (6, 12, 48, 32)),
}


def _layer(growth_rate, bn_size, dropout):
    """The input, and beside it the channels that two convolutions make of it."""
    new = nn.HybridSequential(prefix="")
    new.add(nn.BatchNorm(), nn.Activation("relu"))
    new.add(nn.Conv2D(bn_size * growth_rate, kernel_size=1, use_bias=False))
    new.add(nn.BatchNorm(), nn.Activation("relu"))
    new.add(nn.Conv2D(growth_rate, kernel_size=3, padding=1, use_bias=False))
    if dropout:
        new.add(nn.Dropout(dropout))
    both = HybridConcurrent(axis=1, prefix="")
    both.add(Identity(), new)
    return both


def _block(count, growth_rate, bn_size, dropout, place):
    block = nn.HybridSequential(prefix=f"stage{place + 1}_")
    with block.name_scope():
        for _ in range(count):
            block.add(_layer(growth_rate, bn_size, dropout))
    return block


def _between(channels):
    """From one block to the next: fewer channels, half of the height and width."""
    part = nn.HybridSequential(prefix="")
    part.add(nn.BatchNorm(), nn.Activation("relu"))
    part.add(nn.Conv2D(channels, kernel_size=1, use_bias=False))
    part.add(nn.AvgPool2D(pool_size=2, strides=2))
    return part


class DenseNet(Classifier):
    """Blocks of layers that all see what the layers of their block before them have made."""

    __module__ = _MODULE

    def __init__(
        self,
        num_init_features,
        growth_rate,
        block_config,
        bn_size=4,
        dropout=0,
        classes=1000,
        **kwargs,
    ):
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            self.features.add(
                nn.Conv2D(num_init_features, 7, strides=2, padding=3, use_bias=False),
                nn.BatchNorm(),
                nn.Activation("relu"),
                nn.MaxPool2D(pool_size=3, strides=2, padding=1),
            )
            channels = num_init_features
            for place, count in enumerate(block_config):
                self.features.add(_block(count, growth_rate, bn_size, dropout, place))
                channels += count * growth_rate
                if place != len(block_config) - 1:
                    channels //= 2
                    self.features.add(_between(channels))
            self.features.add(
                nn.BatchNorm(), nn.Activation("relu"), nn.AvgPool2D(pool_size=7), nn.Flatten()
            )
            self.output = nn.Dense(classes)


def get_densenet(num_layers, pretrained=False, ctx=cpu(), root=ROOT, **kwargs):
    """DenseNet with 121, 161, 169 or 201 layers."""
    network = DenseNet(*_SPECS[num_layers], **kwargs)
    return loaded(network, f"densenet{num_layers}", pretrained, ctx, root)


get_densenet.__module__ = _MODULE

for _layers in _SPECS:
    _name = f"densenet{_layers}"
    globals()[_name] = named(_name, get_densenet, _layers)
    __all__.append(_name)
del _layers, _name
