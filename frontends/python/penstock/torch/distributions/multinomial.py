"""The multinomial distribution."""

from .._create import ones, zeros
from .._elements import where
from ..autograd._modes import no_grad
from .categorical import Categorical
from .distribution import Distribution


class Multinomial(Distribution):
    """How often each place comes in so many draws; probabilities lie along the last dimension.

    >>> from penstock import torch
    >>> torch.distributions.Multinomial(10, torch.ones(6)).sample().sum()
    tensor(10.)
    """

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._categorical = Categorical(probs, logits, validate_args)
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args)

    def _supports(self, value):
        return (value >= 0).all(-1) & (value.sum(-1) <= self.total_count)

    @property
    def probs(self):
        """The probabilities."""
        return self._categorical.probs

    @property
    def logits(self):
        """The logarithms of probabilities."""
        return self._categorical.logits

    @property
    def param_shape(self):
        """The shape of the probabilities."""
        return self._categorical.param_shape

    @property
    def mean(self):
        """The probabilities times the number of draws."""
        return self.probs * self.total_count

    @property
    def variance(self):
        """n p (1 - p)."""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        """Draw as many as the shape says: counts."""
        with no_grad():
            drawn = self._categorical.sample((self.total_count, *sample_shape)).movedim(0, -1)
            kind, shape = self.probs.dtype, self._extended_shape(sample_shape)
            counts = zeros(shape, dtype=kind, device=drawn.device)
            once = ones(drawn.shape, dtype=kind, device=drawn.device)
            return counts.scatter_add_(-1, drawn, once)

    def log_prob(self, value):
        """The logarithms of probabilities. Waits for the value."""
        from .._gamma import lgamma

        value = self._checked_value(value)
        never = (value == 0) & (self.logits == float("-inf"))
        powers = where(never, 0.0, self.logits) * value
        return lgamma(value.sum(-1) + 1) - lgamma(value + 1).sum(-1) + powers.sum(-1)

    def expand(self, batch_shape, _instance=None):
        """The same distributions, repeated."""
        made = super().expand(batch_shape)
        made._categorical = self._categorical.expand(batch_shape)
        return made
