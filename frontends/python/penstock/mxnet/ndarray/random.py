"""mx.nd.random: arrays of random numbers. mx.random.seed sets where they begin."""

from ... import _core, random as _random
from .. import _dialects
from .._missing import missing
from .._unbuilt import not_built as _not_built
from ..base import MXNetTypeError
from ..context import device_of
from ._call import array, call, into, known, lengths, ops

__all__ = [
    *("exponential", "gamma", "generalized_negative_binomial", "multinomial", "negative_binomial"),
    *("normal", "poisson", "randint", "randn", "shuffle", "uniform"),
]

_uniform = _dialects.table(_dialects.nd, "random_uniform")
_normal = _dialects.table(_dialects.nd, "random_normal")
_integers = _dialects.table(_dialects.nd, "random_integers")


def _type(function, dtype, default, *types):
    if dtype in (None, "None"):
        return default
    found = str(_core._dtype(dtype))
    if found not in types:
        raise MXNetTypeError(f"{function}: dtype must be one of {types}, not {found!r}")
    return found


def _float(function, dtype):
    return _type(function, dtype, "float32", "float16", "float32", "float64")


def _of_arrays(function, *parameters):
    """Whether the parameters are arrays of mx.nd: all, or none."""
    if all(type(parameter) in (int, float) for parameter in parameters):
        return False
    given = [isinstance(parameter, _core.ndarray) for parameter in parameters]
    for parameter, is_array in zip(parameters, given):
        if is_array:
            array("of a distribution", parameter)
    if any(given) and not all(given):
        raise AssertionError(
            f"{function}: parameters of a distribution are all arrays or all numbers, not "
            f"{[type(parameter).__name__ for parameter in parameters]}"
        )
    return given[0]


def _size(function, shape, out):
    if out is not None:
        return out.shape
    return (1,) if shape is None else lengths(function, shape)


def _tail(function, shape):
    """The dimensions behind those of the parameters."""
    return () if shape is None else lengths(function, shape)


def _sampled(draw, tail, dtype, *parameters):
    """Draws for each element of the parameters."""
    shape = parameters[0].shape + tail
    parameters = (p.reshape(p.shape + (1,) * len(tail)) for p in parameters)
    return ops["cast"](draw(*parameters, shape), dtype)


def uniform(low=0, high=1, shape=None, dtype=None, ctx=None, out=None, **unknown):
    """Numbers spread evenly over [low, high); of arrays, so many for each of their elements."""
    known("random_uniform", unknown)
    dtype = _float("uniform", dtype)
    if _of_arrays("uniform", low, high):
        tail = _tail("uniform", shape)
        return into(out, call(_sampled, _random.uniform, tail, dtype, low, high))
    return into(
        out, _uniform(_size("uniform", shape, out), low, high, dtype, device=device_of(ctx))
    )


def normal(loc=0, scale=1, shape=None, dtype=None, ctx=None, out=None, **unknown):
    """Numbers of normal distributions; of arrays, so many for each of their elements."""
    known("random_normal", unknown)
    dtype = _float("normal", dtype)
    if _of_arrays("normal", loc, scale):
        tail = _tail("normal", shape)
        return into(out, call(_sampled, _random.normal, tail, dtype, loc, scale))
    return into(out, _normal(_size("normal", shape, out), loc, scale, dtype, device=device_of(ctx)))


def randn(*shape, loc=0, scale=1, dtype=None, ctx=None, out=None, **unknown):
    """Numbers of a normal distribution, in the shape given by the arguments."""
    return normal(loc, scale, shape, dtype, ctx, out, **unknown)


def exponential(scale=1, shape=None, dtype=None, ctx=None, out=None, **unknown):
    """Numbers of exponential distributions with the given mean."""
    known("random_exponential", unknown)
    dtype = _float("exponential", dtype)
    if _of_arrays("exponential", scale):
        tail = _tail("exponential", shape)
        return into(out, call(_sampled, _random.exponential, tail, dtype, scale))
    made = call(_random.exponential, scale, _size("exponential", shape, out), dtype)
    return into(out, made if ctx is None else made.as_in_context(ctx))


def randint(low, high, shape=None, dtype=None, ctx=None, out=None, **unknown):
    """Integers of [low, high)."""
    known("random_randint", unknown)
    dtype = _type("randint", dtype, "int32", "int32", "int64")
    return into(
        out, _integers(_size("randint", shape, out), low, high, dtype, device=device_of(ctx))
    )


def _drawn(p, shape):
    """Positions of the last axis, as likely as p says; p is relative to its sum."""
    count = p.shape[-1]
    if p.ndim == 1:
        return _random.choice(count, shape, p=p)
    rows = p.reshape((-1, count))
    drawn = [_random.choice(count, shape, p=rows[i]) for i in range(rows.shape[0])]
    return ops["stack"](drawn).reshape(p.shape[:-1] + shape)


def _multinomial(p, shape, dtype):
    places = _drawn(p, shape)
    logs = ops["log"](_likelihood(p, places))
    return [ops["cast"](places, dtype), logs]


def _likelihood(p, places):
    rows = p.reshape((-1, p.shape[-1]))
    flat = places.reshape((rows.shape[0], -1))
    first = ops["arange"](0, rows.shape[0]).reshape((-1, 1))
    return rows[first, flat].reshape(places.shape)


def multinomial(data, shape=None, get_prob=False, out=None, dtype="int32", **unknown):
    """Positions of the last axis, as likely as the elements say; get_prob adds their logarithms."""
    known("sample_multinomial", unknown)
    tail = _tail("multinomial", shape)
    places, logs = call(_multinomial, array("data", data), tail, dtype)
    if places.ndim == 0:
        places, logs = places.reshape((1,)), logs.reshape((1,))
    return into(out, [places, logs] if get_prob else places)


def shuffle(data, out=None, **unknown):
    """The slices along the first axis in random order; a copy."""
    known("shuffle", unknown)
    return into(out, call(_random.permutation, array("data", data)))


def _like(function, name):
    def like(data, *parameters, out=None, name=None, **named):
        return function(*parameters, shape=array("data", data).shape, out=out, **named)

    like.__name__ = like.__qualname__ = name
    like.__doc__ = f"{function.__name__} in the shape of an array."
    return like


uniform_like = _like(uniform, "uniform_like")
normal_like = _like(normal, "normal_like")


def exponential_like(data, lam=1.0, out=None, name=None, **unknown):
    """Numbers of the exponential distribution with mean 1 / lam, in the shape of an array."""
    return exponential(1 / lam, array("data", data).shape, out=out, **unknown)


for _name in ("gamma", "generalized_negative_binomial", "negative_binomial", "poisson"):
    globals()[_name] = _not_built(f"mxnet.nd.random.{_name}")
del _name

__getattr__ = missing("mxnet.nd.random")
