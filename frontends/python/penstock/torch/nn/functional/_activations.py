"""Activations: functions of each element, softmax and its kin."""

from ..._dialect import row, wrapped_dim
from ..._dtypes import dtype as _dtype
from ..._elements import relu as _relu
from ..._elements import sigmoid, tanh, where
from ..._tensor import Tensor, cast
from ._arguments import floats, refuse

__all__ = (
    "relu relu_ relu6 leaky_relu leaky_relu_ elu elu_ selu selu_ celu celu_ silu mish gelu "
    "softplus softsign sigmoid tanh tanhshrink hardtanh hardtanh_ hardsigmoid hardswish hardshrink "
    "softshrink threshold threshold_ prelu rrelu rrelu_ logsigmoid glu softmax softmin log_softmax "
    "gumbel_softmax"
).split()

_ONE = "input:x, *, out=None"
_relu_into = row("relu", "relu_", _ONE, arrays=True)
_clip = row("clip", "hardtanh", "input:x, min_val:min=None, max_val:max=None, *, out=None")
_elu = row("elu", "elu", "input:x, alpha=1.0, *, out=None", arrays=True)
_softplus = row("softplus", "softplus", "input:x", arrays=True)
_gelu = row("gelu", "gelu", "input:x", arrays=True)
_gelu_tanh = row("gelu_tanh", "gelu", "input:x", arrays=True)
_softsign = row("softsign", "softsign", "input:x", arrays=True)
_where = row("where", "where", "condition, input:x1, other:x2, *, out=None")
_expm1 = row("expm1", "celu", "input:x", arrays=True)


def relu(input, inplace=False):
    """The elements where they are above 0, else 0."""
    return _relu_into(input, out=input) if inplace else _relu(input)


def _simple(operation, name, doc):
    """A function of floating-point numbers that is one operation, also in place."""
    run = row(operation, name, _ONE, arrays=True)

    def function(input, inplace=False):
        floats(name, input)
        return run(input, out=input) if inplace else run(input)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


silu = _simple("silu", "silu", "x * sigmoid(x).")
mish = _simple("mish", "mish", "x * tanh(softplus(x)).")
hardsigmoid = _simple("hard_sigmoid", "hardsigmoid", "x / 6 + 1 / 2, but at least 0 and at most 1.")
hardswish = _simple("hard_swish", "hardswish", "x * hardsigmoid(x).")


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    """The elements, but at least min_val and at most max_val."""
    if not isinstance(input, Tensor):
        refuse("hardtanh", input)
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    if not input.dtype.is_floating_point:
        min_val, max_val = int(min_val), int(max_val)
    return _clip(input, min_val, max_val, out=input) if inplace else _clip(input, min_val, max_val)


def relu6(input, inplace=False):
    """relu, but at most 6."""
    return hardtanh(input, 0.0, 6.0, inplace)


def _chosen(input, above, other, inplace):
    """The elements where they are above a number, else the others."""
    return _where(input > above, input, other, out=input if inplace else None)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    """The elements where they are above 0, else a fraction of them."""
    floats("leaky_relu", input)
    return _chosen(input, 0, input * negative_slope, inplace)


def elu(input, alpha=1.0, inplace=False):
    """The elements where they are above 0, else alpha * (exp(x) - 1)."""
    floats("elu", input)
    return _elu(input, alpha, out=input) if inplace else _elu(input, alpha)


_SELU_ALPHA, _SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


def selu(input, inplace=False):
    """elu with the constants that keep mean 0 and deviation 1."""
    floats("selu", input)
    made = _elu(input.clone() if inplace else input, _SELU_ALPHA) * _SELU_SCALE
    return input.copy_(made) if inplace else made


def celu(input, alpha=1.0, inplace=False):
    """The elements where they are above 0, else alpha * (exp(x / alpha) - 1)."""
    floats("celu", input)
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return _chosen(input, 0, _expm1(input / alpha) * alpha, inplace)


def gelu(input, *, approximate="none"):
    """x times the normal distribution function of x, or its approximation by tanh."""
    floats("gelu", input)
    if approximate == "none":
        return _gelu(input)
    if approximate != "tanh":
        raise RuntimeError("approximate argument must be either none or tanh.")
    return _gelu_tanh(input)


def softplus(input, beta=1.0, threshold=20.0):
    """log(1 + exp(beta x)) / beta; x itself where beta x is above the threshold."""
    floats("softplus", input)
    if beta == 1 and threshold >= 20:
        return _softplus(input)
    scaled = input * beta
    return where(scaled > threshold, input, _softplus(scaled) / beta)


def softsign(input):
    """x / (1 + |x|)."""
    return _softsign(input)


def tanhshrink(input):
    """x - tanh(x)."""
    return input - tanh(input)


def hardshrink(input, lambd=0.5):
    """0 where |x| is at most lambd, else the elements."""
    return _where(abs(floats("hardshrink", input)) <= lambd, 0.0, input)


def softshrink(input, lambd=0.5):
    """The elements moved toward 0 by lambd, but not beyond it."""
    if lambd < 0:
        raise RuntimeError(f"lambda must be greater or equal to 0, but found to be {lambd}.")
    near = _clip(floats("softshrink", input), -lambd, lambd)
    return _where(abs(input) <= lambd, 0.0, input - near)


def threshold(input, threshold, value, inplace=False):
    """The elements where they are above the threshold, else a value."""
    if not isinstance(input, Tensor):
        refuse("threshold", input)
    if not input.dtype.is_floating_point:
        threshold, value = int(threshold), int(value)
    return _chosen(input, threshold, value, inplace)


def prelu(input, weight):
    """The elements where they are above 0, else a fraction: one, or one for each channel."""
    if input.dtype is not weight.dtype:
        raise RuntimeError(
            f"prelu: Type promoting not supported. Got {input.dtype} and {weight.dtype}"
        )
    if weight.numel() == 1:
        weight = weight.reshape(())
    else:
        channels = input.shape[1] if input.ndim > 1 else 1
        if weight.ndim != 1 or weight.numel() != channels:
            raise RuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{weight.numel()} and channel size = {channels}."
            )
        weight = weight.reshape(-1, *(1,) * (input.ndim - 2))
    return _where(input > 0, input, input * weight)


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    """leaky_relu, in training with a slope for each element drawn between two."""
    floats("rrelu", input)
    if not training:
        return leaky_relu(input, (lower + upper) / 2, inplace)
    from ..._create import empty_like

    slope = empty_like(input).uniform_(lower, upper)
    return _chosen(input, 0, input * slope, inplace)


def logsigmoid(input):
    """log(sigmoid(x)), without overflow on the way."""
    return -_softplus(-floats("logsigmoid", input))


def glu(input, dim=-1):
    """The first half along a dimension times the sigmoid of the second."""
    floats("glu", input)
    if not input.ndim:
        raise RuntimeError("glu does not support 0-dimensional tensors")
    length = input.size(dim)
    if length % 2:
        raise RuntimeError(
            f"Halving dimension must be even, but dimension {dim % input.ndim} is size {length}"
        )
    first, second = input.split(length // 2, dim)
    return first * sigmoid(second)


def _in_place(function):
    """relu_(x): relu(x, inplace=True)."""

    def method(input, *args, **kwargs):
        return function(input, *args, **kwargs, inplace=True)

    method.__name__ = method.__qualname__ = f"{function.__name__}_"
    method.__doc__ = f"As {function.__name__}, into the tensor itself."
    return method


relu_, leaky_relu_, elu_, selu_ = map(_in_place, (relu, leaky_relu, elu, selu))
celu_, hardtanh_, threshold_, rrelu_ = map(_in_place, (celu, hardtanh, threshold, rrelu))

# ---- Along a dimension ---------------------------------------------------------------------------

_softmax = row("softmax", "softmax", "input:x, dim:axis=-1", arrays=True)
_log_softmax = row("log_softmax", "log_softmax", "input:x, dim:axis=-1", arrays=True)


def _guessed(name, ndim):
    """The dimension that is meant if none is given, with a warning."""
    import warnings

    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
        "dim=X as an argument.",
        UserWarning,
        stacklevel=4,
    )
    return 0 if ndim in (0, 1, 3) else 1


def _soft(run, name, input, dim, level, dtype):
    if not isinstance(input, Tensor):
        refuse(name, input)
    if isinstance(level, _dtype):  # torch.softmax(x, 1, torch.float64)
        dtype = level
    if dtype is not None and dtype is not input.dtype:
        input = cast(input, dtype)
    if dim is None:
        dim = _guessed(name, input.ndim)
    if not input.dtype.is_floating_point:
        wrapped_dim(dim, input.ndim)
        floats(name, input)
    if not input.ndim and dim in (0, -1):
        return run(input.reshape(1), 0).reshape(())
    return run(input, dim)


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    """exp(x) divided by its sum along a dimension."""
    return _soft(_softmax, "softmax", input, dim, _stacklevel, dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """The logarithm of softmax, without overflow on the way."""
    return _soft(_log_softmax, "log_softmax", input, dim, _stacklevel, dtype)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    """softmax of -x."""
    return _soft(_softmax, "softmin", -input, dim, None, dtype)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """softmax of logits with random numbers added; with hard, 1 at the largest, else 0."""
    from ..._create import empty_like
    from ..._elements import log

    noise = -log(empty_like(logits).exponential_())
    soft = softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    from ._sparse import one_hot_along

    places = soft.argmax(dim)
    chosen = one_hot_along(places, soft.shape[dim], dim, soft.dtype)
    return chosen - soft.detach() + soft
