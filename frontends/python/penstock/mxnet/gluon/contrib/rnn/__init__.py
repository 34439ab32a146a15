"""mx.gluon.contrib.rnn: further recurrent cells."""

from ...._missing import missing
from . import conv_rnn_cell, rnn_cell
from .conv_rnn_cell import *  # noqa: F403
from .rnn_cell import *  # noqa: F403

__all__ = [*conv_rnn_cell.__all__, *rnn_cell.__all__]

__getattr__ = missing("mxnet.gluon.contrib.rnn")
