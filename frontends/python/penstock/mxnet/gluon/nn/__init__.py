"""mx.gluon.nn: layers.

>>> net = mx.gluon.nn.Sequential()
>>> net.add(mx.gluon.nn.Dense(64, activation="relu"), mx.gluon.nn.Dense(1))
>>> net.initialize()
>>> net(mx.nd.ones((8, 5))).shape
(8, 1)
"""

from ..._missing import missing
from ..block import Block, HybridBlock, SymbolBlock
from . import activations, basic_layers, conv_layers
from .activations import *  # noqa: F403
from .basic_layers import *  # noqa: F403
from .conv_layers import *  # noqa: F403

__all__ = [
    "Block",
    "HybridBlock",
    "SymbolBlock",
    *activations.__all__,
    *basic_layers.__all__,
    *conv_layers.__all__,
]

__getattr__ = missing("mxnet.gluon.nn")
