"""mx.gluon.data.vision: sets of pictures from local files; nothing is downloaded."""

import gzip
import io
import struct
import tarfile

import numpy
import pytest

from penstock import mxnet as mx
from penstock.mxnet import nd, np, npx, recordio
from penstock.mxnet.gluon.data import DataLoader, vision

NUMBERS = numpy.random.RandomState(0)


def idx(array):
    """An array as the bytes of MNIST's format."""
    head = struct.pack(f">I{array.ndim}I", 0x800 + array.ndim, *array.shape)
    return head + array.astype("uint8").tobytes()


def write_mnist(folder, pixels, labels, part="train", compress=True):
    for name, array in (("images-idx3", pixels), ("labels-idx1", labels)):
        path = folder / f"{part}-{name}-ubyte"
        if compress:
            with gzip.open(f"{path}.gz", "wb") as file:
                file.write(idx(array))
        else:
            path.write_bytes(idx(array))


@pytest.fixture
def mnist(tmp_path):
    pixels = NUMBERS.randint(0, 256, (10, 28, 28)).astype("uint8")
    labels = numpy.arange(10)
    write_mnist(tmp_path, pixels, labels)
    write_mnist(tmp_path, pixels[:4], labels[:4] + 1, "t10k", compress=False)
    return str(tmp_path), pixels


@pytest.mark.parametrize("cls", [vision.MNIST, vision.FashionMNIST])
def test_mnist(mnist, cls):
    root, pixels = mnist
    train, test = cls(root), cls(root=root, train=False)
    assert len(train) == 10 and len(test) == 4
    picture, label = train[3]
    assert type(picture) is nd.NDArray and picture.dtype == numpy.uint8
    assert picture.shape == (28, 28, 1) and (picture.asnumpy()[:, :, 0] == pixels[3]).all()
    assert type(label) is numpy.int32 and label == 3 and test[3][1] == 4
    assert train[0:2][0].shape == (2, 28, 28, 1)


def test_mnist_with_a_transform(mnist):
    made = vision.MNIST(mnist[0], transform=lambda x, y: (x.astype("float32") / 255, y + 1))
    assert made[0][0].dtype == numpy.float32 and made[0][1] == 1
    first = vision.MNIST(mnist[0]).transform_first(vision.transforms.ToTensor())
    x, y = next(iter(DataLoader(first, 4, num_workers=2)))
    assert x.shape == (4, 1, 28, 28) and y.asnumpy().tolist() == [0, 1, 2, 3]
    numpy.testing.assert_allclose(x.asnumpy()[:, 0], mnist[1][:4] / 255, rtol=1e-6)


def test_mnist_in_numpy_mode(mnist):
    npx.set_np()
    try:
        picture, label = vision.MNIST(mnist[0])[1]
        assert type(picture) is np.ndarray and type(label) is np.ndarray and label == 1
    finally:
        npx.reset_np()


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="train-images-idx3.*nothing is downloaded"):
        vision.MNIST(str(tmp_path))
    with pytest.raises(FileNotFoundError, match="data_batch_1.bin.*nothing is downloaded"):
        vision.CIFAR10(str(tmp_path))


@pytest.mark.parametrize("damage", ["magic", "short", "gzip", "count"])
def test_damaged_files(mnist, tmp_path, damage):
    path = tmp_path / "train-images-idx3-ubyte.gz"
    content = idx(mnist[1][:9] if damage == "count" else mnist[1])
    content = {"magic": b"\1" + content[1:], "short": content[:-1]}.get(damage, content)
    path.write_bytes(b"no gzip" if damage == "gzip" else gzip.compress(content))
    with pytest.raises(ValueError):
        vision.MNIST(str(tmp_path))


# ---- CIFAR ---------------------------------------------------------------------------------------


def cifar(count, labels):
    pixels = NUMBERS.randint(0, 256, (count, 3, 32, 32)).astype("uint8")
    first = NUMBERS.randint(0, 10, (count, labels)).astype("uint8")
    content = numpy.concatenate([first, pixels.reshape(count, -1)], 1).tobytes()
    return pixels.transpose(0, 2, 3, 1), first, content


def test_cifar10(tmp_path):
    parts = [cifar(2, 1) for _ in range(5)]
    for number, part in enumerate(parts, 1):
        (tmp_path / f"data_batch_{number}.bin").write_bytes(part[2])
    found = vision.CIFAR10(str(tmp_path))
    assert len(found) == 10
    picture, label = found[7]
    assert picture.shape == (32, 32, 3) and (picture.asnumpy() == parts[3][0][1]).all()
    assert label.dtype == numpy.int32 and label == parts[3][1][1, 0]
    (tmp_path / "data_batch_2.bin").write_bytes(b"x" * 100)
    with pytest.raises(ValueError, match="data_batch_2.bin"):
        vision.CIFAR10(str(tmp_path))


def test_cifar100_and_archives(tmp_path):
    pixels, labels, content = cifar(3, 2)
    with tarfile.open(tmp_path / "cifar-100-binary.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("cifar-100-binary/test.bin")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    coarse = vision.CIFAR100(str(tmp_path), train=False)
    fine = vision.CIFAR100(str(tmp_path), fine_label=True, train=False)
    assert [coarse[i][1] for i in range(3)] == labels[:, 0].tolist()
    assert [fine[i][1] for i in range(3)] == labels[:, 1].tolist()
    assert (fine[2][0].asnumpy() == pixels[2]).all()
    with pytest.raises(ValueError, match="train.bin"):
        vision.CIFAR100(str(tmp_path))


# ---- Folders and records -------------------------------------------------------------------------


def test_folders(tmp_path):
    pillow = pytest.importorskip("PIL.Image")
    for folder in ("cat", "dog"):
        (tmp_path / folder).mkdir()
    for name in ("dog/2.png", "dog/1.PNG", "cat/1.jpg"):
        pillow.fromarray(numpy.full((3, 4, 3), 100, "uint8")).save(tmp_path / name)
    (tmp_path / "cat/notes.txt").write_text("x")
    (tmp_path / "stray.png").write_text("x")
    with pytest.warns(UserWarning) as warnings:
        found = vision.ImageFolderDataset(str(tmp_path))
    texts = " ".join(str(one.message) for one in warnings)
    assert "notes.txt is left out: .txt is none of" in texts
    assert "stray.png is left out: it is no directory" in texts
    assert found.synsets == ["cat", "dog"] and len(found) == 3
    names = [name[len(str(tmp_path)) :] for name, _ in found.items]
    assert names == ["/cat/1.jpg", "/dog/1.PNG", "/dog/2.png"]
    assert found[2][1] == 1 and found[2][0].asnumpy().tolist() == [[[100] * 3] * 4] * 3
    with pytest.warns(UserWarning):
        grey = vision.ImageFolderDataset(str(tmp_path), 0, lambda x, y: (x, -y))
    assert grey[2][0].shape == (3, 4, 1) and grey[2][1] == -1


@pytest.mark.parametrize("workers", [0, 3])
def test_records(tmp_path, workers):
    pytest.importorskip("PIL.Image")
    path = str(tmp_path / "some.rec")
    writer = recordio.MXIndexedRecordIO(str(tmp_path / "some.idx"), path, "w")
    for number in range(9):
        pixels = numpy.full((3, 4, 3), number, "uint8")
        writer.write_idx(number, recordio.pack_img((0, number, 0, 0), pixels, 3, ".png"))
    writer.close()
    found = vision.ImageRecordDataset(path)
    picture, label = found[5]
    assert type(label) is float and label == 5 and picture.asnumpy().tolist() == [[[5] * 3] * 4] * 3
    batches = list(DataLoader(found, 2, num_workers=workers))
    values = numpy.concatenate([x.asnumpy()[:, 0, 0, 0] for x, _ in batches])
    assert values.tolist() == list(range(9))
    assert batches[4][1].asnumpy().tolist() == [8.0]
    assert vision.ImageRecordDataset(path, 0)[1][0].shape == (3, 4, 1)


def test_default_folders():
    assert mx.gluon.data.vision.CIFAR100.__init__.__defaults__[1:] == (False, True, None)
    assert vision.MNIST.__module__ == "mxnet.gluon.data.vision.datasets"
    assert vision.FashionMNIST.__init__.__defaults__[0].endswith("datasets/fashion-mnist")
