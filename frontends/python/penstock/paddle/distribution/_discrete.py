"""Distributions of whole numbers."""

import math

from .._binary import where
from .._create import arange, to_tensor, zeros_like
from .._shape import broadcast_tensors
from .._order import take_along_axis
from .._random import bernoulli, multinomial
from ..autograd._modes import no_grad
from ._distribution import Distribution, as_parameter, as_value

_LEAST = 1.1920929e-07  # how near to 0 and 1 the probabilities of Bernoulli's are taken


class Bernoulli(Distribution):
    """1 with a probability, else 0."""

    def __init__(self, probs, name=None):
        self._probs = as_parameter(probs)
        super().__init__(self._probs.shape)
        self.logits = self._chance.log() - (1 - self._chance).log()

    @property
    def _chance(self):
        return self._probs.clip(_LEAST, 1 - _LEAST)

    @property
    def mean(self):
        """The probabilities."""
        return self._probs

    @property
    def variance(self):
        """p (1 - p)."""
        return self._probs * (1 - self._probs)

    def sample(self, shape=()):
        """Draw as many as the shape says."""
        with no_grad():
            return bernoulli(self._probs.detach().expand(self._extend_shape(shape)))

    def log_prob(self, value):
        """The logarithms of probabilities."""
        value = as_value(value, self._probs)
        return value * self._chance.log() + (1 - value) * (1 - self._chance).log()

    def entropy(self):
        """The entropies."""
        p = self._chance
        return -(p * p.log() + (1 - p) * (1 - p).log())


class Categorical(Distribution):
    """A place, with probabilities that are as `logits` along the last dimension.

    The entropy is that of their softmax, as in PaddlePaddle.
    """

    def __init__(self, logits, name=None):
        self.logits = as_parameter(logits)
        super().__init__(self.logits.shape[:-1])
        self._chances = self.logits / self.logits.sum(-1, keepdim=True)

    def sample(self, shape=()):
        """Draw as many as the shape says: places, of int64."""
        with no_grad():
            return _places(self._chances.detach(), math.prod(shape)).reshape(
                self._extend_shape(shape)
            )

    def prob(self, value):
        """The probabilities of places."""
        chances = self._chances
        if chances.ndim == 1:
            return chances[value.reshape([-1])].reshape(value.shape)
        if value.ndim < chances.ndim:
            value = value.expand([*chances.shape[:-1], value.shape[-1]])
        return take_along_axis(chances, value, -1)

    def log_prob(self, value):
        """The logarithms of the probabilities of places."""
        return self.prob(value).log()

    def entropy(self):
        """The entropies of the softmax."""
        from ..nn.functional import softmax

        p = softmax(self.logits, axis=-1)
        return -(p * p.log()).sum(-1)


class Multinomial(Distribution):
    """How often each place comes in `total_count` draws."""

    def __init__(self, total_count, probs):
        if not isinstance(total_count, int) or total_count < 1:
            raise ValueError(f"total_count must be an integer of 1 at least, not {total_count!r}")
        if probs.dim() < 1:
            raise ValueError("probs must have a dimension at least")
        self.total_count, self.probs = total_count, probs / probs.sum(-1, keepdim=True)
        super().__init__(probs.shape[:-1], probs.shape[-1:])

    @property
    def mean(self):
        """The probabilities times the number of draws."""
        return self.probs * self.total_count

    @property
    def variance(self):
        """n p (1 - p)."""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, shape=()):
        """Draw as many as the shape says: counts."""
        from ..nn.functional import one_hot

        with no_grad():
            count = math.prod(shape)
            places = _places(self.probs.detach(), self.total_count * count)
            places = places.reshape([self.total_count, *shape, *self._batch_shape])
            return one_hot(places, self._event_shape[0]).sum(0).astype(self.probs.dtype)

    def log_prob(self, value):
        """The logarithms of probabilities of counts. Waits for them."""
        value = as_value(value, self.probs)
        value, logits = broadcast_tensors([value, self.probs.log()])
        never = (value == 0) & (self.probs == 0)
        powers = where(never, zeros_like(value), logits * value)
        ways = _lgamma(value.sum(-1) + 1) - _lgamma(value + 1).sum(-1)
        return ways + powers.sum(-1)

    def prob(self, value):
        """The probabilities of counts. Waits for them."""
        return self.log_prob(value).exp()

    def entropy(self):
        """The entropies, as sums over all counts that a place may have."""
        n, p = self.total_count, self.probs
        times = arange(n + 1, dtype=p.dtype).reshape([-1] + [1] * p.ndim)
        ways = _lgamma(times + 1)
        chance = (math.lgamma(n + 1) - ways - _lgamma(n - times + 1)).exp()
        chance = chance * p**times * (1 - p) ** (n - times)
        single = where(p == 0, zeros_like(p), p * p.log()).sum(-1)
        return -n * single - math.lgamma(n + 1) + (chance * ways).sum([0, -1])


def _places(chances, count):
    """So many places for each row of probabilities, in the first dimension."""
    rows = chances.reshape([-1, chances.shape[-1]])
    drawn = multinomial(rows, count, True)
    return drawn.transpose([1, 0])


def _lgamma(x):
    """The logarithm of the gamma function of positive numbers. On the host: waits."""
    import numpy

    values = x.numpy()
    made = numpy.array([math.lgamma(one) for one in values.ravel().tolist()], values.dtype)
    return to_tensor(made.reshape(values.shape))
