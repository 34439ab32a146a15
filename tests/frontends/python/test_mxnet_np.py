"""mx.np and mx.npx of the MXNet dialect.

Two ways of looking at them: the facts by their numbers in the reference, and a thousand expressions
with what the real MXNet 1.9.1 gave for them. test_mxnet_np_rows.py has what programs of the book call.
"""

import copy
import doctest
import pathlib
import pickle
import threading

import mxnet_cases
import numpy
import pytest
from mxnet_cases import numpy_mode, printed_by  # noqa: F401

import penstock
from penstock import mxnet as mx
from penstock.mxnet import np, npx
from penstock.mxnet.base import MXNetError, NotBuiltError

import np_expressions  # isort: skip  (its folder is known by mxnet_cases)


def same(found, wanted, dtype="float32"):
    mxnet_cases.same(found, wanted, np.ndarray, dtype)
    assert isinstance(found.dtype, numpy.dtype)


def counted(shape=(2, 3), dtype="float32"):
    return np.array(numpy.arange(numpy.prod(shape)).reshape(shape).astype(dtype))


# ---- Facts, by their numbers ---------------------------------------------------------------------


def test_fact_2_element_types():
    assert np.array([1, 2]).dtype == "float32"
    assert np.array([True, False]).dtype == "float32"
    for dtype in ("float64", "float16", "int32", "int64", "int8", "uint8", "bool"):
        assert np.array(numpy.ones(2, dtype)).dtype == dtype
    for made in (np.arange(3), np.full((2,), 1), np.zeros(2), np.ones(2), np.eye(2), np.empty(2)):
        assert made.dtype == "float32"
    x = np.array([3, 1, 2])
    assert np.random.randint(0, 5, 2).dtype == "int64"
    assert {x.argmax().dtype, np.argsort(x).dtype, np.nonzero(x)[0].dtype} == {numpy.dtype("int64")}


def test_fact_4_text():
    x = np.array([[1, 2], [3, 4]])
    assert repr(x) == "array([[1., 2.],\n       [3., 4.]])"
    assert str(x) == "[[1. 2.]\n [3. 4.]]"
    assert repr(x > 2) == "array([[False, False],\n       [ True,  True]])"
    assert repr(np.array([1, 2], dtype="int32")) == "array([1, 2], dtype=int32)"
    assert repr(np.array([1, 2], dtype="int64")) == "array([1, 2], dtype=int64)"
    assert repr(np.array([1.5], dtype="float64")) == "array([1.5], dtype=float64)"
    assert (repr(np.array(6)), str(np.array(6))) == ("array(6.)", "6.0")
    assert repr(np.zeros((0, 3))) == "array([], shape=(0, 3))"
    assert repr(np.zeros((0,), dtype="bool")) == "array([], dtype=bool)"
    assert repr(x.as_in_ctx(npx.cpu(1))) == repr(x)
    assert repr(np.arange(2000)).endswith(", 1.998e+03,\n       1.999e+03])")
    with numpy.printoptions(precision=2):
        assert repr(np.array([1 / 3])) == "array([0.33])"
    assert (f"{np.array(2.5):.2f}", f"{x[0]}") == ("2.50", "[1. 2.]")
    with pytest.raises(TypeError):
        f"{x:.2f}"


def test_long_lines_break_before_the_type_as_in_numpy():
    for count in (20, 21, 22, 23, 24, 25, 26):
        values = numpy.arange(count, dtype="int32")
        assert repr(np.array(values)) == repr(values)


def test_fact_5_item():
    assert type(np.array([2.5]).item()) is float
    assert type(np.array([2], dtype="int32").item()) is int
    assert counted().item(4) == 4.0 and counted().item((1, 0)) == 3.0
    with pytest.raises(ValueError):
        counted().item()


def test_fact_6_what_there_is_not():
    for name in ("asscalar", "norm", "abs", "exp", "softmax", "expand_dims"):
        assert not hasattr(counted(), name)
    assert not hasattr(np.random, "seed")


def test_fact_7_dtype_is_a_numpy_dtype():
    assert isinstance(counted().dtype, numpy.dtype)
    assert issubclass(np.ndarray, mx.nd.NDArray)
    assert str(np.ndarray) == "<class 'mxnet.numpy.ndarray'>"


def test_fact_8_integers_beside_numbers():
    i = np.array([1, 2, 3], dtype="int32")
    same(i / i, [1, 1, 1])
    same(i / 2, [0.5, 1, 1.5])
    same(i + 1.5, [2, 3, 4], "int32")
    same(i * 0.5, [0, 0, 0], "int32")
    same(i**0.5, [1, 1, 1], "int32")


def test_fact_9_mixed_types():
    i, x = np.array([1, 2], dtype="int32"), np.array([0.5, 1.5])
    same(i + x, [1.5, 3.5])
    same(i * np.array([2, 2], dtype="int64"), [2, 4], "int64")
    for refused in (lambda: i > x, lambda: i == x, lambda: i.__iadd__(x)):
        with pytest.raises(MXNetError):
            refused()


def test_fact_10_and_11_masks():
    x = np.array([1, 2, 3])
    assert (x > 1).dtype == "bool"
    same(x[x > 1], [2, 3])
    same(x[np.array([True, False, True])], [2, 1, 2])
    same(x[np.array([True, False, True], dtype=bool)], [1, 3])
    x[x > 1] = 0
    same(x, [1, 0, 0])


def test_fact_12_dot():
    for shapes in (((2, 3, 4), (4, 5)), ((2, 4), (3, 4, 5)), ((4,), (4, 2))):
        same(np.dot(*map(counted, shapes)), numpy.dot(*map(_numbers, shapes)))
    assert np.dot(counted((3,)), counted((3,))).shape == ()


def _numbers(shape):
    return numpy.arange(numpy.prod(shape), dtype="float32").reshape(shape)


def test_fact_13_reshape_has_no_codes():
    x = counted()
    for shape in ((0, 3), (0, -1), (-2, 3), (-1, -1), (4,)):
        with pytest.raises(MXNetError):
            np.reshape(x, shape)
        with pytest.raises(MXNetError):
            x.reshape(shape)


def test_fact_14_results_without_dimensions_in_any_mode():
    npx.reset_np()
    assert counted().sum().shape == ()
    assert np.zeros((0, 2)).shape == (0, 2)


def test_fact_16_places_out_of_range():
    x = np.array([1, 2, 3])
    with pytest.raises(MXNetError):
        np.take(x, np.array([5])).wait_to_read()
    with pytest.raises(IndexError):
        x[np.array([5])].wait_to_read()
    with pytest.raises(IndexError):
        x[5]
    same(npx.pick(counted(), np.array([0, 9])), [0, 5])
    table = counted((3, 2))
    same(npx.embedding(np.array([9, -1]), table, input_dim=3, output_dim=2), [[4, 5], [0, 1]])
    same(npx.one_hot(np.array([5]), 3), [[0, 0, 0]])


def test_fact_17_other_arrays_are_refused():
    x, legacy = counted(), mx.nd.ones((2, 3))
    for refused in (
        lambda: x + legacy,
        lambda: legacy + x,
        lambda: np.exp(legacy),
        lambda: mx.nd.exp(x),
        lambda: x + numpy.ones((2, 3)),
        lambda: numpy.ones((2, 3)) + x,
        lambda: x == numpy.ones((2, 3)),
        lambda: x + [1, 2, 3],
        lambda: np.sum([1, 2]),
        lambda: np.concatenate([x, numpy.ones((2, 3))]),
        lambda: numpy.concatenate([x, numpy.ones((2, 3))]),
    ):
        with pytest.raises(TypeError):
            refused()


def test_numbers_of_numpy_are_numbers():
    x = counted((2,))
    for one in (numpy.float64(1), numpy.float32(1), numpy.int64(1)):
        same(x + one, [1, 2])
        same(one + x, [1, 2])


def test_fact_18_size_is_not_shape():
    with pytest.raises(TypeError):
        np.random.normal(shape=(2,))


def test_fact_19_updates_keep_the_array():
    x = counted((3,))
    before, alias = id(x), x
    x += 1
    x *= 2
    x[:] = x - 1
    assert id(x) == before
    same(alias, [1, 3, 5])
    x **= 2  # MXNet makes a new array
    same(alias, [1, 3, 5])


def test_fact_20_contexts_and_copies():
    x = counted((2,))
    assert x.as_in_ctx(x.ctx) is x and x.as_in_context(npx.cpu()) is x
    other = x.as_in_ctx(npx.cpu(1))
    assert other.ctx == npx.cpu(1)
    copied, shared = x.copyto(npx.cpu()), x.detach()
    x += 1
    same(copied, [0, 1])
    same(other, [0, 1])
    same(shared, [1, 2])
    target = np.zeros(2)
    assert x.copyto(target) is target
    same(target, [1, 2])
    with pytest.raises(TypeError):
        x.copyto(mx.nd.zeros(2))


def test_fact_21_hash():
    with pytest.raises(NotImplementedError):
        hash(counted())


def test_fact_22_what_is_shared():
    shared = ("x[1]", "x[0:2]", "x[1, 1:3]", "x[:]", "x.detach()", "x.reshape_view(3, 4)",
              "x.as_nd_ndarray()")  # fmt: skip
    copied = ("x[:, 1]", "x[::2]", "x.T", "np.expand_dims(x, 0)", "x.squeeze()", "x.flatten()",
              "x.reshape(3, 4)", "x[[0, 1]]", "x.copy()", "np.split(x, 2)[0]", "np.ravel(x)",
              "x.swapaxes(0, 1)", "np.broadcast_to(x, (4, 3))", "np.diagonal(x)", "np.flip(x)",
              "np.moveaxis(x, 0, 1)", "x.astype('float32')", "np.array(x)")  # fmt: skip
    for expression in shared + copied:
        x = counted((4, 3))
        part = eval(expression, {"x": x, "np": np})
        part += 100
        assert (x.asnumpy().max() >= 100) == (expression in shared), expression


def test_fact_23_modes():
    with pytest.raises(ValueError):
        npx.set_np(shape=False)
    seen = []
    thread = threading.Thread(target=lambda: seen.append((npx.is_np_array(), npx.is_np_shape())))
    thread.start()
    thread.join()
    assert seen == [(False, False)] and npx.is_np_array() and npx.is_np_shape()
    npx.reset_np()
    assert not npx.is_np_array() and not npx.is_np_shape()


def test_fact_24_numbered_contexts():
    x, y = np.ones(2), np.ones(2, ctx=npx.cpu(1))
    assert ((x + y).ctx, (y + x).ctx, y.sum().ctx) == (npx.cpu(0), npx.cpu(1), npx.cpu(1))
    if npx.num_gpus() == 0:
        for refused in (lambda: np.ones(2, ctx=npx.gpu()), lambda: x.as_in_ctx(npx.gpu())):
            with pytest.raises(MXNetError):
                refused()


def test_fact_25_values_are_checked_at_the_wait():
    with penstock.engine.sync(False):
        x = np.random.normal(0, -1, (2,))
        with pytest.raises(ValueError):
            x.wait_to_read()


# ---- Expressions, with what the real MXNet gave --------------------------------------------------

RECORDED = mxnet_cases.recorded("np_expressions")

# What MXNet 1.9.1 refuses because it lacks it.
MORE = (
    *("np.sqrt(b)", "np.argmax(b)", "x//x", "divmod(x,x)", "i@i", "np.minimum(b, b)"),
    *("[1,2,3][np.array(1,dtype='int32')]", "range(np.array(3,dtype='int64'))", "x.reshape([3,2])"),
    *("i.astype('int8')/i", "np.arctan2(i, i)", "np.result_type(x,i)", "x.itemsize", "x.nbytes"),
    *("np.array(onp.ones(2,dtype='int16'))", "np.array(onp.ones(2,dtype='complex64'))"),
    *("np.array(onp.ones(2,dtype='uint16'))", "np.array(onp.ones(2,dtype='uint32'))"),
    *("x.strides", "x.real", "x.device", "x.sort()", "x.__array__()"),
    *("onp.testing.assert_allclose(x.asnumpy(),x)", "onp.testing.assert_allclose(x,x)"),
    *("np.split(i,[1,5])", "np.pad(x,((1,),(1,)))", "np.pad(x,(1,1))", "np.dot(i,i)"),
    *("np.outer(i,i)", "np.vdot(i,i)", "np.inner(x,i)"),
    *("x[1:0]", "1 in x", "x.__contains__(0.5)", "np.clip(b,0,1)", "np.ldexp(x,i)"),
    "np.flip(x,-1)",
    *("npx.one_hot(np.array([1]),3,dtype='bool')", "npx.activation(i,'sigmoid')"),
    *("npx.leaky_relu(i)", "np.pad(i,((1,2),))"),
)

# Where it gives something else, and why.
DIFFERS = {
    "np.exp(x, where=True)": "NumPy's options of functions are not arguments",
    "np.exp(x, dtype='float64')": "the same",
    "np.pad(x,((1,1),(0,0)),mode='constant',constant_values=5)": "MXNet ignores the value",
    "np.zeros((np.array(2),3))": "TypeError, for ValueError",
    "x.as_in_context(mx.cpu()) is x": "MXNet gives another object with the same memory",
    "np.mean(np.zeros((0,)))": "the mean of nothing is NaN",
    "np.diff(x,axis=1,prepend=0)": "MXNet ignores prepend: refused",
    "np.pad(x,((1,1),(1,1)),mode='foo').shape": "ValueError, for KeyError",
    "np.reshape(x,(3,2),order='F')": "MXNet ignores the order: refused",
    "npx.log_softmax(x)": "MXNet's has fewer digits",
    "npx.leaky_relu(np.array([-1.,1]),act_type='rrelu')": "no mask of zeros besides",
    "npx.erfinv(np.array([0.5]))": "not built",
    "npx.gamma(np.array([5.0]))": "not built",
    "npx.gammaln(np.array([5.0]))": "not built",
    "x[()] is x": "a view of all of it",
    "np.around(np.array([15,25,35,-15],dtype='int32'),-1)": "MXNet cuts integers",
    "np.linalg.norm(np.array([3,4],dtype='int32'))": "MXNet cuts on the way",
    "np.linalg.norm(np.array([5,12],dtype='int64'))": "the same",
    "np.linalg.norm(np.array([[1,2],[3,4]],dtype='int32'),axis=1)": "the same",
    "np.split(np.array(1.),1)": "ValueError, for IndexError",
    "npx.cast(np.array([1.7,-1.7,300.0]),'uint8')": "what does not fit is the nearest that does",
    "np.array([1.7,-1.7,300.0]).astype('uint8')": "the same",
    "np.array([1.7,-1.7,float('nan')]).astype('int32')": "NaN is 0",
    "np.array([1e20]).astype('int32')": "what does not fit is the nearest that does",
    "np.array([300,-1],dtype='uint8')": "a number that does not fit the type is refused",
    "x[:,np.array([0,1]),None].shape": "MXNet puts the new axis elsewhere",
}


def test_every_expression_was_recorded():
    assert [text for text, _ in RECORDED] == np_expressions.lines()
    assert {*DIFFERS, *MORE} <= {text for text, _ in RECORDED}


def test_expressions_give_what_mxnet_gives():
    def right(text, found, real):
        if text in MORE:
            return real[0] == "raises" != found[0]
        return np_expressions.alike(found, real) != (text in DIFFERS)

    wrong = mxnet_cases.wrong(RECORDED, lambda text: np_expressions.seen(mx, text), right)
    assert not wrong, wrong


# ---- NumPy ---------------------------------------------------------------------------------------


def test_functions_of_numpy_come_here():
    x = counted()
    same(numpy.exp(x), numpy.exp(_numbers((2, 3))))
    same(numpy.sum(x, axis=0), [3, 5, 7])
    same(numpy.concatenate([x, x], axis=1), numpy.concatenate([_numbers((2, 3))] * 2, 1))
    same(numpy.linalg.norm(x), numpy.linalg.norm(_numbers((2, 3))))
    same(numpy.maximum(x, 2), numpy.maximum(_numbers((2, 3)), 2))
    same(numpy.floor_divide(x, 2), _numbers((2, 3)) // 2)  # by NumPy itself
    y = np.zeros((2, 3))
    assert numpy.sqrt(x, out=y) is y
    assert numpy.add(2, 3) == 5
    assert numpy.asarray(x).dtype == "float32"


def test_functions_that_numpy_does():
    x = counted((4,))
    same(np.percentile(x, 50), 1.5)
    same(np.interp(x, x, x * 2), [0, 2, 4, 6], "float64")
    same(np.histogram(x, bins=2, range=(0, 4))[0], [2, 2], "int64")
    same(np.bincount(np.array([0, 2, 2], dtype="int32")), [1, 0, 2], "int32")
    same(np.delete(x, 1), [0, 2, 3])
    same(np.linalg.inv(np.eye(2) * 2), numpy.eye(2) / 2)
    same(np.unique(np.array([[1, 2], [1, 2]]), axis=0), [[1, 2]])
    assert np.allclose(x, x) is True and np.array_equal(x, x + 1) is False
    with pytest.raises(MXNetError):
        np.linalg.inv(np.zeros((2, 2)))


def test_functions_of_numbers_are_numpys():
    assert type(np.sqrt(2)) is numpy.float64 and np.sqrt(2) == numpy.sqrt(2)
    assert np.add(1, 2) == 3 and np.maximum(2, 3) == 3 and np.log2(8) == 3


def test_numpy_is_imported_when_it_is_needed():
    program = (
        "import sys\nfrom penstock import mxnet as mx\n"
        "x = mx.np.ones((2, 2)) * 2\ny = mx.np.dot(x, x) + mx.npx.softmax(x)\nmx.npx.waitall()\n"
        "print(x.sum().item(), 'numpy' in sys.modules, mx.np.float32, 'numpy' in sys.modules)"
    )
    assert printed_by(program) == "8.0 False <class 'numpy.float32'> True\n"


# ---- Random numbers ------------------------------------------------------------------------------


def test_seed_repeats():
    def draws():
        npx.random.seed(5)
        yield np.random.normal(size=3)
        yield np.random.uniform(size=3)
        yield np.random.randint(0, 100, 3)
        yield np.random.choice(10, 3)
        yield np.random.gamma(2.0, 1.0, 3)
        yield np.random.multinomial(10, [0.2, 0.8])
        yield npx.random.bernoulli(0.5, size=3)

    first = [x.tolist() for x in draws()]
    assert first == [x.tolist() for x in draws()]
    mx.random.seed(6)
    assert np.random.normal(size=3).tolist() != first[0]
    for seed in (mx.random.seed, npx.random.seed):  # of which 32 bits count
        seed(5 + 2**40)
        assert np.random.normal(size=3).tolist() == first[0]
    for wrong in ((1.5,), (5, "foo")):
        with pytest.raises(ValueError):
            npx.random.seed(*wrong)


# Mean and standard deviation of each.
DISTRIBUTIONS = {
    "np.random.normal(1, 2, n)": (1, 2),
    "np.random.normal(np.array(1.0), 2, n)": (1, 2),
    "np.random.uniform(2, 4, n)": (3, 0.5774),
    "np.random.uniform(4, 2, n)": (3, 0.5774),
    "np.random.rand(n)": (0.5, 0.2887),
    "np.random.randn(n)": (0, 1),
    "np.random.randint(0, 10, n).astype('float32')": (4.5, 2.8723),
    "np.random.exponential(2, n)": (2, 2),
    "np.random.gumbel(0, 1, n)": (0.5772, 1.2825),
    "np.random.logistic(1, 1, n)": (1, 1.8138),
    "np.random.lognormal(0, 0.5, n)": (1.1331, 0.6039),
    "np.random.weibull(2, n)": (0.8862, 0.4633),
    "np.random.pareto(5, n)": (0.25, 0.3227),
    "np.random.power(2, n)": (0.6667, 0.2357),
    "np.random.rayleigh(2, n)": (2.5066, 1.3103),
    "np.random.gamma(2, 2, n)": (4, 2.8284),
    "np.random.beta(2, 2, n)": (0.5, 0.2236),
    "np.random.chisquare(3, n)": (3, 2.4495),
    "npx.random.bernoulli(0.25, size=n)": (0.25, 0.433),
    "npx.random.bernoulli(logit=0.0, size=n)": (0.5, 0.5),
    "np.random.choice(3, n, p=np.array([0, 0.5, 0.5])).astype('float32')": (1.5, 0.5),
    "np.random.multinomial(4, [0.25, 0.75], size=n)[:, 0].astype('float32')": (1, 0.866),
}


@pytest.mark.parametrize("expression", DISTRIBUTIONS)
def test_distribution(expression):
    npx.random.seed(11)
    draws = eval(expression, {"np": np, "npx": npx, "n": 40000})
    mean, deviation = DISTRIBUTIONS[expression]
    assert draws.shape == (40000,) and draws.dtype == "float32"
    assert abs(draws.mean().item() - mean) < 0.02 * deviation + 0.02
    assert abs(draws.std().item() - deviation) < 0.06 * deviation


def test_shapes_of_draws():
    loc = np.zeros(3)
    assert np.random.normal(loc, 1).shape == (3,)
    assert np.random.uniform(loc, 1, size=(2, 3)).shape == (2, 3)
    assert npx.random.normal_n(loc, 1, batch_shape=(2,)).shape == (2, 3)
    assert npx.random.uniform_n(0, 1, batch_shape=4).shape == (4,)
    assert np.random.normal().shape == () and np.random.rand().shape == ()
    assert np.random.multivariate_normal(np.zeros(2), np.eye(2), 5).shape == (5, 2)
    out = np.zeros(2)
    assert np.random.uniform(1, 2, 2, out=out) is out and out.min().item() >= 1
    assert np.random.normal(size=2, ctx=npx.cpu(1)).ctx == npx.cpu(1)


def test_shuffle_and_permutation():
    x = np.arange(50)
    np.random.shuffle(x)
    assert sorted(x.tolist()) == list(range(50)) and x.tolist() != list(range(50))
    assert sorted(np.random.permutation(5).tolist()) == [0, 1, 2, 3, 4]
    for refused in (lambda: np.random.shuffle([1, 2]), lambda: np.random.normal([0, 1], 1)):
        with pytest.raises(TypeError):
            refused()
    with pytest.raises(ValueError):
        np.random.multinomial(3, [0.9, 0.9, 0.1])
    with pytest.raises(ValueError):
        np.random.randint(3, 1)


# ---- Others --------------------------------------------------------------------------------------

EINSUM = {
    "ij->ji": ((2, 3),),
    "ii->i": ((3, 3),),
    "ii": ((3, 3),),
    "ij->": ((2, 3),),
    "i,i": ((3,), (3,)),
    "ij,jk->ik": ((2, 3), (3, 4)),
    "ij,jk": ((2, 3), (3, 4)),
    "ij,ij->i": ((2, 3), (2, 3)),
    "bij,bjk->bik": ((2, 3, 4), (2, 4, 2)),
    "i,j,k->kij": ((2,), (3,), (4,)),
    "ij,jk,kl->il": ((2, 3), (3, 4), (4, 2)),
    "...ij,...jk->...ik": ((2, 2, 3), (2, 3, 4)),
    "...ij->...ji": ((2, 3),),
    "ii,ij->j": ((3, 3), (3, 2)),
    "ij,kl": ((2, 3), (2, 2)),
    "abc,ac->cb": ((2, 3, 4), (2, 4)),
}


@pytest.mark.parametrize("text", EINSUM)
def test_einsum(text):
    shapes = EINSUM[text]
    found = np.einsum(text, *(counted(shape) for shape in shapes))
    same(found, numpy.einsum(text, *map(_numbers, shapes)))


def test_einsum_refuses():
    for text in ("i", "ijk->i", "ij,jk->ik", "ij->iz", "ij->ii"):
        with pytest.raises(MXNetError):
            np.einsum(text, counted())


def test_rot90_and_its_like():
    n = _numbers((2, 3))
    for k in range(-1, 5):
        same(np.rot90(np.array(n), k), numpy.rot90(n, k))
    same(np.resize(np.array(n), (3, 3)), numpy.resize(n, (3, 3)))
    for mode in ("edge", "reflect", "symmetric", "maximum", "minimum"):
        same(np.pad(np.array(n), ((1, 1), (2, 1)), mode), numpy.pad(n, ((1, 1), (2, 1)), mode))


def test_softmax_with_lengths():
    x, length = counted(), np.array([1, 2], dtype="int32")
    found = npx.softmax(x, length, use_length=True)
    e = numpy.exp(1) / (1 + numpy.exp(1))
    same(found, [[1, 0, 0], [1 - e, e, 0]])
    same(npx.softmax(x, temperature=2.0).sum(1), [1, 1])
    x[0] = numpy.nan
    assert numpy.isnan(npx.softmax(x, length, use_length=True)[0, 0].item())
    for refused in (
        lambda: npx.softmax(x, length),
        lambda: npx.softmax(x, use_length=True),
        lambda: npx.log_softmax(x, use_length=True),
        lambda: npx.softmax(x, np.array([1, 2]), use_length=True),
    ):
        with pytest.raises(MXNetError):
            refused()


@pytest.mark.parametrize("ret_typ", ("indices", "value", "both", "mask"))
@pytest.mark.parametrize("axis", (0, 1, None))
def test_topk(ret_typ, axis):
    n = numpy.array([[3, 1, 2], [6, 9, 4]], "float32")
    found = npx.topk(np.array(n), axis=axis, k=2, ret_typ=ret_typ)
    flat = n if axis is not None else n.ravel()
    places = numpy.argsort(-flat, axis=axis or 0, kind="stable").take([0, 1], axis or 0)
    values = numpy.take_along_axis(flat, places, axis or 0)
    marks = numpy.zeros_like(flat)
    numpy.put_along_axis(marks, places, 1, axis or 0)
    wanted = {"indices": [places], "value": [values], "both": [values, places]}
    wanted["mask"] = [marks.reshape(n.shape)]
    for one, other in zip(found if ret_typ == "both" else [found], wanted[ret_typ], strict=True):
        same(one, other)


def test_topk_writes_into_both():
    outs = [np.zeros((2, 2)), np.zeros((2, 2))]
    found = npx.topk(counted(), k=2, ret_typ="both", out=outs)
    assert found[0] is outs[0] and found[1] is outs[1]
    same(outs[0], [[2, 1], [5, 4]])
    same(outs[1], [[2, 1], [2, 1]])


def test_dropout():
    x = np.ones((500, 40))
    same(npx.dropout(x, p=0.9), numpy.ones((500, 40)))
    kept = npx.dropout(x, p=0.25, mode="always").asnumpy()
    assert abs((kept == 0).mean() - 0.25) < 0.02 and abs(kept.mean() - 1) < 0.03
    together = npx.dropout(x, mode="always", axes=(1,)).asnumpy()
    assert (together == together[:, :1]).all() and {*together.ravel()} == {0, 2}
    same(npx.dropout(x, p=1, mode="always"), numpy.zeros((500, 40)))
    for wrong in ({"p": 1.5}, {"mode": "foo"}):
        with pytest.raises(MXNetError):
            npx.dropout(x, **wrong)


def test_layer_norm_gives_what_it_used():
    given = counted(), np.ones(3), np.zeros(3)
    found, mean, deviation = npx.layer_norm(*given, output_mean_var=True)
    same(mean, [[1], [4]])
    same(deviation, [[0.81650], [0.81650]])
    same(found[0], numpy.array([-1, 0, 1]) / 0.81650)


def test_out_is_written_and_returned():
    x, out = counted(), np.zeros((2, 3))
    for call in (
        lambda: np.add(x, 1, out),
        lambda: np.exp(x, out=out),
        lambda: np.cumsum(x, 1, out=out),
        lambda: np.clip(x, 0, 1, out),
        lambda: np.where(x > 1, x, 0).copyto(out),
        lambda: npx.softmax(x, out=out),
        lambda: np.flip(x, 0, out),
    ):
        assert call() is out
    same(out, numpy.flip(_numbers((2, 3)), 0))
    for wrong in (np.zeros(3), np.zeros((2, 3), dtype="int32")):
        with pytest.raises(MXNetError):
            np.cumsum(x, 1, out=wrong)
        with pytest.raises(MXNetError):
            np.exp(x, out=wrong)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles(protocol):
    for x in (counted().T, np.zeros((0, 2)), np.array(3, dtype="int8"), counted() > 2):
        same(pickle.loads(pickle.dumps(x, protocol)), x.asnumpy(), x.dtype)
    moved = pickle.loads(pickle.dumps(np.ones(2, ctx=npx.cpu(1)), protocol))
    assert moved.ctx == npx.cpu(1)
    x = pickle.loads(pickle.dumps(counted((2,)), protocol))
    x += 1
    same(x, [1, 2])


def test_pickles_load_without_installing(tmp_path):
    file = tmp_path / "array.pickle"
    file.write_bytes(pickle.dumps([counted(), np.ones(2)]))
    program = (
        f"import pickle\na, b = pickle.load(open({str(file)!r}, 'rb'))\n"
        "print(type(a), a.sum().item(), b.ctx)"
    )
    assert printed_by(program) == "<class 'mxnet.numpy.ndarray'> 15.0 cpu(0)\n"


def test_copy_and_deepcopy():
    x = counted((2,))
    for y in (copy.copy(x), copy.deepcopy(x)):
        assert type(y) is np.ndarray
        y += 1
        same(x, [0, 1])


def test_methods_are_there_whatever_is_imported_first():
    program = (
        "from penstock.mxnet.ndarray import ones\n"
        "print(ones((2, 2)).as_np_ndarray().cumsum().tolist())"
    )
    assert printed_by(program) == "[1.0, 2.0, 3.0, 4.0]\n"


def test_files(tmp_path):
    file = str(tmp_path / "a.params")
    x, i = counted(), np.array([1, 2], dtype="int32")
    npx.save(file, [x, i])
    found = npx.load(file)
    same(found[0], x.asnumpy())
    same(found[1], [1, 2], "int32")
    npx.save(file, {"x": x, "scalar": np.array(2.0), "none": np.zeros((0, 3))})
    found = npx.load(file)
    assert list(found) == ["x", "scalar", "none"]
    assert found["scalar"].shape == () and found["none"].shape == (0, 3)
    assert pathlib.Path(file).read_bytes()[24:28] == bytes.fromhex("cafa93f9")  # V3
    for data, error in (((x,), ValueError), ([mx.nd.ones(1)], TypeError), ({1: x}, TypeError)):
        with pytest.raises(error):
            npx.save(file, data)
    with pytest.raises(TypeError):
        npx.load(3)
    with pytest.raises(MXNetError):
        npx.load(str(tmp_path / "none"))
    npx.reset_np()
    for call in (lambda: npx.save(file, x), lambda: npx.load(file)):
        with pytest.raises(ValueError):
            call()


def test_what_is_not_built_says_so():
    for name in ("multibox_target", "roi_pooling", "erfinv"):
        with pytest.raises(NotBuiltError, match=f"mxnet.npx.{name}.*docs/mxnet.md"):
            getattr(npx, name)(counted())
    with pytest.raises(AttributeError, match="did you mean 'concatenate'"):
        np.concatenat


def test_errors_name_what_is_wrong():
    x = counted()
    for call, text in (
        (lambda: x.sum(axis=5), "axis"),
        (lambda: np.add(x, np.ones(4)), "shape|broadcast"),
        (lambda: np.dot(x, x), "shape"),
        (lambda: x.reshape(4), "reshape"),
        (lambda: np.concatenate([x, np.ones(3, dtype="int32")]), "int32"),
        (lambda: npx.one_hot(x), "depth"),
        (lambda: npx.activation(x, "foo"), "foo"),
        (lambda: npx.batch_dot(x, x), "batch_dot"),
        (lambda: npx.topk(x, k=9), "k is 9"),
    ):
        with pytest.raises(MXNetError, match=text):
            call()


MODULES = (mx.np, mx.npx, mx.util, mx.np.random, mx.np.linalg, mx.npx.random)


@pytest.mark.parametrize("module", MODULES)
def test_documentation(module):
    """Everything says what it does, and its examples run."""
    npx.reset_np()
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    report, parser = [], doctest.DocTestParser()
    for name in ("", *module.__all__):
        thing = getattr(module, name) if name else module
        if not name or callable(thing) and not isinstance(thing, type):
            assert thing.__doc__, name
            names = {"mx": mx, "ps": penstock}  # the examples of operations are the native ones
            test = parser.get_doctest(thing.__doc__, names, name, None, 0)
            runner.run(test, out=report.append)
    assert not report, "".join(report)


def test_use_np_decorates_functions_and_classes():
    npx.reset_np()

    @mx.util.use_np
    def modes():
        return npx.is_np_shape(), npx.is_np_array()

    @mx.util.use_np
    class Thing:
        def __init__(self):
            self.made = modes.__wrapped__()

        @property
        def seen(self):
            return npx.is_np_array()

        @staticmethod
        def static():
            return npx.is_np_array()

        @classmethod
        def of_class(cls):
            return cls is Thing and npx.is_np_array()

    assert modes() == (True, True)
    thing = Thing()
    assert thing.seen and thing.static() and thing.of_class()
    assert (npx.is_np_shape(), npx.is_np_array()) == (False, False)
    with pytest.raises(TypeError):
        mx.util.use_np(3)


def test_scopes_restore_modes():
    npx.reset_np()
    with mx.util.np_shape():
        assert npx.is_np_shape()
        with mx.util.np_array(True), mx.util.np_shape(None):
            assert npx.is_np_array() and npx.is_np_shape()
            with pytest.raises(ValueError):
                mx.util.set_np_shape(False)
        assert not npx.is_np_array()
    assert not npx.is_np_shape()
    with pytest.raises(KeyError), mx.util.np_shape(True):
        raise KeyError
    assert not npx.is_np_shape()
    assert mx.util.set_np_shape(True) is False


def test_environment(monkeypatch):
    monkeypatch.delenv("PENSTOCK_TEST_NAME", raising=False)
    assert mx.util.getenv("PENSTOCK_TEST_NAME") is None
    mx.util.setenv("PENSTOCK_TEST_NAME", "1")
    assert mx.util.getenv("PENSTOCK_TEST_NAME") == "1"
    mx.util.setenv("PENSTOCK_TEST_NAME", None)
    assert mx.util.getenv("PENSTOCK_TEST_NAME") is None


def test_calls_are_queued():
    x = np.ones((400, 400))
    y = np.dot(x, x)
    for _ in range(20):
        y = np.dot(y, x) / 400
    z = npx.softmax(y) + y.sum(axis=0).reshape(1, -1) * np.ones((400, 1))
    assert z.shape == (400, 400)
    npx.waitall()
    assert z.is_ready() and penstock.engine.stats().unseen_errors == 0
