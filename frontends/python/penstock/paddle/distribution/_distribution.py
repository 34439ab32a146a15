"""What all distributions have."""

from .._create import to_tensor
from .._tensor import Tensor
from ..autograd._modes import no_grad


class Distribution:
    """Several distributions, of the batch shape, side by side."""

    def __init__(self, batch_shape=(), event_shape=()):
        self._batch_shape, self._event_shape = tuple(batch_shape), tuple(event_shape)

    @property
    def batch_shape(self):
        """The shape of the distributions that are side by side."""
        return self._batch_shape

    @property
    def event_shape(self):
        """The shape of what one of them draws."""
        return self._event_shape

    def _extend_shape(self, sample_shape):
        return [*sample_shape, *self._batch_shape, *self._event_shape]

    def sample(self, shape=()):
        """Draw as many as the shape says; no gradient flows."""
        with no_grad():
            return self.rsample(shape)

    def rsample(self, shape=()):
        """Draw as many as the shape says; gradients flow to the parameters."""
        raise NotImplementedError(f"{type(self).__name__}.rsample is not here")

    def log_prob(self, value):
        """The logarithms of probabilities; for classes to define."""
        raise NotImplementedError(f"{type(self).__name__}.log_prob is not here")

    def prob(self, value):
        """The probabilities, or their densities."""
        return self.log_prob(value).exp()

    def probs(self, value):
        """The probabilities, or their densities."""
        return self.prob(value)

    def entropy(self):
        """The entropies; for classes to define."""
        raise NotImplementedError(f"{type(self).__name__}.entropy is not here")


def as_parameter(given):
    """A parameter as a tensor: numbers are of float32."""
    return given if isinstance(given, Tensor) else to_tensor(given, dtype="float32")


def as_value(given, like):
    """A value as a tensor of a parameter's element type."""
    made = given if isinstance(given, Tensor) else to_tensor(given)
    return made.astype(like.dtype)
