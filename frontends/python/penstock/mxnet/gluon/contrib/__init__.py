"""mx.gluon.contrib: further layers and recurrent cells."""

from ..._missing import missing
from . import nn, rnn

__all__ = ["nn", "rnn"]

__getattr__ = missing("mxnet.gluon.contrib")
