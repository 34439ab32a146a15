"""mx.nd of the MXNet dialect.

Three ways of looking at it: what programs of the book call (the table CASES, which must have every
row about nd of the reference tables, if those are there), the facts by their numbers in the
reference, and a thousand expressions with what the real MXNet 1.9.1 gave for them.
"""

import pathlib
import pickle
import struct
import threading

import mxnet_cases
import numpy
import pytest
from mxnet_cases import printed_by

from penstock import mxnet as mx
from penstock.mxnet import nd
from penstock.mxnet.base import MXNetError, NotBuiltError

import expressions  # isort: skip  (its folder is known by mxnet_cases)


def same(found, values, dtype="float32"):
    mxnet_cases.same(found, values, nd.NDArray, dtype)
    assert isinstance(found.dtype, type)


def counted(shape=(2, 3), dtype="float32"):
    return nd.array(numpy.arange(numpy.prod(shape)).reshape(shape), dtype=dtype)


# ---- What programs of the book call --------------------------------------------------------------

# By the API's name: expressions, and what they give by NumPy, or a value, or an exception class.
# `x` is [[0, 1, 2], [3, 4, 5]], `u` is [-1, 0, 2]; `n` and `m` are the same of NumPy's.
CASES = {
    "NDArray.T": {"x.T": "n.T"},
    "NDArray.abs": {"u.abs()": "abs(m)"},
    "NDArray.argmax": {"x.argmax()": "[5]", "x.argmax(axis=1)": "[2, 2]"},
    "NDArray.as_in_context": {"x.as_in_context(cpu)": "n"},
    "NDArray.asnumpy": {"x.asnumpy()": "n"},
    "NDArray.asscalar": {"x.sum().asscalar()": "15"},
    "NDArray.astype": {"x.astype('float32')": "n"},
    "NDArray.attach_grad": {"x.attach_grad()": "None"},
    "NDArray.backward": {"x.backward()": MXNetError},
    "NDArray.clip": {"x.clip(1, 3)": "n.clip(1, 3)"},
    "NDArray.context": {"x.context": "cpu"},
    "NDArray.copyto": {"x.copyto(nd.zeros((2, 3)))": "n", "x.copyto(cpu)": "n"},
    "NDArray.detach": {"x.detach()": "n"},
    "NDArray.dtype": {"x.dtype": "numpy.float32"},
    "NDArray.exp": {"x.exp()": "numpy.exp(n)"},
    "NDArray.expand_dims": {
        "x.expand_dims(0)": "n[None]",
        "x.expand_dims(axis=1)": "n[:, None]",
    },
    "NDArray.flatten": {"x.flatten()": "n"},
    "NDArray.grad": {"x.grad": "None"},
    "NDArray.log": {"(x + 1).log()": "numpy.log(n + 1)"},
    "NDArray.max": {"x.max()": "[5]"},
    "NDArray.mean": {
        "x.mean()": "[2.5]",
        "x.mean(axis=0)": "n.mean(0)",
        "x.mean(axis=1, keepdims=True)": "n.mean(1, keepdims=True)",
    },
    "NDArray.norm": {"x.norm()": "[numpy.sqrt(55)]"},
    "NDArray.ones_like": {"x.ones_like()": "n * 0 + 1"},
    "NDArray.relu": {"u.relu()": "[0, 0, 2]", "u.relu(nd.zeros(3))": "[0, 0, 2]"},
    "NDArray.reshape": {"x.reshape((3, 2))": "n.reshape(3, 2)", "x.reshape(-1)": "n.ravel()"},
    "NDArray.shape": {"x.shape": "(2, 3)"},
    "NDArray.sigmoid": {"u.sigmoid()": "1 / (1 + numpy.exp(-m))"},
    "NDArray.size": {"x.size": "6"},
    "NDArray.softmax": {"u.softmax()": "numpy.exp(m) / numpy.exp(m).sum()"},
    "NDArray.sqrt": {"x.sqrt()": "numpy.sqrt(n)"},
    "NDArray.square": {"x.square()": "n * n"},
    "NDArray.squeeze": {
        "x.expand_dims(0).squeeze(axis=0)": "n",
        "nd.ones((1, 2)).squeeze()": "[1, 1]",
    },
    "NDArray.std": {"x.std()": AttributeError},  # nd has none: fact 6
    "NDArray.sum": {
        "x.sum()": "[15]",
        "x.sum(axis=0)": "n.sum(0)",
        "x.sum(axis=1, keepdims=True)": "n.sum(1, keepdims=True)",
    },
    "NDArray.swapaxes": {"x.swapaxes(0, 1)": "n.T"},
    "NDArray.take": {"x.take(nd.array([1, 0]))": "n[[1, 0]]"},
    "NDArray.tanh": {"x.tanh()": "numpy.tanh(n)"},
    "NDArray.transpose": {"x.transpose((1, 0))": "n.T"},
    "NDArray.wait_to_read": {"x.wait_to_read()": "None"},
    "NDArray.zeros_like": {"x.zeros_like()": "n * 0"},
    "mx.Context": {"mx.Context('cpu', 0)": "cpu"},
    "mx.base.MXNetError": {"mx.base.MXNetError": "MXNetError"},
    "mx.cpu": {"mx.cpu()": "cpu"},
    "mx.gpu": {"mx.gpu().device_type": "'gpu'", "mx.gpu(1).device_id": "1"},
    "nd.Convolution": {
        "nd.Convolution(data=x.reshape((1, 2, 3, 1)), weight=nd.ones((1, 2, 1, 1)), "
        "bias=nd.ones(1), kernel=(1, 1), num_filter=1)": "(n.sum(0) + 1).reshape(1, 1, 3, 1)"
    },
    "nd.Pooling": {
        "nd.Pooling(data=x.reshape((1, 1, 2, 3)), pool_type='max', kernel=(2, 2), stride=(1, 1))": (
            "[[[[4, 5]]]]"
        )
    },
    "nd.ROIPooling": {"nd.ROIPooling(x, x, pooled_size=(1, 1), spatial_scale=1.0)": NotBuiltError},
    "nd.add_n": {"nd.add_n(*[x, x, x])": "3 * n"},
    "nd.arange": {
        "nd.arange(3)": "[0, 1, 2]",
        "nd.arange(1, 3)": "[1, 2]",
        "nd.arange(1, 6, 2)": "[1, 3, 5]",
    },
    "nd.argmax": {"nd.argmax(x, axis=1)": "[2, 2]"},
    "nd.array": {
        "nd.array([1, 2])": "[1, 2]",
        "nd.array([1, 2], cpu)": "[1, 2]",
        "nd.array([1, 2], ctx=cpu)": "[1, 2]",
        "nd.array([1, 2], dtype='float32')": "[1, 2]",
    },
    "nd.batch_dot": {
        "nd.batch_dot(x.reshape((1, 2, 3)), x.reshape((1, 3, 2)))": "(n @ n.reshape(3, 2))[None]"
    },
    "nd.broadcast_axis": {"nd.broadcast_axis(x[0:1], axis=0, size=2)": "n[[0, 0]]"},
    "nd.clip": {"nd.clip(x, 1, 3)": "n.clip(1, 3)"},
    "nd.concat": {
        "nd.concat(*[x, x], dim=0)": "numpy.concatenate([n, n])",
        "nd.concat(x, x)": "numpy.concatenate([n, n], 1)",
        "nd.concat(x, x, x, dim=1)": "numpy.concatenate([n, n, n], 1)",
        "nd.concat(x, x, x, x, dim=0)": "numpy.concatenate([n, n, n, n])",
    },
    "nd.dot": {"nd.dot(x, x.T)": "n @ n.T"},
    "nd.elemwise_add": {"nd.elemwise_add(x, x, out=x)": "2 * n"},
    "nd.flatten": {"nd.flatten(x.reshape((1, 2, 3)))": "n.reshape(1, 6)"},
    "nd.load": {"nd.load(file)[0]": "n"},
    "nd.maximum": {"nd.maximum(x, 2)": "numpy.maximum(n, 2)"},
    "nd.nansum": {"nd.nansum(x)": "[15]"},
    "nd.one_hot": {"nd.one_hot(nd.array([0, 2]), 3)": "[[1, 0, 0], [0, 0, 1]]"},
    "nd.ones": {
        "nd.ones((2,))": "[1, 1]",
        "nd.ones(shape=(2,))": "[1, 1]",
        "nd.ones(shape=2, ctx=cpu)": "[1, 1]",
    },
    "nd.ones_like": {"nd.ones_like(x)": "n * 0 + 1"},
    "nd.pick": {"nd.pick(x, nd.array([0, 2]))": "[0, 5]"},
    "nd.power": {"nd.power(x, 2)": "n ** 2"},
    "nd.random": {"nd.random.uniform(0, 0, (1,))": "[0]"},
    "nd.random.normal": {
        "nd.random.normal(shape=(2,), scale=0)": "[0, 0]",
        "nd.random.normal(3, 0, shape=(2,))": "[3, 3]",
        "nd.random.normal(scale=0, shape=(2,), ctx=cpu)": "[0, 0]",
    },
    "nd.random.uniform": {
        "nd.random.uniform(shape=(2,), low=3, high=3)": "[3, 3]",
        "nd.random.uniform(2, 2, (2,))": "[2, 2]",
        "nd.random.uniform(low=1, high=1, shape=(2,), ctx=cpu)": "[1, 1]",
    },
    "nd.relu": {"nd.relu(u)": "[0, 0, 2]"},
    "nd.save": {"nd.save(file, [x])": "None"},
    "nd.sigmoid": {"nd.sigmoid(u)": "1 / (1 + numpy.exp(-m))"},
    "nd.smooth_l1": {"nd.smooth_l1(u, scalar=1.0)": "[0.5, 0, 1.5]"},
    "nd.softmax": {"nd.softmax(x, axis=0)": "numpy.exp(n) / numpy.exp(n).sum(0)"},
    "nd.split": {"nd.split(x, 3, axis=1)[1]": "n[:, 1:2]"},
    "nd.sqrt": {"nd.sqrt(x)": "numpy.sqrt(n)"},
    "nd.stack": {"nd.stack(*[u, u])": "[m, m]", "nd.stack(u, u, u)": "[m, m, m]"},
    "nd.sum": {"nd.sum(x, axis=1)": "n.sum(1)"},
    "nd.tanh": {"nd.tanh(x)": "numpy.tanh(n)"},
    "nd.topk": {"nd.topk(x, k=2, ret_typ='indices')": "[[2, 1], [2, 1]]"},
    "nd.waitall": {"nd.waitall()": "None"},
    "nd.zeros": {
        "nd.zeros((2,))": "[0, 0]",
        "nd.zeros(shape=(2,))": "[0, 0]",
        "nd.zeros(shape=(2,), ctx=cpu)": "[0, 0]",
    },
}


def names_for_cases(folder):
    n = numpy.arange(6, dtype="float32").reshape(2, 3)
    m = numpy.array([-1, 0, 2], "float32")
    file = str(folder / "arrays.params")
    nd.save(file, [nd.array(n)])
    return {
        **{"nd": nd, "mx": mx, "numpy": numpy, "MXNetError": MXNetError, "cpu": mx.cpu(0)},
        **{"x": nd.array(n), "n": n, "u": nd.array(m), "m": m, "file": file},
    }


@pytest.mark.parametrize("api", CASES)
def test_case(api, tmp_path):
    for expression, wanted in CASES[api].items():
        mxnet_cases.check(expression, wanted, names_for_cases(tmp_path), nd.NDArray)


def test_every_row_of_the_reference_has_a_case():
    assert not mxnet_cases.lacking("*.tsv", ("nd.", "NDArray."), CASES)


# ---- Facts, by their numbers ---------------------------------------------------------------------


def test_fact_1_arrays_are_float32_unless_made_of_arrays():
    for source in (
        [1, 2],
        (1, 2),
        [True, False],
        numpy.arange(2),
        numpy.ones(2),
        numpy.float16([1, 2]),
    ):
        assert nd.array(source).dtype is numpy.float32
    assert nd.array(nd.array([1], dtype="int32")).dtype is numpy.int32
    assert nd.array([1], dtype="int32").dtype is numpy.int32
    same(nd.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]])


def test_fact_2_positions_are_float32():
    x = counted()
    assert x.argmax(axis=1).dtype is numpy.float32
    assert nd.topk(x).dtype is numpy.float32
    assert nd.argsort(x).dtype is numpy.float32


def test_fact_3_text():
    x = nd.ones((1, 2)) * 3
    assert repr(x) == str(x) == f"{x}" == "\n[[3. 3.]]\n<NDArray 1x2 @cpu(0)>"
    total = nd.ones((2, 2)).sum()
    assert total.shape == (1,)
    assert str(total) == "\n[4.]\n<NDArray 1 @cpu(0)>"
    assert repr(nd.ones(2, ctx=mx.cpu(1))) == "\n[1. 1.]\n<NDArray 2 @cpu(1)>"


def test_fact_5_asscalar():
    assert type(nd.array([3]).asscalar()) is numpy.float32
    assert type(nd.array([3], dtype="int32").asscalar()) is numpy.int32
    with pytest.raises(ValueError):
        counted().asscalar()


def test_fact_6_what_there_is_not():
    x = counted()
    for name in ("item", "std", "tolist", "dot", "var", "all", "any"):
        assert not hasattr(x, name)
    for expression in (
        "float(y)",
        "int(y)",
        "x @ x",
        "x // 2",
        "2 // x",
        "+x",
        "~x",
        "x & 1",
        "x << 1",
    ):
        with pytest.raises(TypeError):
            eval(expression, {"x": x, "y": nd.array([1])})


def test_fact_7_dtype_is_a_class():
    assert counted().dtype is numpy.float32
    assert isinstance(mx.np.ones(2), nd.NDArray)


def test_fact_8_integers_are_divided_as_integers():
    same(nd.array([-7, 7], dtype="int32") / 2, [-3, 3], "int32")
    same(-7 / nd.array([2, -2], dtype="int32"), [-3, 3], "int32")
    same(counted(dtype="int32") + 1.5, [[1, 2, 3], [4, 5, 6]], "int32")
    same(counted(dtype="int32") * 0.5, numpy.zeros((2, 3)), "int32")
    same(counted(dtype="int32").mean(), [2], "int32")
    same(nd.exp(counted((3,), "int32")), [1, 2, 7], "int32")
    same(nd.array([200, 200], dtype="uint8").sum(), [144], "uint8")


@pytest.mark.parametrize(
    "operation",
    ["a + b", "b - a", "a == b", "nd.add(a, b)", "nd.dot(a, b.T)", "nd.logical_or(a, b)"],
)
def test_fact_9_mixed_types_are_refused(operation):
    with pytest.raises(MXNetError):
        eval(operation, {"nd": nd, "a": counted(), "b": counted(dtype="int32")})


def test_fact_10_comparisons_give_numbers():
    x = nd.array([1, 2, 3])
    same(x > 1, [0, 1, 1])
    same(counted(dtype="int32") > 4, [[0, 0, 0], [0, 0, 1]], "int32")
    same(x[nd.array([1, 0, 1]) > 0], [2, 1, 2])


def test_fact_12_dot_takes_the_first_axis():
    a, b = counted((2, 3, 4)), counted((4, 5, 2))
    same(nd.dot(a, b), numpy.tensordot(a.asnumpy(), b.asnumpy(), 1))
    v = nd.array([1, 2])
    same(nd.dot(v, v), [5])
    x = counted()
    same(nd.dot(x, x, transpose_b=True), x.asnumpy() @ x.asnumpy().T)
    same(nd.dot(x, x, transpose_a=True), x.asnumpy().T @ x.asnumpy())
    with pytest.raises(MXNetError):
        nd.dot(x, x)


def test_fact_13_codes_of_reshape():
    a = counted((2, 3, 4))
    for codes, shape in (
        ((0, -1), (2, 12)),
        ((-3, 0), (6, 4)),
        ((-2,), (2, 3, 4)),
        ((0, -3), (2, 12)),
        ((-4, 1, 2, -2), (1, 2, 3, 4)),
        ((0, -4, -1, 3, 0), (2, 1, 3, 4)),
        ((-1, 0), (8, 3)),
    ):
        assert a.reshape(codes).shape == shape
        assert nd.reshape(a, codes).shape == shape
    assert a.reshape((-1, 0), reverse=True).shape == (6, 4)
    assert (
        a.reshape((-3, 0), reverse=True).shape
        == nd.reshape(a, (-3, 0), reverse=True).shape
        == (6, 4)
    )
    for codes in ((5, 5), (-1, -1), (-5,), (0, 0, 0, 0, 0), (-4, 2)):
        with pytest.raises(MXNetError):
            a.reshape(codes)


def test_fact_14_lengths_of_zero_need_numpy_shapes():
    for make in (nd.zeros, nd.ones, lambda shape: nd.random.uniform(shape=shape)):
        for shape in ((), (0,), (2, 0)):
            with pytest.raises(MXNetError):
                make(shape)
    mx.npx.set_np()
    assert nd.zeros(()).size == 1
    assert nd.zeros((2, 0)).shape == (2, 0)


def test_fact_15_concat_joins_columns():
    assert nd.concat(counted(), counted()).shape == (2, 6)


def test_fact_16_positions_out_of_range():
    x = counted()
    same(nd.take(x, nd.array([1, 5, -5])), x.asnumpy()[[1, 1, 0]])
    same(nd.pick(x, nd.array([9, -9])), [2, 3])
    same(nd.Embedding(nd.array([9, -9]), x, 2, 3), x.asnumpy()[[1, 0]])
    same(nd.one_hot(nd.array([0, 5, -1]), 2), [[1, 0], [0, 0], [0, 0]])
    with pytest.raises(IndexError):
        x[[0, 5]].wait_to_read()
    with pytest.raises(IndexError):
        x[2]


def test_fact_17_kinds_of_arrays_do_not_mix():
    x, y = counted(), mx.np.ones((2, 3))
    for expression in (
        "x + y",
        "y + x",
        "x == y",
        "nd.add(x, y)",
        "nd.dot(x, y)",
        "nd.exp(y)",
        "nd.sum(y)",
    ):
        with pytest.raises(TypeError):
            eval(expression, {"nd": nd, "x": x, "y": y})
    for other in (numpy.ones((2, 3)), [1, 2, 3], None, "a"):
        with pytest.raises(TypeError):
            x + other
    same(x + numpy.float32(2), x.asnumpy() + 2)
    same(numpy.float32(2) + x, x.asnumpy() + 2)


def test_fact_18_wrong_keywords():
    for call in (
        lambda: nd.random.normal(size=(2, 3)),
        lambda: nd.sum(counted(), foo=1),
        lambda: nd.zeros(2, foo=1),
    ):
        with pytest.raises(MXNetError):
            call()


def test_fact_19_updates_keep_the_array():
    x = y = counted()
    y += 1
    y *= 2
    y -= nd.ones((2, 3))
    y /= 2
    y %= 2
    assert y is x
    y[:] = 7
    assert y is x and (x.asnumpy() == 7).all()
    power = x
    power **= 2
    assert power is not x
    source = numpy.zeros(3)
    made = nd.array(source)
    source[:] = 5
    same(made, [0, 0, 0])


def test_fact_20_contexts_and_copies():
    x = counted()
    assert x.as_in_context(mx.cpu(0)) is x
    there = x.as_in_context(mx.cpu(1))
    assert there.context == mx.cpu(1)
    copy = x.copyto(mx.cpu(0))
    copy[:] = 9
    target = nd.zeros((2, 3))
    assert x.copyto(target) is target
    x.detach()[0] = 7
    same(x, [[7, 7, 7], [3, 4, 5]])
    same(target, numpy.arange(6).reshape(2, 3))
    with pytest.raises(TypeError):
        x.copyto(3)
    with pytest.raises(MXNetError):
        x.copyto(nd.zeros((3, 2)))


def test_fact_21_hash():
    x, y = counted(), counted()
    assert {x: 1, y: 2}[x] == 1


def test_fact_24_numbered_contexts():
    a, b = nd.ones(2, ctx=mx.cpu(1)), nd.ones(2)
    assert (a + b).context == mx.cpu(1)
    assert (b + a).context == mx.cpu(0)
    with mx.Context("cpu", 2):
        assert nd.zeros(1).context == nd.array([1]).context == nd.random.uniform(shape=1).context
        assert nd.zeros(1).context == mx.cpu(2)
    with pytest.raises(MXNetError):
        nd.ones(2, ctx=mx.gpu(0))
    with pytest.raises(MXNetError):
        b.as_in_context(mx.gpu())


def test_fact_25_values_are_checked_at_the_wait():
    drawn = nd.random.normal(0, -1, shape=(2,))
    with pytest.raises(MXNetError):
        drawn.wait_to_read()
    taken = nd.take(counted(), nd.array([7]), mode="raise")
    with pytest.raises(MXNetError):
        taken.asnumpy()


def test_fact_26_waitall_raises_the_first_error_once():
    nd.random.normal(0, -1, shape=(2,))
    with pytest.raises(MXNetError):
        nd.waitall()
    nd.waitall()


def test_fact_27_naive_engine_raises_at_the_call():
    program = (
        "from penstock.mxnet import nd\n"
        "from penstock.mxnet.base import MXNetError\n"
        "try:\n    nd.random.normal(0, -1, shape=(2,))\n"
        "except MXNetError:\n    print('raised')\n"
    )
    assert printed_by(program, MXNET_ENGINE_TYPE="NaiveEngine") == "raised\n"


def test_fact_48_to_51_files(tmp_path):
    file = tmp_path / "a.params"
    types = ("float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool")
    for code, dtype in enumerate(types):
        nd.save(str(file), {"a": nd.array([[0, 1]], dtype=dtype)})
        data = file.read_bytes()
        begin = struct.pack("<QQQIiIqqiii", 0x112, 0, 1, 0xF993FAC9, 0, 2, 1, 2, 1, 0, code)
        elements = numpy.array([0, 1], dtype).tobytes()
        assert data == begin + elements + struct.pack("<QQ", 1, 1) + b"a"
        same(nd.load(str(file))["a"], [[0, 1]], dtype)
        same(nd.load_frombuffer(data + b"more")["a"], [[0, 1]], dtype)
        for end in range(len(data)):
            with pytest.raises(MXNetError):
                nd.load_frombuffer(data[:end])


def test_files_of_numpy_mode(tmp_path):
    file = str(tmp_path / "a.params")
    mx.npx.set_np()
    nd.save(file, [nd.ones((2,))])
    assert pathlib.Path(file).read_bytes()[24:28] == struct.pack("<I", 0xF993FACA)
    same(nd.load(file)[0], [1, 1])
    mx.npx.reset_np()
    with pytest.raises(MXNetError):
        nd.load(file)


def test_what_cannot_be_saved(tmp_path):
    file = str(tmp_path / "a.params")
    for data, error in (
        ((nd.ones(1),), ValueError),
        ({1: nd.ones(1)}, TypeError),
        ([1], TypeError),
        ([mx.np.ones(1)], TypeError),
    ):
        with pytest.raises(error):
            nd.save(file, data)
    for call in (
        lambda: nd.load(str(tmp_path / "none")),
        lambda: nd.save(str(tmp_path), nd.ones(1)),
    ):
        with pytest.raises(MXNetError):
            call()
    with pytest.raises(TypeError):
        nd.load(3)


# ---- Expressions, with what the real MXNet gave --------------------------------------------------

RECORDED = mxnet_cases.recorded("nd_expressions")

# Where ours differs, and what it gives then.
DIFFERS = {
    # There are more element types, and more operations on them.
    "nd.array([1,2],dtype='int16')": ["NDArray", "int16", [2], [1, 2]],
    "nd.array([1,1],dtype='bool').sum()": ["NDArray", "int64", [1], [2]],
    "nd.array([1,0],dtype='bool')+nd.array([1,1],dtype='bool')": ["NDArray", "bool", [2], [1, 1]],
    "nd.array([1,0],dtype='bool')*nd.array([1,1],dtype='bool')": ["NDArray", "bool", [2], [1, 0]],
    "nd.dot(i,i.T)": ["NDArray", "int32", [2, 2], [[5, 14], [14, 50]]],
    "nd.batch_take(x,nd.array([1,2]))": ["NDArray", "float32", [2], [1.0, 5.0]],
    "x+1j": [
        "NDArray",
        "complex64",
        [2, 3],
        [["1j", "(1+1j)", "(2+1j)"], ["(3+1j)", "(4+1j)", "(5+1j)"]],
    ],
    # A mask of NumPy's is one.
    "x[np.array([True,False])]": ["NDArray", "float32", [1, 3], [[0.0, 1.0, 2.0]]],
    # Casts give the nearest number that the type has.
    "(nd.array([1.7,-1.7,300])).astype('uint8')": ["NDArray", "uint8", [3], [1, 0, 255]],
    "nd.sign(nd.array([float('nan')]))": ["NDArray", "float32", [1], [float("nan")]],
    # Arrays without elements or dimensions can be used.
    "nd.array(3)+1": ["NDArray", "float32", [1], [4.0]],
    "nd.exp(nd.array(3))": ["NDArray", "float32", [1], [20.085537]],
    "nd.concat(nd.array([]),nd.array([1.]),dim=0)": ["NDArray", "float32", [1], [1.0]],
    "x[0:0]+1": ["NDArray", "float32", [0, 3], []],
    "nd.tile(x,(0,))": ["NDArray", "float32", [2, 0], [[], []]],
    # Methods and arguments that nd lacks; a keyword that there is not is refused.
    "x.as_in_ctx(mx.cpu())": ["NDArray", "float32", [2, 3], [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]],
    "x.wait_to_write()": ["value", "None"],
    "5 in x": ["value", "True"],
    "nd.broadcast_add(x,1)": ["NDArray", "float32", [2, 3], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]],
    "x.flip(axis=-1)": ["NDArray", "float32", [2, 3], [[2.0, 1.0, 0.0], [5.0, 4.0, 3.0]]],
    "nd.exp(x, foo=1)": ["raises", ["RuntimeError", "TypeError"]],
    "import pickle ;; pickle.loads(pickle.dumps(x.as_in_context(mx.cpu(1)))).context": [
        "value",
        "cpu(1)",
    ],
}


def test_every_expression_was_recorded():
    assert [text for text, _ in RECORDED] == expressions.expressions()
    assert set(DIFFERS) <= {text for text, _ in RECORDED}


def test_expressions_give_what_mxnet_gives():
    def right(text, found, real):
        return expressions.alike(found, DIFFERS.get(text, real))

    wrong = mxnet_cases.wrong(RECORDED, lambda text: expressions.seen(mx, text), right)
    assert not wrong, wrong


# ---- Others --------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def without_numpy_mode():
    mx.npx.reset_np()
    yield
    mx.npx.reset_np()


def test_pickles_load_without_installing(tmp_path):
    file = tmp_path / "array.pickle"
    file.write_bytes(pickle.dumps([counted(), nd.ones(2, ctx=mx.cpu(1))]))
    program = (
        f"import pickle\na, b = pickle.load(open({str(file)!r}, 'rb'))\n"
        "print(type(a).__name__, a.asnumpy().tolist(), b.context)"
    )
    assert printed_by(program) == "NDArray [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]] cpu(1)\n"


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_of_all_protocols(protocol):
    same(pickle.loads(pickle.dumps(counted().T, protocol)), numpy.arange(6).reshape(2, 3).T)


def test_out_is_written_and_returned():
    out = nd.zeros((2, 3))
    for call in (
        lambda: nd.exp(counted(), out=out),
        lambda: nd.clip(counted(), 1, 2, out=out),
        lambda: nd.softmax(counted(), out=out),
        lambda: nd.broadcast_add(counted(), counted(), out=out),
        lambda: nd.concat(counted((1, 3)), counted((1, 3)), dim=0, out=out),
        lambda: nd.random.uniform(out=out),
        lambda: nd.zeros((2, 3), out=out),
        lambda: nd.where(counted(), counted(), counted(), out=out),
    ):
        out[:] = -1
        assert call() is out
        assert not (out.asnumpy() == -1).any()
    with pytest.raises(MXNetError):
        nd.exp(counted(), out=nd.zeros((3, 2)))


def test_calls_are_queued_in_order():
    x = nd.zeros((4,))
    rows = []
    for _ in range(100):
        x += 1
        rows.append(x.copy())
    assert [row[0].asscalar() for row in rows] == list(range(1, 101))


def test_numpy_mode_belongs_to_a_thread():
    found = []
    mx.npx.set_np()

    def look():
        try:
            nd.zeros(())
        except MXNetError:
            found.append("refused")

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == ["refused"]
    assert nd.zeros(()).size == 1


def test_what_is_not_built_says_so():
    for name in ("BilinearSampler", "Correlation", "ROIPooling", "SpatialTransformer"):
        with pytest.raises(NotBuiltError, match=name):
            getattr(nd, name)(counted())
    for module, name in (
        (nd, "gamma"),
        (nd.contrib, "box_nms"),
        (nd.sparse, "csr_matrix"),
        (nd.linalg, "potrf"),
    ):
        with pytest.raises(AttributeError, match="docs/mxnet.md"):
            getattr(module, name)
    with pytest.raises(AttributeError, match="zeros"):
        nd.zeross


def test_seed_repeats():
    mx.random.seed(7)
    first = [draw(shape=(5,)).asnumpy() for draw in (nd.random.uniform, nd.random.normal)]
    mx.random.seed(7)
    again = [draw(shape=(5,)).asnumpy() for draw in (mx.random.uniform, mx.random.normal)]
    assert all((a == b).all() for a, b in zip(first, again))
    with pytest.raises(ValueError):
        mx.random.seed(1.5)


def test_distributions():
    mx.random.seed(1)
    n = 20000
    uniform = nd.random.uniform(2, 4, shape=(n,)).asnumpy()
    assert 2 <= uniform.min() and uniform.max() < 4 and abs(uniform.mean() - 3) < 0.05
    normal = nd.random.normal(5, 2, shape=(n,)).asnumpy()
    assert abs(normal.mean() - 5) < 0.1 and abs(normal.std() - 2) < 0.1
    assert abs(nd.random.exponential(3.0, shape=(n,)).asnumpy().mean() - 3) < 0.15
    integers = nd.random.randint(0, 4, shape=(n,))
    assert integers.dtype is numpy.int32
    assert numpy.bincount(integers.asnumpy()).shape == (4,)
    drawn = nd.random.multinomial(nd.array([[0.2, 0.8], [1, 0]]), shape=n).asnumpy()
    assert abs(drawn[0].mean() - 0.8) < 0.05 and not drawn[1].any()
    each = nd.random.normal(nd.array([0, 100]), nd.array([1, 1]), shape=n).asnumpy()
    assert each.shape == (2, n) and abs(each[1].mean() - 100) < 0.1
    shuffled = nd.random.shuffle(nd.arange(n)).asnumpy()
    assert (numpy.sort(shuffled) == numpy.arange(n)).all() and (shuffled != numpy.arange(n)).any()
    kept = nd.Dropout(nd.ones((n,)), p=0.25, mode="always").asnumpy()
    assert abs((kept == 0).mean() - 0.25) < 0.05 and abs(kept.mean() - 1) < 0.05


def test_softmax_with_lengths():
    x, lengths = counted(), nd.array([1, 2], dtype="int32")
    e = numpy.exp(1) / (1 + numpy.exp(1))
    same(nd.softmax(x, lengths, use_length=True), [[1, 0, 0], [1 - e, e, 0]])
    for refused in (
        lambda: nd.softmax(x, lengths),
        lambda: nd.softmax(x, use_length=True),
        lambda: nd.log_softmax(x, use_length=True),
        lambda: nd.softmin(x, use_length=True),
        lambda: nd.softmax(x, nd.array([1, 2]), use_length=True),
    ):
        with pytest.raises(MXNetError):
            refused()


def test_integers_stay_integers():
    x = nd.array([[3, 1, 2], [6, 9, 4]], dtype="int32")
    lengths = nd.array([1, 2.5])
    same(nd.SequenceMask(x, lengths, True, -1.5, 1), [[3, -1, -1], [6, 9, -1]], "int32")
    same(nd.smooth_l1(x), [[2, 0, 1], [5, 8, 3]], "int32")
    same(nd.smooth_l1(counted(), scalar=0), numpy.zeros((2, 3)))


def test_results_besides_the_first():
    x = nd.array([[3, 1, 2], [6, 9, 4]])
    found, mean, deviation = nd.LayerNorm(x, nd.ones(3), nd.zeros(3), output_mean_var=True)
    same(found[0], [1.2247356, -1.2247356, 0])
    same(mean, [[2], [6.3333335]])
    same(deviation, [[0.81650275], [2.054807]])
    same(nd.topk(x, axis=None, k=2, ret_typ="mask"), [[0, 0, 0], [1, 1, 0]])


def test_dropout_of_slices():
    x = nd.ones((500, 40))
    together = nd.Dropout(x, mode="always", axes=(1,)).asnumpy()
    assert (together == together[:, :1]).all() and {*together.ravel()} == {0, 2}
    with pytest.raises(MXNetError):
        nd.Dropout(x, mode="foo")


def test_sequences_of_more_dimensions():
    x = numpy.arange(24, dtype="float32").reshape(4, 2, 3)
    lengths = nd.array([1, 3])
    masked = x.copy()
    masked[1:, 0] = masked[3:, 1] = -1
    same(nd.SequenceMask(nd.array(x), lengths, True, value=-1), masked)
    same(nd.SequenceLast(nd.array(x), lengths, True), [x[0, 0], x[2, 1]])
    turned = x.copy()
    turned[:3, 1] = x[2::-1, 1]
    same(nd.SequenceReverse(nd.array(x), lengths, True), turned)
    with pytest.raises(MXNetError):
        nd.SequenceMask(nd.array(x), nd.array([1, 2, 3]), True)


@pytest.mark.parametrize("number", [numpy.float16(0.5), numpy.float64(0.5), numpy.bool_(True)])
def test_comparisons_with_numpy_numbers(number):
    x = mx.nd.array([-1.0, 0.5, 1.0])
    for name in ("equal", "not_equal", "greater", "greater_equal", "lesser", "lesser_equal"):
        compare = getattr(mx.nd, name)
        wanted = [float(compare(float(number), value)) for value in (-1.0, 0.5, 1.0)]
        assert compare(number, x).asnumpy().tolist() == wanted
        assert compare(float(number), x).asnumpy().tolist() == wanted
