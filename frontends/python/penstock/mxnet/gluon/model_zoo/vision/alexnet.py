"""AlexNet: Krizhevsky, "One weird trick for parallelizing convolutional neural networks", 2014."""

from ....context import cpu
from ... import nn
from ..model_store import ROOT, loaded
from ._parts import Classifier

__all__ = ["AlexNet", "alexnet"]

_MODULE = "mxnet.gluon.model_zoo.vision.alexnet"


class AlexNet(Classifier):
    """Five convolutions and three dense layers."""

    __module__ = _MODULE

    def __init__(self, classes=1000, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            with self.features.name_scope():
                self.features.add(*self._convolutions(), nn.Flatten(), *self._dense())
            self.output = nn.Dense(classes)

    @staticmethod
    def _convolutions():
        relu = {"activation": "relu"}
        yield nn.Conv2D(64, kernel_size=11, strides=4, padding=2, **relu)
        yield nn.MaxPool2D(pool_size=3, strides=2)
        yield nn.Conv2D(192, kernel_size=5, padding=2, **relu)
        yield nn.MaxPool2D(pool_size=3, strides=2)
        for channels in (384, 256, 256):
            yield nn.Conv2D(channels, kernel_size=3, padding=1, **relu)
        yield nn.MaxPool2D(pool_size=3, strides=2)

    @staticmethod
    def _dense():
        for _ in range(2):
            yield nn.Dense(4096, activation="relu")
            yield nn.Dropout(0.5)


def alexnet(pretrained=False, ctx=cpu(), root=ROOT, **kwargs):
    """AlexNet; with pretrained, with the parameters of a file in the folder root."""
    return loaded(AlexNet(**kwargs), "alexnet", pretrained, ctx, root)


alexnet.__module__ = _MODULE
