"""nn.Module, parameters and containers: registration, state, modes, hooks, texts, copies."""

import copy
import pickle
import threading
from collections import OrderedDict

import pytest
from penstock import torch
from penstock.torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 2)
        self.scale = nn.Parameter(torch.zeros(1))
        self.again = self.first
        self.register_buffer("seen", torch.ones(1))
        self.register_buffer("passing", torch.ones(1), persistent=False)
        self.plain = torch.ones(1)
        self.hidden = [nn.Linear(1, 1)]

    def forward(self, x):
        return self.first(x) * self.scale


# ---- Parameters ----------------------------------------------------------------------------------


def test_a_parameter_shares_the_elements_and_not_the_gradient():
    data = torch.ones(2)
    one = nn.Parameter(data)
    data += 1
    assert one.tolist() == [2, 2] and one.requires_grad and not data.requires_grad
    assert repr(one) == "Parameter containing:\ntensor([2., 2.], requires_grad=True)"
    assert not nn.Parameter(torch.arange(3), requires_grad=False).requires_grad
    with pytest.raises(RuntimeError, match="floating point"):
        nn.Parameter(torch.arange(3))
    with pytest.raises(AttributeError):
        nn.Parameter([1.0])


def test_operations_on_parameters_give_plain_tensors():
    one = nn.Parameter(torch.ones(2, 2))
    made = (one + 1, one[0], one.T, one.detach(), one.data, one.clone(), one @ one)
    assert {type(each) for each in made} == {torch.Tensor}
    assert type(copy.copy(one)) is type(copy.deepcopy(one)) is nn.Parameter
    with torch.no_grad():
        one += 1
    assert type(one) is nn.Parameter and one.requires_grad


def test_copies_and_pickles_of_parameters():
    one = nn.Parameter(torch.ones(2), requires_grad=False)
    one_more = nn.Parameter(torch.ones(2))
    (one_more * 2).sum().backward()
    for made in (copy.deepcopy(one_more), pickle.loads(pickle.dumps(one_more))):
        assert type(made) is nn.Parameter and made.requires_grad and made.grad is None
        with torch.no_grad():
            made += 1
    assert one_more.tolist() == [1, 1] and not pickle.loads(pickle.dumps(one)).requires_grad
    empty = pickle.loads(pickle.dumps(nn.UninitializedParameter()))
    assert repr(empty) == "<UninitializedParameter>"


# ---- Registration --------------------------------------------------------------------------------


def test_what_is_registered_and_in_which_order():
    net = Net()
    assert [name for name, _ in net.named_parameters()] == ["scale", "first.weight", "first.bias"]
    assert list(net.state_dict()) == [
        *("scale", "seen", "first.weight", "first.bias", "again.weight", "again.bias"),
    ]
    assert [name for name, _ in net.named_buffers()] == ["seen", "passing"]
    assert [name for name, _ in net.named_modules()] == ["", "first"]
    assert [name for name, _ in net.named_children()] == ["first"]
    kinds = {type(made).__name__ for made in (net.parameters(), net.children(), net.modules())}
    assert kinds == {"generator"}
    every = [name for name, _ in net.named_parameters(prefix="p", remove_duplicate=False)]
    assert every == ["p.scale", "p.first.weight", "p.first.bias", "p.again.weight", "p.again.bias"]
    assert [name for name, _ in net.named_parameters(recurse=False)] == ["scale"]


def test_tied_weights_are_one_parameter():
    net = nn.Sequential(nn.Linear(2, 2, bias=False), nn.ReLU(), nn.Linear(2, 2, bias=False))
    net[2].weight = net[0].weight
    assert [name for name, _ in net.named_parameters()] == ["0.weight"]
    assert len(list(net.parameters())) == 1 and len(net.state_dict()) == 2
    net(torch.ones(1, 2)).sum().backward()
    assert net[2].weight.grad is net[0].weight.grad


@pytest.mark.parametrize(
    "name, value, text",
    [
        ("weight", torch.ones(2, 2), "cannot assign 'torch.FloatTensor' as parameter 'weight'"),
        ("weight", 3, "cannot assign 'int' as parameter 'weight'"),
        ("weight", nn.ReLU(), "as parameter 'weight'"),
    ],
)
def test_wrong_values_for_parameters(name, value, text):
    with pytest.raises(TypeError, match=text):
        setattr(nn.Linear(2, 2), name, value)


def test_wrong_values_for_modules_and_buffers():
    net = Net()
    with pytest.raises(TypeError, match="child module 'first'"):
        net.first = 3
    with pytest.raises(TypeError, match="buffer 'seen'"):
        net.seen = 3
    net.first, net.seen, net.scale = None, None, None
    assert (net.first, net.seen, net.scale) == (None, None, None)
    assert list(net.state_dict()) == ["again.weight", "again.bias"]


def test_names_change_their_kind():
    net = nn.Module()
    net.x = 3
    net.x = nn.Parameter(torch.ones(1))
    assert list(net._parameters) == ["x"]
    net.y = nn.Linear(1, 1)
    net.y = nn.Parameter(torch.ones(1))
    assert (list(net._parameters), list(net._modules)) == (["x", "y"], [])
    net.b = nn.Buffer(torch.ones(2), persistent=False)
    assert list(net._buffers) == ["b"] and "b" not in net.state_dict()
    assert isinstance(net.b, nn.Buffer) and type(net.b) is torch.Tensor
    net.b = torch.zeros(3)
    assert list(net._buffers) == ["b"] and net.b.shape == (3,)
    del net.x
    assert list(net._parameters) == ["y"] and not hasattr(net, "x")
    with pytest.raises(AttributeError, match="no attribute 'x'"):
        del net.x


def test_tables_of_a_module_are_live():
    net = nn.Module()
    net._modules["a"] = nn.Linear(1, 1)
    assert net.a is net._modules["a"] and "a" in net._modules and len(net._modules) == 1
    net.a._parameters["weight"] = nn.Parameter(torch.zeros(1, 1))
    assert net.a.weight.item() == 0 and net.a(torch.ones(1, 1)).item() == net.a.bias.item()
    del net._modules["a"]
    assert not hasattr(net, "a")
    with pytest.raises(KeyError):
        net._modules["a"]


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda net: net.register_parameter("a.b", None), KeyError),
        (lambda net: net.register_parameter("", None), KeyError),
        (lambda net: net.register_parameter(3, None), TypeError),
        (lambda net: net.register_parameter("forward", None), KeyError),
        (lambda net: net.register_parameter("x", torch.ones(1)), TypeError),
        (lambda net: net.register_buffer("first", torch.ones(1)), KeyError),
        (lambda net: net.register_buffer("x", 3), TypeError),
        (lambda net: net.add_module("scale", nn.ReLU()), KeyError),
        (lambda net: net.add_module("x", 3), TypeError),
        (lambda net: net.missing, AttributeError),
        (lambda net: net.get_submodule("first.no"), AttributeError),
        (lambda net: net.get_parameter("first"), AttributeError),
        (lambda net: net.get_buffer("scale"), AttributeError),
        (lambda net: net.train(3), ValueError),
        (lambda net: net.to(torch.int64), TypeError),
        (lambda net: nn.Module(3), TypeError),
        (lambda net: nn.Module(a=3), TypeError),
        (lambda net: nn.Module()(1), NotImplementedError),
    ],
)
def test_errors(call, error):
    with pytest.raises(error):
        call(Net())


def test_assignment_before_init():
    class Bad(nn.Module):
        def __init__(self, value):
            self.a = value

    with pytest.raises(AttributeError, match="cannot assign module before Module.__init__"):
        Bad(nn.Linear(1, 1))
    with pytest.raises(AttributeError, match="cannot assign parameters before"):
        Bad(nn.Parameter(torch.ones(1)))
    assert Bad(3).a == 3


def test_parts_by_their_full_names():
    net = nn.Sequential(OrderedDict(body=nn.Sequential(nn.Linear(1, 2), nn.BatchNorm1d(2))))
    assert net.get_submodule("body.0") is net.body[0] and net.get_submodule("") is net
    assert net.get_parameter("body.0.weight") is net.body[0].weight
    assert net.get_buffer("body.1.running_mean") is net.body[1].running_mean
    net.set_submodule("body.0", nn.Identity())
    assert type(net.body[0]) is nn.Identity
    assert "body" in dir(net) and "0" not in dir(net.body)


# ---- Calls ---------------------------------------------------------------------------------------


def test_hooks():
    seen, layer = [], nn.Linear(1, 1)
    before = layer.register_forward_pre_hook(lambda module, args: seen.append("before"))
    after = layer.register_forward_hook(lambda module, args, output: output * 0 + 7)
    layer.register_forward_hook(lambda m, args, output: seen.append(output.item()))
    assert layer(torch.ones(1, 1)).item() == 7 and seen == ["before", 7]
    before.remove()
    after.remove()
    assert layer(torch.ones(1, 1)).item() != 7 and len(seen) == 3
    with layer.register_forward_pre_hook(lambda module, args: (args[0] * 0,)):
        assert layer(torch.ones(1, 1)).item() == layer.bias.item()


def test_hooks_with_keywords_and_in_order():
    class Sum(nn.Module):
        def forward(self, x, more=0):
            return x + more

    net = Sum()
    net.register_forward_pre_hook(
        lambda module, args, kwargs: (args, {"more": kwargs["more"] * 10}), with_kwargs=True
    )
    net.register_forward_hook(
        lambda module, args, kwargs, made: made + kwargs["more"], with_kwargs=True
    )
    net.register_forward_hook(lambda module, args, made: -made, prepend=True)
    assert net(1, more=2) == -(1 + 20) + 20


def test_a_hook_that_is_always_called():
    seen, net = [], nn.Module()
    net.register_forward_hook(lambda *given: seen.append(given[-1]), always_call=True)
    with pytest.raises(NotImplementedError):
        net(1)
    assert seen == [None]


def test_apply_visits_children_first_and_modes_recurse():
    net = nn.Sequential(nn.Linear(1, 1), nn.Sequential(nn.ReLU()))
    seen = []
    assert net.apply(lambda module: seen.append(type(module).__name__)) is net
    assert seen == ["Linear", "ReLU", "Sequential", "Sequential"]
    assert net.eval() is net and not net[1][0].training
    net[1].train()
    assert (net.training, net[1][0].training) == (False, True)


def test_gradients_of_a_module():
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
    net(torch.ones(1, 2)).sum().backward()
    net.zero_grad(set_to_none=False)
    assert all(one.grad.abs().sum().item() == 0 for one in net.parameters())
    net.zero_grad()
    assert all(one.grad is None for one in net.parameters())
    net[0].requires_grad_(False)
    net(torch.ones(1, 2)).sum().backward()
    assert net[0].weight.grad is None and net[1].weight.grad is not None


def test_types_and_devices():
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    weight, gradient = net[0].weight, torch.ones(2, 2)
    weight.grad = gradient
    assert net.double() is net and net[0].weight is weight
    assert {one.dtype for one in net.parameters()} == {torch.float64} == {weight.grad.dtype}
    assert net[1].running_mean.dtype is torch.float64
    assert net[1].num_batches_tracked.dtype is torch.int64
    assert net(torch.ones(3, 2, dtype=torch.float64)).dtype is torch.float64
    assert net.to(torch.float32).to("cpu").cpu()[0].weight.dtype is torch.float32
    assert net.half()[0].bias.dtype is torch.float16 and net.float()[0].weight.requires_grad
    with pytest.raises(RuntimeError):
        net.to("cuda:7")


# ---- State ---------------------------------------------------------------------------------------


def test_a_state_is_loaded_in_place():
    net = nn.Sequential(nn.Linear(2, 1))
    weight, state = net[0].weight, net.state_dict()
    assert not state["0.weight"].requires_grad
    assert net.state_dict(keep_vars=True)["0.weight"] is weight
    found = net.load_state_dict({"0.weight": torch.full((1, 2), 7.0), "0.bias": torch.zeros(1)})
    assert repr(found) == "<All keys matched successfully>" and net[0].weight is weight
    assert weight.tolist() == [[7, 7]] == state["0.weight"].tolist() and weight.requires_grad


def test_errors_of_loading_are_told_together():
    net = nn.Sequential(nn.Linear(2, 1))
    with pytest.raises(RuntimeError) as told:
        net.load_state_dict({"0.weight": torch.ones(1, 3), "x": torch.ones(1)})
    for part in ("Sequential", '"0.bias"', '"x"', "size mismatch", "[1, 3]", "[1, 2]"):
        assert part in str(told.value)
    found = net.load_state_dict({"x": torch.ones(1)}, strict=False)
    assert found.missing_keys == ["0.weight", "0.bias"] and found.unexpected_keys == ["x"]
    with pytest.raises(RuntimeError, match="size mismatch"):
        net.load_state_dict({"0.weight": torch.ones(1, 3)}, strict=False)
    with pytest.raises(TypeError):
        net.load_state_dict([1])


def test_loading_by_assignment_and_older_states():
    net, other = nn.Linear(2, 1), torch.ones(1, 2, dtype=torch.float64)
    net.load_state_dict({"weight": other, "bias": torch.ones(1)}, assign=True)
    assert net.weight.dtype is torch.float64 and isinstance(net.weight, nn.Parameter)
    norm = nn.BatchNorm1d(1)
    state = {name: one for name, one in norm.state_dict().items() if "batches" not in name}
    assert repr(norm.load_state_dict(state)) == "<All keys matched successfully>"


def test_extra_state():
    class Counting(nn.Module):
        count = 0

        def get_extra_state(self):
            return {"count": self.count}

        def set_extra_state(self, state):
            self.count = state["count"]

    one, other = Counting(), Counting()
    one.count = 5
    assert list(one.state_dict()) == ["_extra_state"]
    other.load_state_dict(one.state_dict())
    assert other.count == 5


def test_copies_and_pickles_of_modules():
    net = Net()
    net.eval()
    for made in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert made.first is made.again and made.first is not net.first
        assert list(made.state_dict()) == list(net.state_dict()) and not made.training
        assert torch.equal(made(torch.ones(1, 2)), net(torch.ones(1, 2)))
        with torch.no_grad():
            made.scale += 1
    assert net.scale.item() == 0
    other = copy.copy(net)
    assert other.first is net.first
    other.more = nn.Linear(1, 1)
    assert not hasattr(net, "more")


def test_users_states_of_pickles():
    made = pickle.loads(pickle.dumps(Light()))
    assert made.cache is None and list(made.state_dict()) == ["inner.weight", "inner.bias"]
    assert [type(one) for one in made.children()] == [nn.Linear]


class Light(nn.Module):
    """Leaves something out of its pickles, by the attributes it has."""

    def __init__(self):
        super().__init__()
        self.inner, self.cache = nn.Linear(1, 1), threading.Lock()

    def __getstate__(self):
        return {**self.__dict__, "cache": None}

    def __setstate__(self, state):
        self.__dict__.update(state)


# ---- Containers ----------------------------------------------------------------------------------


def test_sequential():
    net = nn.Sequential(nn.Linear(1, 2), nn.ReLU(), nn.Tanh())
    assert len(net) == 3 and type(net[-1]) is nn.Tanh
    assert [type(one) for one in net[1:]] == [nn.ReLU, nn.Tanh]
    net[1] = nn.ELU()
    net.append(nn.Sigmoid()).insert(0, nn.Identity()).extend([nn.SELU()])
    assert [type(one).__name__ for one in net] == "Identity Linear ELU Tanh Sigmoid SELU".split()
    del net[0]
    del net[3:]
    assert list(net._modules) == ["0", "1", "2"] and type(net.pop(1)) is nn.ELU
    net.add_module("last", nn.Linear(2, 4))
    assert net(torch.ones(3, 1)).shape == (3, 4) and type(net.last) is nn.Linear
    assert len(net + net) == 6 and len(net * 2) == 6
    with pytest.raises(IndexError):
        net[9]
    for wrong in (lambda: net["a"], lambda: nn.Sequential(3), lambda: net.append(3)):
        with pytest.raises(TypeError):
            wrong()


def test_sequential_of_names_and_its_text():
    net = nn.Sequential(OrderedDict(a=nn.Linear(1, 1), b=nn.Sequential(nn.ReLU())))
    assert net.a is net[0] and list(net[:1]._modules) == ["a"]
    assert repr(net) == (
        "Sequential(\n  (a): Linear(in_features=1, out_features=1, bias=True)\n"
        "  (b): Sequential(\n    (0): ReLU()\n  )\n)"
    )


def test_a_sequential_with_parameters_of_its_own():
    class Scaled(nn.Sequential):
        def __init__(self, *args):
            super().__init__(*args)
            self.scale = nn.Parameter(torch.tensor(2.0))

        def forward(self, x):
            return super().forward(x) * self.scale

    assert Scaled(nn.Identity())(torch.ones(1)).item() == 2


def test_module_lists():
    net = nn.ModuleList([nn.ReLU(), nn.ReLU(), nn.Linear(1, 1)])
    assert repr(net) == (
        "ModuleList(\n  (0-1): 2 x ReLU()\n"
        "  (2): Linear(in_features=1, out_features=1, bias=True)\n)"
    )
    net += [nn.Tanh()]
    net.insert(1, nn.ELU())
    assert len(net) == 5 and type(net[1]) is nn.ELU and type(net[-1]) is nn.Tanh and net[0] in net
    del net[0]
    assert list(net._modules) == list("0123") and type(net[1:]) is nn.ModuleList
    assert len(list(net.parameters())) == 2 and len(net + net) == 8
    with pytest.raises(NotImplementedError):
        net(1)
    with pytest.raises(TypeError):
        nn.ModuleList([3])


def test_module_dictionaries():
    net = nn.ModuleDict({"a": nn.ReLU(), "b": nn.Linear(1, 1)})
    assert list(net) == ["a", "b"] and "a" in net and type(net["b"]) is nn.Linear
    net.update([("c", nn.Tanh())])
    assert type(net.pop("a")) is nn.ReLU and list(net.keys()) == ["b", "c"] and len(net) == 2
    assert repr(nn.ModuleDict({"a": nn.ReLU()})) == "ModuleDict(\n  (a): ReLU()\n)"
    with pytest.raises(KeyError):
        net["q"]
    net.clear()
    assert len(net) == 0


def test_lists_and_dictionaries_of_parameters():
    values = nn.ParameterList([nn.Parameter(torch.ones(2)), torch.ones(1), 3])
    assert [type(one) for one in values] == [nn.Parameter, nn.Parameter, int] and len(values) == 3
    assert list(values.state_dict()) == ["0", "1"] and values[-1] == 3
    assert "(0): Parameter containing: [torch.float32 of size 2]" in repr(values)
    values.append(torch.zeros(2, 2))
    assert values.pop(0).shape == (2,) and len(values) == 3 and values[2].shape == (2, 2)
    named = nn.ParameterDict({"a": torch.ones(1)})
    named["b"] = nn.Parameter(torch.ones(2))
    assert list(named) == ["a", "b"] and named.get("q") is None and "a" in named
    assert [name for name, _ in named.named_parameters()] == ["a", "b"]
    assert named.pop("a").shape == (1,) and list(named.keys()) == ["b"]


def test_modules_in_threads():
    """Calls of one module in several threads do not disturb each other."""
    net, made = nn.Linear(4, 4), []
    wanted = net(torch.ones(1, 4)).tolist()

    def run():
        made.append(all(net(torch.ones(1, 4)).tolist() == wanted for _ in range(50)))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert made == [True] * 4


# ---- Several devices -----------------------------------------------------------------------------


def test_data_parallel_runs_the_module():
    net = nn.Linear(2, 1)
    parallel = nn.DataParallel(net, device_ids=[torch.device("cpu")])
    assert parallel.module is net
    assert list(parallel.state_dict()) == ["module.weight", "module.bias"]
    assert torch.equal(parallel(torch.ones(3, 2)), net(torch.ones(3, 2)))


def test_scatter_and_gather():
    cpu = torch.device("cpu")
    first, second = nn.parallel.scatter(torch.arange(5), [cpu, cpu])
    assert first.tolist() == [0, 1, 2] and second.tolist() == [3, 4]
    parts = nn.parallel.scatter((torch.arange(4), {"a": torch.ones(2)}, "x"), [cpu, cpu])
    assert parts[1][0].tolist() == [2, 3] and parts[1][2] == "x"
    assert parts[0][1]["a"].tolist() == [1]
    assert nn.parallel.gather([first, second], cpu).tolist() == [0, 1, 2, 3, 4]


# ---- Helpers -------------------------------------------------------------------------------------


def test_clipping_gradients():
    one = nn.Parameter(torch.ones(2))
    one.grad = torch.tensor([3.0, 4.0])
    total = nn.utils.clip_grad_norm_(one, 1.0)
    assert total.item() == 5 and one.grad.tolist() == pytest.approx([0.6, 0.8], rel=1e-5)
    largest = nn.utils.clip_grad_norm_([one], 10.0, norm_type=float("inf"))
    assert largest.item() == pytest.approx(0.8, rel=1e-5)
    assert one.grad.tolist() == pytest.approx([0.6, 0.8], rel=1e-5)
    nn.utils.clip_grad_value_(iter([one]), 0.7)
    assert one.grad.tolist() == pytest.approx([0.6, 0.7], rel=1e-5)
    assert nn.utils.clip_grad_norm_([], 1.0).item() == 0
    one.grad = torch.tensor([float("nan"), 1.0])
    with pytest.raises(RuntimeError, match="non-finite"):
        nn.utils.clip_grad_norm_([one], 1.0, error_if_nonfinite=True)


def test_parameters_as_a_vector():
    net = nn.Linear(2, 1)
    nn.utils.vector_to_parameters(torch.arange(3.0), net.parameters())
    assert net.weight.tolist() == [[0, 1]] and net.bias.tolist() == [2] and net.bias.requires_grad
    assert nn.utils.parameters_to_vector(net.parameters()).tolist() == [0, 1, 2]


def test_sequences_of_several_lengths():
    pad = nn.utils.rnn.pad_sequence
    first, second = torch.ones(2), torch.full((3,), 2.0)
    assert pad([first, second]).tolist() == [[1, 2], [1, 2], [0, 2]]
    assert pad([first, second], True, -1.0).tolist() == [[1, 1, -1], [2, 2, 2]]
    assert pad([first, second], True, 0, "left").tolist() == [[0, 1, 1], [2, 2, 2]]
    assert pad([torch.ones(1, 2), torch.ones(2, 2)]).shape == (2, 2, 2)
