"""Functions of mx.nd.random by the names, and with the arguments, of the operators behind them."""

from . import random
from ._call import array

__all__ = [
    *("normal", "random_exponential", "random_normal", "random_randint", "random_uniform"),
    *("sample_exponential", "sample_multinomial", "sample_normal", "sample_uniform", "shuffle"),
    "uniform",
]


def random_uniform(low=0, high=1, shape=None, ctx=None, dtype=None, out=None, name=None, **unknown):
    """Numbers spread evenly over [low, high)."""
    return random.uniform(low, high, shape, dtype, ctx, out, **unknown)


def random_normal(loc=0, scale=1, shape=None, ctx=None, dtype=None, out=None, name=None, **unknown):
    """Numbers of a normal distribution."""
    return random.normal(loc, scale, shape, dtype, ctx, out, **unknown)


def random_exponential(lam=1, shape=None, ctx=None, dtype=None, out=None, name=None, **unknown):
    """Numbers of the exponential distribution with mean 1 / lam."""
    return random.exponential(1 / lam, shape, dtype, ctx, out, **unknown)


def random_randint(low, high, shape=None, ctx=None, dtype=None, out=None, name=None, **unknown):
    """Integers of [low, high)."""
    return random.randint(low, high, shape, dtype, ctx, out, **unknown)


def sample_uniform(low, high, shape=None, dtype=None, out=None, name=None, **unknown):
    """For each pair of elements, so many numbers spread evenly over [low, high)."""
    low, high = array("low", low), array("high", high)
    return random.uniform(low, high, shape, dtype, None, out, **unknown)


def sample_normal(mu, sigma, shape=None, dtype=None, out=None, name=None, **unknown):
    """For each pair of elements, so many numbers of a normal distribution."""
    mu, sigma = array("mu", mu), array("sigma", sigma)
    return random.normal(mu, sigma, shape, dtype, None, out, **unknown)


def sample_exponential(lam, shape=None, dtype=None, out=None, name=None, **unknown):
    """For each element, so many numbers of the exponential distribution with mean 1 / lam."""
    return random.exponential(1 / array("lam", lam), shape, dtype, None, out, **unknown)


def sample_multinomial(
    data, shape=None, get_prob=False, dtype="int32", out=None, name=None, **unknown
):
    """Positions of the last axis, as likely as the elements say."""
    return random.multinomial(data, shape, get_prob, out, dtype, **unknown)


normal, uniform, shuffle = random_normal, random_uniform, random.shuffle
