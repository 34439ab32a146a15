"""mx.gluon: layers and training. Not built yet: see _unbuilt.py."""

from .._unbuilt import names_of, unbuilt
from . import block, data, loss, model_zoo, nn, parameter, rnn, trainer, utils

__all__ = names_of("mxnet.gluon")

__getattr__ = unbuilt("mxnet.gluon")
