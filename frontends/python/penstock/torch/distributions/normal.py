"""The normal distribution."""

from math import log, pi, sqrt

from .._elements import erf
from .._random import randn
from .distribution import Distribution
from .utils import broadcast_all


class Normal(Distribution):
    """The normal distribution with means and standard deviations."""

    has_rsample = True
    _conditions = {
        "loc": ("Real()", lambda value: value == value),
        "scale": ("GreaterThan(lower_bound=0.0)", lambda value: value > 0),
    }
    _shown = ("loc", "scale")

    def __init__(self, loc, scale, validate_args=None):
        self._check_numbers(validate_args, loc=loc, scale=scale)
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, (), validate_args)

    @property
    def mean(self):
        """The mean: loc."""
        return self.loc

    mode = mean

    @property
    def stddev(self):
        """The standard deviation: scale."""
        return self.scale

    @property
    def variance(self):
        """The square of scale."""
        return self.scale.pow(2)

    def rsample(self, sample_shape=()):
        """Draw so that gradients flow back to loc and scale."""
        shape = self._extended_shape(sample_shape)
        drawn = randn(shape, dtype=self.loc.dtype, device=self.loc.device)
        return self.loc + drawn * self.scale

    def log_prob(self, value):
        """The logarithms of densities."""
        value = self._checked_value(value)
        away = (value - self.loc) ** 2 / (2 * self.scale**2)
        return -away - self.scale.log() - log(sqrt(2 * pi))

    def cdf(self, value):
        """How probable it is to draw at most that."""
        value = self._checked_value(value)
        return 0.5 * (1 + erf((value - self.loc) / self.scale / sqrt(2)))

    def entropy(self):
        """How uncertain draws are."""
        return 0.5 + 0.5 * log(2 * pi) + self.scale.log()
