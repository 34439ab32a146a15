"""Activations as layers."""

from ... import _missing
from ..._create import empty
from ..._elements import sigmoid, tanh
from ..._elements import relu as _relu
from .. import functional as F
from .. import init
from ..parameter import Parameter
from .module import Module

__all__ = (
    "CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid LogSoftmax "
    "Mish PReLU RReLU ReLU ReLU6 SELU SiLU Sigmoid Softmax Softmax2d Softmin Softplus Softshrink "
    "Softsign Tanh Tanhshrink Threshold"
).split()


# ---- Without settings ----------------------------------------------------------------------------


class Sigmoid(Module):
    """1 / (1 + exp(-x))."""

    def forward(self, input):
        return sigmoid(input)


class Tanh(Module):
    """The hyperbolic tangent."""

    def forward(self, input):
        return tanh(input)


class Softsign(Module):
    """x / (1 + |x|)."""

    def forward(self, input):
        return F.softsign(input)


class Tanhshrink(Module):
    """x - tanh(x)."""

    def forward(self, input):
        return F.tanhshrink(input)


class LogSigmoid(Module):
    """log(sigmoid(x))."""

    def forward(self, input):
        return F.logsigmoid(input)


# ---- In place or not -----------------------------------------------------------------------------


class _MaybeInPlace(Module):
    """Activations that can be written into their input."""

    _run = None

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return type(self)._run(input, self.inplace)

    def extra_repr(self):
        return "inplace=True" if self.inplace else ""


class ReLU(_MaybeInPlace):
    """The elements where they are above 0, else 0.

    >>> from penstock import torch
    >>> torch.nn.ReLU()(torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """

    def forward(self, input):
        return F.relu(input, True) if self.inplace else _relu(input)


class ReLU6(_MaybeInPlace):
    """relu, but at most 6."""

    _run = staticmethod(F.relu6)


class SELU(_MaybeInPlace):
    """elu with the constants that keep mean 0 and deviation 1."""

    _run = staticmethod(F.selu)


class SiLU(_MaybeInPlace):
    """x * sigmoid(x)."""

    _run = staticmethod(F.silu)


class Mish(_MaybeInPlace):
    """x * tanh(softplus(x))."""

    _run = staticmethod(F.mish)


class Hardsigmoid(_MaybeInPlace):
    """A sigmoid of straight lines."""

    _run = staticmethod(F.hardsigmoid)

    def extra_repr(self):
        return ""


class Hardswish(_MaybeInPlace):
    """x * hardsigmoid(x)."""

    _run = staticmethod(F.hardswish)

    def extra_repr(self):
        return ""


def _more(text, module):
    """A module's text with what _MaybeInPlace says."""
    return f"{text}, inplace=True" if module.inplace else text


class LeakyReLU(_MaybeInPlace):
    """The elements where they are above 0, else a fraction of them."""

    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__(inplace)
        self.negative_slope = negative_slope

    def forward(self, input):
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self):
        return _more(f"negative_slope={self.negative_slope}", self)


class ELU(_MaybeInPlace):
    """The elements where they are above 0, else alpha * (exp(x) - 1)."""

    _run = staticmethod(F.elu)

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__(inplace)
        self.alpha = alpha

    def forward(self, input):
        return type(self)._run(input, self.alpha, self.inplace)

    def extra_repr(self):
        return _more(f"alpha={self.alpha}", self)


class CELU(ELU):
    """The elements where they are above 0, else alpha * (exp(x / alpha) - 1)."""

    _run = staticmethod(F.celu)


class RReLU(_MaybeInPlace):
    """LeakyReLU, in training with a slope for each element drawn between two."""

    def __init__(self, lower=1.0 / 8, upper=1.0 / 3, inplace=False):
        super().__init__(inplace)
        self.lower, self.upper = lower, upper

    def forward(self, input):
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self):
        return _more(f"lower={self.lower}, upper={self.upper}", self)


class Hardtanh(_MaybeInPlace):
    """The elements, but at least min_val and at most max_val."""

    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None):
        super().__init__(inplace)
        self.min_val = min_val if min_value is None else min_value
        self.max_val = max_val if max_value is None else max_value
        if self.max_val <= self.min_val:
            raise AssertionError(
                f"max_val {self.max_val} must be larger than min_val {self.min_val}"
            )

    def forward(self, input):
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self):
        return _more(f"min_val={self.min_val}, max_val={self.max_val}", self)


class Threshold(_MaybeInPlace):
    """The elements where they are above the threshold, else a value."""

    def __init__(self, threshold, value, inplace=False):
        super().__init__(inplace)
        self.threshold, self.value = threshold, value

    def forward(self, input):
        return F.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self):
        return _more(f"threshold={self.threshold}, value={self.value}", self)


# ---- With settings -------------------------------------------------------------------------------


class GELU(Module):
    """x times the normal distribution function of x."""

    def __init__(self, approximate="none"):
        super().__init__()
        self.approximate = approximate

    def forward(self, input):
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self):
        return f"approximate={self.approximate!r}"


class Softplus(Module):
    """log(1 + exp(beta x)) / beta."""

    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def forward(self, input):
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self):
        return f"beta={self.beta}, threshold={self.threshold}"


class _Shrink(Module):
    _run = None

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd

    def forward(self, input):
        return type(self)._run(input, self.lambd)

    def extra_repr(self):
        return str(self.lambd)


class Hardshrink(_Shrink):
    """0 where |x| is at most lambd, else the elements."""

    _run = staticmethod(F.hardshrink)


class Softshrink(_Shrink):
    """The elements moved toward 0 by lambd, but not beyond it."""

    _run = staticmethod(F.softshrink)


class PReLU(Module):
    """The elements where they are above 0, else a fraction of them that is a parameter."""

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = Parameter(empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self):
        """All fractions as in the beginning."""
        init.constant_(self.weight, self.init)

    def forward(self, input):
        return F.prelu(input, self.weight)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"


class _Along(Module):
    """Functions along a dimension."""

    _run = None

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return type(self)._run(input, self.dim)

    def extra_repr(self):
        return f"dim={self.dim}"


class Softmax(_Along):
    """exp(x) divided by its sum along a dimension."""

    _run = staticmethod(F.softmax)


class LogSoftmax(_Along):
    """The logarithm of softmax."""

    _run = staticmethod(F.log_softmax)


class Softmin(_Along):
    """softmax of -x."""

    _run = staticmethod(F.softmin)


class GLU(_Along):
    """The first half along a dimension times the sigmoid of the second."""

    _run = staticmethod(F.glu)

    def __init__(self, dim=-1):
        super().__init__(dim)


class Softmax2d(Module):
    """softmax over the channels of images."""

    def forward(self, input):
        if input.ndim not in (3, 4):
            raise ValueError(
                f"Softmax2d: expected input to be 3D or 4D, got {input.ndim}D instead"
            )
        return F.softmax(input, -3)


__getattr__ = _missing.missing("torch.nn.modules.activation")
