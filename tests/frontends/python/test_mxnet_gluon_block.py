"""Blocks of mx.gluon: names, what is inside, calls, hooks, text, as MXNet 1.9.1 has them.

Numbers beside the tests are those of the facts that were found by running MXNet itself.
"""

import copy
import threading

import pytest

from penstock import mxnet as mx
from penstock.mxnet import autograd, gluon, nd, np, npx
from penstock.mxnet.base import NotBuiltError
from penstock.mxnet.gluon import Block, HybridBlock, Parameter, nn

X = nd.array([[1, 2, 3, 4], [5, 6, 7, 8]])


@pytest.fixture
def numpy_mode():
    npx.set_np()
    yield
    npx.reset_np()


class MLP(Block):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.hidden = nn.Dense(3, activation="relu")
            self.output = nn.Dense(2)

    def forward(self, x):
        return self.output(self.hidden(x))


class Scale(HybridBlock):
    """A block of a program's own, of mx.nd or mx.np."""

    def __init__(self, length=2, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.factor = self.params.get("factor", shape=(length,), init="ones")

    def hybrid_forward(self, F, x, factor):
        self.given = F
        return x * factor


def values(array):
    return array.asnumpy().tolist()


def in_new_thread(function):
    """What a function gives in a thread of its own, where names are counted anew."""
    found = []
    thread = threading.Thread(target=lambda: found.append(function()))
    thread.start()
    thread.join()
    return found[0]


# ---- Names: 45 ----------------------------------------------------------------------------------


def test_names_are_counted_for_each_thread():
    def names():
        return nn.Dense(1).name, nn.Dense(1).prefix, MLP().output.weight.name, MLP().name

    wanted = ("dense0", "dense1_", "mlp0_dense1_weight", "mlp1")
    assert in_new_thread(names) == in_new_thread(names) == wanted


def test_prefixes():
    net = MLP(prefix="net_")
    assert net.prefix == "net_" and net.name == "net"
    assert list(net.collect_params()) == [
        "net_dense0_weight",
        "net_dense0_bias",
        "net_dense1_weight",
        "net_dense1_bias",
    ]
    plain = in_new_thread(lambda: MLP(prefix="").hidden.name)
    assert plain == "dense0"
    with mx.name.Prefix("my_"):
        assert nn.Dense(1).name == "my_dense0"
        assert nn.Dense(1).weight.name == "my_dense1_weight"


def test_name_managers():
    with mx.name.NameManager() as names:
        assert [names.get(one, "a") for one in (None, None, "b")] == ["a0", "a1", "b"]
        with pytest.warns(DeprecationWarning, match="NameManager.current"):
            assert mx.name.NameManager.current is names
    with mx.AttrScope(a="1"), mx.AttrScope(b="2") as inner:
        assert inner.get({"b": "3"}) == {"a": "1", "b": "3"}
    with pytest.raises(ValueError, match="string"):
        mx.AttrScope(a=1)


def test_texts():
    """44, 45."""
    def texts():
        net = nn.Sequential()
        net.add(nn.Dense(3, activation="relu"), nn.Dense(1))
        net.initialize()
        before = repr(net), repr(net.collect_params())
        net(X)
        return (*before, repr(net))

    before, params, after = in_new_thread(texts)
    assert before == (
        "Sequential(\n  (0): Dense(None -> 3, Activation(relu))\n"
        "  (1): Dense(None -> 1, linear)\n)"
    )
    assert params.splitlines()[:2] == [
        "sequential0_ (",
        "  Parameter dense0_weight (shape=(3, 0), dtype=float32)",
    ]
    assert "(0): Dense(4 -> 3, Activation(relu))" in after
    assert repr(MLP()) == (
        "MLP(\n  (hidden): Dense(None -> 3, Activation(relu))\n"
        "  (output): Dense(None -> 2, linear)\n)"
    )
    assert repr(Block()) == "Block(\n\n)"


def test_texts_in_numpy_mode(numpy_mode):
    """44."""
    layer = nn.Dense(3)
    assert layer.weight.shape == (3, -1)
    assert repr(layer) == "Dense(-1 -> 3, linear)"


# ---- What is inside -----------------------------------------------------------------------------


def test_select():
    net = MLP(prefix="net_")
    assert list(net.collect_params(".*weight")) == ["net_dense0_weight", "net_dense1_weight"]
    assert list(net.collect_params("weight")) == []
    assert list(net.collect_params("net_dense1.*|.*bias")) == [
        "net_dense0_bias",
        "net_dense1_weight",
        "net_dense1_bias",
    ]
    assert list(net.params) == []


def test_shared_parameters():
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        first = nn.Dense(4, in_units=4, activation="relu")
        net.add(first, nn.Dense(4, in_units=4, params=first.params))
    net.initialize()
    assert net[1].weight is net[0].weight
    assert list(net.collect_params()) == ["net_dense0_weight", "net_dense0_bias"]


def test_attributes_keep_their_kind():
    net = MLP()
    with pytest.raises(TypeError, match="and must stay so"):
        net.hidden = 3
    with pytest.raises(TypeError, match="must stay so"):
        net.output = None
    other = nn.Dense(7)
    net.hidden = other
    assert net.hidden is other and list(net._children) == ["hidden", "output"]
    with pytest.raises(AssertionError, match="there is a Parameter weight already"):
        other.weight = Parameter("w")
    with pytest.raises(ValueError, match="takes HybridBlocks only"):
        nn.HybridSequential().add(MLP())


def test_lists_of_blocks_are_warned_of():
    class Lost(Block):
        def __init__(self):
            super().__init__()
            self.layers = [nn.Dense(1)]
            self.kept = [self.register(nn.Dense(2))]

        def register(self, block):
            self.register_child(block)
            return block

    net = Lost()
    with pytest.warns(UserWarning, match='"Lost.layers" holds Blocks') as found:
        params = net.collect_params()
    assert len(found) == 1
    assert len(params.keys()) == 2


def test_apply_goes_inside_out():
    names = []
    net = MLP(prefix="net_")
    assert net.apply(lambda block: names.append(block.name)) is net
    assert names == ["net_dense0_relu", "net_dense0", "net_dense1", "net"]


def test_cast():
    net = MLP()
    net.initialize("ones")
    net(X)
    net.cast("float64")
    assert net(X.astype("float64")).asnumpy().dtype == "float64"


def test_deepcopy():
    net = MLP()
    net.initialize("ones")
    wanted = values(net(X))
    same = copy.deepcopy(net)
    same.hidden.weight.set_data(nd.zeros((3, 4)))
    assert values(net(X)) == wanted
    assert values(same(X)) == [[0, 0], [0, 0]]


# ---- Calls --------------------------------------------------------------------------------------


def test_hybrid_forward_is_given_nd():
    block = Scale()
    block.initialize()
    assert values(block(nd.array([2, 3]))) == [2, 3]
    assert block.given is nd
    assert nd.np is np and nd.npx is npx


def test_hybrid_forward_in_numpy_mode(numpy_mode):
    block = Scale()
    block.initialize()
    found = block(np.array([2, 3]))
    assert type(found) is np.ndarray and values(found) == [2, 3]
    with pytest.raises(TypeError):
        block(nd.array([2, 3]))  # 17


def test_what_blocks_give_in_numpy_mode(numpy_mode):
    class Same(Block):
        def forward(self, x):
            return x

    assert Same()(3) == 3
    assert Same()(None) is None
    for wrong in (nd.ones(1), [np.ones(1), nd.ones(1)]):
        with pytest.raises(TypeError, match="mx.np"):
            Same()(wrong)


def test_parameters_of_the_context_are_used():
    block = Scale()
    block.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    block.factor.data(mx.cpu(1))[:] = 5
    assert values(block(nd.ones(2))) == [1, 1]
    assert values(block(nd.ones(2, ctx=mx.cpu(1)))) == [5, 5]
    with pytest.raises(RuntimeError, match=r"has no data on cpu\(2\)"):
        block(nd.ones(2, ctx=mx.cpu(2)))


def test_new_arrays_are_used():
    """What a block remembers of its parameters is forgotten when they get other arrays."""
    block = Scale()
    block.initialize()
    x = nd.ones(2)
    assert values(block(x)) == [1, 1]
    block.factor.set_data(nd.array([2, 3]))
    assert values(block(x)) == [2, 3]
    block.initialize(mx.init.Zero(), force_reinit=True)
    assert values(block(x)) == [1, 1]
    block.collect_params().reset_ctx(mx.cpu(1))
    with pytest.raises(RuntimeError, match="has no data on"):
        block(x)


def test_uninitialised():
    """43."""
    with pytest.raises(RuntimeError, match="'net_dense0_weight' has not been initialized"):
        MLP(prefix="net_")(X)
    net = MLP()
    net.initialize()
    with pytest.raises(gluon.DeferredInitializationError):
        net.hidden.weight.data()


def test_errors_name_the_layer():
    net = nn.Sequential()
    net.add(MLP(), nn.Dense(2, in_units=7))
    net.initialize()
    with pytest.raises(mx.MXNetError) as raised:
        net(X)
    assert any("layer '1'" in note and "(2, 2)" in note for note in raised.value.__notes__)


def test_arguments_that_are_no_arrays():
    class Sum(HybridBlock):
        def hybrid_forward(self, F, x, y=None):
            return sum(one for one in (x if isinstance(x, list) else [x, y]) if one is not None)

    block = Sum()
    assert values(block(None, nd.ones(1))) == [1]
    assert values(block([nd.ones(1), nd.ones(1)])) == [2]
    assert values(block(nd.ones(1), 2)) == [3]
    for wrong in ((None, None), (3,), ([],)):
        with pytest.raises(ValueError, match="called with at least one NDArray"):
            block(*wrong)
    with pytest.raises(TypeError):
        block()
    with pytest.raises(TypeError):
        block(x=nd.ones(1))


def test_what_a_class_must_define():
    with pytest.raises(NotImplementedError, match="forward"):
        Block()(X)
    with pytest.raises(NotImplementedError, match="hybrid_forward"):
        HybridBlock()(X)


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True, "static_shape": True}])
def test_hybridize_changes_nothing(flags):
    net = nn.HybridSequential()
    net.add(nn.Dense(3, activation="tanh"), Scale(3))
    net.initialize("ones")
    with autograd.record():
        before = net(X)
    before.backward()
    grad = values(net[0].weight.grad())
    net.hybridize(**flags)
    with autograd.record():
        after = net(X)
    after.backward()
    assert values(before) == values(after)
    assert values(net[0].weight.grad()) == grad
    assert dict(net._flags)["static_alloc"] == flags.get("static_alloc", False)
    assert net._active and net[1]._active
    net.hybridize(False)
    assert not net[1]._active


def test_hooks():
    net, seen = MLP(), []
    net.initialize()
    before = net.register_forward_pre_hook(lambda *given: seen.append(("before", *given)))
    with net.register_forward_hook(lambda *given: seen.append(("after", *given))):
        y = net(X)
    assert [(one[0], one[1] is net, one[2] == (X,)) for one in seen] == [
        ("before", True, True),
        ("after", True, True),
    ]
    assert seen[1][3] is y
    before.detach()
    before.detach()
    net(X)
    assert len(seen) == 2


def test_summary(capsys):
    net = nn.HybridSequential()
    net.add(nn.Dense(3, activation="relu"), nn.BatchNorm(), nn.Dense(2))
    net.initialize()
    net.summary(X)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[3:8] == [
        ["Input", "(2,", "4)", "0"],
        ["Activation-1", "(2,", "3)", "0"],
        ["Dense-2", "(2,", "3)", "15"],
        ["BatchNorm-3", "(2,", "3)", "12"],
        ["Dense-4", "(2,", "2)", "8"],
    ]
    assert lines[10:13] == [
        ["Total", "params:", "35"],
        ["Trainable", "params:", "29"],
        ["Non-trainable", "params:", "6"],
    ]
    net.hybridize()
    with pytest.raises(AssertionError, match="is hybridized"):
        net.summary(X)


def test_what_there_is_not():
    net = nn.HybridSequential()
    for call in (
        lambda: net.export("net"),
        lambda: net.optimize_for(X),
        lambda: net.register_op_hook(print),
        lambda: gluon.SymbolBlock(None, None),
        lambda: gluon.SymbolBlock.imports("net", ["data"]),
        lambda: net.hybridize(backend="other"),
    ):
        with pytest.raises(NotBuiltError, match="mxnet.gluon"):
            call()
