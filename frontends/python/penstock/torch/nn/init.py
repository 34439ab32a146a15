"""First values of parameters: functions that write into a tensor and give it.

>>> from penstock import torch
>>> torch.nn.init.constant_(torch.empty(2), 3)
tensor([3., 3.])
"""

import math
import warnings

from ..._common.first_values import inverse_erf
from .. import _missing
from .._create import eye as _eye
from .._dialect import row
from .._random import default_generator
from ..autograd._modes import no_grad

__all__ = (
    "calculate_gain constant constant_ dirac dirac_ eye eye_ kaiming_normal kaiming_normal_ "
    "kaiming_uniform kaiming_uniform_ normal normal_ ones_ orthogonal orthogonal_ sparse sparse_ "
    "trunc_normal_ uniform uniform_ xavier_normal xavier_normal_ xavier_uniform xavier_uniform_ "
    "zeros_"
).split()

_orthogonal = row("orthogonal", "orthogonal_", "size:shape, scale=1.0, dtype=None, generator=None")

# ---- Plain ---------------------------------------------------------------------------------------


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    """Numbers spread evenly from a to b."""
    if a > b:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={a} > to={b}"
        )
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    """Numbers of a normal distribution."""
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def constant_(tensor, val):
    """One number everywhere."""
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor):
    """1 everywhere."""
    return constant_(tensor, 1.0)


def zeros_(tensor):
    """0 everywhere."""
    with no_grad():
        return tensor.zero_()


def eye_(tensor):
    """1 on the diagonal of a matrix, else 0."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with no_grad():
        return tensor.copy_(_eye(*tensor.shape))


def dirac_(tensor, groups=1):
    """Weights of a convolution that gives its input, as many channels as there are."""
    if tensor.ndim not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.shape[0] % groups:
        raise ValueError("dim 0 must be divisible by groups")
    outputs = tensor.shape[0] // groups
    middle = tuple(length // 2 for length in tensor.shape[2:])
    with no_grad():
        tensor.zero_()
        for group in range(groups):
            for one in range(min(outputs, tensor.shape[1])):
                tensor[(group * outputs + one, one, *middle)] = 1
    return tensor


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """Numbers of a normal distribution, of which only those from a to b are taken."""
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of "
            "values may be incorrect.",
            stacklevel=2,
        )
    with no_grad():
        low, high = (_below((one - mean) / std) for one in (a, b))
        tensor.uniform_(2 * low - 1, 2 * high - 1, generator=generator)
        drawn = tensor.double().clamp(-1 + 1e-15, 1 - 1e-15)
        made = inverse_erf(drawn, 3) * (std * math.sqrt(2.0)) + mean
        return tensor.copy_(made.clamp(a, b))


def _below(x):
    """The part of the normal distribution that is below x."""
    return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0


# ---- By the number of inputs and outputs ---------------------------------------------------------

_LINEAR = {
    *("linear", "conv1d", "conv2d", "conv3d"),
    *("conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "sigmoid"),
}


def calculate_gain(nonlinearity, param=None):
    """The factor that weights before a nonlinearity should have."""
    if nonlinearity in _LINEAR:
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "selu":
        return 3.0 / 4
    if nonlinearity != "leaky_relu":
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    slope = 0.01 if param is None else param
    if isinstance(slope, bool) or not isinstance(slope, (int, float)):
        raise ValueError(f"negative_slope {slope} not a valid number")
    return math.sqrt(2.0 / (1 + slope**2))


def _calculate_fan_in_and_fan_out(tensor):
    if tensor.ndim < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def _spread_bias(weight, bias):
    """Spread a layer's biases evenly over +-1 / sqrt(inputs)."""
    inputs, _ = _calculate_fan_in_and_fan_out(weight)
    bound = 1 / math.sqrt(inputs) if inputs > 0 else 0
    uniform_(bias, -bound, bound)


def xavier_uniform_(tensor, gain=1.0, generator=None):
    """Numbers spread evenly over +-gain * sqrt(6 / (inputs + outputs))."""
    inputs, outputs = _calculate_fan_in_and_fan_out(tensor)
    bound = gain * math.sqrt(6.0 / float(inputs + outputs))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    """Normal numbers with deviation gain * sqrt(2 / (inputs + outputs))."""
    inputs, outputs = _calculate_fan_in_and_fan_out(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(inputs + outputs)), generator)


def _deviation(tensor, a, mode, nonlinearity):
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    inputs, outputs = _calculate_fan_in_and_fan_out(tensor)
    fan = inputs if mode == "fan_in" else outputs
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def _is_empty(tensor):
    if 0 not in tensor.shape:
        return False
    warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
    return True


def kaiming_uniform_(
    tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None
):
    """Numbers spread evenly over +-gain * sqrt(3 / inputs), or outputs."""
    if _is_empty(tensor):
        return tensor
    bound = math.sqrt(3.0) * _deviation(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None
):
    """Normal numbers with deviation gain / sqrt(inputs), or outputs."""
    if _is_empty(tensor):
        return tensor
    return normal_(tensor, 0.0, _deviation(tensor, a, mode, nonlinearity), generator)


# ---- Others --------------------------------------------------------------------------------------


def orthogonal_(tensor, gain=1, generator=None):
    """gain times a matrix whose rows, or columns if these are fewer, are orthogonal."""
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    source = default_generator if generator is None else generator
    with no_grad():
        made = _orthogonal(tensor.shape, float(gain), tensor.dtype, source)
        return tensor.copy_(made.to(tensor.device))


def sparse_(tensor, sparsity, std=0.01, generator=None):
    """Normal numbers, of which a part of each column, in random places, is 0."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    from .._random import randperm

    rows, columns = tensor.shape
    zeros = int(math.ceil(sparsity * rows))
    with no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):
            tensor[randperm(rows, generator=generator)[:zeros], column] = 0
    return tensor


def _older(function):
    """The name without an underscore, which warns."""
    new, old = function.__name__, function.__name__[:-1]

    def deprecated(*args, **kwargs):
        warnings.warn(
            f"`nn.init.{old}` is now deprecated in favor of `nn.init.{new}`.",
            FutureWarning,
            stacklevel=2,
        )
        return function(*args, **kwargs)

    deprecated.__name__ = deprecated.__qualname__ = old
    deprecated.__doc__ = f"An older name of {new}."
    return deprecated


uniform, normal, constant = _older(uniform_), _older(normal_), _older(constant_)
eye, dirac, orthogonal, sparse = map(_older, (eye_, dirac_, orthogonal_, sparse_))
xavier_uniform, xavier_normal = _older(xavier_uniform_), _older(xavier_normal_)
kaiming_uniform, kaiming_normal = _older(kaiming_uniform_), _older(kaiming_normal_)

__getattr__ = _missing.missing("torch.nn.init")
