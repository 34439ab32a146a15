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


class NotImplementedForSymbol(MXNetError):
    """What MXNet raises for a function of arrays that is called on a symbol."""

    __module__ = "mxnet.base"


class NotSupportedForSparseNDArray(MXNetError):
    """What MXNet raises for a function of dense arrays that is called on a sparse one."""

    __module__ = "mxnet.base"


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


# ---- What programs and tests take from here ------------------------------------------------------

string_types = (str,)


def py_str(x):
    """The text of bytes."""
    return x.decode("utf-8")


def data_dir():
    """The folder for data sets and models: MXNET_HOME, or .mxnet at home."""
    import os

    default = os.path.join(os.path.expanduser("~"), ".mxnet")
    return os.environ.get("MXNET_HOME", default)


def _as_list(obj):
    """A list or tuple as it is, anything else in a list."""
    return obj if isinstance(obj, (list, tuple)) else [obj]


def __getattr__(name):
    """Tuples with NumPy's types, which is loaded when they are asked for."""
    if name == "integer_types":
        from numpy import int32, int64

        return int, int, int32, int64
    if name == "numeric_types":
        from numpy import generic

        return float, int, int, generic
    return _not_here(name)


def _not_here(name):
    from ._missing import missing

    return missing("mxnet.base")(name)
