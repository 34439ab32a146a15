"""Parameters of Gluon's blocks in files."""

import json

import pytest

from penstock import mxnet as mx
from penstock.mxnet import nd, np, npx
from penstock.mxnet.gluon import nn

X = nd.ones((2, 4))


def network(prefix="net_", shared=False):
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(nn.Dense(4, in_units=4))
        net.add(nn.Dense(4, in_units=4, params=net[0].params if shared else None))
    return net


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "net.params")


def saved(path, **settings):
    net = network(**settings)
    net.initialize(mx.init.Normal(1))
    net.save_parameters(path)
    return net


def same(one, other):
    return (one(X).asnumpy() == other(X).asnumpy()).all()


def test_structured_names(path):
    """45."""
    net = saved(path)
    assert sorted(nd.load(path)) == ["0.bias", "0.weight", "1.bias", "1.weight"]
    other = network("other_")
    other.load_parameters(path, ctx=mx.cpu(0))
    assert same(net, other)


def test_loading_settles_shapes(path):
    net = saved(path)
    other = nn.Sequential()
    other.add(nn.Dense(4), nn.Dense(4))
    other.load_parameters(path)
    assert other[1].weight.shape == (4, 4)
    assert same(net, other)


def test_shared_parameters(path):
    net = saved(path, shared=True)
    assert sorted(nd.load(path)) == ["0.bias", "0.weight", "1.bias", "1.weight"]
    net.save_parameters(path, deduplicate=True)
    assert sorted(nd.load(path)) == ["1.bias", "1.weight"]
    other = network(shared=True)
    other.load_parameters(path)
    assert same(net, other)


def test_names_after_the_prefix(path):
    net = saved(path)
    net.collect_params().save(path, net.prefix)
    assert sorted(nd.load(path))[0] == "dense0_bias"
    other = network("other_")
    other.load_parameters(path)
    assert same(net, other)


def test_deprecated_names(path):
    net = network()
    net.initialize()
    with pytest.warns(UserWarning, match="save_params is the old name"):
        net.save_params(path)
    other = network("other_")
    with pytest.warns(UserWarning, match="load_params is the old name"):
        other.load_params(path)
    assert same(net, other)


def test_what_is_missing_or_too_much(path):
    """43."""
    saved(path)
    arrays = nd.load(path)
    less = {name: one for name, one in arrays.items() if name != "1.bias"}
    nd.save(path, less)
    net = network()
    with pytest.raises(AssertionError, match="nothing for Parameter '1.bias'"):
        net.load_parameters(path)
    with pytest.raises(RuntimeError):
        net[0].weight.data()  # nothing was set
    net.load_parameters(path, allow_missing=True)
    nd.save(path, {**arrays, "2.weight": nd.ones(1)})
    with pytest.raises(ValueError, match="has '2.weight', which"):
        net.load_parameters(path)
    net.load_parameters(path, ignore_extra=True)
    nd.save(path, {**arrays, "0.weight": nd.ones((4, 3))})
    with pytest.raises(AssertionError, match="has shape .* what was saved for it"):
        net.load_parameters(path)
    nd.save(path, arrays)
    with pytest.raises(AssertionError, match="cannot be loaded on"):
        net.load_parameters(path, ctx=mx.cpu(1))
    nd.save(path, list(arrays.values()))
    with pytest.raises(AttributeError, match="no names"):
        net.load_parameters(path)


def test_types(path):
    net = saved(path)
    net.cast("float16")
    with pytest.raises(AssertionError, match="has type .* what was saved for it"):
        net.load_parameters(path)
    net.load_parameters(path, cast_dtype=True)
    assert str(net[0].weight.data().asnumpy().dtype) == "float16"
    net.load_parameters(path, cast_dtype=True, dtype_source="saved")
    assert str(net[0].weight.data().asnumpy().dtype) == "float32"


def test_contexts(path):
    net = network()
    net.initialize(mx.init.One(), ctx=[mx.cpu(0), mx.cpu(1)])
    net[0].weight.data(mx.cpu(1))[:] = 3
    net.save_parameters(path)
    assert (nd.load(path)["0.weight"].asnumpy() == 2).all()
    net.load_parameters(path)
    assert (net[0].weight.data(mx.cpu(1)).asnumpy() == 2).all()


def test_numpy_mode(path):
    npx.set_np()
    try:
        net = saved(path)
        other = network()
        other.load_parameters(path)
        assert type(other[0].weight.data()) is np.ndarray
        assert (other(np.ones((1, 4))).asnumpy() == net(np.ones((1, 4))).asnumpy()).all()
    finally:
        npx.reset_np()


def test_blocks_with_what_is_inside(tmp_path):
    prefix = str(tmp_path / "net")
    net = network()
    net.initialize(mx.init.Normal(1))
    net.save(prefix)
    structure = json.loads((tmp_path / "net-model.json").read_text())
    assert list(structure["net"]["children"].values()) == ["0", "1"]
    other = network("other_")
    other.load(prefix)
    assert same(net, other)
    smaller = nn.HybridSequential()
    smaller.add(nn.Dense(4))
    with pytest.raises(ValueError, match="has blocks"):
        smaller.load(prefix)
    with pytest.raises(FileNotFoundError):
        other.load(str(tmp_path / "missing"))
