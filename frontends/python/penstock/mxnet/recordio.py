"""mx.recordio: files of records, and records of pictures with their labels.

>>> import tempfile
>>> from penstock import mxnet as mx
>>> path = tempfile.mkdtemp() + "/some.rec"
>>> file = mx.recordio.MXRecordIO(path, "w")
>>> file.write(b"one"); file.write(b"two"); file.close()
>>> file = mx.recordio.MXRecordIO(path, "r")
>>> file.read(), file.read(), file.read()
(b'one', b'two', None)
"""

import os
import struct
from collections import namedtuple
from threading import RLock

from ._missing import missing
from ._recordio import encoded, read_record
from .base import MXNetError

__all__ = [
    *("IRHeader", "MXIndexedRecordIO", "MXRecordIO", "pack", "pack_img", "unpack", "unpack_img"),
]

_FLAGS = {"w": True, "r": False}


class MXRecordIO:
    """A file of records that is written ('w') or read ('r') from its beginning to its end."""

    __module__ = "mxnet.recordio"

    def __init__(self, uri, flag):
        self.uri = uri
        self.flag = flag
        self.handle = None
        self.is_open = False
        self.open()

    def open(self):
        """Opens the file, at its beginning; one that is written to becomes empty."""
        if self.flag not in _FLAGS:
            raise ValueError(f"Invalid flag {self.flag}: it must be 'r' or 'w'")
        self.writable = _FLAGS[self.flag]
        self.handle = _opened(self.uri, f"{self.flag}b")
        self.pid = os.getpid()
        self.is_open = True

    def close(self):
        """Closes the file; what was written is complete then."""
        if self.is_open:
            self.handle.close()
            self.is_open = False
            self.pid = None

    def reset(self):
        """Opens the file again, at its beginning."""
        self.close()
        self.open()

    def write(self, buf):
        """Adds a record, which is bytes."""
        assert self.writable, f"{self.uri} was opened for reading"
        self._check(False)
        if not isinstance(buf, bytes):
            raise TypeError(f"a record is bytes, not {type(buf).__name__!r}")
        self.handle.write(encoded(buf))

    def read(self):
        """The next record; None behind the last."""
        assert not self.writable, f"{self.uri} was opened for writing"
        self._check(True)
        return read_record(self.handle)

    def _check(self, may_reset):
        """The file must be open, and opened by this process: a child opens its own to read."""
        if self.is_open and self.pid == os.getpid():
            return
        if not (self.is_open and may_reset):
            raise RuntimeError(f"{self.uri} is closed, or was opened by another process")
        self.reset()

    def __del__(self):
        if getattr(self, "is_open", False):
            self.close()

    def __getstate__(self):
        return {**self.__dict__, "handle": None, "pid": None}

    def __setstate__(self, state):
        self.__dict__.update(state)
        was_open, self.is_open = self.is_open, False
        if was_open:
            self.open()


class MXIndexedRecordIO(MXRecordIO):
    """A file of records with another, of text, that says where each key's record begins.

    Threads may share one that is read by key.
    """

    __module__ = "mxnet.recordio"

    def __init__(self, idx_path, uri, flag, key_type=int):
        self.idx_path = idx_path
        self.idx = {}
        self.keys = []
        self.key_type = key_type
        self.fidx = None
        self._turn = RLock()
        super().__init__(uri, flag)

    def open(self):
        """Opens both files, and reads the one of keys."""
        super().open()
        self.idx = {}
        self.keys = []
        self.fidx = _opened(self.idx_path, self.flag)
        if not self.writable:
            for line in self.fidx:
                key, _, place = line.strip().partition("\t")
                self._add(self.key_type(key), int(place))

    def _add(self, key, place):
        self.idx[key] = place
        self.keys.append(key)

    def close(self):
        """Closes both files."""
        if self.is_open:
            super().close()
            if self.fidx is not None:
                self.fidx.close()

    def seek(self, idx):
        """Moves to the record of a key, which read() gives next."""
        assert not self.writable, f"{self.uri} was opened for writing"
        self._check(True)
        self.handle.seek(self.idx[idx])

    def tell(self):
        """Where the next record will be written."""
        assert self.writable, f"{self.uri} was opened for reading"
        return self.handle.tell()

    def read_idx(self, idx):
        """The record of a key."""
        if self.pid != os.getpid():  # in a forked child nobody may be left to end a turn
            self._turn = RLock()
        with self._turn:
            self.seek(idx)
            return self.read()

    def write_idx(self, idx, buf):
        """Adds a record, and its key."""
        key, place = self.key_type(idx), self.tell()
        self.write(buf)
        self.fidx.write(f"{key}\t{place}\n")
        self._add(key, place)

    def __getstate__(self):
        state = super().__getstate__()
        state["fidx"] = None
        del state["_turn"]
        return state

    def __setstate__(self, state):
        self._turn = RLock()
        super().__setstate__(state)


def _opened(path, mode):
    try:
        return open(path, mode)
    except OSError as error:
        raise MXNetError(f"Open {os.fspath(path)!r}: {error.strerror}") from None


# ---- Records with a label ------------------------------------------------------------------------

IRHeader = namedtuple("HEADER", ["flag", "label", "id", "id2"])
IRHeader.__module__ = "mxnet.recordio"
IRHeader.__doc__ = """What stands before a picture in a record: how many labels there are if they
are an array, the label or labels, and two numbers."""

_LAYOUT = struct.Struct("<IfQQ")


def pack(header, s):
    """A record: a header, whose label is a number or an array of numbers, and bytes."""
    import numpy

    header = IRHeader(*header)
    if isinstance(header.label, (int, float, numpy.generic)):
        return _LAYOUT.pack(0, header.label, header.id, header.id2) + s
    labels = numpy.asarray(header.label, "float32").ravel()
    return _LAYOUT.pack(labels.size, 0, header.id, header.id2) + labels.tobytes() + s


def unpack(s):
    """Header and bytes of a record; several labels are an array of NumPy."""
    import numpy

    header = IRHeader(*_LAYOUT.unpack(s[: _LAYOUT.size]))
    s = s[_LAYOUT.size :]
    if header.flag > 0:
        header = header._replace(label=numpy.frombuffer(s, "float32", header.flag))
        s = s[header.flag * 4 :]
    return header, s


def pack_img(header, img, quality=95, img_fmt=".jpg"):
    """A record of a picture: an array of NumPy whose colours are blue, green, red.

    `quality` is that of JPEG, from 1 to 100, or how much PNG compresses, from 1 to 9.
    """
    from ._pillow import encoded as picture

    return pack(header, picture(img, quality, img_fmt))


def unpack_img(s, iscolor=-1):
    """Header and picture of a record, as an array of NumPy: blue, green, red, or grey.

    iscolor: 1 for colours, 0 for grey, -1 for what the picture has.
    """
    from ._pillow import decoded

    header, s = unpack(s)
    return header, decoded(s, iscolor, rgb=False)


__getattr__ = missing("mxnet.recordio")
