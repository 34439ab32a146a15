"""mx.kvstore of one process, as MXNet 1.9.1 has it."""

import pytest

from penstock import mxnet as mx
from penstock.mxnet import nd, np
from penstock.mxnet.base import MXNetError, NotBuiltError


def pulled(store, key, length=2):
    out = nd.empty(length)
    store.pull(key, out=out)
    return out.asnumpy().tolist()


@pytest.fixture(params=["local", "device"])
def store(request):
    made = mx.kv.create(request.param)
    made.init("a", nd.ones(2))
    return made


def test_what_it_is(store):
    assert (store.rank, store.num_workers) == (0, 1)
    assert mx.kv.create("Local").type == "local"
    assert store.is_capable("optimizer")
    assert mx.kv is mx.kvstore
    with pytest.raises(ValueError, match="Unknown capability"):
        store.is_capable("other")


def test_push_and_pull(store):
    assert pulled(store, "a") == [1, 1]
    store.push("a", nd.array([3, 4]))
    assert pulled(store, "a") == [3, 4]
    store.push("a", [nd.ones(2), nd.ones(2, ctx=mx.cpu(1)) * 2])
    outs = [nd.empty(2), nd.empty(2, ctx=mx.cpu(1))]
    store.pull("a", out=outs)
    assert [one.asnumpy().tolist() for one in outs] == [[3, 3], [3, 3]]


def test_what_is_there_is_a_copy():
    value, store = nd.ones(2), mx.kv.create()
    store.init(1, value)
    value[:] = 5
    assert pulled(store, 1) == [1, 1]


def test_several_keys():
    store = mx.kv.create()
    store.init([1, 2], [nd.ones(2), nd.ones(3)])
    store.push([1, 2], [[nd.ones(2)] * 2, [nd.ones(3)] * 3])
    outs = [[nd.empty(2)], [nd.empty(3)]]
    store.pull([1, 2], out=outs)
    assert outs[0][0].asnumpy().tolist() == [2, 2]
    assert outs[1][0].asnumpy().tolist() == [3, 3, 3]
    with pytest.raises(AssertionError, match="2 keys and 1 values"):
        store.push([1, 2], [nd.ones(2)])


def test_pushpull_and_broadcast(store):
    values = [nd.ones(2), nd.ones(2)]
    store.pushpull("a", values)
    assert [one.asnumpy().tolist() for one in values] == [[2, 2], [2, 2]]
    out = nd.empty(2)
    store.pushpull("a", nd.ones(2) * 7, out=out)
    assert out.asnumpy().tolist() == [7, 7]
    store.broadcast("b", nd.array([1, 2]), out=[out])
    assert out.asnumpy().tolist() == [1, 2]


def test_keys(store):
    for wrong, text in (
        (lambda: store.init("a", nd.ones(2)), "duplicate init"),
        (lambda: store.init(3, nd.ones(2)), "Mixed key types"),
        (lambda: store.push("b", nd.ones(2)), "doesn't exist"),
        (lambda: store.pull("b", out=nd.ones(2)), "doesn't exist"),
        (lambda: store.push("a", nd.ones(3)), "shape"),
    ):
        with pytest.raises(MXNetError, match=text):
            wrong()
    for wrong in (lambda: store.init(3.5, nd.ones(2)), lambda: store.pull("a")):
        with pytest.raises(AssertionError):
            wrong()
    with pytest.raises(TypeError):
        store.init("c", [3])


def test_types_are_those_of_what_is_there(store):
    store.push("a", nd.array([3, 4], dtype="int32"))
    assert pulled(store, "a") == [3, 4]


def test_optimizer(store, tmp_path):
    path = str(tmp_path / "states")
    with pytest.raises(AssertionError, match="no optimizer"):
        store.save_optimizer_states(path)
    store.set_optimizer(mx.optimizer.SGD(learning_rate=0.5, momentum=0.5))
    store.push("a", nd.ones(2))
    assert pulled(store, "a") == [0.5, 0.5]
    store.save_optimizer_states(path)
    other = mx.kv.create()
    other.set_optimizer(mx.optimizer.SGD(learning_rate=0.5, momentum=0.5))
    other.init("a", nd.ones(2) * 0.5)
    other.load_optimizer_states(path)
    for one in (store, other):
        one.push("a", [nd.ones(2), nd.ones(2)])
        assert pulled(one, "a") == [-0.75, -0.75]


@pytest.mark.parametrize("key", ["3", 3])
def test_updater(key):
    store, keys = mx.kv.create(), []
    store.init(key, nd.ones(2))

    def update(key, value, stored):
        keys.append(key)
        stored += value * 2

    store._set_updater(update)
    store.push(key, nd.ones(2))
    assert pulled(store, key) == [3, 3]
    assert keys == [key.encode() if isinstance(key, str) else key]


def test_arrays_of_numpy():
    store, out = mx.kv.create(), np.zeros(2)
    store.init("a", np.ones(2))
    store.push("a", [np.ones(2), np.ones(2)])
    store.pull("a", out=out)
    assert out.tolist() == [2, 2]


def test_stores_that_programs_register():
    @mx.kv.KVStoreBase.register
    class OfThisTest(mx.kv.KVStoreBase):
        pass

    try:
        assert type(mx.kv.create("OfThisTest")) is OfThisTest
        with pytest.raises(NotImplementedError):
            mx.kv.create("ofthistest").set_optimizer(None)
    finally:
        del mx.kv.KVStoreBase.kv_registry["ofthistest"]


@pytest.mark.parametrize("thing", [mx.kvstore, mx.kv.KVStoreBase, mx.name.Prefix])
def test_examples(thing):
    import doctest

    test = doctest.DocTestParser().get_doctest(thing.__doc__, {"mx": mx}, "", None, 0)
    report = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert test.examples and not report
    mx.kv.KVStoreBase.kv_registry.pop("mine", None)


def test_what_there_is_not(store):
    for name in ("dist_sync", "dist_async", "nccl", "horovod"):
        with pytest.raises(NotBuiltError, match=name):
            mx.kv.create(name)
    with pytest.raises(TypeError, match="must be a string"):
        mx.kv.create(3)
    with pytest.raises(NotBuiltError, match="row_sparse_pull"):
        store.row_sparse_pull("a", out=nd.ones(2), row_ids=nd.ones(1))
    with pytest.raises(Exception, match="compress"):
        store.set_gradient_compression({"type": "2bit"})
