"""What all distributions have."""

from .._size import Size
from .._tensor import Tensor
from ..autograd._modes import no_grad


class Distribution:
    """Numbers by their probabilities: several distributions, of the batch shape, side by side."""

    has_rsample = False
    has_enumerate_support = False
    _validate_args = False

    # For each parameter the words for what it must be, and a function that says where it is.
    _conditions = {}
    _shown = ()
    _own_dims = 0  # the dimensions of parameters that are not of the batch

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        self._batch_shape, self._event_shape = Size(batch_shape), Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            for name in self._conditions:
                if name in self.__dict__:
                    self._check(name, self.__dict__[name])

    @staticmethod
    def set_default_validate_args(value):
        """Whether tensors are checked where validate_args is not given: that waits for them."""
        if value not in (True, False):
            raise ValueError(f"validate_args must be True or False, not {value!r}")
        Distribution._validate_args = value

    def _check(self, name, value):
        """Raise if a parameter is not what it must be; a tensor is waited for."""
        words, holds = self._conditions[name]
        good = holds(value)
        if not (bool(good.all()) if isinstance(good, Tensor) else good):
            raise ValueError(
                f"Expected parameter {name} of distribution {type(self).__name__} to satisfy the "
                f"constraint {words}, but found invalid values:\n{value}"
            )

    def _check_numbers(self, validate_args, **given):
        """Raise if a parameter that is a number is not what it must be, unless False was given."""
        for name, value in given.items():
            if isinstance(value, (int, float)) and validate_args is not False:
                self._check(name, value)

    def _checked_value(self, value):
        """A value whose probability is asked for; with validate_args it is looked at."""
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        if self._validate_args and not bool(self._supports(value).all()):
            raise ValueError(
                f"Expected value argument to be within the support of the distribution {self!r}, "
                f"but found invalid values:\n{value}"
            )
        return value

    def _supports(self, value):
        """Where a value can be drawn."""
        return value == value

    @property
    def batch_shape(self):
        """The shape of the distributions that are side by side."""
        return self._batch_shape

    @property
    def event_shape(self):
        """The shape of what one of them draws."""
        return self._event_shape

    def _absent(self, name):
        raise NotImplementedError(f"{type(self).__name__}.{name} is not here")

    @property
    def mean(self):
        """The mean of what is drawn."""
        self._absent("mean")

    @property
    def mode(self):
        """What is drawn most often."""
        self._absent("mode")

    @property
    def variance(self):
        """The variance of what is drawn."""
        self._absent("variance")

    @property
    def stddev(self):
        """The standard deviation of what is drawn."""
        return self.variance.sqrt()

    def sample(self, sample_shape=()):
        """Draw as many as the shape says, without gradients."""
        with no_grad():
            return self.rsample(sample_shape)

    def sample_n(self, n):
        """Draw n."""
        return self.sample((n,))

    def rsample(self, sample_shape=()):
        """Draw so that gradients flow back to the parameters."""
        self._absent("rsample")

    def log_prob(self, value):
        """The logarithms of the probabilities, or of their densities."""
        self._absent("log_prob")

    def cdf(self, value):
        """How probable it is to draw at most that."""
        self._absent("cdf")

    def icdf(self, value):
        """What is not exceeded with a probability."""
        self._absent("icdf")

    def entropy(self):
        """How uncertain draws are."""
        self._absent("entropy")

    def perplexity(self):
        """exp of the entropy."""
        return self.entropy().exp()

    def expand(self, batch_shape, _instance=None):
        """The same distributions, repeated."""
        made = object.__new__(type(self))
        for name, value in self.__dict__.items():
            if isinstance(value, Tensor):
                own = value.shape[value.ndim - self._own_dims :]
                value = value.expand((*batch_shape, *own))
            made.__dict__[name] = value
        made._batch_shape = Size(batch_shape)
        return made

    def enumerate_support(self, expand=True):
        """All that can be drawn."""
        self._absent("enumerate_support")

    def _extended_shape(self, sample_shape=()):
        return Size((*sample_shape, *self._batch_shape, *self._event_shape))

    def __repr__(self):
        parts = []
        for name in self._shown:
            if name in self.__dict__:
                value = self.__dict__[name]
                parts.append(f"{name}: {value if value.numel() == 1 else value.size()}")
        return f"{type(self).__name__}({', '.join(parts)})"
