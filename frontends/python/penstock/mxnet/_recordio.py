"""The format of record files, as MXNet writes them: bytes one behind the other, each with a length.

A record is one part or several. A part is a magic number, a word with its kind (3 bits) and length
(29 bits), and its bytes, filled up to a multiple of 4. So that a reader which starts anywhere can
find the next record by the magic number, no part contains it at a multiple of 4: there the record
is split, and the number itself left out.
"""

import struct

from .base import MXNetError, MXNetValueError

_HEADER = struct.Struct("<II")
_MAGIC_NUMBER = 0xCED7230A
_MAGIC = struct.pack("<I", _MAGIC_NUMBER)
_WHOLE, _FIRST, _MIDDLE, _LAST = range(4)
_LONGEST = (1 << 29) - 1


def encoded(record):
    """A record as the bytes of its parts."""
    parts = _split(record)
    last = len(parts) - 1
    pieces = []
    for number, part in enumerate(parts):
        if len(part) > _LONGEST:
            raise MXNetValueError(f"a record may have {_LONGEST} bytes, not {len(record)}")
        if last == 0:
            kind = _WHOLE
        else:
            kind = _FIRST if number == 0 else _LAST if number == last else _MIDDLE
        pieces += [_HEADER.pack(_MAGIC_NUMBER, kind << 29 | len(part)), part, bytes(-len(part) % 4)]
    return b"".join(pieces)


def _split(record):
    """The parts of a record between the magic numbers that it has at multiples of 4."""
    parts, start, found = [], 0, record.find(_MAGIC)
    while found >= 0:
        if found % 4 == 0:
            parts.append(record[start:found])
            start = found + 4
            found = record.find(_MAGIC, start)
        else:
            found = record.find(_MAGIC, found + 1)
    parts.append(record[start:])
    return parts


def read_record(file):
    """The record that begins where the file stands; None at its end."""
    parts = []
    while True:
        kind, part = _read_part(file, bool(parts))
        if kind is None:
            return None
        parts.append(part)
        if kind in (_WHOLE, _LAST):
            return _MAGIC.join(parts)


def _read_part(file, inside):
    """Kind and bytes of the next part; kind None at the end of the file."""
    header = file.read(8)
    if not header and not inside:
        return None, None
    if len(header) < 8:
        raise _invalid(file, "it ends within a record")
    magic, word = _HEADER.unpack(header)
    if magic != _MAGIC_NUMBER:
        raise _invalid(file, "no record begins where one should")
    kind, length = word >> 29, word & _LONGEST
    if kind not in ((_MIDDLE, _LAST) if inside else (_WHOLE, _FIRST)):
        raise _invalid(file, "the parts of a record are not in order")
    part = file.read(length)
    if len(part) < length or len(file.read(-length % 4)) < -length % 4:
        raise _invalid(file, "it ends within a record")
    return kind, part


def _invalid(file, why):
    return MXNetError(f"Invalid RecordIO File {file.name!r}: {why}")
