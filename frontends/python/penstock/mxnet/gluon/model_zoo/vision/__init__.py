"""mx.gluon.model_zoo.vision: networks that classify pictures.

>>> net = mx.gluon.model_zoo.vision.get_model("resnet18_v1", classes=10)
>>> net.initialize()
>>> net(mx.nd.ones((1, 3, 32, 32))).shape
(1, 10)
"""

from ...._missing import missing
from . import densenet, inception, mobilenet, resnet, squeezenet, vgg
from .alexnet import *  # noqa: F403
from .alexnet import alexnet
from .densenet import *  # noqa: F403
from .inception import *  # noqa: F403
from .mobilenet import *  # noqa: F403
from .resnet import *  # noqa: F403
from .squeezenet import *  # noqa: F403
from .vgg import *  # noqa: F403

# The names that get_model takes, where they are not those of the functions.
_OTHERS = {"inceptionv3": inception.inception_v3, "alexnet": alexnet}
for _size in ("0.25", "0.5", "0.75", "1.0"):
    _name = _size.replace(".", "_")
    _OTHERS[f"mobilenet{_size}"] = getattr(mobilenet, f"mobilenet{_name}")
    _OTHERS[f"mobilenetv2_{_size}"] = getattr(mobilenet, f"mobilenet_v2_{_name}")
for _version in ("1.0", "1.1"):
    _name = _version.replace(".", "_")
    _OTHERS[f"squeezenet{_version}"] = getattr(squeezenet, f"squeezenet{_name}")
del _size, _version, _name

_models = {
    name: getattr(module, name)
    for module in (densenet, resnet, vgg)
    for name in module.__all__
    if name[0].islower() and not name.startswith("get_")
} | _OTHERS


def get_model(name, **kwargs):
    """A network by its name, for example 'resnet50_v2'; other arguments are the network's."""
    name = name.lower()
    if name not in _models:
        known = "\n\t".join(sorted(_models))
        raise ValueError(f"there is no model {name!r}, but there are\n\t{known}")
    return _models[name](**kwargs)


get_model.__module__ = "mxnet.gluon.model_zoo.vision"

__getattr__ = missing("mxnet.gluon.model_zoo.vision")
