"""mx.gluon.model_zoo: known networks, with the names that MXNet 1.9.1 gives to their parameters."""

import os
import zlib

import pytest

from penstock.mxnet import cpu, nd, np, npx
from penstock.mxnet.base import NotBuiltError
from penstock.mxnet.gluon import contrib, model_zoo, nn
from penstock.mxnet.gluon.model_zoo import model_store, vision

pytestmark = pytest.mark.usefixtures("nothing_recorded")

# By name: how many parameters MXNet's has, and the checksum of their names and shapes.
NETWORKS = {
    "alexnet": (16, 2440266144),
    "densenet121": (606, 3435245884),
    "densenet161": (806, 2125326590),
    "densenet169": (846, 2468232062),
    "densenet201": (1006, 724346199),
    "inceptionv3": (472, 3678980856),
    "mobilenet0.25": (137, 4031571452),
    "mobilenet0.5": (137, 780292667),
    "mobilenet0.75": (137, 3317093155),
    "mobilenet1.0": (137, 3800819246),
    "mobilenetv2_0.25": (266, 3375760064),
    "mobilenetv2_0.5": (266, 4194518410),
    "mobilenetv2_0.75": (266, 2874918177),
    "mobilenetv2_1.0": (266, 1709943759),
    "resnet18_v1": (102, 3675808916),
    "resnet34_v1": (182, 304104177),
    "resnet50_v1": (299, 1372737906),
    "resnet101_v1": (588, 3538466081),
    "resnet152_v1": (877, 394492397),
    "resnet18_v2": (98, 1295079791),
    "resnet34_v2": (178, 3142004990),
    "resnet50_v2": (259, 3002476707),
    "resnet101_v2": (514, 2893287740),
    "resnet152_v2": (769, 2793608775),
    "squeezenet1.0": (52, 3088908485),
    "squeezenet1.1": (52, 29357792),
    "vgg11": (22, 3736265565),
    "vgg11_bn": (54, 108486125),
    "vgg13": (26, 1410173432),
    "vgg13_bn": (66, 4066669198),
    "vgg16": (32, 1479845837),
    "vgg16_bn": (84, 3867736540),
    "vgg19": (38, 2098365186),
    "vgg19_bn": (102, 11893928),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_parameters(name):
    net = vision.get_model(name)
    lines = [f"{name} {shape}" for name, shape in shapes(net).items()]
    lines += net._collect_params_with_prefix()
    assert (len(lines) // 2, zlib.crc32("\n".join(lines).encode())) == NETWORKS[name]


def shapes(net):
    return {
        name.removeprefix(net.prefix): param.shape for name, param in net.collect_params().items()
    }


def test_names_and_shapes():
    found = shapes(vision.resnet50_v1())
    assert found["stage1_conv0_weight"] == (64, 0, 1, 1) and found["stage1_conv0_bias"] == (64,)
    assert found["stage4_conv3_weight"] == (2048, 1024, 1, 1)
    assert "stage1_conv1_bias" not in found and found["dense0_weight"] == (1000, 2048)
    found = shapes(vision.mobilenet_v2_0_25(classes=7))
    assert found["features_linearbottleneck16_conv2_weight"] == (80, 0, 1, 1)
    assert found["output_pred_weight"] == (7, 0, 1, 1)
    found = shapes(vision.inception_v3())
    assert found["E2_conv6_weight"] == (384, 0, 1, 3) and found["C1_conv2_weight"][2:] == (1, 7)
    found = shapes(vision.densenet121())
    assert found["stage3_conv47_weight"] == (32, 0, 3, 3) and found["conv3_weight"][0] == 512
    assert list(shapes(vision.squeezenet1_1()))[-1] == "conv25_bias"
    structured = list(vision.resnet18_v1()._collect_params_with_prefix())
    assert structured[5] == "features.4.0.body.0.weight" and structured[-1] == "output.bias"


def test_layers():
    net = vision.resnet18_v2(thumbnail=True)
    kinds = [type(layer).__name__ for layer in net.features]
    assert kinds[:2] == ["BatchNorm", "Conv2D"] and kinds[-4:] == [
        *("BatchNorm", "Activation", "GlobalAvgPool2D", "Flatten")
    ]
    assert isinstance(net.features[2][0], vision.BasicBlockV2)
    assert net.features[0].gamma.grad_req == net.features[0].beta.grad_req == "null"
    with pytest.raises(AssertionError):
        vision.ResNetV1(vision.BasicBlockV1, [1], [8])
    text = repr(vision.mobilenet0_25().features[3])
    assert text.startswith("Conv2D(None -> 8, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1), g")


@pytest.mark.parametrize(
    "name", ["resnet18_v1", "resnet18_v2", "resnet50_v2", "mobilenet0.25", "mobilenetv2_0.25"]
)
def test_calls(name):
    net = vision.get_model(name, classes=10)
    net.initialize()
    assert net(nd.ones((2, 3, 32, 32))).shape == (2, 10)
    assert all(min(param.shape) > 0 for param in net.collect_params().values())


def test_numpy_mode():
    npx.set_np()
    net = vision.ResNetV1(vision.BottleneckV1, [1, 1], [4, 8, 16], classes=3)
    net.initialize()
    assert type(net(np.ones((1, 3, 32, 32)))) is np.ndarray
    npx.reset_np()


def test_get_model():
    assert type(vision.get_model("ResNet18_V1")).__module__ == (
        "mxnet.gluon.model_zoo.vision.resnet"
    )
    assert model_zoo.vision is vision and callable(vision.alexnet)
    with pytest.raises(ValueError, match="there is no model 'nothing'"):
        vision.get_model("nothing")
    with pytest.raises(AssertionError):
        vision.get_resnet(3, 18)
    with pytest.raises(AssertionError):
        vision.get_resnet(1, 19)
    with pytest.raises(KeyError):
        vision.get_vgg(12)
    with pytest.raises(AssertionError):
        vision.SqueezeNet("2")


def test_parameters_come_from_files(tmp_path):
    root = str(tmp_path)
    with pytest.raises(NotBuiltError, match="no downloads"):
        vision.mobilenet0_25(pretrained=True, root=root)
    net = vision.mobilenet0_25(classes=5)
    net.initialize()
    x = nd.ones((1, 3, 32, 32))
    expected = net(x).asnumpy()
    net.save_parameters(os.path.join(root, "mobilenet0.25-9f83e440.params"))
    other = vision.get_model("mobilenet0.25", pretrained=True, ctx=cpu(), root=root, classes=5)
    assert (other(x).asnumpy() == expected).all()
    assert model_store.get_model_file("mobilenet0.25", root).endswith("9f83e440.params")
    model_store.purge(root)
    assert os.listdir(root) == []


# ---- Layers that they are made of ----------------------------------------------------------------


@pytest.mark.parametrize("make", [contrib.nn.Concurrent, contrib.nn.HybridConcurrent])
def test_layers_side_by_side(make):
    net = make(axis=1)
    net.add(contrib.nn.Identity(), nn.Dense(3, weight_initializer="ones"))
    net.initialize()
    assert net(nd.array([[1, 2]])).asnumpy().tolist() == [[1, 2, 3, 3, 3]]
    assert repr(contrib.nn.Identity()) == "Identity(\n\n)"


def test_pixels_of_channels():
    x = nd.arange(24).reshape((2, 6, 1, 2))
    found = contrib.nn.PixelShuffle2D((2, 3))(x)
    assert found[0].asnumpy().tolist() == [[[0, 2, 4, 1, 3, 5], [6, 8, 10, 7, 9, 11]]]
    line = contrib.nn.PixelShuffle1D(2)(nd.arange(4).reshape((1, 2, 2)))
    assert line.asnumpy().tolist() == [[[0, 2, 1, 3]]]
    assert contrib.nn.PixelShuffle3D(2)(nd.ones((1, 16, 1, 2, 3))).shape == (1, 2, 2, 4, 6)
    assert repr(contrib.nn.PixelShuffle2D(2)) == "PixelShuffle2D((2, 2))"


def test_batch_norm_of_one_device():
    layer = contrib.nn.SyncBatchNorm(in_channels=2, num_devices=1)
    layer.initialize()
    assert abs(layer(nd.ones((1, 2, 3, 3))) - 1).max().asscalar() < 1e-4
    with pytest.raises(NotBuiltError):
        contrib.nn.SparseEmbedding(2, 3)
