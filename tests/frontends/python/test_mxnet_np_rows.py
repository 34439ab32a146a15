"""What programs of the book call of mx.np and mx.npx.

The table CASES must have every row about arrays of the reference table, if that is there.
"""

import mxnet_cases
import numpy
import pytest
from mxnet_cases import numpy_mode  # noqa: F401

from penstock import mxnet as mx
from penstock.mxnet import np, npx
from penstock.mxnet.base import MXNetError, NotBuiltError

# By the API's name: expressions, and what they give by NumPy, or a value, or an exception class. A
# result that is a shape says only that. `x` is [[0, 1, 2], [3, 4, 5]], `u` is [-1, 0, 2], `c` has
# shape (2, 3, 4), `m` holds integers; `n`, `v`, `d` and `k` are the same of NumPy's.
CASES = {
    "nd.nansum": {"mx.nd.nansum(x.as_nd_ndarray()).as_np_ndarray()": "[15]"},
    "ndarray.T": {"x.T": "n.T"},
    # The next two follow nansum, which gives arrays of mx.nd; those of mx.np have none: fact 6.
    "ndarray.abs": {"u.as_nd_ndarray().abs().as_np_ndarray()": "abs(v)", "u.abs()": AttributeError},
    "ndarray.asscalar": {
        "u[2:].as_nd_ndarray().asscalar()": "2.0",
        "u[2:].asscalar()": AttributeError,
    },
    "ndarray.argmax": {
        "x.argmax()": "n.argmax()",
        "x.argmax(1)": "n.argmax(1)",
        "x.argmax(axis=1)": "n.argmax(1)",
    },
    "ndarray.argsort": {"u.argsort()": "v.argsort()"},
    "ndarray.as_in_context": {"x.as_in_context(npx.cpu())": "n"},
    "ndarray.as_in_ctx": {"x.as_in_ctx(npx.cpu())": "n"},
    "ndarray.as_nd_ndarray": {"x.as_nd_ndarray().as_np_ndarray()": "n"},
    "ndarray.asnumpy": {"x.asnumpy()": "n"},
    "ndarray.astype": {"x.astype('int32')": "n.astype('int32')"},
    "ndarray.attach_grad": {"x.attach_grad()": "None"},
    "ndarray.backward": {"x.backward()": MXNetError},
    "ndarray.clip": {
        "x.clip(1, 3)": "n.clip(1, 3)",
        "x.clip(min=1)": "n.clip(1)",
    },
    "ndarray.copy": {"x.copy()": "n"},
    "ndarray.copyto": {"x.copyto(np.zeros((2, 3)))": "n", "x.copyto(npx.cpu())": "n"},
    "ndarray.ctx": {"x.ctx": "mx.cpu(0)"},
    "ndarray.cumsum": {"x.cumsum()": "n.cumsum()", "x.cumsum(axis=1)": "n.cumsum(1)"},
    "ndarray.detach": {"x.detach()": "n"},
    "ndarray.dot": {"x.dot(x.T)": "n @ n.T"},
    "ndarray.dtype": {"x.dtype": "numpy.dtype('float32')"},
    "ndarray.flatten": {"x.flatten()": "n.ravel()"},
    "ndarray.grad": {"x.grad": "None"},
    "ndarray.item": {"x.sum().item()": "15.0"},
    "ndarray.max": {"x.max()": "n.max()"},
    "ndarray.mean": {
        "x.mean()": "n.mean()",
        "x.mean(0)": "n.mean(0)",
        "x.mean(axis=1, keepdims=True)": "n.mean(1, keepdims=True)",
    },
    "ndarray.ndim": {"x.ndim": "2"},
    "ndarray.prod": {"(x + 1).prod()": "720", "x.prod(axis=1)": "n.prod(1)"},
    # Functions of the module mx.ndarray, of its arrays.
    "ndarray.relu": {"mx.ndarray.relu(u.as_nd_ndarray()).as_np_ndarray()": "[0, 0, 2]"},
    "ndarray.sqrt": {"mx.ndarray.sqrt(x.as_nd_ndarray()).as_np_ndarray()": "numpy.sqrt(n)"},
    "ndarray.repeat": {
        "x.repeat(2)": "n.repeat(2)",
        "x.repeat(2, axis=0)": "n.repeat(2, 0)",
    },
    "ndarray.reshape": {
        "x.reshape(-1)": "n.ravel()",
        "x.reshape((3, 2))": "n.reshape(3, 2)",
        "x.reshape(3, -1)": "n.reshape(3, 2)",
        "x.reshape(1, 2, 3)": "n.reshape(1, 2, 3)",
        "x.reshape(1, 2, 3, 1)": "n.reshape(1, 2, 3, 1)",
    },
    "ndarray.shape": {"x.shape": "(2, 3)"},
    "ndarray.size": {"x.size": "6"},
    "ndarray.squeeze": {
        "x[None].squeeze()": "n",
        "x[None].squeeze(0)": "n",
        "x[None].squeeze(axis=0)": "n",
    },
    "ndarray.std": {
        "x.std()": "n.std()",
        "x.std(axis=0)": "n.std(0)",
        "x.std(axis=0, ddof=1)": "n.std(0, ddof=1)",
    },
    "ndarray.sum": {
        "x.sum()": "n.sum()",
        "x.sum(1)": "n.sum(1)",
        "x.sum(axis=0, keepdims=True)": "n.sum(0, keepdims=True)",
    },
    "ndarray.swapaxes": {"x.swapaxes(0, 1)": "n.T"},
    "ndarray.tolist": {"x.tolist()": "n.tolist()"},
    "ndarray.transpose": {
        "c.transpose(2, 0, 1)": "d.transpose(2, 0, 1)",
        "c[None].transpose(0, 2, 1, 3)": "d[None].transpose(0, 2, 1, 3)",
        "c[None, None].transpose(1, 0, 2, 4, 3)": "d[None, None].transpose(1, 0, 2, 4, 3)",
    },
    "ndarray.wait_to_read": {"x.wait_to_read()": "None"},
    "np.abs": {"np.abs(u)": "abs(v)"},
    "np.arange": {
        "np.arange(3)": "[0, 1, 2]",
        "np.arange(1, 3)": "[1, 2]",
        "np.arange(0, 1, 0.25)": "[0, 0.25, 0.5, 0.75]",
        "np.arange(2, ctx=npx.cpu(), dtype='int32')": "numpy.arange(2, dtype='int32')",
    },
    "np.arccos": {"np.arccos(u[:2] / 2)": "numpy.arccos(v[:2] / 2)"},
    "np.argmax": {
        "np.argmax(x)": "n.argmax()",
        "np.argmax(x, 1)": "n.argmax(1)",
        "np.argmax(x, axis=0)": "n.argmax(0)",
    },
    "np.array": {
        "np.array([1, 2])": "[1, 2]",
        "np.array([1, 2], ctx=npx.cpu())": "[1, 2]",
        "np.array([1, 2], dtype='int32')": "numpy.array([1, 2], dtype='int32')",
    },
    "np.concatenate": {
        "np.concatenate([x, x])": "numpy.concatenate([n, n])",
        "np.concatenate((x, x), 1)": "numpy.concatenate([n, n], 1)",
        "np.concatenate([x, x], axis=1)": "numpy.concatenate([n, n], 1)",
    },
    "np.cos": {"np.cos(x)": "numpy.cos(n)"},
    "np.cosh": {"np.cosh(x)": "numpy.cosh(n)"},
    "np.cumsum": {"np.cumsum(x)": "n.cumsum()"},
    "np.dot": {"np.dot(x, x.T)": "n @ n.T"},
    "np.empty": {"np.empty((2, 3))": (2, 3)},
    "np.exp": {"np.exp(x)": "numpy.exp(n)"},
    "np.expand_dims": {
        "np.expand_dims(x, 0)": "n[None]",
        "np.expand_dims(x, axis=1)": "n[:, None]",
    },
    "np.eye": {"np.eye(2)": "[[1, 0], [0, 1]]"},
    "np.float32": {"np.float32(3)": "numpy.float32(3)", "np.float32": "numpy.float32"},
    "np.float64": {"np.float64": "numpy.float64"},
    "np.floor": {"np.floor(x / 2)": "numpy.floor(n / 2)"},
    "np.full": {
        "np.full((2,), 3, dtype='int32', ctx=npx.cpu())": "numpy.full(2, 3, 'int32')",
        "np.full((2,), 3)": "[3, 3]",
    },
    "np.genfromtxt": {
        "np.genfromtxt(['1,2', '3,4'], dtype=np.float32, delimiter=',')": "[[1, 2], [3, 4]]"
    },
    "np.int32": {"np.int32": "numpy.int32"},
    "np.int64": {"np.int64": "numpy.int64"},
    "np.linalg.norm": {"np.linalg.norm(x)": "numpy.linalg.norm(n)"},
    "np.linspace": {"np.linspace(0, 1, 5)": "[0, 0.25, 0.5, 0.75, 1]"},
    "np.log": {"np.log(x + 1)": "numpy.log(n + 1)"},
    "np.log2": {"np.log2(x + 1)": "numpy.log2(n + 1)"},
    "np.max": {"np.max(x)": "5", "np.max(x, 1)": "n.max(1)", "np.max(x, axis=0)": "n.max(0)"},
    "np.maximum": {"np.maximum(x, 2)": "numpy.maximum(n, 2)"},
    "np.mean": {
        "np.mean(x)": "n.mean()",
        "np.mean(x, axis=0)": "n.mean(0)",
        "np.mean(x, dtype='float64')": "numpy.float64(2.5)",
    },
    "np.meshgrid": {
        "np.meshgrid(u, u)[0]": "numpy.meshgrid(v, v)[0]",
        "np.meshgrid(u, u[:2], indexing='ij')[1]": "numpy.meshgrid(v, v[:2], indexing='ij')[1]",
    },
    "np.min": {"np.min(x)": "0"},
    "np.minimum": {"np.minimum(x, 2)": "numpy.minimum(n, 2)"},
    "np.ndarray": {"isinstance(x, np.ndarray)": "True"},
    "np.nonzero": {"np.nonzero(u)[0]": "v.nonzero()[0]"},
    "np.ones": {
        "np.ones((2,))": "[1, 1]",
        "np.ones(2, ctx=npx.cpu())": "[1, 1]",
        "np.ones(shape=(2,), dtype='int32')": "numpy.ones(2, 'int32')",
    },
    "np.ones_like": {"np.ones_like(x)": "n * 0 + 1"},
    "np.pi": {"np.pi": "numpy.pi"},
    "np.power": {"np.power(x, 2)": "n ** 2"},
    "np.random": {"np.random.uniform(size=2)": (2,)},
    "np.random.multinomial": {
        "np.random.multinomial(10, [0.5, 0.5])": (2,),
        "np.random.multinomial(10, [0.5, 0.5], size=3)": (3, 2),
    },
    "np.random.normal": {
        "np.random.normal(loc=1, scale=2, size=(2, 3), ctx=npx.cpu())": (2, 3),
        "np.random.normal(0, 1)": (),
        "np.random.normal(0, 1, 4)": (4,),
    },
    "np.random.rand": {"np.random.rand(2)": (2,), "np.random.rand(2, 3)": (2, 3)},
    "np.random.randint": {"np.random.randint(0, 3, (2,))": (2,)},
    "np.random.randn": {
        "np.random.randn(*(2, 3))": (2, 3),
        "np.random.randn(2)": (2,),
        "np.random.randn(2, 3)": (2, 3),
        "np.random.randn(1, 2, 3, 4)": (1, 2, 3, 4),
    },
    "np.random.uniform": {
        "np.random.uniform(size=(2,), ctx=npx.cpu())": (2,),
        "np.random.uniform(0, 1, (2, 3))": (2, 3),
    },
    "np.repeat": {"np.repeat(x, 2)": "n.repeat(2)"},
    "np.reshape": {"np.reshape(x, (3, 2))": "n.reshape(3, 2)"},
    "np.set_printoptions": {"np.set_printoptions(8)": "None"},
    "np.sign": {"np.sign(u)": "numpy.sign(v)"},
    "np.sin": {"np.sin(x)": "numpy.sin(n)"},
    "np.sinh": {"np.sinh(x)": "numpy.sinh(n)"},
    "np.sort": {"np.sort(x.T, axis=0)": "n.T"},
    "np.split": {"np.split(x, 3, axis=1)[2]": "n[:, 2:]"},
    "np.sqrt": {"np.sqrt(x)": "numpy.sqrt(n)"},
    "np.square": {"np.square(x)": "n * n"},
    "np.squeeze": {"np.squeeze(x[None])": "n", "np.squeeze(x[None], axis=0)": "n"},
    "np.stack": {
        "np.stack([x, x])": "numpy.stack([n, n])",
        "np.stack((x, x), 1)": "numpy.stack([n, n], 1)",
        "np.stack([x, x], axis=-1)": "numpy.stack([n, n], -1)",
    },
    "np.sum": {
        "np.sum(x)": "n.sum()",
        "np.sum(x, 1)": "n.sum(1)",
        "np.sum(x, axis=0, keepdims=True)": "n.sum(0, keepdims=True)",
    },
    "np.tanh": {"np.tanh(x)": "numpy.tanh(n)"},
    "np.tile": {"np.tile(x, (2, 1))": "numpy.tile(n, (2, 1))"},
    "np.unique": {"np.unique(u % 2, return_counts=True)[1]": "numpy.array([2, 1])"},
    "np.zeros": {
        "np.zeros((2,))": "[0, 0]",
        "np.zeros(2, ctx=npx.cpu(), dtype='int32')": "numpy.zeros(2, 'int32')",
    },
    "np.zeros_like": {"np.zeros_like(x)": "n * 0"},
    "npx.batch_dot": {
        "npx.batch_dot(c, c.swapaxes(1, 2))": "d @ d.swapaxes(1, 2)",
        "npx.batch_dot(c, c, transpose_b=True)": "d @ d.swapaxes(1, 2)",
    },
    "npx.batch_flatten": {"npx.batch_flatten(c)": "d.reshape(2, 12)"},
    "npx.convolution": {
        "npx.convolution(data=c, weight=np.ones((1, 3, 1)), bias=np.ones(1), kernel=(1,), "
        "num_filter=1)": "d.sum(1, keepdims=True) + 1"
    },
    "npx.cpu": {"npx.cpu()": "mx.cpu(0)"},
    "npx.gpu": {"npx.gpu(1).device_id": "1"},
    "npx.load": {"npx.load(file)[0]": "n"},
    "npx.multibox_prior": {"npx.multibox_prior(c, sizes=[1], ratios=[1])": NotBuiltError},
    "npx.num_gpus": {"npx.num_gpus()": "mx.num_gpus()"},
    "npx.one_hot": {"npx.one_hot(np.array([0, 2]), 3)": "[[1, 0, 0], [0, 0, 1]]"},
    "npx.pooling": {
        "npx.pooling(data=c, pool_type='max', kernel=(2,), stride=(2,))": "d[:, :, 1::2]"
    },
    "npx.relu": {"npx.relu(u)": "[0, 0, 2]"},
    "npx.roi_pooling": {
        "npx.roi_pooling(c, x, pooled_size=(1, 1), spatial_scale=1.0)": NotBuiltError
    },
    "npx.save": {"npx.save(file, x)": "None"},
    "npx.sequence_mask": {
        "npx.sequence_mask(x, np.array([1, 2]), True, axis=1)": "[[0, 0, 0], [3, 4, 0]]",
        "npx.sequence_mask(x, np.array([1, 2]), True, value=9, axis=1)": "[[0, 9, 9], [3, 4, 9]]",
    },
    "npx.set_np": {"npx.set_np()": "None"},
    "npx.sigmoid": {"npx.sigmoid(u)": "1 / (1 + numpy.exp(-v))"},
    "npx.smooth_l1": {"npx.smooth_l1(u, scalar=1.0)": "[0.5, 0, 1.5]"},
    "npx.softmax": {"npx.softmax(u)": "numpy.exp(v) / numpy.exp(v).sum()"},
    "npx.topk": {"npx.topk(u, k=2, ret_typ='indices')": "[2, 1]"},
    "npx.waitall": {"npx.waitall()": "None"},
}


def names_for_cases(folder):
    n = numpy.arange(6, dtype="float32").reshape(2, 3)
    v = numpy.array([-1, 0, 2], "float32")
    d = numpy.arange(24, dtype="float32").reshape(2, 3, 4)
    file = str(folder / "arrays.params")
    npx.save(file, [np.array(n)])
    return {
        **{"mx": mx, "np": np, "npx": npx, "numpy": numpy, "file": file},
        **{"n": n, "v": v, "d": d, "x": np.array(n), "u": np.array(v), "c": np.array(d)},
    }


@pytest.mark.parametrize("api", CASES)
def test_case(api, tmp_path):
    for expression, wanted in CASES[api].items():
        mxnet_cases.check(expression, wanted, names_for_cases(tmp_path), np.ndarray)


# Rows whose keywords were counted with no positional argument: those calls have keywords alone, or
# are made without parentheses.
LOOSE = {"ndarray.clip", "np.random.normal", "np.random.uniform", "np.ones", "ndarray.relu"}


def test_every_row_of_the_reference_has_a_case():
    begin = ("nd.", "ndarray.", "np.", "npx.")
    assert not mxnet_cases.lacking("mxnet-api-in-the-book.tsv", begin, CASES, LOOSE)
