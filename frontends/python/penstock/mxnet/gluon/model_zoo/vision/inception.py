"""Inception V3: Szegedy and others, "Rethinking the inception architecture for computer vision",
2015."""

from ....context import cpu
from ... import nn
from ...contrib.nn import HybridConcurrent
from ..model_store import ROOT, loaded
from ._parts import Classifier

__all__ = ["Inception3", "inception_v3"]

_MODULE = "mxnet.gluon.model_zoo.vision.inception"


def _convolution(channels, kernel_size, strides=1, padding=0):
    part = nn.HybridSequential(prefix="")
    part.add(nn.Conv2D(channels, kernel_size, strides, padding, use_bias=False))
    part.add(nn.BatchNorm(epsilon=0.001), nn.Activation("relu"))
    return part


def _branch(*convolutions, pool=None):
    """One layer behind the other: perhaps a pooling, then convolutions by their arguments."""
    branch = nn.HybridSequential(prefix="")
    if pool == "avg":
        branch.add(nn.AvgPool2D(pool_size=3, strides=1, padding=1))
    elif pool == "max":
        branch.add(nn.MaxPool2D(pool_size=3, strides=2))
    for arguments in convolutions:
        branch.add(_convolution(*arguments))
    return branch


def _forked(*convolutions):
    """A branch that ends in two convolutions side by side."""
    branch, ends = nn.HybridSequential(prefix=""), HybridConcurrent(axis=1, prefix="")
    branch.add(_branch(*convolutions))
    ends.add(_branch((384, (1, 3), 1, (0, 1))), _branch((384, (3, 1), 1, (1, 0))))
    branch.add(ends)
    return branch


def _side_by_side(prefix, branches):
    """The channels of all branches; `branches` makes them, within the names of the whole."""
    whole = HybridConcurrent(axis=1, prefix=prefix)
    with whole.name_scope():
        whole.add(*branches())
    return whole


def _a(pooled, prefix):
    def branches():
        yield _branch((64, 1))
        yield _branch((48, 1), (64, 5, 1, 2))
        yield _branch((64, 1), (96, 3, 1, 1), (96, 3, 1, 1))
        yield _branch((pooled, 1), pool="avg")

    return _side_by_side(prefix, branches)


def _b(prefix):
    def branches():
        yield _branch((384, 3, 2))
        yield _branch((64, 1), (96, 3, 1, 1), (96, 3, 2))
        yield _branch(pool="max")

    return _side_by_side(prefix, branches)


_ROW, _COLUMN = ((1, 7), 1, (0, 3)), ((7, 1), 1, (3, 0))


def _c(inner, prefix):
    def branches():
        yield _branch((192, 1))
        yield _branch((inner, 1), (inner, *_ROW), (192, *_COLUMN))
        yield _branch(
            (inner, 1), (inner, *_COLUMN), (inner, *_ROW), (inner, *_COLUMN), (192, *_ROW)
        )
        yield _branch((192, 1), pool="avg")

    return _side_by_side(prefix, branches)


def _d(prefix):
    def branches():
        yield _branch((192, 1), (320, 3, 2))
        yield _branch((192, 1), (192, *_ROW), (192, *_COLUMN), (192, 3, 2))
        yield _branch(pool="max")

    return _side_by_side(prefix, branches)


def _e(prefix):
    def branches():
        yield _branch((320, 1))
        yield _forked((384, 1))
        yield _forked((448, 1), (384, 3, 1, 1))
        yield _branch((192, 1), pool="avg")

    return _side_by_side(prefix, branches)


class Inception3(Classifier):
    """Blocks of branches side by side, for pictures of 299 x 299."""

    __module__ = _MODULE

    def __init__(self, classes=1000, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            self.features.add(*self._first(), *self._blocks(), *self._last())
            self.output = nn.Dense(classes)

    @staticmethod
    def _first():
        yield _convolution(32, 3, 2)
        yield _convolution(32, 3)
        yield _convolution(64, 3, 1, 1)
        yield nn.MaxPool2D(pool_size=3, strides=2)
        yield _convolution(80, 1)
        yield _convolution(192, 3)
        yield nn.MaxPool2D(pool_size=3, strides=2)

    @staticmethod
    def _blocks():
        for number, pooled in enumerate((32, 64, 64), 1):
            yield _a(pooled, f"A{number}_")
        yield _b("B_")
        for number, inner in enumerate((128, 160, 160, 192), 1):
            yield _c(inner, f"C{number}_")
        yield _d("D_")
        for number in (1, 2):
            yield _e(f"E{number}_")

    @staticmethod
    def _last():
        yield nn.AvgPool2D(pool_size=8)
        yield nn.Dropout(0.5)


def inception_v3(pretrained=False, ctx=cpu(), root=ROOT, **kwargs):
    """Inception V3; with pretrained, with the parameters of a file in the folder root."""
    return loaded(Inception3(**kwargs), "inceptionv3", pretrained, ctx, root)


inception_v3.__module__ = _MODULE
