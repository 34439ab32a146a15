"""Sequential and HybridSequential of mx.gluon.nn, Concurrent of mx.gluon.contrib.nn."""

import warnings

import pytest

from penstock import mxnet as mx
from penstock.mxnet import nd
from penstock.mxnet.gluon import contrib, nn

BOTH = pytest.mark.parametrize("kind", [nn.Sequential, nn.HybridSequential])


def made(kind, **kwargs):
    net = kind(**kwargs)
    net.add(nn.Dense(3, activation="relu"), nn.Dense(2))
    return net


@BOTH
def test_blocks_one_after_the_other(kind):
    net = made(kind)
    net.initialize(mx.init.One())
    assert net(nd.ones((1, 4))).asnumpy().tolist() == [[12, 12]]
    assert kind()(nd.ones(2)).asnumpy().tolist() == [1, 1]


@BOTH
def test_text(kind):
    name = kind.__name__
    assert repr(kind()) == f"{name}(\n\n)"
    outer = kind()
    outer.add(made(kind), nn.Flatten())
    assert repr(outer) == (
        f"{name}(\n  (0): {name}(\n    (0): Dense(None -> 3, Activation(relu))\n"
        "    (1): Dense(None -> 2, linear)\n  )\n  (1): Flatten\n)"
    )


@BOTH
def test_items(kind):
    net = made(kind, prefix="net_")
    assert len(net) == 2 and bool(net) and not bool(kind())
    assert net[0]._units == 3 and net[-1]._units == 2
    assert [one._units for one in net] == [3, 2]
    with pytest.raises(IndexError):
        net[2]
    part = net[1:]
    assert type(part) is kind and len(part) == 1 and part[0] is net[1]
    assert part.prefix == "net_"
    assert list(part.collect_params()) == [net[1].weight.name, net[1].bias.name]


@BOTH
def test_names_inside_of_a_name_scope(kind):
    net = kind(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(1), nn.Dense(1))
    names = list(net.collect_params())
    assert names == ["net_dense0_weight", "net_dense0_bias", "net_dense1_weight", "net_dense1_bias"]
    assert list(net._collect_params_with_prefix()) == ["0.weight", "0.bias", "1.weight", "1.bias"]


def test_hybrid_blocks_only():
    with pytest.raises(ValueError, match="a HybridBlock takes HybridBlocks only"):
        nn.HybridSequential().add(nn.Lambda("relu"))
    with pytest.warns(UserWarning, match="a HybridSequential of them would"):
        made(nn.Sequential).hybridize()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        net = made(nn.Sequential)
        net.add(nn.Lambda("relu"))
        net.hybridize()
        made(nn.HybridSequential).hybridize()


@pytest.mark.parametrize("kind", [contrib.nn.Concurrent, contrib.nn.HybridConcurrent])
def test_side_by_side(kind):
    net = kind(axis=1)
    net.add(nn.Dense(2), contrib.nn.Identity())
    net.initialize(mx.init.One())
    assert net(nd.ones((1, 3))).asnumpy().tolist() == [[3, 3, 1, 1, 1]]
