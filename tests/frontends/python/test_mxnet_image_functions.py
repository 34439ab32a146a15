"""mx.nd.image and mx.npx.image: functions of pictures. Numbers are those that MXNet 1.9.1 gives."""

import numpy
import pytest

from penstock import mxnet as mx
from penstock.mxnet import autograd, nd, np, npx
from penstock.mxnet.base import MXNetError

BOTH = pytest.mark.parametrize("kind", [nd, np], ids=["nd", "np"])
PIXELS = (numpy.arange(4 * 5 * 3) * 7 % 256).astype("uint8").reshape(4, 5, 3)


def functions(kind):
    return npx.image if kind is np else nd.image


def picture(kind, dtype="uint8"):
    return kind.array(PIXELS, dtype=dtype)


def close(found, expected, atol=2e-3):
    numpy.testing.assert_allclose(found.asnumpy(), expected, rtol=0, atol=atol)


@BOTH
def test_to_tensor(kind):
    for one in (picture(kind), picture(kind, "float32")):
        found = functions(kind).to_tensor(one)
        assert type(found) is type(one) and str(found.asnumpy().dtype) == "float32"
        close(found, PIXELS.transpose(2, 0, 1) / 255, 1e-6)
    many = functions(kind).to_tensor(kind.array(PIXELS[None], dtype="uint8"))
    assert many.shape == (1, 3, 4, 5)
    assert functions(kind).to_tensor(kind.full((1, 1, 3), 255)).asnumpy().max() == 1
    with pytest.raises(MXNetError, match="height, width, channels"):
        functions(kind).to_tensor(kind.ones((2, 2)))


@BOTH
def test_normalize(kind):
    x = kind.array(PIXELS.transpose(2, 0, 1) / 255)
    found = functions(kind).normalize(x, mean=(0, 1, 2), std=(3, 2, 1))
    scale = numpy.array([3, 2, 1]).reshape(3, 1, 1)
    close(found, (x.asnumpy() - numpy.array([0, 1, 2]).reshape(3, 1, 1)) / scale, 1e-6)
    close(functions(kind).normalize(x, 0.5, 0.25), (x.asnumpy() - 0.5) / 0.25, 1e-6)
    with pytest.raises(MXNetError, match="mean needs one number, or 3 .* not \\(1, 2\\)"):
        functions(kind).normalize(x, (1, 2), 1)
    with pytest.raises(MXNetError, match="1 or 3 channels"):
        functions(kind).normalize(kind.ones((2, 4, 4)), 0, 1)


# ---- Resizing ------------------------------------------------------------------------------------

SMALLER = {
    0: [[0, 21, 63], [210, 231, 17]],
    1: [[59.5, 94.5, 129.5], [141.5, 176.5, 83.5]],
    2: [[48.101, 84.656, 146.545], [149.788, 186.344, 62.455]],
    3: [[60.9, 94.5, 128.1], [142.9, 150.9, 82.1]],
    4: [[39.709, 74.901, 157.769], [141.623, 184.033, 48.71]],
}
LARGER = {
    0: [7, 7, 28, 49, 49, 70, 91],
    1: [7, 19, 34, 49, 64, 79, 91],
    2: [-3.768, 7.865, 25.804, 39.885, 53.967, 71.906, 83.538],
    3: [7, 19.6, 32.2, 49, 65.8, 78.4, 91],
    4: [1.257, 14.565, 28.037, 33.914, 47.127, 66.116, 77.103],
}


@BOTH
@pytest.mark.parametrize("interp", SMALLER)
def test_rules_of_resizing(kind, interp):
    resize = functions(kind).resize
    wide = picture(kind, "float32")
    close(resize(wide, (3, 2), interp=interp)[:, :, 0], SMALLER[interp])
    close(resize(wide, (7, 6), interp=interp)[0, :, 1], LARGER[interp])
    narrow = resize(picture(kind), (3, 2), interp=interp)
    assert str(narrow.asnumpy().dtype) == "uint8"
    numpy.testing.assert_array_less(abs(narrow.asnumpy()[:, :, 0] - SMALLER[interp]), 1.001)


def test_sizes():
    x = nd.ones((4, 6, 3))
    assert nd.image.resize(x, 5).shape == (5, 5, 3)
    assert nd.image.resize(x, (5, 7)).shape == (7, 5, 3)
    assert nd.image.resize(x, 2, True).shape == (2, 3, 3)
    assert nd.image.resize(nd.ones((6, 4, 3)), 2, keep_ratio=True).shape == (3, 2, 3)
    assert nd.image.resize(nd.ones((2, 4, 6, 3)), 5).shape == (2, 5, 5, 3)
    assert nd.image.resize(x, (6, 4)).asnumpy().tolist() == x.asnumpy().tolist()


@pytest.mark.parametrize("size", [(), 0, (1, 2, 3), (4, -1)])
def test_sizes_that_are_none(size):
    with pytest.raises(MXNetError, match="size"):
        nd.image.resize(nd.ones((4, 6, 3)), size)
    with pytest.raises(MXNetError, match="Unknown interpolation method 9"):
        nd.image.resize(nd.ones((4, 6, 3)), 3, interp=9)


def test_gradient_of_resizing():
    x = nd.array(PIXELS)
    x.attach_grad()
    with autograd.record():
        y = nd.image.resize(x, (10, 8)).sum()
    y.backward()
    numpy.testing.assert_allclose(x.grad.asnumpy().sum(), 10 * 8 * 3, rtol=1e-5)


# ---- Parts ---------------------------------------------------------------------------------------


@BOTH
def test_crop_and_flip(kind):
    image = functions(kind)
    x = picture(kind)
    assert (image.crop(x, 1, 2, 3, 2).asnumpy() == PIXELS[2:4, 1:4]).all()
    assert (image.crop(x, x=0, y=0, width=5, height=4).asnumpy() == PIXELS).all()
    assert (image.flip_left_right(x).asnumpy() == PIXELS[:, ::-1]).all()
    assert (image.flip_top_bottom(x).asnumpy() == PIXELS[::-1]).all()
    for given in ((3, 0, 3, 1), (0, 3, 1, 2), (0, 0, 0, 1), (-1, 0, 2, 2)):
        with pytest.raises(MXNetError, match="crop"):
            image.crop(x, *given)
    with pytest.raises(MXNetError, match="Required parameter width"):
        image.crop(x, 1, 2)


def test_gradient_of_a_crop():
    x = nd.array(PIXELS)
    x.attach_grad()
    with autograd.record():
        y = nd.image.crop(x, 1, 2, 3, 2) * 2
    y.backward()
    expected = numpy.zeros(PIXELS.shape)
    expected[2:4, 1:4] = 2
    assert (x.grad.asnumpy() == expected).all()


@BOTH
def test_random_flips(kind):
    mx.random.seed(1)
    for name, flipped in (("left_right", PIXELS[:, ::-1]), ("top_bottom", PIXELS[::-1])):
        flip = getattr(functions(kind), f"random_flip_{name}")
        found = {flip(picture(kind)).asnumpy().tobytes() for _ in range(20)}
        assert found == {PIXELS.tobytes(), flipped.tobytes()}


# ---- Colours -------------------------------------------------------------------------------------

CHANGED = {  # the pixel (147, 154, 161) with the factors 0.5 and 1.2
    "brightness": ([73.5, 77, 80.5], [176.4, 184.8, 193.2]),
    "contrast": ([126.816, 130.316, 133.816], [155.074, 163.474, 171.874]),
    "saturation": ([82.677, 86.177, 89.677], [172.729, 181.129, 189.529]),
    "hue": ([161, 154, 147], [156.8, 147, 161]),
}


@BOTH
@pytest.mark.parametrize("what", CHANGED)
def test_colours(kind, what):
    change = getattr(functions(kind), f"random_{what}")
    for factor, expected in zip((0.5, 1.2), CHANGED[what]):
        close(change(picture(kind, "float32"), factor, factor)[1, 2], expected)
        narrow = change(picture(kind), factor, factor)[1, 2]
        assert str(narrow.asnumpy().dtype) == "uint8"
        numpy.testing.assert_array_less(abs(narrow.asnumpy() - expected), 1.001)
    assert change(picture(kind), 0.9, 1.1).shape == PIXELS.shape
    with pytest.raises(MXNetError, match="below 0"):
        change(picture(kind), -1, 1)
    with pytest.raises(MXNetError, match="channels"):
        change(kind.ones((2, 2, 2)), 1, 1)


def test_numbers_stay_within_their_type():
    bright = nd.image.random_brightness(nd.array(PIXELS, dtype="uint8"), 3, 3).asnumpy()
    numpy.testing.assert_array_equal(bright, (PIXELS * 3.0).clip(0, 255))


@BOTH
def test_light(kind):
    image = functions(kind)
    close(image.adjust_lighting(picture(kind, "float32"), (0.1, 0.2, 0.3))[1, 2], LIGHT)
    narrow = image.adjust_lighting(picture(kind), (0.1, 0.2, 0.3))
    assert narrow[1, 2].asnumpy().tolist() == [144, 150, 157]
    assert (image.random_lighting(picture(kind), 0.0).asnumpy() == PIXELS).all()


LIGHT = [144.68, 150.494, 157.242]


def test_jitter():
    x = nd.array(PIXELS, dtype="uint8")
    assert (nd.image.random_color_jitter(x, 0, 0, 0, 0).asnumpy() == PIXELS).all()
    mx.random.seed(7)
    first = nd.image.random_color_jitter(x, 0.4, 0.4, 0.4, 0.4).asnumpy()
    mx.random.seed(7)
    again = nd.image.random_color_jitter(x, 0.4, 0.4, 0.4, 0.4).asnumpy()
    assert (first == again).all() and (first != PIXELS).any()


def test_arguments():
    with pytest.raises(TypeError, match="'what'"):
        nd.image.to_tensor(nd.ones((2, 2, 3)), what=1)
    with pytest.raises(TypeError):
        nd.image.to_tensor(np.ones((2, 2, 3)))
    with pytest.raises(TypeError):
        npx.image.to_tensor(nd.ones((2, 2, 3)))
    out = nd.zeros((3, 2, 2))
    assert nd.image.to_tensor(nd.ones((2, 2, 3)) * 255, out=out) is out
    assert out.asnumpy().min() == 1
