#!/usr/bin/env python3
"""Records the small files in data/, for tests that read what Apache MXNet 1.9.1 wrote.

    python tests/files/record.py

needs an environment with mxnet 1.9.1 and numpy below 1.24. Forms that MXNet 1.9.1 reads but no
longer writes (V1, the form before versions, arrays of a GPU) are put together here byte by byte;
MXNet must read them as intended before they are kept.
"""
import pathlib
import struct

import mxnet as mx
import numpy
from mxnet import np, npx

DATA = pathlib.Path(__file__).resolve().parent / "data"
V1, V2, V3 = 0xF993FAC8, 0xF993FAC9, 0xF993FACA
NUMBERS = [[0, 1, 2], [3, 4, 100]]
CODES = {"float32": 0, "float64": 1, "float16": 2, "uint8": 3, "int32": 4, "int8": 5, "int64": 6}


def path(name):
    return str(DATA / f"{name}.params")


def record_nd():
    types = [*CODES, "bool"]
    mx.nd.save(path("nd_types"), {t: mx.nd.array(NUMBERS, dtype=t) for t in types})
    mx.nd.save(path("nd_list"), [mx.nd.arange(6).reshape((1, 2, 3)), mx.nd.ones((1,))])
    mx.nd.save(path("nd_empty"), [])
    mx.nd.save(path("nd_sparse"), [mx.nd.array([[1, 0], [0, 2]]).tostype("row_sparse")])


def record_np():
    npx.set_np()
    types = [*CODES, "bool"]
    npx.save(path("np_types"), {t: np.array(NUMBERS, dtype=t) for t in types})
    npx.save(path("np_shapes"), [np.array(5.5), np.zeros((0, 3)), np.ones((2, 1, 1, 2))])
    npx.reset_np()


def header(count):
    return struct.pack("<QQQ", 0x112, 0, count)


def names(*all_names):
    parts = [struct.pack("<Q", len(all_names))]
    parts += [struct.pack("<Q", len(name)) + name for name in all_names]
    return b"".join(parts)


def array(magic, shape, values, kind="float32", device=(1, 0)):
    """One array in the form of that magic number; None is the form before versions."""
    begin = b"" if magic is None else struct.pack("<I", magic)
    begin += struct.pack("<i", 0) if magic in (V2, V3) else b""
    lengths = struct.pack(f"<I{len(shape)}{'I' if magic is None else 'q'}", len(shape), *shape)
    kinds = struct.pack("<iii", *device, CODES[kind])
    return begin + lengths + kinds + numpy.asarray(values, dtype=kind).tobytes()


def keep(name, content, wanted):
    """Writes the file, if MXNet reads from it what is wanted."""
    pathlib.Path(path(name)).write_bytes(content)
    read = mx.nd.load(path(name))
    assert sorted(read) == sorted(wanted), (name, read)
    for key, value in wanted.items():
        value = numpy.asarray(value)
        got = read[key].asnumpy()
        assert got.dtype == value.dtype and got.shape == value.shape, (name, key, got)
        assert (got == value).all(), (name, key, got)


def record_by_hand():
    floats = numpy.array(NUMBERS, "float32")
    longs = numpy.array([7, -7], "int64")
    for name, magic in (("v1", V1), ("older", None)):
        content = header(3) + array(magic, (2, 3), floats) + array(magic, (2,), longs, "int64")
        content += array(magic, (), 5) + names(b"a", b"b", b"c")
        keep(name, content, {"a": floats, "b": longs, "c": numpy.float32(5)})
    content = header(1) + array(V2, (2, 3), floats, device=(2, 3)) + names(b"a") + b"trailing"
    keep("gpu", content, {"a": floats})


if __name__ == "__main__":
    assert mx.__version__ == "1.9.1", mx.__version__
    DATA.mkdir(exist_ok=True)
    record_nd()
    record_np()
    record_by_hand()
