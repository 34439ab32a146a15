"""Making tensors."""

from .. import _core
from . import _place
from ._calls import public
from ._dialect import default_dtype, row
from ._dtypes import ALL, as_dtype, dtype as _dtype
from ._literal import made_of
from ._tensor import Tensor, cast, is_tensor

__all__ = ["is_tensor"]
_int64, _float32 = ALL["int64"], ALL["float32"]
_count = _core.ndarray.size.__get__

# ---- Shapes --------------------------------------------------------------------------------------


def lengths_of(name, shape):
    """A shape as a tuple of ints: of a list, a tuple, a tensor, or a number."""
    if isinstance(shape, Tensor):
        shape = shape.tolist() if shape.ndim else [shape.item()]
    elif hasattr(shape, "tolist") and hasattr(shape, "ndim") and shape.ndim:
        shape = shape.tolist()
    elif not isinstance(shape, (list, tuple)):
        shape = [shape]
    if _INTS.issuperset(map(type, shape)):
        made = tuple(shape)
    else:
        made = tuple(_length(name, at, one) for at, one in enumerate(shape))
    if min(made, default=0) < 0:
        at, length = next((at, one) for at, one in enumerate(made) if one < 0)
        raise ValueError(
            f"(InvalidArgument) Each value of attribute 'shape' is expected to be no less than 0. "
            f"But received: shape[{at}] = {length}; shape = {list(made)}"
        )
    return made


def _length(name, at, one):
    if type(one) is int:
        return one
    if isinstance(one, Tensor):
        one = one.item()
    if isinstance(one, (float, str)) or not hasattr(type(one), "__index__"):
        raise TypeError(
            f"(InvalidType) {name}(): argument 'shape' must be list of int, but got "
            f"{type(one).__name__} at pos {at}"
        )
    return one.__index__()


def _type(dtype):
    return default_dtype() if dtype is None else as_dtype(dtype)


_INTS, _REAL = {int}, {int, float}
_plain = {}  # the rows of functions that set_device gives a device to


def _sized(operation):
    """zeros, ones, empty: a shape as a list, a tuple, a tensor, shape=, or plain ints."""
    run = row(operation, operation, "shape, dtype=None, *, device=None")

    def unusual(*args, **kwargs):
        if len(args) > 1 and set(map(type, args)) == _INTS:
            args = (args,)
        return _any_sized(*args, **kwargs)

    @public
    def _any_sized(shape, dtype=None, device=None, place=None, requires_grad=False):
        lengths = lengths_of(operation, shape)
        where = _place.wanted(device if place is None else place)
        made = run(lengths, _type(dtype), **where)
        return _finished(made, not requires_grad)

    _any_sized.__wrapped__.__name__ = unusual.__name__ = operation
    _plain[operation] = unusual
    return row(
        operation, operation, "shape, *, dtype=None", unusual=unusual, variadic=True
    )


def _finished(made, stop_gradient):
    if not stop_gradient:
        made.stop_gradient = False
    return made


zeros, ones, empty = _sized("zeros"), _sized("ones"), _sized("empty")
_full = row("full", "full", "shape, fill_value:value, dtype=None, *, device=None")


def full(*args, **kwargs):
    """A tensor of one number, of the default type unless another is given."""
    if len(args) == 2 and not kwargs and type(args[1]) in _REAL and not _place.is_set():
        return _plain_full(args[0], float(args[1]), default_dtype())
    return _any_full(*args, **kwargs)


@public
def _any_full(shape, fill_value, dtype=None, device=None, requires_grad=False):
    if isinstance(fill_value, Tensor):
        fill_value = fill_value.item()
    one = _type(dtype)
    if dtype is None and isinstance(fill_value, (bool, complex)):
        one = ALL["bool" if isinstance(fill_value, bool) else "complex128"]
    made = _full(lengths_of("full", shape), _fitting(fill_value, one), one, **_place.wanted(device))
    return _finished(made, not requires_grad)


_any_full.__wrapped__.__name__ = "full"
_plain_full = row("full", "full", "shape, fill_value:value, dtype=None", unusual=_any_full)


def _fitting(value, one):
    """A number as a type of integers takes it: floats are cut."""
    value = value if isinstance(value, bool) else _number(value)
    if isinstance(value, float) and one._native.kind in "iu":
        return int(value)
    if one._native.kind == "b" and isinstance(value, (int, float)):
        return bool(value)
    return float(value) if isinstance(value, str) else value


# ---- Ranges --------------------------------------------------------------------------------------

_arange = row("arange", "arange", "start, end:stop=None, step=1, *, dtype=None, device=None")


def arange(*args, **kwargs):
    """Numbers from start to end, which is not among them; of the numbers' type."""
    if len(args) == 1 and not kwargs and type(args[0]) is int and args[0] >= 0:
        return _arange(0, args[0], **_place.wanted())
    return _any_arange(*args, **kwargs)


@public
def _any_arange(start=0, end=None, step=1, dtype=None, device=None, requires_grad=False):
    if end is None:
        start, end = 0, start
    start, end, step = map(_number, (start, end, step))
    if step == 0:
        raise ValueError("(InvalidArgument) arange: the step must not be 0")
    broken = any(isinstance(one, float) for one in (start, end, step))
    one = (default_dtype() if broken else _int64) if dtype is None else as_dtype(dtype)
    if broken and one._native.kind in "iu":
        start, end, step = int(start), int(end), int(step)
    if (end - start) * step < 0:
        end = start
    elif broken and one == _float32:
        end = start + _steps_in_float32(start, end, step) * step
    return _finished(
        _arange(start, end, step, dtype=one, **_place.wanted(device)), not requires_grad
    )


def _steps_in_float32(start, end, step):
    """How many elements there are, and half a step less: counted with the digits that they have."""
    from ctypes import c_float
    from math import ceil, inf

    start, end, step = (c_float(one).value for one in (start, end, step))
    steps = c_float(c_float(end - start).value / step).value if step else inf
    return ceil(steps) - 0.5 if 0 < steps < inf else steps


def _number(value):
    if isinstance(value, Tensor) or hasattr(value, "dtype") and hasattr(value, "item"):
        return value.item()
    return int(value) if isinstance(value, bool) else value


_any_arange.__wrapped__.__name__ = "arange"
_linspace = row("linspace", "linspace", "start, stop, num:count, *, dtype=None, device=None")


@public
def linspace(start, stop, num, dtype=None):
    """So many numbers at equal distances from start to stop, both among them."""
    one, count = _type(dtype), int(_number(num))
    if count < 0:
        raise ValueError(f"(InvalidArgument) linspace: num must be at least 0, not {count}")
    start, stop = _number(start), _number(stop)
    if one.is_floating_point:
        return _linspace(start, stop, count, dtype=one, **_place.wanted())
    return cast(_linspace(start, stop, count, dtype=ALL["float64"], **_place.wanted()), one)


@public
def logspace(start, stop, num, base=10.0, dtype=None):
    """base to the power of numbers at equal distances."""
    return cast(_number(base) ** linspace(start, stop, num), _type(dtype))


_eye = row("eye", "eye", "num_rows:rows, num_columns:columns=None, *, dtype=None, device=None")


@public
def eye(num_rows, num_columns=None, dtype=None):
    """1 on the diagonal, else 0."""
    rows, columns = _number(num_rows), None if num_columns is None else _number(num_columns)
    for length in (rows, columns or 0):
        if type(length) is not int or length < 0:
            raise TypeError(f"num_rows should be a non-negative int, not {length!r}")
    return _eye(rows, columns, dtype=_type(dtype), **_place.wanted())


# ---- Like others ---------------------------------------------------------------------------------


def _like(make, plain, name):
    @public
    def function(x, dtype=None, device=None, requires_grad=False):
        if dtype is None and device is None and not requires_grad and not _place.is_set():
            return plain(tuple(x.shape), dtype=x.dtype)
        one = x.dtype if dtype is None else as_dtype(dtype)
        where = x.place if device is None else device
        return _finished(make(x.shape, one, place=where), not requires_grad)

    function.__name__ = function.__qualname__ = function.__wrapped__.__name__ = name
    function.__doc__ = f"As {name[:-5]}, with the shape, type and place of a tensor."
    return function


zeros_like = _like(_plain["zeros"], zeros, "zeros_like")
ones_like = _like(_plain["ones"], ones, "ones_like")
empty_like = _like(_plain["empty"], empty, "empty_like")


@public
def full_like(x, fill_value, dtype=None):
    """As full, with the shape and type of a tensor; a truth value is 0 or 1."""
    one = x.dtype if dtype is None else as_dtype(dtype)
    if one._native.kind == "b" and not isinstance(fill_value, Tensor) and fill_value not in (0, 1):
        raise ValueError(f"(InvalidArgument) The filled value {fill_value} is no truth value")
    return full(x.shape, fill_value, one)


# ---- Of values -----------------------------------------------------------------------------------

_PYTHON = (bool, int, float, complex)


def to_tensor(data, dtype=None, place=None, stop_gradient=True):
    """A copy of numbers, nested sequences, or arrays of any library.

    >>> from penstock import paddle
    >>> paddle.to_tensor([[1, 2], [3, 4]])
    Tensor(shape=[2, 2], dtype=int64, place=Place(cpu), stop_gradient=True,
           [[1, 2],
            [3, 4]])
    """
    if dtype is not None and type(dtype) is not _dtype:
        if dtype in _PYTHON:
            raise TypeError(f"dtype must be any of [{', '.join(ALL)}], but received {dtype!r}")
        dtype = as_dtype(dtype)
    if isinstance(data, Tensor):
        made = _copied(data, dtype, place)
    else:
        where = _place.wanted(place) if place is not None or _place.is_set() else {}
        made = made_of(data, dtype, where)
    if not stop_gradient:
        made.stop_gradient = False
    return made


def _copied(data, one, place):
    made = data.detach()
    if one is not None and one is not made.dtype:
        made = cast(made, one)
    else:
        made = made.clone()
    return made if place is None else made.to(place)


def _array(values):
    """Numbers of Python as an array of NumPy, which has float64 for floats."""
    import numpy

    return numpy.array(values) if isinstance(values, (list, tuple, *_PYTHON)) else values


def _assigned(x, output):
    if x is None:
        return None
    made = x.clone() if isinstance(x, Tensor) else to_tensor(_array(x))
    if isinstance(x, _PYTHON):
        made = made.reshape([1])
    if output is None:
        return made
    output[...] = made
    return output


def assign(x, output=None, name=None):
    """A copy of a tensor, numbers or an array, perhaps in a tensor that is given.

    One number becomes a tensor of one dimension.
    """
    return _assigned(x, output)


def numel(x, name=None):
    """The number of elements, as a tensor without dimensions."""
    return x.numel()


def _numel(self):
    """The number of elements, as a tensor without dimensions."""
    return _full((), _count(self), _int64)


def rank(input):
    """The number of dimensions, as a tensor without dimensions."""
    return _full((), input.ndim, ALL["int32"])


def shape(input):
    """The shape as a tensor."""
    return to_tensor(list(input.shape), dtype="int64")


def _nelement(self):
    """The number of elements, as an int."""
    return _count(self)


Tensor.numel, Tensor.rank, Tensor.nelement = _numel, rank, _nelement


def use_places():
    """From now on zeros and the like make tensors where set_device says."""
    import sys

    package = sys.modules[__package__]
    for name, function in _plain.items():
        setattr(package, name, function)


__all__ += (
    "zeros ones empty full arange linspace logspace eye zeros_like ones_like empty_like full_like "
    "to_tensor assign numel rank shape"
).split()
