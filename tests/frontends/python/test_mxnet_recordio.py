"""mx.recordio: the format of MXNet's record files, written and read, and damaged ones."""

import copy
import os
import struct

import hypothesis
import numpy
import pytest
from hypothesis import strategies

from penstock.mxnet import recordio
from penstock.mxnet.base import MXNetError

MAGIC = struct.pack("<I", 0xCED7230A)

# What MXNet 1.9.1 wrote for these records.
RECORDS = [b"", b"a", b"abcd", MAGIC, b"abcd" + MAGIC + b"xy", MAGIC * 2, b"a" + MAGIC]
FILE = bytes.fromhex(
    "0a23d7ce00000000"
    "0a23d7ce0100000061000000"
    "0a23d7ce0400000061626364"
    "0a23d7ce000000200a23d7ce00000060"
    "0a23d7ce04000020616263640a23d7ce0200006078790000"
    "0a23d7ce000000200a23d7ce000000400a23d7ce00000060"
    "0a23d7ce05000000610a23d7ce000000"
)
PLACES = [0, 8, 20, 32, 48, 72, 96]


def read_all(path):
    reader = recordio.MXRecordIO(path, "r")
    return list(iter(reader.read, None))


def write_all(path, records):
    writer = recordio.MXRecordIO(path, "w")
    for record in records:
        writer.write(record)
    writer.close()


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "some.rec")


def test_files_are_mxnets(path):
    write_all(path, RECORDS)
    with open(path, "rb") as file:
        assert file.read() == FILE
    assert read_all(path) == RECORDS


@hypothesis.given(
    strategies.lists(
        strategies.lists(strategies.sampled_from([b"x", b"abcd", MAGIC, MAGIC[:3], b"\0"])).map(
            b"".join
        )
    )
)
def test_what_is_written_is_read(tmp_path_factory, records):
    path = str(tmp_path_factory.getbasetemp() / "fuzz.rec")
    write_all(path, records)
    assert read_all(path) == records
    assert os.path.getsize(path) % 4 == 0


@hypothesis.given(strategies.integers(0, len(FILE) - 1), strategies.integers(0, 255))
def test_a_damaged_file_gives_records_or_raises(tmp_path_factory, place, byte):
    path = str(tmp_path_factory.getbasetemp() / "damaged.rec")
    damaged = bytearray(FILE)
    damaged[place] = byte
    for content in (bytes(damaged), FILE[:place]):
        with open(path, "wb") as file:
            file.write(content)
        try:
            found = read_all(path)
        except MXNetError as error:
            assert path in str(error)
        else:
            assert all(isinstance(record, bytes) for record in found)


@pytest.mark.parametrize(
    "content",
    [
        b"garbage!" * 4,
        b"ab",
        MAGIC + b"ab",
        MAGIC + struct.pack("<I", 100) + b"abc",
        MAGIC + struct.pack("<I", 1 << 29 | 4) + b"abcd",  # a first part alone
        MAGIC + struct.pack("<I", 2 << 29 | 4) + b"abcd",  # a middle part first
    ],
)
def test_files_that_are_none(path, content):
    with open(path, "wb") as file:
        file.write(content)
    with pytest.raises(MXNetError, match="Invalid RecordIO File"):
        recordio.MXRecordIO(path, "r").read()


def test_reset_and_close(path):
    write_all(path, [b"one", b"two"])
    reader = recordio.MXRecordIO(path, "r")
    assert reader.read() == b"one"
    reader.reset()
    assert reader.read() == b"one"
    reader.close()
    reader.close()
    with pytest.raises(RuntimeError, match="closed"):
        reader.read()


def test_reading_and_writing_are_two_things(path):
    writer = recordio.MXRecordIO(path, "w")
    with pytest.raises(AssertionError):
        writer.read()
    with pytest.raises(TypeError, match="bytes"):
        writer.write("text")
    writer.close()
    with pytest.raises(AssertionError):
        recordio.MXRecordIO(path, "r").write(b"x")
    with pytest.raises(ValueError, match="Invalid flag x"):
        recordio.MXRecordIO(path, "x")
    with pytest.raises(MXNetError, match="No such file"):
        recordio.MXRecordIO(path + ".none", "r")


# ---- With an index -------------------------------------------------------------------------------


@pytest.fixture
def indexed(path):
    index = path + ".idx"
    writer = recordio.MXIndexedRecordIO(index, path, "w")
    for key, record in enumerate(RECORDS):
        assert writer.tell() == PLACES[key]
        writer.write_idx(key, record)
    writer.close()
    return index, path


def test_by_key(indexed):
    with open(indexed[0], encoding="ascii") as file:
        assert file.read() == "".join(f"{key}\t{place}\n" for key, place in enumerate(PLACES))
    reader = recordio.MXIndexedRecordIO(*indexed, "r")
    assert reader.keys == list(range(len(RECORDS)))
    assert [reader.read_idx(key) for key in reversed(reader.keys)] == RECORDS[::-1]
    reader.seek(2)
    assert reader.read() == b"abcd"
    with pytest.raises(KeyError):
        reader.read_idx(99)
    with pytest.raises(AssertionError):
        reader.tell()


def test_a_copy_of_a_reader_has_a_file_of_its_own(indexed):
    original = recordio.MXIndexedRecordIO(*indexed, "r")
    original.read_idx(4)
    reader = copy.deepcopy(original)
    assert reader.read() == b""
    assert reader.read_idx(2) == b"abcd"


def test_keys_of_another_type(path):
    writer = recordio.MXIndexedRecordIO(path + ".idx", path, "w", key_type=str)
    writer.write_idx("cat", b"meow")
    writer.close()
    reader = recordio.MXIndexedRecordIO(path + ".idx", path, "r", key_type=str)
    assert reader.read_idx("cat") == b"meow"


# ---- Labels --------------------------------------------------------------------------------------


def test_pack_one_label():
    packed = recordio.pack((0, 3.0, 4, 5), b"abc")
    assert packed == struct.pack("<IfQQ", 0, 3.0, 4, 5) + b"abc"
    header, data = recordio.unpack(packed)
    assert header == (0, 3.0, 4, 5) and data == b"abc"
    assert repr(header) == "HEADER(flag=0, label=3.0, id=4, id2=5)"


def test_pack_several_labels():
    packed = recordio.pack(recordio.IRHeader(7, [1, 2, 3], 4, 5), b"abc")
    assert packed == struct.pack("<IfQQ3f", 3, 0, 4, 5, 1, 2, 3) + b"abc"
    header, data = recordio.unpack(packed)
    assert header.flag == 3 and data == b"abc"
    assert header.label.dtype == numpy.float32 and header.label.tolist() == [1, 2, 3]


def test_pictures():
    pytest.importorskip("PIL")
    picture = numpy.arange(5 * 4 * 3, dtype="uint8").reshape(5, 4, 3)  # blue, green, red
    packed = recordio.pack_img((0, 1.0, 2, 0), picture, quality=3, img_fmt=".png")
    header, found = recordio.unpack_img(packed)
    assert header.label == 1.0
    numpy.testing.assert_array_equal(found, picture)
    grey = recordio.unpack_img(recordio.pack_img((0, 1, 2, 0), picture[:, :, 0], 9, ".png"))[1]
    numpy.testing.assert_array_equal(grey, picture[:, :, 0])
    with pytest.raises(TypeError, match="uint8"):
        recordio.pack_img((0, 1, 2, 0), picture.astype("float32"))
    with pytest.raises(ValueError, match="'.nothing'"):
        recordio.pack_img((0, 1, 2, 0), picture, img_fmt=".nothing")
