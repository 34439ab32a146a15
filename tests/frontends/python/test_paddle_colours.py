"""Transforms of colours and places: values were made by PaddlePaddle 3.3.1."""

import numpy
import pytest
from penstock import paddle

Image = pytest.importorskip("PIL.Image", reason="Pillow is not installed: make setup")
T = paddle.vision.transforms

PIXELS = numpy.random.default_rng(0).integers(0, 255, (6, 5, 3), dtype="uint8")
PICTURE = Image.fromarray(PIXELS)


def tensor():
    return paddle.to_tensor(PIXELS.transpose(2, 0, 1).astype("float32") / 255)


@pytest.mark.parametrize(
    "change, factor, first",
    [
        (T.adjust_brightness, 1.4, [131, 180, 255, 255, 255, 255, 19, 226, 44]),
        (T.adjust_contrast, 1.4, [76, 125, 215, 247, 233, 255, 0, 172, 0]),
        (T.adjust_hue, 0.2, [176, 95, 193, 234, 206, 219, 15, 115, 162]),
        (T.to_grayscale, 1, [126, 212, 103, 205, 186, 154, 125, 92, 156]),
        (T.to_grayscale, 3, [126, 126, 126, 212, 212, 212, 103, 103, 103]),
    ],
)
def test_pictures(change, factor, first):
    assert numpy.asarray(change(PICTURE, factor)).ravel()[:9].tolist() == first


@pytest.mark.parametrize(
    "change, factor, first",
    [
        (T.adjust_brightness, 1.4, [131.6, 255, 19.6, 255, 255, 95.2]),
        (T.adjust_contrast, 1.4, [77.01244, 247.81242, 0, 245.01244, 255, 40.61244]),
        (T.adjust_hue, 0.2, [177.8, 234, 14, 129, 27.6, 148.6]),
        (T.to_grayscale, 1, [125.82162, 212.1604, 102.92661, 205.4626, 185.8943, 154.08022]),
    ],
)
def test_tensors(change, factor, first):
    made = change(tensor(), factor)
    assert made.dtype == paddle.float32 and made.shape[1:] == [6, 5]
    numpy.testing.assert_allclose(made.numpy().ravel()[:6] * 255, first, rtol=1e-4, atol=1e-3)


def test_arrays_stay_arrays():
    for change in (T.BrightnessTransform(0.4), T.SaturationTransform(0.4), T.HueTransform(0.4)):
        made = change(PIXELS)
        assert made.dtype == "uint8" and made.shape == PIXELS.shape
    assert T.to_grayscale(PIXELS).shape == (6, 5, 1)


def test_jitter():
    jitter = T.ColorJitter(0.5, 0.5, 0.5, 0.5)
    assert jitter(PICTURE).size == (5, 6)
    assert jitter(tensor()).shape == [3, 6, 5]
    same = T.ColorJitter()(PICTURE)
    assert (numpy.asarray(same) == PIXELS).all()


def test_ranges():
    assert T.BrightnessTransform(0).value is None
    assert T.BrightnessTransform(3).value == [0, 4]
    assert T.HueTransform(0.25).value == [-0.25, 0.25]
    with pytest.raises(ValueError, match="brightness"):
        T.BrightnessTransform(-1)
    with pytest.raises(ValueError, match="contrast"):
        T.ContrastTransform((0.5, 0.1))
    with pytest.raises(TypeError, match="saturation"):
        T.SaturationTransform("a")
    with pytest.raises(ValueError, match="hue_factor"):
        T.adjust_hue(PICTURE, 0.7)


def test_crops_of_all_forms():
    assert T.crop(PICTURE, 1, 1, 3, 2).size == (2, 3)
    assert (T.crop(PIXELS, 1, 1, 3, 2) == PIXELS[1:4, 1:3]).all()
    assert T.crop(PIXELS, 4, 4, 5, 5).shape == (2, 1, 3)
    assert T.crop(tensor(), 1, 1, 3, 2).tolist() == tensor()[:, 1:4, 1:3].tolist()
    assert T.center_crop(tensor(), 2).tolist() == tensor()[:, 2:4, 2:4].tolist()


def test_random_crop_tells_its_place():
    crop = T.RandomCrop((3, 2))
    for given in (PICTURE, PIXELS, tensor()):
        top, left, height, width = crop._get_param(img=given, output_size=(3, 2))
        assert 0 <= top <= 3 and 0 <= left <= 3 and (height, width) == (3, 2)
    assert crop(tensor()).shape == [3, 3, 2]
    with pytest.raises(ValueError, match="larger"):
        crop._get_param(PICTURE, (30, 2))


def test_flips_of_tensors():
    assert T.hflip(tensor()).tolist() == tensor()[:, :, ::-1].tolist()
    assert T.vflip(tensor()).tolist() == tensor()[:, ::-1].tolist()


def test_own_transforms_and_keys():
    class Twice(T.BaseTransform):
        def _apply_image(self, image):
            return image * 2

    assert Twice()(3) == 6
    assert Twice()((3, "label")) == (6, "label")
    assert Twice(keys=("image", "image", "label"))((1, 2, 3)) == (2, 4, 3)


def test_what_is_not_here_for_tensors():
    with pytest.raises(NotImplementedError, match="tensors"):
        T.resize(tensor(), (3, 4))
