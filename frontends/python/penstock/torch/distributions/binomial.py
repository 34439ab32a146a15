"""The binomial distribution."""

from .._elements import clamp_min, floor, log1p
from .._gamma import binomial, lgamma, successes
from ..autograd._modes import no_grad
from .distribution import Distribution
from .utils import Chances, broadcast_all


class Binomial(Chances, Distribution):
    """How many of so many trials succeed, each with a probability."""

    _is_binary = True
    _conditions = {
        "total_count": (
            "IntegerGreaterThan(lower_bound=0)",
            lambda count: (count >= 0) & (count % 1 == 0),
        ),
        "probs": ("Interval(lower_bound=0.0, upper_bound=1.0)", lambda p: (p >= 0) & (p <= 1)),
        "logits": ("Real()", lambda value: value == value),
    }
    _shown = ("total_count", "probs", "logits")

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        self._check_one(probs, logits)
        name, given = ("logits", logits) if probs is None else ("probs", probs)
        self._check_numbers(validate_args, total_count=total_count, **{name: given})
        self._trials = total_count if isinstance(total_count, int) else None
        given, self.total_count = broadcast_all(given, total_count)
        self.total_count = self.total_count.type_as(given)
        self.__dict__[name] = self._given = given
        Distribution.__init__(self, given.shape, (), validate_args)

    def _supports(self, value):
        return (value >= 0) & (value <= self.total_count) & (value % 1 == 0)

    @property
    def param_shape(self):
        """The shape of the probabilities."""
        return self._given.size()

    @property
    def mean(self):
        """n p."""
        return self.total_count * self.probs

    @property
    def mode(self):
        """The most probable number."""
        return floor((self.total_count + 1) * self.probs).clamp(max=self.total_count)

    @property
    def variance(self):
        """n p (1 - p)."""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        """Draw as many as the shape says. Waits if the numbers of trials are a tensor."""
        with no_grad():
            shape = self._extended_shape(sample_shape)
            probs = self.probs.expand(shape)
            if self._trials is not None:
                return successes(self._trials, probs)
            return binomial(self.total_count.expand(shape), probs)

    def log_prob(self, value):
        """The logarithms of probabilities. Waits for the value."""
        value, count, logits = self._checked_value(value), self.total_count, self.logits
        ways = lgamma(count.detach() + 1) - lgamma(value + 1) - lgamma(count.detach() - value + 1)
        all_of = count * (clamp_min(logits, 0) + log1p((-logits.abs()).exp()))
        return ways + value * logits - all_of
