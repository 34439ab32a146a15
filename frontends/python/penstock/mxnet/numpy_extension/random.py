"""mx.npx.random: the seed, and random numbers with the shape of batches.

>>> mx.npx.random.seed(7)
"""

from ... import _core
from ... import random as _native
from .._missing import missing
from ..base import MXNetValueError
from ..context import device_of
from ..numpy import random as _random
from ..numpy._table import composed, into, ndarray, op
from ..numpy._types import native_type
from ..random import seed as _seed

__all__ = ["bernoulli", "normal_n", "seed", "uniform_n"]

_bernoulli = op("random_bernoulli")


def __dir__():
    return __all__


def seed(seed, ctx="all"):
    """Random numbers that are drawn from here on are those of the seed: as mx.random.seed."""
    if not hasattr(seed, "__index__"):
        raise MXNetValueError(f"seed: an integer is needed, not {seed!r}")
    _seed(seed.__index__(), ctx)


def bernoulli(prob=None, logit=None, size=None, dtype=None, ctx=None, out=None):
    """1 with probability prob, else 0; logit is the logarithm of prob / (1 - prob)."""
    if (prob is None) == (logit is None):
        raise MXNetValueError(f"bernoulli: either prob or logit is needed: {prob}, {logit}")
    if prob is None:
        prob = composed(_core._ops["sigmoid"], logit)
    if isinstance(prob, ndarray):
        drawn = _random._placed(composed(_native.bernoulli, prob, size), ctx, None)
    else:
        drawn = _bernoulli(_random._size(size), prob, device=device_of(ctx))
    return into(out, drawn.astype(native_type(dtype)))


def _batched(draw, first, second, batch_shape, dtype, ctx):
    """Draws of the parameters' shape, as many as a batch has."""
    shapes = [one.shape for one in (first, second) if isinstance(one, ndarray)]
    batch = (batch_shape,) if isinstance(batch_shape, int) else tuple(batch_shape or ())
    shape = _native._broadcast_shapes(*shapes)
    return draw(first, second, (*batch, *shape), dtype, ctx)


def normal_n(loc=0.0, scale=1.0, batch_shape=None, dtype=None, ctx=None):
    """Normal numbers: a batch for each pair of parameters."""
    return _batched(_random.normal, loc, scale, batch_shape, dtype, ctx)


def uniform_n(low=0.0, high=1.0, batch_shape=None, dtype=None, ctx=None):
    """Numbers spread evenly: a batch for each pair of parameters."""
    return _batched(_random.uniform, low, high, batch_shape, dtype, ctx)


__getattr__ = missing("mxnet.npx.random")
