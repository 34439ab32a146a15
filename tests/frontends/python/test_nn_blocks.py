"""Blocks: what belongs to them and by which names, calls, hooks, errors, text."""

import copy
import gc
import pickle
import threading
import weakref

import numpy as np
import pytest

import penstock as ps
from penstock import autograd, nn


class Net(nn.Block):
    def __init__(self):
        self.body = nn.Sequential(nn.Dense(4, "relu"), nn.Dense(3))
        self.head = nn.Dense(2, use_bias=False)
        self.scale = nn.Parameter((), init="ones")

    def forward(self, x):
        return self.head(self.body(x)) * self.scale.data


NAMES = ["scale", "body.0.weight", "body.0.bias", "body.1.weight", "body.1.bias", "head.weight"]


def note_of(caught):
    return [note for note in caught.value.__notes__ if note.startswith("in ")]


# ---- What belongs to a block ---------------------------------------------------------------------


def test_structured_names():
    net = Net()
    assert list(net.parameters()) == NAMES
    assert [name for name, _ in net.named_children()] == ["body", "head"]
    assert net.parameters()["body.1.bias"] is net.body[1].bias
    assert (net.scale.name, net.head.weight.name) == ("scale", "weight")


def test_attributes_replace_each_other():
    block = nn.Block()
    block.part = nn.Parameter(2)
    block.part = nn.Dense(2)
    assert (list(block.parameters()), [*block.named_children()]) == (
        ["part.weight", "part.bias"],
        [("part", block.part)],
    )
    block.part = 5
    assert (block.parameters(), [*block.named_children()], block.part) == ({}, [], 5)
    block.part = nn.Parameter(2)
    del block.part
    assert block.parameters() == {}
    with pytest.raises(AttributeError):
        block.part
    with pytest.raises(AttributeError):
        del block.part


def test_shared_parts_have_one_name():
    net = nn.Sequential(nn.Dense(3, in_units=3), nn.Dense(3, in_units=3))
    net[1].weight = net[0].weight
    assert list(net.parameters()) == ["0.weight", "0.bias", "1.bias"]
    twice = nn.Sequential(net[0], net[0])
    assert list(twice.parameters()) == ["0.weight", "0.bias"]


def test_a_block_inside_of_itself():
    block = nn.Block()
    block.weight = nn.Parameter(2)
    block.inner = nn.Block()
    block.inner.outer = block
    assert list(block.parameters()) == ["weight"]


def test_apply_begins_inside():
    seen = []
    net = Net()
    assert net.apply(lambda block: seen.append(block)) is net
    assert seen == [net.body[0], net.body[1], net.body, net.head, net]


def test_all_at_once():
    net = Net().initialize()
    net(ps.ones((1, 5)))
    assert net.cast("float64") is net
    assert {one.data.dtype for one in net.parameters().values()} == {ps.float64}
    for one in net.parameters().values():
        one.grad[...] = 1
    net.zero_grad()
    assert not any(one.grad.any() for one in net.parameters().values())
    assert net.initialize("ones", force=True) is net
    assert net.head.weight.data.tolist() == [[1.0] * 3] * 2
    assert net.body[0].bias.data.tolist() == [0.0] * 4  # its own comes first


def test_a_class_without_super_init():
    class Plain(nn.Block):
        def __init__(self, units):
            self.layer = nn.Dense(units)

        def forward(self, x):
            return self.layer(x)

    assert Plain(3).initialize()(ps.ones((2, 2))).shape == (2, 3)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda net: pickle.loads(pickle.dumps(net))])
def test_duplicates(duplicate):
    net = Net().initialize()
    x = ps.random.default_rng(1).normal(size=(3, 5))
    y = net(x)
    other = duplicate(net)
    assert list(other.parameters()) == NAMES
    assert (other(x) == y).all()
    other.head.weight.data[...] = 0
    assert (net(x) == y).all()
    assert not other(x).any()
    shared = duplicate(nn.Sequential(net.head, net.head))
    assert shared[0] is shared[1]


def test_blocks_are_freed():
    net = Net().initialize()
    net(ps.ones((1, 5)))
    dead = weakref.ref(net)
    del net
    assert dead() is None


# ---- Calls ---------------------------------------------------------------------------------------


def test_gradients_flow_to_all_parameters():
    net = Net().initialize(nn.init.Normal(1.0))
    x = ps.random.default_rng(2).normal(size=(8, 5))
    with autograd.record():
        loss = (net(x) ** 2).mean()
    loss.backward()
    assert [name for name, one in net.parameters().items() if not one.grad.any()] == []
    assert net.scale.grad.item() == pytest.approx(2 * loss.item(), rel=1e-5)


def test_the_first_call_settles_shapes_while_recording():
    net = Net().initialize()
    with autograd.record():
        y = net(ps.ones((2, 7)))
    y.backward()
    assert net.body[0].weight.grad.shape == (4, 7)


def test_not_initialised():
    net = Net()
    text = r"'weight' of shape \(4, \?\).*initialize\(\)"
    with pytest.raises(nn.NotInitialized, match=text) as caught:
        net(ps.ones((1, 5)))
    assert note_of(caught) == ["in layer 'body.0': Dense(? -> 4, relu), called with float32 (1, 5)"]


def test_two_threads_make_the_first_call():
    x = ps.random.default_rng(1).normal(size=(3, 5))
    for seed in range(20):
        results = []
        for threads in (1, 4):
            ps.random.seed(seed)
            net = Net().initialize()
            barrier = threading.Barrier(threads)
            found = []

            def body():
                barrier.wait()
                found.append(net(x).tolist())

            started = [threading.Thread(target=body) for _ in range(threads)]
            for thread in started:
                thread.start()
            for thread in started:
                thread.join()
            assert len(found) == threads
            assert all(one == found[0] for one in found)
            results.append(found[0])
        assert np.shape(results) == (2, 3, 2)


def test_a_block_of_its_own_settles_its_shapes():
    class Affine(nn.Block):
        def __init__(self):
            self.a = nn.Parameter((0,), init="ones")
            self.b = nn.Parameter((0,), init="zeros")

        def infer_shape(self, x):
            self.a.settle(x.shape[-1:])
            self.b.settle(x.shape[-1:])

        def forward(self, x):
            return x * self.a.data + self.b.data

    block = Affine().initialize()
    assert block(ps.ones((2, 3))).tolist() == [[1, 1, 1], [1, 1, 1]]
    assert block.b.shape == (3,)


def test_shapes_that_nobody_settles():
    class Lost(nn.Block):
        def __init__(self):
            self.weight = nn.Parameter((0,))

        def forward(self, x):
            return x * self.weight.data

    with pytest.raises(NotImplementedError, match="Lost does not define infer_shape.* weight"):
        Lost().initialize()(ps.ones(2))
    with pytest.raises(NotImplementedError, match="Block does not define forward"):
        nn.Block()(1)


# ---- Hooks ---------------------------------------------------------------------------------------


def test_hooks():
    layer = nn.Flatten()
    seen = []
    with layer.register_forward_pre_hook(lambda block, args: seen.append(args[0].shape)):
        with layer.register_forward_hook(lambda block, args, y: seen.append(y.shape)) as hook:
            layer(ps.ones((2, 3, 4)))
            hook.remove()
            layer(ps.ones((1, 2, 3)))
    layer(ps.ones((5, 6, 7)))
    assert seen == [(2, 3, 4), (2, 12), (1, 2, 3)]
    assert "forward" not in vars(layer)


def test_hooks_replace():
    layer = nn.Sequential(nn.Flatten())
    layer[0].register_forward_pre_hook(lambda block, args: (args[0] + 1,))
    layer[0].register_forward_hook(lambda block, args, y: y * 10)
    assert layer(ps.zeros((1, 2))).tolist() == [[10, 10]]
    other = copy.deepcopy(layer)
    assert other(ps.zeros((1, 2))).tolist() == [[10, 10]]
    assert other[0].forward.__self__ is other[0]
    with pytest.raises(TypeError, match="a hook must be a function, not 5"):
        layer.register_forward_hook(5)


def test_hooks_of_a_dead_block():
    layer = nn.Flatten()
    hook = layer.register_forward_hook(lambda *args: None)
    dead = weakref.ref(layer)
    del layer, hook
    gc.collect()
    assert dead() is None


# ---- Errors --------------------------------------------------------------------------------------


def test_wrong_shapes_name_the_layer():
    inner = nn.Sequential(nn.Dense(2, in_units=5))
    net = nn.Sequential(nn.Dense(4, in_units=3), inner).initialize()
    with pytest.raises(ValueError, match=r"linear|matmul") as caught:
        net(ps.ones((8, 3)))
    assert note_of(caught) == ["in layer '1.0': Dense(5 -> 2), called with float32 (8, 4)"]
    with pytest.raises(ValueError) as caught:
        net[1][0](ps.ones((8, 4)))
    assert note_of(caught) == ["in Dense(5 -> 2), called with float32 (8, 4)"]


def test_errors_of_a_program_name_the_layer():
    class Broken(nn.Block):
        def forward(self, x):
            raise KeyError("lost")

    class Holder(nn.Block):
        def __init__(self):
            self.parts = [Broken()]  # not known to belong to it

        def forward(self, x):
            return self.parts[0](x)

    with pytest.raises(KeyError) as caught:
        nn.Sequential(nn.Flatten(), Broken())(np.ones((2, 2)))
    assert note_of(caught) == ["in layer '1': Broken(), called with float64 (2, 2)"]
    with pytest.raises(KeyError) as caught:
        nn.Sequential(Holder())([1, 2])
    assert note_of(caught) == ["in layer '0.Broken': Broken(), called with list"]


def test_an_error_raised_twice_has_one_note():
    class Stubborn(nn.Block):
        error = ValueError("the same each time")

        def forward(self, x):
            raise self.error

    net = nn.Sequential(Stubborn())
    for _ in range(2):
        with pytest.raises(ValueError) as caught:
            net(1)
        assert note_of(caught) == ["in layer '0': Stubborn(), called with int"]


def test_deferred_shapes_that_do_not_fit():
    net = nn.Sequential(nn.Dense(2)).initialize()
    net(ps.ones((1, 3)))
    with pytest.raises(ValueError) as caught:
        net(ps.ones((1, 4)))
    assert note_of(caught) == ["in layer '0': Dense(3 -> 2), called with float32 (1, 4)"]


# ---- Text ----------------------------------------------------------------------------------------


def test_text():
    assert repr(Net()) == "\n".join(
        [
            "Net(",
            "  (body): Sequential(",
            "    (0): Dense(? -> 4, relu)",
            "    (1): Dense(? -> 3)",
            "  )",
            "  (head): Dense(? -> 2, use_bias=False)",
            ")",
        ]
    )


def test_summary():
    net = Net().initialize()
    net.scale.grad_request = "null"
    lines = net.summary((7, 5)).splitlines()
    assert [line.split() for line in lines if not line.startswith("-")] == [
        ["layer", "output", "parameters"],
        ["Net", "(7,", "2)", "1"],
        ["body:", "Sequential", "(7,", "3)", "0"],
        ["0:", "Dense", "(7,", "4)", "24"],
        ["1:", "Dense", "(7,", "3)", "15"],
        ["head:", "Dense", "(7,", "2)", "6"],
        ["parameters:", "46,", "with", "gradients:", "45"],
    ]
    assert lines == net.summary(ps.ones((7, 5))).splitlines()
    assert "forward" not in vars(net.head)
    with autograd.record():
        net.summary((7, 5))
        assert autograd.is_recording()


def test_summary_of_what_fails():
    net = Net().initialize()
    net(ps.ones((1, 5)))
    with pytest.raises(ValueError):
        net.summary((1, 6))
    assert "forward" not in vars(net) | vars(net.head)
