"""Random numbers. Seeds give the same numbers each time; the numbers are Penstock's own."""

from .._common.generators import Seeded
from . import _place
from ._calls import public, refuse
from ._create import lengths_of
from ._dialect import default_dtype, row
from ._dtypes import ALL, as_dtype
from ._tensor import Tensor, cast

__all__ = (
    "seed rand randn uniform normal gaussian standard_normal randint randint_like randperm "
    "rand_like randn_like bernoulli multinomial get_rng_state set_rng_state"
).split()

# ---- Generators ----------------------------------------------------------------------------------


class Generator(Seeded):
    """A source of random numbers."""

    __module__ = "paddle"
    _FIRST = 34342423252

    def manual_seed(self, seed):
        """Numbers as from a new generator with this seed; gives the generator."""
        return self._begin(int(seed) % 2**64)

    def get_state(self):
        """What set_state goes back to."""
        return self.state

    def set_state(self, state):
        """Go on from what get_state gave."""
        self.state = state


default_generator = Generator()


def seed(seed):
    """Random numbers from here on as after any other call with this seed; gives the generator."""
    return default_generator.manual_seed(seed)


def get_rng_state(device=None):
    """What set_rng_state goes back to: the states of all generators."""
    return [default_generator.get_state()]


def set_rng_state(state_list, device=None):
    """Go on from what get_rng_state gave."""
    default_generator.set_state(state_list[0])


# ---- Numbers by shape ----------------------------------------------------------------------------

_OPTIONS = "dtype=None, generator=None, device=None"
_uniform = row("random_uniform", "rand", f"shape, min:low=0.0, max:high=1.0, {_OPTIONS}")
_normal = row("random_normal", "randn", f"shape, mean=0.0, std=1.0, {_OPTIONS}")
_integers = row("random_integers", "randint", f"shape, low, high, {_OPTIONS}")
_permutation = row("random_permutation", "randperm", "n:count, generator=None, device=None")


def _type(dtype):
    return default_dtype() if dtype is None else as_dtype(dtype)


def _drawn(run, shape, dtype, **others):
    one = _type(dtype)
    return run(shape, dtype=one, generator=default_generator, **_place.wanted(), **others)


def _sized(run, operation, name):
    @public
    def by_shape(shape, dtype=None, device=None, requires_grad=False):
        made = _drawn(run, lengths_of(name, shape), dtype)
        if requires_grad:
            made.stop_gradient = False
        return made

    by_shape.__wrapped__.__name__ = name
    plain = row(
        *(operation, name, "shape, *, dtype=None, generator=None"),
        unusual=lambda shape, dtype, generator: by_shape(shape, dtype),
    )

    def function(*args, **kwargs):
        if len(args) == 1 and not kwargs and not _place.is_set():
            return plain(args[0], dtype=default_dtype(), generator=default_generator)
        if len(args) > 1 and all(type(one) is int for one in args):
            args = (args,)
        return by_shape(*args, **kwargs)

    function.__name__ = function.__qualname__ = name
    return function


rand = _sized(_uniform, "random_uniform", "rand")
randn = _sized(_normal, "random_normal", "randn")
rand.__doc__ = "Numbers from 0 to below 1, each as probable as another."
randn.__doc__ = "Numbers of the normal distribution with mean 0 and deviation 1."
standard_normal = randn


def uniform(shape, dtype=None, min=0.0, max=1.0, seed=0, name=None):
    """Numbers from min to below max, each as probable as another."""
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        low, high = (one.item() if isinstance(one, Tensor) else one for one in (min, max))
    else:
        low, high = min, max
    lengths = lengths_of("uniform", shape)
    if seed:
        return _uniform(
            lengths, low, high, dtype=_type(dtype), generator=Generator().manual_seed(seed)
        )
    return _drawn(_uniform, lengths, dtype, min=float(low), max=float(high))


def normal(mean=0.0, std=1.0, shape=None, name=None):
    """Numbers of a normal distribution; mean and std may be tensors, for each element its own."""
    given = [one for one in (mean, std) if isinstance(one, Tensor)]
    if given:
        return randn(given[0].shape, given[0].dtype) * std + mean
    return randn([1] if shape is None else shape) * float(std) + float(mean)


def gaussian(shape, mean=0.0, std=1.0, seed=0, dtype=None, name=None):
    """Numbers of a normal distribution."""
    return randn(shape, dtype) * float(std) + float(mean)


def randint(low=0, high=None, shape=(1,), dtype=None, name=None):
    """Integers from low, or 0, to below high."""
    if high is None:
        low, high = 0, low
    if low >= high:
        raise ValueError(
            f"(InvalidArgument) randint's low must less then high, but received: low = {low}, "
            f"high = {high}"
        )
    one = ALL["int64"] if dtype is None else as_dtype(dtype)
    made = _integers(
        *(lengths_of("randint", shape), low, high),
        dtype=ALL["int64"],
        generator=default_generator,
        **_place.wanted(),
    )
    return cast(made, one)


@public
def randint_like(x, low=0, high=None, dtype=None):
    """As randint, with the shape and type of a tensor."""
    return randint(low, high, x.shape, x.dtype if dtype is None else dtype)


def randperm(n, dtype="int64", name=None):
    """The integers below n in random order."""
    if n < 0:
        raise ValueError(f"(InvalidArgument) randperm: n must be positive, not {n}")
    return cast(_permutation(n, generator=default_generator, **_place.wanted()), as_dtype(dtype))


@public
def rand_like(x, dtype=None):
    """As rand, with the shape and type of a tensor."""
    return rand(x.shape, x.dtype if dtype is None else dtype)


@public
def randn_like(x, dtype=None):
    """As randn, with the shape and type of a tensor."""
    return randn(x.shape, x.dtype if dtype is None else dtype)


@public
def bernoulli(x, p=None):
    """1 with the probability that each element is, else 0."""
    return cast(rand(x.shape, x.dtype) < (x if p is None else p), x.dtype)


def multinomial(x, num_samples=1, replacement=False, name=None):
    """Places drawn with the probabilities that x has, from each row."""
    from ._create import zeros_like
    from ._order import topk

    if not isinstance(x, Tensor):
        refuse("multinomial", "x", 0, "Tensor", x)
    if x.ndim not in (1, 2):
        raise ValueError(f"(InvalidArgument) multinomial: 1 or 2 dimensions, not {x.ndim}")
    if not replacement:
        if num_samples > x.shape[-1]:
            raise ValueError(
                f"(InvalidArgument) {num_samples} samples without replacement of {x.shape[-1]}"
            )
        keys = rand(x.shape, x.dtype).log() / x
        return topk(keys, num_samples)[1]
    weights = (x / x.sum(-1, keepdim=True)).cumsum(-1)
    draws = rand([*x.shape[:-1], num_samples], x.dtype)
    places = (draws.unsqueeze(-1) >= weights.unsqueeze(-2)).astype("int64").sum(-1)
    return places.clip(max=x.shape[-1] - 1) if places.shape.numel() else zeros_like(places)


def _in_place(draw, name):
    def method(self, *args, **kwargs):
        from ._assign import copy_

        return copy_(self, draw(self, *args, **kwargs))

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"Random numbers into the tensor itself: as {name[:-1]}."
    setattr(Tensor, name, method)


_in_place(lambda x, min=-1.0, max=1.0, seed=0: uniform(x.shape, x.dtype, min, max), "uniform_")
_in_place(lambda x, mean=0.0, std=1.0: randn(x.shape, x.dtype) * std + mean, "normal_")
Tensor.bernoulli, Tensor.multinomial = bernoulli, multinomial
