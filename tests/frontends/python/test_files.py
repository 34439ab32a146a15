"""Arrays in files of MXNet's .params format: the functions that dialects are made of."""

import os
import pathlib
import struct
import threading

import numpy as np
import pytest

import penstock as ps
from penstock import _core

DATA = pathlib.Path(__file__).resolve().parents[2] / "files" / "data"
TYPES = ["bool", "int8", "int32", "int64", "uint8", "float16", "float32", "float64"]


def save(path, arrays, names=None, version=3):
    _core._params_save(path, names, arrays, version)


def numbers(kind):
    return np.arange(6).reshape(2, 3).astype(kind)


@pytest.mark.parametrize("version", [2, 3])
def test_round_trip(tmp_path, version):
    path = tmp_path / "a.params"
    save(path, [ps.array(numbers(kind)) for kind in TYPES], TYPES, version)
    arrays, names = _core._params_load(path)
    assert names == TYPES
    for array, kind in zip(arrays, TYPES):
        assert type(array) is ps.ndarray
        assert str(array.dtype).endswith(kind)
        np.testing.assert_array_equal(array.asnumpy(), numbers(kind))


def test_bfloat16(tmp_path):
    x = ps.array([1.5, -2.0, 3.0]).astype("bfloat16")
    save(tmp_path / "a", [x])
    (y,), names = _core._params_load(tmp_path / "a")
    assert names is None and y.dtype == x.dtype
    assert y.astype("float32").tolist() == [1.5, -2.0, 3.0]


def test_shapes_and_views(tmp_path):
    base = np.arange(24.0, dtype="float32").reshape(2, 3, 4)
    x = ps.array(base)
    save(tmp_path / "a", (x.T, x[:, ::-1, 1::2], ps.array(2.5), ps.zeros((0, 3))))
    (a, b, c, d), _ = _core._params_load(tmp_path / "a")
    np.testing.assert_array_equal(a.asnumpy(), base.T)
    np.testing.assert_array_equal(b.asnumpy(), base[:, ::-1, 1::2])
    assert c.shape == () and c.item() == 2.5
    assert d.shape == (0, 3)


def test_nothing(tmp_path):
    save(tmp_path / "a", [])
    assert _core._params_load(tmp_path / "a") == ([], None)
    save(tmp_path / "a", [], [])
    assert _core._params_load(tmp_path / "a") == ([], None)


def test_names(tmp_path):
    names = ["é", "", "0.weight", "w", "w"]
    save(tmp_path / "a", [ps.ones((1,))] * 5, names)
    assert _core._params_load(tmp_path / "a")[1] == names


def test_what_is_queued_is_waited_for(tmp_path):
    x = ps.zeros((100,))
    for _ in range(50):
        x += 1
    save(tmp_path / "a", [x])
    x += 1
    assert _core._params_load(tmp_path / "a")[0][0].sum().item() == 5000
    assert x.sum().item() == 5100


@pytest.mark.parametrize("kind", [str, bytes, pathlib.Path])
def test_kinds_of_paths(tmp_path, kind):
    path = str(tmp_path / "ä.params")
    path = path.encode() if kind is bytes else kind(path)
    save(path, [ps.ones((2,))])
    assert _core._params_load(path)[0][0].tolist() == [1, 1]


@pytest.mark.parametrize("name", ["nd_types", "np_types", "nd_list", "np_shapes", "v1", "older"])
def test_buffers(name):
    path = DATA / f"{name}.params"
    arrays, names = _core._params_load(path)
    content = path.read_bytes()
    for data in (content, bytearray(content), memoryview(content)):
        copies, same = _core._params_load_buffer(data)
        assert same == names
        for array, copy in zip(arrays, copies, strict=True):
            assert array.dtype == copy.dtype
            np.testing.assert_array_equal(array.asnumpy(), copy.asnumpy())


def test_what_mxnet_wrote():
    arrays, names = _core._params_load(DATA / "nd_types.params")
    assert sorted(names) == sorted(TYPES)
    for array, kind in zip(arrays, names):
        want = np.array([[0, 1, 2], [3, 4, 100]]).astype(kind)
        np.testing.assert_array_equal(array.asnumpy(), want)


def test_versions_are_refused():
    with pytest.raises(ValueError, match="array 0 was saved with NumPy semantics"):
        _core._params_load(DATA / "np_types.params", False)
    with pytest.raises(ValueError, match="array 0 was saved without NumPy semantics"):
        _core._params_load(DATA / "nd_types.params", True, False)
    with pytest.raises(ValueError, match="array 0 was saved with NumPy semantics"):
        _core._params_load_buffer((DATA / "np_types.params").read_bytes(), False)
    _core._params_load(DATA / "nd_types.params", False)
    _core._params_load(DATA / "np_types.params", True, False)


def test_an_array_without_a_shape_is_none():
    content = struct.pack("<QQQIIIQ", 0x112, 0, 1, 0xF993FAC9, 0, 0, 0)
    assert _core._params_load_buffer(content) == ([None], None)


def test_malformed_content(tmp_path):
    content = (DATA / "nd_list.params").read_bytes()
    for size in range(len(content)):
        with pytest.raises(ValueError, match="_params_load|ps_params_load_memory"):
            _core._params_load_buffer(content[:size])
    (tmp_path / "a").write_bytes(b"PK\3\4" + bytes(100))
    with pytest.raises(ValueError, match="this is no .params file"):
        _core._params_load(tmp_path / "a")
    with pytest.raises(ValueError, match="row_sparse"):
        _core._params_load(DATA / "nd_sparse.params")
    with pytest.raises(UnicodeDecodeError):
        array = content[24:-8]
        names = struct.pack("<QQBQB", 2, 1, 255, 1, 255)
        _core._params_load_buffer(content[:24] + array + names)


def test_errors_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        _core._params_load(tmp_path / "missing")
    assert caught.value.filename == tmp_path / "missing"
    with pytest.raises(IsADirectoryError):
        _core._params_load(tmp_path)
    with pytest.raises(IsADirectoryError):
        save(tmp_path, [ps.ones((2,))])
    with pytest.raises(FileNotFoundError):
        save(tmp_path / "missing" / "a", [ps.ones((2,))])
    with pytest.raises(OSError, match="No space left"):
        save("/dev/full", [ps.ones((2,))])
    assert os.listdir(tmp_path) == []


def test_wrong_arguments(tmp_path):
    path, x = tmp_path / "a", ps.ones((2,))
    with pytest.raises(TypeError, match="int16"):
        save(path, [ps.ones((2,), dtype="int16")])
    with pytest.raises(ValueError, match="no dimensions"):
        save(path, [ps.array(1.0)], version=2)
    with pytest.raises(ValueError, match="version 4"):
        save(path, [x], version=4)
    with pytest.raises(ValueError, match="1 names for 2 arrays"):
        save(path, [x, x], ["a"])
    with pytest.raises(ValueError, match="null character"):
        save(path, [x], ["a\0b"])
    with pytest.raises(ValueError, match="surrogates"):
        save(path, [x], ["\ud800"])
    with pytest.raises(TypeError, match=r"arrays\[1\] must be an array, not 3"):
        save(path, [x, 3])
    for names, arrays in ((5, [x]), (None, 5), ([5], [x])):
        with pytest.raises(TypeError):
            save(path, arrays, names)
    with pytest.raises(TypeError):
        _core._params_load(5)
    with pytest.raises(TypeError):
        _core._params_load_buffer("text")
    with pytest.raises(ValueError, match="null"):
        _core._params_load("a\0b")
    assert not path.exists()


def test_other_threads_run_meanwhile(tmp_path):
    """Several threads save and load files of their own, and write to the arrays they save."""
    failures = []

    def work(index):
        try:
            x = ps.full((1000,), index)
            for step in range(20):
                save(tmp_path / str(index), [x])
                x += 1
                (y,), _ = _core._params_load(tmp_path / str(index))
                assert y.sum().item() == 1000 * (index + step)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sorted(os.listdir(tmp_path)) == ["0", "1", "2", "3"]
