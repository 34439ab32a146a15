"""The categorical distribution."""

from .._create import arange, empty, full
from .._elements import clamp_min
from .._index import gather
from .._random import multinomial
from .._reduce import argmax, logsumexp
from .._shape import broadcast_tensors
from ..autograd._modes import no_grad
from .distribution import Distribution
from .utils import Chances


class Categorical(Chances, Distribution):
    """Places from 0 to below the number of probabilities, which lie along the last dimension."""

    has_enumerate_support = True
    _conditions = {
        "probs": (
            "Simplex()",
            lambda p: (p >= 0).all(-1) & ((p.sum(-1) - 1).abs() < 1e-6),
        ),
        "logits": ("IndependentConstraint(Real(), 1)", lambda value: value == value),
    }
    _shown = ("probs", "logits")
    _own_dims = 1

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._check_one(probs, logits)
        name, given = ("logits", logits) if probs is None else ("probs", probs)
        if given.ndim < 1:
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if probs is None:
            self.__dict__["logits"] = logits - logsumexp(logits, -1, True)
        else:
            self.__dict__["probs"] = probs / probs.sum(-1, True)
        self._given = self.__dict__[name]
        self._num_events = given.shape[-1]
        Distribution.__init__(self, given.shape[:-1], (), validate_args)

    def _supports(self, value):
        return (value >= 0) & (value < self._num_events) & (value % 1 == 0)

    @property
    def param_shape(self):
        """The shape of the probabilities."""
        return self._given.size()

    @property
    def mean(self):
        """NaN: places have none."""
        return full(self._batch_shape, float("nan"), dtype=self._given.dtype)

    variance = mean

    @property
    def mode(self):
        """The most probable place."""
        return argmax(self.probs, -1)

    def sample(self, sample_shape=()):
        """Draw as many as the shape says."""
        with no_grad():
            shape = self._extended_shape(sample_shape)
            if not self._batch_shape:
                count = 1
                for length in shape:
                    count *= length
                return multinomial(self.probs, count, True).reshape(shape)
            # Of exponential times that each place takes the shortest is that of such a draw.
            probs = self.probs
            times = empty((*shape, self._num_events), dtype=probs.dtype, device=probs.device)
            return argmax(probs / times.exponential_(), -1)

    def log_prob(self, value):
        """The logarithms of the probabilities of places."""
        places = self._checked_value(value).long().unsqueeze(-1)
        places = broadcast_tensors(places, self.logits[..., :1])[0]
        logits = self.logits.expand((*places.shape[:-1], self._num_events))
        return gather(logits, -1, places).squeeze(-1)

    def entropy(self):
        """How uncertain draws are."""
        from .. import finfo

        logits = clamp_min(self.logits, finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand=True):
        """All places."""
        values = arange(self._num_events, device=self._given.device)
        values = values.reshape((-1, *(1,) * len(self._batch_shape)))
        return values.expand((self._num_events, *self._batch_shape)) if expand else values
