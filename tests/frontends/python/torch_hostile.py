"""Damaged and hostile files for torch.load, and a process that loads many of them.

    python torch_hostile.py SEED COUNT SECONDS

loads COUNT mutations, or as many as fit into SECONDS if that is above 0. The process may take 1 GiB
more memory than it has after a first load. Only familiar exceptions may come; nothing may be
imported, opened or run meanwhile; no file may take longer than a minute. The last line counts.
"""

import io
import pickle
import pickletools
import random
import resource
import signal
import struct
import sys
import time
import zipfile
import zlib

GIB = 1 << 30
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


def text(value):
    raw = value.encode("utf-8", "surrogatepass")
    return b"X" + struct.pack("<I", len(raw)) + raw


def number(value):
    if 0 <= value < 256:
        return b"K" + bytes([value])
    size = value.bit_length() // 8 + 1
    return b"\x8a" + bytes([size]) + value.to_bytes(size, "little", signed=True)


def name(module, attribute):
    return f"c{module}\n{attribute}\n".encode()


def tuple_of(*parts):
    return b"(" + b"".join(parts) + b"t"


def storage(length, key="0", kind="FloatStorage", location="cpu"):
    parts = text("storage"), name("torch", kind), text(key), text(location), number(length)
    return tuple_of(*parts) + b"Q"


def tensor(length, offset, sizes, strides, gradient=b"\x89", **others):
    parts = storage(length, **others), number(offset), tuple_of(*map(number, sizes))
    parts += tuple_of(*map(number, strides)), gradient, name("collections", "OrderedDict") + b")R"
    return name("torch._utils", "_rebuild_tensor_v2") + tuple_of(*parts) + b"R"


# ---- Mutations -----------------------------------------------------------------------------------

NUMBERS = (0, 1, 2, 3, 4, 255, 256, 65535, 2**31 - 1, 2**31, 2**32, 2**62, 2**63 - 1, 2**63, 2**64)
NUMBERS += tuple(-one for one in NUMBERS) + (2**200,)
WORDS = ["", "0", "1", "cpu", "cuda:0", "latin1", "storage", "torch.strided", "f4"]
GLOBALS = [
    *(("os", "system"), ("posix", "system"), ("builtins", "eval"), ("__builtin__", "exec")),
    *(("subprocess", "Popen"), ("canary", "sing"), ("this", "s"), ("builtins", "getattr")),
    *(("torch", "load"), ("penstock.torch", "load"), ("torch.nn.modules.linear", "Linear")),
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
CODES = bytes(ord(opcode.code) for opcode in pickletools.opcodes)


def flipped(draw, data, most=8):
    made = bytearray(data)
    for _ in range(draw.randint(1, most)):
        if made:
            made[draw.randrange(len(made))] = draw.randrange(256)
    return bytes(made)


def cut(draw, data):
    at = draw.randrange(len(data) + 1)
    way = draw.randrange(4)
    if way == 0:
        return data[:at]
    if way == 1:
        return data[at:]
    end = at + draw.randrange(1, 200)
    return data[:at] + data[end:] if way == 2 else data[:end] + data[at:]


def random_value(draw):
    way = draw.randrange(9)
    if way == 0:
        return number(draw.choice(NUMBERS))
    if way == 1:
        return text(draw.choice(WORDS))
    if way == 2:
        return name(*draw.choice(GLOBALS))
    if way == 3:
        return bytes([draw.choice(b"N)]}\x88\x89\x8f(")])
    if way == 4:
        return b"h" + bytes([draw.randrange(40)])
    if way == 5:
        kind = draw.choice(["FloatStorage", "BoolStorage"])
        return storage(draw.choice((0, 1, 4, 5)), draw.choice("01x"), kind)
    if way == 6:
        sizes = [draw.choice((0, 1, 2, 4, 2**40, -1)) for _ in range(draw.randrange(4))]
        strides = [draw.choice((0, 1, 2, 4, 2**40, -1)) for _ in sizes]
        gradient = bytes([draw.choice(b"\x88\x89N")])
        return tensor(4, draw.choice((0, 1, 3, -1)), sizes, strides, gradient)
    if way == 7:
        return b"C\x04abcd"
    return b"G" + struct.pack(">d", draw.choice((0.0, 1.5, float("nan"), 1e300)))


def random_call(draw):
    """A function that data may name, with anything as its arguments."""
    function = name(*draw.choice(GLOBALS[11:]))
    inner = random_call if draw.random() < 0.2 else random_value
    parts = [inner(draw) for _ in range(draw.randrange(8))]
    return function + tuple_of(*parts) + draw.choice([b"R", b"R", b"R", b"\x81", b"R}b"])


def random_program(draw):
    """Values, and instructions that take some."""
    parts = [b"\x80\x02"]
    for _ in range(draw.randrange(1, 40)):
        if draw.random() < 0.1:
            parts.append(random_call(draw))
        elif draw.random() < 0.6:
            parts.append(random_value(draw))
        elif draw.random() < 0.9:
            parts.append(bytes([draw.choice(b"Rbtlesuda012\x81\x85\x86\x87\x90\x91Q\x93\x94")]))
        else:
            parts.append(bytes([draw.choice(CODES)]) + draw.randbytes(draw.randrange(5)))
    return b"".join(parts) + b"."


def instructions(program):
    """The pickle cut into its instructions."""
    places = [at for _, _, at in pickletools.genops(program)]
    return [program[at:end] for at, end in zip(places, [*places[1:], len(program)])]


def changed_program(draw, program):
    parts = instructions(program)
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(parts))
        way = draw.randrange(5)
        if way == 0:
            del parts[at]
        elif way == 1:
            parts.insert(at, draw.choice(parts))
        elif way == 2:
            parts.insert(at, random_value(draw))
        elif way == 3:
            parts[at] = random_call(draw) if draw.random() < 0.2 else random_value(draw)
        else:
            other = draw.randrange(len(parts))
            parts[at], parts[other] = parts[other], parts[at]
        if not parts:
            break
    return b"".join(parts)


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
        return with_other_pickle(draw, entries, changed_program)
    if way == 7:
        program = random_program(draw) if draw.random() < 0.5 else random_call(draw) + b"."
        return with_pickle(program, [("0", bytes(16)), ("1", b"\1\2\3\4")])
    return operated(draw, entries)


# ---- Much of everything --------------------------------------------------------------------------

BIG = 60_000
DEEP = b")" + b"q\0h\0\x86" * 100  # a tuple of two that are one, and so on


def bombs():
    """Pickles that would like to be large."""
    words = text("x" * 100_000) + b"q\0" + text("latin1") + b"q\1"
    again = b"h\2h\0h\1\x86R"
    yield "bytes", words + name("_codecs", "encode") + b"q\2(" + again * BIG + b"t."
    items = b"](" + b"".join(map(number, range(50_000))) + b"eq\0"
    sets = name("__builtin__", "set") + b"q\1(" + b"h\1h\0\x85R" * BIG + b"t."
    yield "sets", items + sets
    yield "empty sets", b"(" + b"\x8f" * BIG * 8 + b"t."
    yield "marks", b"(" * BIG * 5 + b"."
    yield "lists", b"]" * BIG * 5 + b"a" * (BIG * 5 - 1) + b"."
    yield "tuples", b")" + b"\x85" * BIG * 5 + b"."
    yield "a deep key", b"})" + b"\x85" * BIG * 5 + b"Ns."
    yield "a wide key", b"}" + DEEP + b"Ns."
    alike = b"".join(number(k * (2**61 - 1)) + b"N" for k in range(BIG))
    yield "keys", b"}(" + alike + b"u."
    pairs = b"".join(
        b"h\0" + b"G" + struct.pack(">d", -1000003.0 * k) + b"G" + struct.pack(">d", k) + b"\x86R"
        for k in range(BIG // 10)
    )
    made = name("__builtin__", "complex") + b"q\0" + b"0\x8f(" + pairs + b"\x90."
    yield "complex keys", made
    one = tensor(4, 0, [4], [1])
    split = one.index(b"((")
    parts = one[:split] + b"q\0" + one[split:-1] + b"q\1"
    yield "tensors", parts + b"0(" + b"h\0h\1R" * BIG * 4 + b"t."
    yield "views", tensor(4, 0, [2**40], [0], b"\x88") + b"."
    yield "windows", tensor(4, 0, [2**40, 2, 2], [0, 1, 1]) + b"."
    yield "cycle", b"]q\0h\0a."
    yield "a deep offset", one.replace(b"QK\0", b"Q" + DEEP, 1) + b"."
    names = name("torch._tensor", "_rebuild_from_type_v2") + b"q\2"
    names += name("torch", "Tensor") + b"q\3"
    link = b"h\2(h\0h\3h\1}" + text("a")
    yield "a chain", parts + b"00" + names + b"00" + link * BIG + b"N" + b"stR" * BIG + b"."
    ordered = name("collections", "OrderedDict") + b"q\0)R"
    deeper = b"}" + text("_a") + b"h\0)R"
    yield "attributes", ordered + deeper * BIG + b"sb" * BIG + b"."
    yield "memo", b"".join(b"Nr" + struct.pack("<I", k) + b"0" for k in range(BIG)) + b"N."


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

# What happens when code is found or run; the beginnings of the names of such events.
CODE = ("import", "exec", "compile", "open", "os.", "subprocess.", "socket.", "pickle.", "ctypes.")
CODE += ("marshal.", "code.", "function.", "shutil.", "tempfile.", "urllib.", "webbrowser.")


class Watch:
    """Says what happens in the process while a file is loaded: events that only code causes."""

    def __init__(self):
        self.on, self.seen = False, []
        sys.addaudithook(self._note)

    def _note(self, event, arguments):
        if self.on and event.startswith(CODE):
            self.seen.append((event, repr(arguments)[:200]))


def touched(torch, value, budget=20000):
    """Looks at every element of what was loaded, as far as it is not too much."""
    waiting, seen = [value], set()
    while waiting and budget > 0:
        one = waiting.pop()
        budget -= 1
        if isinstance(one, torch.Tensor):
            if one.numel() <= 4096 and max(one.shape, default=0) <= 4096:
                one.tolist()
        elif id(one) not in seen:
            seen.add(id(one))
            if isinstance(one, dict):
                waiting += [*one.keys(), *one.values()]
            elif isinstance(one, (list, tuple, set)):
                waiting += one


def limit_memory(more=GIB):
    """From here on the process gets so much more memory, and no more."""
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[0])
    limit = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def warm_up(torch, files):
    """Loads what a load imports, so that nothing is imported later."""
    for data in files:
        torch.load(io.BytesIO(data), weights_only=False)
    bad_pickles = [b"cos\nsystem\n.", b"Va\n.", b"S'a'\n.", b"I1\n.", b"L1L\n.", b"F1\n."]
    on_gpu = with_pickle(tensor(4, 0, [4], [1], location="cuda:0") + b".", [("0", bytes(16))])
    for bad in (b"", b"x", b"PK\3\4", on_gpu, *map(with_pickle, bad_pickles)):
        try:
            torch.load(io.BytesIO(bad))
        except FAMILIAR:
            pass
    packed = [("archive/data.pkl", b"N."), ("archive/version", b"3\n")]
    torch.load(io.BytesIO(archive_of(packed, **{"archive/data.pkl": {"method": 8}})))


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


def run(seed, count, seconds):
    """Loads mutations; gives how many were loaded, and how many raised."""
    import types

    from penstock import torch

    sung = []
    canary = sys.modules["canary"] = types.ModuleType("canary")
    canary.sing = lambda *words: sung.append(words)
    files = files_of(torch)
    warm_up(torch, files)
    if "asan" not in sys.argv[4:]:
        limit_memory()
    draw, watch = random.Random(seed), Watch()
    loaded = raised = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end if seconds else loaded + raised < count:
        data = mutation(draw, files)
        signal.alarm(60)
        watch.on = True
        try:
            value = torch.load(io.BytesIO(data), weights_only=draw.random() < 0.7)
            watch.on = False
            touched(torch, value)
            del value
            loaded += 1
        except FAMILIAR as error:
            watch.on = False
            assert str(error), "an error without words"
            raised += 1
        except BaseException:
            watch.on = False
            sys.stderr.write(f"the file was {data!r}\n")
            raise
        assert not watch.seen and not sung, (watch.seen, sung, data)
    signal.alarm(0)
    return loaded, raised


def run_bombs():
    """Loads them, and prints what came of each."""
    from penstock import torch

    warm_up(torch, files_of(torch))
    files = list(bomb_files())
    if "asan" not in sys.argv[4:]:
        limit_memory()
    for key, data in files:
        signal.alarm(300)
        try:
            torch.load(io.BytesIO(data))
            said = "loaded"
        except FAMILIAR as error:
            said = f"{type(error).__name__} {error}"
        print(f"{key}: {said}", flush=True)


if __name__ == "__main__" and sys.argv[1] == "bombs":
    run_bombs()
elif __name__ == "__main__":
    print(*run(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))
