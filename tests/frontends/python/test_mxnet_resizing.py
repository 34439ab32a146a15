"""UpSampling, AdaptiveAvgPooling2D and BilinearResize2D of mx.nd; values are MXNet's."""

import numpy
import pytest

from penstock.mxnet import autograd, nd
from penstock.mxnet.base import MXNetError

pytestmark = pytest.mark.usefixtures("nothing_recorded")


def counted(*shape):
    return nd.array(numpy.arange(numpy.prod(shape)).reshape(shape))


def test_nearest():
    x = counted(1, 1, 2, 2)
    x.attach_grad()
    with autograd.record():
        y = nd.UpSampling(x, scale=2, sample_type="nearest")
    y.backward(counted(1, 1, 4, 4))
    assert y.asnumpy()[0, 0].tolist() == [[0, 0, 1, 1], [0, 0, 1, 1], [2, 2, 3, 3], [2, 2, 3, 3]]
    assert x.grad.asnumpy()[0, 0].tolist() == [[10, 18], [42, 50]]


def test_several_images_have_the_size_of_the_first_result():
    small, large = counted(1, 2, 2, 2), counted(1, 2, 4, 4)
    given = dict(scale=4, sample_type="nearest", num_args=2)
    side = nd.UpSampling(small, large, **given).asnumpy()
    parts = [
        nd.UpSampling(x, scale=scale, sample_type="nearest").asnumpy()
        for x, scale in ((small, 4), (large, 2))
    ]
    numpy.testing.assert_array_equal(side, numpy.concatenate(parts, 1))
    total = nd.UpSampling(small, large, multi_input_mode="sum", **given).asnumpy()
    numpy.testing.assert_array_equal(total, parts[0] + parts[1])


def test_bilinear_has_weights():
    found = nd.UpSampling(
        nd.ones((1, 1, 3, 3)), nd.ones((1, 1, 4, 4)), scale=2, sample_type="bilinear", num_filter=1
    )
    edge, inner = [1, 2, 2, 2, 2, 1], [2, 4, 4, 4, 4, 2]
    assert found.asnumpy()[0, 0].tolist() == [edge, inner, inner, inner, inner, edge]
    with pytest.raises(MXNetError, match="weights"):
        nd.UpSampling(nd.ones((1, 1, 3, 3)), scale=2, sample_type="bilinear")
    with pytest.raises(MXNetError, match="scale"):
        nd.UpSampling(nd.ones((1, 1, 3, 3)), sample_type="nearest")


def test_means_of_regions():
    x = counted(1, 1, 5, 5)
    found = nd.contrib.AdaptiveAvgPooling2D(x, output_size=3).asnumpy()[0, 0]
    expected = [[3, 4.5, 6], [10.5, 12, 13.5], [18, 19.5, 21]]
    numpy.testing.assert_allclose(found, expected, rtol=1e-6)
    assert nd.contrib.AdaptiveAvgPooling2D(x, output_size=(2, 7)).shape == (1, 1, 2, 7)
    assert nd.contrib.AdaptiveAvgPooling2D(x).asnumpy().ravel() == pytest.approx([12])


@pytest.mark.parametrize(
    "align, expected",
    [
        (True, [[0, 2 / 3, 4 / 3, 2], [3, 11 / 3, 13 / 3, 5], [6, 20 / 3, 22 / 3, 8]]),
        (False, [[0, 0.625, 1.375, 2], [3, 3.625, 4.375, 5], [6, 6.625, 7.375, 8]]),
    ],
)
def test_interpolation(align, expected):
    found = nd.contrib.BilinearResize2D(counted(1, 1, 3, 3), height=3, width=4, align_corners=align)
    numpy.testing.assert_allclose(found.asnumpy()[0, 0], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "given, shape",
    [
        (dict(mode="size", height=4, width=5), (4, 5)),
        (dict(mode="size", scale_height=2.0, scale_width=3.0), (10, 18)),
        (dict(mode="odd_scale", scale_height=2.0, scale_width=3.0), (9, 18)),
        (dict(mode="like", like=nd.ones((1, 1, 7, 8))), (7, 8)),
        (dict(mode="to_even_down"), (4, 6)),
        (dict(mode="to_even_up"), (6, 6)),
        (dict(mode="to_odd_down"), (5, 5)),
        (dict(mode="to_odd_up"), (5, 7)),
    ],
    ids=lambda value: value.get("mode") if isinstance(value, dict) else None,
)
def test_sizes(given, shape):
    assert nd.contrib.BilinearResize2D(nd.ones((1, 1, 5, 6)), **given).shape == (1, 1, *shape)
