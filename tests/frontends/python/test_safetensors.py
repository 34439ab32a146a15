"""Arrays in safetensors and .params files, by penstock.save and penstock.load; and the same files
in the safetensors package."""

import json
import os
import pathlib
import struct
import threading

import numpy as np
import penstock as ps
import pytest

TYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64"
).split()


def numbers(kind):
    return np.arange(6).reshape(2, 3).astype(kind)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.safetensors"


def raw(path, header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


# ---- Round trips ---------------------------------------------------------------------------------


@pytest.mark.parametrize("copy", [True, False])
def test_all_types(path, copy):
    ps.save(path, {kind: ps.array(numbers(kind)) for kind in TYPES})
    loaded = ps.load(path, copy=copy)
    assert list(loaded) == TYPES
    for kind, array in loaded.items():
        assert type(array) is ps.ndarray and array.dtype == kind
        np.testing.assert_array_equal(array.asnumpy(), numbers(kind))


def test_bfloat16_and_no_complex128(path):
    x = ps.array([1.5, -2.0, 3.0]).astype("bfloat16")
    ps.save(path, {"x": x})
    y = ps.load(path)["x"]
    assert y.dtype == x.dtype and y.astype("float32").tolist() == [1.5, -2.0, 3.0]
    with pytest.raises(TypeError, match="tensor 0 is of type complex128, which the format lacks"):
        ps.save(path, {"x": ps.zeros(2, dtype="complex128")})


def test_shapes_views_and_what_numpy_has(path):
    base = np.arange(24.0, dtype="float32").reshape(2, 3, 4)
    x = ps.array(base)
    arrays = {"T": x.T, "some": x[:, ::-1, 1::2], "point": ps.array(2.5), "none": ps.zeros((0, 3))}
    ps.save(path, arrays | {"numpy": base, "list": [1, 2]})
    loaded = ps.load(path)
    np.testing.assert_array_equal(loaded["T"].asnumpy(), base.T)
    np.testing.assert_array_equal(loaded["some"].asnumpy(), base[:, ::-1, 1::2])
    assert loaded["point"].shape == () and loaded["point"].item() == 2.5
    assert loaded["none"].shape == (0, 3)
    np.testing.assert_array_equal(loaded["numpy"].asnumpy(), base)
    assert loaded["list"].tolist() == [1, 2]


def test_names_and_metadata(path):
    names = ["", "é", "漢字", "😀", 'a"b\\c/', "\x01\n\t\x7f", "layers.0.weight"]
    metadata = {"é": "😀", "": "", "format": "ps"}
    ps.save(path, {name: ps.full((1,), i) for i, name in enumerate(names)}, metadata)
    with ps.files.Safetensors(path) as file:
        assert list(file) == file.keys() == names and file.metadata == metadata
        assert [file[name].item() for name in names] == list(range(7))
    ps.save(path, {})
    assert ps.load(path) == {}


def test_what_is_queued_is_waited_for(path):
    x = ps.zeros((100,))
    for _ in range(50):
        x += 1
    ps.save(path, {"x": x})
    x += 1
    assert ps.load(path)["x"].sum().item() == 5000 and x.sum().item() == 5100


@pytest.mark.parametrize("kind", [str, pathlib.Path, os.fsencode])
def test_paths(path, kind):
    ps.save(kind(path), {"x": ps.ones(2)})
    assert ps.load(kind(path))["x"].tolist() == [1, 1]


def test_threads(path):
    ps.save(path, {str(i): ps.full((1000,), i) for i in range(20)})
    file, wrong = ps.files.Safetensors(path), []

    def read():
        for i in range(20):
            if file[str(i)].sum().item() != 1000 * i:
                wrong.append(i)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# ---- Parts, and memory of the file ---------------------------------------------------------------


def test_some_names(path):
    ps.save(path, {"a": ps.ones(2), "b": ps.zeros((2, 3), dtype="int8")})
    assert list(ps.load(path, names=["b"])) == ["b"]
    with pytest.raises(KeyError, match="a.safetensors: no array of 2 is called 'c'"):
        ps.load(path, names=["a", "c"])
    file = ps.files.Safetensors(path)
    assert file.info("b") == (ps.int8, (2, 3))
    assert len(file) == 2 and "a" in file and "c" not in file and 1 not in file
    assert repr(file) == f"<Safetensors {str(path)!r}: 2 arrays>"
    file.close()
    with pytest.raises(ValueError, match="the file is closed"):
        file["a"]
    assert dict(ps.files.Safetensors(path))["a"].tolist() == [1, 1]


def test_borrowed_arrays(path):
    ps.save(path, {"x": ps.arange(100000.0)})
    before = ps.memory.stats().live
    x = ps.load(path, copy=False)["x"]
    assert ps.memory.stats().live - before < 4096  # a handle
    content = path.read_bytes()
    ps.save(path, {"x": ps.zeros(1)})  # another file takes its name
    assert x[-1].item() == 99999
    x += 1
    assert x.sum().item() == pytest.approx(100000 * 100001 / 2)
    ps.save(path, {"x": ps.arange(100000.0)})
    assert path.read_bytes() == content


def test_copies_do_not_need_the_file(path):
    ps.save(path, {"x": ps.arange(1000.0)})
    x = ps.load(path)["x"]
    os.truncate(path, 0)
    assert x.sum().item() == 499500


# ---- Other files ---------------------------------------------------------------------------------


def test_params_files(tmp_path):
    path = tmp_path / "a.params"
    ps.save(path, {"w": ps.ones(2), "b": ps.zeros(1)})
    assert list(ps.load(path)) == ["w", "b"] and list(ps.load(path, names=["b"])) == ["b"]
    with pytest.raises(KeyError, match="no array of 2 is called 'c'"):
        ps.load(path, names=["c"])
    ps.save(path, [ps.ones(2), ps.zeros(1)])
    assert [x.tolist() for x in ps.load(path)] == [[1, 1], [0]]
    with pytest.raises(ValueError, match="have no names"):
        ps.load(path, names=["c"])
    with pytest.raises(ValueError, match="no metadata"):
        ps.save(path, {}, {"a": "b"})


def test_a_header_as_long_as_the_mark_of_params(path):
    raw(path, b"{}" + b" " * (0x112 - 2))
    assert ps.load(path) == {}


def test_wrong_arguments(tmp_path, path):
    with pytest.raises(ValueError, match=r"must end with .safetensors or .params"):
        ps.save(tmp_path / "a.npz", {})
    with pytest.raises(TypeError, match="have names: give a dict"):
        ps.save(path, [ps.ones(2)])
    with pytest.raises(TypeError, match="texts by texts, not 'epoch': 3"):
        ps.save(path, {}, {"epoch": 3})
    with pytest.raises(ValueError, match="null character"):
        ps.save(path, {"a\0b": ps.ones(2)})
    with pytest.raises(TypeError):
        ps.save(path, {1: ps.ones(2)})
    with pytest.raises(UnicodeEncodeError):
        ps.save(path, {"\ud83d": ps.ones(2)})
    assert not path.exists()
    with pytest.raises(FileNotFoundError):
        ps.load(path)
    with pytest.raises(FileNotFoundError):
        ps.files.Safetensors(path)
    with pytest.raises(IsADirectoryError):
        ps.files.Safetensors(tmp_path)
    with pytest.raises(FileNotFoundError):
        ps.save(tmp_path / "no" / "a.safetensors", {})


BAD = {
    "its header begins with 0x5B": b"[]",
    "is of element type \"F8_E5M2\"": {
        "x": {"dtype": "F8_E5M2", "shape": [], "data_offsets": [0, 1]}
    },
    "needs 8 bytes and has 4": {"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}},
}


@pytest.mark.parametrize("text", BAD)
def test_malformed_files(path, text):
    raw(path, BAD[text], b"\0")
    with pytest.raises(ValueError) as caught:
        ps.load(path)
    assert text in str(caught.value) and str(path) in str(caught.value)


def test_a_failed_operation_is_told_before_anything_is_written(path):
    ps.save(path, {"x": ps.ones(1)})
    x = ps.take(ps.ones(3), ps.array([7]))
    with pytest.raises(IndexError):
        ps.save(path, {"x": x})
    assert ps.load(path)["x"].tolist() == [1]


# ---- The package of the format's authors ---------------------------------------------------------

THEIRS = [kind for kind in TYPES if kind != "complex64"]  # NumPy arrays of which they take


def test_they_read_ours(path):
    theirs = pytest.importorskip("safetensors.numpy", reason="safetensors is not installed")
    arrays = {f"ä.{kind}": numbers(kind) for kind in THEIRS}
    arrays |= {"point": np.array(2.5), "none": np.zeros((0, 3), "float32")}
    ps.save(path, arrays, {"by": "us"})
    found = theirs.load_file(path)
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype and found[name].shape == array.shape
        np.testing.assert_array_equal(found[name], array)
    import safetensors

    with safetensors.safe_open(path, "numpy") as file:
        assert file.metadata() == {"by": "us"}


def test_we_read_theirs(path):
    theirs = pytest.importorskip("safetensors.numpy", reason="safetensors is not installed")
    arrays = {f"ä.{kind}": numbers(kind) for kind in THEIRS}
    arrays |= {"point": np.array(2.5), "none": np.zeros((0, 3), "float32")}
    theirs.save_file(arrays, path, {"by": "them"})
    for copy in (True, False):
        found = ps.load(path, copy=copy)
        assert found.keys() == arrays.keys()
        for name, array in arrays.items():
            assert found[name].dtype == array.dtype.name and found[name].shape == array.shape
            np.testing.assert_array_equal(found[name].asnumpy(), array)
    assert ps.files.Safetensors(path).metadata == {"by": "them"}
