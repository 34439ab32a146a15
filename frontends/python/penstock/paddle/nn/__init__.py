"""paddle.nn: layers, losses and what they are made with."""

from .. import _missing
from . import functional, initializer
from ._attribute import ParamAttr  # noqa: F401
from .clip import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue  # noqa: F401
from .layer import activation, common, container, conv, loss, norm, pooling
from .layer.layers import Layer

_MODULES = (activation, common, container, conv, loss, norm, pooling)
for _module in _MODULES:
    globals().update(
        (_name, _one)
        for _name, _one in vars(_module).items()
        if isinstance(_one, type) and issubclass(_one, Layer) and _name[0] != "_"
    )
del _module

_RECURRENT = (
    "BiRNN GRU GRUCell LSTM LSTMCell RNN RNNBase RNNCellBase SimpleRNN SimpleRNNCell"
).split()

__all__ = [
    *sorted(name for name, one in list(globals().items()) if isinstance(one, type)),
    *_RECURRENT,
    "functional",
    "initializer",
]
_not_here = _missing.missing("paddle.nn")


def __getattr__(name):
    if name in _RECURRENT:
        from importlib import import_module

        found = getattr(import_module(f"{__name__}.layer.rnn"), name)
        globals()[name] = found
        return found
    return _not_here(name)


def __dir__():
    return sorted({*globals(), *_RECURRENT})
