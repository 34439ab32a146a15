"""torchvision.datasets: files that are written here, in the layouts of the real sets."""

import gzip
import os
import pickle
import struct
import tarfile

import numpy as np
import pytest

from penstock import torch, torchvision
from penstock.torchvision import datasets, transforms

Image = pytest.importorskip("PIL.Image", reason="Pillow is not installed: make setup")


def noise(*shape, seed=0):
    return np.random.default_rng(seed).integers(0, 256, shape).astype("uint8")


# ---- MNIST ---------------------------------------------------------------------------------------


def write_idx(path, array, packed):
    data = struct.pack(f">I{array.ndim}I", 0x800 + array.ndim, *array.shape) + array.tobytes()
    if packed:
        with gzip.open(f"{path}.gz", "wb") as file:
            file.write(data)
    else:
        path.write_bytes(data)


def write_mnist(root, name="MNIST", packed=False):
    folder = root / name / "raw"
    folder.mkdir(parents=True)
    made = {}
    for part, count in (("train", 6), ("t10k", 4)):
        pixels, labels = noise(count, 28, 28, seed=count), noise(count, seed=1) % 10
        write_idx(folder / f"{part}-images-idx3-ubyte", pixels, packed)
        write_idx(folder / f"{part}-labels-idx1-ubyte", labels, packed)
        made[part] = pixels, labels
    return made


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", ["MNIST", "FashionMNIST", "KMNIST"])
def test_mnist(tmp_path, name, packed):
    made = write_mnist(tmp_path, name, packed)
    for train, part in ((True, "train"), (False, "t10k")):
        pixels, labels = made[part]
        found = getattr(datasets, name)(str(tmp_path), train=train, download=True)
        assert len(found) == len(pixels)
        assert found.data.dtype is torch.uint8 and found.targets.dtype is torch.int64
        assert np.array_equal(found.data.numpy(), pixels)
        assert found.targets.tolist() == labels.tolist()
        picture, label = found[1]
        assert isinstance(picture, Image.Image) and picture.mode == "L" and type(label) is int
        assert np.array_equal(np.asarray(picture), pixels[1]) and label == labels[1]
        assert len(found.classes) == 10 and found.class_to_idx[found.classes[3]] == 3


def test_items_are_transformed(tmp_path):
    _, labels = write_mnist(tmp_path)["train"]
    both = transforms.Compose([transforms.Resize(14), transforms.ToTensor()])
    found = datasets.MNIST(tmp_path, transform=both, target_transform=lambda label: -label)
    x, label = found[2]
    assert x.shape == (1, 14, 14) and x.dtype is torch.float32 and label == -int(labels[2])
    text = str(found)
    assert text.startswith("Dataset MNIST\n    Number of datapoints: 6\n    Root location: ")
    assert "    Split: Train\n    StandardTransform\nTransform: Compose(\n" in text
    assert "\n               Resize(" in text
    assert "\nTarget transform: <function" in text


def test_a_loader(tmp_path):
    pixels, labels = write_mnist(tmp_path, "FashionMNIST")["train"]
    found = datasets.FashionMNIST(
        root=str(tmp_path), train=True, transform=transforms.ToTensor(), download=True
    )
    x, y = next(iter(torch.utils.data.DataLoader(found, 4, shuffle=False)))
    assert x.shape == (4, 1, 28, 28) and y.tolist() == labels[:4].tolist()
    np.testing.assert_allclose(x[:, 0].numpy(), pixels[:4] / 255, rtol=1e-6)
    assert len(found + found) == 12


def test_pictures_that_a_program_puts_there(tmp_path):
    pixels, _ = write_mnist(tmp_path)["train"]
    found = datasets.MNIST(tmp_path)
    found[0]
    found.data[0] = 7
    assert np.asarray(found[0][0]).max() == 7
    found.data = found.data[3:5]
    found.targets = found.targets[3:5]
    assert len(found) == 2 and np.array_equal(np.asarray(found[1][0]), pixels[4])


def test_files_that_are_not_there(tmp_path):
    for download in (False, True):
        said = "FashionMNIST: Dataset not found.*idx3-ubyte.*nothing is downloaded"
        with pytest.raises(RuntimeError, match=said):
            datasets.FashionMNIST(str(tmp_path), download=download)
    assert os.listdir(tmp_path) == []


def test_damaged_files(tmp_path):
    write_mnist(tmp_path)
    path = tmp_path / "MNIST" / "raw" / "train-images-idx3-ubyte"
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(RuntimeError, match="ends within"):
        datasets.MNIST(tmp_path)
    path.write_bytes(b"words")
    with pytest.raises(RuntimeError, match="not an idx file"):
        datasets.MNIST(tmp_path)
    path.write_bytes(whole[:4] + struct.pack(">I", 2) + whole[8:])
    with pytest.raises(RuntimeError, match="2 pictures and 6 labels"):
        datasets.MNIST(tmp_path)


# ---- CIFAR ---------------------------------------------------------------------------------------


def old_pickle(pixels, labels):
    """A pickle as Python 2 wrote it: bytes are texts of one byte a character."""

    def text(raw):
        return b"T" + struct.pack("<i", len(raw)) + raw

    def number(value):
        return b"J" + struct.pack("<i", value)

    array = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n" + number(0) + b"\x85"
    array += text(b"b") + b"tR(" + number(1) + b"".join(map(number, pixels.shape)) + b"\x86"
    array += b"cnumpy\ndtype\n(" + text(b"u1") + number(0) + number(1) + b"tR(" + number(3)
    array += text(b"|") + b"NNN" + number(-1) * 2 + number(0) + b"tb\x89"
    array += text(pixels.tobytes()) + b"tb"
    listed = b"](" + b"".join(map(number, labels)) + b"e"
    return b"\x80\x02}(" + text(b"data") + array + text(b"labels") + listed + b"u."


def write_cifar(folder, old):
    folder.mkdir(parents=True)
    made = []
    for number in range(6):
        pixels, labels = noise(3, 3072, seed=number), [number, 1, 9]
        name = f"data_batch_{number + 1}" if number < 5 else "test_batch"
        plain = pickle.dumps({"data": pixels, "labels": labels}, 2)
        (folder / name).write_bytes(old_pickle(pixels, labels) if old else plain)
        made.append((pixels, labels))
    names = [f"class {number}" for number in range(10)]
    (folder / "batches.meta").write_bytes(pickle.dumps({"label_names": names}, 2))
    return made


@pytest.mark.parametrize("old", [False, True])
def test_cifar(tmp_path, old):
    made = write_cifar(tmp_path / "cifar-10-batches-py", old)
    found = datasets.CIFAR10(root=str(tmp_path), train=True, download=True)
    assert len(found) == 15 and found.data.shape == (15, 32, 32, 3) and type(found.targets) is list
    picture, label = found[4]
    assert picture.mode == "RGB" and picture.size == (32, 32) and label == 1
    expected = made[1][0][1].reshape(3, 32, 32).transpose(1, 2, 0)
    assert np.array_equal(np.asarray(picture), expected)
    test = datasets.CIFAR10(str(tmp_path), train=False, transform=transforms.ToTensor())
    assert test[0][0].shape == (3, 32, 32) and test.targets == [5, 1, 9]
    assert test.classes[2] == "class 2" and test.class_to_idx["class 2"] == 2


def test_cifar_in_its_archive(tmp_path):
    write_cifar(tmp_path / "made" / "cifar-10-batches-py", False)
    with tarfile.open(tmp_path / "cifar-10-python.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "made" / "cifar-10-batches-py", "cifar-10-batches-py")
    assert len(datasets.CIFAR10(tmp_path)) == 15


class Code:
    ran = False

    def __reduce__(self):
        return run_code, ()


def run_code():
    Code.ran = True
    return {}


def test_cifar_runs_no_code(tmp_path):
    folder = tmp_path / "cifar-10-batches-py"
    write_cifar(folder, False)
    (folder / "data_batch_2").write_bytes(pickle.dumps(Code()))
    with pytest.raises(RuntimeError, match="data_batch_2 cannot be read.*run_code"):
        datasets.CIFAR10(tmp_path)
    assert not Code.ran
    (folder / "data_batch_2").write_bytes(pickle.dumps({"data": noise(2, 5), "labels": [1, 2]}))
    with pytest.raises(RuntimeError, match="whole pictures"):
        datasets.CIFAR10(tmp_path)
    (folder / "data_batch_2").unlink()
    with pytest.raises(RuntimeError, match="CIFAR10: Dataset not found.*data_batch_2"):
        datasets.CIFAR10(tmp_path, download=True)


# ---- Folders -------------------------------------------------------------------------------------


def write_pictures(root):
    for name, count in (("cat", 2), ("ant", 3)):
        (root / name / "inner").mkdir(parents=True)
        for number in range(count):
            inner = "inner" if number == 0 else "."
            Image.fromarray(noise(4, 5, 3, seed=number)).save(root / name / inner / f"{number}.png")
        (root / name / "words.txt").write_text("no picture")


def test_image_folder(tmp_path):
    write_pictures(tmp_path)
    found = datasets.ImageFolder(str(tmp_path), transform=transforms.ToTensor())
    assert found.classes == ["ant", "cat"] and found.class_to_idx == {"ant": 0, "cat": 1}
    assert found.targets == [0, 0, 0, 1, 1] and found.imgs is found.samples and len(found) == 5
    assert found.samples[0][0] == str(tmp_path / "ant" / "1.png").replace("/./", "/")
    x, label = found[4]
    assert x.shape == (3, 4, 5) and label == 1
    grey = datasets.ImageFolder(tmp_path, loader=lambda path: path, target_transform=str)
    assert grey[0] == (grey.samples[0][0], "0")


def test_folders_of_other_files(tmp_path):
    write_pictures(tmp_path)

    def read(path):
        with open(path) as file:
            return file.read()

    found = datasets.DatasetFolder(tmp_path, read, extensions=(".txt",))
    assert [found[0], found[1]] == [("no picture", 0), ("no picture", 1)]
    chosen = datasets.DatasetFolder(tmp_path, read, is_valid_file=lambda path: "words" in path)
    assert len(chosen) == 2
    with pytest.raises(ValueError, match="extensions and is_valid_file"):
        datasets.DatasetFolder(tmp_path, read)


def test_folders_without_pictures(tmp_path):
    with pytest.raises(FileNotFoundError, match="any class folder"):
        datasets.ImageFolder(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match="no valid file for the classes empty.*jpg"):
        datasets.ImageFolder(tmp_path)
    assert len(datasets.ImageFolder(tmp_path, allow_empty=True)) == 0
    with pytest.raises(FileNotFoundError):
        datasets.ImageFolder(tmp_path / "no")


def test_sets_of_programs():
    class Mine(datasets.VisionDataset):
        def __len__(self):
            return 3

    assert isinstance(Mine(), torch.utils.data.Dataset)
    assert str(Mine("x")) == "Dataset Mine\n    Number of datapoints: 3\n    Root location: x"
    with pytest.raises(NotImplementedError, match="Mine"):
        Mine()[0]
    with pytest.raises(ValueError, match="transforms"):
        Mine(transforms=1, transform=2)
    assert torchvision.get_image_backend() == "PIL"
