"""mx.test_utils: comparisons, tolerances, random arrays, gradients by differences."""

import os

import numpy
import pytest
from penstock import mxnet as mx
from penstock.mxnet import test_utils as utils


@pytest.fixture(autouse=True)
def seed():
    numpy.random.seed(7)


# ---- Tolerances ----------------------------------------------------------------------------------


def test_tolerances_follow_element_types():
    half, single = numpy.ones(1, "float16"), mx.nd.ones((1,))
    assert utils.get_tols(single, single, None, None) == (1e-4, 1e-3)
    assert utils.get_tols(half, single, None, None) == (1e-2, 1e-1)  # the wider one
    assert utils.get_tols(half, single, 1e-6, {numpy.float16: 5}) == (1e-6, 5)
    assert utils.get_tols(1, 2, None, None) == (0, 0)
    assert utils.get_tols(1.0, 2.0, None, None) == (1e-5, 1e-20)
    assert utils.get_rtol() == 1e-5 and utils.get_atol() == 1e-20 and utils.get_etol() == 0
    assert utils.get_rtol(None, numpy.dtype("float32")) == 1e-4
    assert utils.default_numeric_eps()[numpy.dtype("float32")] == 2.0**-9


# ---- Comparisons ---------------------------------------------------------------------------------


def test_almost_equal():
    x = mx.nd.array([1, 2, 3])
    utils.assert_almost_equal(x, x + 5e-4)
    utils.assert_almost_equal(x, numpy.array([1, 2, 3]))
    assert utils.almost_equal(x, x + 5e-4) and not utils.almost_equal(x, x + 0.1)
    assert utils.same(x, numpy.array([1, 2, 3])) and not utils.same(x, x + 1)
    with pytest.raises(AttributeError):  # as in MXNet: lists have no element type
        utils.assert_almost_equal([1], [1])


def test_the_text_of_a_difference(capsys):
    a, b = numpy.arange(6.0).reshape(2, 3), numpy.arange(6.0).reshape(2, 3)
    b[1, 2], b[0, 1] = 7, 1.5
    with pytest.raises(AssertionError) as caught:
        utils.assert_almost_equal(a, b, names=("left", "right"))
    lines = str(caught.value).splitlines()
    assert lines[1:4] == [
        "Items are not equal:",
        "Error 33333.333333 exceeds tolerance rtol=1.000000e-05, atol=1.000000e-20 "
        "(mismatch 33.333333%).",
        "Location of maximum error: (0, 1), left=1.00000000, right=1.50000000",
    ]
    printed = capsys.readouterr().out
    assert "The largest errors of 6 elements" in printed
    assert "2: Error 28571.428571  Location of error: (1, 2), left=5.0" in printed


def test_shapes_are_broadcast_unless_they_must_not():
    a = mx.nd.ones((2, 3))
    utils.assert_almost_equal(a, mx.nd.ones((3,)))
    with pytest.raises(AssertionError, match="shapes|a.shape"):
        utils.assert_almost_equal(a, mx.nd.ones((3,)), use_broadcast=False)
    with pytest.raises(AssertionError):
        utils.almost_equal(a, mx.nd.ones((3,)), use_broadcast=False)
    with pytest.raises(ValueError):
        utils.assert_almost_equal(a, mx.nd.ones((4,)))


def test_nan_is_equal_only_where_that_is_said():
    a = numpy.array([numpy.nan, 1.0])
    with pytest.raises(AssertionError, match="Error nan"):
        utils.assert_almost_equal(a, a)
    utils.assert_almost_equal(a, a, equal_nan=True)
    utils.assert_almost_equal_ignore_nan(a, numpy.array([5.0, 1.0]))
    with pytest.raises(AssertionError):
        utils.assert_almost_equal_ignore_nan(a, numpy.array([5.0, 2.0]))


def test_a_share_of_the_elements_may_differ():
    a, b = numpy.zeros(10), numpy.zeros(10)
    b[:2] = 1
    utils.assert_almost_equal_with_err(a, b, etol=0.3)
    with pytest.raises(AssertionError):
        utils.assert_almost_equal_with_err(a, b, etol=0.1)
    with pytest.raises(AssertionError):
        utils.assert_almost_equal_with_err(a, b)


def test_arrays_without_dimensions():
    with pytest.raises(AssertionError, match=r"Location of maximum error: \(\), a=1.0"):
        utils.assert_almost_equal(numpy.float32(1), numpy.float32(2))


def test_one_memory():
    x = mx.nd.ones((4,))
    assert utils.same_array(x, x[:]) and not utils.same_array(x, x.copy())
    assert not utils.same_array(x, x[0:2])
    assert x.asnumpy().tolist() == [1, 1, 1, 1]


def test_exceptions():
    utils.assert_exception(int, ValueError, "x")
    with pytest.raises(AssertionError):
        utils.assert_exception(int, ValueError, "1")
    with pytest.raises(ValueError):
        utils.assert_exception(int, KeyError, "x")


# ---- Arrays --------------------------------------------------------------------------------------


def test_shapes():
    assert all(1 <= n <= 5 for n in utils.rand_shape_nd(50, 5))
    assert set(utils.rand_shape_nd(200, 2, allow_zero_size=True)) == {0, 1, 2}
    assert len(utils.rand_shape_2d()) == 2 and len(utils.rand_shape_3d(1, 1, 1)) == 3
    x, y = utils.rand_coord_2d(0, 3, 5, 8)
    assert 0 <= x < 3 and 5 <= y < 8


def test_random_arrays():
    one, two = utils.random_arrays((2, 3), ())
    assert (one.shape, one.dtype, two.shape) == ((2, 3), numpy.float32, ())
    assert utils.random_arrays((4,)).shape == (4,)
    (wide,) = utils.random_uniform_arrays((100,), low=2, high=3)
    assert wide.min() >= 2 and wide.max() <= 3
    made = utils.rand_ndarray((2, 3), dtype="float64")
    assert type(made) is mx.nd.NDArray and made.dtype is numpy.float64
    with pytest.raises(NotImplementedError, match="csr"):
        utils.rand_ndarray((2, 3), "csr")
    assert sorted(utils.random_sample([1, 2, 3], 3)) == [1, 2, 3]
    with pytest.raises(AssertionError):
        utils.random_sample([1], 2)


def test_known_arrays():
    assert utils.create_vector(3).asnumpy().tolist() == [0, 1, 2]
    assert utils.create_2d_tensor(2, 3).asnumpy().tolist() == [[0, 0, 0], [1, 1, 1]]
    assert utils.get_identity_mat_batch(2).shape == (2, 2, 2)
    assert utils.assign_each(numpy.arange(3), lambda v: v * 2).tolist() == [0, 2, 4]
    assert utils.assign_each2(numpy.arange(2), numpy.ones(2), lambda v, w: v + w).tolist() == [1, 2]


def test_matrices():
    factor = utils.new_orthonormal_matrix_2d(5)
    numpy.testing.assert_allclose(factor @ factor.T, numpy.eye(5), atol=1e-12)
    for make in (utils.new_matrix_with_real_eigvals_nd, utils.new_sym_matrix_with_real_eigvals_nd):
        values = numpy.linalg.eigvals(make((2, 4, 4)))
        assert abs(values.imag).max() < 1e-6 and abs(values.real).min() > 0.9
    made = utils.new_sym_matrix_with_real_eigvals_2d(4)
    assert (made == made.T).all()


def test_reductions():
    a = numpy.arange(6.0).reshape(2, 3)
    assert utils.np_reduce(a, None, True, numpy.sum).tolist() == [[15]]
    assert utils.np_reduce(a, (0, -1), False, numpy.max) == 5
    assert utils.np_reduce(a, 0, True, numpy.sum).tolist() == [[3, 5, 7]]
    assert utils.collapse_sum_like(a, (2, 1)).tolist() == [[3], [12]]
    assert utils.collapse_sum_like(a, (3,)).tolist() == [3, 5, 7]
    assert utils.collapse_sum_like(a, ()) == 15


# ---- Where tests run -----------------------------------------------------------------------------


def test_the_default_context():
    assert utils.default_context() == mx.cpu(0) and utils.default_dtype() is numpy.float32
    try:
        utils.set_default_context(mx.cpu(2))
        assert mx.context.Context.default_ctx == mx.cpu(2)
        assert mx.nd.ones((1,)).context == mx.cpu(2)
    finally:
        utils.set_default_context(mx.cpu(0))
    assert list(utils.list_gpus()) == []


def test_variables_of_the_environment():
    os.environ.pop("PENSTOCK_X", None)
    with utils.environment("PENSTOCK_X", "1"):
        assert mx.util.getenv("PENSTOCK_X") == "1"
        with utils.environment({"PENSTOCK_X": None, "PENSTOCK_Y": "2"}):
            assert "PENSTOCK_X" not in os.environ and os.environ["PENSTOCK_Y"] == "2"
        assert "PENSTOCK_Y" not in os.environ
    assert "PENSTOCK_X" not in os.environ


def test_tests_that_are_tried_again():
    calls = []

    @utils.retry(3)
    def test(enough):
        calls.append(1)
        assert len(calls) >= enough

    test(3)
    assert len(calls) == 3
    with pytest.raises(AssertionError):
        test(100)
    assert len(calls) == 6
    with pytest.raises(AssertionError):
        utils.retry(0)


# ---- Gradients -----------------------------------------------------------------------------------


def test_gradients_by_differences():
    x = numpy.array([[0.5, -1.0], [2.0, 0.25]])
    (found,) = utils.numeric_grad(lambda x: x * x, [x], eps=1e-2)
    numpy.testing.assert_allclose(found, 2 * x, atol=1e-3)
    utils.check_numeric_gradient(lambda x, y: mx.nd.dot(x, y), [x, x.T], dtype="float64")
    utils.check_numeric_gradient(mx.nd.tanh, {"data": x}, dtype="float64")


def test_wrong_gradients_are_found():
    class Wrong(mx.autograd.Function):
        def forward(self, x):
            return x * x

        def backward(self, gradient):
            return gradient * 3

    with pytest.raises(AssertionError, match="NUMERICAL_0"):
        utils.check_numeric_gradient(lambda x: Wrong()(x), [numpy.ones(2)])


def test_arguments_that_are_not_looked_at():
    x = numpy.ones(2)
    utils.check_numeric_gradient(
        lambda x, y: x * y.detach(), {"x": x, "y": x}, grad_nodes=["x"], dtype="float64"
    )
    with pytest.raises(ValueError, match="'z' is not in location"):
        utils.check_numeric_gradient(lambda x: x, {"x": x}, grad_nodes=["z"])
    with pytest.raises(TypeError, match="a function of arrays or a block"):
        utils.check_numeric_gradient(3, [x])


@pytest.mark.parametrize("name", ["check_symbolic_forward", "check_consistency", "get_mnist"])
def test_what_is_not_built(name):
    with pytest.raises(NotImplementedError, match=f"mxnet.test_utils.{name} "):
        getattr(utils, name)()


def test_hybridised_blocks():
    class Steady(mx.gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.dense = mx.gluon.nn.Dense(3, use_bias=False)

        def hybrid_forward(self, F, x):
            return F.tanh(self.dense(x))

    class Changing(Steady):
        made = 0

        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            Changing.made += 1
            self.factor = Changing.made

        def hybrid_forward(self, F, x):
            return super().hybrid_forward(F, x) * self.factor

    x = mx.nd.array(numpy.random.normal(size=(2, 4)))
    utils.check_gluon_hybridize_consistency(Steady, [x])
    with pytest.raises(AssertionError, match="Items are not equal"):
        utils.check_gluon_hybridize_consistency(Changing, [x])
    with pytest.raises(AssertionError, match="Items are not equal"):
        utils.check_gluon_hybridize_consistency(Steady, [x], numpy_func=lambda x: x[:, :3] + 5)


# ---- Generators ----------------------------------------------------------------------------------


def test_means_and_deviations():
    rng = numpy.random.RandomState(3)
    assert utils.mean_check(lambda n: rng.normal(2, 3, n), 2, 3, 10000)
    assert not utils.mean_check(lambda n: rng.normal(2.5, 3, n), 2, 3, 10000)
    assert utils.var_check(lambda n: rng.normal(2, 3, n), 3, 10000)
    assert not utils.var_check(lambda n: rng.normal(2, 3.5, n), 3, 10000)


def test_buckets():
    buckets, probabilities = utils.gen_buckets_probs_with_ppf(lambda p: 2 * p, 4)
    assert buckets == [(0, 0.5), (0.5, 1), (1, 1.5), (1.5, 2)] and probabilities == [0.25] * 4


def test_chi_squares():
    pytest.importorskip("scipy")
    rng = numpy.random.RandomState(4)
    buckets, parts = utils.gen_buckets_probs_with_ppf(lambda p: p, 5)
    found = utils.verify_generator(lambda n: rng.uniform(size=n), buckets, parts, 2000, 3)
    assert len(found) == 3
    with pytest.raises(AssertionError, match="chi-square"):
        utils.verify_generator(lambda n: rng.uniform(size=n) ** 2, buckets, parts, 2000, 3)
