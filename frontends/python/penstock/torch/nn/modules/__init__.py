"""The layers, each in a module named for its kind."""

from ... import _missing
from . import (  # noqa: F401
    activation,
    batchnorm,
    container,
    conv,
    distance,
    dropout,
    flatten,
    fold,
    instancenorm,
    lazy,
    linear,
    loss,
    module,
    normalization,
    padding,
    pixelshuffle,
    pooling,
    rnn,
    sparse,
    upsampling,
)

__all__ = []
for _one in (
    *(activation, batchnorm, container, conv, distance, dropout, flatten, fold, instancenorm),
    *(linear, loss, module, normalization, padding, pixelshuffle, pooling, rnn, sparse),
    upsampling,
):
    __all__ += _one.__all__
    globals().update((_name, getattr(_one, _name)) for _name in _one.__all__)
del _one

__getattr__ = _missing.missing("torch.nn.modules")
