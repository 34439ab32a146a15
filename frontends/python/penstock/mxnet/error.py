"""mx.error: kinds of MXNetError, and how programs add theirs."""

from ._missing import missing
from .base import MXNetError

__all__ = ["InternalError", "MXNetError", "register"]

_kinds = {}


def register(func_name=None, cls=None):
    """A decorator that notes a class of exceptions by its name, or by another one."""
    if callable(func_name):
        return register(func_name.__name__, func_name)

    def noted(kind):
        _kinds[func_name if isinstance(func_name, str) else kind.__name__] = kind
        return kind

    return noted if cls is None else noted(cls)


@register
class InternalError(MXNetError):
    """A fault of the library itself."""

    __module__ = "mxnet.error"

    def __reduce__(self):
        return (InternalError, self.args)


__getattr__ = missing("mxnet.error")
