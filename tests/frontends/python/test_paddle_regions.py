"""Regions of pictures and CIFAR's files: values were made by PaddlePaddle 3.3.1."""

import io
import pickle
import tarfile

import numpy
import pytest
from penstock import paddle

ops = paddle.vision.ops


def pictures():
    return paddle.arange(2 * 3 * 9 * 8, dtype="float32").reshape([2, 3, 9, 8])


def numbers(*given):
    return paddle.to_tensor(list(given), dtype="int32")


def test_regions_within_and_beyond_a_picture():
    boxes = paddle.to_tensor(
        [[0.0, 0, 5, 5], [1, 2, 7.4, 8.2], [0, 0, 100, 100], [3, 3, 3, 3]]
    )
    made = ops.roi_pool(pictures(), boxes, numbers(1, 3), (2, 3), 1.0)
    assert made.shape == [4, 3, 2, 3]
    assert made[0, 0].tolist() == [[17, 19, 21], [41, 43, 45]]
    assert made[1, 0].tolist() == [[259, 261, 263], [283, 285, 287]]
    assert made[2, 0].tolist() == [[287, 0, 0], [0, 0, 0]]
    assert made[3, 1].tolist() == [[315] * 3] * 2


def test_scales_and_layers():
    boxes = paddle.to_tensor([[0.0, 0, 5, 5], [-4, -3, 2.5, 3.5]])
    made = ops.RoIPool(2, 0.5)(pictures(), boxes, numbers(1, 1))
    assert made[:, 0].tolist() == [[[9, 11], [25, 27]], [[0, 217], [0, 233]]]


def test_gradients_go_to_the_largest():
    x = pictures()
    x.stop_gradient = False
    ops.roi_pool(x, paddle.to_tensor([[0.0, 0, 5, 5]]), numbers(1, 0), 1).sum().backward()
    assert x.grad.sum().item() == 3 and x.grad[0, 0, 5, 5].item() == 1


def test_wrong_boxes():
    with pytest.raises(ValueError, match="boxes_num"):
        ops.roi_pool(pictures(), paddle.ones([2, 4]), numbers(1, 0), 2)
    with pytest.raises(ValueError, match="shape"):
        ops.roi_pool(pictures(), paddle.ones([2, 5]), numbers(1, 1), 2)


# ---- CIFAR's -------------------------------------------------------------------------------------


def archive(path, files):
    with tarfile.open(path, "w:gz") as made:
        for name, content in files.items():
            data = pickle.dumps(content)
            entry = tarfile.TarInfo(f"cifar/{name}")
            entry.size = len(data)
            made.addfile(entry, io.BytesIO(data))
    return str(path)


PIXELS = numpy.random.default_rng(0).integers(0, 255, (2, 3072), dtype="uint8")


def test_cifar10(tmp_path):
    pytest.importorskip("PIL.Image", reason="Pillow is not installed: make setup")
    names = [f"data_batch_{number}" for number in range(1, 6)]
    files = {name: {b"data": PIXELS, b"labels": [3, 7]} for name in names}
    files["test_batch"] = {"data": PIXELS, "labels": [1, 2]}
    path = archive(tmp_path / "c.tar.gz", files)
    train = paddle.vision.datasets.Cifar10(path)
    assert len(train) == 10
    picture, label = train[1]
    assert picture.size == (32, 32) and label == 7 and label.dtype == "int64"
    assert (numpy.asarray(picture) == PIXELS[1].reshape(3, 32, 32).transpose(1, 2, 0)).all()
    test = paddle.vision.datasets.Cifar10(path, mode="test", backend="cv2")
    assert len(test) == 2 and test[0][0].shape == (32, 32, 3)


def test_cifar100_with_a_transform(tmp_path):
    pytest.importorskip("PIL.Image", reason="Pillow is not installed: make setup")
    path = archive(tmp_path / "c.tar.gz", {"train": {b"data": PIXELS, b"fine_labels": [99, 0]}})
    to_tensor = paddle.vision.transforms.ToTensor()
    picture, label = paddle.vision.datasets.Cifar100(path, transform=to_tensor)[0]
    assert picture.shape == [3, 32, 32] and label == 99


def test_damaged_and_missing_files(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing is downloaded"):
        paddle.vision.datasets.Cifar10(str(tmp_path / "none.tar.gz"))
    path = archive(tmp_path / "c.tar.gz", {"test_batch": {b"data": PIXELS, b"labels": [1]}})
    with pytest.raises(ValueError, match="whole pictures"):
        paddle.vision.datasets.Cifar10(path, mode="test")
    with pytest.raises(AssertionError, match="mode"):
        paddle.vision.datasets.Cifar10(path, mode="all")


class Harm:
    def __reduce__(self):
        return print, ("run",)


def test_files_are_data(tmp_path, capsys):
    path = archive(tmp_path / "c.tar.gz", {"test_batch": {b"data": Harm(), b"labels": [1]}})
    with pytest.raises(ValueError, match="print"):
        paddle.vision.datasets.Cifar10(path, mode="test")
    assert capsys.readouterr().out == ""
