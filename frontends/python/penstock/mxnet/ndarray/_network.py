"""Functions of mx.nd for neural networks."""

from ... import nn
from .. import _composed
from .._layers import activations, basic, convolution, ctc, norms, outputs, pooling
from .._layers import recurrent, resizing
from .._shapes import check_weight
from .._unbuilt import not_built
from ..base import MXNetValueError
from ._call import array, call, into, known, layer, ops, quick, table

__all__ = [
    *("Activation", "FullyConnected", "L2Normalization", "SequenceLast"),
    *("SequenceMask", "SequenceReverse", "SoftmaxActivation", "log_softmax", "softmax"),
    *("softmax_cross_entropy", "softmin"),
]

LAYERS = {
    "BatchNorm": norms.batch_norm,
    "CTCLoss": ctc.ctc_loss,
    "Convolution": convolution.convolution,
    "Deconvolution": convolution.deconvolution,
    "Dropout": basic.dropout,
    "Embedding": basic.embedding,
    "GroupNorm": norms.group_norm,
    "InstanceNorm": norms.instance_norm,
    "LRN": norms.local_response_norm,
    "LayerNorm": norms.layer_norm,
    "LeakyReLU": activations.leaky_relu,
    "LinearRegressionOutput": outputs.linear_regression_output,
    "LogisticRegressionOutput": outputs.logistic_regression_output,
    "MAERegressionOutput": outputs.mae_regression_output,
    "MakeLoss": outputs.make_loss,
    "Pooling": pooling.pooling,
    "RNN": recurrent.rnn,
    "SVMOutput": outputs.svm_output,
    "Softmax": outputs.softmax_output,
    "SoftmaxOutput": outputs.softmax_output,
    "UpSampling": resizing.up_sampling,
    "ctc_loss": ctc.ctc_loss,
}
globals().update((name, layer(name, function)) for name, function in LAYERS.items())

NOT_BUILT = (
    *("BilinearSampler", "Correlation", "Custom", "GridGenerator", "ROIPooling"),
    *("SpatialTransformer",),
)
globals().update((name, not_built(f"mxnet.nd.{name}")) for name in NOT_BUILT)
__all__ += [*LAYERS, *NOT_BUILT]

# ---- Softmax -------------------------------------------------------------------------------------


def _soft(function, data, length, axis, temperature, dtype, use_length, out):
    data = array("data", data)
    if length is not None:
        array("length", length)
    found = call(_composed.soft, function, data, length, axis, temperature, use_length)
    return into(out, found if dtype is None else found.astype(dtype))


def _softmax(
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


# In C without lengths, temperatures and other types.
softmax = quick("softmax", "softmax", "data:x, *, axis=-1", _softmax)


def _log_softmax(
    data, axis=-1, temperature=None, dtype=None, use_length=False, out=None, name=None, **unknown
):
    """The logarithm of softmax."""
    known("log_softmax", unknown)
    return _soft(nn.log_softmax, data, None, axis, temperature, dtype, use_length, out)


log_softmax = quick("log_softmax", "log_softmax", "data:x, axis=-1", _log_softmax)


def softmin(
    data, axis=-1, temperature=None, dtype=None, use_length=False, out=None, name=None, **unknown
):
    """softmax of the elements with their signs changed."""
    known("softmin", unknown)
    negative = -1 if temperature is None else -temperature
    return _soft(nn.softmax, data, None, axis, negative, dtype, use_length, out)


def SoftmaxActivation(data, mode="instance", out=None, name=None, **unknown):
    """softmax along the last axis, or over the channels."""
    known("SoftmaxActivation", unknown)
    if mode not in ("instance", "channel"):
        raise MXNetValueError(f"SoftmaxActivation: there is no mode {mode!r}")
    return softmax(data, axis=1 if mode == "channel" else -1, out=out)


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
