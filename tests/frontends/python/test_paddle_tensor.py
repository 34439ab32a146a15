"""What tensors of paddle are beside their functions: copies, pickles, gradients, errors."""

import copy
import pickle
import threading

import numpy as np
import penstock
import pytest
from penstock import paddle

T = paddle.to_tensor


@pytest.mark.parametrize("value", [[1.0, 2.0], 3.5, [[True], [False]], [], [[1, 2], [3, 4]]])
def test_pickles_and_copies(value):
    x = T(value)
    for made in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x), x.clone()):
        assert made.shape == x.shape and made.dtype is x.dtype
        np.testing.assert_array_equal(made.numpy(), x.numpy())


def test_pickles_keep_what_leaves_are():
    x = T([1.0], stop_gradient=False)
    x.note = "kept"
    made = pickle.loads(pickle.dumps(x))
    assert not made.stop_gradient and made.note == "kept"
    with pytest.raises(RuntimeError):
        pickle.dumps(x * 2)
    with pytest.raises(RuntimeError):
        copy.deepcopy(x * 2)


def test_shapes_and_types_in_pickles():
    for one in (paddle.float32, paddle.ones([2, 3]).shape, paddle.CPUPlace()):
        made = pickle.loads(pickle.dumps(one))
        assert made == one and repr(made) == repr(one)


def test_parameters():
    p = paddle.create_parameter([3, 2], "float32")
    assert not p.stop_gradient and p.trainable and p.persistable
    assert abs(p.numpy()).max() <= (6 / 5) ** 0.5
    assert paddle.create_parameter([2], "float64", is_bias=True).tolist() == [0.0, 0.0]
    twin = copy.deepcopy(p)
    assert type(twin) is type(p) and twin.tolist() == p.tolist()
    assert type(p * 2) is paddle.Tensor
    p.trainable = False
    assert p.stop_gradient


def test_gradients_of_results():
    x = T([1.0, 2.0], stop_gradient=False)
    y = x * x
    seen = []
    handle = y.register_hook(lambda gradient: seen.append(gradient.tolist()))
    y.retain_grads()
    (y * 3).sum().backward()
    assert y.grad.tolist() == [3.0, 3.0] and seen == [[3.0, 3.0]]
    assert handle.remove() and not handle.remove()
    assert x.grad.tolist() == [6.0, 12.0]
    with pytest.raises(RuntimeError):
        T([1.0]).register_hook(print)


def test_hooks_change_gradients():
    x = T([1.0, 2.0], stop_gradient=False)
    x.register_hook(lambda gradient: gradient * 2)
    x.sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_stop_gradient_of_a_result():
    x = T([1.0], stop_gradient=False)
    y = x * 2
    y.stop_gradient = True
    assert (y * x).stop_gradient is False
    (y * x).sum().backward()
    assert x.grad.tolist() == [2.0]


def test_no_grad_is_of_the_thread():
    x, seen = T([1.0], stop_gradient=False), []
    with paddle.no_grad():
        thread = threading.Thread(target=lambda: seen.append((x * 2).stop_gradient))
        thread.start()
        thread.join()
        assert (x * 2).stop_gradient
    assert seen == [False]

    @paddle.no_grad()
    def doubled(x):
        return x * 2

    assert doubled(x).stop_gradient and not (x * 2).stop_gradient


def test_grad_of_several():
    x, y = T(2.0, stop_gradient=False), T(3.0, stop_gradient=False)
    found = paddle.grad([x * y, x + y], [x, y])
    assert [one.item() for one in found] == [4.0, 3.0]
    assert paddle.grad(x * 2, [x, y], allow_unused=True)[1] is None
    with pytest.raises(ValueError):
        paddle.grad(x * 2, y)


def test_layer_of_its_own_with_two_tensors():
    class Product(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x, y, factor=1):
            ctx.save_for_backward(x, y)
            ctx.factor = factor
            return x * y * factor

        @staticmethod
        def backward(ctx, gradient):
            x, y = ctx.saved_tensor()
            return gradient * y * ctx.factor, gradient * x * ctx.factor

    x, y = T([2.0], stop_gradient=False), T([3.0], stop_gradient=False)
    Product.apply(x, y, factor=2).sum().backward()
    assert (x.grad.item(), y.grad.item()) == (6.0, 4.0)


def test_errors_come_at_the_wait():
    y = T([1, 2]) // T([1, 0])
    places = paddle.arange(3)[T([5])]
    with pytest.raises(paddle.EnforceNotMet):
        y.numpy()
    with pytest.raises(IndexError):
        places.numpy()
    assert not issubclass(paddle.EnforceNotMet, RuntimeError)


def test_seeds():
    assert paddle.seed(3) is paddle.seed(3)
    paddle.seed(3)
    first = [paddle.rand([2]).tolist(), paddle.randint(0, 9, [4]).tolist()]
    state = paddle.get_rng_state()
    more = paddle.normal(0, 1, [3]).tolist()
    paddle.set_rng_state(state)
    assert paddle.normal(0, 1, [3]).tolist() == more
    paddle.seed(3)
    assert [paddle.rand([2]).tolist(), paddle.randint(0, 9, [4]).tolist()] == first


def test_distributions():
    paddle.seed(0)
    x = paddle.uniform([20000], min=2.0, max=4.0)
    assert 2 <= x.min().item() and x.max().item() < 4 and abs(x.mean().item() - 3) < 0.02
    x = paddle.normal(1.0, 2.0, [20000])
    assert abs(x.mean().item() - 1) < 0.06 and abs(x.std().item() - 2) < 0.05
    x = paddle.multinomial(T([0.25, 0.0, 0.75]), 20000, replacement=True)
    assert set(x.tolist()) == {0, 2} and abs((x == 2).astype("float32").mean().item() - 0.75) < 0.02
    assert sorted(paddle.multinomial(T([0.5, 0.2, 0.3]), 3).tolist()) == [0, 1, 2]


def test_arrays_of_others():
    for other in (penstock.ones(2), np.ones(2, "float32")):
        assert T(other).tolist() == [1.0, 1.0]
    assert (paddle.ones([2]) * np.float32(2)).tolist() == [2.0, 2.0]
    with pytest.raises(TypeError):
        np.sqrt(paddle.ones([2]))
    assert np.asarray(paddle.ones([2])).tolist() == [1.0, 1.0]


def test_other_types_are_copies_or_the_tensor_itself():
    x = T([1.0, 2.0])
    assert x.astype("float32") is x and x.astype(paddle.float32) is x
    for made in (paddle.cast(x, "float32"), x.cast("float32"), paddle.cast(x, np.float32)):
        assert made.dtype is x.dtype
        made[0] = 5
        assert x.tolist() == [1.0, 2.0]
    for name, wanted in (("long", "int64"), ("short", "int16"), ("half", "float16")):
        assert str(x.astype(name).dtype) == f"paddle.{wanted}"
    with pytest.raises(ValueError, match="must be Tensor, but got float"):
        paddle.cast(2.0, "int32")
    for wrong in ("float31", 3, None, []):
        with pytest.raises(TypeError):
            x.astype(wrong)


@pytest.mark.parametrize("name, wanted", [("argmax", [1, 0]), ("argmin", [1, 1])])
def test_places_never_are_those_of_nan(name, wanted):
    x = T([[float("nan"), 2.0], [3.0, 1.0]])
    find = getattr(paddle, name)
    assert find(x, 1).tolist() == find(x, axis=1).tolist() == find(x, axis=-1).tolist() == wanted
    assert find(x, 1, True).shape == [2, 1] and find(x, axis=0, keepdim=True).shape == [1, 2]
    assert find(input=x, dim=1).tolist() == wanted and str(find(x).dtype) == "paddle.int64"
    assert str(find(x, dtype="int32").dtype) == "paddle.int32"
    for wrong in (lambda: find(x, 2), lambda: find(paddle.ones([0, 2])), lambda: find(x, axs=1)):
        with pytest.raises(ValueError):
            wrong()


@pytest.mark.parametrize("name", ["float64", "float16"])
def test_new_tensors_are_of_the_default_type(name):
    paddle.set_default_dtype(name)
    try:
        for made in (
            *(paddle.full([2], 1), paddle.full([2], 1.5), paddle.ones([2]), paddle.zeros((2, 1))),
            *(paddle.rand([2]), paddle.randn((2,)), paddle.to_tensor([1.0]), paddle.eye(2)),
        ):
            assert str(made.dtype) == f"paddle.{name}"
    finally:
        paddle.set_default_dtype("float32")
    assert str(paddle.full([2], 1).dtype) == "paddle.float32"
