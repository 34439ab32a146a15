"""Distributions of real numbers."""

import math

from .._binary import where
from .._create import full_like
from .._shape import broadcast_tensors
from .._random import rand, randn
from ._distribution import Distribution, as_parameter, as_value


class Normal(Distribution):
    """Normal numbers with a mean `loc` and a standard deviation `scale`."""

    def __init__(self, loc, scale, name=None):
        self.loc, self.scale = broadcast_tensors([as_parameter(loc), as_parameter(scale)])
        super().__init__(self.loc.shape)

    @property
    def mean(self):
        """The mean."""
        return self.loc

    @property
    def stddev(self):
        """The standard deviation."""
        return self.scale

    @property
    def variance(self):
        """The square of the standard deviation."""
        return self.scale * self.scale

    def rsample(self, shape=()):
        """Draw as many as the shape says; gradients flow to the parameters."""
        return self.loc + self.scale * randn(self._extend_shape(shape), self.loc.dtype)

    def log_prob(self, value):
        """The logarithms of densities."""
        away = (as_value(value, self.loc) - self.loc) / self.scale
        return -0.5 * away * away - self.scale.log() - 0.5 * math.log(2 * math.pi)

    def entropy(self):
        """The entropies."""
        return self.scale.log() + 0.5 * (1 + math.log(2 * math.pi))

    def kl_divergence(self, other):
        """How far another normal distribution is from this one."""
        ratio = self.scale / other.scale
        away = (self.loc - other.loc) / other.scale
        return 0.5 * (ratio * ratio + away * away) - 0.5 - ratio.log()


class Uniform(Distribution):
    """Numbers from `low` to below `high`, all with one density."""

    def __init__(self, low, high, name=None):
        self.low, self.high = broadcast_tensors([as_parameter(low), as_parameter(high)])
        super().__init__(self.low.shape)

    @property
    def mean(self):
        """The middle."""
        return (self.low + self.high) / 2

    @property
    def variance(self):
        """A twelfth of the squared length."""
        length = self.high - self.low
        return length * length / 12

    def rsample(self, shape=()):
        """Draw as many as the shape says; gradients flow to the parameters."""
        drawn = rand(self._extend_shape(shape), self.low.dtype)
        return self.low + drawn * (self.high - self.low)

    def log_prob(self, value):
        """The logarithms of densities: -inf outside."""
        value = as_value(value, self.low)
        inside = (value > self.low) & (value < self.high)
        dense = -(self.high - self.low).log() + value * 0
        return where(inside, dense, full_like(dense, -math.inf))

    def entropy(self):
        """The entropies."""
        return (self.high - self.low).log()
