"""mx.gluon.data.vision.transforms, as MXNet 1.9.1 has them."""

import random

import numpy
import pytest

from penstock import mxnet as mx
from penstock.mxnet import image, nd, np, npx
from penstock.mxnet.base import MXNetError
from penstock.mxnet.gluon.data import ArrayDataset, DataLoader
from penstock.mxnet.gluon.data.vision import transforms

PIXELS = (numpy.arange(5 * 7 * 3) % 256).astype("uint8").reshape(5, 7, 3)


@pytest.fixture(params=[False, True], ids=["nd", "np"])
def kind(request):
    if request.param:
        npx.set_np()
    yield np if request.param else nd
    npx.reset_np()


def picture(kind, dtype="uint8"):
    return kind.array(PIXELS, dtype=dtype)


def test_numbers(kind):
    x = picture(kind)
    tensor = transforms.ToTensor()(x)
    numpy.testing.assert_allclose(tensor.asnumpy(), PIXELS.transpose(2, 0, 1) / 255, rtol=1e-6)
    scaled = transforms.Normalize(0.5, (0.5, 0.25, 2))(tensor).asnumpy()
    expected = (tensor.asnumpy() - 0.5) / numpy.array([0.5, 0.25, 2]).reshape(3, 1, 1)
    numpy.testing.assert_allclose(scaled, expected, rtol=1e-5, atol=1e-6)
    assert str(transforms.Cast("float16")(x).asnumpy().dtype) == "float16"
    with pytest.raises(MXNetError):
        transforms.Normalize(0, 1)(x)


def test_sizes(kind):
    x = picture(kind)
    assert transforms.Resize(4)(x).shape == (4, 4, 3)
    assert transforms.Resize((4, 2))(x).shape == (2, 4, 3)
    assert transforms.Resize(10, keep_ratio=True)(x).shape == (10, 14, 3)
    same = transforms.Resize((4, 3), interpolation=2)(x).asnumpy()
    assert (same == image.imresize(x, 4, 3, 2).asnumpy()).all()
    middle = transforms.CenterCrop((3, 2))(x).asnumpy()
    assert (middle == PIXELS[1:3, 2:5]).all()
    assert transforms.CenterCrop(9)(x).shape == (9, 9, 3)
    assert (transforms.CropResize(1, 2, 3, 2)(x).asnumpy() == PIXELS[2:4, 1:4]).all()
    assert transforms.CropResize(1, 2, 3, 2, (5, 6), 1)(x).shape == (6, 5, 3)
    assert transforms.CropResize(1, 2, 3, 2, 5)(x).shape == (5, 5, 3)
    for wrong in (transforms.CropResize(5, 2, 3, 2), transforms.Resize(-1)):
        with pytest.raises(MXNetError):
            wrong(x)


def test_random_parts(kind):
    random.seed(4)
    found = transforms.RandomResizedCrop((6, 4), scale=(0.2, 0.5))(picture(kind)).asnumpy()
    random.seed(4)
    ratio = (3.0 / 4.0, 4.0 / 3.0)
    expected = image.random_size_crop(picture(kind), (6, 4), (0.2, 0.5), ratio, 1)[0]
    assert found.shape == (4, 6, 3) and (found == expected.asnumpy()).all()
    for flip in (transforms.RandomFlipLeftRight(), transforms.RandomFlipTopBottom()):
        kinds = {flip(picture(kind)).asnumpy().tobytes() for _ in range(20)}
        assert len(kinds) == 2 and PIXELS.tobytes() in kinds


@pytest.mark.parametrize("name", ["Brightness", "Contrast", "Saturation", "Hue"])
def test_colours(kind, name):
    x = picture(kind, "float32")
    change = getattr(transforms, f"Random{name}")
    mx.random.seed(1)
    assert abs(change(0)(x).asnumpy() - PIXELS).max() < 1e-3  # the factor is 1
    found = change(0.4)(x).asnumpy()
    assert found.shape == PIXELS.shape and abs(found - PIXELS).max() > 1
    assert change(2.0)._args == (0, 3.0)


def test_jitter_and_light(kind):
    x = picture(kind)
    assert (transforms.RandomColorJitter()(x).asnumpy() == PIXELS).all()
    assert transforms.RandomColorJitter(0.1, 0.2, 0.3, 0.4)(x).shape == PIXELS.shape
    assert (transforms.RandomLighting(0.0)(x).asnumpy() == PIXELS).all()
    assert transforms.RandomLighting(0.5)(x).shape == PIXELS.shape


def test_rotation(kind):
    x = kind.array([[[0, 0, 0], [0, 0, 1], [0, 0, 0]]])
    expected = [[[0, 1, 0], [0, 0, 0], [0, 0, 0]]]
    found = transforms.Rotate(90.0)(x).asnumpy()
    numpy.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)
    numpy.random.seed(1)
    never = transforms.RandomRotation((-100, 100), rotate_with_proba=0.0)
    assert never(x) is x
    assert transforms.RandomRotation((-10, 10))(x).shape == (1, 3, 3)
    for turn in (transforms.Rotate(3.0), transforms.RandomRotation((-3, 3))):
        with pytest.raises(TypeError, match="float32"):
            turn(picture(kind))
    for given in (((1, -1),), ((-1, 1), False, False, 1.1)):
        with pytest.raises(ValueError):
            transforms.RandomRotation(*given)


def test_random_apply(kind):
    random.seed(0)
    maybe = transforms.RandomApply(transforms.Resize(2), 0.3)
    shapes = [maybe(picture(kind)).shape[0] for _ in range(200)]
    assert set(shapes) == {2, 5} and 30 < shapes.count(2) < 90


def test_compose(kind):
    whole = transforms.Compose(
        [
            transforms.Resize(6),
            transforms.CenterCrop(4),
            transforms.RandomFlipLeftRight(),
            transforms.ToTensor(),
            transforms.Normalize(0.5, 0.5),
        ]
    )
    found = whole(picture(kind))
    assert found.shape == (3, 4, 4) and str(found.asnumpy().dtype) == "float32"
    assert len(whole) == 3  # those in a row that can be hybridized are one
    assert repr(whole[1]) == "CenterCrop(\n\n)"
    assert whole[2].__class__.__name__ == "HybridSequential" and len(whole[2]) == 3


def test_compose_of_functions():
    assert transforms.Compose([lambda x: x + 1, lambda x: x * 2])(nd.ones(1)).asscalar() == 4


@pytest.mark.parametrize("workers", [0, 2])
def test_in_a_loader(kind, workers):
    many = kind.array(numpy.stack([PIXELS] * 6), dtype="uint8")
    change = transforms.Compose([transforms.Resize(4), transforms.ToTensor()])
    items = ArrayDataset(many, list(range(6))).transform_first(change)
    shapes = [x.shape for x, _ in DataLoader(items, 4, num_workers=workers)]
    assert shapes == [(4, 3, 4, 4), (2, 3, 4, 4)]
