"""Neural networks: functions of the table of operations, and layers over them."""

# Made by tools/python_stubs.py (make generate); do not edit.

from builtins import bool as _bool
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from .._core import (
    _ArrayLike as _ArrayLike,
    _DTypeLike as _DTypeLike,
    _Ints as _Ints,
    ndarray as ndarray,
)
from . import (
    init as init,
)
from ._activations import (
    ELU as ELU,
    GELU as GELU,
    Activation as Activation,
    HardSigmoid as HardSigmoid,
    HardSwish as HardSwish,
    LeakyReLU as LeakyReLU,
    LogSoftmax as LogSoftmax,
    Mish as Mish,
    ReLU as ReLU,
    ReLU6 as ReLU6,
    Sigmoid as Sigmoid,
    SiLU as SiLU,
    Softmax as Softmax,
    Softplus as Softplus,
    Softsign as Softsign,
    Tanh as Tanh,
)
from ._block import (
    Block as Block,
)
from ._containers import (
    Flatten as Flatten,
    Lambda as Lambda,
    Sequential as Sequential,
)
from ._convolution import (
    Conv2D as Conv2D,
    Conv2DTranspose as Conv2DTranspose,
)
from ._dense import (
    Dense as Dense,
)
from ._hook import (
    Hook as Hook,
)
from ._parameter import (
    NotInitialized as NotInitialized,
    Parameter as Parameter,
)
from ._pooling import (
    AvgPool2D as AvgPool2D,
    GlobalAvgPool2D as GlobalAvgPool2D,
    GlobalMaxPool2D as GlobalMaxPool2D,
    MaxPool2D as MaxPool2D,
)

__all__ = [
    "Activation",
    "AvgPool2D",
    "Block",
    "Conv2D",
    "Conv2DTranspose",
    "Dense",
    "ELU",
    "Flatten",
    "GELU",
    "GlobalAvgPool2D",
    "GlobalMaxPool2D",
    "HardSigmoid",
    "HardSwish",
    "Hook",
    "Lambda",
    "LeakyReLU",
    "LogSoftmax",
    "MaxPool2D",
    "Mish",
    "NotInitialized",
    "Parameter",
    "ReLU",
    "ReLU6",
    "Sequential",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Softplus",
    "Softsign",
    "Tanh",
    "avg_pool2d",
    "conv1d",
    "conv2d",
    "conv2d_transpose",
    "elu",
    "gelu",
    "gelu_tanh",
    "global_avg_pool2d",
    "global_max_pool2d",
    "hard_sigmoid",
    "hard_swish",
    "init",
    "leaky_relu",
    "linear",
    "log_softmax",
    "logsumexp",
    "max_pool2d",
    "mish",
    "one_hot",
    "relu",
    "relu6",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
    "softsign",
    "swish",
    "tanh",
]

def avg_pool2d(
    x: _ArrayLike,
    /,
    kernel: _Ints,
    *,
    stride: _Ints | None = None,
    padding: _Ints = 0,
    ceil_mode: _bool = False,
    count_include_pad: _bool = True,
    layout: str | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """The mean of each window of each channel, with the zeros of the padding unless count_include_pad is false; windows as for max_pool2d."""
def conv1d(
    x: _ArrayLike,
    weight: _ArrayLike,
    /,
    bias: _ArrayLike | None = None,
    *,
    stride: SupportsIndex = 1,
    padding: SupportsIndex = 0,
    dilation: SupportsIndex = 1,
    groups: SupportsIndex = 1,
    out: ndarray | None = None,
) -> ndarray:
    """Convolution of lines of the layout NCW with weights of the shape (channels of the result, channels of x / groups, W), plus bias for each channel."""
def conv2d(
    x: _ArrayLike,
    weight: _ArrayLike,
    /,
    bias: _ArrayLike | None = None,
    *,
    stride: _Ints = 1,
    padding: _Ints = 0,
    dilation: _Ints = 1,
    groups: SupportsIndex = 1,
    layout: str | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Convolution of images, in the layout NCHW unless given, with weights of the shape (channels of the result, channels of x / groups, H, W), plus bias for each channel. stride and dilation, 1 unless given, and padding, 0 unless given, are one number, or two for H and W."""
def conv2d_transpose(
    x: _ArrayLike,
    weight: _ArrayLike,
    /,
    bias: _ArrayLike | None = None,
    *,
    stride: _Ints = 1,
    padding: _Ints = 0,
    output_padding: _Ints = 0,
    dilation: _Ints = 1,
    groups: SupportsIndex = 1,
    layout: str | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """The transpose of a convolution: an image whose windows x has one element for, with weights of the shape (channels of x, channels of the result / groups, H, W), plus bias. output_padding, less than the stride, is added to the result's lengths."""
def elu(x: _ArrayLike, /, alpha: complex = 1.0, *, out: ndarray | None = None) -> ndarray:
    """The operand where it is positive, else alpha * (exp(x) - 1)."""
def gelu(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """x times the normal distribution function of x."""
def gelu_tanh(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """gelu by its approximation with tanh."""
def global_avg_pool2d(
    x: _ArrayLike,
    /,
    layout: str | None = None,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """The mean of each channel of each image, as images of one pixel."""
def global_max_pool2d(
    x: _ArrayLike,
    /,
    layout: str | None = None,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """The largest element of each channel of each image, as images of one pixel."""
def hard_sigmoid(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """A sigmoid of straight lines."""
def hard_swish(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """x * hard_sigmoid(x)."""
def leaky_relu(
    x: _ArrayLike,
    /,
    slope: complex = 0.01,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """The operand where it is positive, else a fraction of it."""
def linear(
    x: _ArrayLike,
    weight: _ArrayLike,
    bias: _ArrayLike | None = None,
    activation: str | None = None,
) -> ndarray:
    """x @ weight.T + bias, then an activation by its name: a layer in one call."""
def log_softmax(
    x: _ArrayLike,
    /,
    axis: SupportsIndex = -1,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """The logarithm of softmax, without overflow on the way."""
def logsumexp(
    x: _ArrayLike,
    /,
    axis: _Ints | None = None,
    *,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """The logarithm of the sum of exp(x) over the axes, without overflow on the way."""
def max_pool2d(
    x: _ArrayLike,
    /,
    kernel: _Ints,
    *,
    stride: _Ints | None = None,
    padding: _Ints = 0,
    ceil_mode: _bool = False,
    layout: str | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """The largest element of each window of each channel; NaN if there is one. Windows are as far apart as they are long unless a stride is given. With ceil_mode the last one may reach beyond the padding, if it begins before it."""
def mish(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """x * tanh(softplus(x))."""
def one_hot(
    x: _ArrayLike,
    num_classes: SupportsIndex,
    /,
    *,
    dtype: _DTypeLike | None = None,
    axis: SupportsIndex = -1,
) -> ndarray:
    """1 at the place that each integer names along a new axis of that length, else 0."""
def relu(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """The operand where it is positive, else 0."""
def relu6(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """relu, but at most 6."""
def sigmoid(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """1 / (1 + exp(-x))."""
def silu(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """x * sigmoid(x)."""
def softmax(
    x: _ArrayLike,
    /,
    axis: SupportsIndex = -1,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """exp(x) divided by its sum along the axis."""
def softplus(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """log(1 + exp(x))."""
def softsign(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """x / (1 + |x|)."""
def swish(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """x * sigmoid(x)."""
def tanh(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Hyperbolic tangent."""
