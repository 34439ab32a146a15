"""mx.optimizer: rules by which parameters are changed after each step.

Where the native library has the rule as one operation, all parameters of an update are changed by
one call (`_rows.py`); other rules are composed of elementwise operations (`_composed.py`,
`_layerwise.py`). Nothing waits.

>>> from penstock import mxnet as mx
>>> sgd = mx.optimizer.create("sgd", learning_rate=0.5)
>>> weight, gradient = mx.nd.array([1, 2]), mx.nd.array([1, 1])
>>> sgd.update(0, weight, gradient, sgd.create_state(0, weight))
>>> weight
<BLANKLINE>
[0.5 1.5]
<NDArray 2 @cpu(0)>
"""

from .._missing import missing
from ..ndarray import abs as NDabs
from . import contrib
from ._composed import DCASGD, FTML, NAG, SGLD, Adamax, Nadam, Signum, Test
from ._layerwise import LAMB, LARS, LBSGD
from ._optimizer import Optimizer, create, register
from ._rows import SGD, AdaDelta, AdaGrad, Adam, Ftrl, RMSProp, ccSGD
from ._updater import Updater, get_updater

__all__ = [
    *("AdaDelta", "AdaGrad", "Adam", "Adamax", "DCASGD", "FTML", "Ftrl", "LARS", "LBSGD", "NAG"),
    *("NDabs", "Nadam", "Optimizer", "RMSProp", "SGD", "SGLD", "Signum", "LAMB", "Test"),
    *("Updater", "ccSGD", "create", "get_updater", "register", "contrib"),
]

__getattr__ = missing("mxnet.optimizer")
