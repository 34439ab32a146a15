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
from ._dropout import (
    Dropout as Dropout,
)
from ._embedding import (
    Embedding as Embedding,
)
from ._hook import (
    Hook as Hook,
)
from ._losses import (
    HingeLoss as HingeLoss,
    HuberLoss as HuberLoss,
    KLDivLoss as KLDivLoss,
    L1Loss as L1Loss,
    L2Loss as L2Loss,
    LogisticLoss as LogisticLoss,
    Loss as Loss,
    SigmoidBCELoss as SigmoidBCELoss,
    SoftmaxCELoss as SoftmaxCELoss,
    SquaredHingeLoss as SquaredHingeLoss,
)
from ._norms import (
    BatchNorm as BatchNorm,
    LayerNorm as LayerNorm,
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
from ._recurrent import (
    GRU as GRU,
    LSTM as LSTM,
    RNN as RNN,
)

__all__ = [
    "Activation",
    "AvgPool2D",
    "BatchNorm",
    "Block",
    "Conv2D",
    "Conv2DTranspose",
    "Dense",
    "Dropout",
    "ELU",
    "Embedding",
    "Flatten",
    "GELU",
    "GRU",
    "GlobalAvgPool2D",
    "GlobalMaxPool2D",
    "HardSigmoid",
    "HardSwish",
    "HingeLoss",
    "Hook",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "L2Loss",
    "LSTM",
    "Lambda",
    "LayerNorm",
    "LeakyReLU",
    "LogSoftmax",
    "LogisticLoss",
    "Loss",
    "MaxPool2D",
    "Mish",
    "NotInitialized",
    "Parameter",
    "RNN",
    "ReLU",
    "ReLU6",
    "Sequential",
    "SiLU",
    "Sigmoid",
    "SigmoidBCELoss",
    "Softmax",
    "SoftmaxCELoss",
    "Softplus",
    "Softsign",
    "SquaredHingeLoss",
    "Tanh",
    "avg_pool2d",
    "batch_norm",
    "conv1d",
    "conv2d",
    "conv2d_transpose",
    "dropout",
    "elu",
    "embedding",
    "gelu",
    "gelu_tanh",
    "global_avg_pool2d",
    "global_max_pool2d",
    "group_norm",
    "gru_gates",
    "hard_sigmoid",
    "hard_swish",
    "hinge_loss",
    "huber_loss",
    "init",
    "instance_norm",
    "kl_div_loss",
    "l1_loss",
    "l2_loss",
    "layer_norm",
    "leaky_relu",
    "linear",
    "log_softmax",
    "logistic_loss",
    "logsumexp",
    "lstm_gates",
    "max_pool2d",
    "mish",
    "one_hot",
    "pick",
    "relu",
    "relu6",
    "rms_norm",
    "rnn",
    "sigmoid",
    "sigmoid_bce_loss",
    "silu",
    "softmax",
    "softmax_cross_entropy",
    "softplus",
    "softsign",
    "squared_hinge_loss",
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
def batch_norm(
    x: _ArrayLike,
    /,
    gamma: _ArrayLike | None = None,
    beta: _ArrayLike | None = None,
    running_mean: _ArrayLike | None = None,
    running_var: _ArrayLike | None = None,
    momentum: float = 0.9,
    eps: float = 1e-05,
    axis: SupportsIndex = 1,
    training: _bool = True,
    correction: float = 0.0,
    *,
    out: tuple[ndarray | None,ndarray | None,ndarray | None] | None = None,
) -> tuple[ndarray, ndarray, ndarray]:
    """(x - mean) / sqrt(variance + eps) * gamma + beta, for each place along the axis; and the statistics to keep: running = momentum running + (1 - momentum) batch, of the mean and of the variance, which is divided by count - correction there. With training mean and variance are the batch's, and without running statistics these are given; else they are the running ones. Nothing flows from the statistics."""
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
def dropout(
    x: _ArrayLike,
    /,
    p: float = 0.5,
    axes: _Ints | None = None,
    *,
    generator: Generator | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """x with each element 0 with probability p, else divided by 1 - p; with axes the same along these. Which ones are 0 is not stored: the way back finds it out again."""
def elu(x: _ArrayLike, /, alpha: complex = 1.0, *, out: ndarray | None = None) -> ndarray:
    """The operand where it is positive, else alpha * (exp(x) - 1)."""
def embedding(
    indices: _ArrayLike,
    weight: _ArrayLike,
    /,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """The rows of weight at integer positions. A position out of range is found while running."""
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
def group_norm(
    x: _ArrayLike,
    /,
    gamma: _ArrayLike | None = None,
    beta: _ArrayLike | None = None,
    groups: SupportsIndex = 1,
    eps: float = 1e-05,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """(x - mean) / sqrt(variance + eps) * gamma + beta, mean and variance being those of each group of channels, which are along the second axis, for each place along the first; gamma and beta have a number for each channel."""
def gru_gates(
    gates: _ArrayLike,
    sent: _ArrayLike,
    state: _ArrayLike,
    /,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """The state after one step of a GRU. What the input (gates) and the state (sent) bring to the gates, reset, update and candidate, lies one behind the other along the last axis, before their sigmoid or tanh; the reset is applied inside the candidate."""
def hard_sigmoid(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """A sigmoid of straight lines."""
def hard_swish(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """x * hard_sigmoid(x)."""
def hinge_loss(
    x: _ArrayLike,
    target: _ArrayLike,
    /,
    margin: complex = 1.0,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """max(0, margin - x * target), for targets -1 and 1."""
def huber_loss(
    x: _ArrayLike,
    target: _ArrayLike,
    /,
    rho: complex = 1.0,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """With d = |x - target|: d^2 / (2 rho) where d < rho, else d - rho / 2."""
def instance_norm(
    x: _ArrayLike,
    /,
    gamma: _ArrayLike | None = None,
    beta: _ArrayLike | None = None,
    eps: float = 1e-05,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """group_norm with as many groups as there are channels."""
def kl_div_loss(
    x: _ArrayLike,
    target: _ArrayLike,
    /,
    from_logits: _bool = True,
    axis: SupportsIndex = -1,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """target * (log(target) - x), 0 where target is 0; x is logarithms of probabilities, or without from_logits what log_softmax along the axis makes them of."""
def l1_loss(x: _ArrayLike, target: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """|x - target|."""
def l2_loss(x: _ArrayLike, target: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """(x - target)^2 / 2."""
def layer_norm(
    x: _ArrayLike,
    /,
    gamma: _ArrayLike | None = None,
    beta: _ArrayLike | None = None,
    axis: _Ints | None = None,
    eps: float = 1e-05,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """(x - mean) / sqrt(variance + eps) * gamma + beta, mean and variance being those along the last axis, or one axis, or all of several last axes; gamma and beta have the shape of these."""
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
def logistic_loss(
    x: _ArrayLike,
    target: _ArrayLike,
    /,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """log(1 + exp(-x * target)), for targets -1 and 1."""
def logsumexp(
    x: _ArrayLike,
    /,
    axis: _Ints | None = None,
    *,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """The logarithm of the sum of exp(x) over the axes, without overflow on the way."""
def lstm_gates(
    gates: _ArrayLike,
    cell: _ArrayLike,
    /,
    *,
    out: tuple[ndarray | None,ndarray | None] | None = None,
) -> tuple[ndarray, ndarray]:
    """The state and the cell after one step of an LSTM. The gates, input, forget, candidate and output, lie one behind the other along the last axis, before their sigmoid or tanh."""
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
def pick(
    x: _ArrayLike,
    index: _ArrayLike,
    /,
    axis: SupportsIndex = -1,
    keepdims: _bool = False,
    mode: str | None = None,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """For each line along the axis the element at its position. A position out of range is found while running, or is the nearest one (mode clip), or counts on from the other end (wrap)."""
def relu(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """The operand where it is positive, else 0."""
def relu6(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """relu, but at most 6."""
def rms_norm(
    x: _ArrayLike,
    /,
    gamma: _ArrayLike | None = None,
    eps: float = 1e-05,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """x / sqrt(mean of x^2 + eps) * gamma, along the last axis."""
def rnn(
    x: _ArrayLike,
    parameters: _ArrayLike,
    state: _ArrayLike,
    /,
    mode: str,
    cell: _ArrayLike | None = None,
    mask: _ArrayLike | None = None,
    *,
    bidirectional: _bool = False,
    out: tuple[ndarray | None,...] | None = None,
) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """Recurrent layers over a sequence x (steps, batch, inputs), from states (layers x directions, batch, hidden) and, of lstm, cells like them: y (steps, batch, directions x hidden) of the last layer, the last states, the last cells (lstm; else no elements), and a reserve that only the gradient reads. The parameters are all weights, by layer and direction those of the input and of the state, then in the same order all biases; gates in the order input, forget, candidate, output (lstm) or reset, update, candidate (gru, with the reset inside the candidate). The mask (layers - 1, steps, batch, directions x hidden) is multiplied with what goes from a layer to the next: dropout."""
def sigmoid(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """1 / (1 + exp(-x))."""
def sigmoid_bce_loss(
    x: _ArrayLike,
    target: _ArrayLike,
    /,
    pos_weight: _ArrayLike | None = None,
    from_sigmoid: _bool = False,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """With p = sigmoid(x), or with from_sigmoid p = x: -pos_weight target log(p) - (1 - target) log(1 - p); pos_weight is 1 unless given, and is broadcast. Of p itself logarithms are at least -100."""
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
def softmax_cross_entropy(
    x: _ArrayLike,
    labels: _ArrayLike,
    /,
    axis: SupportsIndex = -1,
    ignore_label: SupportsIndex | None = None,
    smoothing: float = 0.0,
    weights: _ArrayLike | None = None,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """The sum over the axis of -weights t log_softmax(x). Labels are integers, counted from 0, one for each line along the axis: t is 1 at the label, else 0; or they are t itself, of the shape of x. With smoothing s of n classes t becomes (1 - s) t + s / n. Where a label is ignore_label the result is 0. A label out of range is found while running."""
def softplus(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """log(1 + exp(x))."""
def softsign(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """x / (1 + |x|)."""
def squared_hinge_loss(
    x: _ArrayLike,
    target: _ArrayLike,
    /,
    margin: complex = 1.0,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """max(0, margin - x * target)^2, for targets -1 and 1."""
def swish(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """x * sigmoid(x)."""
def tanh(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Hyperbolic tangent."""
