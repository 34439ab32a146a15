"""paddle.nn.functional: what layers compute, as functions."""

from ...._common.namespaces import bring as _bring
from ... import _missing
from . import activation, common, conv, loss, norm, pooling

__all__ = _bring(globals(), activation, common, conv, loss, norm, pooling)

__getattr__ = _missing.missing("paddle.nn.functional")
