"""torchvision.models: networks with torchvision's names of parameters, and no trained weights."""

import pytest
from penstock import torch
from penstock.torchvision import models


def test_resnet18():
    net = models.resnet18()
    state = net.state_dict()
    assert len(state) == 122 and sum(one.numel() for one in net.parameters()) == 11689512
    assert state["conv1.weight"].shape == (64, 3, 7, 7)
    assert state["layer2.0.downsample.0.weight"].shape == (128, 64, 1, 1)
    assert state["layer4.1.bn2.running_var"].shape == (512,)
    assert state["fc.weight"].shape == (1000, 512)
    names = "conv1 bn1 relu maxpool layer1 layer2 layer3 layer4 avgpool fc"
    assert [name for name, _ in net.named_children()] == names.split()
    assert net.eval()(torch.ones(2, 3, 64, 64)).shape == (2, 1000)


@pytest.mark.parametrize(("name", "count"), [("resnet34", 218), ("resnet50", 320)])
def test_deeper_ones(name, count):
    net = getattr(models, name)(num_classes=3)
    assert len(net.state_dict()) == count and net.fc.out_features == 3


def test_training_one():
    torch.manual_seed(0)
    net = models.resnet18(num_classes=2)
    loss = torch.nn.functional.cross_entropy(net(torch.rand(2, 3, 32, 32)), torch.tensor([0, 1]))
    loss.backward()
    assert net.conv1.weight.grad.abs().sum().item() > 0
    zero = models.resnet18(num_classes=2, zero_init_residual=True)
    assert zero.layer1[0].bn2.weight.abs().sum().item() == 0


def test_vgg_s_features():
    from penstock.torchvision.models.vgg import _features

    assert len(_features(19, False)) == 37 and len(_features(16, True)) == 44
    assert len(_features(11, False)) == 21
    assert _features(11, False)(torch.ones(1, 3, 32, 32)).shape == (1, 512, 1, 1)


@pytest.mark.parametrize("given", [{"pretrained": True}, {"weights": "DEFAULT"}])
@pytest.mark.parametrize("name", ["resnet18", "vgg19", "vgg16_bn"])
def test_trained_ones_are_not_here(name, given):
    with pytest.raises(NotImplementedError, match=f"models.{name}: there are no trained weights"):
        getattr(models, name)(**given)
