"""Indices and shapes of paddle's tensors against NumPy's, with writes both ways."""

import itertools

import numpy as np
import pytest
from penstock import paddle

SHAPE = (3, 4, 2)
SLICES = [slice(None), slice(1, None), slice(None, None, -1), slice(-1, 0, -2), slice(0, 0)]
BASIC = [0, -1, None, Ellipsis, *SLICES]
ARRAYS = [[0, 2], [2, 0, 0], [[0, 1], [1, 2]]]


def tensor():
    return paddle.arange(24.0).reshape([3, 4, 2])


def array():
    return np.arange(24.0, dtype="float32").reshape(SHAPE)


def keys():
    """Keys of up to three items; at most one ellipsis."""
    for count in (1, 2, 3):
        for key in itertools.product(BASIC, repeat=count):
            if sum(one is Ellipsis for one in key) < 2:
                yield key


def same(found, wanted):
    assert found.shape == wanted.shape
    np.testing.assert_array_equal(found.numpy(), wanted)


def test_basic_keys_are_views():
    """What is written through a key comes to the tensor, and what is written there to the part."""
    for key in keys():
        x, a = tensor(), array()
        part, wanted = x[key], a[key]
        same(part, wanted)
        x[key] = x[key] + 100
        a[key] = a[key] + 100
        same(x, a)
        same(part, a[key])
        if wanted.size:
            part[...] = -1.0
            a[key] = -1.0
            same(x, a)


def test_keys_with_arrays_are_copies():
    rests = [(), (0,), (slice(None, None, -1),), (Ellipsis, 1)]
    for index, rest in itertools.product(ARRAYS, rests):
        for key in ((index, *rest), (np.array(index), *rest)):
            x, a = tensor(), array()
            tensors = tuple(
                paddle.to_tensor(one) if isinstance(one, (list, np.ndarray)) else one for one in key
            )
            part = x[tensors]
            same(part, a[(np.array(index), *rest)])
            part[...] = -1.0
            same(x, a)
            x[tensors] = -2.0
            a[(np.array(index), *rest)] = -2.0
            same(x, a)


def test_masks():
    x, a = tensor(), array()
    same(x[x > 5], a[a > 5])
    x[x > 5] = 0.0
    a[a > 5] = 0.0
    same(x, a)
    rows = paddle.to_tensor([True, False, True])
    same(x[rows], a[[True, False, True]])
    x[rows] = 7.0
    a[[True, False, True]] = 7.0
    same(x, a)


VIEWS = {
    "T": (lambda x: x.T, lambda a: a.T),
    "transpose": (lambda x: x.transpose([2, 0, 1]), lambda a: a.transpose(2, 0, 1)),
    "two axes": (lambda x: x.transpose(0, 1), lambda a: a.swapaxes(0, 1)),
    "reshape": (lambda x: x.reshape([4, -1]), lambda a: a.reshape(4, -1)),
    "reshape with 0": (lambda x: x.reshape([0, -1]), lambda a: a.reshape(3, -1)),
    "flatten": (lambda x: x.flatten(), lambda a: a.reshape(-1)),
    "flatten from 1": (lambda x: x.flatten(1), lambda a: a.reshape(3, 8)),
    "unsqueeze": (lambda x: x.unsqueeze([0, 2]), lambda a: a[None, :, None]),
    "squeeze": (lambda x: x.unsqueeze(0).squeeze(0), lambda a: a[None][0]),
    "view": (lambda x: x.view([6, 4]), lambda a: a.reshape(6, 4)),
    "detach": (lambda x: x.detach(), lambda a: a[:]),
    "moveaxis": (lambda x: x.moveaxis(0, 2), lambda a: np.moveaxis(a, 0, 2)),
    "astype of the same": (lambda x: x.astype("float32"), lambda a: a[:]),
}
COPIES = {
    "clone": (lambda x: x.clone(), lambda a: a),
    "expand": (lambda x: x.expand([2, 3, 4, 2]), lambda a: np.broadcast_to(a, (2, *SHAPE))),
    "split": (lambda x: x.split(3)[1], lambda a: a[1:2]),
    "reshape of strides": (lambda x: x.T.reshape([-1]), lambda a: a.T.reshape(-1)),
    "tile": (lambda x: x.tile([1, 2, 1]), lambda a: np.tile(a, (1, 2, 1))),
    "flip": (lambda x: x.flip([0]), lambda a: a[::-1]),
    "concat": (lambda x: paddle.concat([x, x], 1), lambda a: np.concatenate([a, a], 1)),
    "to_tensor": (lambda x: paddle.to_tensor(x), lambda a: a),
}


@pytest.mark.parametrize("name", VIEWS)
def test_views(name):
    ours, numpys = VIEWS[name]
    x, a = tensor(), array()
    part, wanted = ours(x), numpys(a)
    same(part, wanted)
    x[0, 1] = 100.0
    a[0, 1] = 100.0
    same(part, wanted)
    part[0] = -1.0
    wanted[0] = -1.0
    same(x, a)


@pytest.mark.parametrize("name", COPIES)
def test_copies(name):
    ours, numpys = COPIES[name]
    x, a = tensor(), array()
    part = ours(x)
    same(part, numpys(a))
    part[...] = -1.0
    same(x, a)
    x[...] = -2.0
    assert (part == -1.0).all()


VALUES = {
    "int": 2,
    "float": 2.5,
    "bool": True,
    "NumPy's number": np.float64(3),
    "NumPy's array": np.arange(6.0).reshape(3, 2),
    "integers": paddle.arange(2),
    "doubles": paddle.ones([3, 1, 2], "float64"),
}


@pytest.mark.parametrize("name", VALUES)
def test_values(name):
    x, a, value = tensor(), array(), VALUES[name]
    x[:, 1:] = value
    a[:, 1:] = value.numpy() if isinstance(value, paddle.Tensor) else value
    same(x, a)


@pytest.mark.parametrize("value", [[1.0, 2.0], "a", None, (1, 2)])
def test_values_that_are_refused(value):
    with pytest.raises(ValueError):
        tensor()[0] = value


def test_updates_make_new_tensors():
    for update in ("x += 1", "x -= y", "x *= 2.5", "x /= 2", "x //= 2", "x %= 3", "x **= 2"):
        x = old = tensor()
        space = {"x": x, "y": paddle.ones([2])}
        exec(update, space)
        assert space["x"] is not old
        same(old, array())
