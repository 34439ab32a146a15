"""Arrays in files: the safetensors format, and MXNet's `.params`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from . import _core
from ._core import asarray as _asarray, dtype as _dtype, ndarray as _ndarray

__all__ = ["Safetensors", "load", "save"]

_SAFETENSORS, _PARAMS = ".safetensors", ".params"
_PARAMS_START = (0x112).to_bytes(8, "little")


def __dir__() -> list[str]:
    return __all__


class Safetensors:
    """An open safetensors file: names, element types and shapes, and arrays that are read when
    they are asked for.

    Without `copy` arrays share the memory of the file, which is mapped: they are read when their
    elements are used, and what writes to one gives it memory of its own. The file must then
    neither be written to nor made shorter while such an array lives; replacing it, as `save` does,
    is harmless. Arrays of truth values are copied all the same.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/a.safetensors"
    >>> ps.save(path, {"w": ps.ones((2, 3)), "b": ps.zeros(3)}, {"made by": "me"})
    >>> with ps.files.Safetensors(path) as file:
    ...     print(list(file), file.metadata, file["b"])
    ['w', 'b'] {'made by': 'me'} [0. 0. 0.]
    """

    def __init__(self, path: str | os.PathLike[str], copy: bool = True) -> None:
        self._path = path
        self._file, entries, self._metadata = _core._safetensors_open(path, not copy)
        self._entries = {name: (i, kind, shape) for i, (name, kind, shape) in enumerate(entries)}

    def _entry(self, name: str) -> tuple[int, _dtype, tuple[int, ...]]:
        if name not in self._entries:
            raise KeyError(f"{os.fspath(self._path)}: no array of {len(self)} is called {name!r}")
        return self._entries[name]

    def __getitem__(self, name: str) -> _ndarray:
        index = self._entry(name)[0]
        if self._file is None:
            raise ValueError(f"{os.fspath(self._path)}: the file is closed")
        array: _ndarray = _core._safetensors_read(self._file, index, self._path)
        return array

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __enter__(self) -> Safetensors:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Safetensors {os.fspath(self._path)!r}: {len(self)} arrays>"

    def keys(self) -> list[str]:
        """The names of all arrays, in the order of the file; `dict(file)` reads all.

        >>> import tempfile
        >>> path = tempfile.mkdtemp() + "/a.safetensors"
        >>> ps.save(path, {"w": ps.ones(2)})
        >>> ps.files.Safetensors(path).keys()
        ['w']
        """
        return list(self._entries)

    def info(self, name: str) -> tuple[_dtype, tuple[int, ...]]:
        """The element type and the shape of an array, which is not read.

        >>> import tempfile
        >>> path = tempfile.mkdtemp() + "/a.safetensors"
        >>> ps.save(path, {"w": ps.ones((2, 3))})
        >>> ps.files.Safetensors(path).info("w")
        (penstock.float32, (2, 3))
        """
        _, kind, shape = self._entry(name)
        return kind, shape

    @property
    def metadata(self) -> dict[str, str]:
        """The texts that were saved beside the arrays, by key.

        >>> import tempfile
        >>> path = tempfile.mkdtemp() + "/a.safetensors"
        >>> ps.save(path, {}, {"epoch": "3"})
        >>> ps.files.Safetensors(path).metadata
        {'epoch': '3'}
        """
        return dict(self._metadata)

    def close(self) -> None:
        """Closes the file; arrays that were read stay.

        >>> import tempfile
        >>> path = tempfile.mkdtemp() + "/a.safetensors"
        >>> ps.save(path, {"w": ps.ones(2)})
        >>> ps.files.Safetensors(path).close()
        """
        self._file = None


def _suffix(path: str | bytes | os.PathLike[str]) -> str:
    return os.path.splitext(os.fsdecode(path))[1]


def _as_arrays(values: Iterable[object]) -> list[_ndarray]:
    return [value if isinstance(value, _ndarray) else _asarray(value) for value in values]


def _pairs(metadata: Mapping[str, str] | None) -> tuple[str, ...]:
    """Keys and values in turn."""
    for key, value in (metadata or {}).items():
        if not isinstance(key, str) or not isinstance(value, str):
            raise TypeError(f"save: metadata must be texts by texts, not {key!r}: {value!r}")
    return tuple(text for pair in (metadata or {}).items() for text in pair)


def save(
    path: str | os.PathLike[str],
    arrays: Mapping[str, object] | Sequence[object],
    metadata: Mapping[str, str] | None = None,
) -> None:
    """Writes arrays by name into a file; what it ends with, `.safetensors` or `.params`, says how.

    Waits for the arrays. The file is replaced as a whole: it is always the old one or the new one.
    A `.params` file may have a list of arrays without names, and has no metadata.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/model.safetensors"
    >>> ps.save(path, {"weight": ps.ones((2, 2)), "bias": ps.zeros(2)}, metadata={"epoch": "3"})
    >>> ps.load(path)["bias"]
    array([0., 0.])
    """
    kind = _suffix(path)
    if kind not in (_SAFETENSORS, _PARAMS):
        raise ValueError(f"save: {os.fspath(path)!r} must end with {_SAFETENSORS} or {_PARAMS}")
    named = isinstance(arrays, Mapping)
    values = _as_arrays(arrays.values() if isinstance(arrays, Mapping) else arrays)
    names = list(arrays) if isinstance(arrays, Mapping) else None
    pairs = _pairs(metadata)
    if kind == _PARAMS:
        if pairs:
            raise ValueError(f"save: a {_PARAMS} file has no metadata: {metadata!r}")
        _core._params_save(path, names, values, 3)
        return
    if not named:
        raise TypeError(f"save: arrays in a {_SAFETENSORS} file have names: give a dict of them")
    _core._safetensors_save(path, names, values, pairs)


def _is_params(path: str | os.PathLike[str]) -> bool:
    """By its first bytes. Those of a safetensors file may be the same number, a length; a brace
    follows there."""
    with open(os.fspath(path), "rb") as file:  # a number would be a file that is open
        start = file.read(9)
    return start.startswith(_PARAMS_START) and not start.endswith(b"{")


def load(
    path: str | os.PathLike[str], names: Iterable[str] | None = None, copy: bool = True
) -> dict[str, _ndarray] | list[_ndarray]:
    """The arrays of a file that `save` or another library wrote: a dict by name, or a list if they
    have no names. Both formats are known by their content.

    `names` are the only ones that are read. With `copy=False` arrays of a safetensors file share
    its memory: see `ps.files.Safetensors`.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/model.safetensors"
    >>> ps.save(path, {"weight": ps.ones((2, 2)), "bias": ps.zeros(2)})
    >>> ps.load(path, names=["bias"])
    {'bias': array([0., 0.])}
    """
    if not _is_params(path):
        with Safetensors(path, copy) as file:
            return {name: file[name] for name in (file if names is None else names)}
    arrays, found = _core._params_load(path)
    if found is None:
        if names is not None:
            raise ValueError(f"load: the arrays of {os.fspath(path)!r} have no names")
        return list(arrays)
    all_of_it = dict(zip(found, arrays))
    missing = [name for name in names or () if name not in all_of_it]
    if missing:
        raise KeyError(f"{os.fspath(path)}: no array of {len(all_of_it)} is called {missing[0]!r}")
    return all_of_it if names is None else {name: all_of_it[name] for name in names}
