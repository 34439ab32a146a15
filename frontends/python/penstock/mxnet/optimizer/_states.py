"""States of optimisers as bytes: pickles as MXNet writes them, which it can read, and ours of it.

In such a pickle an array is its class, by name, and the bytes that it has in a .params file. The
classes of optimisers and schedulers are written by the names that they have there, too.
"""

import pickle
import struct
from io import BytesIO

from ... import _core
from .._dialects import native
from .._mode import mode
from .._nd_array import NDArray
from .._pickles import Pickled, found
from ..ndarray import load_frombuffer

_TYPES = {
    name: code
    for code, name in enumerate(
        ("float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool")
    )
}
_ARRAYS = {
    ("mxnet.ndarray.ndarray", "NDArray"),
    ("mxnet.numpy", "ndarray"),
    ("mxnet.numpy.multiarray", "ndarray"),
}


def _array_bytes(array):
    """An array as a .params file has it. Waits."""
    array = native(array)
    version = 0xF993FACA if mode.shape else 0xF993FAC9
    shape = struct.pack(f"<i{array.ndim}q", array.ndim, *array.shape)
    where = struct.pack("<iii", 1, 0, _TYPES[str(array.dtype)])
    return bytearray(struct.pack("<Ii", version, 0) + shape + where + array.tobytes())


def _array_of(data):
    """The array whose bytes they are."""
    file = struct.pack("<QQQ", 0x112, 0, 1) + bytes(data) + struct.pack("<Q", 0)
    mode_before, mode.shape = mode.shape, True  # arrays of both modes are read
    try:
        return load_frombuffer(file)[0]
    finally:
        mode.shape = mode_before


class _Pickler(pickle._Pickler):
    """Writes classes of this package by their names in MXNet, whether or not it is there."""

    def save_global(self, obj, name=None):
        if getattr(obj, "__module__", "").startswith("mxnet."):
            self.save(obj.__module__)
            self.save(obj.__qualname__)
            self.write(pickle.STACK_GLOBAL)
            self.memoize(obj)
        else:
            super().save_global(obj, name)

    def reducer_override(self, obj):
        if isinstance(obj, _core.ndarray):
            return NDArray, (None,), {"handle": _array_bytes(obj)}
        if isinstance(obj, Pickled):
            return object.__reduce_ex__(obj, 4)
        return NotImplemented


class _Stored:
    """An array while a pickle is read."""

    def __init__(self, handle):
        self.array = None

    def __setstate__(self, state):
        if state.get("handle") is not None:
            self.array = _array_of(state["handle"])


class _Unpickler(pickle.Unpickler):
    """Finds classes of MXNet in this package."""

    def find_class(self, module, name):
        if (module, name) in _ARRAYS:
            return _Stored
        if module == "mxnet" or module.startswith("mxnet."):
            return found(f"{module}.{name}")
        return super().find_class(module, name)


def _holds_arrays(value):
    inner = value.values() if isinstance(value, dict) else value
    if isinstance(inner, (list, tuple, type({}.values()))):
        return any(map(_holds_arrays, inner))
    return isinstance(value, _Stored)


def _with_arrays(value):
    """What was read, with arrays in the places of what stood for them."""
    if isinstance(value, _Stored):
        return value.array
    if isinstance(value, dict):
        return {key: _with_arrays(one) for key, one in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(_with_arrays, value))
    if isinstance(value, Pickled):
        for key, one in vars(value).items():
            if _holds_arrays(one):  # what holds none stays the object that it is, and shared
                vars(value)[key] = _with_arrays(one)
    return value


def dumps(states):
    """The bytes of states, alone or with an optimiser."""
    file = BytesIO()
    _Pickler(file, 4).dump(states)
    return file.getvalue()


def loads(data):
    """The states, or states and optimiser, of such bytes."""
    return _with_arrays(_Unpickler(BytesIO(data)).load())
