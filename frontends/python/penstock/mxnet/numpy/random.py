"""mx.np.random: arrays of random numbers, from the generator that mx.random.seed sets.

Drawing is queued like any operation. Distributions that the table of operations does not have, and
that do not follow from one that it has, are drawn by NumPy from a seed of the same generator: beta,
chisquare, gamma, multinomial, multivariate_normal. These wait for the seed and their parameters.

>>> mx.np.random.normal(0, 1, size=(2, 3)).shape
(2, 3)
"""

from ... import _core
from ... import random as _native
from .._missing import missing
from ..base import MXNetTypeError, MXNetValueError
from ..context import device_of
from ._creation import _number, array
from ._table import composed, into, ndarray, need_arrays, op
from ._types import native_type

__all__ = [
    "beta",
    "chisquare",
    "choice",
    "exponential",
    "gamma",
    "gumbel",
    "logistic",
    "lognormal",
    "multinomial",
    "multivariate_normal",
    "normal",
    "pareto",
    "permutation",
    "power",
    "rand",
    "randint",
    "randn",
    "rayleigh",
    "shuffle",
    "uniform",
    "weibull",
]

_ops = _core._ops
_random_uniform, _random_normal = op("random_uniform"), op("random_normal")
_random_integers = op("random_integers")


def __dir__():
    return __all__


def _float(name, dtype):
    dtype = native_type(dtype)
    if dtype.kind != "f":
        raise MXNetTypeError(f"{name}: dtype must be float16, float32 or float64, not {dtype}")
    return dtype


def _parameter(name, value):
    """A number, or an array of mx.np."""
    if isinstance(value, ndarray) or isinstance(value, (int, float)):
        return value
    if getattr(value, "shape", None) == ():
        return _number(value)
    raise MXNetTypeError(f"{name}: a number or an array of mx.np is needed, not {value!r:.100}")


def _are_numbers(*values):
    return not any(isinstance(value, ndarray) for value in values)


def _size(size):
    return () if size is None else size


def _placed(drawn, ctx, out):
    """What was drawn, in a context, or in `out`."""
    if ctx is not None and drawn.ctx != ctx:
        drawn = drawn.copyto(ctx)
    return into(out, drawn)


# ---- Normal and uniform ------------------------------------------------------------------------


def normal(loc=0.0, scale=1.0, size=None, dtype=None, ctx=None, out=None):
    """Numbers of the normal distribution with mean loc and standard deviation scale."""
    loc, scale = _parameter("normal: loc", loc), _parameter("normal: scale", scale)
    dtype = _float("normal", dtype)
    if _are_numbers(loc, scale):
        drawn = _random_normal(_size(size), loc, scale, dtype, device=device_of(ctx))
        return drawn if out is None else into(out, drawn)
    return _placed(composed(_native.normal, loc, scale, size, dtype), ctx, out)


def uniform(low=0.0, high=1.0, size=None, dtype=None, ctx=None, out=None):
    """Numbers spread evenly over [low, high)."""
    low, high = _parameter("uniform: low", low), _parameter("uniform: high", high)
    dtype = _float("uniform", dtype)
    if _are_numbers(low, high):
        low, high = min(low, high), max(low, high)
        drawn = _random_uniform(_size(size), low, high, dtype, device=device_of(ctx))
        return drawn if out is None else into(out, drawn)
    return _placed(composed(_native.uniform, low, high, size, dtype), ctx, out)


def randn(*size, **kwargs):
    """Standard normal numbers, in the shape given by the arguments."""
    return normal(0.0, 1.0, size, **kwargs)


def rand(*size, **kwargs):
    """Numbers spread evenly over [0, 1), in the shape given by the arguments."""
    return uniform(0.0, 1.0, size, **kwargs)


def lognormal(mean=0.0, sigma=1.0, size=None, dtype=None, ctx=None, out=None):
    """Numbers whose logarithms are normal with the given mean and deviation."""
    drawn = normal(mean, sigma, size, dtype, ctx)
    return into(out, composed(_ops["exp"], drawn))


# ---- Integers, orders and choices --------------------------------------------------------------


def randint(low, high=None, size=None, dtype=None, ctx=None, out=None):
    """Integers of [low, high), or of [0, low) if high is not given."""
    dtype = native_type(dtype, "int64")
    if dtype.kind not in "iu":
        raise MXNetTypeError(f"randint: dtype must be an integer type, not {dtype}")
    low, high = _number(low), _number(high)
    if high is None:
        low, high = 0, low
    for name, value in (("low", low), ("high", high)):
        if not isinstance(value, int):
            raise MXNetTypeError(f"randint: {name} must be an integer, not {value!r}")
    if low >= high:
        raise MXNetValueError(f"randint: low is {low}, which is not below high, {high}")
    return into(out, _random_integers(_size(size), low, high, dtype, device=device_of(ctx)))


def choice(a, size=None, replace=True, p=None, ctx=None, out=None):
    """Elements of an array along its first axis, or of 0 .. a - 1, each with probability p."""
    if not isinstance(a, (int, ndarray)):
        a = array(a)
    return _placed(composed(_native.choice, a, size, replace, p), ctx, out)


def shuffle(x):
    """Brings the slices of an array along its first axis into random order, in place."""
    need_arrays("shuffle", x)
    composed(_native.shuffle, x)


def permutation(x):
    """0 .. x - 1 in random order; of an array, its slices along the first axis."""
    return composed(_native.permutation, x)


# ---- By transforming others --------------------------------------------------------------------


def exponential(scale=1.0, size=None, ctx=None, out=None):
    """Numbers of the exponential distribution with mean scale."""
    scale = _parameter("exponential: scale", scale)
    return _placed(composed(_native.exponential, scale, size, "float32"), ctx, out)


def gumbel(loc=0.0, scale=1.0, size=None, ctx=None, out=None):
    """Numbers of the Gumbel distribution."""
    loc, scale = _parameter("gumbel: loc", loc), _parameter("gumbel: scale", scale)
    return _placed(composed(_native.gumbel, loc, scale, size, "float32"), ctx, out)


def logistic(loc=0.0, scale=1.0, size=None, ctx=None, out=None):
    """Numbers of the logistic distribution."""
    loc, scale = _parameter("logistic: loc", loc), _parameter("logistic: scale", scale)
    return _placed(composed(_native.logistic, loc, scale, size, "float32"), ctx, out)


def _powered(name, transform, a, size, ctx, out):
    """Numbers that follow from exponential ones and a parameter."""
    a = _parameter(f"{name}: a", a)
    if isinstance(a, (int, float)) and a <= 0:
        raise MXNetValueError(f"{name}: the parameter must be above 0, not {a!r}")

    def drawn(a):
        shape = _native._shape(name, size, a)
        return transform(_native.exponential(1.0, shape), a)

    return _placed(composed(drawn, a), ctx, out)


def weibull(a, size=None, ctx=None, out=None):
    """Numbers of the Weibull distribution with shape a."""
    return _powered("weibull", lambda e, a: e ** (1 / a), a, size, ctx, out)


def pareto(a, size=None, ctx=None, out=None):
    """Numbers of the Pareto (Lomax) distribution with shape a."""
    return _powered("pareto", lambda e, a: _ops["expm1"](e / a), a, size, ctx, out)


def power(a, size=None, ctx=None, out=None):
    """Numbers of [0, 1] with a density like x to the power of a - 1."""
    return _powered("power", lambda e, a: _ops["exp"](-(e / a)), a, size, ctx, out)


def rayleigh(scale=1.0, size=None, ctx=None, out=None):
    """Numbers of the Rayleigh distribution."""
    return _powered("rayleigh", lambda e, a: _ops["sqrt"](e * 2) * a, scale, size, ctx, out)


# ---- By NumPy ----------------------------------------------------------------------------------


def _generator():
    """A generator of NumPy that follows from the state of the native one."""
    import numpy

    return numpy.random.default_rng(_native.integers(0, 2**63 - 1).item())


def _by_numpy(name, parameters, size, dtype, ctx, out):
    from ._by_numpy import to_numpy

    try:
        drawn = getattr(_generator(), name)(*map(to_numpy, parameters), size=size)
    except ValueError as error:
        raise MXNetValueError(f"{name}: {error}") from None
    return into(out, array(drawn, dtype=native_type(dtype), ctx=ctx))


def gamma(shape, scale=1.0, size=None, dtype=None, ctx=None, out=None):
    """Numbers of the gamma distribution."""
    return _by_numpy("gamma", (shape, scale), size, dtype, ctx, out)


def beta(a, b, size=None, dtype=None, ctx=None):
    """Numbers of the beta distribution."""
    return _by_numpy("beta", (a, b), size, dtype, ctx, None)


def chisquare(df, size=None, dtype=None, ctx=None):
    """Numbers of the chi-square distribution."""
    return _by_numpy("chisquare", (df,), size, dtype, ctx, None)


def multinomial(n, pvals, size=None, **kwargs):
    """How often each of several things comes up in n trials; pvals are their probabilities.

    >>> mx.np.random.multinomial(10, [0.5, 0.5]).sum()
    array(10, dtype=int64)
    """
    if kwargs:
        raise MXNetTypeError(f"multinomial: unknown arguments {sorted(kwargs)}")
    if not isinstance(pvals, (ndarray, list, tuple)):
        raise MXNetValueError(f"multinomial: pvals must be a list or an array, not {type(pvals)}")
    return _by_numpy("multinomial", (n, _shares(pvals)), size, "int64", None, None)


def _shares(pvals):
    """Probabilities as float64, in which rounding to float32 must not make the sum exceed 1."""
    import numpy

    values = numpy.asarray(pvals.asnumpy() if isinstance(pvals, ndarray) else pvals, "float64")
    total = values[..., :-1].sum()
    if not total <= 1 + 1e-6 or (values < 0).any():
        raise MXNetValueError(f"multinomial: pvals must be at least 0 and add up to 1: {values}")
    values[..., -1] = max(0.0, 1 - total)
    return values / values.sum()


def multivariate_normal(mean, cov, size=None, check_valid=None, tol=None):
    """Vectors of the normal distribution with a mean vector and a covariance matrix."""
    if check_valid is not None or tol is not None:
        raise NotImplementedError("multivariate_normal: check_valid and tol must be None")
    return _by_numpy("multivariate_normal", (mean, cov), size, None, None, None)


__getattr__ = missing("mxnet.np.random")
