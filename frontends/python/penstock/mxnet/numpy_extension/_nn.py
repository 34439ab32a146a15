"""Functions of neural networks over arrays of mx.np."""

from ... import _core
from ... import nn as _native
from .._np_array import native_dtype
from ..base import MXNetTypeError, MXNetValueError, NotBuiltError
from ..numpy._selection import bounded, whole
from ..numpy._table import composed, into, need_arrays, of_arrays, op
from ..numpy._types import native_type

__all__ = [
    "activation",
    "batch_dot",
    "batch_flatten",
    "dropout",
    "embedding",
    "erf",
    "fully_connected",
    "layer_norm",
    "leaky_relu",
    "log_softmax",
    "one_hot",
    "pick",
    "relu",
    "sequence_mask",
    "sigmoid",
    "smooth_l1",
    "softmax",
]

_ops = _core._ops
_MODULE = "mxnet.numpy_extension"


def _unary(operation, name=None):
    return of_arrays(operation, name or operation, "data:x, out=None, name:_=None", _MODULE)


erf = _unary("erf")
relu = _unary("relu")
sigmoid = _unary("sigmoid")

_ACTIVATIONS = {
    "relu": relu,
    "sigmoid": sigmoid,
    "softrelu": _unary("softplus"),
    "softsign": _unary("softsign"),
    "tanh": _unary("tanh"),
}
_leaky_relu = op("leaky_relu", None, "data:x, slope, out=None")
_elu = op("elu", None, "data:x, alpha, out=None")
_gelu = _unary("gelu")


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


def _selu(x):
    return _ops["elu"](x, 1.6732632423543772) * 1.0507009873554805


def _prelu(x, gamma):
    if gamma.size > 1 and x.ndim > 1:
        gamma = gamma.reshape((gamma.size, *[1] * (x.ndim - 2)))
    return _ops["where"](x > 0, x, x * gamma)


def leaky_relu(
    data,
    gamma=None,
    act_type="leaky",
    slope=0.25,
    lower_bound=0.125,
    upper_bound=0.334,
    out=None,
    name=None,
):
    """The data where it is positive, else a fraction of it, or what act_type says.

    act_type: leaky, prelu, elu, selu or gelu; rrelu takes the middle of its bounds.
    """
    need_arrays("leaky_relu", data)
    if act_type in ("leaky", "rrelu"):
        slope = slope if act_type == "leaky" else (lower_bound + upper_bound) / 2
        return _leaky_relu(data, slope, out)
    if act_type == "elu":
        return _elu(data, slope, out)
    if act_type == "gelu":
        return _gelu(data, out)
    if act_type == "selu":
        return into(out, composed(_selu, data))
    if act_type == "prelu":
        need_arrays("leaky_relu: gamma", gamma)
        return into(out, composed(_prelu, data, gamma))
    raise MXNetValueError(f"leaky_relu: there is no act_type {act_type!r}")


def dropout(data, p=0.5, mode="training", axes=(), cudnn_off=None, out=None, name=None):
    """A copy of the data: elements are dropped in training only."""
    need_arrays("dropout", data)
    if mode != "training":
        raise NotBuiltError("mxnet.npx.dropout with mode='always' is not built; see docs/mxnet.md")
    return into(out, data.copy())


# ---- Softmax -----------------------------------------------------------------------------------


def _masked(x, length, axis):
    """x with minus infinity behind the length of each row along the axis."""
    axis %= x.ndim
    places = _ops["arange"](0, x.shape[axis], dtype="int64")
    shape = [1] * x.ndim
    shape[axis] = x.shape[axis]
    behind = places.reshape(shape) >= _ops["expand_dims"](_ops["cast"](length, "int64"), axis)
    behind = _ops["copy"](_ops["broadcast_to"](behind, x.shape))
    return _ops["masked_fill"](x, behind, -float("inf"))


def _soft(function, x, length, axis, temperature):
    if temperature:
        x = x / temperature
    if x.ndim == 0:
        return function(x.reshape(1)).reshape(())
    if length is None:
        return function(x, axis)
    return _ops["masked_fill"](*_emptied(function(_masked(x, length, axis), axis)))


def _emptied(result):
    """What has no elements at all within its length is 0."""
    return result, _ops["isnan"](result), 0.0


def _soft_function(name, function, data, length, axis, temperature, dtype, use_length, out):
    need_arrays(name, data)
    if native_dtype(data).kind != "f":
        raise MXNetTypeError(f"{name}: a floating-point type is needed, not {data.dtype}")
    if use_length:
        need_arrays(f"{name}: length", length)
        if length.dtype.kind not in "iu":
            raise MXNetTypeError(f"{name}: length must be of an integer type, not {length.dtype}")
    else:
        length = None
    result = composed(_soft, function, data, length, axis, temperature)
    return into(out, result if dtype is None else result.astype(dtype))


def softmax(
    data, length=None, axis=-1, temperature=None, dtype=None, use_length=False, out=None, name=None
):
    """exp(data) divided by its sum along the axis; with use_length, over the first `length`."""
    if length is None and temperature is None and dtype is None and out is None:
        need_arrays("softmax", data)
        if native_dtype(data).kind == "f" and data.ndim:
            return composed(_native.softmax, data, axis)
    return _soft_function(
        "softmax", _native.softmax, data, length, axis, temperature, dtype, use_length, out
    )


def log_softmax(
    data, axis=-1, temperature=None, dtype=None, use_length=False, out=None, name=None
):
    """The logarithm of softmax, without overflow on the way."""
    return _soft_function(
        "log_softmax", _native.log_softmax, data, None, axis, temperature, dtype, False, out
    )


# ---- Layers ------------------------------------------------------------------------------------


def fully_connected(
    x, weight, bias=None, num_hidden=None, no_bias=False, flatten=True, out=None, name=None
):
    """x @ weight.T + bias; with flatten, all dimensions of x but the first are one."""
    need_arrays("fully_connected", x, weight)
    _needed("fully_connected", "num_hidden", num_hidden)
    if weight.ndim != 2 or weight.shape[0] != num_hidden:
        raise MXNetValueError(
            f"fully_connected: weight has shape {weight.shape}; num_hidden is {num_hidden}"
        )
    if no_bias:
        bias = None
    else:
        need_arrays("fully_connected: bias", bias)
    if flatten and x.ndim != 2:
        x = batch_flatten(x)
    return into(out, composed(_native.linear, x, weight, bias))


def layer_norm(data, gamma, beta, axis=-1, eps=1e-5, output_mean_var=False, out=None, name=None):
    """The data less its mean, divided by its deviation along the axis, times gamma plus beta."""
    need_arrays("layer_norm", data, gamma, beta)
    result, mean, deviation = composed(_layer_norm, data, gamma, beta, axis, eps)
    result = into(out, result)
    return [result, mean, deviation] if output_mean_var else result


def _layer_norm(x, gamma, beta, axis, eps):
    shape = [1] * x.ndim
    shape[axis] = x.shape[axis]
    mean = _ops["mean"](x, axis, keepdims=True)
    deviation = _ops["sqrt"](_ops["var"](x, axis, keepdims=True) + eps)
    result = (x - mean) / deviation * gamma.reshape(shape) + beta.reshape(shape)
    return result, _ops["squeeze"](mean, axis), _ops["squeeze"](deviation, axis)


def embedding(
    data,
    weight,
    input_dim=None,
    output_dim=None,
    dtype=None,
    sparse_grad=False,
    out=None,
    name=None,
):
    """The rows of weight that integers name; those out of range name the nearest row."""
    need_arrays("embedding", data, weight)
    _needed("embedding", "input_dim", input_dim)
    _needed("embedding", "output_dim", output_dim)
    if weight.shape != (input_dim, output_dim):
        raise MXNetValueError(
            f"embedding: weight has shape {weight.shape}, not {(input_dim, output_dim)}"
        )
    places = bounded(data, weight.shape[0], "clip")
    return into(out, composed(_ops["take"], weight, places, 0))


def batch_dot(
    lhs, rhs, transpose_a=False, transpose_b=False, forward_stype=None, out=None, name=None
):
    """Matrix products of two batches of matrices.

    >>> mx.npx.batch_dot(mx.np.ones((2, 3, 4)), mx.np.ones((2, 4, 5))).shape
    (2, 3, 5)
    """
    need_arrays("batch_dot", lhs, rhs)
    if lhs.ndim < 3 or lhs.ndim != rhs.ndim or lhs.shape[:-2] != rhs.shape[:-2]:
        raise MXNetValueError(
            f"batch_dot: shapes {lhs.shape} and {rhs.shape} are not equally many matrices"
        )
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
    result = composed(_smooth_l1, data, scalar * scalar)
    return into(out, result if native_dtype(data).kind == "f" else result.astype(data.dtype))


def _smooth_l1(x, factor):
    size = _ops["abs"](x)
    return _ops["where"](size < 1 / factor, x * x * (factor / 2), size - 0.5 / factor)


# ---- Places ------------------------------------------------------------------------------------


def one_hot(indices, depth=None, on_value=1.0, off_value=0.0, dtype="float32", out=None, name=None):
    """on_value at the place that each number names along a new last axis, else off_value.

    >>> mx.npx.one_hot(mx.np.array([0, 2]), 3)
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    need_arrays("one_hot", indices)
    if _needed("one_hot", "depth", depth) < 0:
        raise MXNetValueError(f"one_hot: depth must be at least 0, not {depth}")
    result = composed(_native.one_hot, whole(indices), depth, dtype=native_type(dtype))
    if (on_value, off_value) != (1, 0):
        result = result * (on_value - off_value) + off_value
    return into(out, result)


def pick(data, index, axis=-1, keepdims=False, mode="clip", out=None, name=None):
    """From each slice along the axis the element that a number names; clipped or wrapped."""
    need_arrays("pick", data, index)
    if mode not in ("clip", "wrap"):
        raise MXNetValueError(f"pick: mode must be 'clip' or 'wrap', not {mode!r}")
    if not -data.ndim <= axis < data.ndim:
        raise MXNetValueError(f"pick: axis {axis} is out of range for shape {data.shape}")
    axis %= data.ndim
    places = bounded(index, data.shape[axis], mode)
    if places.ndim == data.ndim - 1:
        places = composed(_ops["expand_dims"], places, axis)
    if places.shape != (*data.shape[:axis], 1, *data.shape[axis + 1 :]):
        raise MXNetValueError(f"pick: index of shape {index.shape} for {data.shape}, axis {axis}")
    result = composed(_picked, data, places, axis)
    return into(out, result if keepdims else composed(_ops["squeeze"], result, axis).copy())


def _picked(data, places, axis):
    from ..._functions import take_along_axis

    return take_along_axis(data, places, axis)


def sequence_mask(
    data, sequence_length=None, use_sequence_length=False, value=0.0, axis=0, out=None, name=None
):
    """A copy with a value behind the length of each sequence; sequences run along the axis."""
    need_arrays("sequence_mask", data)
    if axis not in (0, 1) or data.ndim < 2:
        raise MXNetValueError(f"sequence_mask: axis must be 0 or 1 of 2 dimensions, not {axis}")
    if not use_sequence_length:
        return into(out, data.copy())
    need_arrays("sequence_mask: sequence_length", sequence_length)
    if sequence_length.shape != (data.shape[1 - axis],):
        raise MXNetValueError(
            f"sequence_mask: {sequence_length.shape} lengths do not fit shape {data.shape}"
        )
    return into(out, composed(_sequence_mask, data, sequence_length, value, axis))


def _sequence_mask(x, lengths, value, axis):
    steps = _ops["arange"](0, x.shape[axis], dtype="float32")
    rest = [1] * (x.ndim - 2)
    steps = steps.reshape((-1, 1, *rest) if axis == 0 else (1, -1, *rest))
    lengths = lengths.reshape((1, -1, *rest) if axis == 0 else (-1, 1, *rest))
    return _ops["where"](steps < lengths, x, _ops["cast"](_ops["full"]((), value), x.dtype))
