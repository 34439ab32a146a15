"""The layers, each in a module named for its kind."""

from ...._common.namespaces import bring as _bring
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

__all__ = _bring(
    globals(),
    *(activation, batchnorm, container, conv, distance, dropout, flatten, fold, instancenorm),
    *(linear, loss, module, normalization, padding, pixelshuffle, pooling, rnn, sparse),
    upsampling,
)

__getattr__ = _missing.missing("torch.nn.modules")
