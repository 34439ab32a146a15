"""Exceptions of the dialect.

All are MXNetError, as programs expect; where Python has a class of its own for what went wrong they
are that as well. What a class is called in the text of a traceback is always MXNetError.
"""

__all__ = ["MXNetError", "NotBuiltError"]


class MXNetError(RuntimeError):
    """What failed in the backend, or was refused by it."""

    __module__ = "mxnet.base"
    _kind = "runtime"

    def __reduce__(self):
        return (_restored, (self._kind, self.args))


def _also(kind, *builtins):
    """MXNetError that `except ValueError:` and the like catch too."""
    fields = {"__module__": "mxnet.base", "__doc__": builtins[0].__doc__, "_kind": kind}
    return type("MXNetError", (MXNetError, *builtins), fields)


MXNetValueError = _also("value", ValueError)
MXNetTypeError = _also("type", TypeError)
MXNetIndexError = _also("index", IndexError)
MXNetMemoryError = _also("memory", MemoryError)
MXNetTimeoutError = _also("timeout", TimeoutError)
MXNetKeyError = _also("key", ValueError, IndexError)
NotArrayError = _also("operand", AssertionError, TypeError)


class NotBuiltError(MXNetError, NotImplementedError):
    """A part of MXNet that this package does not have."""

    __module__ = "mxnet.base"
    _kind = "not built"


# For penstock.Dialect: which class is raised for what.
ERRORS = {
    "value": MXNetValueError,
    "type": MXNetTypeError,
    "index": MXNetIndexError,
    "memory": MXNetMemoryError,
    "timeout": MXNetTimeoutError,
    "key": MXNetKeyError,
    "operand": NotArrayError,
    "runtime": MXNetError,
}


def _restored(kind, args):
    """An exception out of a pickle, which names this function whatever the module is called."""
    return (NotBuiltError if kind == "not built" else ERRORS[kind])(*args)
