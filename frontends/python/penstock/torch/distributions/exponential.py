"""The exponential distribution."""

from .._create import empty
from .._elements import exp, log, log1p
from .distribution import Distribution
from .utils import broadcast_all


class Exponential(Distribution):
    """The times between events that come at a rate."""

    has_rsample = True
    _conditions = {"rate": ("GreaterThan(lower_bound=0.0)", lambda value: value > 0)}
    _shown = ("rate",)

    def __init__(self, rate, validate_args=None):
        self._check_numbers(validate_args, rate=rate)
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.shape, (), validate_args)

    def _supports(self, value):
        return value >= 0

    @property
    def mean(self):
        """1 / rate."""
        return self.rate.reciprocal()

    stddev = mean

    @property
    def mode(self):
        """0."""
        return self.rate * 0

    @property
    def variance(self):
        """1 / rate squared."""
        return self.rate.pow(-2)

    def rsample(self, sample_shape=()):
        """Draw so that gradients flow back to the rate."""
        shape = self._extended_shape(sample_shape)
        drawn = empty(shape, dtype=self.rate.dtype, device=self.rate.device).exponential_()
        return drawn / self.rate

    def log_prob(self, value):
        """The logarithms of densities."""
        value = self._checked_value(value)
        return log(self.rate) - self.rate * value

    def cdf(self, value):
        """How probable it is to draw at most that."""
        return 1 - exp(-self.rate * self._checked_value(value))

    def icdf(self, value):
        """What is not exceeded with a probability."""
        return -log1p(-value) / self.rate

    def entropy(self):
        """How uncertain draws are."""
        return 1 - log(self.rate)
