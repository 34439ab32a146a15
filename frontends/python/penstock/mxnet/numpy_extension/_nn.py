"""Functions of neural networks over arrays of mx.np."""

from ... import _core, nn as _native
from .. import _composed
from .._layers import _public, activations, basic, convolution, norms, pooling, recurrent
from .._np_array import native_dtype, ndarray
from .._shapes import check_batches, check_weight
from ..base import MXNetValueError
from ..numpy._table import composed, into, need_arrays, of_arrays, op
from ..numpy._types import native_type

__all__ = [
    *("activation", "batch_dot", "batch_flatten", "erf", "fully_connected"),
    *("log_softmax", "one_hot", "pick", "relu", "sequence_mask", "sigmoid", "smooth_l1", "softmax"),
]

_MODULE = "mxnet.numpy_extension"


def _unary(operation, name=None):
    return of_arrays(operation, name or operation, "data:x, out=None, name:_=None", _MODULE)


erf = _unary("erf")
relu = _unary("relu")
sigmoid = _unary("sigmoid")

_ACTIVATIONS = {name: _unary(operation) for name, operation in _composed.ACTIVATIONS.items()}


def _needed(name, what, value):
    """A parameter that MXNet insists on."""
    if value is None:
        raise MXNetValueError(f"{name}: {what} is needed")
    return value


def activation(data, act_type=None, out=None, name=None):
    """An activation by its name: relu, sigmoid, softrelu, softsign or tanh."""
    need_arrays("activation", data)
    found = _ACTIVATIONS.get(_needed("activation", "act_type", act_type))
    if found is None:
        raise MXNetValueError(
            f"activation: act_type must be one of {sorted(_ACTIVATIONS)}, not {act_type!r}"
        )
    return found(data, out)


LAYERS = {
    "batch_norm": norms.batch_norm,
    "convolution": convolution.convolution,
    "deconvolution": convolution.deconvolution,
    "dropout": basic.dropout,
    "embedding": basic.embedding,
    "layer_norm": norms.layer_norm,
    "leaky_relu": activations.leaky_relu,
    "pooling": pooling.pooling,
    "rnn": recurrent.rnn,
}
globals().update(
    (name, _public.made(function, name, _MODULE, ndarray, need_arrays, into))
    for name, function in LAYERS.items()
)
__all__ += LAYERS


# ---- Softmax -----------------------------------------------------------------------------------


def _soft(name, function, data, length, axis, temperature, dtype, use_length, out):
    need_arrays(name, data)
    if length is not None:
        need_arrays(f"{name}: length", length)
    result = composed(_composed.soft, function, data, length, axis, temperature, use_length)
    return into(out, result if dtype is None else result.astype(dtype))


_FLOATS = {_core._dtype(name) for name in ("float16", "float32", "float64")}


def softmax(
    data, length=None, axis=-1, temperature=None, dtype=None, use_length=False, out=None, name=None
):
    """exp(data) divided by its sum along the axis; with use_length, over the first `length`."""
    if length is temperature is dtype is out is None and not use_length and _plain(data):
        return _softmax(data, axis)
    rest = length, axis, temperature, dtype, use_length, out
    return _soft("softmax", _native.softmax, data, *rest)


def log_softmax(
    data, axis=-1, temperature=None, dtype=None, use_length=False, out=None, name=None
):
    """The logarithm of softmax, without overflow on the way."""
    if temperature is dtype is out is None and not use_length and _plain(data):
        return _log_softmax(data, axis)
    rest = None, axis, temperature, dtype, use_length, out
    return _soft("log_softmax", _native.log_softmax, data, *rest)


def _plain(data):
    return type(data) is ndarray and data.ndim and native_dtype(data) in _FLOATS


_softmax, _log_softmax, _linear = op("softmax"), op("log_softmax"), op("linear")


# ---- Layers ------------------------------------------------------------------------------------


def fully_connected(
    x, weight, bias=None, num_hidden=None, no_bias=False, flatten=True, out=None, name=None
):
    """x @ weight.T + bias; with flatten, all dimensions of x but the first are one."""
    need_arrays("fully_connected", x, weight)
    _needed("fully_connected", "num_hidden", num_hidden)
    check_weight("fully_connected", weight.shape, num_hidden)
    if no_bias:
        bias = None
    else:
        need_arrays("fully_connected: bias", bias)
    if flatten and x.ndim != 2:
        x = batch_flatten(x)
    return into(out, _linear(x, weight, bias))


def batch_dot(
    lhs, rhs, transpose_a=False, transpose_b=False, forward_stype=None, out=None, name=None
):
    """Matrix products of two batches of matrices.

    >>> mx.npx.batch_dot(mx.np.ones((2, 3, 4)), mx.np.ones((2, 4, 5))).shape
    (2, 3, 5)
    """
    need_arrays("batch_dot", lhs, rhs)
    check_batches("batch_dot", lhs.shape, rhs.shape)
    return into(out, _batch_dot(lhs, rhs, bool(transpose_a), bool(transpose_b)))


_batch_dot = op("matmul", "batch_dot", "lhs:x1, rhs:x2, transpose1=False, transpose2=False")


def batch_flatten(data, out=None, name=None):
    """A copy with two dimensions: the first, and all others as one."""
    need_arrays("batch_flatten", data)
    if data.ndim == 0:
        raise MXNetValueError("batch_flatten: an array without dimensions has no batch")
    return into(out, data.reshape(data.shape[0], -1))


def smooth_l1(data, scalar=1.0, out=None, name=None):
    """Half the square, scaled, near 0; straight lines further away, from 1 / scalar^2 on."""
    need_arrays("smooth_l1", data)
    return into(out, composed(_composed.smooth_l1, data, scalar))


# ---- Places ------------------------------------------------------------------------------------


def one_hot(indices, depth=None, on_value=1.0, off_value=0.0, dtype="float32", out=None, name=None):
    """on_value at the place that each number names along a new last axis, else off_value.

    >>> mx.npx.one_hot(mx.np.array([0, 2]), 3)
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    need_arrays("one_hot", indices)
    if out is None:
        hot = _composed.quick_one_hot(indices, depth, on_value, off_value, dtype)
        if hot is not None:
            return hot.as_subclass(ndarray)
    _needed("one_hot", "depth", depth)
    values = on_value, off_value, native_type(dtype)
    return into(out, composed(_composed.one_hot, indices, depth, *values))


def pick(data, index, axis=-1, keepdims=False, mode="clip", out=None, name=None):
    """From each slice along the axis the element that a number names; clipped or wrapped."""
    need_arrays("pick", data, index)
    return into(out, composed(_composed.picked, data, index, axis, keepdims, mode))


def sequence_mask(
    data, sequence_length=None, use_sequence_length=False, value=0.0, axis=0, out=None, name=None
):
    """A copy with a value behind the length of each sequence; sequences run along the axis."""
    need_arrays("sequence_mask", data)
    if use_sequence_length:
        need_arrays("sequence_mask: sequence_length", sequence_length)
    lengths = sequence_length if use_sequence_length else None
    return into(out, composed(_composed.masked, data, lengths, value, axis))
