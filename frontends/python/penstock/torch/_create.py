"""Making tensors."""

from .. import _core
from . import _device
from ._dialect import default_dtype, row, sizes
from ._dtypes import ALL, TITLES
from ._tensor import Tensor

__all__ = []
_new = _core.ndarray.__new__
_int64 = ALL["int64"]

# ---- Arguments that all have -------------------------------------------------------------------------


def _finished(made, requires_grad=False, pin_memory=False, layout=None, out=None):
    """A new tensor with what was asked of it beside elements."""
    if out is not None:
        return out.copy_(made)
    if requires_grad:
        made.requires_grad = True
    return made


def _options(kwargs):
    """The keywords of a row, and those that are settled afterwards."""
    device = _device.wanted(kwargs.pop("device", None))
    later = {
        name: kwargs.pop(name)
        for name in ("requires_grad", "pin_memory", "layout", "out", "generator", "memory_format")
        if name in kwargs
    }
    later.pop("memory_format", None)
    later.pop("generator", None)
    if device is not None:
        kwargs["device"] = device
    return kwargs, later


def _sized(operation, name):
    """zeros, ones, ...: sizes as ints, a tuple, a list, or size=."""
    signature = "size:shape, *, dtype=None, device=None"
    run = row(operation, name, signature)

    def unusual(*given, size=None, **kwargs):
        shape = _checked_sizes(name, given if size is None else (size,))
        kwargs, later = _options(kwargs)
        return _finished(run(shape, **kwargs), **later)

    unusual.__name__ = name
    return row(operation, name, signature, unusual=unusual, variadic=True)


def _checked_sizes(name, given):
    if len(given) == 1 and isinstance(given[0], (tuple, list)):
        given = given[0]
    try:
        shape = sizes(tuple(given))
    except TypeError:
        wrong = next(one for one in given if not hasattr(type(one), "__index__"))
        raise TypeError(
            f"{name}(): argument 'size' (position 1) must be tuple of ints, not "
            f"{type(wrong).__name__}"
        ) from None
    for length in shape:
        if length < 0:
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {length}: {list(shape)}"
            )
    return shape


zeros, ones, empty = _sized("zeros", "zeros"), _sized("ones", "ones"), _sized("empty", "empty")
_full = row("full", "full", "size:shape, fill_value:value, dtype=None, *, device=None")


def full(size, fill_value, *, dtype=None, **kwargs):
    """A tensor of one number, of the number's type."""
    kwargs, later = _options(kwargs)
    shape = _checked_sizes("full", (size,))
    if isinstance(fill_value, Tensor):
        one = fill_value.dtype if dtype is None else dtype
        made = empty(shape, dtype=one, **kwargs).fill_(fill_value)
    else:
        made = _full(shape, fill_value, dtype, **kwargs)
    return _finished(made, **later)


_arange = row("arange", "arange", "start, end:stop=None, step=1, *, dtype=None, device=None")


def arange(*args, start=None, end=None, step=None, dtype=None, **kwargs):
    """Numbers from start to end, which is not among them; of the numbers' type."""
    begin, stop, by = _range(args, start, end, step)
    by = 1 if by is None else by
    _check_range(begin, stop, by)
    kwargs, later = _options(kwargs)
    return _finished(_arange(_number(begin), _number(stop), _number(by), dtype=dtype, **kwargs), **later)


def _range(args, start, end, step):
    if len(args) == 1 and end is None:
        return 0 if start is None else start, args[0], step
    if len(args) == 1:
        return args[0], end, step
    given = [*args, None, None, None][:3]
    begin = given[0] if args else (0 if start is None else start)
    stop = given[1] if len(args) > 1 else end
    if stop is None:
        raise TypeError("arange() needs an end")
    return begin, stop, given[2] if len(args) > 2 else step


def _number(value):
    return value.item() if isinstance(value, Tensor) or hasattr(value, "item") else value


def _check_range(begin, stop, by):
    if by == 0:
        raise RuntimeError("step must be nonzero")
    if (stop - begin) * by < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")


_linspace = row("linspace", "linspace", "start, end:stop, steps:count, *, dtype=None, device=None")


def linspace(start, end, steps, *, dtype=None, **kwargs):
    """So many numbers at equal distances from start to end, both among them."""
    kwargs, later = _options(kwargs)
    one = default_dtype() if dtype is None else dtype
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    made = _linspace(_number(start), _number(end), steps, dtype=one, **kwargs)
    return _finished(made, **later)


def logspace(start, end, steps, base=10.0, *, dtype=None, **kwargs):
    """base to the power of numbers at equal distances."""
    kwargs, later = _options(kwargs)
    return _finished(base ** linspace(start, end, steps, dtype=dtype, **kwargs), **later)


_eye = row("eye", "eye", "n:rows, m:columns=None, *, dtype=None, device=None")


def eye(n, m=None, *, dtype=None, **kwargs):
    """1 on the diagonal, else 0."""
    kwargs, later = _options(kwargs)
    return _finished(_eye(n, m, dtype=dtype, **kwargs), **later)


# ---- Like others --------------------------------------------------------------------------------------


def _like(make, name):
    def function(input, *, dtype=None, device=None, **kwargs):
        one = input.dtype if dtype is None else dtype
        where = input.device if device is None else device
        return make(input.shape, dtype=one, device=where, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"As {name[:-5]}, with the shape, type and device of a tensor."
    return function


zeros_like, ones_like = _like(zeros, "zeros_like"), _like(ones, "ones_like")
empty_like = _like(empty, "empty_like")


def full_like(input, fill_value, *, dtype=None, device=None, **kwargs):
    """As full, with the shape, type and device of a tensor."""
    one = input.dtype if dtype is None else dtype
    where = input.device if device is None else device
    return full(input.shape, fill_value, dtype=one, device=where, **kwargs)


def _new_from(make, name):
    def method(self, *size, dtype=None, device=None, **kwargs):
        one = self.dtype if dtype is None else dtype
        where = self.device if device is None else device
        return make(*size, dtype=one, device=where, **kwargs)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"As torch.{name[4:]}, with the type and device of the tensor."
    return method


Tensor.new_zeros, Tensor.new_ones = _new_from(zeros, "new_zeros"), _new_from(ones, "new_ones")
Tensor.new_empty = Tensor.new = _new_from(empty, "new_empty")
Tensor.new_full = _new_from(full, "new_full")

# ---- Of values -----------------------------------------------------------------------------------------


def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """A copy of numbers, nested sequences, or arrays of any library.

    >>> from penstock import torch
    >>> torch.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    """
    if isinstance(data, Tensor):
        return _copied(data, dtype, device, requires_grad)
    made = _made_of(data, dtype, None if device is None and not _device.is_set() else _device.wanted(device))
    if requires_grad:
        made.requires_grad = True
    return made


def _copied(data, one, device, requires_grad):
    import warnings

    warnings.warn(
        "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() "
        "or sourceTensor.detach().clone().requires_grad_(True), rather than "
        "torch.tensor(sourceTensor).",
        UserWarning,
        stacklevel=3,
    )
    made = data.detach().to(dtype=one, device=device, copy=True)
    return _finished(made, requires_grad)


def _made_of(data, one, device):
    """The elements that data has, by torch's rules for literals."""
    from ._literal import made_of

    return made_of(data, one, device)


def as_tensor(data, dtype=None, device=None):
    """The tensor itself if nothing changes; else a copy of the elements."""
    if isinstance(data, Tensor):
        return data.to(dtype=dtype, device=device)
    return tensor(data, dtype=dtype, device=device)


asarray = as_tensor


def from_numpy(ndarray):
    """A tensor with a copy of the elements of a NumPy array."""
    import numpy

    if not isinstance(ndarray, numpy.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    if any(step < 0 for step in ndarray.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative "
            "strides are not currently supported. (You can probably work around this by making a "
            "copy of your array  with array.copy().)"
        )
    return _of_array(ndarray)


def _of_array(array):
    try:
        return _new(Tensor, array)
    except (TypeError, ValueError):
        raise TypeError(
            f"can't convert np.ndarray of type {array.dtype}. The only supported types are: "
            f"{', '.join(map(str, ALL))}."
        ) from None


def from_dlpack(ext_tensor):
    """A tensor of another library's array, by DLPack."""
    from .. import from_dlpack as taken

    return taken(ext_tensor).as_subclass(Tensor)


def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    """A tensor with a copy of the elements in a buffer."""
    view = memoryview(buffer).cast("B")[offset:]
    size = dtype.itemsize
    count = len(view) // size if count < 0 else count
    if count * size > len(view):
        raise ValueError(f"requested buffer length ({count * size} bytes) is larger than the buffer")
    made = _core.frombuffer(bytes(view[: count * size]), dtype=dtype._native)
    return _finished(made.as_subclass(Tensor), requires_grad)


# ---- torch.Tensor(...), torch.FloatTensor(...) ---------------------------------------------------------


def legacy(cls, args, one=None, device=None):
    """What the class itself makes: of ints a shape, of a sequence its values."""
    one = default_dtype() if one is None else one
    if len(args) == 1 and not isinstance(args[0], int):
        data = args[0]
        if isinstance(data, Tensor):
            return data.detach().to(one)
        if isinstance(data, _shape_class):
            return empty(data, dtype=one, device=device)
        return tensor(data, dtype=one, device=device)
    if not args:
        return empty(0, dtype=one, device=device)
    return empty(*args, dtype=one, device=device)


from ._size import Size as _shape_class  # noqa: E402


class _TypeOfTensor(type):
    """torch.FloatTensor and the like: tensors are instances of it by their element type."""

    def __instancecheck__(cls, tensor):
        return isinstance(tensor, Tensor) and tensor.dtype is cls._element_type

    def __call__(cls, *args):
        return legacy(Tensor, args, cls._element_type)


TENSOR_TYPES = {
    f"{title}Tensor": _TypeOfTensor(
        f"{title}Tensor", (), {"__module__": "torch", "_element_type": one}
    )
    for one, title in TITLES.items()
}


def is_tensor(obj):
    """Whether it is a tensor."""
    return isinstance(obj, Tensor)


def numel(input):
    """The number of elements."""
    return input.numel()


def scalar_tensor(s, *, dtype=None, **kwargs):
    """A number as a tensor without dimensions."""
    return tensor(s, dtype=default_dtype() if dtype is None else dtype, **kwargs)


def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False):
    """A copy of values with the type and device of the tensor."""
    one = self.dtype if dtype is None else dtype
    where = self.device if device is None else device
    return tensor(data, dtype=one, device=where, requires_grad=requires_grad)


Tensor.new_tensor = new_tensor


def complex(real, imag):
    """Complex numbers of their parts."""
    return real + imag * 1j


def tril_indices(row, col, offset=0, *, dtype=_int64, **kwargs):
    """Places of the lower triangle of a matrix."""
    mask = ones(row, col).tril(offset)
    return mask.nonzero().T.to(dtype)


def triu_indices(row, col, offset=0, *, dtype=_int64, **kwargs):
    """Places of the upper triangle of a matrix."""
    mask = ones(row, col).triu(offset)
    return mask.nonzero().T.to(dtype)


__all__ += (
    "zeros ones empty full arange linspace logspace eye zeros_like ones_like empty_like full_like "
    "tensor as_tensor asarray from_numpy from_dlpack frombuffer is_tensor numel scalar_tensor complex "
    "tril_indices triu_indices"
).split()
