"""paddle.optimizer: steps of parameters by their gradients, and schedules of the rate."""

from .. import _missing
from . import lr
from ._kinds import SGD, Adadelta, Adagrad, Adam, AdamW, Momentum, RMSProp
from ._optimizer import Optimizer

__all__ = "Adadelta Adagrad Adam AdamW Momentum Optimizer RMSProp SGD lr".split()

__getattr__ = _missing.missing("paddle.optimizer")
