"""mx.image.detection: pictures with boxes. Numbers are those that MXNet 1.9.1 gives."""

import random

import numpy
import pytest

from penstock.mxnet import image, nd, np, npx
from penstock.mxnet.base import NotBuiltError

LABEL = numpy.array([[0, 0.1, 0.2, 0.5, 0.6], [1, 0.5, 0.5, 0.9, 1.0]])
PIXELS = numpy.arange(20 * 30 * 3).reshape(20, 30, 3) % 256


def picture():
    return nd.array(PIXELS)


def rounded(label):
    return label.round(4).tolist()


def test_flip():
    src, label = image.DetHorizontalFlipAug(1.0)(picture(), LABEL)
    assert (src.asnumpy() == PIXELS[:, ::-1]).all()
    assert rounded(label) == [[0, 0.5, 0.2, 0.9, 0.6], [1, 0.1, 0.5, 0.5, 1.0]]
    assert image.DetHorizontalFlipAug(0.0)(picture(), LABEL)[1] is LABEL


CROPPED = {
    0: ((18, 22, 3), [[0, 0, 0.2222, 0.5, 0.6667], [1, 0.5, 0.5556, 1, 1]], [12, 13, 14]),
    1: ((15, 12, 3), [[0, 0, 0.1333, 1, 0.6667]], [189, 190, 191]),
    2: ((15, 14, 3), [[0, 0, 0, 0.4286, 0.4667], [1, 0.4286, 0.3333, 1, 1]], [221, 222, 223]),
}
PADDED = {
    0: ((36, 45, 3), [[0, 0.0889, 0.4722, 0.3556, 0.6944], [1, 0.3556, 0.6389, 0.6222, 0.9167]]),
    1: ((40, 36, 3), [[0, 0.1667, 0.45, 0.5, 0.65], [1, 0.5, 0.6, 0.8333, 0.85]]),
    2: ((36, 47, 3), [[0, 0.1064, 0.1389, 0.3617, 0.3611], [1, 0.3617, 0.3056, 0.617, 0.5833]]),
}


@pytest.mark.parametrize("seed", CROPPED)
def test_crop_follows_pythons_seed(seed):
    random.seed(seed)
    src, label = image.DetRandomCropAug(0.1, (0.75, 1.33), (0.3, 0.9))(picture(), LABEL)
    assert (src.shape, rounded(label), src[0, 0].asnumpy().tolist()) == CROPPED[seed]


def test_crops_show_enough():
    crop = image.DetRandomCropAug(0.6, (0.5, 2), (0.1, 0.9), min_eject_coverage=0.7)
    random.seed(1)
    for _ in range(50):
        src, label = crop(picture(), LABEL)
        assert 1 <= len(label) <= 2 and label.min() >= 0
        assert (label[:, 3] > label[:, 1]).all() and (label[:, 1:] <= 1).all()
    impossible = image.DetRandomCropAug(1.0, max_attempts=3)
    assert impossible(picture(), LABEL)[1] is LABEL


@pytest.mark.parametrize("seed", PADDED)
def test_pad_follows_pythons_seed(seed):
    random.seed(seed)
    src, label = image.DetRandomPadAug((0.75, 1.33), (1.0, 3.0), 50, (1, 2, 3))(picture(), LABEL)
    assert (src.shape, rounded(label)) == PADDED[seed]
    assert src[0, 0].asnumpy().tolist() == [1, 2, 3]
    assert src.asnumpy().sum() == PIXELS.sum() + (src.shape[0] * src.shape[1] - 600) * 6


def test_borrow_and_select():
    borrowed = image.DetBorrowAug(image.CastAug("int32"))
    assert borrowed(picture(), LABEL)[0].dtype == numpy.int32
    assert borrowed.dumps() == ["detborrowaug", '["castaug", {"type": "int32"}]']
    with pytest.raises(TypeError, match="what is borrowed"):
        image.DetBorrowAug(3)
    flip = image.DetHorizontalFlipAug(1.0)
    always = image.DetRandomSelectAug([flip, flip], 0)
    assert rounded(always(picture(), LABEL)[1])[0] == [0, 0.5, 0.2, 0.9, 0.6]
    assert image.DetRandomSelectAug([flip], 1)(picture(), LABEL)[1] is LABEL
    assert image.DetRandomSelectAug([])(picture(), LABEL)[1] is LABEL
    with pytest.raises(ValueError, match="DetAugmenter"):
        image.DetRandomSelectAug([image.CastAug()])


def test_settings():
    with pytest.warns(UserWarning, match="DetRandomCropAug does nothing"):
        crop = image.DetRandomCropAug(area_range=(2, 1))
    assert crop(picture(), LABEL)[1] is LABEL
    assert image.DetRandomCropAug(0.2).dumps() == (
        '["detrandomcropaug", {"min_object_covered": 0.2, "aspect_ratio_range": [0.75, 1.33], '
        '"area_range": [0.05, 1.0], "min_eject_coverage": 0.3, "max_attempts": 50}]'
    )
    several = image.CreateMultiRandCropAugmenter([0.1, 0.3], area_range=[(0.1, 1.0), (0.2, 1.0)])
    assert [one.area_range for one in several.aug_list] == [(0.1, 1.0), (0.2, 1.0)]
    with pytest.raises(AssertionError):
        image.CreateMultiRandCropAugmenter([0.1, 0.3], [(1, 1)] * 3)


def test_create_augmenter():
    def names(**given):
        made = image.CreateDetAugmenter((3, 40, 50), **given)
        inner = [getattr(one, "augmenter", one) for one in made]
        return [type(one).__name__ for one in inner]

    assert names() == ["ForceResizeAug", "CastAug"]
    assert names(resize=30, rand_crop=0.5, rand_pad=0.6, rand_mirror=True, hue=0.4, mean=True) == [
        *("ResizeAug", "DetRandomSelectAug", "DetHorizontalFlipAug", "DetRandomSelectAug"),
        *("ForceResizeAug", "CastAug", "HueJitterAug", "ColorNormalizeAug"),
    ]


# ---- ImageDetIter --------------------------------------------------------------------------------

ONE, TWO = [0.0, 0.1, 0.2, 0.5, 0.6], [1.0, 0.5, 0.5, 0.9, 1.0]


@pytest.fixture
def listed(tmp_path):
    """Makes an iterator over as many pictures as labels are given."""
    pillow = pytest.importorskip("PIL.Image")
    pillow.fromarray(PIXELS.astype("uint8")).save(tmp_path / "x.png")

    def make(labels, size=2, **given):
        items = [[*label, "x.png"] for label in labels]
        return image.ImageDetIter(size, (3, 8, 9), imglist=items, path_root=str(tmp_path), **given)

    return make


def test_batches(listed):
    found = listed([[2, 5, *ONE], [2, 5, *ONE, *TWO], [2, 5, *TWO]])
    assert found.label_shape == (2, 5) and found.provide_label == [("label", (2, 2, 5))]
    for _ in range(2):
        first, second = list(found)
        assert first.data[0].shape == (2, 3, 8, 9) and second.pad == 1
        numpy.testing.assert_allclose(first.label[0].asnumpy()[1], [ONE, TWO], rtol=1e-6)
        assert first.label[0].asnumpy()[0, 1].tolist() == [-1] * 5
        found.reset()


def test_with_all_augmenters(listed):
    random.seed(3)
    found = listed([[2, 5, *ONE, *TWO]] * 4, rand_crop=1, rand_pad=1, rand_mirror=True, mean=True)
    for batch in found:
        label = batch.label[0].asnumpy()
        assert label.shape == (2, 2, 5) and (label[:, 0] >= 0).all() and label.max() <= 1


def test_longer_headers_and_objects(listed):
    found = listed([[3, 6, 9.0, *ONE, 7.0]], 1)
    assert found.label_shape == (1, 6)
    numpy.testing.assert_allclose(found.next().label[0].asnumpy()[0], [[*ONE, 7.0]], rtol=1e-6)


def test_shapes(listed):
    small, large = listed([[2, 5, *ONE]]), listed([[2, 5, *ONE, *ONE, *TWO]])
    assert small.sync_label_shape(large) is large
    assert small.label_shape == large.label_shape == (3, 5)
    assert small.next().label[0].shape == (2, 3, 5)
    small.reshape((3, 5, 5), (4, 5))
    assert small.provide_data == [("data", (2, 3, 5, 5))]
    assert small.provide_label == [("label", (2, 4, 5))]
    for wrong in ((1, 5), (4, 6), (4, 5, 1)):
        with pytest.raises(ValueError):
            small.reshape(label_shape=wrong)


@pytest.mark.parametrize(
    "label, text",
    [
        ([2, 5, 1.0], "7 numbers or more, not 3"),
        ([2, 5, *ONE, 1.0], "does not fit objects of 5"),
        ([2, 5, 1.0, 0.5, 0.2, 0.1, 0.6], "no object whose box has an area"),
    ],
)
def test_labels_that_are_none(listed, label, text):
    with pytest.raises(RuntimeError, match=text):
        listed([label])


def test_numpy_mode_and_windows(listed):
    npx.set_np()
    try:
        batch = listed([[2, 5, *ONE]], 1, rand_crop=1, rand_pad=1).next()
        assert type(batch.data[0]) is np.ndarray and type(batch.label[0]) is np.ndarray
    finally:
        npx.reset_np()
    with pytest.raises(NotBuiltError, match="draw_next"):
        listed([[2, 5, *ONE]]).draw_next()
