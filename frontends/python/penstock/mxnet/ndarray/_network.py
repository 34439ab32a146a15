"""Functions of mx.nd for neural networks, as far as they are without parameters of their own."""

from ... import nn
from .. import _composed
from .._shapes import check_weight
from .._unbuilt import not_built
from ..base import MXNetValueError
from ._call import array, call, into, known, ops, table

__all__ = [
    *("Activation", "Dropout", "FullyConnected", "InstanceNorm", "L2Normalization", "LayerNorm"),
    *("LeakyReLU", "SequenceLast", "SequenceMask", "SequenceReverse", "SoftmaxActivation"),
    *("log_softmax", "softmax", "softmax_cross_entropy", "softmin"),
]

LAYERS = (
    *("BatchNorm", "BilinearSampler", "CTCLoss", "Convolution", "Correlation", "Custom"),
    *("Deconvolution", "GridGenerator", "GroupNorm", "LRN", "LinearRegressionOutput"),
    *("LogisticRegressionOutput", "MAERegressionOutput", "MakeLoss", "Pooling", "RNN"),
    *("ROIPooling", "SVMOutput", "SoftmaxOutput", "SpatialTransformer", "UpSampling", "ctc_loss"),
)
for _name in LAYERS:
    globals()[_name] = not_built(f"mxnet.nd.{_name}")
del _name
__all__ += LAYERS

# ---- Softmax -------------------------------------------------------------------------------------


def _soft(function, data, length, axis, temperature, dtype, use_length, out):
    data = array("data", data)
    if length is not None:
        array("length", length)
    found = call(_composed.soft, function, data, length, axis, temperature, use_length)
    return into(out, found if dtype is None else found.astype(dtype))


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
    return _soft(nn.softmax, data, length, axis, temperature, dtype, use_length, out)


def log_softmax(
    data, axis=-1, temperature=None, dtype=None, use_length=False, out=None, name=None, **unknown
):
    """The logarithm of softmax."""
    known("log_softmax", unknown)
    return _soft(nn.log_softmax, data, None, axis, temperature, dtype, use_length, out)


def softmin(
    data, axis=-1, temperature=None, dtype=None, use_length=False, out=None, name=None, **unknown
):
    """softmax of the elements with their signs changed."""
    known("softmin", unknown)
    negative = -1 if temperature is None else -temperature
    return _soft(nn.softmax, data, None, axis, negative, dtype, use_length, out)


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
    if num_hidden is not None:
        check_weight("FullyConnected", array("weight", weight).shape, num_hidden)
    if flatten and array("data", data).ndim != 2:
        data = data.reshape((0, -1))
    return _linear(data, weight, True, bias, out)


_activations = {
    name: table(operation, name, "data:x") for name, operation in _composed.ACTIVATIONS.items()
}


def Activation(data, act_type, out=None, name=None, **unknown):
    """One of the activations relu, sigmoid, softrelu, softsign and tanh."""
    known("Activation", unknown)
    if act_type not in _activations:
        raise MXNetValueError(f"Activation: there is no act_type {act_type!r}")
    return _activations[act_type](array("data", data), out)


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
    """The elements where they are positive, else less: leaky, elu, selu, gelu, prelu or rrelu."""
    known("LeakyReLU", unknown)
    gamma = array("gamma", gamma) if act_type == "prelu" else None
    bounds = lower_bound, upper_bound
    found = call(_composed.leaky_relu, array("data", data), gamma, act_type, slope, *bounds)
    return into(out, found)


def Dropout(data, p=0.5, mode="training", axes=(), cudnn_off=False, out=None, name=None, **unknown):
    """With mode 'always', elements are 0 with probability p; else, without training, a copy."""
    known("Dropout", unknown)
    return into(out, call(_composed.dropped, array("data", data), p, mode, axes))


def _normalised(data, gamma, beta, axes, eps, along):
    """The result, and the mean and deviation that it is by."""
    gamma, beta = array("gamma", gamma), array("beta", beta)
    return call(_composed.normalised, array("data", data), axes, eps, gamma, beta, along)


def LayerNorm(
    data, gamma, beta, axis=-1, eps=1e-5, output_mean_var=False, out=None, name=None, **unknown
):
    """Mean 0 and variance 1 along an axis, times gamma, plus beta."""
    known("LayerNorm", unknown)
    found = _normalised(data, gamma, beta, (axis,), eps, axis)
    return into(out, found if output_mean_var else found[0])


def InstanceNorm(data, gamma, beta, eps=1e-3, out=None, name=None, **unknown):
    """Mean 0 and variance 1 of each channel of each row, times gamma, plus beta."""
    known("InstanceNorm", unknown)
    axes = tuple(range(2, array("data", data).ndim))
    return into(out, _normalised(data, gamma, beta, axes, eps, 1)[0])


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


def _lengths(lengths, use):
    """The lengths if they count, else None."""
    return array("sequence_length", lengths) if use else None


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
    lengths = _lengths(sequence_length, use_sequence_length)
    return into(out, call(_composed.masked, array("data", data), lengths, value, axis))


def _last(x, lengths, axis):
    _composed.check_sequences("SequenceLast", x, lengths, axis)
    if lengths is None:
        return ops["copy"](x[-1] if axis == 0 else x[:, -1])
    rows = ops["arange"](0, x.shape[1 - axis])
    last = _composed.whole(lengths) - 1
    return x[last, rows] if axis == 0 else x[rows, last]


def SequenceLast(
    data, sequence_length=None, use_sequence_length=False, axis=0, out=None, name=None, **unknown
):
    """The last element of each sequence."""
    known("SequenceLast", unknown)
    lengths = _lengths(sequence_length, use_sequence_length)
    return into(out, call(_last, array("data", data), lengths, axis))


def _reversed(x, lengths):
    _composed.check_sequences("SequenceReverse", x, lengths, 0)
    if lengths is None:
        return ops["copy"](ops["flip"](x, 0))
    steps, lengths = ops["arange"](0, x.shape[0]).reshape((-1, 1)), _composed.whole(lengths)
    places = ops["where"](steps < lengths, lengths - 1 - steps, steps)
    return x[places, ops["arange"](0, x.shape[1])]


def SequenceReverse(
    data, sequence_length=None, use_sequence_length=False, axis=0, out=None, name=None, **unknown
):
    """Each sequence, along the first axis, in reverse order; what is beyond its length stays."""
    known("SequenceReverse", unknown)
    if axis != 0:
        raise MXNetValueError(f"SequenceReverse: axis must be 0, not {axis}")
    lengths = _lengths(sequence_length, use_sequence_length)
    return into(out, call(_reversed, array("data", data), lengths))
