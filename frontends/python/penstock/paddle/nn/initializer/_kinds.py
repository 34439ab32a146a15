"""Kinds of first values: each makes a tensor of a shape, or writes into one."""

import math

from ...._common.first_values import inverse_erf
from ..._dialect import row
from ..._random import _drawn, _normal, default_generator, uniform
from ..._tensor import cast

_orthogonal = row("orthogonal", "orthogonal", "shape, scale=1.0, dtype=None, generator=None")
_clip = row("clip", "clip", "x, min=None, max=None")


def _normals(shape, dtype, mean, std):
    return _drawn(_normal, tuple(shape), dtype, mean=float(mean), std=float(std))


class Initializer:
    """What makes first values. Called with a parameter it writes them into it."""

    __module__ = "paddle.nn.initializer"

    def __call__(self, param, block=None):
        param.set_value(self._values(list(param.shape), param.dtype))
        return param

    def _values(self, shape, dtype):
        raise NotImplementedError(f"{type(self).__name__} does not say what values there are")


class Constant(Initializer):
    """One number everywhere."""

    __module__ = "paddle.nn.initializer"

    def __init__(self, value=0.0):
        self._value = value

    def _values(self, shape, dtype):
        from ..._create import full

        return full(shape, self._value, dtype)


class Assign(Initializer):
    """The elements of an array, a list or a tensor."""

    __module__ = "paddle.nn.initializer"

    def __init__(self, value, name=None):
        self._value = value

    def _values(self, shape, dtype):
        from ..._create import to_tensor

        return to_tensor(self._value).astype(dtype).reshape(shape).clone().detach()


class Normal(Initializer):
    """Numbers of a normal distribution."""

    __module__ = "paddle.nn.initializer"

    def __init__(self, mean=0.0, std=1.0, name=None):
        self._mean, self._std = mean, std

    def _values(self, shape, dtype):
        return _normals(shape, dtype, self._mean, self._std)


class Uniform(Initializer):
    """Numbers spread evenly from low to high."""

    __module__ = "paddle.nn.initializer"

    def __init__(self, low=-1.0, high=1.0, name=None):
        if low > high:
            raise AssertionError(f"high should be no less than low, not {high} and {low}")
        self._low, self._high = low, high

    def _values(self, shape, dtype):
        return uniform(shape, dtype, self._low, self._high)


class TruncatedNormal(Initializer):
    """Numbers of a normal distribution, of which only those from a to b deviations are taken."""

    __module__ = "paddle.nn.initializer"

    def __init__(self, mean=0.0, std=1.0, a=-2.0, b=2.0, name=None):
        self._mean, self._std, self._a, self._b = mean, std, a, b

    def _values(self, shape, dtype):
        low, high = (math.erf(one / math.sqrt(2)) for one in (self._a, self._b))
        drawn = _clip(uniform(shape, "float64", low, high), -1 + 1e-12, 1 - 1e-12)
        made = inverse_erf(drawn, 2) * (math.sqrt(2.0) * self._std) + self._mean
        return cast(made, dtype)


# ---- By the number of inputs and outputs ---------------------------------------------------------


def fans(shape):
    """Inputs and outputs of a weight: (inputs, outputs), or (outputs, inputs, H, W)."""
    if len(shape) < 2:
        length = shape[0] if shape else 1
        return length, length
    if len(shape) == 2:
        return shape[0], shape[1]
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


class _Xavier(Initializer):
    __module__ = "paddle.nn.initializer"

    def __init__(self, fan_in=None, fan_out=None, gain=1.0, name=None):
        self._fan_in, self._fan_out, self._gain = fan_in, fan_out, gain

    def _deviation(self, shape):
        inputs, outputs = fans(shape)
        inputs = inputs if self._fan_in is None else self._fan_in
        outputs = outputs if self._fan_out is None else self._fan_out
        return self._gain * math.sqrt(2.0 / float(inputs + outputs))


class XavierUniform(_Xavier):
    """Numbers spread evenly over +-gain * sqrt(6 / (inputs + outputs))."""

    def _values(self, shape, dtype):
        bound = math.sqrt(3.0) * self._deviation(shape)
        return uniform(shape, dtype, -bound, bound)


class XavierNormal(_Xavier):
    """Normal numbers with deviation gain * sqrt(2 / (inputs + outputs))."""

    def _values(self, shape, dtype):
        return _normals(shape, dtype, 0.0, self._deviation(shape))


def gain_of(nonlinearity, slope):
    """The factor that weights before a nonlinearity should have."""
    gains = {"sigmoid": 1.0, "linear": 1.0, "tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 0.75}
    for one in ("conv1d", "conv2d", "conv3d"):
        gains[one] = gains[f"{one}_transpose"] = 1.0
    gains["leaky_relu"] = math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity not in gains:
        raise ValueError(f"nonlinearity function {nonlinearity} is not supported now.")
    return gains[nonlinearity]


class _Kaiming(Initializer):
    __module__ = "paddle.nn.initializer"

    def __init__(self, fan_in=None, negative_slope=0.0, nonlinearity="relu", mode="fan_in"):
        self._fan_in, self._slope = fan_in, negative_slope
        self._nonlinearity, self._mode = nonlinearity, mode

    def _deviation(self, shape):
        inputs, outputs = fans(shape)
        fan = inputs if self._mode == "fan_in" else outputs
        fan = fan if self._fan_in is None else self._fan_in
        return gain_of(self._nonlinearity, self._slope) / math.sqrt(float(fan))


class KaimingUniform(_Kaiming):
    """Numbers spread evenly over +-gain * sqrt(3 / inputs)."""

    def _values(self, shape, dtype):
        bound = math.sqrt(3.0) * self._deviation(shape)
        return uniform(shape, dtype, -bound, bound)


class KaimingNormal(_Kaiming):
    """Normal numbers with deviation gain / sqrt(inputs)."""

    def _values(self, shape, dtype):
        return _normals(shape, dtype, 0.0, self._deviation(shape))


class Orthogonal(Initializer):
    """gain times a matrix whose rows, or columns if these are fewer, are orthogonal."""

    __module__ = "paddle.nn.initializer"

    def __init__(self, gain=1.0, name=None):
        self._gain = gain

    def _values(self, shape, dtype):
        if len(shape) < 2:
            raise AssertionError("Only Tensor with 2 or more dimensions can be initialized")
        return _orthogonal(shape, float(self._gain), dtype, default_generator)
