"""What optimisers take, keep and refuse; their steps are compared in test_paddle_nn.py."""

import pytest

from penstock import paddle

nn, O = paddle.nn, paddle.optimizer


def trained(optimizer, layer, count=2):
    for _ in range(count):
        (layer(paddle.ones([1, 2])) ** 2).sum().backward()
        optimizer.step()
        optimizer.clear_grad()


def test_arguments():
    layer = nn.Linear(2, 1)
    with pytest.raises(AttributeError, match="parameters argument"):
        O.SGD(0.1)
    for rate in (1, "a"):
        with pytest.raises(TypeError, match="float or LRScheduler"):
            O.SGD(rate, parameters=layer.parameters())
    with pytest.raises(TypeError, match="iterable"):
        O.SGD(0.1, parameters=layer.weight)
    with pytest.raises(NotImplementedError, match="amsgrad"):
        O.Adam(0.1, parameters=layer.parameters(), amsgrad=True)
    with pytest.raises(AttributeError, match="Lamb"):
        O.Lamb


def test_rates_by_hand_and_by_schedule():
    layer = nn.Linear(1, 1)
    schedule = O.lr.StepDecay(1.0, step_size=2, gamma=0.5)
    sgd = O.SGD(schedule, layer.parameters())
    assert [(sgd.step(), schedule.step(), sgd.get_lr())[2] for _ in range(4)] == [1, 0.5, 0.5, 0.25]
    with pytest.raises(RuntimeError, match="LRScheduler"):
        sgd.set_lr(0.1)
    plain = O.SGD(0.1, layer.parameters())
    plain.set_lr(0.5)
    assert plain.get_lr() == 0.5


def test_gradients_are_zeros_or_none():
    layer = nn.Linear(2, 1)
    sgd = O.SGD(0.1, parameters=layer.parameters())
    layer(paddle.ones([1, 2])).sum().backward()
    sgd.clear_grad()
    assert layer.weight.grad.tolist() == [[0.0], [0.0]]
    sgd.clear_grad(False)
    assert layer.weight.grad is None
    before = layer.weight.tolist()
    sgd.step()
    assert layer.weight.tolist() == before


def test_states_go_on():
    first, second = nn.Linear(2, 2), nn.Linear(2, 2)
    adam = O.Adam(0.1, parameters=first.parameters())
    trained(adam, first)
    second.set_state_dict({name: one.clone().detach() for name, one in first.state_dict().items()})
    state = adam.state_dict()
    assert len(state) == 8 and list(state)[0].endswith("w_0_moment1_0")
    renamed = {
        name.replace(first.full_name(), second.full_name()): one.clone()
        for name, one in state.items()
    }
    other = O.Adam(0.1, parameters=second.parameters())
    other.set_state_dict(renamed)
    trained(adam, first)
    trained(other, second)
    assert first.weight.tolist() == second.weight.tolist()


def test_steps_do_not_wait():
    layer = nn.Linear(2, 1)
    kinds = (O.SGD, O.Momentum, O.Adam, O.AdamW, O.Adagrad, O.RMSProp, O.Adadelta)
    for kind in kinds:
        trained(kind(learning_rate=0.01, parameters=layer.parameters()), layer)
    assert layer.weight.isfinite().all().item()


def test_plateau():
    rate = O.lr.ReduceOnPlateau(1.0, patience=1)
    found = []
    for value in (1.0, 0.9, 0.95, 0.96, 0.97):
        rate.step(value)
        found.append(rate())
    assert found == [1.0, 1.0, 1.0, 0.1, 0.1]
