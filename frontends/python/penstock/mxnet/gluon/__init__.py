"""mx.gluon: blocks, layers, losses, data and training."""

from .._missing import missing
from . import block, contrib, data, loss, model_zoo, nn, parameter, rnn, trainer, utils  # noqa: F401
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

__getattr__ = missing("mxnet.gluon")
