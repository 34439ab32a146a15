"""Making tensors."""

from .. import _core
from . import _device
from ._checked import checked
from ._dialect import default_dtype, refuse_type, row
from ._dtypes import ALL, TITLES
from ._dtypes import dtype as _dtype
from ._tensor import Tensor

__all__ = []
_int64 = ALL["int64"]
_complex_number = complex  # Python's, which torch has a function of the name of

# ---- Arguments that all have ---------------------------------------------------------------------

_OPTIONS = (
    "dtype: dtype? = None, layout: any = None, device: device? = None, pin_memory: bool? = False, "
    "requires_grad: bool? = False"
)
_WITH_OUT = f"*, out: Tensor? = None, {_OPTIONS}"


def finished(made, requires_grad=False, out=None):
    """A new tensor with what was asked of it beside elements."""
    if out is not None:
        from ._output import resized

        made = resized(made, out)
    if requires_grad:
        made.requires_grad = True
    return made


def where_to(device):
    """What a row is told of a device that was given, if one was."""
    found = _device.wanted(device)
    return {} if found is None else {"device": found}


def _check_out(out, dtype):
    if out is not None and dtype is not None and out.dtype is not dtype:
        raise RuntimeError(f"dtype {dtype} does not match dtype of out parameter ({out.dtype})")


def checked_shape(lengths):
    """A shape without negative lengths."""
    for length in lengths:
        if length < 0:
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {length}: {list(lengths)}"
            )
    return lengths


def sized(name, args, kwargs, signature=_WITH_OUT):
    """The values of a call that begins with a size: ints, a tuple, a list, or size=."""
    from ._arguments import find

    if args and not isinstance(args[0], (tuple, list)):
        args = (args,)
    if len(args) == 1 and "size" in kwargs:
        raise TypeError(f"{name}() got multiple values for argument 'size'")
    values = find(name, (f"size: ints, {signature}",), args, kwargs)[1]
    checked_shape(values["size"])
    return values


def _sized(operation, name, more=""):
    """zeros, ones, empty: sizes as ints, a tuple, a list, or size=."""
    plain = "size:shape, *, dtype=None, device=None"
    run = row(operation, name, plain)

    def unusual(*args, **kwargs):
        values = sized(name, args, kwargs, _WITH_OUT + more)
        out, one = values.get("out"), values.get("dtype")
        _check_out(out, one)
        one = out.dtype if out is not None else one
        made = run(values["size"], dtype=one, **where_to(values.get("device")))
        return finished(made, values.get("requires_grad"), out)

    unusual.__name__ = name
    return row(operation, name, plain, unusual=unusual, variadic=True)


zeros, ones = _sized("zeros", "zeros"), _sized("ones", "ones")
empty = _sized("empty", "empty", ", memory_format: any = None")
_full = row("full", "full", "size:shape, fill_value:value, dtype=None, *, device=None")


@checked(f"size: ints, fill_value: number, {_WITH_OUT}")
def full(
    size,
    fill_value,
    *,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=False,
    requires_grad=False,
):
    """A tensor of one number, of the number's type."""
    _check_out(out, dtype)
    one = out.dtype if out is not None else dtype
    made = _filled(checked_shape(size), fill_value, one, where_to(device))
    return finished(made, requires_grad, out)


def _filled(size, value, one, where):
    if isinstance(value, Tensor):
        made = empty(size, dtype=value.dtype if one is None else one, **where)
        if value.dtype.is_complex and made.dtype._native.kind not in "bc":
            raise RuntimeError(f"value cannot be converted to type {made.dtype} without overflow")
        return made.fill_(value)
    if one is not None:
        from ._index import fitted

        value = fitted(value, one)
    return _full(size, value, one, **where)


# ---- Ranges --------------------------------------------------------------------------------------

_arange = row("arange", "arange", "start, end:stop=None, step=1, *, dtype=None, device=None")


@checked(
    f"end: number, {_WITH_OUT}",
    f"start: number, end: number, step: number = 1, {_WITH_OUT}",
)
def arange(
    start=0,
    end=None,
    step=1,
    *,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=False,
    requires_grad=False,
):
    """Numbers from start to end, which is not among them; of the numbers' type."""
    start, end, step = (_number(one) for one in (start, end, step))
    one = out.dtype if out is not None else dtype
    if one is not None and (one is ALL["bool"] or one.is_complex):
        refuse_type("arange", one)
    _check_range(start, end, step)
    made = _ranged(start, end, step, one, where_to(device))
    return finished(made, requires_grad, out)


def _number(value):
    return value.item() if isinstance(value, Tensor) else value


def _check_range(start, end, step):
    for value in (start, end, step):
        if isinstance(value, _complex_number):
            raise RuntimeError("value cannot be converted to type double without overflow")
    if step == 0:
        raise RuntimeError("step must be nonzero")
    for value in (start, end):
        if value != value or value in (_INFINITY, -_INFINITY):
            raise RuntimeError(f"unsupported range: {start} -> {end}")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")


_INFINITY = float("inf")


def _ranged(start, end, step, one, where):
    """Integers of broken numbers begin and step with whole ones, as often as the numbers do."""
    whole = one is not None and one._native.kind in "iu"
    if not whole or not any(isinstance(value, float) for value in (start, end, step)):
        numbers = (int(value) if isinstance(value, bool) else value for value in (start, end, step))
        return _arange(*numbers, dtype=one, **where)
    count = -int(-(end - start) // step)
    begin, by = int(start), int(step)
    if by == 0:
        return _full((count,), begin, one, **where)
    return _arange(begin, begin + count * by, by, dtype=one, **where)


_linspace = row("linspace", "linspace", "start, end:stop, steps:count, *, dtype=None, device=None")


@checked(f"start: operand, end: operand, steps: int, {_WITH_OUT}")
def linspace(
    start,
    end,
    steps,
    *,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=False,
    requires_grad=False,
):
    """So many numbers at equal distances from start to end, both among them."""
    one = out.dtype if out is not None else default_dtype() if dtype is None else dtype
    made = _spaced("linspace", start, end, steps, one, where_to(device))
    return finished(made, requires_grad, out)


def _spaced(name, start, end, steps, one, where):
    for which, value in (("start", start), ("end", end)):
        if isinstance(value, Tensor) and value.ndim:
            raise RuntimeError(
                f"{name} only supports 0-dimensional start and end tensors, but got {which} with "
                f"{value.ndim} dimension(s)."
            )
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    start, end = _number(start), _number(end)
    if one.is_complex or isinstance(start, _complex_number) or isinstance(end, _complex_number):
        raise NotImplementedError(f"{name} of complex numbers is not here")
    if one is ALL["bool"]:
        refuse_type(name, one)
    if one.is_floating_point:
        return _linspace(start, end, steps, dtype=one, **where)
    return _linspace(int(start), int(end), steps, dtype=ALL["float64"], **where).to(one)


@checked(f"start: operand, end: operand, steps: int, base: float = 10.0, {_WITH_OUT}")
def logspace(
    start,
    end,
    steps,
    base=10.0,
    *,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=False,
    requires_grad=False,
):
    """base to the power of numbers at equal distances."""
    one = out.dtype if out is not None else default_dtype() if dtype is None else dtype
    wide = one
    if one._native.kind in "iu":
        wide, start, end = ALL["float64"], int(_number(start)), int(_number(end))
    made = base ** _spaced("logspace", start, end, steps, wide, where_to(device))
    return finished(made.to(one), requires_grad, out)


_eye = row("eye", "eye", "n:rows, m:columns=None, *, dtype=None, device=None")


@checked(f"n: int, {_WITH_OUT}", f"n: int, m: int, {_WITH_OUT}")
def eye(
    n,
    m=None,
    *,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=False,
    requires_grad=False,
):
    """1 on the diagonal, else 0."""
    for name, length in (("n", n), ("m", 0 if m is None else m)):
        if length < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {length}")
    made = _eye(n, m, dtype=out.dtype if out is not None else dtype, **where_to(device))
    return finished(made, requires_grad, out)


# ---- Like others ---------------------------------------------------------------------------------

_LIKE = f"*, {_OPTIONS}, memory_format: any = None"


def _like(make, name):
    @checked(f"input: Tensor, {_LIKE}")
    def function(
        input,
        *,
        dtype=None,
        layout=None,
        device=None,
        pin_memory=False,
        requires_grad=False,
        memory_format=None,
    ):
        one = input.dtype if dtype is None else dtype
        where = input.device if device is None else device
        return finished(make(input.shape, dtype=one, device=where), requires_grad)

    function.__name__ = function.__qualname__ = function.__wrapped__.__name__ = name
    function.__doc__ = f"As {name[:-5]}, with the shape, type and device of a tensor."
    return function


zeros_like, ones_like = _like(zeros, "zeros_like"), _like(ones, "ones_like")
empty_like = _like(empty, "empty_like")


@checked(f"input: Tensor, fill_value: number, {_LIKE}")
def full_like(
    input,
    fill_value,
    *,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=False,
    requires_grad=False,
    memory_format=None,
):
    """As full, with the shape, type and device of a tensor."""
    one = input.dtype if dtype is None else dtype
    where = where_to(input.device if device is None else device)
    return finished(_filled(input.shape, fill_value, one, where), requires_grad)


def _new_from(make, name):
    def method(self, *args, **kwargs):
        values = sized(name, args, kwargs, f"*, {_OPTIONS}")
        one, where = values.get("dtype"), values.get("device")
        made = make(
            values["size"],
            dtype=self.dtype if one is None else one,
            device=self.device if where is None else where,
        )
        return finished(made, values.get("requires_grad"))

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"As torch.{name[4:]}, with the type and device of the tensor."
    return method


@checked(f"self: Tensor, size: ints, fill_value: number, *, {_OPTIONS}")
def new_full(
    self,
    size,
    fill_value,
    *,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=False,
    requires_grad=False,
):
    """As torch.full, with the type and device of the tensor."""
    one = self.dtype if dtype is None else dtype
    where = where_to(self.device if device is None else device)
    return finished(_filled(checked_shape(size), fill_value, one, where), requires_grad)


@checked(
    "self: Tensor, data: any, *, dtype: dtype? = None, device: device? = None, "
    "requires_grad: bool = False"
)
def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False):
    """A copy of values with the type and device of the tensor."""
    one = self.dtype if dtype is None else dtype
    where = self.device if device is None else device
    return tensor(data, dtype=one, device=where, requires_grad=requires_grad)


def new(self, *args, device=None):
    """As torch.Tensor, with the type of the tensor."""
    return legacy(Tensor, args, self.dtype, device)


Tensor.new_zeros, Tensor.new_ones = _new_from(zeros, "new_zeros"), _new_from(ones, "new_ones")
Tensor.new_empty, Tensor.new_full = _new_from(empty, "new_empty"), new_full
Tensor.new_tensor, Tensor.new = new_tensor, new

# ---- Of values -----------------------------------------------------------------------------------


def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """A copy of numbers, nested sequences, or arrays of any library.

    >>> from penstock import torch
    >>> torch.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    """
    if dtype is not None and type(dtype) is not _dtype or type(requires_grad) is not bool:
        values = _asked(dtype=dtype, requires_grad=requires_grad)
        dtype = values["dtype"]
    if isinstance(data, Tensor):
        return _copied(data, dtype, device, requires_grad)
    where = None if device is None and not _device.is_set() else _device.wanted(device)
    made = _made_of(data, dtype, where)
    if requires_grad:
        made.requires_grad = True
    return made


def _asked(**options):
    """The type and whether a gradient is asked for, of other kinds than they should be."""
    from ._arguments import find

    signature = "*, dtype: dtype? = None, requires_grad: bool = False"
    return find("tensor", (signature,), (), options)[1]


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
    return finished(made, requires_grad)


def _made_of(data, one, device):
    """The elements that data has, by torch's rules for literals."""
    from ._literal import made_of

    return made_of(data, one, device)


@checked("data: any, *, dtype: dtype? = None, device: device? = None")
def as_tensor(data, *, dtype=None, device=None):
    """The tensor itself if nothing changes; else a copy of the elements."""
    if isinstance(data, Tensor):
        return data.to(dtype=dtype, device=device)
    return tensor(data, dtype=dtype, device=device)


@checked(
    "obj: any, *, dtype: dtype? = None, device: device? = None, copy: bool? = None, "
    "requires_grad: bool = False"
)
def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False):
    """The tensor itself if nothing changes, unless a copy is asked for; else a copy."""
    if isinstance(obj, Tensor):
        made = obj.to(dtype=dtype, device=device, copy=bool(copy))
    else:
        made = tensor(obj, dtype=dtype, device=device)
    return finished(made, requires_grad)


def from_numpy(ndarray):
    """A tensor with a copy of the elements of a NumPy array."""
    import numpy

    if not isinstance(ndarray, numpy.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    return _made_of(ndarray, None, None)


def from_dlpack(ext_tensor):
    """A tensor of another library's array, by DLPack."""
    from .. import from_dlpack as taken

    return taken(ext_tensor).as_subclass(Tensor)


@checked(
    "buffer: any, *, dtype: dtype, count: int = -1, offset: int = 0, requires_grad: bool = False"
)
def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    """A tensor with a copy of the elements in a buffer."""
    try:
        view = memoryview(buffer).cast("B")
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    length, size = len(view), dtype.itemsize
    if length == 0 or count == 0:
        raise ValueError(f"both buffer length ({length}) and count ({count}) must not be 0")
    if not 0 <= offset < length:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length "
            f"({length} bytes) minus 1"
        )
    if count < 0 and (length - offset) % size:
        raise ValueError(
            f"buffer length ({length - offset} bytes) after offset ({offset} bytes) must be a "
            f"multiple of element size ({size})"
        )
    count = (length - offset) // size if count < 0 else count
    if offset + count * size > length:
        raise ValueError(
            f"requested buffer length ({count * size} bytes) after offset ({offset} bytes) must "
            f"not be greater than actual buffer length ({length} bytes)"
        )
    taken = bytes(view[offset : offset + count * size])
    return finished(_core.frombuffer(taken, dtype=dtype._native).as_subclass(Tensor), requires_grad)


# ---- torch.Tensor(...), torch.FloatTensor(...) ---------------------------------------------------


def legacy(cls, args, one=None, device=None):
    """What the class itself makes: of ints a shape, of a sequence its values."""
    wanted = default_dtype() if one is None else one
    if len(args) == 1 and (not hasattr(type(args[0]), "__index__") or hasattr(args[0], "shape")):
        return _of_data(args[0], one, wanted, device)
    if not args:
        return empty(0, dtype=wanted, device=device)
    return empty(*args, dtype=wanted, device=device)


def _of_data(data, one, wanted, device):
    if isinstance(data, Tensor):
        if one is not None and data.dtype is not one:
            raise TypeError(f"expected a tensor of {one} (got one of {data.dtype})")
        return data.detach()
    if isinstance(data, _shape_class):
        return empty(data, dtype=wanted, device=device)
    if not hasattr(type(data), "__len__") or isinstance(data, (str, bytes)):
        raise TypeError(f"new(): data must be a sequence (got {type(data).__name__})")
    return tensor(data, dtype=wanted, device=device)


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


@checked("input: Tensor")
def numel(input):
    """The number of elements."""
    return input.numel()


@checked(f"s: number, *, {_OPTIONS}")
def scalar_tensor(
    s, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    """A number as a tensor without dimensions."""
    one = default_dtype() if dtype is None else dtype
    return finished(_filled((), s, one, where_to(device)), requires_grad)


@checked("real: Tensor, imag: Tensor, *, out: Tensor? = None")
def complex(real, imag, out=None):
    """Complex numbers of their parts."""
    if real.dtype is not imag.dtype or real.dtype not in _PARTS:
        if real.dtype in _PARTS and imag.dtype in _PARTS:
            raise RuntimeError(
                f"Expected object of scalar type {real.dtype} but got scalar type {imag.dtype} for "
                "second argument"
            )
        raise NotImplementedError(
            "Expected both inputs to be Half, Float or Double tensors but got "
            f"{real.dtype} and {imag.dtype}"
        )
    return finished(real + imag * 1j, False, out)


_PARTS = {ALL["float16"], ALL["float32"], ALL["float64"]}
_TRIANGLE = (
    "row: int, col: int, offset: int = 0, *, dtype: dtype? = None, layout: any = None, "
    "device: device? = None, pin_memory: bool? = False"
)


def _places(name, mask, dtype):
    if dtype is not None and dtype not in (_int64, ALL["int32"]):
        refuse_type(name, dtype)
    return mask.nonzero().T.contiguous().to(_int64 if dtype is None else dtype)


def _check_lengths(row, col):
    if row < 0 or col < 0:
        raise RuntimeError(f"row and col must be non-negative, got {row} and {col}")


@checked(_TRIANGLE)
def tril_indices(row, col, offset=0, *, dtype=None, layout=None, device=None, pin_memory=False):
    """Places of the lower triangle of a matrix."""
    _check_lengths(row, col)
    return _places("tril_indices", ones(row, col).tril(offset), dtype)


@checked(_TRIANGLE)
def triu_indices(row, col, offset=0, *, dtype=None, layout=None, device=None, pin_memory=False):
    """Places of the upper triangle of a matrix."""
    _check_lengths(row, col)
    return _places("triu_indices", ones(row, col).triu(offset), dtype)


__all__ += (
    "zeros ones empty full arange linspace logspace eye zeros_like ones_like empty_like full_like "
    "tensor as_tensor asarray from_numpy from_dlpack frombuffer is_tensor numel scalar_tensor "
    "complex tril_indices triu_indices"
).split()
