"""paddle.jit and paddle.static: layers stay what they are, and files of them are data."""

import numpy
import pytest
from penstock import paddle

nn, InputSpec = paddle.nn, paddle.static.InputSpec


def test_to_static_gives_the_layer_itself():
    net = nn.Sequential(nn.Linear(3, 2), nn.ReLU())
    assert paddle.jit.to_static(net) is net
    assert paddle.jit.to_static(net, input_spec=[InputSpec([-1, 3])]) is net
    with pytest.raises(TypeError, match="3"):
        paddle.jit.to_static(3)


def test_to_static_decorates():
    @paddle.jit.to_static
    def twice(x):
        return x * 2

    @paddle.jit.to_static(input_spec=[InputSpec([-1, 3])])
    def thrice(x):
        return x * 3

    assert twice(paddle.ones([2])).tolist() == [2, 2]
    assert thrice(paddle.ones([1, 3])).tolist() == [[3, 3, 3]]


def test_layers_go_through_files(tmp_path):
    inner = nn.Sequential(nn.Conv2D(1, 2, 3), nn.BatchNorm2D(2), nn.MaxPool2D(2), nn.Flatten())
    net = nn.Sequential(inner, nn.Linear(18, 4), nn.Dropout(0.5), nn.LayerNorm(4), nn.Tanh())
    net.eval()
    path = str(tmp_path / "folder" / "net")
    paddle.jit.save(net, path, input_spec=[InputSpec([-1, 1, 8, 8])])
    made, x = paddle.jit.load(path), paddle.rand([2, 1, 8, 8])
    numpy.testing.assert_array_equal(made(x).numpy(), net(x).numpy())
    assert [name for name, _ in made.named_parameters()] == [
        name for name, _ in net.named_parameters()
    ]
    assert all(isinstance(one, type(net[1].weight)) for one in made.parameters())
    assert repr(made) == repr(net) and not made.training


def test_recurrent_layers_go_through_files(tmp_path):
    net = nn.LSTM(3, 4, num_layers=2, direction="bidirect")
    net.flatten_parameters()
    paddle.jit.save(net, str(tmp_path / "net"))
    made, x = paddle.jit.load(str(tmp_path / "net")), paddle.rand([2, 5, 3])
    numpy.testing.assert_array_equal(made(x)[0].numpy(), net(x)[0].numpy())
    assert made.weight_ih_l0 is made[0].cell_fw.weight_ih


class Own(nn.Layer):
    def forward(self, x):
        return x


def test_code_is_not_written(tmp_path):
    with pytest.raises(NotImplementedError, match="Own"):
        paddle.jit.save(nn.Sequential(Own()), str(tmp_path / "a"))
    with pytest.raises(NotImplementedError, match="function"):
        paddle.jit.save(lambda x: x, str(tmp_path / "a"))
    with pytest.raises(TypeError, match="Layer"):
        paddle.jit.save(3, str(tmp_path / "a"))
    layer = nn.Linear(2, 2)
    with pytest.raises(NotImplementedError, match="twice"):
        paddle.jit.save(nn.Sequential(layer, layer), str(tmp_path / "a"))
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(ValueError, match="not exists"):
        paddle.jit.load(str(tmp_path / "none"))
    paddle.save({"x": paddle.ones([2])}, str(tmp_path / "other.pdmodel"))
    with pytest.raises(ValueError, match="jit.save"):
        paddle.jit.load(str(tmp_path / "other"))


def test_descriptions_of_inputs():
    one = InputSpec([None, 3], "int64", "y")
    assert repr(one) == "InputSpec(shape=(-1, 3), dtype=paddle.int64, name=y, stop_gradient=False)"
    same = InputSpec([-1, 3], "int64", "y")
    assert one == same and hash(one) == hash(same)
    assert InputSpec([3]).batch(4).shape == (4, 3)
    assert InputSpec([4, 3]).unbatch().shape == (3,)
    assert InputSpec.from_numpy(numpy.ones((2, 3))).dtype == paddle.float64
    assert InputSpec.from_tensor(paddle.ones([2]), "x").shape == (2,)


@pytest.mark.parametrize(
    "error, call",
    [
        (TypeError, lambda: InputSpec(3)),
        (ValueError, lambda: InputSpec([1.5])),
        (ValueError, lambda: InputSpec([2]).batch([1, 2])),
        (TypeError, lambda: InputSpec([2]).batch("a")),
        (ValueError, lambda: InputSpec([]).unbatch()),
        (ValueError, lambda: InputSpec.from_tensor(3)),
    ],
)
def test_wrong_descriptions(error, call):
    with pytest.raises(error):
        call()


def test_other_names_are_told():
    with pytest.raises(AttributeError, match="paddle.static.Program"):
        paddle.static.Program  # noqa: B018
