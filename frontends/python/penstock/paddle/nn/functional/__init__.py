"""paddle.nn.functional: what layers compute, as functions."""

from ... import _missing
from . import activation, common, conv, loss, norm, pooling
from .activation import *  # noqa: F403
from .common import *  # noqa: F403
from .conv import *  # noqa: F403
from .loss import *  # noqa: F403
from .norm import *  # noqa: F403
from .pooling import *  # noqa: F403

__all__ = [
    *activation.__all__,
    *common.__all__,
    *conv.__all__,
    *loss.__all__,
    *norm.__all__,
    *pooling.__all__,
]

__getattr__ = _missing.missing("paddle.nn.functional")
