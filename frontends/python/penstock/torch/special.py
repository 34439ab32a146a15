"""torch.special: functions of elements that are operations of the table, or composed of them."""

from math import pi as _pi
from math import sqrt as _sqrt

from . import _missing
from ._checked import checked as _checked
from ._elements import (  # noqa: F401
    erf,
    erfc,
    exp2,
    expm1,
    isnan,
    log,
    log1p,
    logit,
    round,
    sigmoid,
    sin,
    where,
)
from ._reduce import logsumexp  # noqa: F401

_isnan, _log_of, _sigmoid, _sin, _where = isnan, log, sigmoid, sin, where
del isnan, log, sigmoid, sin, where

expit = _sigmoid


def gammaln(input):
    """The logarithm of the size of the gamma function. On the host: waits, no gradient flows."""
    from ._gamma import lgamma

    return lgamma(input)


@_checked("input: Tensor, dim: int, *, dtype: dtype? = None")
def softmax(input, dim, *, dtype=None):
    """exp(x) divided by its sum along a dimension."""
    from .nn.functional import softmax as run

    return run(input, dim, dtype=dtype)


@_checked("input: Tensor, dim: int, *, dtype: dtype? = None")
def log_softmax(input, dim, *, dtype=None):
    """The logarithm of softmax, without overflow on the way."""
    from .nn.functional import log_softmax as run

    return run(input, dim, dtype=dtype)


def sinc(input):
    """sin(pi x) / (pi x), 1 at 0."""
    at_zero = input == 0
    safe = _where(at_zero, 1.0, input) * _pi
    return _where(at_zero, 1.0, _sin(safe) / safe)


def ndtr(input):
    """How much of the normal distribution is below each element."""
    return 0.5 * erfc(input * -_sqrt(0.5))


def entr(input):
    """-x log(x): 0 at 0, -inf below it."""
    positive = input > 0
    inner = -input * _log_of(_where(positive, input, 1.0))
    outer = _where(input == 0, 0.0, float("-inf"))
    return _where(positive | _isnan(input), inner, outer)


def xlogy(input, other):
    """input * log(other), 0 where input is 0; one of both may be a number."""
    return _times(input, other, _log_of, 1.0)


def xlog1py(input, other):
    """input * log(1 + other), 0 where input is 0; one of both may be a number."""
    return _times(input, other, log1p, 0.0)


def _times(input, other, function, root):
    """input * function(other), with the function's root in the place of other where input is 0."""
    input, other = _as_tensor(input, other), _as_tensor(other, input)
    without = (input == 0) & ~_isnan(other)
    return input * function(_where(without, root, other))


def _as_tensor(one, beside):
    from ._create import tensor
    from ._dialect import default_dtype
    from ._tensor import Tensor

    if isinstance(one, Tensor):
        return one
    kind = beside.dtype if beside.dtype.is_floating_point else default_dtype()
    return tensor(one, dtype=kind, device=beside.device)


__getattr__ = _missing.missing("torch.special")
