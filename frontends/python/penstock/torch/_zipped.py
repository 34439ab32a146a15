"""Zip archives as torch writes them: records that are not compressed, in one folder.

The reader trusts nothing: every length is held against the file's before anything is read, and
records neither share bytes nor names. What a record has is read when it is asked for.
"""

from struct import pack, unpack_from
from zlib import crc32

_LOCAL, _CENTRAL, _END = b"PK\3\4", b"PK\1\2", b"PK\5\6"
_END_64, _LOCATOR_64 = b"PK\6\6", b"PK\6\7"
_MOST_16, _MOST_32 = 0xFFFF, 0xFFFFFFFF
_ALIGNMENT = 64  # bytes, of where a record's content begins
_STORED, _DEFLATED = 0, 8
_ENCRYPTED, _UTF_8 = 0x1, 0x800

# ---- Writing -------------------------------------------------------------------------------------


class Writer:
    """Writes an archive from the beginning to the end, through a function that takes bytes."""

    def __init__(self, write, folder):
        self._write, self._folder = write, folder
        self._at = 0
        self._entries = []

    def record(self, name, content):
        """Write a record; its content is bytes or a buffer of them."""
        name = f"{self._folder}/{name}".encode("utf-8", "surrogatepass")
        size, check = len(content), crc32(content)
        self._entries.append((name, size, check, self._at))
        wide = b"" if size < _MOST_32 else pack("<2H2Q", 1, 16, size, size)
        shown = min(size, _MOST_32)
        begin = self._at + 30 + len(name) + len(wide) + 4
        gap = -begin % _ALIGNMENT
        extra = wide + b"FB" + pack("<H", gap) + b"Z" * gap
        fields = (_UTF_8, _STORED, 0, 0, check, shown, shown, len(name), len(extra))
        self._put(_LOCAL + pack("<5H3I2H", 45 if wide else 20, *fields) + name + extra)
        self._put(content)

    def end(self):
        """Write the list of records."""
        begin = self._at
        for entry in self._entries:
            self._put(_central(*entry))
        self._put(_ending(len(self._entries), self._at - begin, begin))

    def identity(self):
        """Forty digits that differ where names or contents of records do."""
        names = sorted(name for name, *_ in self._entries)
        checks = b"".join(pack("<I", check) for _, _, check, _ in self._entries)
        return b"%020d%020d" % (crc32(b"\n".join(names)), crc32(checks))

    def _put(self, content):
        self._write(content)
        self._at += len(content)


def _central(name, size, check, at):
    wide = [number for number in (size, at) if number >= _MOST_32]
    if size >= _MOST_32:
        wide.insert(0, size)  # the size in the archive, and that of the content
    extra = pack(f"<2H{len(wide)}Q", 1, 8 * len(wide), *wide) if wide else b""
    shown, place = min(size, _MOST_32), min(at, _MOST_32)
    version = 45 if wide else 20
    fields = (version, version, _UTF_8, _STORED, 0, 0, check, shown, shown, len(name), len(extra))
    return _CENTRAL + pack("<6H3I5H2I", *fields, 0, 0, 0, 0, place) + name + extra


def _ending(count, size, begin):
    wide = b""
    if count >= _MOST_16 or size >= _MOST_32 or begin >= _MOST_32:
        wide = _END_64 + pack("<Q2H2I4Q", 44, 45, 45, 0, 0, count, count, size, begin)
        wide += _LOCATOR_64 + pack("<IQI", 0, begin + size, 1)
    shown = min(count, _MOST_16)
    places = min(size, _MOST_32), min(begin, _MOST_32)
    return wide + _END + pack("<4H2IH", 0, 0, shown, shown, *places, 0)


# ---- Reading -------------------------------------------------------------------------------------


def damaged(text):
    """The error for an archive that is not whole."""
    return RuntimeError(f"torch.load: the zip archive is damaged or cut off: {text}")


class _Entry:
    """What the list of records says of one."""

    __slots__ = ("name", "flags", "method", "check", "packed", "size", "at", "limit")


class Reader:
    """The records of an archive, which is a source with a size and read(at, count).

    `allowance(count)` is told of bytes that unpacking makes, before they are made.
    """

    def __init__(self, source, allowance):
        self._source, self._allowance = source, allowance
        self._entries = {}
        self._folder = None
        begin, size, count, end = self._find_list()
        self._take_list(source.read(begin, size), count)
        self._check_places(end)

    def __contains__(self, name):
        return f"{self._folder}/{name}" in self._entries

    def size(self, name):
        """How many bytes the content of a record has."""
        return self._entry(name).size

    def read(self, name):
        """The content of a record."""
        entry = self._entry(name)
        packed = self._source.read(self._content(entry), entry.packed)
        content = packed if entry.method == _STORED else self._inflated(entry, packed)
        if crc32(content) != entry.check:
            raise damaged(f"the content of {entry.name!r} does not have its checksum")
        return content

    def _entry(self, name):
        entry = self._entries.get(f"{self._folder}/{name}")
        if entry is None:
            raise RuntimeError(f"torch.load: the archive has no record {name!r}")
        return entry

    def _content(self, entry):
        """Where the content of a record begins, by the header that is before it."""
        header = self._source.read(entry.at, 30)
        if header[:4] != _LOCAL:
            raise damaged(f"there is no record at byte {entry.at}, where {entry.name!r} should be")
        named, extra = unpack_from("<2H", header, 26)
        content = entry.at + 30 + named + extra
        if content + entry.packed > entry.limit:
            raise damaged(f"{entry.name!r} runs into what comes after it")
        if _text(self._source.read(entry.at + 30, named)) != entry.name:
            raise damaged(f"{entry.name!r} has another name where its content is")
        return content

    def _inflated(self, entry, packed):
        import zlib

        self._allowance(entry.size)
        try:
            unpacker = zlib.decompressobj(-15)
            content = unpacker.decompress(packed, entry.size + 1)
        except zlib.error as error:
            raise damaged(f"{entry.name!r} cannot be unpacked: {error}") from None
        if len(content) != entry.size or not unpacker.eof:
            raise damaged(f"{entry.name!r} does not unpack to the {entry.size} bytes it has")
        return content

    # ---- The list at the end

    def _find_list(self):
        """Where the list of records begins, its bytes, its entries, and where all of them end."""
        size = self._source.size
        tail_at = max(0, size - 22 - _MOST_16)
        tail = self._source.read(tail_at, size - tail_at)
        found = tail.rfind(_END)
        if found < 0 or len(tail) - found < 22:
            raise damaged("it has no list of its records")
        count, length, begin = unpack_from("<H2I", tail, found + 10)
        end = tail_at + found
        if _MOST_16 == count or _MOST_32 in (length, begin):
            count, length, begin, end = self._wide_list(end, (count, length, begin))
        if begin + length > end or count * 46 > length:
            raise damaged("the list of its records is not within it")
        return begin, length, count, begin

    def _wide_list(self, end, plain):
        locator = self._source.read(end - 20, 20) if end >= 20 else b""
        if locator[:4] != _LOCATOR_64:
            return *plain, end
        at = unpack_from("<Q", locator, 8)[0]
        record = self._source.read(at, 56)
        if record[:4] != _END_64:
            raise damaged("it has no list of its records")
        return *unpack_from("<3Q", record, 32), at

    def _take_list(self, listed, count):
        at = 0
        for _ in range(count):
            entry, at = _listed(listed, at)
            if entry.name in self._entries:
                raise damaged(f"it has two records {entry.name!r}")
            folder, slash, _ = entry.name.partition("/")
            if self._folder is None:
                self._folder = folder
            if not slash or folder != self._folder:
                raise damaged(f"{entry.name!r} is not in the folder {self._folder!r}")
            self._entries[entry.name] = entry
        if not count:
            raise damaged("it has no records")

    def _check_places(self, end):
        """Set how far each record may reach: to the next one."""
        ordered = sorted(self._entries.values(), key=lambda entry: entry.at)
        limit = end
        for entry in reversed(ordered):
            entry.limit = limit
            if entry.at + 30 + entry.packed > limit:
                raise damaged(f"{entry.name!r} overlaps what comes after it")
            limit = entry.at


def _listed(listed, at):
    """An entry of the list, and where the next one is."""
    if listed[at : at + 4] != _CENTRAL or len(listed) - at < 46:
        raise damaged("the list of its records is not one")
    entry = _Entry()
    entry.flags, entry.method = unpack_from("<2H", listed, at + 8)
    entry.check, packed, size, named, extra, comment = unpack_from("<3I3H", listed, at + 16)
    place = unpack_from("<I", listed, at + 42)[0]
    after = at + 46 + named
    if after + extra + comment > len(listed):
        raise damaged("the list of its records is cut off")
    entry.name = _text(listed[at + 46 : after])
    wide = _wide_numbers(listed[after : after + extra])
    entry.size, entry.packed, entry.at = (
        number if number != _MOST_32 else _next(wide, entry) for number in (size, packed, place)
    )
    _check_method(entry)
    return entry, after + extra + comment


def _wide_numbers(extra):
    """The numbers of 64 bits that an entry has for those that do not fit into it."""
    at = 0
    while len(extra) - at >= 4:
        kind, length = unpack_from("<2H", extra, at)
        if kind == 1:
            content = extra[at + 4 : at + 4 + length]
            return iter(unpack_from(f"<{len(content) // 8}Q", content))
        at += 4 + length
    return iter(())


def _next(wide, entry):
    number = next(wide, None)
    if number is None:
        raise damaged(f"the list says nothing of the size or the place of {entry.name!r}")
    return number


def _check_method(entry):
    if entry.flags & _ENCRYPTED:
        raise damaged(f"{entry.name!r} is encrypted")
    if entry.method not in (_STORED, _DEFLATED):
        raise damaged(f"{entry.name!r} is packed by an unknown method, {entry.method}")
    if entry.method == _STORED and entry.packed != entry.size:
        raise damaged(f"{entry.name!r} has {entry.packed} bytes for {entry.size}")


def _text(name):
    try:
        return name.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise damaged(f"{name!r} is no name of a record") from None
