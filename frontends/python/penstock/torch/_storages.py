"""Storages of a file: elements that are read when a tensor needs them, once for all its views."""

from .. import _core
from ._dtypes import ALL, TITLES
from ._tensor import Storage, Tensor, cast
from .._common.unpickle import refusal, shown

_as = _core.ndarray.as_subclass


class StorageType:
    """What a file calls torch.FloatStorage and the like: the element type of a storage."""

    __slots__ = ("title", "dtype")

    def __init__(self, title, dtype):
        self.title, self.dtype = title, dtype

    def __repr__(self):
        return f"torch.{self.title}Storage"


UNTYPED = StorageType("Untyped", ALL["uint8"])
TYPES = {title: StorageType(title, one) for one, title in TITLES.items()}


class Stored(Storage):
    """A storage of a file. `read` gives its bytes, `place` puts the elements on their device."""

    __slots__ = ("type", "key", "location", "length", "_read", "_place", "_made")

    def __init__(self, type, key, location, length, read, place):
        self.type, self.key, self.location, self.length = type, key, location, length
        self._read, self._place, self._made = read, place, None

    @property
    def _tensor(self):
        return self.elements(self.type.dtype if self._made is None else self._made.dtype)

    @property
    def size_in_bytes(self):
        """How many bytes the file must have for it."""
        return self.length * self.type.dtype.itemsize

    def elements(self, one):
        """A tensor of one dimension with all elements, as a type; always the same."""
        if self._made is None:
            self._made = self._place(self._loaded(one), self.location)
        if self._made.dtype is not one:
            raise RuntimeError(
                f"torch.load: storage {shown(self.key)} is read as {self._made.dtype} and as {one}"
            )
        return self._made

    def _loaded(self, one):
        if self.type is not UNTYPED and self.type.dtype is not one:
            raise RuntimeError(
                f"torch.load: storage {shown(self.key)} is of {self.type.dtype}, and not of {one}"
            )
        if self.size_in_bytes % one.itemsize:
            raise RuntimeError(
                f"torch.load: {self.size_in_bytes} bytes of storage {shown(self.key)} are no "
                f"elements of {one}"
            )
        return tensor_of(self._read(self, one), one)


def tensor_of(content, one):
    """A tensor of one dimension with a copy of bytes; truth values are made 0 and 1."""
    if one is ALL["bool"]:
        return cast(_as(_core.frombuffer(content, dtype=ALL["uint8"]._native), Tensor), one)
    return _as(_core.frombuffer(content, dtype=one._native), Tensor)


def swapped(content, one):
    """Bytes of elements in the other order."""
    import numpy

    parts = one.itemsize // (2 if one.is_complex else 1)
    return numpy.frombuffer(content, f"u{parts}").byteswap().tobytes()


class Storages:
    """The storages of one file by their keys; `made(type, key, location, length)` makes them."""

    def __init__(self, made, parts):
        self._made, self._parts = made, parts
        self.by_key = {}

    def __call__(self, identity):
        """The storage of a persistent id."""
        kind, key, location, length = self._checked(identity)
        found = self.by_key.get(key)
        if found is None:
            found = self.by_key[key] = self._made(kind, key, location, length)
        if (found.type, found.location, found.length) != (kind, location, length):
            raise refusal(f"Storage {shown(key)} is described in two ways.")
        return found

    def _checked(self, identity):
        if type(identity) is not tuple or len(identity) != self._parts:
            raise refusal("The file has a persistent id that is no storage.")
        what, kind, key, location, length = identity[:5]
        if type(what) is not str or what != "storage" or type(kind) is not StorageType:
            raise refusal("The file has a persistent id that is no storage.")
        if type(key) is not str or type(location) is not str or type(length) is not int:
            raise refusal("The file describes a storage by values of wrong classes.")
        if length < 0:
            raise RuntimeError(
                f"torch.load: storage {shown(key)} has a length below 0: {shown(length)}"
            )
        if identity[5:] != () and identity[5] is not None:
            raise refusal(f"Storage {shown(key)} is a part of another, as torch wrote before 0.4.")
        return kind, key, location, length

    def finish(self):
        """Read what no tensor needed."""
        for stored in self.by_key.values():
            stored._tensor  # noqa: B018
