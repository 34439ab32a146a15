"""The gamma function, and counts of successes: on the host where no operation has them."""

from math import inf, isinf
from math import lgamma as _of_number

from ._host import array_of, tensor_of

# Up to how many numbers are drawn to be counted; more are drawn on the host.
_MOST = 1 << 22


def lgamma(input):
    """The logarithm of the size of the gamma function. On the host: waits, no gradient flows."""
    import numpy

    array = array_of("lgamma", input)
    kind = array.dtype if array.dtype.kind == "f" else _default()
    made = numpy.array([_one(float(value)) for value in array.reshape(-1)], kind)
    return tensor_of(made.reshape(array.shape), input)


def _one(value):
    """At whole numbers that are not positive, and at the infinities, it is infinite."""
    return inf if isinf(value) or (value <= 0 and value == int(value)) else _of_number(value)


def _default():
    from ._dialect import default_dtype

    return str(default_dtype()).rpartition(".")[2]


def binomial(count, prob, generator=None):
    """How many of as many trials as an element says succeed, each with a probability. Waits."""
    import numpy

    from ._random import randint

    seed = randint(0, 2**62, (1,), generator=generator).item()
    trials, chances = array_of("binomial", count), array_of("binomial", prob)
    made = numpy.random.default_rng(seed).binomial(trials.astype("int64"), chances)
    return tensor_of(made, prob).to(prob.dtype)


def successes(count, prob):
    """As binomial, for one number of trials. Does not wait, unless there are too many to draw."""
    from ._create import full_like
    from ._random import rand

    if count * prob.numel() > _MOST:
        return binomial(full_like(prob, count), prob)
    drawn = rand((count, *prob.shape), dtype=prob.dtype, device=prob.device)
    return (drawn < prob).sum(0).to(prob.dtype)
