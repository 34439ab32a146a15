"""Layers of mx.gluon.nn: text, parameters, shapes that are found at the first call, results."""

import copy
import pickle

import numpy
import pytest

from penstock import mxnet as mx
from penstock.mxnet import autograd, nd, np, npx
from penstock.mxnet.base import MXNetError, NotBuiltError
from penstock.mxnet.gluon import contrib, nn

pytestmark = pytest.mark.usefixtures("nothing_recorded")


@pytest.fixture
def numpy_mode():
    npx.set_np()
    yield
    npx.reset_np()


def ready(layer, value=None):
    layer.initialize(mx.init.One() if value is None else mx.init.Constant(value))
    return layer


def near(found, expected):
    numpy.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5, atol=1e-6)


# ---- Text and parameters -----------------------------------------------------------------------

TEXTS = [
    (lambda: nn.Dense(3), "Dense(None -> 3, linear)"),
    (lambda: nn.Dense(3, "relu", in_units=2), "Dense(2 -> 3, Activation(relu))"),
    (lambda: nn.Dropout(0.5), "Dropout(p = 0.5, axes=())"),
    (lambda: nn.Embedding(3, 4), "Embedding(3 -> 4, float32)"),
    (lambda: nn.Flatten(), "Flatten"),
    (
        lambda: nn.BatchNorm(scale=False, in_channels=3),
        "BatchNorm(axis=1, eps=1e-05, momentum=0.9, fix_gamma=True, use_global_stats=False, "
        "in_channels=3)",
    ),
    (
        lambda: nn.BatchNormReLU(),
        "BatchNormReLU(axis=1, eps=1e-05, momentum=0.9, fix_gamma=False, use_global_stats=False, "
        "in_channels=None)",
    ),
    (
        lambda: nn.InstanceNorm(),
        "InstanceNorm(eps=1e-05, axis=1, center=True, scale=False, in_channels=0)",
    ),
    (
        lambda: nn.LayerNorm(in_channels=3),
        "LayerNorm(eps=1e-05, axis=-1, center=True, scale=True, in_channels=3)",
    ),
    (lambda: nn.GroupNorm(2), "GroupNorm(eps=1e-05, num_groups=2, center=True, scale=True)"),
    (lambda: nn.Lambda("relu"), "Lambda(relu)"),
    (lambda: nn.HybridLambda(lambda F, x: x), "HybridLambda(<lambda>)"),
    (lambda: nn.Activation("tanh"), "Activation(tanh)"),
    (lambda: nn.LeakyReLU(0.1), "LeakyReLU(0.1)"),
    (lambda: nn.PReLU(), "PReLU(\n\n)"),
    (lambda: nn.Conv1D(3, 2), "Conv1D(None -> 3, kernel_size=(2,), stride=(1,))"),
    (
        lambda: nn.Conv2D(3, (2, 3), padding=1, activation="relu"),
        "Conv2D(None -> 3, kernel_size=(2, 3), stride=(1, 1), padding=(1, 1), Activation(relu))",
    ),
    (
        lambda: nn.Conv2D(4, 2, 2, dilation=2, groups=2, in_channels=4, use_bias=False),
        "Conv2D(2 -> 4, kernel_size=(2, 2), stride=(2, 2), dilation=(2, 2), groups=2, bias=False)",
    ),
    (
        lambda: nn.Conv2DTranspose(3, 2, 2, output_padding=1),
        "Conv2DTranspose(3 -> 0, kernel_size=(2, 2), stride=(2, 2))",
    ),
    (
        lambda: nn.MaxPool2D(3, 2, 1, ceil_mode=True),
        "MaxPool2D(size=(3, 3), stride=(2, 2), padding=(1, 1), ceil_mode=True, global_pool=False, "
        "pool_type=max, layout=NCHW)",
    ),
    (
        lambda: nn.GlobalAvgPool1D(),
        "GlobalAvgPool1D(size=(1,), stride=(1,), padding=(0,), ceil_mode=True, global_pool=True, "
        "pool_type=avg, layout=NCW)",
    ),
    (lambda: contrib.nn.PixelShuffle2D((2, 3)), "PixelShuffle2D((2, 3))"),
    (
        lambda: contrib.nn.SyncBatchNorm(prefix="a_"),
        "SyncBatchNorm(eps=1e-05, momentum=0.9, fix_gamma=False, use_global_stats=False, ndev=1, "
        "key='a_', in_channels=None)",
    ),
]


@pytest.mark.parametrize("make, text", TEXTS, ids=[text.partition("(")[0] for _, text in TEXTS])
def test_text(make, text):
    assert repr(make()) == text


def test_text_in_numpy_mode(numpy_mode):
    assert repr(nn.Dense(3)) == "Dense(-1 -> 3, linear)"
    assert repr(nn.Conv2D(3, 2)).startswith("Conv2D(-1 -> 3, ")
    assert repr(nn.LayerNorm()).endswith("in_channels=-1)")


def test_names_and_modules():
    """Names begin with what a class is called, but for activations, convolutions and pooling."""
    for layer, hint, module in (
        (nn.Dense(1), "dense", "basic_layers"),
        (nn.Activation("relu"), "relu", "activations"),
        (nn.Conv1D(1, 1), "conv", "conv_layers"),
        (nn.Conv3DTranspose(1, 1), "conv", "conv_layers"),
        (nn.GlobalMaxPool2D(), "pool", "conv_layers"),
        (nn.BatchNormReLU(), "batchnormrelu", "basic_layers"),
    ):
        assert layer.name.rstrip("0123456789") == hint
        assert type(layer).__module__ == f"mxnet.gluon.nn.{module}"
    dense = nn.Dense(2, activation="relu", prefix="a_")
    assert list(dense.collect_params()) == ["a_weight", "a_bias"]
    assert dense.act.prefix == "a_relu_"


def test_parameters_of_norms():
    norm = nn.BatchNorm(center=False, scale=False, in_channels=3)
    assert list(norm._reg_params) == ["gamma", "beta", "running_mean", "running_var"]
    assert {one.grad_req for one in norm._reg_params.values()} == {"null"}
    norm = nn.BatchNorm(in_channels=3)
    assert [one.grad_req for one in norm._reg_params.values()] == ["write", "write", "null", "null"]
    assert [one.grad_req for one in nn.InstanceNorm()._reg_params.values()] == ["null", "write"]
    assert nn.GroupNorm(2).gamma.shape == (2,)


# ---- Shapes ------------------------------------------------------------------------------------

SHAPES = [
    (lambda: nn.Dense(3), (2, 4, 5), (3, 20), (2, 3)),
    (lambda: nn.Dense(3, flatten=False), (2, 4, 5), (3, 5), (2, 4, 3)),
    (lambda: nn.Conv1D(6, 3, groups=2), (2, 4, 9), (6, 2, 3), (2, 6, 7)),
    (lambda: nn.Conv2D(6, 3, 2, 1), (2, 4, 9, 8), (6, 4, 3, 3), (2, 6, 5, 4)),
    (lambda: nn.Conv2D(6, 3, layout="NHWC"), (2, 9, 8, 4), (6, 3, 3, 4), (2, 7, 6, 6)),
    (lambda: nn.Conv3D(2, (1, 2, 3)), (1, 2, 4, 4, 4), (2, 2, 1, 2, 3), (1, 2, 4, 3, 2)),
    (lambda: nn.Conv1DTranspose(3, 2, 2), (1, 2, 4), (2, 3, 2), (1, 3, 8)),
    (lambda: nn.Conv2DTranspose(4, 3, 2, 1, 1), (1, 6, 5, 5), (6, 4, 3, 3), (1, 4, 10, 10)),
    (lambda: nn.Conv3DTranspose(2, 2, 2), (1, 3, 2, 2, 2), (3, 2, 2, 2, 2), (1, 2, 4, 4, 4)),
    (lambda: nn.BatchNorm(axis=2), (2, 3, 4), (4,), (2, 3, 4)),
    (lambda: nn.LayerNorm(axis=1), (2, 3, 4), (3,), (2, 3, 4)),
    (lambda: nn.InstanceNorm(axis=2), (2, 3, 4), (4,), (2, 3, 4)),
    (lambda: nn.PReLU(in_channels=3), (2, 3, 4), (3,), (2, 3, 4)),
]


@pytest.mark.parametrize("kind", [nd, np], ids=["nd", "np"])
@pytest.mark.parametrize("make, given, shape, result", SHAPES, ids=[str(one[2]) for one in SHAPES])
def test_shapes_are_found_at_the_first_call(kind, make, given, shape, result):
    if kind is np:
        npx.set_np()
    try:
        layer = ready(make())
        x = kind.ones(given)
        y = layer(x)
        assert y.shape == result and type(y) is type(x)
        first = next(iter(layer.collect_params().values()))
        assert first.shape == shape
        assert layer(x).shape == result
    finally:
        npx.reset_np()


def test_a_layer_that_is_not_initialised_learns_no_shape():
    layer = nn.Dense(2)
    with pytest.raises(RuntimeError, match="has not been initialized"):
        layer(nd.ones((1, 3)))
    assert layer.weight.shape == (2, 0)
    assert ready(layer)(nd.ones((1, 5))).shape == (1, 2)


def test_wrong_arguments():
    for make, error in (
        (lambda: nn.Conv2D(4, 3, layout="NCW"), "Only supports 'NCHW' and 'NHWC' layout"),
        (lambda: nn.MaxPool2D(layout="NCW"), "layout of 2D pooling must be NCHW or NHWC, not NCW"),
        (lambda: nn.Conv2D(4, (3, 3, 3)), "kernel_size needs one integer or 2 of them"),
        (lambda: nn.MaxPool2D((2, 2, 2)), "pool_size needs one integer or 2 of them"),
        (lambda: nn.Lambda("nosuch"), "no function of the name 'nosuch'"),
        (lambda: nn.HybridLambda("nosuch"), "no function of the name 'nosuch'"),
        (lambda: nn.LeakyReLU(-1), "alpha must be 0 or more, not -1"),
    ):
        with pytest.raises(AssertionError, match=error):
            make()
    for make in (lambda: nn.Lambda(3), lambda: nn.HybridLambda(3)):
        with pytest.raises(ValueError, match="a function or its name is needed, not 3"):
            make()
    with pytest.raises(MXNetError, match="Invalid Input: 'foo'"):
        nn.Activation("foo")(nd.ones(2))
    with pytest.raises(ValueError, match="groups=3"):
        ready(nn.Conv2D(6, 3, groups=3))(nd.ones((1, 4, 5, 5)))
    with pytest.raises(MXNetError):
        ready(nn.Dense(2, in_units=4))(nd.ones((3, 5)))
    with pytest.raises(MXNetError):
        ready(nn.LayerNorm(in_channels=10))(nd.ones((2, 11)))
    with pytest.raises(NotBuiltError, match="SparseEmbedding"):
        contrib.nn.SparseEmbedding(2, 3)


# ---- Results -----------------------------------------------------------------------------------

ACTIVATIONS = {
    "relu": lambda x: numpy.maximum(x, 0),
    "sigmoid": lambda x: 1 / (1 + numpy.exp(-x)),
    "tanh": numpy.tanh,
    "softrelu": lambda x: numpy.log1p(numpy.exp(x)),
    "softsign": lambda x: x / (1 + abs(x)),
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_dense_with_an_activation(name):
    """The same in one operation, and in two where somebody looks at the activation."""
    x = numpy.array([[1.0, -2.0], [0.1, 0.3]], "float32")
    layer = ready(nn.Dense(1, activation=name, in_units=2))
    expected = ACTIVATIONS[name](x.sum(1, keepdims=True))
    near(layer(nd.array(x)), expected)
    seen = []
    handle = layer.act.register_forward_hook(lambda block, args, out: seen.append(out))
    near(layer(nd.array(x)), expected)
    near(seen[0], expected)
    handle.detach()
    layer(nd.array(x))
    assert len(seen) == 1
    near(nn.Activation(name)(nd.array(x)), ACTIVATIONS[name](x))


def elu(x, alpha=1.0):
    return numpy.where(x > 0, x, alpha * numpy.expm1(x))


X = numpy.array([[-2.0], [-0.1], [0.0], [0.5], [3.0]], "float32")


@pytest.mark.parametrize(
    "make, expected",
    [
        (lambda: nn.LeakyReLU(0.3), numpy.where(X > 0, X, 0.3 * X)),
        (lambda: nn.PReLU(), numpy.where(X > 0, X, 0.25 * X)),
        (lambda: nn.ELU(0.7), elu(X, 0.7)),
        (lambda: nn.SELU(), 1.0507009873554805 * elu(X, 1.6732632423543772)),
        (lambda: nn.GELU(), [[-0.04550026], [-0.04601722], [0], [0.34573123], [2.9959502]]),
        (lambda: nn.Swish(), X / (1 + numpy.exp(-X))),
        (lambda: nn.Swish(2.0), X / (1 + numpy.exp(-2 * X))),
    ],
    ids=["LeakyReLU", "PReLU", "ELU", "SELU", "GELU", "Swish", "Swish2"],
)
def test_activations(make, expected):
    layer = make()
    layer.initialize()
    near(layer(nd.array(X)), expected)


def test_slopes_at_zero():
    for layer, slope in ((nn.LeakyReLU(0.3), 0.3), (nn.PReLU(), 0.25)):
        layer.initialize()
        x = nd.array([[0.0]])
        x.attach_grad()
        with autograd.record():
            y = layer(x)
        y.backward()
        assert x.grad.asscalar() == numpy.float32(slope)


def test_batch_norm_keeps_statistics():
    layer = nn.BatchNorm(momentum=0.8)
    layer.initialize()
    x = nd.array([[1.0, 4.0], [3.0, 8.0]])
    with autograd.record():
        y = layer(x)
    near(y, [[-1, -1], [1, 1]])
    near(layer.running_mean.data(), [0.4, 1.2])
    near(layer.running_var.data(), [1.0, 1.6])
    near(layer(x), (x.asnumpy() - [0.4, 1.2]) / numpy.sqrt(numpy.array([1.0, 1.6]) + 1e-5))


def test_batch_norm_stays_float32_where_others_are_float16():
    layer = nn.BatchNorm(in_channels=2)
    layer.initialize()
    layer.cast("float16")
    assert {numpy.dtype(one.dtype).name for one in layer.collect_params().values()} == {"float32"}
    assert layer(nd.ones((3, 2), dtype="float16")).dtype is numpy.float16
    layer.cast("float64")
    assert layer(nd.ones((3, 2), dtype="float64")).dtype is numpy.float64


def test_other_layers():
    near(nn.Flatten()(nd.ones((2, 3, 4))), numpy.ones((2, 12)))
    x = nd.array(numpy.arange(9).reshape(1, 1, 3, 3))
    near(nn.ReflectionPad2D(1)(x)[0, 0, 0], [4, 3, 4, 5, 4])
    near(nn.MaxPool2D()(nd.array(numpy.arange(16).reshape(1, 1, 4, 4))), [[[[5, 7], [13, 15]]]])
    near(nn.AvgPool2D(count_include_pad=False, padding=1)(x)[0, 0], [[0, 1.5], [4.5, 6]])
    near(nn.GlobalAvgPool2D()(x), [[[[4]]]])
    near(nn.GlobalMaxPool1D()(x[0]), [[[2], [5], [8]]])
    near(ready(nn.Embedding(3, 2), 7)(nd.array([0, 9])), [[7, 7], [7, 7]])
    near(nn.Lambda(lambda a, b: a + b)(nd.ones(2), nd.ones(2)), [2, 2])
    near(nn.HybridLambda("relu")(nd.array([-1.0, 1.0])), [0, 1])
    shuffled = contrib.nn.PixelShuffle2D(2)(nd.array(numpy.arange(8).reshape(1, 4, 1, 2)))
    near(shuffled, [[[[0, 2, 1, 3], [4, 6, 5, 7]]]])


def test_dropout_layer():
    x = nd.ones((100,))
    layer = nn.Dropout(0.5)
    assert (layer(x).asnumpy() == 1).all()
    with autograd.train_mode():
        assert set(layer(x).asnumpy()) == {0, 2}
        assert (nn.Dropout(0)(x).asnumpy() == 1).all()


def test_what_users_override():
    """hybrid_forward is called with mx.nd and the parameters by name."""
    seen = []

    class Twice(nn.Dense):
        def hybrid_forward(self, F, x, weight, bias=None):
            seen.append((F is nd, weight.shape, bias.shape))
            return 2 * super().hybrid_forward(F, x, weight, bias)

    layer = ready(Twice(2, in_units=3))
    near(layer(nd.ones((1, 3))), [[6, 6]])
    assert seen == [(True, (2, 3), (2,))]


def test_copies_of_layers():
    layer = nn.HybridLambda("relu")
    for again in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer._func))):
        assert callable(again)
    dense = ready(nn.Dense(2, activation="relu", in_units=2))
    again = copy.deepcopy(dense)
    dense.weight.set_data(nd.zeros((2, 2)))
    near(again(nd.ones((1, 2))), [[2, 2]])
