"""Parameters of a program's own blocks whose shapes are found at the first call."""

import pytest

from penstock.mxnet import autograd, nd, np, npx
from penstock.mxnet.gluon import HybridBlock, nn


@pytest.fixture
def numpy_mode():
    npx.set_np()
    yield
    npx.reset_np()


class Own(HybridBlock):
    """A function of x and parameters, whose shapes are given with 0 for what is open."""

    def __init__(self, function, **shapes):
        super().__init__()
        self.function = function
        with self.name_scope():
            for name, shape in shapes.items():
                request = "null" if name in ("mean", "variance") else "write"
                settings = {"allow_deferred_init": True, "grad_req": request}
                setattr(self, name, self.params.get(name, shape=shape, **settings))

    def hybrid_forward(self, F, x, **params):
        return self.function(F, x, **params)


IMAGE = (2, 3, 5, 5)
LAYERS = {
    "FullyConnected": (
        lambda F, x, w, b: F.FullyConnected(x, w, b, num_hidden=4),
        {"w": (4, 0), "b": (0,)},
        {"w": (4, 75), "b": (4,)},
    ),
    "FullyConnected of the last dimension": (
        lambda F, x, w: F.FullyConnected(x, w, num_hidden=4, no_bias=True, flatten=False),
        {"w": (4, 0)},
        {"w": (4, 5)},
    ),
    "Convolution": (
        lambda F, x, w, b: F.Convolution(x, weight=w, bias=b, kernel=(3, 3), num_filter=6),
        {"w": (6, 0, 3, 3), "b": (6,)},
        {"w": (6, 3, 3, 3), "b": (6,)},
    ),
    "Deconvolution": (
        lambda F, x, w: F.Deconvolution(x, w, kernel=(2, 2), num_filter=4, no_bias=True),
        {"w": (0, 4, 2, 2)},
        {"w": (3, 4, 2, 2)},
    ),
    "BatchNorm": (
        lambda F, x, g, b, mean, variance: F.BatchNorm(x, g, b, mean, variance),
        dict.fromkeys(("g", "b", "mean", "variance"), (0,)),
        dict.fromkeys(("g", "b", "mean", "variance"), (3,)),
    ),
    "LayerNorm": (
        lambda F, x, g: F.LayerNorm(x, g, F.zeros_like(g)),
        {"g": (0,)},
        {"g": (5,)},
    ),
    "Embedding": (
        lambda F, x, w: F.Embedding(x, w, input_dim=7, output_dim=2),
        {"w": (0, 0)},
        {"w": (7, 2)},
    ),
    "operators": (lambda F, x, w: x * (w * 2 + 1) - w, {"w": (0,) * 4}, {"w": IMAGE}),
    "reflected operators": (lambda F, x, w: 2 / w + x, {"w": (0,) * 4}, {"w": IMAGE}),
    "elemwise_add": (lambda F, x, w: F.elemwise_add(x, F.relu(-w)), {"w": (0,) * 4}, {"w": IMAGE}),
}


@pytest.mark.parametrize("name", LAYERS)
def test_shapes_are_found_by_use(name):
    function, before, after = LAYERS[name]
    block = Own(function, **before)
    block.initialize()
    x = nd.ones(IMAGE)
    with autograd.record():
        first = block(x)
    assert type(first) is nd.NDArray
    assert {one: block._reg_params[one].shape for one in after} == after
    first.backward()
    trained = {
        one: param for one, param in block._reg_params.items() if param.grad_req == "write"
    }
    grads = {one: param.grad().asnumpy() for one, param in trained.items()}
    with autograd.record():
        second = block(x)
    second.backward()
    assert (first.asnumpy() == second.asnumpy()).all()
    for one, param in trained.items():
        assert (param.grad().asnumpy() == grads[one]).all()


def test_numpy_mode(numpy_mode):
    block = Own(
        lambda F, x, w, v: F.npx.fully_connected(x.dot(w), v, num_hidden=2, no_bias=True),
        w=(-1, 4),
        v=(2, -1),
    )
    block.initialize()
    assert block(np.ones((3, 5))).shape == (3, 2)
    assert block.w.shape == (5, 4) and block.v.shape == (2, 4)


@pytest.mark.parametrize(
    "function",
    [
        lambda F, x, w: F.broadcast_mul(x, w),
        lambda F, x, w: F.dot(x, w),
        lambda F, x, w: F.concat(x, w, dim=0),
        lambda F, x, w: x * w.T,
        lambda F, x, w: w * w,
    ],
)
def test_shapes_that_cannot_be_found(function):
    block = Own(function, w=(0, 0))
    block.initialize()
    with pytest.raises(ValueError, match="cannot be completed.*_w' is not known"):
        block(nd.ones((2, 2)))


def test_blocks_in_blocks():
    inner = Own(lambda F, x, w: x * w, w=(0,))
    outer = Own(lambda F, x, w: [inner(x + 1) * w, x], w=(0,))
    outer.inner = inner
    outer.initialize("ones")
    product, x = outer(nd.array([1, 2]))
    assert product.asnumpy().tolist() == [2, 3]
    assert type(product) is type(x) is nd.NDArray
    assert inner.w.shape == (2,)


def test_infer_shape():
    net = nn.HybridSequential()
    net.add(nn.Dense(3), Own(lambda F, x, w: F.FullyConnected(x, w, None, 2, True), w=(2, 0)))
    net.infer_shape(nd.ones((1, 7)))
    assert net[0].weight.shape == (3, 7) and net[1].w.shape == (2, 3)
    with pytest.raises(RuntimeError, match="has not been initialized"):
        net(nd.ones((1, 7)))
    net.initialize()
    assert net(nd.ones((1, 7))).shape == (1, 2)


def test_a_class_may_say_its_shapes():
    class Says(Own):
        def infer_shape(self, x):
            self.w.shape = (x.shape[1], 1)

    block = Says(lambda F, x, w: F.dot(x, w), w=(0, 1))
    block.initialize("ones")
    assert block(nd.ones((2, 3))).asnumpy().tolist() == [[3], [3]]


def test_uninitialised():
    with pytest.raises(RuntimeError, match="has not been initialized"):
        Own(lambda F, x, w: x * w, w=(0,))(nd.ones(2))


def test_sums_of_many_are_recorded():
    block = Own(lambda F, x, v, w: F.add_n(x, v, w), v=(0,), w=(0,))
    block.initialize()
    with autograd.record():
        y = block(nd.ones(2)) * 3
    y.backward()
    assert block.v.grad().asnumpy().tolist() == block.w.grad().asnumpy().tolist() == [3, 3]
