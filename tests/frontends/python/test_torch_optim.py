"""Optimisers of the torch dialect: steps against what the real PyTorch 2.15.0 did, states, errors.

The cases are in tests/conformance/torch_optimizers.py; record_torch_optim.py beside it recorded the
answers.
"""

import copy
import gzip
import json
import math
import pathlib
import sys

import pytest

from penstock import ndarray, torch

CONFORMANCE = pathlib.Path(__file__).resolve().parents[2] / "conformance"
sys.path.append(str(CONFORMANCE))

import torch_optimizers  # noqa: E402

optim = torch.optim
KINDS = list(torch_optimizers.OPTIONS)


def recorded(name):
    with gzip.open(CONFORMANCE / "vectors" / name, "rt") as file:
        return [json.loads(line) for line in file]


RECORDED = {tuple(row[:2]): row[2] for row in recorded("torch_optimizers.json.gz")}


class Weight(torch.Tensor):
    """A class of its own, as parameters are."""


def weight(*values):
    return torch.tensor(values or (1.0, 2.0), requires_grad=True)


def with_gradient(*values):
    one = weight()
    one.grad = torch.tensor(values or (1.0, -1.0))
    return one


# ---- Formulas ------------------------------------------------------------------------------------


def test_every_case_was_recorded():
    assert list(RECORDED) == list(torch_optimizers.cases())


@pytest.mark.parametrize("name", KINDS)
def test_steps_are_those_of_torch(name):
    for (of, option), wanted in RECORDED.items():
        if of != name:
            continue
        found = torch_optimizers.answer(torch, name, option)
        # The real one rounds to 16 bits within a step, ours after it.
        near = {"abs": 0.01} if option == "float16" else {"rel": 1e-5, "abs": 5e-7}
        for wanted_step, step in zip(wanted["weights"], found["weights"], strict=True):
            assert step == pytest.approx(wanted_step, **near), f"{name}, {option}"
        for wanted_state, state in zip(wanted["states"], found["states"], strict=True):
            assert list(state) == list(wanted_state), f"{name}, {option}"
            for key, value in state.items():
                assert value == pytest.approx(wanted_state[key], **near), f"{name}, {option}, {key}"


@pytest.mark.parametrize("row", recorded("torch_optimizer_states.json.gz"), ids=lambda row: row[0])
def test_states_of_torch_are_gone_on_from(row):
    name, wanted = row
    found = torch_optimizers.resumed(torch, name, wanted["kept"])
    assert found == pytest.approx(wanted["end"], rel=1e-5, abs=5e-7)


def test_formulas_by_hand():
    one = weight(1.0)
    sgd = optim.SGD([one], lr=0.1, momentum=0.9)
    found = []
    for gradient in (1.0, 1.0, 2.0):
        one.grad = torch.tensor([gradient])
        sgd.step()
        found.append(one.item())
    assert found == pytest.approx([0.9, 0.71, 0.339], rel=1e-6)
    one = weight(1.0)
    adam = optim.Adam([one], lr=0.1, eps=1.0)
    one.grad = torch.tensor([3.0])
    adam.step()
    assert one.item() == pytest.approx(1 - 0.1 * 3 / (3 + 1), rel=1e-6)


def test_a_number_that_is_not_finite_stays_one():
    one = with_gradient(math.nan, math.inf)
    optim.SGD([one], lr=0.1).step()
    assert math.isnan(one[0].item()) and one[1].item() == -math.inf


# ---- Parameters and gradients ----------------------------------------------------------------------


@pytest.mark.parametrize("name", KINDS)
def test_parameters_without_gradient_are_skipped(name):
    one, other = with_gradient(), weight()
    optimizer = getattr(optim, name)([one, other], lr=0.1)
    for _ in range(3):
        optimizer.step()
    assert other.tolist() == [1.0, 2.0] and one.tolist() != [1.0, 2.0]
    counts = {"step": optimizer.state[one].get("step"), "other": optimizer.state[other].get("step")}
    if name != "SGD":
        assert counts["step"].item() == 3 and counts["step"].dtype is torch.float32
        assert counts["other"] is None or counts["other"].item() == 0
    other.grad, one.grad = torch.tensor([1.0, 1.0]), None
    before = one.tolist()
    optimizer.step()
    assert one.tolist() == before and other.tolist() != [1.0, 2.0]
    if name != "SGD":
        assert [optimizer.state[x]["step"].item() for x in (one, other)] == [3, 1]


@pytest.mark.parametrize("name", KINDS)
def test_a_step_without_any_gradient_changes_nothing(name):
    one = weight()
    optimizer = getattr(optim, name)([one], lr=0.1)
    assert optimizer.step() is None
    optimizer.zero_grad()
    assert one.tolist() == [1.0, 2.0] and one._version == 0


def test_the_gradients_that_backward_adds_up_are_used_and_forgotten():
    one = weight()
    sgd = optim.SGD([one], lr=0.5)
    (one * one).sum().backward()
    (one * one).sum().backward()
    kept = one.grad
    sgd.step()
    assert one.tolist() == [-1.0, -2.0] and kept.tolist() == [4.0, 8.0]
    sgd.zero_grad()
    assert one.grad is None and kept.tolist() == [4.0, 8.0]
    one.sum().backward()
    assert one.grad.tolist() == [1.0, 1.0] and one.grad is not kept
    sgd.zero_grad(set_to_none=False)
    assert one.grad.tolist() == [0.0, 0.0]


def test_gradients_of_tensors_that_ask_for_none():
    one = torch.ones(2)
    one.grad = torch.ones(2)
    sgd = optim.SGD([one, weight()], lr=0.25)
    for _ in range(2):
        sgd.step()
    assert one.tolist() == [0.5, 0.5]
    sgd.zero_grad()
    assert one.grad is None


def test_a_class_of_its_own_stays_that():
    one = ndarray.as_subclass(torch.ones(2), Weight).requires_grad_()
    sgd = optim.SGD([one], lr=0.5, momentum=0.9)
    one.sum().backward()
    sgd.step()
    assert type(one) is Weight and one.tolist() == [0.5, 0.5] and one.is_leaf
    assert type(sgd.state[one]["momentum_buffer"]) is torch.Tensor


def test_steps_count_as_writes():
    one = weight()
    loss = (one * one).sum()
    one.grad = torch.ones(2)
    optim.SGD([one], lr=0.5).step()
    assert one._version == 1 and one.is_leaf and one.requires_grad
    with pytest.raises(RuntimeError, match="written in place|inplace"):
        loss.backward()


def test_steps_are_done_in_any_mode():
    one = with_gradient()
    sgd = optim.SGD([one], lr=0.5)
    with torch.no_grad():
        sgd.step()
    with torch.inference_mode():
        sgd.step()
    assert one.tolist() == [0.0, 3.0] and torch.is_grad_enabled()


def test_other_elements_in_the_place_of_a_parameter():
    one = with_gradient()
    sgd = optim.SGD([one], lr=1.0, momentum=0.5)
    sgd.step()
    one.data = torch.tensor([10.0, 20.0])
    one.grad = torch.tensor([1.0, 1.0])
    sgd.step()
    assert one.tolist() == pytest.approx([10 - 1.5, 20 - 0.5])


def test_a_closure_computes_gradients():
    one = weight(1.0)
    sgd = optim.SGD([one], lr=0.5)

    def closure():
        sgd.zero_grad()
        loss = (one * one).sum()
        loss.backward()
        return loss

    with torch.no_grad():
        assert sgd.step(closure).item() == 1.0
    assert one.item() == 0.0


@pytest.mark.parametrize("option", ["plain", "some without gradient", "loaded again"])
def test_parameters_on_several_devices_are_changed_in_several_calls(monkeypatch, option):
    from penstock.torch.optim import _stepping

    monkeypatch.setattr(_stepping, "_home", lambda param: param.ndim)
    for name in ("SGD", "Adam", "RMSprop"):
        found = torch_optimizers.answer(torch, name, option)["weights"]
        wanted = RECORDED[name, option]["weights"]
        assert found[-1] == pytest.approx(wanted[-1], rel=1e-5, abs=5e-7)


@pytest.mark.parametrize("name", KINDS)
def test_a_rate_in_a_tensor_of_another_type(name):
    found = []
    for rate in (0.1, torch.tensor(0.1, dtype=torch.float64), torch.tensor([0.1])):
        one = with_gradient()
        wide = torch.ones(2, dtype=torch.float64, requires_grad=True)
        optimizer = getattr(optim, name)([one, wide], lr=rate)
        for step in range(3):
            wide.grad = torch.ones(2, dtype=torch.float64) if step else None
            optimizer.step()
        assert one.dtype is torch.float32 and wide.dtype is torch.float64
        found.append(one.tolist() + wide.tolist())
    assert found[1] == pytest.approx(found[0]) and found[2] == pytest.approx(found[0])


def test_views_and_other_layouts():
    one = torch.arange(6.0).reshape(2, 3).T.requires_grad_()
    one.grad = torch.ones(3, 2)
    for name in ("SGD", "Adam", "Adamax"):
        getattr(optim, name)([one], lr=0.5).step()
    assert one.shape == (3, 2) and one[0, 1].item() == pytest.approx(1.5, abs=1e-4)


# ---- Groups ----------------------------------------------------------------------------------------


def test_groups_have_their_own_options():
    one, other, third = with_gradient(), with_gradient(), with_gradient()
    sgd = optim.SGD([{"params": one, "lr": 1.0}, {"params": [other]}], lr=0.5)
    assert [group["lr"] for group in sgd.param_groups] == [1.0, 0.5]
    sgd.add_param_group({"params": [third], "lr": 0.25})
    sgd.step()
    assert [x[0].item() for x in (one, other, third)] == [0.0, 0.5, 0.75]
    sgd.param_groups[0]["lr"] = 0.0
    sgd.param_groups[1]["params"] = []
    sgd.step()
    assert [x[0].item() for x in (one, other, third)] == [0.0, 0.5, 0.5]


def test_a_parameter_may_be_replaced_in_its_group():
    one, other = with_gradient(), with_gradient()
    adam = optim.Adam([one], lr=0.1)
    adam.step()
    adam.param_groups[0]["params"][0] = other
    adam.step()
    assert adam.state[other]["step"].item() == 1 and adam.state[one]["step"].item() == 1
    del adam.state[one]
    assert list(adam.state) == [other]


def test_named_parameters():
    sgd = optim.SGD([("a", weight()), ("b", weight())])
    assert sgd.param_groups[0]["param_names"] == ["a", "b"]
    assert sgd.state_dict()["param_groups"][0]["param_names"] == ["a", "b"]
    with pytest.raises(ValueError, match="without names"):
        sgd.add_param_group({"params": weight()})
    with pytest.raises(ValueError, match="names are missing"):
        optim.SGD([("a", weight()), weight()])


def test_text():
    assert repr(optim.SGD([weight()], lr=0.5)) == (
        "SGD (\nParameter Group 0\n    dampening: 0\n    differentiable: False\n"
        "    foreach: None\n    fused: None\n    lr: 0.5\n    maximize: False\n    momentum: 0\n"
        "    nesterov: False\n    weight_decay: 0\n)"
    )
    groups = [{"params": [weight()]}, {"params": [weight()], "lr": 2}]
    assert "\n\nParameter Group 1\n    alpha" in repr(optim.RMSprop(groups))


# ---- States ----------------------------------------------------------------------------------------


def test_states_have_torchs_names():
    names = {
        "SGD": [],
        "Adam": ["step", "exp_avg", "exp_avg_sq"],
        "AdamW": ["step", "exp_avg", "exp_avg_sq"],
        "Adagrad": ["step", "sum"],
        "Adadelta": ["step", "square_avg", "acc_delta"],
        "RMSprop": ["step", "square_avg"],
        "Adamax": ["step", "exp_avg", "exp_inf"],
        "NAdam": ["step", "mu_product", "exp_avg", "exp_avg_sq"],
        "RAdam": ["step", "exp_avg", "exp_avg_sq"],
        "Rprop": ["step", "prev", "step_size"],
        "ASGD": ["step", "eta", "mu", "ax"],
    }
    for name, wanted in names.items():
        one = with_gradient()
        optimizer = getattr(optim, name)([one])
        optimizer.step()
        assert list(optimizer.state[one]) == wanted
        assert all(isinstance(value, torch.Tensor) for value in optimizer.state[one].values())
    one = with_gradient()
    sgd = optim.SGD([one], momentum=0.9)
    assert sgd.state_dict()["state"] == {}
    sgd.step()
    assert list(sgd.state_dict()["state"][0]) == ["momentum_buffer"]
    begun = optim.Adagrad([weight()], initial_accumulator_value=2.0).state_dict()["state"][0]
    assert begun["step"].item() == 0 and begun["sum"].tolist() == [2.0, 2.0]


def test_states_may_be_read_and_written_between_steps():
    one, other = with_gradient(), with_gradient()
    adam, plain = optim.Adam([one], lr=0.1), optim.Adam([other], lr=0.1)
    for step in range(6):
        adam.step()
        plain.step()
        assert adam.state[one]["step"].item() == step + 1
    assert one.tolist() == other.tolist()
    adam.state[one]["step"] = torch.tensor(100.0)
    adam.state[one]["exp_avg"].zero_()
    adam.step()
    assert adam.state[one]["step"].item() == 101
    assert adam.state[one]["exp_avg"].tolist() == pytest.approx([0.1, -0.1])


def test_numbers_of_a_saved_state_are_parameters():
    one, other = with_gradient(), with_gradient()
    adam = optim.Adam([{"params": [one]}, {"params": [other], "lr": 2}], lr=0.5)
    adam.step()
    saved = adam.state_dict()
    assert list(saved["state"]) == [0, 1]
    assert [group["params"] for group in saved["param_groups"]] == [[0], [1]]
    assert list(saved["param_groups"][0])[-1] == "params"
    assert saved["state"][0]["exp_avg"] is adam.state[one]["exp_avg"]


def test_loading_converts_to_the_parameters_type():
    one = with_gradient()
    adam = optim.Adam([one], lr=0.5)
    adam.step()
    saved = adam.state_dict()
    wide = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    other = optim.Adam([wide], lr=0.1)
    other.load_state_dict(saved)
    kept = other.state[wide]
    assert kept["exp_avg"].dtype is torch.float64 and kept["step"].dtype is torch.float32
    assert other.param_groups[0]["lr"] == 0.5 and other.param_groups[0]["params"][0] is wide
    wide.grad = torch.ones(2, dtype=torch.float64)
    other.step()
    assert other.state[wide]["step"].item() == 2


def test_loading_what_does_not_fit():
    sgd = optim.SGD([weight()])
    with pytest.raises(ValueError, match="different number of parameter groups: 0, not 1"):
        sgd.load_state_dict({"state": {}, "param_groups": []})
    with pytest.raises(ValueError, match="2 parameters, not 1"):
        sgd.load_state_dict({"state": {}, "param_groups": [{"params": [0, 1]}]})
    with pytest.raises(KeyError):
        sgd.load_state_dict({})


@pytest.mark.parametrize("name", KINDS)
def test_copies_go_on_by_themselves(name):
    one = with_gradient()
    optimizer = getattr(optim, name)([one], lr=0.1)
    optimizer.step()
    other = copy.deepcopy(optimizer)
    (copied,) = other.param_groups[0]["params"]
    assert copied is not one and copied.tolist() == one.tolist()
    optimizer.step()
    other.step()
    assert copied.tolist() == one.tolist()
    assert {key: value.tolist() for key, value in other.state[copied].items()} == {
        key: value.tolist() for key, value in optimizer.state[one].items()
    }


# ---- Hooks, and optimisers of users ------------------------------------------------------------------


def test_hooks():
    one, seen = with_gradient(), []
    sgd = optim.SGD([one], lr=0.5)
    first = sgd.register_step_pre_hook(lambda o, args, kwargs: seen.append("before"))
    sgd.register_step_post_hook(lambda o, args, kwargs: seen.append("after"))
    sgd.register_state_dict_pre_hook(lambda o: seen.append("saving"))
    sgd.register_state_dict_post_hook(lambda o, saved: {**saved, "more": 1})
    sgd.register_load_state_dict_pre_hook(lambda o, saved: seen.append(saved["more"]))
    sgd.register_load_state_dict_post_hook(lambda o: seen.append("loaded"))
    sgd.step()
    sgd.load_state_dict(sgd.state_dict())
    first.remove()
    sgd.step()
    assert seen == ["before", "after", "saving", 1, "loaded", "after"]
    with sgd.register_step_pre_hook(lambda o, args, kwargs: 5), pytest.raises(RuntimeError):
        sgd.step()


def test_an_optimizer_of_the_users():
    from penstock.torch.optim.optimizer import required

    class Sign(optim.Optimizer):
        def __init__(self, params, lr=required):
            super().__init__(params, {"lr": lr})

        @torch.no_grad()
        def step(self, closure=None):
            for group in self.param_groups:
                for one in group["params"]:
                    if one.grad is not None:
                        kept = self.state[one]
                        kept["count"] = kept.get("count", 0) + 1
                        one.add_(one.grad.sign(), alpha=-group["lr"])

    with pytest.raises(ValueError, match="required optimization parameter lr"):
        Sign([weight()])
    one = with_gradient(3.0, -4.0)
    optimizer = Sign([one], lr=0.5)
    for _ in range(2):
        optimizer.step()
    assert one.tolist() == [0.0, 3.0]
    assert optimizer.state_dict()["state"] == {0: {"count": 2}}
    assert repr(optimizer) == "Sign (\nParameter Group 0\n    lr: 0.5\n)"
    with pytest.raises(NotImplementedError):
        optim.Optimizer([one], {}).step()


# ---- Errors ----------------------------------------------------------------------------------------


def test_parameters_that_cannot_be():
    one = weight()
    for given, error, text in (
        ([], ValueError, "empty parameter list"),
        (one, TypeError, "iterable of Tensors or dicts, but got torch.FloatTensor"),
        ([one * 1], ValueError, "non-leaf"),
        ([1.0], TypeError, "one of the params is float"),
        ([{"params": {one}}], TypeError, "ordered collections"),
        ([{"params": [one]}, {"params": [one]}], ValueError, "more than one parameter group"),
        ([{"lr": 0.1}], KeyError, "params"),
    ):
        with pytest.raises(error, match=text):
            optim.SGD(given)
    with pytest.raises(TypeError, match="must be a dict"):
        optim.SGD([one]).add_param_group([one])
    with pytest.warns(UserWarning, match="duplicate parameters"):
        optim.SGD([one, one])
    with pytest.warns(FutureWarning, match="ordered collections"):
        optim.SGD({one})


def test_options_that_cannot_be():
    for name, given, text in (
        ("SGD", {"lr": -1}, "Invalid learning rate: -1"),
        ("SGD", {"lr": torch.ones(2)}, "1-element"),
        ("SGD", {"momentum": -1}, "Invalid momentum value: -1"),
        ("SGD", {"nesterov": True}, "Nesterov momentum requires"),
        ("SGD", {"weight_decay": -1}, "Invalid weight_decay value: -1"),
        ("Adam", {"betas": (1.0, 0.9)}, "Invalid beta parameter at index 0: 1.0"),
        ("AdamW", {"betas": (0.9, 1.5)}, "Invalid beta parameter at index 1: 1.5"),
        ("Adam", {"eps": -1}, "Invalid epsilon value: -1"),
        ("Adagrad", {"lr_decay": -1}, "Invalid lr_decay value: -1"),
        ("Adadelta", {"rho": 2}, "Invalid rho value: 2"),
        ("RMSprop", {"alpha": -1}, "Invalid alpha value: -1"),
        ("Rprop", {"etas": (2, 3)}, "Invalid eta values: 2, 3"),
        ("NAdam", {"momentum_decay": -1}, "Invalid momentum_decay value: -1"),
    ):
        with pytest.raises(ValueError, match=text):
            getattr(optim, name)([weight()], **given)
    with pytest.raises(RuntimeError, match="cannot be `True` together"):
        optim.SGD([weight()], foreach=True, fused=True)


@pytest.mark.parametrize("name", KINDS)
def test_a_step_that_is_recorded_is_not_here(name):
    with pytest.raises(NotImplementedError, match="differentiable"):
        getattr(optim, name)([weight()], differentiable=True)


def test_a_gradient_of_another_shape_is_an_error_and_no_step():
    one = with_gradient()
    adam = optim.Adam([one])
    adam.step()
    one.data = torch.ones(3)
    one.grad = torch.ones(3)
    with pytest.raises(RuntimeError, match="3"):
        adam.step()
    assert adam.state[one]["step"].item() == 1 and torch.is_grad_enabled()


def test_what_is_not_here_is_named():
    for name in ("LBFGS", "SparseAdam", "Muon", "swa_utils"):
        with pytest.raises(AttributeError, match=name):
            getattr(optim, name)
