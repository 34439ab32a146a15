"""Files of tensors: torch.save and torch.load.

Files are exchanged with PyTorch in both directions. What is read is data: no code that a file names
is imported or run, whatever it asks for.
"""

import os

from . import _missing

__all__ = ["load", "save"]

_FIRST_BYTES = b"PK\3\4"
_VERSIONS = range(1, 11)
SPARE = 64 << 20  # bytes that load may take beside those that the size of a file allows

# ---- Writing -------------------------------------------------------------------------------------


def save(
    obj,
    f,
    pickle_module=None,
    pickle_protocol=2,
    _use_new_zipfile_serialization=True,
    _disable_byteorder_record=False,
):
    """Write an object to a file, which is a path or has write(). Waits for its tensors.

    A path has the whole new file or what it had before.

    >>> import io
    >>> from penstock import torch
    >>> file = io.BytesIO()
    >>> torch.save({"weight": torch.ones(2)}, file)
    >>> torch.load(io.BytesIO(file.getvalue()))
    {'weight': tensor([1., 1.])}
    """
    _check_module("save", pickle_module)
    write = _write_zip if _use_new_zipfile_serialization else _write_plain
    if isinstance(f, (str, os.PathLike)):
        from ._whole_file import replacing

        with replacing(f) as file:
            write(obj, file.write, _folder(f), pickle_protocol)
    elif hasattr(f, "write"):
        write(obj, f.write, "archive", pickle_protocol)
        if hasattr(f, "flush"):
            f.flush()
    else:
        raise AttributeError(
            "expected 'f' to be string, path, or a file-like object with a 'write' attribute"
        )


def _check_module(name, module):
    import pickle

    if module is not None and module is not pickle:
        raise NotImplementedError(f"torch.{name}: pickle_module={module!r}: pickle is there only")


def _folder(path):
    name = os.path.basename(os.fspath(path))
    return name.rpartition(".")[0] or name or "archive"


def _pickled(obj, protocol, extra=()):
    """The bytes of an object, and the storages that they refer to."""
    from io import BytesIO

    from ._pickler import Pickler

    file = BytesIO()
    pickler = Pickler(file, protocol, extra)
    pickler.dump(obj)
    return file.getvalue(), list(pickler.kept.values())


def _write_zip(obj, write, folder, protocol):
    from ._pickler import content
    from ._zipped import Writer

    pickled, storages = _pickled(obj, protocol)
    archive = Writer(write, folder)
    archive.record("data.pkl", pickled)
    archive.record(".format_version", b"1")
    archive.record(".storage_alignment", b"64")
    archive.record("byteorder", b"little")
    for kept in storages:
        archive.record(f"data/{kept.key}", content(kept))
    archive.record("version", b"3\n")
    archive.record(".data/serialization_id", archive.identity())
    archive.end()


def _write_plain(obj, write, folder, protocol):
    from ._pickler import content
    from ._plain_files import write_file

    pickled, storages = _pickled(obj, protocol, (None,))
    write_file(write, pickled, storages, content, protocol)


# ---- Reading -------------------------------------------------------------------------------------


def load(
    f,
    map_location=None,
    pickle_module=None,
    *,
    weights_only=True,
    mmap=None,
    encoding="utf-8",
    **pickle_load_args,
):
    """What a file has: tensors, containers, numbers, texts. Nothing of the file is run as code.

    `map_location` says where tensors come to be: a device for all, a dict from devices of the file
    to others, or a function (storage, device) that gives the storage. With weights_only=False
    NumPy's arrays are read as well, and what would need code raises all the same.
    """
    if pickle_load_args:
        raise TypeError(f"torch.load: there is no argument {next(iter(pickle_load_args))!r}")
    _check_module("load", pickle_module)
    from ._map_location import placing

    place = placing(map_location)
    if isinstance(f, (str, os.PathLike)):
        with open(f, "rb") as file:
            return _loaded(_Source(file, 0), place, weights_only, encoding)
    if mmap:
        raise ValueError("f must be a file path in order to use the mmap argument")
    for name in ("read", "seek", "tell"):
        if not hasattr(f, name):
            raise AttributeError(
                f"{type(f).__name__!r} object has no attribute {name!r}. You can only torch.load "
                "from a file that is seekable, or from a path."
            )
    return _loaded(_Source(f, f.tell()), place, weights_only, encoding)


class _Source:
    """A file from some byte on: its size, and any part of it."""

    def __init__(self, file, begin):
        self._file, self._begin = file, begin
        self.size = max(0, file.seek(0, 2) - begin)
        file.seek(begin)

    def read(self, at, count):
        """So many bytes from a place on; RuntimeError if they are not all there."""
        if at < 0 or count < 0 or at + count > self.size:
            raise RuntimeError(
                f"torch.load: the file is damaged or cut off: {count} bytes at {at} are wanted of "
                f"{self.size}"
            )
        self._file.seek(self._begin + at)
        found = self._file.read(count)
        while len(found) < count:
            more = self._file.read(count - len(found))
            if not more:
                lacking = count - len(found)
                raise EOFError(f"torch.load: unexpected EOF, expected {lacking} more bytes")
            found += more
        return found


def _loaded(source, place, weights_only, encoding):
    from .._common.unpickle import Allowance
    from ._rebuild import Table

    if source.size == 0:
        raise EOFError("torch.load: the file is empty")
    table = Table(weights_only is None or bool(weights_only))
    allowance = Allowance(source.size, SPARE)
    if source.read(0, min(4, source.size)) == _FIRST_BYTES:
        return _from_zip(source, place, table, allowance, encoding)
    from ._plain_files import read_file

    return read_file(source.read(0, source.size), place, table, allowance, encoding)


def _from_zip(source, place, table, allowance, encoding):
    from ._storages import Storages, Stored, swapped
    from .._common.unpickle import Interpreter, shown
    from ._zipped import Reader

    archive = Reader(source, allowance)
    swap = _checked_archive(archive)

    def made(type, key, location, length):
        name = f"data/{key}"
        stored = Stored(type, key, location, length, read, place)
        if archive.size(name) != stored.size_in_bytes:
            raise RuntimeError(
                f"torch.load: record {shown(name)} has {archive.size(name)} bytes, and a storage "
                f"of {shown(length)} elements {shown(stored.size_in_bytes)}"
            )
        return stored

    def read(stored, one):
        found = archive.read(f"data/{stored.key}")
        return swapped(found, one) if swap else found

    storages = Storages(made, 5)
    run = Interpreter(archive.read("data.pkl"), table, storages, allowance, encoding)
    value = run.run()
    storages.finish()
    return value


def _checked_archive(archive):
    """Whether the bytes of its elements are in the other order; raises for other archives."""
    if "version" not in archive:
        raise RuntimeError("torch.load: the archive has no record 'version': it is not torch's")
    if "constants.pkl" in archive:
        raise RuntimeError("torch.load: the archive is a program of torch.jit, which is code")
    version = archive.read("version").strip()[:20]
    if not version.isdigit() or int(version) not in _VERSIONS:
        raise RuntimeError(
            f"torch.load: the archive is of version {version.decode('latin1')!r}, and "
            f"{_VERSIONS[0]} to {_VERSIONS[-1]} are known"
        )
    order = archive.read("byteorder") if "byteorder" in archive else b"little"
    if order not in (b"little", b"big"):
        raise ValueError(f"Unknown endianness type: {order[:20].decode('latin1')}")
    return order == b"big"


__getattr__ = _missing.missing("torch.serialization")
