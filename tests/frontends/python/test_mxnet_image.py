"""mx.image: pictures read, cut and turned. Numbers are those that MXNet 1.9.1 gives."""

import builtins
import random

import numpy
import pytest

from penstock import mxnet as mx
from penstock.mxnet import image, nd, np, npx
from penstock.mxnet.base import MXNetError

PIXELS = (numpy.arange(4 * 5 * 3) * 7 % 256).astype("uint8").reshape(4, 5, 3)
LARGE = (numpy.arange(40 * 50 * 3) * 7 % 256).astype("uint8").reshape(40, 50, 3)


@pytest.fixture
def file(tmp_path):
    pillow = pytest.importorskip("PIL.Image")
    path = tmp_path / "some.png"
    pillow.fromarray(PIXELS).save(path)
    return str(path)


# ---- Reading -------------------------------------------------------------------------------------


def test_imread(file):
    found = image.imread(file)
    assert type(found) is nd.NDArray and (found.asnumpy() == PIXELS).all()
    assert (image.imread(file, to_rgb=False).asnumpy() == PIXELS[:, :, ::-1]).all()
    grey = image.imread(file, flag=0)
    assert grey.shape == (4, 5, 1)
    expected = PIXELS @ numpy.array([0.299, 0.587, 0.114])
    assert abs(grey.asnumpy()[:, :, 0] - expected).max() <= 1


def test_imread_in_numpy_mode(file):
    npx.set_np()
    try:
        assert type(image.imread(file)) is np.ndarray
    finally:
        npx.reset_np()


def test_imdecode(file):
    with open(file, "rb") as opened:
        content = opened.read()
    for buffer in (content, bytearray(content), numpy.frombuffer(content, "uint8")):
        assert (image.imdecode(buffer).asnumpy() == PIXELS).all()
    out = nd.zeros((4, 5, 3), dtype="uint8")
    assert image.imdecode(content, out=out) is out and (out.asnumpy() == PIXELS).all()


def test_kinds_of_files(tmp_path):
    pillow = pytest.importorskip("PIL.Image")
    picture = pillow.fromarray(PIXELS)
    transparent = picture.convert("RGBA")
    transparent.putalpha(7)
    transparent.save(tmp_path / "a.png")
    assert (image.imread(tmp_path / "a.png").asnumpy() == PIXELS).all()
    picture.convert("L").save(tmp_path / "l.png")
    found = image.imread(tmp_path / "l.png").asnumpy()
    assert found.shape == (4, 5, 3) and (found[:, :, 0] == found[:, :, 2]).all()
    pillow.fromarray(PIXELS[:, :, 0].astype("uint16") * 257).save(tmp_path / "deep.png")
    assert (image.imread(tmp_path / "deep.png").asnumpy()[:, :, 1] == PIXELS[:, :, 0]).all()
    picture.save(tmp_path / "b.jpg", quality=95)
    assert image.imread(tmp_path / "b.jpg").shape == (4, 5, 3)


def test_files_that_are_none(tmp_path, file):
    with pytest.raises(MXNetError, match="No such file"):
        image.imread(str(tmp_path / "none.jpg"))
    with pytest.raises(MXNetError, match="no bytes"):
        image.imdecode(b"")
    with pytest.raises(MXNetError, match="Invalid image file"):
        image.imdecode(b"clearly no picture")
    with pytest.raises(ValueError, match="bytes"):
        image.imdecode("text")
    with open(file, "rb") as opened:
        content = opened.read()
    with pytest.raises(MXNetError):
        image.imdecode(content[:40])
    with pytest.raises(MXNetError, match="flag"):
        image.imdecode(content, flag=2)


def test_without_pillow(monkeypatch):
    imported = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name.partition(".")[0] == "PIL":
            raise ImportError(name)
        return imported(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MXNetError, match="pip install Pillow"):
        image.imdecode(b"x")


# ---- Sizes and parts -----------------------------------------------------------------------------


def test_imresize():
    found = image.imresize(nd.array(PIXELS), 3, 2)
    assert found[:, :, 0].asnumpy().tolist() == [[59.5, 94.5, 129.5], [141.5, 176.5, 83.5]]
    out = nd.zeros((2, 3, 3))
    assert image.imresize(nd.array(PIXELS), 3, 2, interp=1, out=out) is out
    assert out.asnumpy().tolist() == found.asnumpy().tolist()
    for wrong in ((0, 3), (3, -1)):
        with pytest.raises(MXNetError):
            image.imresize(nd.array(PIXELS), *wrong)
    with pytest.raises(MXNetError):
        image.imresize(nd.ones((2, 2)), 1, 1)
    with pytest.raises(TypeError):
        image.imresize(PIXELS, 2, 2)


def test_scale_down():
    assert image.scale_down((640, 480), (720, 120)) == (640, 106)
    assert image.scale_down((360, 1000), (480, 500)) == (360, 375)
    assert image.scale_down((300, 400), (0, 0)) == (0, 0)


def test_resize_short():
    assert image.resize_short(nd.ones((4, 6, 3)), 8).shape == (8, 12, 3)
    assert image.resize_short(nd.ones((6, 4, 3)), 2).shape == (3, 2, 3)


def test_interp_methods():
    method = image._get_interp_method
    assert [method(9, sizes) for sizes in ((1, 1, 2, 2), (2, 2, 1, 1), (1, 2, 2, 1))] == [2, 3, 1]
    assert method(9) == 2 and method(4) == 4
    assert {method(10) for _ in range(100)} == {0, 1, 2, 3, 4}
    with pytest.raises(ValueError, match="Unknown interp method 5"):
        method(5)


def test_crops():
    x = nd.array(LARGE, dtype="uint8")
    assert (image.fixed_crop(x, 2, 3, 5, 4).asnumpy() == LARGE[3:7, 2:7]).all()
    assert image.fixed_crop(x, 2, 3, 5, 4, (8, 9)).shape == (9, 8, 3)
    middle, where = image.center_crop(x, (60, 30))
    assert where == (0, 7, 50, 25) and middle.shape == (30, 60, 3)
    middle, where = image.center_crop(x, (10, 20))
    assert where == (20, 10, 10, 20) and (middle.asnumpy() == LARGE[10:30, 20:30]).all()


def test_random_crops_follow_pythons_seed():
    x = nd.array(LARGE, dtype="uint8")
    random.seed(5)
    part, where = image.random_crop(x, (20, 30))
    assert where == (19, 4, 20, 30) and (part.asnumpy() == LARGE[4:34, 19:39]).all()
    part, where = image.random_size_crop(x, (10, 10), (0.1, 0.5), (0.5, 2.0))
    assert where == (0, 14, 35, 23) and part.shape == (10, 10, 3)
    # None fits: the middle.
    assert image.random_size_crop(x, (40, 40), 1.0, (0.5, 0.5))[1] == (5, 0, 40, 40)
    with pytest.raises(AssertionError, match="has no arguments"):
        image.random_size_crop(x, (1, 1), 1.0, (1, 1), other=1)


@pytest.mark.parametrize(
    "way, mode", [(1, "edge"), (2, "symmetric"), (3, "wrap"), (4, "reflect")]
)
def test_borders(way, mode):
    found = image.copyMakeBorder(nd.array(PIXELS, dtype="uint8"), 1, 2, 3, 1, way)
    expected = numpy.pad(PIXELS, ((1, 2), (3, 1), (0, 0)), mode)
    numpy.testing.assert_array_equal(found.asnumpy(), expected)


def test_borders_of_a_value():
    x = nd.array(PIXELS, dtype="uint8")
    one = image.copyMakeBorder(x, 1, 0, 0, 0, 0, 9.0).asnumpy()
    assert (one[0] == 9).all() and (one[1:] == PIXELS).all()
    each = image.copyMakeBorder(x, 0, 1, 0, 0, values=(1, 2)).asnumpy()
    assert (each[4] == [1, 2, 0]).all() and (each[:4] == PIXELS).all()
    out = nd.zeros((5, 5, 3), dtype="uint8")
    assert image.copyMakeBorder(x, 1, 0, 0, 0, out=out) is out
    for wrong in ((-1, 0, 0, 0), (0, 0, 0, 0, 7)):
        with pytest.raises(MXNetError, match="copyMakeBorder"):
            image.copyMakeBorder(x, *wrong)


def test_color_normalize_writes_into_the_picture():
    x = nd.array(PIXELS)
    found = image.color_normalize(x, nd.array([1, 2, 3]), nd.array([2, 4, 8]))
    assert found is x
    numpy.testing.assert_allclose(x.asnumpy(), (PIXELS - [1.0, 2, 3]) / [2, 4, 8], rtol=1e-6)


# ---- Turning -------------------------------------------------------------------------------------

TURNED = {
    (False, False): [
        [0.269, 1.385, 3.969, 4.581],
        [1.201, 4.067, 6.933, 9.799],
        [3.129, 7.031, 8.339, 3.955],
    ],
    (True, False): [
        [0.925, 2.631, 4.501, 6.371],
        [2.695, 4.565, 6.435, 8.305],
        [4.629, 6.499, 8.369, 9.476],
    ],
    (False, True): [
        [0, 0.464, 3.153, 0],
        [0, 3.304, 7.696, 4.762],
        [0, 7.847, 2.72, 0],
    ],
}


@pytest.mark.parametrize("zoom", TURNED)
@pytest.mark.parametrize("kind", [nd, np], ids=["nd", "np"])
def test_imrotate(kind, zoom):
    x = kind.arange(12).reshape((1, 3, 4))
    found = image.imrotate(x, 30, *zoom)
    numpy.testing.assert_allclose(found.asnumpy()[0], TURNED[zoom], rtol=0, atol=2e-3)
    many = kind.stack([x, x, x]) if kind is np else nd.stack(x, x, x)
    each = image.imrotate(many, kind.array([0, 30, 90]), *zoom).asnumpy()
    numpy.testing.assert_allclose(each[1], found.asnumpy(), rtol=0, atol=1e-5)
    numpy.testing.assert_allclose(each[0], x.asnumpy(), rtol=0, atol=1e-5)
    same = image.imrotate(many, 30, *zoom).asnumpy()
    numpy.testing.assert_allclose(same[2], found.asnumpy(), rtol=0, atol=1e-5)


def test_imrotate_refuses():
    x = nd.ones((3, 4, 4))
    with pytest.raises(ValueError, match="either zoom_in or zoom_out"):
        image.imrotate(x, 3, True, True)
    with pytest.raises(TypeError, match="float32"):
        image.imrotate(x.astype("float64"), 3)
    with pytest.raises(TypeError, match="is one number"):
        image.imrotate(x, nd.array([3.0]))
    with pytest.raises(ValueError, match="pictures and"):
        image.imrotate(nd.stack(x, x), nd.array([3.0]))
    with pytest.raises(ValueError, match="3 dimensions and a batch 4"):
        image.imrotate(nd.ones((3, 4)), 3)


def test_random_rotate_follows_numpys_seed():
    x = nd.arange(12).reshape((1, 3, 4))
    numpy.random.seed(2)
    angle = numpy.random.uniform(-5, 5)
    numpy.random.seed(2)
    found = image.random_rotate(x, (-5, 5))
    assert (found.asnumpy() == image.imrotate(x, angle).asnumpy()).all()
    assert image.random_rotate(nd.stack(x, x), (-5, 5)).shape == (2, 1, 3, 4)


def test_names():
    assert mx.img is image and image.image.imread is image.imread
    assert image.imread.__module__ == "mxnet.image.image"
    assert image.det.ImageDetIter is image.detection.ImageDetIter is image.ImageDetIter
