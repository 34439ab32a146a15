"""mx.gluon.rnn: recurrent layers over whole sequences, and cells that make one step."""

from ..._missing import missing
from . import rnn_cell, rnn_layer
from .rnn_cell import *  # noqa: F403
from .rnn_layer import *  # noqa: F403

__all__ = [*rnn_cell.__all__, *rnn_layer.__all__]

__getattr__ = missing("mxnet.gluon.rnn")
