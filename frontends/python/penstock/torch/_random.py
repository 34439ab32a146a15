"""Random numbers. Seeds give the same numbers each time; the numbers are Penstock's own."""

from .. import _core
from . import _device
from ._create import _checked_sizes, _finished, _options
from ._dialect import default_dtype, row
from ._dtypes import ALL
from ._tensor import Tensor

__all__ = (
    "rand randn randint randperm normal bernoulli multinomial poisson rand_like randn_like "
    "randint_like manual_seed seed initial_seed get_rng_state set_rng_state default_generator "
    "Generator"
).split()
_int64 = ALL["int64"]

# ---- Generators ----------------------------------------------------------------------------------


class Generator(_core.Generator):
    """A source of random numbers.

    >>> from penstock import torch
    >>> g = torch.Generator().manual_seed(1)
    >>> torch.equal(torch.rand(2, generator=g), torch.rand(2, generator=g.manual_seed(1)))
    True
    """

    __module__ = "torch._C"

    def __new__(cls, device="cpu"):
        made = super().__new__(cls, _FIRST)
        made._seed = _FIRST
        return made

    def manual_seed(self, seed):
        """Numbers as from a new generator with this seed; gives the generator."""
        self._seed = _checked_seed(seed)
        super().seed(self._seed)
        return self

    def seed(self):
        """A seed from the system; gives it."""
        self.manual_seed(int.from_bytes(__import__("os").urandom(8), "little"))
        return self._seed

    def initial_seed(self):
        """The seed it was last given."""
        return self._seed

    def get_state(self):
        """What set_state goes back to."""
        from ._create import tensor

        return tensor([one - 2**64 if one >= 2**63 else one for one in self.state])

    def set_state(self, new_state):
        """Go on from what get_state gave."""
        self.state = tuple(one % 2**64 for one in new_state.tolist())

    @property
    def device(self):
        """Where numbers are made: on the host's account, whatever the device."""
        return _device.device("cpu")

    def clone_state(self):
        """A generator that gives the same numbers from here on."""
        made = Generator().manual_seed(self._seed)
        made.state = self.state
        return made


_FIRST = 67280421310721


def _checked_seed(seed):
    import operator

    seed = operator.index(seed)
    if not -(2**63) <= seed < 2**64:
        raise RuntimeError(f"Overflow when unpacking long long: the seed {seed}")
    return seed % 2**64


default_generator = Generator()


def _of(generator):
    return default_generator if generator is None else generator


def manual_seed(seed):
    """Random numbers from here on as after any other call with this seed; gives the generator."""
    return default_generator.manual_seed(int(seed))


def seed():
    """A seed from the system; gives it."""
    return default_generator.seed()


def initial_seed():
    """The seed last given."""
    return default_generator.initial_seed()


def get_rng_state():
    """What set_rng_state goes back to."""
    return default_generator.get_state()


def set_rng_state(new_state):
    """Go on from what get_rng_state gave."""
    default_generator.set_state(new_state)


# ---- Numbers by size -------------------------------------------------------------------------------

_uniform = row(
    "random_uniform", "rand", "size:shape, low=0.0, high=1.0, dtype=None, generator=None, device=None"
)
_normal = row(
    "random_normal", "randn", "size:shape, mean=0.0, std=1.0, dtype=None, generator=None, device=None"
)
_integers = row(
    "random_integers", "randint", "size:shape, low, high, dtype=None, generator=None, device=None"
)
_permutation = row("random_permutation", "randperm", "n:count, generator=None, device=None")


def _drawn(run, name):
    def function(*size, generator=None, dtype=None, **kwargs):
        shape = _checked_sizes(name, (kwargs.pop("size"),) if "size" in kwargs else size)
        kwargs, later = _options(kwargs)
        made = run(
            shape,
            dtype=default_dtype() if dtype is None else dtype,
            generator=_of(generator),
            **kwargs,
        )
        return _finished(made, **later) if later else made

    function.__name__ = function.__qualname__ = name
    return function


rand = _drawn(_uniform, "rand")
rand.__doc__ = "Numbers from 0 to below 1, each as probable as another."
randn = _drawn(_normal, "randn")
randn.__doc__ = "Numbers of the normal distribution with mean 0 and deviation 1."


def randint(*args, size=None, generator=None, dtype=None, low=None, high=None, **kwargs):
    """Integers from low, or 0, to below high: (high, size) or (low, high, size)."""
    args = list(args)
    if size is None:
        size = args.pop()
    if high is None:
        high = args.pop()
    if low is None:
        low = args.pop() if args else 0
    if args:
        raise TypeError(f"randint(): {len(args)} arguments too many")
    low, high = int(low), int(high)
    if low >= high:
        raise RuntimeError(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )
    kwargs, later = _options(kwargs)
    one = _int64 if dtype is None else dtype
    drawn = one if one._native.kind in "iu" else _int64
    shape = _checked_sizes("randint", (size,))
    made = _integers(shape, low, high, dtype=drawn, generator=_of(generator), **kwargs)
    return _finished(made if drawn is one else made.to(one), **later)


def randperm(n, *, generator=None, dtype=_int64, **kwargs):
    """The integers from 0 to below n in some order."""
    if n < 0:
        raise RuntimeError(f"n must be non-negative, got {n}")
    kwargs, later = _options(kwargs)
    made = _permutation(n, generator=_of(generator), **kwargs)
    return _finished(made if dtype is _int64 else made.to(dtype), **later)


def _like(make, name):
    def function(input, *, dtype=None, device=None, **kwargs):
        one = input.dtype if dtype is None else dtype
        return make(input.shape, dtype=one, device=input.device if device is None else device, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"As {name[:-5]}, with the shape, type and device of a tensor."
    return function


rand_like, randn_like = _like(rand, "rand_like"), _like(randn, "randn_like")


def randint_like(input, low=0, high=None, *, dtype=None, device=None):
    """As randint, with the shape, type and device of a tensor."""
    if high is None:
        low, high = 0, low
    one = input.dtype if dtype is None else dtype
    return randint(low, high, input.shape, dtype=one, device=input.device if device is None else device)


# ---- Distributions --------------------------------------------------------------------------------------


def normal(mean=0.0, std=1.0, size=None, *, generator=None, out=None, dtype=None, **kwargs):
    """Numbers with means and deviations: numbers and a size, or tensors."""
    if isinstance(std, (int, float)) and std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    tensors = [one for one in (mean, std) if isinstance(one, Tensor)]
    if size is None and not tensors:
        raise TypeError(
            f"normal() received an invalid combination of arguments - got ({type(mean).__name__}, "
            f"{type(std).__name__}), but expected one of: numbers with a size, or tensors"
        )
    if not tensors:
        wanted = kwargs.pop("requires_grad", False)
        made = randn(size, generator=generator, dtype=dtype, **kwargs) * std + mean
        made = made.requires_grad_() if wanted else made
    else:
        shape = (tensors[0] * tensors[-1]).shape
        one = tensors[0].dtype if tensors[0].dtype.is_floating_point else default_dtype()
        made = randn(shape, generator=generator, dtype=one) * std + mean
    return made if out is None else out.copy_(made)


def bernoulli(input, p=None, *, generator=None):
    """1 with the probability that each element is, else 0."""
    chance = input if p is None else p
    return (rand_like(input, generator=generator) < chance).to(input.dtype)


def multinomial(input, num_samples, replacement=False, *, generator=None):
    """Places drawn by their weights, one row of places for each row of weights."""
    if input.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > input.shape[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    weights = input.detach().double()
    if not replacement:
        # Of exponential times that each place takes the shortest are those of such draws.
        from ._order import topk

        times = _exponential(weights.shape, 1.0, weights.dtype, _of(generator), weights.device)
        return topk(weights / times, num_samples).indices
    if input.ndim == 2:
        from ._shape import stack

        rows = [multinomial(one, num_samples, True, generator=generator) for one in input]
        return stack(rows)
    return _choice(
        (num_samples,), input.shape[0], True, weights / weights.sum(), _of(generator)
    )


_choice = row(
    "random_choice", "multinomial", "size:shape, count, replace=True, p=None, generator=None"
)


def poisson(input, generator=None):
    """Numbers of the Poisson distribution with the elements as rates. Waits for them."""
    import numpy

    from ._create import from_numpy

    draw = randint(0, 2**62, (1,), generator=generator).item()
    made = numpy.random.default_rng(draw).poisson(input.detach().numpy())
    return from_numpy(numpy.asarray(made)).to(input.dtype)


# ---- Methods -------------------------------------------------------------------------------------------


def _filled(self, made):
    self[...] = made
    return self


def uniform_(self, from_=0.0, to=1.0, *, generator=None, **kwargs):
    """Write numbers between two, each as probable as another."""
    low = kwargs.pop("from", from_)
    return _filled(self, _uniform(self.shape, low, to, self.dtype, _of(generator), self.device))


def normal_(self, mean=0.0, std=1.0, *, generator=None):
    """Write numbers of a normal distribution."""
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    return _filled(self, _normal(self.shape, mean, std, self.dtype, _of(generator), self.device))


def random_(self, from_=0, to=None, *, generator=None):
    """Write integers from `from_` to below `to`."""
    if to is None:
        from_, to = (0, from_) if from_ else (0, 2**24)
    return _filled(self, randint(from_, to, self.shape, generator=generator).to(self.dtype))


def bernoulli_(self, p=0.5, *, generator=None):
    """Write 1 with a probability, else 0."""
    drawn = rand(self.shape, generator=generator, device=self.device) < p
    return _filled(self, drawn.to(self.dtype))


_exponential = row(
    "random_exponential", "exponential_", "size:shape, scale=1.0, dtype=None, generator=None, device=None"
)


def exponential_(self, lambd=1.0, *, generator=None):
    """Write numbers of an exponential distribution."""
    made = _exponential(self.shape, 1 / lambd, self.dtype, _of(generator), self.device)
    return _filled(self, made)


for _function in (uniform_, normal_, random_, bernoulli_, exponential_):
    setattr(Tensor, _function.__name__, _function)
Tensor.bernoulli, Tensor.multinomial = bernoulli, multinomial
del _function
