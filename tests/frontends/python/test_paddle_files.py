"""paddle.save and paddle.load: files of the real one, and files that mean harm."""

import base64
import io
import json
import os
import pathlib
import pickle
import random

import numpy as np
import pytest

from penstock import paddle

nn = paddle.nn
VECTORS = pathlib.Path(__file__).resolve().parents[2] / "conformance" / "vectors"
FILES = {
    name: base64.b64decode(text)
    for name, text in json.loads((VECTORS / "paddle_files.json").read_text()).items()
}


def loaded(data, **options):
    return paddle.load(io.BytesIO(data), **options)


def test_files_of_the_real_one():
    state = loaded(FILES["layer"])
    assert list(state) == ["weight", "bias"] and state["weight"].shape == [2, 3]
    layer = nn.Linear(2, 3)
    assert layer.set_state_dict(state) == ([], [])
    for name in ("mixed", "mixed2"):
        mixed = loaded(FILES[name])
        assert mixed["a"].tolist() == [1.0, 1.0] and mixed["b"] == [1, "x", None, 2.5]
        assert mixed["c"].tolist() == [0, 1, 2] and mixed["d"] == (1, True)
    for name, one in loaded(FILES["types"]).items():
        assert str(one.dtype) == f"paddle.{name}" and one.tolist() == [1, 1]
    assert loaded(FILES["tensor"]).item() == 1.5
    assert any(name.endswith("moment1_0") for name in loaded(FILES["adam"]))
    assert isinstance(loaded(FILES["layer"], return_numpy=True)["weight"], np.ndarray)


def test_there_and_back(tmp_path):
    path = str(tmp_path / "folder" / "file.pdparams")
    layer, other = nn.Linear(2, 3), nn.Linear(2, 3)
    paddle.save(layer.state_dict(), path)
    assert other.set_state_dict(paddle.load(path)) == ([], [])
    assert other.weight.tolist() == layer.weight.tolist()
    assert open(path, "rb").read(2) == b"\x80\x04"
    for value in ([paddle.arange(3)], {"a": (paddle.ones([2]), 1)}, 3, "x", 2.5 + 1j):
        paddle.save(value, path)
        assert repr(paddle.load(path)) == repr(value)


def test_refusals(tmp_path):
    with pytest.raises(ValueError, match="not exists"):
        paddle.load("/nonexistent")
    with pytest.raises(ValueError, match="Layer"):
        paddle.save(nn.Linear(1, 1), str(tmp_path / "x"))
    with pytest.raises(ValueError, match="filename"):
        paddle.save(1, str(tmp_path) + "/")
    with pytest.raises(ValueError, match="protocol"):
        paddle.save(1, str(tmp_path / "x"), protocol=9)
    with pytest.raises(NotImplementedError, match="object"):
        paddle.save(object(), str(tmp_path / "x"))


class Harm:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (self.path,)


@pytest.mark.parametrize("protocol", range(5))
def test_nothing_of_a_file_is_run(tmp_path, protocol):
    path = str(tmp_path / "harm")
    for value in (Harm(path), {"a": [Harm(path)]}):
        with pytest.raises(ValueError, match="can not parse the file.*no data"):
            loaded(pickle.dumps(value, protocol))
    assert not os.path.exists(path)


@pytest.mark.parametrize("name", FILES)
def test_cut_off(name):
    data = FILES[name]
    for end in range(0, len(data) - 1, 7):
        with pytest.raises((ValueError, EOFError)):
            loaded(data[:end])


@pytest.mark.parametrize("name", FILES)
def test_changed_bytes(name):
    chance = random.Random(1)
    for _ in range(150):
        data = bytearray(FILES[name])
        for _ in range(chance.randrange(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            loaded(bytes(data))
        except (ValueError, EOFError):
            pass


def test_memory_is_in_proportion():
    bomb = b"\x80\x04" + b"]" * 3_000_00 + b"."
    with pytest.raises(ValueError):
        loaded(bomb)
