"""Layers, losses, optimisers and loaders against what the real PaddlePaddle gave."""

import importlib.util
import json
import pathlib

import numpy as np
import pytest

from penstock import paddle

nn, F, T = paddle.nn, paddle.nn.functional, paddle.to_tensor
CONFORMANCE = pathlib.Path(__file__).resolve().parents[2] / "conformance"
VECTORS = json.loads((CONFORMANCE / "vectors" / "paddle_nn.json").read_text())


def _recorder():
    place = CONFORMANCE / "record_paddle_nn.py"
    spec = importlib.util.spec_from_file_location("record_paddle_nn", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


RECORDER = _recorder()
KNOWN = RECORDER.names(paddle)


def same(found, wanted):
    if isinstance(wanted, dict):
        assert list(found) == list(wanted)
        for name in wanted:
            same(found[name], wanted[name])
    elif isinstance(wanted, list) and wanted and not isinstance(wanted[0], (int, float)):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted):
            same(one, other)
    elif wanted is None or isinstance(wanted, str):
        assert found == wanted
    else:
        np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("case", VECTORS["layers"])
def test_layers_give_what_the_real_ones_gave(case):
    same(RECORDER.of_layer(case, dict(KNOWN)), VECTORS["layers"][case])


@pytest.mark.parametrize("case", VECTORS["values"])
def test_values_are_those_of_the_real_one(case):
    same(eval(case, dict(KNOWN)), VECTORS["values"][case])


# ---- Layers --------------------------------------------------------------------------------------


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)
        self.w = self.create_parameter([1])
        self.b = self.a
        self.register_buffer("t", paddle.ones([1]))


def test_what_a_layer_registers():
    net = Net()
    assert [name for name, _ in net.named_parameters()] == ["w", "a.weight", "a.bias"]
    assert list(net.state_dict()) == ["w", "t", "a.weight", "a.bias", "b.weight", "b.bias"]
    assert type(net.parameters()) is list and [k for k, _ in net.named_sublayers()] == ["a"]
    with pytest.raises(TypeError, match="should be of type Parameter or None, but got 'Tensor'"):
        net.a.weight = paddle.ones([2, 2])
    with pytest.raises(AttributeError, match="'Net' object has no attribute 'foo'"):
        net.foo


def test_layers_before_init():
    class Bad(nn.Layer):
        def __init__(self):
            self.a = nn.Linear(1, 1)

    with pytest.raises(ValueError, match="super"):
        Bad()


def test_states_are_written_and_reported():
    net = nn.Sequential(nn.Linear(2, 1))
    state = {"0.weight": paddle.ones([3, 1]), "0.bias": paddle.ones([1]), "x": paddle.ones([1])}
    assert net.set_state_dict(state) == (["0.weight"], ["0.weight", "x"])
    assert net[0].bias.tolist() == [1.0]


def test_first_values():
    layer, conv, table = nn.Linear(400, 300), nn.Conv2D(16, 300, 3), nn.Embedding(300, 100)
    assert layer.bias.abs().max().item() == conv.bias.abs().max().item() == 0.0
    assert layer.weight.abs().max().item() == pytest.approx((6 / 700) ** 0.5, rel=0.01)
    assert table.weight.abs().max().item() == pytest.approx((6 / 400) ** 0.5, rel=0.01)
    assert conv.weight.std().item() == pytest.approx((2 / 144) ** 0.5, rel=0.05)
    cut = nn.initializer.TruncatedNormal(1.0, 2.0)(paddle.zeros([2000]))
    assert -3 <= cut.min().item() < cut.max().item() <= 5
    assert cut.std().item() == pytest.approx(2 * 0.8796, rel=0.06)
    given = paddle.ParamAttr(initializer=nn.initializer.Assign(np.ones([1, 2], "float32")))
    assert nn.Linear(1, 2, weight_attr=given).weight.tolist() == [[1.0, 1.0]]
    assert nn.Linear(1, 1, bias_attr=False).bias is None


@pytest.mark.parametrize(
    "error, run",
    [
        (ValueError, lambda: nn.Linear(2, 3)(paddle.ones([4, 5]))),
        (ValueError, lambda: nn.Linear(2, 3)(paddle.ones([4, 2], "float64"))),
        (ValueError, lambda: nn.Conv2D(1, 1, 3)(paddle.ones([1, 2, 5, 5]))),
        (TypeError, lambda: nn.Linear(2, 3, bias=False)),
        (ValueError, lambda: nn.BatchNorm2D(3)(paddle.ones([2, 3]))),
        (ValueError, lambda: nn.LayerNorm(3)(paddle.ones([2, 4]))),
        (ValueError, lambda: nn.LSTM(2, 3, direction="x")),
        (ValueError, lambda: nn.LSTM(2, 3)(paddle.ones([1, 2, 5]))),
        (ValueError, lambda: nn.MSELoss("x")),
        (ValueError, lambda: F.dropout(paddle.ones([3]), 2)),
        (ValueError, lambda: nn.Embedding(3, 2)(T([3])).numpy()),
        (ValueError, lambda: F.one_hot(T([3]), 2).numpy()),
        (IndexError, lambda: F.cross_entropy(paddle.ones([2, 2]), T([0, 2])).numpy()),
        (ValueError, lambda: F.cross_entropy(paddle.ones([2, 2]), T([0, 1, 1]))),
        (NotImplementedError, lambda: F.max_pool2d(paddle.ones([1, 1, 2, 2]), 2, return_mask=True)),
        (NotImplementedError, lambda: F.conv3d(None, None)),
        (AttributeError, lambda: nn.Transformer),
        (IndexError, lambda: nn.Sequential(nn.ReLU())[3]),
    ],
)
def test_wrong_arguments(error, run):
    with pytest.raises(error):
        run()


def test_dropout_hooks_and_modes():
    drop = nn.Dropout(0.5)
    assert set(np.unique(drop(paddle.ones([500])).numpy())) == {0.0, 2.0}
    assert drop.eval()(paddle.ones([3])).tolist() == [1.0, 1.0, 1.0]
    layer = nn.ReLU()
    handle = layer.register_forward_post_hook(lambda layer, inputs, output: output + 1)
    assert layer(T([1.0])).tolist() == [2.0]
    handle.remove()
    assert layer(T([1.0])).tolist() == [1.0]
    assert paddle.DataParallel(layer)(T([-1.0])).tolist() == [0.0]
