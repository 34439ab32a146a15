"""Damaged and hostile files for torch.load, and a process that loads many (hostile_process.py)."""

import io
import pickle
import struct
import zipfile
import zlib

import hostile_pickles
from hostile_pickles import BIG, DEEP, NUMBERS, Chance, cut, flipped, name, number, text, tuple_of
from hostile_process import Hostile, main

FAMILIAR = (pickle.UnpicklingError, RuntimeError, EOFError, ValueError)

# ---- Archives by hand ----------------------------------------------------------------------------


def records(data):
    """Names and contents of an archive's records."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(entry.filename, archive.read(entry)) for entry in archive.infolist()]


def archive_of(entries, **changes):
    """An archive of (name, content) pairs; `changes` has other fields for a record, by its name.

    Fields are method, check, packed, size, at, flags and content, which is what lies there.
    """
    out, listed = bytearray(), bytearray()
    for name, content in entries:
        other = changes.get(name, {})
        raw = other.get("content", content)
        method = other.get("method", 0)
        if method == 8 and "content" not in other:
            packer = zlib.compressobj(9, zlib.DEFLATED, -15)
            raw = packer.compress(content) + packer.flush()
        check = other.get("check", zlib.crc32(content))
        packed, size = other.get("packed", len(raw)), other.get("size", len(content))
        at, flags = other.get("at", len(out)), other.get("flags", 0x800)
        shown = name.encode("utf-8", "surrogatepass")
        fields = (flags, method, 0, 0, check, min(packed, 2**32 - 1), min(size, 2**32 - 1))
        extra = b""
        if packed >= 2**32 or size >= 2**32:
            extra = struct.pack("<2H2Q", 1, 16, size, packed)
            fields = (*fields[:5], 2**32 - 1, 2**32 - 1)
        out += b"PK\3\4" + struct.pack("<5H3I2H", 20, *fields, len(shown), 0) + shown + raw
        lengths = len(shown), len(extra)
        listed += b"PK\1\2" + struct.pack("<6H3I5H2I", 20, 20, *fields, *lengths, 0, 0, 0, 0, at)
        listed += shown + extra
    begin = len(out)
    count = min(len(entries), 65535)
    end = b"PK\5\6" + struct.pack("<4H2IH", 0, 0, count, count, len(listed), begin, 0)
    return bytes(out + listed + end)


def with_pickle(program, storages=(), version=b"3\n"):
    """An archive with this pickle and these storages."""
    entries = [("archive/data.pkl", program), ("archive/byteorder", b"little")]
    entries += [(f"archive/data/{key}", content) for key, content in storages]
    return archive_of([*entries, ("archive/version", version)])


# ---- Pickles by hand -----------------------------------------------------------------------------


def storage(length, key="0", kind="FloatStorage", location="cpu"):
    parts = text("storage"), name("torch", kind), text(key), text(location), number(length)
    return tuple_of(*parts) + b"Q"


def tensor(length, offset, sizes, strides, gradient=b"\x89", **others):
    parts = storage(length, **others), number(offset), tuple_of(*map(number, sizes))
    parts += tuple_of(*map(number, strides)), gradient, name("collections", "OrderedDict") + b")R"
    return name("torch._utils", "_rebuild_tensor_v2") + tuple_of(*parts) + b"R"


# ---- Mutations -----------------------------------------------------------------------------------

WORDS = ["", "0", "1", "cpu", "cuda:0", "latin1", "storage", "torch.strided", "f4"]
CODE = [("torch", "load"), ("penstock.torch", "load"), ("torch.nn.modules.linear", "Linear")]
DATA = [
    *(("collections", "OrderedDict"), ("collections", "Counter"), ("builtins", "set")),
    *(("builtins", "bytearray"), ("builtins", "complex"), ("_codecs", "encode"), ("torch", "Size")),
    *(("torch", "device"), ("torch", "float32"), ("torch", "FloatStorage"), ("torch", "Tensor")),
    *(("torch._utils", "_rebuild_tensor_v2"), ("torch._utils", "_rebuild_tensor_v3")),
    *(("torch._utils", "_rebuild_tensor"), ("torch._tensor", "_rebuild_from_type_v2")),
    *(("torch.storage", "UntypedStorage"), ("torch.serialization", "_get_layout")),
    *(("numpy", "dtype"), ("numpy", "ndarray"), ("numpy._core.multiarray", "scalar")),
    *(("numpy._core.multiarray", "_reconstruct"), ("builtins", "frozenset")),
    ("torch", "FooStorage"),
]


def random_storage(draw):
    kind = draw.choice(["FloatStorage", "BoolStorage"])
    return storage(draw.choice((0, 1, 4, 5)), draw.choice("01x"), kind)


def random_tensor(draw):
    sizes = [draw.choice((0, 1, 2, 4, 2**40, -1)) for _ in range(draw.randrange(4))]
    strides = [draw.choice((0, 1, 2, 4, 2**40, -1)) for _ in sizes]
    gradient = bytes([draw.choice(b"\x88\x89N")])
    return tensor(4, draw.choice((0, 1, 3, -1)), sizes, strides, gradient)


CHANCE = Chance(WORDS, DATA, [random_storage, random_tensor], CODE)


def with_other_pickle(draw, entries, change):
    made = dict(entries)
    program = next(one for one in made if one.endswith("data.pkl"))
    made[program] = change(draw, made[program])
    return archive_of(list(made.items()))


def operated(draw, entries):
    """Records dropped, doubled, renamed, packed, or described wrongly."""
    entries, changes = list(entries), {}
    at = draw.randrange(len(entries))
    named, raw = entries[at]
    way = draw.randrange(7)
    if way == 0:
        del entries[at]
    elif way == 1:
        entries.append((named, draw.choice([raw, b"", raw * 2])))
    elif way == 2:
        others = ["x", "archive/", "other/data.pkl", "archive/../x", named + "\0"]
        entries[at] = (draw.choice(others), raw)
    elif way == 3:
        changes[named] = {"method": draw.choice((8, 9, 12, 99))}
    elif way == 4:
        field = draw.choice(("packed", "size", "check"))
        changes[named] = {field: abs(draw.choice(NUMBERS)) % 2**32}
    elif way == 5:
        changes[named] = {"at": draw.randrange(2000), "flags": draw.choice((0, 1, 8, 0x800))}
    else:
        entries[at] = (named, flipped(draw, raw) if raw else b"x")
    return archive_of(entries, **changes)


def mutation(draw, files):
    """A file that is not as it was."""
    data = draw.choice(files)
    way = draw.randrange(10)
    if way == 0:
        return flipped(draw, data)
    if way == 1:
        return cut(draw, data)
    if not data.startswith(b"PK"):
        return flipped(draw, data, 2) if way < 6 else cut(draw, data)
    entries = records(data)
    if way < 4:
        return with_other_pickle(draw, entries, flipped)
    if way < 7:
        return with_other_pickle(draw, entries, CHANCE.changed)
    if way == 7:
        return with_pickle(CHANCE.program(draw), [("0", bytes(16)), ("1", b"\1\2\3\4")])
    return operated(draw, entries)


# ---- Much of everything --------------------------------------------------------------------------


def bombs():
    """Pickles that would like to be large."""
    yield from hostile_pickles.bombs()
    items = b"](" + b"".join(map(number, range(50_000))) + b"eq\0"
    sets = name("__builtin__", "set") + b"q\1(" + b"h\1h\0\x85R" * BIG + b"t."
    yield "sets", items + sets
    one = tensor(4, 0, [4], [1])
    split = one.index(b"((")
    parts = one[:split] + b"q\0" + one[split:-1] + b"q\1"
    yield "tensors", parts + b"0(" + b"h\0h\1R" * BIG * 4 + b"t."
    yield "views", tensor(4, 0, [2**40], [0], b"\x88") + b"."
    yield "windows", tensor(4, 0, [2**40, 2, 2], [0, 1, 1]) + b"."
    yield "a deep offset", one.replace(b"QK\0", b"Q" + DEEP, 1) + b"."
    names = name("torch._tensor", "_rebuild_from_type_v2") + b"q\2"
    names += name("torch", "Tensor") + b"q\3"
    link = b"h\2(h\0h\3h\1}" + text("a")
    yield "a chain", parts + b"00" + names + b"00" + link * BIG + b"N" + b"stR" * BIG + b"."
    ordered = name("collections", "OrderedDict") + b"q\0)R"
    deeper = b"}" + text("_a") + b"h\0)R"
    yield "attributes", ordered + deeper * BIG + b"sb" * BIG + b"."


def bomb_files():
    """Files of those, and archives whose records unpack to far more than they are."""
    for key, program in bombs():
        yield key, with_pickle(program, [("0", bytes(16))])
    yield "a deep version", pickle.dumps(0x1950A86A20F9469CFC6C, 2) + DEEP + b"."
    zeros = bytes(100 << 20)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    raw = packer.compress(zeros) + packer.flush()
    fields = {"method": 8, "content": raw, "size": len(zeros), "check": zlib.crc32(zeros)}
    version = ("archive/version", b"3\n")
    entries = [("archive/data.pkl", b""), version]
    yield "a packed pickle", archive_of(entries, **{"archive/data.pkl": fields})
    program = tensor(len(zeros) // 4, 0, [1], [1]) + b"."
    entries = [("archive/data.pkl", program), ("archive/data/0", b""), version]
    yield "a packed storage", archive_of(entries, **{"archive/data/0": fields})


# ---- The process ---------------------------------------------------------------------------------

def files_of(torch):
    """A few valid files to begin with."""
    import collections

    import numpy

    x = torch.arange(24.0).reshape(2, 3, 4)
    values = [
        [x, x[:, 1:, ::2], x.permute(2, 0, 1), torch.tensor(1.5, requires_grad=True)],
        {"a": torch.tensor([True, False]), "b": torch.arange(3), "c": torch.zeros(0, 2)},
        collections.OrderedDict(w=torch.ones(2), s={1, 2}, t=(1, (2.5, None)), b=b"ab", z=1j),
        [torch.float32, torch.Size([1, 2]), torch.device("cpu"), torch.strided, bytearray(b"x")],
        {"state": {0: {"step": torch.tensor(1.0)}}, "param_groups": [{"lr": 0.1, "params": [0]}]},
        [torch.tensor([1, 2], dtype=torch.uint16), collections.Counter("ab"), 2**70],
        [numpy.arange(3), numpy.float32(2), frozenset([1])],
    ]
    made = []
    for value in values:
        for way in ({}, {"pickle_protocol": 4}, {"_use_new_zipfile_serialization": False}):
            file = io.BytesIO()
            torch.save(value, file, **way)
            made.append(file.getvalue())
    return made


class Torch(Hostile):
    """torch.load."""

    familiar = FAMILIAR

    def __init__(self):
        from penstock import torch

        self.torch = torch

    def files(self):
        return files_of(self.torch)

    def load(self, data, whole=False):
        return self.torch.load(io.BytesIO(data), weights_only=not whole)

    def tensors(self):
        return self.torch.Tensor

    def bad(self):
        pickles = [b"cos\nsystem\n.", b"Va\n.", b"S'a'\n.", b"I1\n.", b"L1L\n.", b"F1\n."]
        on_gpu = tensor(4, 0, [4], [1], location="cuda:0") + b"."
        packed = [("archive/data.pkl", b"N."), ("archive/version", b"3\n")]
        yield from (b"", b"x", b"PK\3\4", with_pickle(on_gpu, [("0", bytes(16))]))
        yield from map(with_pickle, pickles)
        yield archive_of(packed, **{"archive/data.pkl": {"method": 8}})

    def mutation(self, draw, files):
        return mutation(draw, files)

    def bombs(self):
        return bomb_files()


if __name__ == "__main__":
    main(Torch())
