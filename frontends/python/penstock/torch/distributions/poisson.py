"""The Poisson distribution."""

from .._random import poisson
from ..autograd._modes import no_grad
from .distribution import Distribution
from .utils import broadcast_all


class Poisson(Distribution):
    """How many events come in a time, at a rate."""

    _conditions = {"rate": ("GreaterThanEq(lower_bound=0.0)", lambda value: value >= 0)}
    _shown = ("rate",)

    def __init__(self, rate, validate_args=None):
        self._check_numbers(validate_args, rate=rate)
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.shape, (), validate_args)

    def _supports(self, value):
        return (value >= 0) & (value % 1 == 0)

    @property
    def mean(self):
        """The rate."""
        return self.rate

    variance = mean

    @property
    def mode(self):
        """The rate, rounded down."""
        return self.rate.floor()

    def sample(self, sample_shape=()):
        """Draw as many as the shape says. Waits for the rates."""
        with no_grad():
            return poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        """The logarithms of probabilities. Waits for the value."""
        from .._gamma import lgamma
        from ..special import xlogy

        value = self._checked_value(value)
        return xlogy(value, self.rate) - self.rate - lgamma(value + 1)
