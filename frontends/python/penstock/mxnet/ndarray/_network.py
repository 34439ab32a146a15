"""Functions of mx.nd for neural networks, as far as they are without parameters of their own."""

from ... import nn
from .._nd_array import element_type
from ..base import MXNetValueError, NotBuiltError
from ._call import array, call, into, known, not_built, ops, table

__all__ = [
    *("Activation", "Dropout", "FullyConnected", "InstanceNorm", "L2Normalization", "LayerNorm"),
    *("LeakyReLU", "SequenceLast", "SequenceMask", "SequenceReverse", "SoftmaxActivation"),
    *("log_softmax", "softmax", "softmax_cross_entropy", "softmin"),
]

LAYERS = (
    *("BatchNorm", "BilinearSampler", "CTCLoss", "Convolution", "Correlation", "Custom"),
    *("Deconvolution", "GridGenerator", "GroupNorm", "LRN", "LinearRegressionOutput"),
    *(
        "LogisticRegressionOutput",
        "MAERegressionOutput",
        "MakeLoss",
        "Pooling",
        "RNN",
        "ROIPooling",
    ),
    *("SVMOutput", "SoftmaxOutput", "SpatialTransformer", "UpSampling", "ctc_loss"),
)
for _name in LAYERS:
    globals()[_name] = not_built(_name)
del _name
__all__ += LAYERS

_where = ops["where"]


# ---- Softmax -------------------------------------------------------------------------------------


def _within(lengths, x, axis):
    """True at positions along the axis that are below the length of their row."""
    axis = axis % x.ndim
    shape = [1] * x.ndim
    shape[axis] = -1
    lengths = ops["expand_dims"](ops["cast"](lengths, "int64"), axis)
    return ops["arange"](0, x.shape[axis]).reshape(shape) < lengths


def _soft(function, x, length, axis, scale, dtype):
    x = x if scale == 1 else x * scale
    if length is None:
        found = function(x, axis)
    else:
        within = _within(length, x, axis)
        found = _where(within, function(_where(within, x, float("-inf")), axis), 0.0)
    return found if dtype is None else ops["cast"](found, dtype)


def _scale(temperature):
    return 1 if temperature is None else 1 / temperature


def softmax(
    data,
    length=None,
    axis=-1,
    temperature=None,
    dtype=None,
    use_length=False,
    out=None,
    name=None,
    **unknown,
):
    """exp(x) divided by its sum along the axis; with lengths, over so many elements of each row."""
    known("softmax", unknown)
    length = array("length", length) if use_length else None
    scale, dtype = _scale(temperature), element_type(dtype)
    return into(out, call(_soft, nn.softmax, array("data", data), length, axis, scale, dtype))


def log_softmax(
    data, axis=-1, temperature=None, dtype=None, use_length=False, out=None, name=None, **unknown
):
    """The logarithm of softmax."""
    known("log_softmax", unknown)
    scale, dtype = _scale(temperature), element_type(dtype)
    return into(out, call(_soft, nn.log_softmax, array("data", data), None, axis, scale, dtype))


def softmin(
    data, axis=-1, temperature=None, dtype=None, use_length=False, out=None, name=None, **unknown
):
    """softmax of the elements with their signs changed."""
    known("softmin", unknown)
    scale, dtype = -_scale(temperature), element_type(dtype)
    return into(out, call(_soft, nn.softmax, array("data", data), None, axis, scale, dtype))


def SoftmaxActivation(data, mode="instance", out=None, name=None, **unknown):
    """softmax over all elements of each row, or over the channels."""
    known("SoftmaxActivation", unknown)
    if mode == "channel":
        return softmax(data, axis=1, out=out)
    rows = array("data", data).reshape((0, -1))
    return into(out, softmax(rows).reshape(data.shape))


def _cross_entropy(x, label):
    logs = nn.log_softmax(x, -1)
    hot = nn.one_hot(ops["cast"](label, "int64"), x.shape[-1], dtype=logs.dtype)
    return -ops["sum"](logs * hot).reshape((1,))


def softmax_cross_entropy(data, label, out=None, name=None):
    """The sum over rows of -log(softmax) at the position that the label names."""
    return into(out, call(_cross_entropy, array("data", data), array("label", label)))


# ---- Layers --------------------------------------------------------------------------------------

_linear = table("matmul", "FullyConnected", "data:x1, weight:x2, transpose2, bias=None")


def FullyConnected(
    data,
    weight,
    bias=None,
    num_hidden=None,
    no_bias=False,
    flatten=True,
    out=None,
    name=None,
    **unknown,
):
    """data times the transposed weight, plus bias; unless flatten is False, by rows of data."""
    known("FullyConnected", unknown)
    bias = None if no_bias else array("bias", bias)
    if num_hidden is not None and array("weight", weight).shape[0] != num_hidden:
        raise MXNetValueError(
            f"FullyConnected: weight of shape {weight.shape} for num_hidden {num_hidden}"
        )
    if flatten and array("data", data).ndim != 2:
        data = data.reshape((0, -1))
    return _linear(data, weight, True, bias, out)


_activations = {
    name: table(operation, name, "data:x")
    for name, operation in (
        ("relu", "relu"),
        ("sigmoid", "sigmoid"),
        ("softrelu", "softplus"),
        ("softsign", "softsign"),
        ("tanh", "tanh"),
        ("gelu", "gelu"),
    )
}


def Activation(data, act_type, out=None, name=None, **unknown):
    """One of the activations relu, sigmoid, softrelu, softsign and tanh."""
    known("Activation", unknown)
    if act_type == "gelu" or act_type not in _activations:
        raise MXNetValueError(f"Activation: there is no act_type {act_type!r}")
    return _activations[act_type](array("data", data), out)


_leaky = table("leaky_relu", "LeakyReLU", "data:x, slope=0.25")
_elu = table("elu", "LeakyReLU", "data:x, alpha=0.25")


def _prelu(x, gamma):
    shape = [1] * x.ndim
    if x.ndim > 1:
        shape[1] = -1
    else:
        shape[0] = -1
    return _where(x > 0, x, x * gamma.reshape(shape))


def _selu(x):
    return 1.0507009873554805 * ops["elu"](x, 1.6732632423543772)


def LeakyReLU(
    data,
    gamma=None,
    act_type="leaky",
    slope=0.25,
    lower_bound=0.125,
    upper_bound=0.334,
    out=None,
    name=None,
    **unknown,
):
    """The elements where they are positive, else less: leaky, elu, selu, gelu or prelu."""
    known("LeakyReLU", unknown)
    data = array("data", data)
    if act_type == "leaky":
        return _leaky(data, slope, out)
    if act_type == "elu":
        return _elu(data, slope, out)
    if act_type == "gelu":
        return _activations["gelu"](data, out)
    if act_type == "selu":
        return into(out, call(_selu, data))
    if act_type == "prelu":
        return into(out, call(_prelu, data, array("gamma", gamma)))
    if act_type == "rrelu":
        raise NotBuiltError("mxnet.nd.LeakyReLU: rrelu is not built: see docs/mxnet.md")
    raise MXNetValueError(f"LeakyReLU: there is no act_type {act_type!r}")


def _dropped(x, p):
    return x * ops["random_bernoulli"](x.shape, 1 - p) * (1 / (1 - p))


def Dropout(data, p=0.5, mode="training", axes=(), cudnn_off=False, out=None, name=None, **unknown):
    """In training, elements are made 0 with probability p; else, and without training, a copy."""
    known("Dropout", unknown)
    if not 0 <= p < 1:
        raise MXNetValueError(f"Dropout: p must be at least 0 and below 1, not {p!r}")
    if mode == "always":
        return into(out, call(_dropped, array("data", data), p))
    return into(out, array("data", data).copy())


def _normal(x, axes, eps, gamma, beta, shape):
    x = x - ops["mean"](x, axes, keepdims=True)
    size = ops["mean"](x * x, axes, keepdims=True) + eps
    return x * ops["rsqrt"](size) * gamma.reshape(shape) + beta.reshape(shape)


def _normalised(data, gamma, beta, axes, eps, along, out):
    data = array("data", data)
    shape = [1] * data.ndim
    shape[along] = -1
    gamma, beta = array("gamma", gamma), array("beta", beta)
    return into(out, call(_normal, data, axes, eps, gamma, beta, shape))


def LayerNorm(
    data, gamma, beta, axis=-1, eps=1e-5, output_mean_var=False, out=None, name=None, **unknown
):
    """Mean 0 and variance 1 along an axis, times gamma, plus beta."""
    known("LayerNorm", unknown)
    if output_mean_var:
        raise NotBuiltError("mxnet.nd.LayerNorm: output_mean_var is not built: see docs/mxnet.md")
    return _normalised(data, gamma, beta, (axis,), eps, axis, out)


def InstanceNorm(data, gamma, beta, eps=1e-3, out=None, name=None, **unknown):
    """Mean 0 and variance 1 of each channel of each row, times gamma, plus beta."""
    known("InstanceNorm", unknown)
    return _normalised(data, gamma, beta, tuple(range(2, data.ndim)), eps, 1, out)


def _unit(x, axes, eps):
    return x * ops["rsqrt"](ops["sum"](x * x, axes, keepdims=True) + eps)


def L2Normalization(data, eps=1e-10, mode="instance", out=None, name=None, **unknown):
    """Divided by the root of the sum of squares of each 'instance', 'channel' or 'spatial' part."""
    known("L2Normalization", unknown)
    ndim = array("data", data).ndim
    axes = {"instance": range(1, ndim), "channel": (1,), "spatial": range(2, ndim)}.get(mode)
    if axes is None:
        raise MXNetValueError(f"L2Normalization: there is no mode {mode!r}")
    return into(out, call(_unit, data, tuple(axes), eps))


# ---- Sequences -----------------------------------------------------------------------------------


def _sequence(function, data, lengths, use, axis):
    """Whether lengths count; what does not fit is refused."""
    if array("data", data).ndim < 2 or axis not in (0, 1):
        raise MXNetValueError(f"{function}: axis {axis} of shape {data.shape} is no sequence")
    if not use:
        return False
    if array("sequence_length", lengths).shape != (data.shape[1 - axis],):
        raise MXNetValueError(
            f"{function}: lengths of shape {lengths.shape} for shape {data.shape}, axis {axis}"
        )
    return True


def _before(x, lengths, axis):
    """True before the end of each sequence, in as many dimensions as x has."""
    steps = ops["arange"](0, x.shape[axis])
    lengths = ops["cast"](lengths, "int64")
    if axis == 0:
        within = steps.reshape((-1, 1)) < lengths
    else:
        within = steps < lengths.reshape((-1, 1))
    return within.reshape((*within.shape, *(1,) * (x.ndim - 2)))


def _masked(x, lengths, value, axis):
    return _where(_before(x, lengths, axis), x, value)


def SequenceMask(
    data,
    sequence_length=None,
    use_sequence_length=False,
    value=0.0,
    axis=0,
    out=None,
    name=None,
    **unknown,
):
    """A value in the place of what is beyond the length of each sequence."""
    known("SequenceMask", unknown)
    if not _sequence("SequenceMask", data, sequence_length, use_sequence_length, axis):
        return into(out, data.copy())
    return into(out, call(_masked, data, sequence_length, value, axis))


def _last(x, lengths, axis):
    rows = ops["arange"](0, x.shape[1 - axis])
    last = ops["cast"](lengths, "int64") - 1
    return x[last, rows] if axis == 0 else x[rows, last]


def SequenceLast(
    data, sequence_length=None, use_sequence_length=False, axis=0, out=None, name=None, **unknown
):
    """The last element of each sequence."""
    known("SequenceLast", unknown)
    if _sequence("SequenceLast", data, sequence_length, use_sequence_length, axis):
        return into(out, call(_last, data, sequence_length, axis))
    return into(out, (data[-1] if axis == 0 else data[:, -1]).copy())


def _reversed(x, lengths):
    steps = ops["arange"](0, x.shape[0]).reshape((-1, 1))
    lengths = ops["cast"](lengths, "int64")
    places = _where(steps < lengths, lengths - 1 - steps, steps)
    return x[places, ops["arange"](0, x.shape[1])]


def SequenceReverse(
    data, sequence_length=None, use_sequence_length=False, axis=0, out=None, name=None, **unknown
):
    """Each sequence, along the first axis, in reverse order; what is beyond its length stays."""
    known("SequenceReverse", unknown)
    if axis != 0:
        raise MXNetValueError(f"SequenceReverse: axis must be 0, not {axis}")
    if _sequence("SequenceReverse", data, sequence_length, use_sequence_length, axis):
        return into(out, call(_reversed, data, sequence_length))
    return into(out, call(_turned, data))


def _turned(x):
    return ops["copy"](ops["flip"](x, 0))
