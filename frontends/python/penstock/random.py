"""Random numbers.

The functions of this module draw from a generator that the whole program shares; `seed` sets it.
`default_rng` makes one of its own. What a call gives follows from the generator's state at the call
and from the shape alone: it is the same for any number of worker threads, and drawing never waits.

>>> ps.random.seed(1)
>>> x = ps.random.normal(0.0, 1.0, 3)
>>> ps.random.seed(1)
>>> bool((ps.random.normal(0.0, 1.0, 3) == x).all())
True
"""

from os import urandom as _urandom

from . import _core
from ._shapes import _integer, _lengths, asarray, broadcast_shapes as _broadcast_shapes

__all__ = [
    "Generator",
    "bernoulli",
    "choice",
    "default_rng",
    "exponential",
    "get_state",
    "gumbel",
    "integers",
    "laplace",
    "logistic",
    "lognormal",
    "normal",
    "permutation",
    "rand",
    "randint",
    "randn",
    "random",
    "random_sample",
    "seed",
    "set_state",
    "shuffle",
    "standard_exponential",
    "standard_normal",
    "uniform",
]

_ops = _core._ops
_uniform = _ops["random_uniform"]
_normal = _ops["random_normal"]
_integers = _ops["random_integers"]


def __dir__():
    return __all__


def _is_number(value):
    return isinstance(value, (int, float)) or (
        not isinstance(value, _core.ndarray) and getattr(value, "shape", None) == ()
    )


def _parameter(name, value):
    """A parameter as a number or as an array."""
    if _is_number(value):
        return float(value)
    if isinstance(value, (str, bytes)) or value is None:
        raise TypeError(f"{name} must be a number or an array, not {value!r}")
    return asarray(value)


def _shape(name, size, *parameters):
    """The shape of what is drawn: `size`, or that of the parameters."""
    shapes = [p.shape for p in parameters if isinstance(p, _core.ndarray)]
    if size is None:
        return _broadcast_shapes(*shapes)
    shape = _lengths(f"{name}: size", size)
    if shapes and _broadcast_shapes(shape, *shapes) != shape:
        raise ValueError(f"{name}: size {shape} is too small for parameters of shapes {shapes}")
    return shape


def _float_type(name, dtype, *parameters):
    """The type to draw in: that asked for, else that of the parameters, else float32."""
    if dtype is not None:
        dtype = _core._dtype(dtype)
        if dtype.kind != "f":
            raise TypeError(f"{name}: dtype must be a floating-point type, not {dtype}")
        return dtype
    found = _core.float32
    for parameter in parameters:
        if isinstance(parameter, _core.ndarray) and parameter.dtype.kind == "f":
            found = _core._promote(found, parameter.dtype)
    return found


def _not_negative(name, what, value):
    if isinstance(value, float) and not value >= 0:
        raise ValueError(f"{name}: {what} must be at least 0, not {value!r}")


def _scaled(draws, loc, scale, dtype):
    if not (isinstance(scale, float) and scale == 1):
        draws = draws * scale
    if not (isinstance(loc, float) and loc == 0):
        draws = draws + loc
    return draws if draws.dtype == dtype else _ops["cast"](draws, dtype)


def _probabilities(p):
    """Probabilities as an array; those that are at hand are checked."""
    if not isinstance(p, _core.ndarray):
        p = [float(value) for value in p]
        total = sum(p)
        if not all(value >= 0 for value in p):
            raise ValueError(f"choice: the probabilities must be at least 0, not {min(p)!r}")
        if not abs(total - 1) < 1e-6:
            raise ValueError(f"choice: the probabilities must add up to 1, not to {total!r}")
        p = asarray(p, dtype="float64")
    return p


class Generator(_core.Generator):
    """A source of random numbers with a state of its own: see default_rng.

    >>> rng = ps.random.Generator(7)
    >>> rng.integers(0, 10, size=4).shape
    (4,)
    """

    __slots__ = ()

    # ---- Numbers of [0, 1) and others spread evenly ------------------------------------------

    def uniform(self, low=0.0, high=1.0, size=None, dtype=None):
        """Numbers spread evenly over [low, high).

        >>> x = ps.random.uniform(-1, 1, 100)
        >>> bool(((x >= -1) & (x < 1)).all())
        True
        """
        low, high = _parameter("uniform: low", low), _parameter("uniform: high", high)
        dtype = _float_type("uniform", dtype, low, high)
        if isinstance(low, float) and isinstance(high, float):
            if not low <= high:
                raise ValueError(f"uniform: low is {low!r}, above high, which is {high!r}")
            return _uniform(_shape("uniform", size), low, high, dtype, self)
        draws = _uniform(_shape("uniform", size, low, high), 0.0, 1.0, dtype, self)
        return _scaled(draws, low, high - low, dtype)

    def random(self, size=None, dtype=None):
        """Numbers spread evenly over [0, 1).

        >>> ps.random.random((2, 3)).shape
        (2, 3)
        """
        return _uniform(_shape("random", size), 0.0, 1.0, _float_type("random", dtype), self)

    def rand(self, *shape):
        """Numbers spread evenly over [0, 1), in the shape given by the arguments.

        >>> ps.random.rand(2, 3).shape
        (2, 3)
        """
        return self.random(shape)

    # ---- Normal and what follows from it -----------------------------------------------------

    def normal(self, loc=0.0, scale=1.0, size=None, dtype=None):
        """Numbers of the normal distribution with mean loc and standard deviation scale.

        >>> ps.random.normal(10.0, 0.1, size=(2, 3)).shape
        (2, 3)
        """
        loc, scale = _parameter("normal: loc", loc), _parameter("normal: scale", scale)
        _not_negative("normal", "scale", scale)
        dtype = _float_type("normal", dtype, loc, scale)
        if isinstance(loc, float) and isinstance(scale, float):
            return _normal(_shape("normal", size), loc, scale, dtype, self)
        draws = _normal(_shape("normal", size, loc, scale), 0.0, 1.0, dtype, self)
        return _scaled(draws, loc, scale, dtype)

    def standard_normal(self, size=None, dtype=None):
        """Numbers of the normal distribution with mean 0 and standard deviation 1.

        >>> ps.random.standard_normal(4).dtype
        penstock.float32
        """
        return self.normal(size=size, dtype=dtype)

    def randn(self, *shape):
        """Standard normal numbers, in the shape given by the arguments.

        >>> ps.random.randn(2, 3).shape
        (2, 3)
        """
        return self.normal(size=shape)

    def lognormal(self, mean=0.0, sigma=1.0, size=None, dtype=None):
        """Numbers whose logarithms are normal with the given mean and deviation.

        >>> bool((ps.random.lognormal(0.0, 1.0, 10) > 0).all())
        True
        """
        _not_negative("lognormal", "sigma", _parameter("lognormal: sigma", sigma))
        return _ops["exp"](self.normal(mean, sigma, size, dtype))

    # ---- Exponential and what follows from it ------------------------------------------------

    def _spread(self, name, loc, scale, size, dtype):
        """Numbers of a row of the table that has a loc, if it is not None, and a scale."""
        locs = () if loc is None else (_parameter(f"{name}: loc", loc),)
        scale = _parameter(f"{name}: scale", scale)
        _not_negative(name, "scale", scale)
        dtype = _float_type(name, dtype, *locs, scale)
        shape = _shape(name, size, *locs, scale)
        draw = _ops[f"random_{name}"]
        if all(isinstance(one, float) for one in (*locs, scale)):
            return draw(shape, *locs, scale, dtype=dtype, generator=self)
        draws = draw(shape, dtype=_core._promote(dtype, "float32"), generator=self)
        return _scaled(draws, locs[0] if locs else 0.0, scale, dtype)

    def exponential(self, scale=1.0, size=None, dtype=None):
        """Numbers of the exponential distribution with mean scale.

        >>> bool((ps.random.exponential(2.0, 10) > 0).all())
        True
        """
        return self._spread("exponential", None, scale, size, dtype)

    def standard_exponential(self, size=None, dtype=None):
        """Numbers of the exponential distribution with mean 1.

        >>> ps.random.standard_exponential(3).shape
        (3,)
        """
        return self.exponential(size=size, dtype=dtype)

    def laplace(self, loc=0.0, scale=1.0, size=None, dtype=None):
        """Numbers of the Laplace distribution: the difference of two exponential ones.

        >>> ps.random.laplace(0.0, 1.0, 3).shape
        (3,)
        """
        return self._spread("laplace", loc, scale, size, dtype)

    def gumbel(self, loc=0.0, scale=1.0, size=None, dtype=None):
        """Numbers of the Gumbel distribution.

        >>> ps.random.gumbel(0.0, 1.0, 3).shape
        (3,)
        """
        return self._spread("gumbel", loc, scale, size, dtype)

    def logistic(self, loc=0.0, scale=1.0, size=None, dtype=None):
        """Numbers of the logistic distribution.

        >>> ps.random.logistic(0.0, 1.0, 3).shape
        (3,)
        """
        return self._spread("logistic", loc, scale, size, dtype)

    # ---- Integers and truth values -----------------------------------------------------------

    def integers(self, low, high=None, size=None, dtype="int64", endpoint=False):
        """Integers of [low, high), or of [0, low) if high is not given; with endpoint, high too.

        >>> x = ps.random.integers(1, 6, size=100, endpoint=True)
        >>> bool(((x >= 1) & (x <= 6)).all())
        True
        """
        dtype = _core._dtype(dtype)
        if high is None:
            low, high = 0, low
        if _is_number(low) and _is_number(high):
            low = _integer("integers: low", low)
            high = _integer("integers: high", high) + bool(endpoint)
            if low >= high:
                raise ValueError(f"integers: low is {low}, which is not below {high}")
            return _integers(_shape("integers", size), low, high, dtype, self)
        low, high = asarray(low, dtype="int64"), asarray(high, dtype="int64") + bool(endpoint)
        draws = _integers(_shape("integers", size, low, high), 0, 2**63 - 1, "int64", self)
        draws = draws % (high - low) + low
        return draws if dtype == "int64" else _ops["cast"](draws, dtype)

    def randint(self, low, high=None, size=None, dtype="int64"):
        """Integers of [low, high), or of [0, low) if high is not given.

        >>> ps.random.randint(10, size=(2, 2)).dtype
        penstock.int64
        """
        return self.integers(low, high, size, dtype)

    def bernoulli(self, p=0.5, size=None):
        """True with probability p.

        >>> ps.random.bernoulli(1.0, 3)
        array([ True,  True,  True])
        """
        p = _parameter("bernoulli: p", p)
        if isinstance(p, float):
            if not 0 <= p <= 1:
                raise ValueError(f"bernoulli: p must be between 0 and 1, not {p!r}")
            return _ops["random_bernoulli"](_shape("bernoulli", size), p, self)
        dtype = _float_type("bernoulli", None, p)
        return _uniform(_shape("bernoulli", size, p), 0.0, 1.0, dtype, self) < p

    # ---- Orders and choices ------------------------------------------------------------------

    def permutation(self, x):
        """0 .. x - 1 in random order; of an array, its slices along the first axis.

        >>> int(ps.random.permutation(5).sum())
        10
        """
        if _is_number(x):
            return _ops["random_permutation"](_integer("permutation: x", x), self)
        x = asarray(x)
        if x.ndim == 0:
            return _ops["random_permutation"](_integer("permutation: x", x), self)
        return _ops["take"](x, _ops["random_permutation"](x.shape[0], self), 0)

    def shuffle(self, x):
        """Brings the slices of an array along its first axis into random order, in place.

        >>> x = ps.arange(5)
        >>> ps.random.shuffle(x)
        >>> int(x.sum())
        10
        """
        if not isinstance(x, _core.ndarray) or x.ndim == 0:
            raise TypeError(f"shuffle: an array with dimensions is needed, not {x!r}")
        _ops["assign"](self.permutation(x), out=x)

    def choice(self, a, size=None, replace=True, p=None, axis=0):
        """Elements of `a` along the axis, or of 0 .. a - 1, each with probability p.

        Probabilities in a penstock array are taken relative to their sum and not checked: that
        would wait for them.

        >>> ps.random.choice(5, 3, replace=False).shape
        (3,)
        >>> ps.random.choice([10, 20, 30], 4, p=[0.0, 1.0, 0.0])
        array([20, 20, 20, 20])
        """
        from_range = _is_number(a)
        a = _integer("choice: a", a) if from_range else asarray(a)
        if not from_range and a.ndim == 0:
            from_range, a = True, _integer("choice: a", a)
        count = a if from_range else a.shape[axis]
        shape, p = _shape("choice", size), None if p is None else _probabilities(p)
        places = _ops["random_choice"](shape, count, bool(replace), p, self)
        return places if from_range else _ops["take"](a, places, axis)


def default_rng(seed=None):
    """A generator with the given seed; without one, the system chooses.

    >>> ps.random.default_rng(3).normal() == ps.random.default_rng(3).normal()
    array(True)
    """
    if isinstance(seed, Generator):
        return seed
    return Generator(int.from_bytes(_urandom(8), "little") if seed is None else seed)


_shared = Generator._shared()


def seed(seed=None):
    """Sets the shared generator to a seed; without one, the system chooses.

    >>> ps.random.seed(42)
    """
    _shared.seed(int.from_bytes(_urandom(8), "little") if seed is None else seed)


def get_state():
    """The state of the shared generator, for set_state.

    >>> state = ps.random.get_state()
    >>> x = ps.random.rand(2)
    >>> ps.random.set_state(state)
    >>> bool((ps.random.rand(2) == x).all())
    True
    """
    return _shared.state


def set_state(state):
    """Sets the shared generator back to a state that get_state gave.

    >>> ps.random.set_state(ps.random.get_state())
    """
    _shared.state = state


bernoulli = _shared.bernoulli
choice = _shared.choice
exponential = _shared.exponential
gumbel = _shared.gumbel
integers = _shared.integers
laplace = _shared.laplace
logistic = _shared.logistic
lognormal = _shared.lognormal
normal = _shared.normal
permutation = _shared.permutation
rand = _shared.rand
randint = _shared.randint
randn = _shared.randn
random = _shared.random
random_sample = _shared.random
shuffle = _shared.shuffle
standard_exponential = _shared.standard_exponential
standard_normal = _shared.standard_normal
uniform = _shared.uniform
