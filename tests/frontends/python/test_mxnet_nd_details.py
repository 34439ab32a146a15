"""Details of mx.nd that MXNet's programs and tests rely on."""

import threading

import numpy
import pytest
from penstock import mxnet as mx
from penstock.mxnet import autograd, nd


def test_parts_that_are_written():
    x = nd.ones((2, 3))
    assert x.slice_assign(nd.zeros((1, 2)), (0, 0), (1, 2), (1, 1)) is x
    assert x.asnumpy().tolist() == [[0, 0, 1], [1, 1, 1]]
    x.slice_assign_scalar(5, (0, 0), (2, 3), (1, 2))
    assert x.asnumpy().tolist() == [[5, 0, 5], [5, 1, 5]]
    y = nd.zeros((2, 3))
    nd._internal._crop_assign_scalar(x, scalar=7, begin=(1, 0), end=(2, 3), out=y)
    assert y.asnumpy().tolist() == [[5, 0, 5], [7, 7, 7]] and x.asnumpy()[1, 0] == 5


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ((slice(None), slice(None)), True),
        ((slice(1, 2), slice(0, 3)), True),
        ((slice(0, 2), slice(0, 3)), False),
        ((slice(0, 1), slice(None, None, -1)), False),
        ((slice(0, 3), slice(2, 2)), True),
        ((slice(2, 5), slice(None)), True),
    ],
)
def test_which_parts_lie_side_by_side(key, expected):
    found = nd.NDArray._basic_indexing_slice_is_contiguous(key, (6, 7))
    assert found is expected is numpy.zeros((6, 7))[key].flags.contiguous


def test_numpys_reductions():
    a = nd.array([50000001], dtype="int32")
    assert numpy.all(a == 50000001) and not numpy.any(a == 0)
    assert numpy.add.reduce(nd.array([1, 2])) == 3


def test_a_shape_that_is_an_array():
    shape = numpy.array([3, 2])
    assert nd.ones((1, 2)).broadcast_to(shape).shape == (3, 2)
    with pytest.raises(mx.MXNetError, match="empty tuple of axes"):
        nd.broadcast_like(nd.ones((1,)), nd.ones((2,)), lhs_axes=(), rhs_axes=())


def test_kinds_of_numbers():
    x = nd.array([1, numpy.inf, -numpy.inf, numpy.nan])
    assert nd.contrib.isinf(x).asnumpy().tolist() == [0, 1, 1, 0]
    assert nd.contrib.isnan(x).asnumpy().tolist() == [0, 0, 0, 1]
    assert nd.contrib.isfinite(x).asnumpy().tolist() == [1, 0, 0, 0]
    assert nd.contrib.isinf(x).dtype is numpy.float32


def test_files_without_elements(tmp_path):
    """Outside of np_shape a length of 0 means that it is not known."""
    path = str(tmp_path / "arrays")
    with mx.np_shape(True):
        nd.save(path, [nd.zeros((2, 0))])
        assert nd.load(path)[0].shape == (2, 0)
    with pytest.raises(mx.MXNetError):
        nd.load(path)
    nd.save(path, [nd.ones((2, 1))])
    with mx.np_shape(True):
        assert nd.load(path)[0].shape == (2, 1)


def test_a_state_of_mxnets_pickles():
    state = bytes.fromhex("c9fa93f9 00000000 01000000 0200000000000000 02000000 00000000 00000000")
    x = nd.zeros((2,))
    x.__setstate__({"handle": bytearray(state + numpy.array([3, 4], "float32").tobytes())})
    assert x.asnumpy().tolist() == [3, 4]


# ---- Threads -------------------------------------------------------------------------------------


def in_thread(function):
    found = []
    thread = threading.Thread(target=lambda: found.append(function()))
    thread.start()
    thread.join()
    return found[0]


def test_each_thread_has_its_context():
    assert mx.context.Context.default_ctx == mx.cpu(0)

    def other():
        mx.context.Context.default_ctx = mx.cpu(5)
        return nd.ones((1,)).context

    assert in_thread(other) == mx.cpu(5)
    assert nd.ones((1,)).context == mx.cpu(0)


def test_each_thread_has_its_mode():
    with mx.np_array(True):
        assert mx.is_np_array() and not in_thread(mx.is_np_array)
    scope = mx.util.np_array(False)
    assert isinstance(scope, mx.util._NumpyArrayScope) and scope._is_np_array is False


# ---- Gradients of gradients ----------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["nd", "np"])
def test_a_gradient_that_is_constant_has_gradients_of_zero(kind):
    kind = getattr(mx, kind)
    x = kind.array([1, -2, 3])
    x.attach_grad()
    with autograd.record():
        first = autograd.grad(kind.radians(x), x, create_graph=True, retain_graph=True)[0]
        second = autograd.grad(first, x, create_graph=True, retain_graph=True)[0]
    numpy.testing.assert_allclose(first.asnumpy(), numpy.radians(numpy.ones(3)), rtol=1e-6)
    assert second.asnumpy().tolist() == [0, 0, 0]
    first.backward()
    assert x.grad.asnumpy().tolist() == [0, 0, 0]


def test_names_of_a_starred_import():
    space = {}
    exec("from penstock.mxnet.autograd import *", space)
    assert space["NDArray"] is nd.NDArray and space["record"] is autograd.record
    exec("from penstock.mxnet.test_utils import *", space)
    assert space["mx"] is mx and space["np"] is numpy and callable(space["default_context"])
