"""Arrays in files of MXNet's format, `.params`."""

from ... import _core, waitall as _waitall
from .. import _dialects
from .._mode import mode
from .._nd_array import NDArray
from ..base import MXNetError

__all__ = ["load", "load_frombuffer", "save", "waitall"]


def _run(function, *args):
    """A native function of files; all that fails there is an MXNetError."""
    try:
        return function(*args)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        if isinstance(error, MXNetError):
            raise
        kind = _dialects.translated(error)
        raise (kind if isinstance(kind, MXNetError) else MXNetError(str(error))) from None


def saved(fname, data):
    """Writes arrays, a list of them or a dict with names."""
    if isinstance(data, NDArray):
        data = [data]
    if not isinstance(data, (list, dict)):
        raise ValueError(
            f"what is saved is one NDArray, several in a list, or several by name in a dict, not "
            f"{type(data)}"
        )
    names = list(data) if isinstance(data, dict) else None
    arrays = list(data.values()) if isinstance(data, dict) else data
    if not all(isinstance(name, str) for name in names or ()) or not all(
        isinstance(array, NDArray) for array in arrays
    ):
        raise TypeError("all that is saved must be NDArrays, and their names strings")
    _run(
        _core._params_save,
        fname,
        names,
        [_dialects.native(a) for a in arrays],
        3 if mode.shape else 2,
    )


def loaded(function, source, cls):
    """What is in a file or buffer: arrays in a list, or in a dict if they have names."""
    arrays, names = _run(function, source, mode.shape)
    if mode.shape and any(array.size == 0 for array in arrays):
        _check_lengths(source)
    arrays = [array.as_subclass(cls) for array in arrays]
    return arrays if names is None else dict(zip(names, arrays))


_HEAD, _OLDER = 24, b"\xc9\xfa\x93\xf9"  # before the first array, and how it may begin


def _check_lengths(source):
    """In files that were written outside of NumPy's mode a length of 0 means an unknown one."""
    if isinstance(source, str):
        with open(source, "rb") as file:
            source = file.read(_HEAD + 4)
    if source[_HEAD : _HEAD + 4] == _OLDER:
        raise MXNetError(
            "load: the file has arrays without elements and was written outside of np_shape; "
            "load it outside of np_shape too"
        )


def from_state(state):
    """An array out of the bytes that MXNet's own pickles have of one."""
    one = (0x112).to_bytes(8, "little") + bytes(8) + (1).to_bytes(8, "little")
    return loaded(_core._params_load_buffer, one + bytes(state) + bytes(8), NDArray)[0]


def save(fname, data):
    """Writes one array, or those of a list or of a dict by name, into a file. Waits for them."""
    values = data.values() if isinstance(data, dict) else data if isinstance(data, list) else [data]
    for value in values:
        if isinstance(value, NDArray) and type(value).__dialect__ is not _dialects.nd:
            raise TypeError(
                "this save is for arrays of mx.nd: arrays of mx.np are saved by npx.save"
            )
    saved(fname, data)


def load(fname):
    """The arrays in a file: a list, or a dict if they were saved with names."""
    if not isinstance(fname, str):
        raise TypeError(f"fname must be a string, not {type(fname)}")
    return loaded(_core._params_load, fname, NDArray)


def load_frombuffer(buf):
    """The arrays in the bytes of a file."""
    if not isinstance(buf, (str, bytes)):
        raise TypeError(f"buf must be bytes or a string, not {type(buf)}")
    buf = buf.encode() if isinstance(buf, str) else buf
    return loaded(_core._params_load_buffer, buf, NDArray)


def waitall():
    """Waits for everything that was queued; raises the oldest error that nobody has seen."""
    try:
        _waitall()
    except MXNetError:
        raise
    except (ValueError, TypeError, IndexError, MemoryError, RuntimeError) as error:
        raise _dialects.translated(error) from error
