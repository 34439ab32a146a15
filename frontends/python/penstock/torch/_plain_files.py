"""Files as torch wrote them before archives: pickles, one after another, then the elements.

They are a number that marks such files, a version, what the writing machine was like, the object,
the keys of its storages, and for each key a length and the elements.
"""

import pickle
from struct import pack, unpack_from

from ._storages import Storages, Stored, swapped, tensor_of
from .._common.unpickle import Interpreter, refusal, shown

_MARK = 0x1950A86A20F9469CFC6C
_VERSION = 1001
_SYSTEM = {
    "protocol_version": _VERSION,
    "little_endian": True,
    "type_sizes": {"short": 2, "int": 4, "long": 4},
}


def write_file(write, pickled, storages, content, protocol):
    """Write such a file; content(kept) gives the bytes of a storage."""
    for value in (_MARK, _VERSION, _SYSTEM):
        write(pickle.dumps(value, protocol))
    write(pickled)
    write(pickle.dumps([kept.key for kept in storages], protocol))
    for kept in storages:
        write(pack("<q", kept.identity()[4]))
        write(content(kept))


def read_file(data, place, table, allowance, encoding):
    """What such a file has."""
    at = 0

    def next_value(stored):
        nonlocal at
        run = Interpreter(data, table, stored, allowance, encoding, at)
        value = run.run()
        at = run.at
        return value

    swap = _head(next_value)
    later = _Later(len(data), place)
    value = next_value(later.storages)
    keys = next_value(_no_storage)
    later.fill(data, at, keys, swap)
    return value


def _no_storage(identity):
    raise refusal("The file has a storage where none can be.")


def _head(next_value):
    """Whether bytes are in the other order; raises for files of other kinds."""
    mark = next_value(_no_storage)
    if type(mark) is not int or mark != _MARK:
        raise refusal("The file is neither an archive of torch's nor an older file of its.")
    version = next_value(_no_storage)
    if type(version) is not int or version != _VERSION:
        raise refusal(f"The file is of version {shown(version)}, and {_VERSION} is known.")
    system = next_value(_no_storage)
    if type(system) is not dict or type(system.get("little_endian")) is not bool:
        raise refusal("The file does not say in which order the bytes of its elements are.")
    return not system["little_endian"]


class _Later:
    """Storages whose elements come after all tensors: they are made empty, and filled then."""

    def __init__(self, size, place):
        self._left, self._place = size, place
        self.storages = Storages(self._made, 6)

    def _made(self, type, key, location, length):
        stored = Stored(type, key, location, length, self._zeros, self._place)
        self._left -= stored.size_in_bytes
        if self._left < 0:
            raise RuntimeError(
                f"torch.load: unexpected EOF: storage {shown(key)} of {shown(length)} elements is "
                "larger than what is left of the file. The file might be corrupted."
            )
        return stored

    def _zeros(self, stored, one):
        return bytes(stored.size_in_bytes)

    def fill(self, data, at, keys, swap):
        """Write the elements into their storages, on which there are views already."""
        if type(keys) is not list or not all(type(key) is str for key in keys):
            raise refusal("The file has no list of its storages.")
        known = self.storages.by_key
        if len(set(keys)) != len(keys) or known.keys() != set(keys):
            raise refusal("The file's list of its storages is not that of its tensors.")
        for key in keys:
            at = _filled(known[key], data, at, swap)


def _filled(stored, data, at, swap):
    end = at + 8 + stored.size_in_bytes
    if end > len(data):
        raise RuntimeError(
            f"unexpected EOF, expected {end - len(data)} more bytes. The file might be corrupted."
        )
    length = unpack_from("<q", data, at)[0]
    if length != stored.length:
        raise RuntimeError(
            f"torch.load: storage {shown(stored.key)} has {length} elements, and its tensors say "
            f"{stored.length}"
        )
    base = stored._tensor
    content = memoryview(data)[at + 8 : end]
    if base.numel():
        base[...] = tensor_of(swapped(content, base.dtype) if swap else content, base.dtype).to(
            base.device
        )
    return end
