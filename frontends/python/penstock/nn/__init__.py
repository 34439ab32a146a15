"""Neural networks: functions of the table of operations, and layers over them.

>>> ps.nn.relu(ps.array([-1.0, 2.0]))
array([0., 2.])
>>> net = ps.nn.Sequential(ps.nn.Dense(64, "relu"), ps.nn.Dense(1)).initialize()
>>> net(ps.ones((8, 5))).shape
(8, 1)

A layer is a `Block`: parameters and a function of them. `init` has what their elements may be at
first.
"""

from .. import _core

# Other names of activations.
_SPELLINGS = {"swish": "silu"}

from . import init  # noqa: E402
from ._activations import (  # noqa: E402
    ELU,
    GELU,
    Activation,
    HardSigmoid,
    HardSwish,
    LeakyReLU,
    LogSoftmax,
    Mish,
    ReLU,
    ReLU6,
    Sigmoid,
    SiLU,
    Softmax,
    Softplus,
    Softsign,
    Tanh,
)
from ._block import Block  # noqa: E402
from ._containers import Flatten, Lambda, Sequential  # noqa: E402
from ._convolution import Conv2D, Conv2DTranspose  # noqa: E402
from ._dense import Dense  # noqa: E402
from ._dropout import Dropout  # noqa: E402
from ._embedding import Embedding  # noqa: E402
from ._hook import Hook  # noqa: E402
from ._losses import (  # noqa: E402
    HingeLoss,
    HuberLoss,
    KLDivLoss,
    L1Loss,
    L2Loss,
    LogisticLoss,
    Loss,
    SigmoidBCELoss,
    SoftmaxCELoss,
    SquaredHingeLoss,
)
from ._norms import BatchNorm, LayerNorm  # noqa: E402
from ._parameter import NotInitialized, Parameter  # noqa: E402
from ._pooling import AvgPool2D, GlobalAvgPool2D, GlobalMaxPool2D, MaxPool2D  # noqa: E402
from ._recurrent import GRU, LSTM, RNN  # noqa: E402

_CLASSES = (
    Activation,
    AvgPool2D,
    BatchNorm,
    Block,
    Conv2D,
    Conv2DTranspose,
    Dense,
    Dropout,
    ELU,
    Embedding,
    Flatten,
    GELU,
    GRU,
    GlobalAvgPool2D,
    GlobalMaxPool2D,
    HardSigmoid,
    HardSwish,
    HingeLoss,
    Hook,
    HuberLoss,
    KLDivLoss,
    L1Loss,
    L2Loss,
    LSTM,
    Lambda,
    LayerNorm,
    LeakyReLU,
    LogSoftmax,
    LogisticLoss,
    Loss,
    MaxPool2D,
    Mish,
    NotInitialized,
    Parameter,
    RNN,
    ReLU,
    ReLU6,
    Sequential,
    SiLU,
    Sigmoid,
    SigmoidBCELoss,
    Softmax,
    SoftmaxCELoss,
    Softplus,
    Softsign,
    SquaredHingeLoss,
    Tanh,
)

for _class in _CLASSES:
    _class.__module__ = __name__
del _class

__all__ = ["init", "linear", *(one.__name__ for one in _CLASSES), *_core._nn]

globals().update(_core._nn)


def __dir__():
    return __all__


def linear(x, weight, bias=None, activation=None):
    """x @ weight.T + bias, then an activation by its name: a layer in one call.

    >>> ps.nn.linear(ps.ones((1, 3)), ps.ones((2, 3)), ps.array([0.0, -5.0]), 'relu')
    array([[3., 0.]])
    """
    return _core._ops["linear"](x, weight, bias, _SPELLINGS.get(activation, activation))
