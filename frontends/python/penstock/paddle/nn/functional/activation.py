"""Activations: functions of each element, softmax and its kin."""

from ..._dialect import row
from ..._dtypes import as_dtype
from ..._tensor import cast
from ._arguments import tensor

__all__ = (
    "relu relu_ relu6 sigmoid tanh leaky_relu elu selu celu silu swish mish gelu softplus softsign "
    "hardtanh hardsigmoid hardswish hardshrink softshrink tanhshrink prelu log_sigmoid "
    "softmax log_softmax maxout glu thresholded_relu"
).split()


def _plain(operation, name, doc):
    """A function that is one operation."""
    whole = row(operation, name, "x")
    run = row(operation, name, "x", arrays=True, unusual=lambda x: whole(tensor(called, x)))
    called = name

    def function(x, name=None):
        return run(x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


relu = _plain("relu", "relu", "The elements where they are above 0, else 0.")
sigmoid = _plain("sigmoid", "sigmoid", "1 / (1 + exp(-x)).")
tanh = _plain("tanh", "tanh", "The hyperbolic tangent.")
silu = _plain("silu", "silu", "x * sigmoid(x).")
swish = _plain("silu", "swish", "x * sigmoid(x).")
mish = _plain("mish", "mish", "x * tanh(softplus(x)).")
softsign = _plain("softsign", "softsign", "x / (1 + |x|).")
hardswish = _plain("hard_swish", "hardswish", "x * min(max(0, x + 3), 6) / 6.")

_elu = row("elu", "elu", "x, alpha=1.0")
_gelu, _gelu_tanh = row("gelu", "gelu", "x"), row("gelu_tanh", "gelu", "x")
_softplus = row("softplus", "softplus", "x")
_where = row("where", "where", "condition, x:x1, y:x2")
_clip = row("clip", "hardtanh", "x, min=None, max=None")
_greater = row("greater", "greater_than", "x:x1, y:x2")
_expm1, _abs = row("expm1", "celu", "x"), row("abs", "abs", "x")
_softmax = row("softmax", "softmax", "x, axis=-1")
_log_softmax = row("log_softmax", "log_softmax", "x, axis=-1")


def relu_(x, name=None):
    """relu into the tensor itself."""
    from ..._calls import into

    return into(x, relu(x))


def relu6(x, name=None):
    """relu, but at most 6."""
    return _clip(tensor("relu6", x), 0.0, 6.0)


def leaky_relu(x, negative_slope=0.01, name=None):
    """The elements where they are above 0, else a fraction of them."""
    return _where(_greater(tensor("leaky_relu", x), 0), x, x * negative_slope)


def elu(x, alpha=1.0, name=None):
    """The elements where they are above 0, else alpha * (exp(x) - 1)."""
    return _elu(tensor("elu", x), alpha)


def selu(x, scale=1.0507009873554804934193349852946, alpha=1.6732632423543772848170429916717,
         name=None):
    """elu with the constants that keep mean 0 and deviation 1."""
    return _elu(tensor("selu", x), alpha) * scale


def celu(x, alpha=1.0, name=None):
    """The elements where they are above 0, else alpha * (exp(x / alpha) - 1)."""
    if alpha == 0:
        raise ZeroDivisionError("alpha cannot be 0 for celu")
    return _where(_greater(tensor("celu", x), 0), x, _expm1(x / alpha) * alpha)


def gelu(x, approximate=False, name=None):
    """x times the normal distribution function of x, or its approximation by tanh."""
    tensor("gelu", x)
    return _gelu_tanh(x) if approximate in (True, "tanh") else _gelu(x)


def softplus(x, beta=1, threshold=20, name=None):
    """log(1 + exp(beta x)) / beta; x itself where beta x is above the threshold."""
    scaled = tensor("softplus", x) * beta
    return _where(_greater(scaled, threshold), x, _softplus(scaled) / beta)


def hardtanh(x, min=-1.0, max=1.0, name=None):
    """The elements, but at least min and at most max."""
    return _clip(tensor("hardtanh", x), min, max)


def hardsigmoid(x, slope=0.1666667, offset=0.5, name=None):
    """slope * x + offset, but at least 0 and at most 1."""
    return _clip(tensor("hardsigmoid", x) * slope + offset, 0.0, 1.0)


def hardshrink(x, threshold=0.5, name=None):
    """0 where |x| is at most the threshold, else the elements."""
    return _where(_greater(_abs(tensor("hardshrink", x)), threshold), x, 0.0)


def softshrink(x, threshold=0.5, name=None):
    """The elements moved toward 0 by the threshold, but not beyond it."""
    if threshold < 0:
        raise ValueError(f"The threshold must be no less than zero, but received {threshold}.")
    near = _clip(tensor("softshrink", x), -threshold, threshold)
    return _where(_greater(_abs(x), threshold), x - near, 0.0)


def tanhshrink(x, name=None):
    """x - tanh(x)."""
    return x - tanh(x)


def thresholded_relu(x, threshold=1.0, value=0.0, name=None):
    """The elements where they are above the threshold, else a value."""
    return _where(_greater(tensor("thresholded_relu", x), threshold), x, value)


def prelu(x, weight, data_format="NCHW", name=None):
    """The elements where they are above 0, else a fraction: one, or one for each channel."""
    tensor("prelu", x)
    if weight.size == 1:
        weight = weight.reshape([1])
    else:
        behind = data_format in ("NHWC", "NLC", "NDHWC")
        channels = x.shape[-1 if behind else 1]
        if weight.ndim != 1 or weight.size != channels:
            raise AssertionError(
                f"The weight size should be equal to x input channel in prelu(): {weight.size} "
                f"and {channels}"
            )
        weight = weight if behind else weight.reshape([-1, *[1] * (x.ndim - 2)])
    return _where(_greater(x, 0), x, x * weight)


def log_sigmoid(x, name=None):
    """log(sigmoid(x)), without overflow on the way."""
    return -_softplus(-tensor("log_sigmoid", x))


def glu(x, axis=-1, name=None):
    """The first half along a dimension times the sigmoid of the second."""
    first, second = x.split(2, axis)
    return first * sigmoid(second)


def maxout(x, groups, axis=1, name=None):
    """The largest element of each group of channels."""
    axis = axis % x.ndim
    shape = list(x.shape)
    if shape[axis] % groups:
        raise ValueError(f"maxout: {shape[axis]} channels are no multiple of {groups}")
    split = [*shape[:axis], shape[axis] // groups, groups, *shape[axis + 1 :]]
    return x.reshape(split).max(axis + 1)


def _of(x, dtype):
    return x if dtype is None else cast(x, as_dtype(dtype))


def softmax(x, axis=-1, dtype=None, name=None):
    """exp(x) divided by its sum along a dimension."""
    return _softmax(_of(tensor("softmax", x), dtype), axis)


def log_softmax(x, axis=-1, dtype=None, name=None):
    """The logarithm of softmax, without overflow on the way."""
    return _log_softmax(_of(tensor("log_softmax", x), dtype), axis)
