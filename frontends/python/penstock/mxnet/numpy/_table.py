"""Functions of mx.np that are one operation of the table, with MXNet's names for arguments."""

from ... import _core
from .. import _dialects
from .._np_array import native_dtype, ndarray
from ..base import MXNetTypeError, NotArrayError


def op(operation, name=None, signature=None, *, module="mxnet.numpy", **others):
    """The function of an operation; `others` as in _dialects.table."""
    return _dialects.table(_dialects.np, operation, name or operation, signature, module, **others)


def composed(function, *args, **kwargs):
    """What a native function gives for arrays of mx.np, as such arrays."""
    return _dialects.call(ndarray, function, *args, **kwargs)


def copied(function, *args, **kwargs):
    """The same with copies where the function gives views."""
    return _dialects.copied(ndarray, function, *args, **kwargs)


def of_numpy(name):
    """A function of NumPy, for numbers: NumPy is imported when it is called."""

    def function(*args, **kwargs):
        import numpy

        return getattr(numpy, name)(*args, **kwargs)

    return function


def need_arrays(name, *arrays):
    """What MXNet refuses that is no array of mx.np, with an exception of its kind."""
    for array in arrays:
        if not isinstance(array, ndarray):
            if isinstance(array, _core.ndarray):
                raise TypeError(f"{name}: an array of mx.np is needed: use as_np_ndarray()")
            raise NotArrayError(f"{name}: an array of mx.np is needed, not {array!r:.100}")


def of_arrays(operation, name, signature, module="mxnet.numpy"):
    """As op, for a function that MXNet gives no numbers."""

    def refuse(*args, **kwargs):
        raise NotArrayError(f"{name}: an array of mx.np is needed, not numbers")

    return op(operation, name, signature, numbers=refuse, module=module)


def into(out, result):
    """The result, or `out` with its elements, if that is an array; of several results, as many."""
    if out is None:
        return result
    if isinstance(result, list):
        return [into(*pair) for pair in zip(out, result, strict=True)]
    need_arrays("out", out)
    if native_dtype(out) is not native_dtype(result):
        raise MXNetTypeError(f"out has type {out.dtype}, the result {result.dtype}")
    return _dialects.written(out, result)
