"""Networks of paddle.vision.models: names and shapes are PaddlePaddle's, weights are untrained."""

import numpy
import pytest
from penstock import paddle

models = paddle.vision.models


def test_residual_network_of_18_layers():
    net = models.resnet18(num_classes=7)
    state = net.state_dict()
    assert len(state) == 102
    names = list(state)
    assert names[:5] == ["conv1.weight", "bn1.weight", "bn1.bias", "bn1._mean", "bn1._variance"]
    assert "layer2.0.downsample.1._variance" in names
    assert list(state["fc.weight"].shape) == [512, 7]
    assert net(paddle.ones([2, 3, 32, 32])).shape == [2, 7]


def test_weights_of_convolutions_are_kaimings():
    weight = models.resnet18().conv1.weight
    assert abs(weight.std().item() - (2 / 147) ** 0.5) < 0.01


def test_bottlenecks():
    state = models.resnet50(num_classes=3).state_dict()
    assert len(state) == 267
    assert list(state["layer1.0.conv1.weight"].shape) == [64, 64, 1, 1]
    assert list(state["layer4.2.conv3.weight"].shape) == [2048, 512, 1, 1]


def test_without_classes_a_network_gives_features():
    net = models.resnet18(num_classes=0, with_pool=False)
    assert "fc" not in dict(net.named_children())
    assert net(paddle.ones([1, 3, 64, 64])).shape == [1, 512, 2, 2]


def test_state_goes_from_one_to_another():
    first, second = models.LeNet(), models.LeNet()
    second.set_state_dict(first.state_dict())
    x = paddle.rand([2, 1, 28, 28])
    assert (first(x) == second(x)).all().item()
    assert first(x).shape == [2, 10]


def test_vgg():
    features = models.vgg19(num_classes=0).features
    assert len(features) == 37
    net = models.vgg11(batch_norm=True, num_classes=0, with_pool=False)
    assert net(paddle.ones([1, 3, 32, 32])).shape == [1, 512, 1, 1]


@pytest.mark.parametrize("name", ["resnet18", "resnet34", "resnet50", "vgg16", "vgg19"])
def test_there_are_no_trained_weights(name):
    with pytest.raises(NotImplementedError, match=f"{name}: pretrained=True"):
        getattr(models, name)(pretrained=True)


def test_other_networks_are_named():
    with pytest.raises(AttributeError, match="paddle.vision.models.alexnet"):
        models.alexnet  # noqa: B018


def test_gradients_reach_the_first_layer():
    net = models.resnet18(num_classes=2)
    net(paddle.rand([2, 3, 32, 32])).sum().backward()
    assert numpy.isfinite(net.conv1.weight.grad.numpy()).all()
