"""mx.gluon.contrib: further layers."""

from ..._missing import missing
from . import nn  # noqa: F401

__all__ = []

__getattr__ = missing("mxnet.gluon.contrib")
