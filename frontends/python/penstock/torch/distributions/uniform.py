"""The uniform distribution."""

from .._elements import log
from .._random import rand
from .distribution import Distribution
from .utils import broadcast_all


class Uniform(Distribution):
    """Numbers from low to below high, each as probable as another."""

    has_rsample = True
    _shown = ("low", "high")

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = broadcast_all(low, high)
        super().__init__(self.low.shape, (), validate_args)
        if isinstance(low, (int, float)) and isinstance(high, (int, float)):
            wrong = low >= high and validate_args is not False
        else:
            wrong = self._validate_args and bool((self.low >= self.high).any())
        if wrong:
            raise ValueError(f"Uniform is not defined when low >= high: {low}, {high}")

    def _supports(self, value):
        return (value >= self.low) & (value <= self.high)

    @property
    def mean(self):
        """The middle."""
        return (self.high + self.low) / 2

    @property
    def stddev(self):
        """The standard deviation."""
        return (self.high - self.low) / 12**0.5

    @property
    def variance(self):
        """A twelfth of the squared width."""
        return (self.high - self.low).pow(2) / 12

    def rsample(self, sample_shape=()):
        """Draw so that gradients flow back to low and high."""
        shape = self._extended_shape(sample_shape)
        drawn = rand(shape, dtype=self.low.dtype, device=self.low.device)
        return self.low + drawn * (self.high - self.low)

    def log_prob(self, value):
        """The logarithms of densities; -inf outside."""
        value = self._checked_value(value)
        inside = (self.low <= value) & (self.high > value)
        return log(inside.to(self.low.dtype)) - log(self.high - self.low)

    def cdf(self, value):
        """How probable it is to draw at most that."""
        value = self._checked_value(value)
        return ((value - self.low) / (self.high - self.low)).clamp(0, 1)

    def icdf(self, value):
        """What is not exceeded with a probability."""
        return value * (self.high - self.low) + self.low

    def entropy(self):
        """How uncertain draws are."""
        return log(self.high - self.low)
