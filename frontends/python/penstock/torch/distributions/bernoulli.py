"""The Bernoulli distribution."""

from .._create import arange
from .._elements import where
from .._random import bernoulli
from .._shape import broadcast_tensors
from ..autograd._modes import no_grad
from .distribution import Distribution
from .utils import Chances, broadcast_all


class Bernoulli(Chances, Distribution):
    """1 with a probability, else 0."""

    has_enumerate_support = True
    _is_binary = True
    _conditions = {
        "probs": ("Interval(lower_bound=0.0, upper_bound=1.0)", lambda p: (p >= 0) & (p <= 1)),
        "logits": ("Real()", lambda value: value == value),
    }
    _shown = ("probs", "logits")

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._check_one(probs, logits)
        name, given = ("logits", logits) if probs is None else ("probs", probs)
        self._check_numbers(validate_args, **{name: given})
        (self._given,) = broadcast_all(given)
        self.__dict__[name] = self._given
        Distribution.__init__(self, self._given.shape, (), validate_args)

    def _supports(self, value):
        return (value == 0) | (value == 1)

    @property
    def mean(self):
        """The probability of 1."""
        return self.probs

    @property
    def mode(self):
        """The more probable one; NaN where both are equally so."""
        likely = (self.probs >= 0.5).to(self.probs.dtype)
        return where(self.probs == 0.5, float("nan"), likely)

    @property
    def variance(self):
        """p (1 - p)."""
        return self.probs * (1 - self.probs)

    @property
    def param_shape(self):
        """The shape of the probabilities."""
        return self._given.size()

    def sample(self, sample_shape=()):
        """Draw as many as the shape says."""
        with no_grad():
            return bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        """The logarithms of probabilities."""
        return -self._cross_entropy(self._checked_value(value))

    def entropy(self):
        """How uncertain draws are."""
        return self._cross_entropy(self.probs)

    def _cross_entropy(self, value):
        from ..nn.functional import binary_cross_entropy_with_logits

        logits, value = broadcast_tensors(self.logits, value)
        return binary_cross_entropy_with_logits(logits, value, reduction="none")

    def enumerate_support(self, expand=True):
        """0 and 1."""
        values = arange(2, dtype=self._given.dtype, device=self._given.device)
        values = values.reshape((2, *(1,) * len(self._batch_shape)))
        return values.expand((2, *self._batch_shape)) if expand else values
