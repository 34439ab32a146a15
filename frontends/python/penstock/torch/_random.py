"""Random numbers. Seeds give the same numbers each time; the numbers are Penstock's own."""

from .._common.generators import Seeded
from . import _device
from ._checked import checked, method_of
from ._create import _LIKE, _OPTIONS, checked_shape, finished, sized, where_to
from ._dialect import default_dtype, refuse_type, row
from ._dtypes import ALL
from ._tensor import Tensor

__all__ = (
    "rand randn randint randperm normal bernoulli multinomial poisson rand_like randn_like "
    "randint_like manual_seed seed initial_seed get_rng_state set_rng_state default_generator "
    "Generator"
).split()
_int64, _uint8 = ALL["int64"], ALL["uint8"]

# ---- Generators ----------------------------------------------------------------------------------


class Generator(Seeded):
    """A source of random numbers.

    >>> from penstock import torch
    >>> g = torch.Generator().manual_seed(1)
    >>> torch.equal(torch.rand(2, generator=g), torch.rand(2, generator=g.manual_seed(1)))
    True
    """

    __module__ = "torch._C"
    _FIRST = 67280421310721

    def __new__(cls, device="cpu"):
        if _device.device(device).type != "cpu":
            raise RuntimeError(f"Generator: {device!r} has no generator of its own; 'cpu' has")
        return super().__new__(cls)

    def manual_seed(self, seed):
        """Numbers as from a new generator with this seed; gives the generator."""
        if not hasattr(type(seed), "__index__"):
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        return self._begin(_checked_seed(seed))

    def seed(self):
        """A seed from the system; gives it."""
        self.manual_seed(int.from_bytes(__import__("os").urandom(8), "little"))
        return self._seed

    def get_state(self):
        """What set_state goes back to: bytes, as a tensor."""
        from ._create import frombuffer

        return frombuffer(b"".join(one.to_bytes(8, "little") for one in self.state), dtype=_uint8)

    def set_state(self, new_state):
        """Go on from what get_state gave."""
        if not isinstance(new_state, Tensor) or new_state.dtype is not _uint8:
            raise TypeError(f"expected a torch.ByteTensor, but got {type(new_state).__name__}")
        given = bytes(new_state.tolist())
        if len(given) != 8 * len(self.state):
            raise RuntimeError(f"RNG state is wrong size: {len(given)} bytes")
        self.state = tuple(
            int.from_bytes(given[at : at + 8], "little") for at in range(0, len(given), 8)
        )

    @property
    def device(self):
        """Where numbers are made: on the host's account, whatever the device."""
        return _device.device("cpu")

    def clone_state(self):
        """A generator that gives the same numbers from here on."""
        made = Generator().manual_seed(self._seed)
        made.state = self.state
        return made


def _checked_seed(seed):
    import operator

    seed = operator.index(seed)
    if not -(2**63) <= seed < 2**64:
        raise ValueError(f"Overflow when unpacking long long: the seed {seed}")
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


# ---- Numbers by size -----------------------------------------------------------------------------

_uniform = row(
    "random_uniform",
    "rand",
    "size:shape, low=0.0, high=1.0, dtype=None, generator=None, device=None",
)
_normal = row(
    "random_normal",
    "randn",
    "size:shape, mean=0.0, std=1.0, dtype=None, generator=None, device=None",
)
_integers = row(
    "random_integers", "randint", "size:shape, low, high, dtype=None, generator=None, device=None"
)
_permutation = row("random_permutation", "randperm", "n:count, generator=None, device=None")
_DRAWN = f"*, generator: Generator? = None, out: Tensor? = None, {_OPTIONS}"
_INTS = {int}


def _drawn(run, name):
    """rand and randn: sizes one by one, as a tuple or list, or by name."""

    def function(*args, **kwargs):
        if not kwargs and set(map(type, args)) == _INTS and not _device.is_set():
            return run(checked_shape(args), dtype=default_dtype(), generator=default_generator)
        values = sized(name, args, kwargs, _DRAWN)
        return finished(_of_type(run, name, values), values.get("requires_grad"), values.get("out"))

    function.__name__ = function.__qualname__ = name
    return function


def _of_type(run, name, values):
    out, one = values.get("out"), values.get("dtype")
    one = out.dtype if out is not None else default_dtype() if one is None else one
    size, generator = values["size"], _of(values.get("generator"))
    where = where_to(values.get("device"))
    if not one.is_floating_point:
        if not one.is_complex:
            refuse_type(name, one)
        part = ALL["float64" if one is ALL["complex128"] else "float32"]
        parts = (run(size, dtype=part, generator=generator, **where) for _ in range(2))
        real, imag = parts
        scale = 0.5**0.5 if name == "randn" else 1
        return (real + imag * 1j) * scale
    return run(size, dtype=one, generator=generator, **where)


rand = _drawn(_uniform, "rand")
rand.__doc__ = "Numbers from 0 to below 1, each as probable as another."
randn = _drawn(_normal, "randn")
randn.__doc__ = "Numbers of the normal distribution with mean 0 and deviation 1."


@checked(f"high: int, size: ints, {_DRAWN}", f"low: int, high: int, size: ints, {_DRAWN}")
def randint(
    low=0,
    high=None,
    size=None,
    *,
    generator=None,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=False,
    requires_grad=False,
):
    """Integers from low, or 0, to below high: (high, size) or (low, high, size)."""
    one = out.dtype if out is not None else _int64 if dtype is None else dtype
    made = _whole_numbers(low, high, checked_shape(size), one, generator, where_to(device))
    return finished(made, requires_grad, out)


def _check_integers(low, high, one):
    """The bounds must fit the type, and have numbers between them."""
    if not -(2**63) <= low <= high < 2**63 and low < high:
        raise ValueError("Overflow when unpacking long long")
    if low >= high:
        raise RuntimeError(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )
    if one.is_complex:
        raise RuntimeError("random_ is for integral, floating-point and boolean types")
    if one.is_floating_point:
        return
    lowest, largest = (0, 1) if one is ALL["bool"] else _limits(one)
    if low < lowest or high - 1 > largest:
        raise RuntimeError(f"from - {low} or to - 1 - {high - 1} is out of bounds for {one}")


def _limits(one):
    from ._dtypes import iinfo

    found = iinfo(one)
    return found.min, found.max


def _whole_numbers(low, high, shape, one, generator, where):
    _check_integers(low, high, one)
    drawn = one if one._native.kind in "iu" else _int64
    made = _integers(shape, low, high, dtype=drawn, generator=_of(generator), **where)
    return made if drawn is one else made.to(one)


@checked(f"n: int, {_DRAWN}")
def randperm(
    n,
    *,
    generator=None,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=False,
    requires_grad=False,
):
    """The integers from 0 to below n in some order."""
    if n < 0:
        raise RuntimeError(f"n must be non-negative, got {n}")
    one = out.dtype if out is not None else _int64 if dtype is None else dtype
    _check_permutation(n, one)
    made = _permutation(n, generator=_of(generator), **where_to(device))
    return finished(made if one is _int64 else made.to(one), requires_grad, out)


def _check_permutation(n, one):
    if one is ALL["bool"] or one.is_complex:
        refuse_type("randperm", one)
    if one._native.kind in "iu" and n - 1 > _limits(one)[1]:
        raise RuntimeError(f"n is too large for result tensor type: {one}")


_LIKE_DRAWN = f"{_LIKE}, generator: Generator? = None"


def _like(run, name):
    @checked(f"input: Tensor, {_LIKE_DRAWN}")
    def function(
        input,
        *,
        dtype=None,
        layout=None,
        device=None,
        pin_memory=False,
        requires_grad=False,
        memory_format=None,
        generator=None,
    ):
        values = {
            "size": input.shape,
            "dtype": input.dtype if dtype is None else dtype,
            "device": input.device if device is None else device,
            "generator": generator,
        }
        return finished(_of_type(run, name[:-5], values), requires_grad)

    function.__name__ = function.__qualname__ = function.__wrapped__.__name__ = name
    function.__doc__ = f"As {name[:-5]}, with the shape, type and device of a tensor."
    return function


rand_like, randn_like = _like(_uniform, "rand_like"), _like(_normal, "randn_like")


@checked(
    f"input: Tensor, high: int, {_LIKE_DRAWN}", f"input: Tensor, low: int, high: int, {_LIKE_DRAWN}"
)
def randint_like(
    input,
    low=0,
    high=None,
    *,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=False,
    requires_grad=False,
    memory_format=None,
    generator=None,
):
    """As randint, with the shape, type and device of a tensor."""
    one = input.dtype if dtype is None else dtype
    where = where_to(input.device if device is None else device)
    return finished(_whole_numbers(low, high, input.shape, one, generator, where), requires_grad)


# ---- Distributions -------------------------------------------------------------------------------

_MORE = "*, generator: Generator? = None, out: Tensor? = None"


@checked(
    f"mean: Tensor, std: Tensor, {_MORE}",
    f"mean: Tensor, std: float = 1, {_MORE}",
    f"mean: float, std: Tensor, {_MORE}",
    f"mean: float, std: float, size: ints, {_DRAWN}",
)
def normal(
    mean,
    std=1.0,
    size=None,
    *,
    generator=None,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=False,
    requires_grad=False,
):
    """Numbers with means and deviations: numbers and a size, or tensors."""
    if not isinstance(std, Tensor) and std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    if size is not None:
        one = default_dtype() if dtype is None else dtype
        if not one.is_floating_point:
            refuse_type("normal", one)
        where = where_to(device)
        made = _normal(checked_shape(size), mean, std, one, _of(generator), **where)
        return finished(made, requires_grad, out)
    return finished(_around(mean, std, generator), False, out)


def _around(mean, std, generator):
    """Numbers around means that are tensors, or with deviations that are."""
    tensors = [one for one in (mean, std) if isinstance(one, Tensor)]
    for one in tensors:
        if not one.dtype.is_floating_point:
            refuse_type("normal", one.dtype)
    from ._shape import broadcast_shapes

    shape = broadcast_shapes(*(one.shape for one in tensors))
    made = _normal(shape, dtype=tensors[0].dtype, generator=_of(generator))
    plain = [one.detach() if isinstance(one, Tensor) else one for one in (mean, std)]
    return (made * plain[1] + plain[0]).to(tensors[0].dtype)


@checked(
    "input: Tensor, *, generator: Generator? = None, out: Tensor? = None",
    "input: Tensor, p: float, *, generator: Generator? = None",
)
def bernoulli(input, p=None, *, generator=None, out=None):
    """1 with the probability that each element is, else 0."""
    if p is None and not input.dtype.is_floating_point:
        refuse_type("bernoulli", input.dtype)
    _check_probability(p)
    chance = input.detach() if p is None else p
    drawn = _uniform(input.shape, dtype=_wide(input), generator=_of(generator))
    return finished((drawn < chance).to(input.dtype), False, out)


def _wide(input):
    return input.dtype if input.dtype.is_floating_point else default_dtype()


def _check_probability(p):
    if p is not None and not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p}")


@checked(
    "input: Tensor, num_samples: int, replacement: bool = False, *, generator: Generator? = None, "
    "out: Tensor? = None"
)
def multinomial(input, num_samples, replacement=False, *, generator=None, out=None):
    """Places drawn by their weights, one row of places for each row of weights."""
    if not input.dtype.is_floating_point:
        raise RuntimeError(
            f"multinomial only supports floating-point dtypes for input, got: {input.dtype}"
        )
    if input.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > input.shape[-1]:
        raise RuntimeError(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
        )
    weights, generator = input.detach().double(), _of(generator)
    if replacement:
        return finished(_places(weights, num_samples, generator), False, out)
    # Of exponential times that each place takes the shortest are those of such draws.
    from ._order import topk

    times = _exponential(weights.shape, 1.0, weights.dtype, generator, weights.device)
    return finished(topk(weights / times, num_samples).indices, False, out)


def _places(weights, num_samples, generator):
    if weights.ndim == 1:
        return _choice((num_samples,), weights.shape[0], True, weights / weights.sum(), generator)
    from ._joining import stack

    if not weights.shape[0]:
        return weights.new_zeros((0, num_samples), dtype=_int64)
    return stack([_places(one, num_samples, generator) for one in weights])


_choice = row(
    "random_choice", "multinomial", "size:shape, count, replace=True, p=None, generator=None"
)
_exponential = row(
    "random_exponential",
    "exponential_",
    "size:shape, scale=1.0, dtype=None, generator=None, device=None",
)


@checked("input: Tensor, generator: Generator? = None")
def poisson(input, generator=None):
    """Numbers of the Poisson distribution with the elements as rates. Waits for them."""
    import numpy

    from ._create import from_numpy

    if not input.dtype.is_floating_point:
        refuse_type("poisson", input.dtype)
    rates = input.detach().double().numpy()
    if (rates < 0).any():
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    draw = randint(0, 2**62, (1,), generator=generator).item()
    made = numpy.random.default_rng(draw).poisson(rates)
    return from_numpy(numpy.asarray(made)).to(input.dtype)


# ---- Methods -------------------------------------------------------------------------------------


def _filled(self, made):
    self[...] = made
    return self


def _check_floats(name, self):
    if not self.dtype.is_floating_point:
        refuse_type(name, self.dtype)


def uniform_(self, *args, **kwargs):
    """Write numbers between two, each as probable as another."""
    from ._arguments import find

    signature = "from: float = 0, to: float = 1, *, generator: Generator? = None"
    values = find("uniform_", (signature,), args, kwargs)[1]
    low, high = values.get("from", 0.0), values.get("to", 1.0)
    _check_floats("uniform_", self)
    if low > high:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={low} > to={high}"
        )
    generator = _of(values.get("generator"))
    return _filled(self, _uniform(self.shape, low, high, self.dtype, generator, self.device))


@checked("self: Tensor, mean: float = 0, std: float = 1, *, generator: Generator? = None")
def normal_(self, mean=0.0, std=1.0, *, generator=None):
    """Write numbers of a normal distribution."""
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    _check_floats("normal_", self)
    return _filled(self, _normal(self.shape, mean, std, self.dtype, _of(generator), self.device))


def random_(self, *args, **kwargs):
    """Write integers from one number to below another, or of all that the type has."""
    from ._arguments import find

    more = "*, generator: Generator? = None"
    signatures = (more, f"to: int, {more}", f"from: int, to: int?, {more}")
    values = find("random_", signatures, args, kwargs)[1]
    low, high = values.get("from", 0), values.get("to")
    high = _largest(self.dtype) if high is None else high
    made = _whole_numbers(low, high, self.shape, self.dtype, values.get("generator"), {})
    return _filled(self, made)


_EXACT = {"float16": 2**11, "bfloat16": 2**8, "float32": 2**24, "float64": 2**53, "bool": 1}


def _largest(one):
    """The end of the integers that a type has all of."""
    return _EXACT[one._name] + 1 if one._name in _EXACT else _limits(one)[1]


@checked(
    "self: Tensor, p: Tensor, *, generator: Generator? = None",
    "self: Tensor, p: float = 0.5, *, generator: Generator? = None",
)
def bernoulli_(self, p=0.5, *, generator=None):
    """Write 1 with a probability, else 0."""
    if not isinstance(p, Tensor):
        _check_probability(p)
    elif not p.dtype.is_floating_point:
        refuse_type("bernoulli_", p.dtype)
    if self.dtype.is_complex:
        refuse_type("bernoulli_", self.dtype)
    if not self.numel():
        return self
    drawn = _uniform(self.shape, dtype=_wide(self), generator=_of(generator)) < p
    return _filled(self, drawn.to(self.dtype))


@checked("self: Tensor, lambd: float = 1, *, generator: Generator? = None")
def exponential_(self, lambd=1.0, *, generator=None):
    """Write numbers of an exponential distribution."""
    if not self.dtype.is_floating_point and self.numel():
        raise RuntimeError(f"exponential_: the type must be a floating-point one, not {self.dtype}")
    if lambd <= 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd}")
    if not self.dtype.is_floating_point:
        return self
    made = _exponential(self.shape, 1 / lambd, self.dtype, _of(generator), self.device)
    return _filled(self, made)


for _function in (uniform_, normal_, random_, bernoulli_, exponential_):
    setattr(Tensor, _function.__name__, _function)
Tensor.bernoulli, Tensor.multinomial = method_of(bernoulli), method_of(multinomial)
del _function
