"""torch.save and torch.load: files of the real PyTorch 2.15.0, our own, and where they go."""

import base64
import gzip
import io
import json
import os
import pathlib
import pickle
import stat
import sys
import zipfile

import numpy as np
import pytest

from penstock import torch

CONFORMANCE = pathlib.Path(__file__).parents[2] / "conformance"
sys.path.insert(0, str(CONFORMANCE))

import torch_files  # noqa: E402

with gzip.open(CONFORMANCE / "vectors" / "torch_files.json.gz") as _file:
    RECORDED = json.load(_file)
IDS = [f"{name}, {way}" for name, way, _, _ in RECORDED]


def saved(value, **options):
    file = io.BytesIO()
    torch.save(value, file, **options)
    return file.getvalue()


def load(data, **options):
    return torch.load(io.BytesIO(data), **options)


def again(value, **options):
    return load(saved(value), **options)


def described(value):
    return json.loads(json.dumps(torch_files.described(torch, value)))


# ---- Files of the real one -----------------------------------------------------------------------


@pytest.mark.parametrize(("name", "way", "data", "shown"), RECORDED, ids=IDS)
def test_files_of_the_real_one(name, way, data, shown):
    found = described(load(base64.b64decode(data)))
    if name == "overlapping":  # views that overlap themselves are read as copies
        found["steps"] = shown["steps"]
    assert found == shown


@pytest.mark.parametrize(("name", "way", "data", "shown"), RECORDED, ids=IDS)
def test_our_own_files(name, way, data, shown):
    if name in torch_files.READ_ONLY:
        pytest.skip("there are no such tensors here")
    assert described(load(torch_files.written(torch, name, way))) == shown


def test_files_of_the_real_one_go_around():
    for name, _, data, shown in RECORDED:
        if name not in torch_files.READ_ONLY:
            assert described(again(load(base64.b64decode(data)))) == shown


# ---- The format ----------------------------------------------------------------------------------


def test_the_archive():
    data = saved({"a": torch.arange(3), "b": torch.ones(2, 2)})
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        entries = archive.infolist()
        assert [entry.filename for entry in entries] == [
            "archive/data.pkl",
            "archive/.format_version",
            "archive/.storage_alignment",
            "archive/byteorder",
            "archive/data/0",
            "archive/data/1",
            "archive/version",
            "archive/.data/serialization_id",
        ]
        assert {entry.compress_type for entry in entries} == {zipfile.ZIP_STORED}
        assert archive.read("archive/data/1") == np.ones(4, "f4").tobytes()
        assert archive.read("archive/byteorder") == b"little"
        assert len(archive.read("archive/.data/serialization_id")) == 40
        for entry in entries:
            with archive.open(entry) as file:
                assert file._orig_compress_start % 64 == 0


def test_globals_are_torch_s():
    data = zipfile.ZipFile(io.BytesIO(saved([torch.ones(1), torch.float32, torch.Size([1])])))
    program = data.read("archive/data.pkl")
    for name in ("._utils\n_rebuild_tensor_v2", "\nFloatStorage", "\nfloat32", "\nSize"):
        assert f"ctorch{name}\n".encode() in program
    assert b"penstock" not in program


def test_many_records():
    from penstock.torch._zipped import Reader, Writer

    parts = []
    archive = Writer(parts.append, "archive")
    for number in range(66000):
        archive.record(str(number), b"%d" % number)
    archive.end()
    data = b"".join(parts)

    class Source:
        size = len(data)

        def read(self, at, count):
            return data[at : at + count]

    reader = Reader(Source(), lambda count: None)
    assert reader.read("65999") == b"65999" and "66000" not in reader


def test_large_records():
    from penstock.torch import _zipped

    for size, at in ((2**33, 5), (5, 2**34), (2**33, 2**34), (2**32 - 1, 0)):
        entry, _ = _zipped._listed(_zipped._central(b"archive/x", size, 7, at), 0)
        assert (entry.size, entry.packed, entry.at, entry.check) == (size, size, at, 7)


def test_a_whole_storage_is_written():
    x = torch.arange(100.0)
    archive = zipfile.ZipFile(io.BytesIO(saved(x[90:95])))
    assert len(archive.read("archive/data/0")) == 400
    y = load(saved(x[90:95]))
    assert y.storage_offset() == 90 and y.untyped_storage().nbytes() == 400


# ---- Tensors -------------------------------------------------------------------------------------


def test_the_facts():
    x = torch.arange(4.0)
    data = saved([x, x[:2], {"a": 1}])
    u, v, _ = load(data)
    v[0] = 9
    assert u.tolist() == [9, 1, 2, 3] and data[:2] == b"PK"
    assert x.tolist() == [0, 1, 2, 3]
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
        load(b"garbage")


def test_modules_are_no_data():
    data = saved(torch.nn.Linear(1, 1))
    for weights_only in (True, False):
        with pytest.raises(pickle.UnpicklingError, match="Weights only load failed.*Linear"):
            load(data, weights_only=weights_only)


def test_all_views_share():
    x = torch.arange(60).reshape(3, 4, 5)
    found = again([x, x[1:, ::2, 1:4], x.permute(2, 0, 1), x[2, 3], x[0, 0, 0]])
    found[0][...] = 7
    assert all((one == 7).all().item() for one in found)
    assert [one.stride() for one in found] == [(20, 5, 1), (20, 10, 1), (1, 20, 5), (1,), ()]


def test_what_does_not_share_stays_apart():
    a, b = again([torch.ones(2), torch.ones(2)])
    a[0] = 5
    assert b.tolist() == [1, 1]


def test_one_object_twice():
    x = torch.ones(2)
    a, b, c = again([x, x, x[:]])
    assert a is b and c is not a


def test_uncovered_elements_of_several_views():
    x = torch.arange(12, dtype=torch.int16).reshape(3, 4)
    a, b = again([x[:, 1], x[1, ::2]])
    assert a.tolist() == [1, 5, 9] and b.tolist() == [4, 6]
    a[1] = 0
    assert a.untyped_storage() == b.untyped_storage()


def test_gradients_are_not_written():
    x = torch.ones(2, requires_grad=True)
    (x * 3).sum().backward()
    y = again(x)
    assert y.requires_grad and y.is_leaf and y.grad is None
    (y * 2).sum().backward()
    assert y.grad.tolist() == [2, 2]


def test_a_view_with_a_gradient():
    x = torch.arange(4.0)
    part = x[1:3].detach()
    part.requires_grad = True
    for way in (True, False):
        whole, y = load(saved([x, part], _use_new_zipfile_serialization=way))
        (y * y).sum().backward()
        assert whole.tolist() == [0, 1, 2, 3] and y.grad.tolist() == [2, 4]


def test_two_types_of_one_storage():
    x = torch.tensor([1 + 2j, 3 - 1j])
    with pytest.raises(RuntimeError, match="different types"):
        saved([x, x.real])
    assert again(x.real).tolist() == [1, 3]


def test_saving_waits():
    x = torch.ones(50, 50)
    for _ in range(20):
        x = x @ torch.eye(50) + 1
    assert again(x)[3, 4].item() == 21


def test_storages():
    x = torch.arange(3.0)
    y, found = again([x, x.untyped_storage()])
    assert found.nbytes() == 12 and found == y.untyped_storage()


def test_numpy_is_read_on_demand():
    numbers = np.arange(6).reshape(2, 3).T
    for value in (numbers, np.float32(2.5), np.array(["ab", "c"]), np.zeros((0, 2))):
        for protocol in (2, 4, 5):
            data = saved({"x": value}, pickle_protocol=protocol)
            found = load(data, weights_only=False)["x"]
            assert type(found) is type(value) and found.dtype == value.dtype
            assert np.array_equal(found, value)
            with pytest.raises(pickle.UnpicklingError, match="numpy"):
                load(data)
    with pytest.raises(pickle.UnpicklingError, match="NumPy"):
        load(saved(np.array([None])), weights_only=False)


def test_programs_own_classes_are_written_by_python_s_rules():
    with pytest.raises((pickle.PicklingError, AttributeError)):
        saved(lambda: 0)
    with pytest.raises(pickle.PicklingError):
        saved({"a": torch.ones(1)}, pickle_protocol=0)


# ---- Where files are -----------------------------------------------------------------------------


def test_paths(tmp_path):
    for path in (tmp_path / "net.v1.pt", str(tmp_path / "plain")):
        torch.save(torch.ones(2), path)
        assert torch.load(path).tolist() == [1, 1]
        assert torch.load(path, mmap=True).tolist() == [1, 1]
    names = zipfile.ZipFile(tmp_path / "net.v1.pt").namelist()
    assert names[0] == "net.v1/data.pkl"
    assert sorted(os.listdir(tmp_path)) == ["net.v1.pt", "plain"]
    mode = stat.S_IMODE(os.stat(tmp_path / "plain").st_mode)
    plain = tmp_path / "other"
    plain.write_bytes(b"")
    assert mode == stat.S_IMODE(os.stat(plain).st_mode)


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path):
    path = tmp_path / "x.pt"
    torch.save(torch.ones(2), path)
    os.chmod(path, 0o640)
    before = path.read_bytes()
    with pytest.raises((pickle.PicklingError, AttributeError)):
        torch.save([torch.zeros(2), lambda: 0], path)
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["x.pt"]
    torch.save(torch.zeros(2), path)
    assert torch.load(path).tolist() == [0, 0]
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o640


def test_links_and_devices(tmp_path):
    target, link = tmp_path / "target.pt", tmp_path / "link.pt"
    target.write_bytes(b"old")
    link.symlink_to(target)
    torch.save(torch.ones(1), link)
    assert link.is_symlink() and torch.load(target).tolist() == [1]
    torch.save(torch.ones(1), os.devnull)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_places_that_are_not_there(tmp_path):
    with pytest.raises(RuntimeError, match="Parent directory"):
        torch.save(1, tmp_path / "no" / "x.pt")
    with pytest.raises(FileNotFoundError):
        torch.load(tmp_path / "no.pt")
    with pytest.raises(IsADirectoryError):
        torch.load(tmp_path)
    with pytest.raises(IsADirectoryError):
        torch.save(1, tmp_path)


def test_objects_that_are_files():
    class Sink:
        def __init__(self):
            self.data = b""

        def write(self, part):
            self.data += part

    sink = Sink()
    torch.save([1, torch.ones(1)], sink)
    assert load(sink.data)[1].item() == 1
    file = io.BytesIO(b"head" + sink.data)
    file.seek(4)
    assert torch.load(file)[0] == 1
    for wrong in (3, None, object()):
        with pytest.raises(AttributeError, match="write"):
            torch.save(1, wrong)
        with pytest.raises(AttributeError, match="read"):
            torch.load(wrong)
    with pytest.raises(ValueError, match="file path"):
        torch.load(io.BytesIO(sink.data), mmap=True)


def test_arguments():
    data = saved(1)
    with pytest.raises(TypeError, match="'foo'"):
        load(data, foo=1)
    with pytest.raises(NotImplementedError, match="pickle_module"):
        load(data, pickle_module=json)
    assert load(data, pickle_module=pickle) == load(data, weights_only=None) == 1
    with pytest.raises(AttributeError, match="serialization"):
        torch.serialization.add_safe_globals  # noqa: B018


# ---- map_location --------------------------------------------------------------------------------


def on_gpu():
    """A file whose tensors were on a GPU."""
    data = saved({"a": torch.ones(2)}, _use_new_zipfile_serialization=False)
    old = b"X\x03\x00\x00\x00cpu"
    assert data.count(old) == 1
    return data.replace(old, b"X\x06\x00\x00\x00cuda:0")


def test_map_location():
    data = on_gpu()
    if not torch.cuda.is_available():
        with pytest.raises(RuntimeError, match="torch.cuda.is_available\\(\\) is False"):
            load(data)
        with pytest.raises(RuntimeError, match="CUDA"):
            again(torch.ones(1), map_location="cuda")
    seen = []

    def keep(storage, location):
        seen.append((storage.nbytes(), location))
        return storage

    for where in ("cpu", torch.device("cpu"), {"cuda:0": "cpu"}, keep):
        found = load(data, map_location=where)["a"]
        assert found.tolist() == [1, 1] and found.device == torch.device("cpu")
    assert seen == [(8, "cuda:0")]
    assert again(torch.ones(1), map_location=lambda storage, location: None).item() == 1
    assert again(torch.ones(1), map_location={"cuda:0": "cuda:1"}).item() == 1


def test_wrong_locations():
    with pytest.raises(RuntimeError, match="tagged with nowhere"):
        again(torch.ones(1), map_location="nowhere")
    with pytest.raises(TypeError, match="map_location"):
        again(torch.ones(1), map_location=3)
    with pytest.raises(TypeError, match="not a storage"):
        again(torch.ones(1), map_location=lambda storage, location: 5)
    other = torch.ones(9).untyped_storage()
    with pytest.raises(RuntimeError, match="another length"):
        again(torch.ones(1), map_location=lambda storage, location: other)
