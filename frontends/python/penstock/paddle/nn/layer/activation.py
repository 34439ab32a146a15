"""Activations as layers."""

from .. import functional as F
from ..initializer import Constant
from .layers import Layer


def _plain(kind, function):
    """A layer without settings that calls a function."""

    class Activation(Layer):
        def __init__(self, name=None):
            super().__init__()
            self._name = name

        def forward(self, x):
            return function(x)

        def extra_repr(self):
            return f"name={self._name}" if self._name else ""

    Activation.__name__ = Activation.__qualname__ = kind
    Activation.__doc__ = f"The function {function.__name__}, as a layer."
    return Activation


ReLU, ReLU6 = _plain("ReLU", F.relu), _plain("ReLU6", F.relu6)
Sigmoid, Tanh = _plain("Sigmoid", F.sigmoid), _plain("Tanh", F.tanh)
Swish, Mish = _plain("Swish", F.swish), _plain("Mish", F.mish)
Softsign, Tanhshrink = _plain("Softsign", F.softsign), _plain("Tanhshrink", F.tanhshrink)
Hardswish, LogSigmoid = _plain("Hardswish", F.hardswish), _plain("LogSigmoid", F.log_sigmoid)
Hardsigmoid = _plain("Hardsigmoid", F.hardsigmoid)


def _with(kind, function, **defaults):
    """A layer whose settings are further arguments of a function."""
    names = tuple(defaults)

    class Activation(Layer):
        def __init__(self, *args, name=None, **kwargs):
            super().__init__()
            given = {**defaults, **dict(zip(names, args)), **kwargs}
            if len(args) > len(names) or len(given) > len(names):
                wrong = next((one for one in kwargs if one not in defaults), args[-1:])
                raise TypeError(f"{kind}() got an unexpected argument {wrong!r}")
            self._settings = given

        def forward(self, x):
            return function(x, *self._settings.values())

        def extra_repr(self):
            return ", ".join(f"{name}={value}" for name, value in self._settings.items())

    Activation.__name__ = Activation.__qualname__ = kind
    Activation.__doc__ = f"The function {function.__name__}, as a layer."
    return Activation


GELU = _with("GELU", F.gelu, approximate=False)
LeakyReLU = _with("LeakyReLU", F.leaky_relu, negative_slope=0.01)
ELU, CELU = _with("ELU", F.elu, alpha=1.0), _with("CELU", F.celu, alpha=1.0)
Softmax = _with("Softmax", F.softmax, axis=-1)
LogSoftmax = _with("LogSoftmax", F.log_softmax, axis=-1)
Softplus = _with("Softplus", F.softplus, beta=1, threshold=20)
Hardtanh = _with("Hardtanh", F.hardtanh, min=-1.0, max=1.0)
Hardshrink = _with("Hardshrink", F.hardshrink, threshold=0.5)
Softshrink = _with("Softshrink", F.softshrink, threshold=0.5)
ThresholdedReLU = _with("ThresholdedReLU", F.thresholded_relu, threshold=1.0, value=0.0)
Maxout = _with("Maxout", F.maxout, groups=1, axis=1)
GLU = _with("GLU", F.glu, axis=-1)
SELU = _with(
    "SELU", F.selu, scale=1.0507009873554804934193349852946, alpha=1.6732632423543772848170429916717
)


class Silu(Layer):
    """x * sigmoid(x), as a layer."""

    def __init__(self, inplace=False, name=None):
        super().__init__()
        self._inplace = inplace

    def forward(self, x):
        return F.silu(x)

    def extra_repr(self):
        return f"inplace={self._inplace}"


class PReLU(Layer):
    """The elements where they are above 0, else a fraction that is learned."""

    def __init__(
        self, num_parameters=1, init=0.25, weight_attr=None, data_format="NCHW", name=None
    ):
        super().__init__()
        self._num_parameters, self._init, self._data_format = num_parameters, init, data_format
        self._weight = self.create_parameter(
            [num_parameters], weight_attr, default_initializer=Constant(init)
        )

    def forward(self, x):
        return F.prelu(x, self._weight, self._data_format)

    def extra_repr(self):
        return (
            f"num_parameters={self._num_parameters}, data_format={self._data_format}, "
            f"init={self._init}, dtype={self._dtype}"
        )
