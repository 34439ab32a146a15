"""What random programs found to differ from PaddlePaddle 3.3.1, by hand: types, shapes, views, classes
of errors, numbers at the edges."""

import math

import numpy as np
import pytest

from penstock import paddle

T = paddle.to_tensor


def told(x):
    return str(x.dtype), list(x.shape), x.tolist()


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda: paddle.bitwise_and(T([1])), TypeError),
        (lambda: paddle.sort(), TypeError),
        (lambda: paddle.less_than(T([1]), T([1]), foo=1), TypeError),
        (lambda: paddle.square(T([1.0]), 1, 2), TypeError),
        (lambda: paddle.exp(), ValueError),
        (lambda: paddle.exp(T([1.0]), foo=1), ValueError),
        (lambda: paddle.ones([2, 3]).expand([3, 3]), ValueError),
        (lambda: paddle.ones([2, 2]).broadcast_to([3, 5, 2]), ValueError),
        (lambda: paddle.ones([2]).broadcast_to([-1, 2]), ValueError),
        (lambda: paddle.index_select(T([1, 2]), T([0]), 4), IndexError),
        (lambda: paddle.gather(T([1, 2]), T([0]), axis=3), IndexError),
        (lambda: T([1.0]).fill_(T([1.0])), TypeError),
        (lambda: T([1.0]).set_value(1.5), AssertionError),
        (lambda: paddle.add_n([T([1.0]), T([1.0, 2.0])]), ValueError),
        (lambda: paddle.add_n(5), ValueError),
        (lambda: T([1, 2]).clip(2, 1), ValueError),
        (lambda: paddle.addmm(paddle.ones([2, 2]), paddle.ones([1, 2]), paddle.ones([2, 2])), ValueError),
        (lambda: paddle.bmm(paddle.ones([1, 1, 3]), paddle.ones([2, 3, 2])), ValueError),
        (lambda: paddle.multinomial([1.0], 1), ValueError),
        (lambda: paddle.optimizer.SGD(None, parameters=[]), ValueError),
        (lambda: paddle.full_like(T([True]), 2), ValueError),
    ],
)
def test_errors(call, error):
    with pytest.raises(error):
        call()


@pytest.mark.parametrize(
    "made, wanted",
    [
        (lambda: T([-4, 0, 3]).scale(2.5, 1.0), ("int64", [3], [-7, 1, 7])),
        (lambda: T([-3, 6], dtype="int32").pow(2.0), ("int32", [2], [9, 36])),
        (lambda: T([2, -5]).clip(max=1.5), ("float32", [2], [1.5, -5.0])),
        (lambda: T([1, 2], dtype="int16").sum(), ("int16", [], 3)),
        (lambda: T([1, 2]).sum(dtype="int32"), ("int32", [], 3)),
        (lambda: T([1.0, 2.0]).sum(axis=np.int64(0)), ("float32", [], 3.0)),
        (lambda: paddle.assign(3), ("int64", [1], [3])),
        (lambda: paddle.assign([1.5]), ("float64", [1], [1.5])),
        (lambda: paddle.full([2], np.float32(2.5), dtype="int8"), ("int8", [2], [2, 2])),
        (lambda: paddle.full([1], 2.5, dtype="bool"), ("bool", [1], [True])),
        (lambda: paddle.zeros(np.array([1, 2])), ("float32", [1, 2], [[0.0, 0.0]])),
        (lambda: paddle.linspace(0, 2, 2.0), ("float32", [2], [0.0, 2.0])),
        (lambda: paddle.squeeze(T([1.0]), []), ("float32", [], 1.0)),
        (lambda: paddle.inner(T([-1]), T([[-2, 5]])), ("int64", [1, 2], [[2, -5]])),
        (lambda: paddle.dot(T([1j]), T([2.0 + 1j])), ("complex64", [], -1 + 2j)),
        (lambda: paddle.round(T([25, -4]), -1), ("int64", [2], [25, -4])),
        (lambda: T([1.25]).round(1), ("float32", [1], [np.float32(1.2)])),
        (lambda: paddle.median(T([-math.inf, -0.5, 0.0])), ("float32", [], -0.5)),
        (lambda: paddle.median(T([1.0, 2.0], dtype="float16")), ("float32", [], 1.5)),
    ],
)
def test_values(made, wanted):
    assert told(made()) == (f"paddle.{wanted[0]}", *wanted[1:])


def test_median_of_nan_is_nan():
    assert math.isnan(paddle.median(T([math.nan, 1.0, 2.0])).item())


def test_shapes_stay_shapes():
    shape = paddle.ones([2]).shape
    assert [type(one) for one in (shape + [1], shape * 2)] == [paddle.Size] * 2


def test_unbind_gives_views_and_unstack_copies():
    x = T([[1.0, 2.0], [3.0, 4.0]])
    x.unbind(0)[0].scale_(3.0)
    x.unstack(0)[1].scale_(9.0)
    assert x.tolist() == [[3.0, 6.0], [3.0, 4.0]]


def test_copies_share_nothing():
    import copy

    x = T([1.0])
    copy.copy(x)[0] = 5.0
    assert x.tolist() == [1.0]


def test_products_in_place_have_gradients():
    x = T([2.0, 3.0], stop_gradient=False)
    y = x * 1
    y.multiply_(x)
    y.sum().backward()
    assert x.grad.tolist() == [4.0, 6.0]
    x.clear_gradient()
    z = paddle.ones([2]) * 5
    z.multiply_(x * 2)
    z.sum().backward()
    assert x.grad.tolist() == [10.0, 10.0]


def test_dropout_outside_of_training_is_a_copy():
    x = T([1.0, 2.0], stop_gradient=False)
    y = paddle.nn.functional.dropout(x, 0.5, training=False)
    assert y.tolist() == [1.0, 2.0] and not y.is_leaf
    assert paddle.nn.functional.dropout(x, 0, training=False) is x


def test_same_padding_has_no_dilation():
    x, weight = paddle.arange(25.0).reshape([1, 1, 5, 5]), paddle.ones([1, 1, 2, 2])
    conv = paddle.nn.functional.conv2d
    assert bool((conv(x, weight, padding="SAME", dilation=2) == conv(x, weight, padding="SAME")).all())


def test_smoothed_labels_keep_a_dimension():
    logits, labels = paddle.zeros([2, 3]), T([0, 1])
    loss = paddle.nn.functional.cross_entropy(logits, labels, reduction="none", label_smoothing=0.1)
    assert loss.shape == [2, 1]


def test_texts_of_layers():
    assert "padding_idx=-1" in repr(paddle.nn.Embedding(4, 3, padding_idx=-1))
    assert repr(paddle.nn.Unflatten(1, [2, 2])) == "Unflatten(axis=1, shape=[2, 2])"


def test_order_of_one_element():
    x = T(float("nan"))
    assert paddle.argsort(x).tolist() == 0 and paddle.topk(x, 1).indices.tolist() == 0
    for sort in (paddle.sort, paddle.argsort):
        with pytest.raises(ValueError, match="but received 3"):
            sort(x, axis=3)
    with pytest.raises(ValueError, match="k of topk must be >= 1, but received 0"):
        paddle.topk(x, 0)


def test_parts_are_told_by_numbers_of_python():
    for call in (paddle.split, paddle.chunk):
        with pytest.raises(TypeError, match="Tensor"):
            call(T([1, 2]), T([1, 1]))
    with pytest.raises(TypeError, match="list"):
        paddle.chunk(T([1, 2]), [1, 1])


def test_mm_has_names_of_its_own():
    x = T([[1, 2], [3, 4]])
    assert x.mm(x).tolist() == paddle.mm(input=x, mat2=x).tolist() == [[7, 10], [15, 22]]


def test_lengths_of_arange_are_counted_in_the_type():
    assert len(paddle.arange(0.3, 3, 0.3)) == 9 and len(paddle.arange(0, 1, 0.1)) == 10
    assert len(paddle.arange(0.3, 3, 0.3, dtype="float64")) == 10
    assert paddle.arange(3, 0.5, -0.5).tolist() == [3.0, 2.5, 2.0, 1.5, 1.0]
    assert len(paddle.arange(0.5, 0.5)) == 0
