"""The names that the book's programs use are here: those of ../shared/reference/paddle-api.tsv."""

import csv
import pathlib

import numpy
import pytest
from penstock import paddle

TABLE = pathlib.Path(__file__).parents[4] / "shared/reference/paddle-api.tsv"


def rows():
    if not TABLE.is_file():
        pytest.skip(f"there is no {TABLE}")
    with TABLE.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def owner_of(name):
    """What has the last part of a name, and that part; None for an idiom."""
    layer = paddle.nn.Linear(2, 2)
    owners = {
        "Tensor.": paddle.ones([2, 2]),
        "nn.Layer#": layer,
        "layer#": layer,
        "optim.Optimizer#": paddle.optimizer.SGD(parameters=layer.parameters()),
        "lr_scheduler#": paddle.optimizer.lr.StepDecay(0.1, 1),
    }
    for begin, owner in owners.items():
        if name.startswith(begin):
            return owner, name[len(begin) :]
    if not name.startswith("paddle."):
        return None
    *above, last = name.split(".")[1:]
    owner = paddle
    for part in above:
        owner = getattr(owner, part)
    return owner, last


def test_all_names_are_here():
    missing = []
    for row in rows():
        found = owner_of(row["name"])
        if found and not hasattr(*found):
            missing.append(row["name"])
    assert missing == []


def test_names_that_are_not_here_are_told():
    for name in ("fft", "sparse", "hub"):
        with pytest.raises(AttributeError, match=f"paddle.{name}"):
            getattr(paddle, name)


# ---- Names that no other test calls --------------------------------------------------------------


@pytest.mark.parametrize("shape", [[3], [3, 1]])
def test_cross_entropy(shape):
    scores = numpy.array([[1.0, 2.0, 0.5], [0.0, 0.0, 0.0], [3.0, -1.0, 0.2]], "float32")
    labels = numpy.array([1, 0, 2])
    expected = numpy.log(numpy.exp(scores).sum(1)) - scores[range(3), labels]
    given = paddle.to_tensor(scores), paddle.to_tensor(labels).reshape(shape)
    each = paddle.nn.CrossEntropyLoss(reduction="none")(*given)
    numpy.testing.assert_allclose(each.numpy().ravel(), expected, rtol=1e-5)
    assert each.shape == [3, 1][: len(shape)]
    mean = paddle.nn.CrossEntropyLoss()(*given)
    assert mean.shape == [] and abs(mean.item() - expected.mean()) < 1e-5


def test_xavier_uniform():
    first = paddle.nn.initializer.XavierUniform()
    weight = paddle.nn.Linear(30, 20, weight_attr=paddle.ParamAttr(initializer=first)).weight
    bound = (6 / 50) ** 0.5
    assert 0.9 * bound < abs(weight.numpy()).max() <= bound
    assert abs(weight.numpy().std() - bound / 3**0.5) < 0.05


def test_sublayers():
    net = paddle.nn.Sequential(paddle.nn.Linear(2, 2))
    inner = paddle.nn.Sequential(paddle.nn.Sigmoid())
    assert net.add_sublayer("more", inner) is inner
    assert net.sublayers() == [net[0], inner, inner[0]]
    numpy.testing.assert_allclose(
        net(paddle.zeros([1, 2])).numpy(), [[0.5, 0.5]], rtol=1e-6
    )


def test_flips_and_backends():
    pixels = numpy.arange(12, dtype="uint8").reshape(2, 2, 3)
    pytest.importorskip("PIL.Image", reason="Pillow is not installed: make setup")
    flipped = paddle.vision.transforms.RandomHorizontalFlip(1.0)(pixels)
    assert (flipped == pixels[:, ::-1]).all()
    paddle.vision.set_image_backend("cv2")
    assert paddle.vision.get_image_backend() == "cv2"
    paddle.vision.set_image_backend("pil")
    with pytest.raises(ValueError, match="backend"):
        paddle.vision.set_image_backend("none")


def test_value_of_a_tensor():
    x = paddle.ones([2])
    assert x.value() is x


def test_repeat_interleave_of_a_tensor_without_dimensions():
    assert paddle.repeat_interleave(paddle.to_tensor(7), 2).tolist() == [7, 7]
    for x, axis in ((paddle.to_tensor(7), 0), (paddle.ones([2]), 1), (paddle.ones([2]), -2)):
        with pytest.raises(IndexError, match="axis"):
            paddle.repeat_interleave(x, 2, axis=axis)
