"""mx.gluon: blocks, layers, losses, data and training."""

from .._missing import later
from . import block, data, loss, nn, parameter, rnn, trainer, utils  # noqa: F401
from .block import Block, HybridBlock, SymbolBlock
from .parameter import Constant, DeferredInitializationError, Parameter, ParameterDict
from .trainer import Trainer

__all__ = [
    "Block",
    "Constant",
    "DeferredInitializationError",
    "HybridBlock",
    "Parameter",
    "ParameterDict",
    "SymbolBlock",
    "Trainer",
]

__getattr__ = later("mxnet.gluon", "contrib", "model_zoo")
