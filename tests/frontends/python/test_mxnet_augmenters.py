"""The augmenters of mx.image and its iterator. Numbers are those that MXNet 1.9.1 gives."""

import json
import random

import numpy
import pytest

from penstock.mxnet import image, nd, np, npx, recordio
from penstock.mxnet.base import MXNetError

PIXELS = (numpy.arange(4 * 5 * 3) * 7 % 256).astype("uint8").reshape(4, 5, 3)
EIGENVALUES = numpy.array([55.46, 4.794, 1.148])

# In this order, after the seeds below: the pixel (147, 154, 161).
AUGMENTED = [
    (lambda: image.BrightnessJitterAug(0.3), [157.84, 165.356, 172.872]),
    (lambda: image.ContrastJitterAug(0.3), [152.856, 160.872, 168.887]),
    (lambda: image.SaturationJitterAug(0.3), [145.99, 154.229, 162.469]),
    (lambda: image.HueJitterAug(0.3), [145.64, 156.725, 150.527]),
    (lambda: image.LightingAug(0.1, EIGENVALUES, numpy.eye(3)), [149.447, 153.841, 161.279]),
    (lambda: image.ColorJitterAug(0.2, 0.2, 0.2), [170.051, 177.996, 185.94]),
    (lambda: image.RandomGrayAug(1.0), [153.02, 153.02, 153.02]),
]


@pytest.mark.parametrize("kind", [nd, np], ids=["nd", "np"])
def test_colours(kind):
    random.seed(5)
    numpy.random.seed(5)
    for make, expected in AUGMENTED:
        found = make()(kind.array(PIXELS, dtype="float32"))
        numpy.testing.assert_allclose(found.asnumpy()[1, 2], expected, rtol=0, atol=2e-3)


def test_sizes():
    x = nd.array(PIXELS, dtype="uint8")
    assert image.ResizeAug(8)(x).shape == (8, 10, 3)
    assert image.ForceResizeAug((3, 7))(x).shape == (7, 3, 3)
    assert image.CenterCropAug((3, 2))(x).asnumpy().tolist() == PIXELS[1:3, 1:4].tolist()
    assert image.RandomCropAug((3, 2))(x).shape == (2, 3, 3)
    assert image.RandomSizedCropAug((3, 2), 0.1, (0.5, 2))(x).shape == (2, 3, 3)
    assert (image.HorizontalFlipAug(1.0)(x).asnumpy() == PIXELS[:, ::-1]).all()
    assert image.HorizontalFlipAug(0.0)(x) is x
    assert str(image.CastAug()(x).asnumpy().dtype) == "float32"


def test_several():
    x = nd.array(PIXELS, dtype="uint8")
    both = [image.CastAug(), image.HorizontalFlipAug(1.0)]
    for group in (image.SequentialAug(both), image.RandomOrderAug(list(both))):
        assert (group(x).asnumpy() == PIXELS[:, ::-1]).all()
    assert image.SequentialAug(both).dumps()[1][0] == '["castaug", {"type": "float32"}]'


def test_dumps():
    assert image.ResizeAug(3).dumps() == '["resizeaug", {"size": 3, "interp": 2}]'
    text = image.Augmenter(a=numpy.ones(2), b=nd.ones(1)).dumps()
    assert json.loads(text) == ["augmenter", {"a": [1.0, 1.0], "b": [1.0]}]
    with pytest.raises(NotImplementedError):
        image.Augmenter()(nd.ones(1))


def test_create_augmenter():
    def names(**given):
        return [type(one).__name__ for one in image.CreateAugmenter((3, 4, 5), **given)]

    assert names() == ["CenterCropAug", "CastAug"]
    assert names(rand_crop=True, resize=6) == ["ResizeAug", "RandomCropAug", "CastAug"]
    everything = names(
        resize=6,
        rand_crop=True,
        rand_resize=True,
        rand_mirror=True,
        mean=True,
        std=True,
        brightness=0.1,
        hue=0.4,
        pca_noise=0.5,
        rand_gray=0.6,
    )
    assert everything == [
        *("ResizeAug", "RandomSizedCropAug", "HorizontalFlipAug", "CastAug", "ColorJitterAug"),
        *("HueJitterAug", "LightingAug", "RandomGrayAug", "ColorNormalizeAug"),
    ]
    with pytest.raises(AssertionError):
        names(rand_resize=True)
    with pytest.raises(AssertionError, match="1 or 3"):
        names(mean=numpy.ones(2))


def test_normalize():
    x = nd.array(PIXELS)
    augmenter = image.ColorNormalizeAug(mean=nd.array([1, 2, 3]), std=numpy.array([2.0, 2, 2]))
    numpy.testing.assert_allclose(augmenter(x).asnumpy(), (PIXELS - [1.0, 2, 3]) / 2, rtol=1e-6)


# ---- ImageIter -----------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path):
    pillow = pytest.importorskip("PIL.Image")
    names = []
    for number in range(7):
        names.append(f"{number}.png")
        pillow.fromarray(numpy.full((12, 10, 3), number * 30, "uint8")).save(tmp_path / names[-1])
    return str(tmp_path), names


def batches(iterator):
    """What one iteration gives: the numbers of the pictures, the labels, the filling."""
    return [
        (
            (batch.data[0].asnumpy()[:, 0, 0, 0] / 30).tolist(),
            batch.label[0].asnumpy().tolist(),
            batch.pad,
        )
        for batch in iterator
    ]


def of_list(files, size=3, **given):
    root, names = files
    labels = [[float(number), name] for number, name in enumerate(names)]
    return image.ImageIter(size, (3, 8, 8), imglist=labels, path_root=root, **given)


def test_batches(files):
    found = of_list(files)
    expected = [
        ([0, 1, 2], [0, 1, 2], 0),
        ([3, 4, 5], [3, 4, 5], 0),
        ([6, 0, 1], [6, 0, 1], 2),
    ]
    assert batches(found) == expected
    assert batches(found) == []
    found.reset()
    assert batches(found) == expected
    found.reset()
    batch = found.next()
    assert batch.data[0].shape == (3, 3, 8, 8) and batch.data[0].dtype == numpy.float32
    assert found.provide_data == [("data", (3, 3, 8, 8))]
    assert found.provide_label == [("softmax_label", (3,))]


def test_last_batches(files):
    assert len(batches(of_list(files, last_batch_handle="discard"))) == 2
    rolling = of_list(files, last_batch_handle="roll_over")
    assert len(batches(rolling)) == 2
    rolling.reset()
    assert batches(rolling) == [([6, 0, 1], [6, 0, 1], 2), ([2, 3, 4], [2, 3, 4], 0)]
    rolling.reset()
    assert batches(rolling)[0] == ([5, 6, 0], [5, 6, 0], 1)
    rolling.hard_reset()
    assert batches(rolling)[0] == ([0, 1, 2], [0, 1, 2], 0)
    assert batches(of_list(files, 10))[0][0] == [0, 1, 2, 3, 4, 5, 6, 0, 1, 2]


def test_shuffling_follows_pythons_seed(files):
    random.seed(1)
    found = batches(of_list(files, shuffle=True))
    assert [one[0] for one in found] == [[3, 6, 5], [2, 0, 4], [1, 3, 6]]


def test_lists_in_files(files, tmp_path):
    listed = tmp_path / "some.lst"
    listed.write_text("".join(f"{i}\t{i * 10}\t{name}\n" for i, name in enumerate(files[1])))
    given = {"path_imglist": str(listed), "path_root": files[0], "dtype": "int64"}
    assert batches(image.ImageIter(7, (3, 8, 8), **given))[0][1] == [0, 10, 20, 30, 40, 50, 60]
    half = image.ImageIter(3, (3, 8, 8), num_parts=2, part_index=1, **given)
    assert batches(half) == [([3, 4, 5], [30, 40, 50], 0)]


@pytest.mark.parametrize("indexed", [False, True])
def test_record_files(files, tmp_path, indexed):
    path, index = str(tmp_path / "some.rec"), str(tmp_path / "some.idx")
    writer = recordio.MXIndexedRecordIO(index, path, "w")
    for number, name in enumerate(files[1]):
        with open(f"{files[0]}/{name}", "rb") as file:
            writer.write_idx(number, recordio.pack((0, [number, 1], 0, 0), file.read()))
    writer.close()
    given = {"path_imgidx": index} if indexed else {}
    found = image.ImageIter(5, (3, 8, 8), label_width=2, path_imgrec=path, **given)
    for _ in range(2):
        labels = [one[1] for one in batches(found)]
        assert labels[1] == [[5, 1], [6, 1], [0, 1], [1, 1], [2, 1]]
        found.reset()


def test_in_numpy_mode(files):
    npx.set_np()
    try:
        batch = of_list(files, mean=True, rand_mirror=True, brightness=0.1).next()
        assert type(batch.data[0]) is np.ndarray and type(batch.label[0]) is np.ndarray
    finally:
        npx.reset_np()


def test_what_is_wrong_is_told(files, tmp_path):
    (tmp_path / "bad.png").write_bytes(b"no picture")
    bad = image.ImageIter(1, (3, 8, 8), imglist=[[1.0, "bad.png"]], path_root=str(tmp_path))
    with pytest.raises(MXNetError, match="bad.png"):
        bad.next()
    with pytest.raises(AssertionError):
        image.ImageIter(1, (3, 8, 8))
    with pytest.raises(ValueError, match="3 channels"):
        of_list(files).check_data_shape((1, 8, 8))
    with pytest.raises(TypeError, match="foo"):
        of_list(files, foo=1)
