"""Pictures: sets from local files, and transforms."""

import gzip
import struct

import numpy as np
import pytest

from penstock import paddle

transforms = paddle.vision.transforms
PIXELS = np.arange(2 * 28 * 28, dtype="uint8").reshape(2, 28, 28)


@pytest.fixture
def files(tmp_path):
    images, labels = tmp_path / "images.gz", tmp_path / "labels.gz"
    images.write_bytes(gzip.compress(struct.pack(">4I", 0x803, 2, 28, 28) + PIXELS.tobytes()))
    labels.write_bytes(gzip.compress(struct.pack(">2I", 0x801, 2) + bytes([3, 7])))
    return str(images), str(labels)


def test_sets_of_local_files(files):
    pytest.importorskip("PIL")
    trans = transforms.Compose([transforms.Resize(14), transforms.ToTensor()])
    data = paddle.vision.datasets.FashionMNIST(*files, transform=trans)
    images, labels = next(iter(paddle.io.DataLoader(data, batch_size=2)))
    assert images.shape == [2, 1, 14, 14] and labels.tolist() == [[3], [7]]
    with pytest.raises(FileNotFoundError, match="nothing is downloaded"):
        paddle.vision.datasets.MNIST("/nowhere/a.gz", "/nowhere/b.gz")


def test_transforms():
    pytest.importorskip("PIL")
    pixels = np.stack([PIXELS[0]] * 3, 2)
    made = transforms.to_tensor(pixels)
    np.testing.assert_allclose(made.numpy(), pixels.transpose(2, 0, 1) / 255, rtol=1e-6)
    scaled = transforms.Normalize([0.5] * 3, [0.25] * 3)(made)
    np.testing.assert_allclose(scaled.numpy(), (made.numpy() - 0.5) / 0.25, rtol=1e-5)
    np.testing.assert_array_equal(transforms.hflip(pixels), pixels[:, ::-1])
    np.testing.assert_array_equal(transforms.RandomVerticalFlip(1.0)(pixels), pixels[::-1])
    np.testing.assert_array_equal(transforms.CenterCrop(26)(pixels), pixels[1:27, 1:27])
    np.testing.assert_array_equal(transforms.crop(pixels, 1, 2, 3, 4), pixels[1:4, 2:6])
    assert transforms.RandomCrop(5)(pixels).shape == (5, 5, 3)
    for _ in range(20):
        assert transforms.RandomResizedCrop((6, 7))(pixels).shape == (6, 7, 3)
    with pytest.raises(AttributeError, match="RandomErasing"):
        transforms.RandomErasing


def test_folders_of_pictures(tmp_path):
    image = pytest.importorskip("PIL.Image")
    for name in ("b", "a"):
        (tmp_path / name).mkdir()
        image.fromarray(PIXELS[0]).save(tmp_path / name / "one.png")
    data = paddle.vision.datasets.DatasetFolder(str(tmp_path), transform=transforms.ToTensor())
    assert data.classes == ["a", "b"] and [label for _, label in data.samples] == [0, 1]
    picture, label = data[1]
    assert picture.shape == [3, 28, 28] and label == 1
    assert paddle.vision.image.image_load(data.samples[0][0]).size == (28, 28)
