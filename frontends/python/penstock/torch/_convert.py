"""Other element types and devices."""

from .. import _core
from . import _device
from ._checked import checked
from ._dialect import row
from ._dtypes import NAMES, TITLES, dtype
from ._ranks import can_become, promoted
from ._ranks import result_type as _result_type
from ._tensor import Tensor, cast

__all__ = ["can_cast", "promote_types", "result_type"]

_move = row("to_device", "to", "input:x, device")


def to(tensor, *args, **kwargs):
    """(dtype), (device), (device, dtype), (other), each also by name; itself if nothing changes."""
    one, where, copy = _wanted(args, kwargs)
    made = tensor
    if where is not None and where.penstock_device != _native_device(tensor):
        made = _move(made, device=where.penstock_device)
    if one is not None and one is not made.dtype:
        made = cast(made, one)
    return made.clone() if copy and made is tensor else made


_native_device = _core.ndarray.device.__get__
_MORE = "non_blocking: bool = False, copy: bool = False, *, memory_format: any = None"
_TO = (
    f"device: device? = None, dtype: dtype? = None, {_MORE}",
    f"dtype: dtype, {_MORE}",
    f"tensor: Tensor, {_MORE}",
)


def _wanted(args, kwargs):
    """The type, the device, and whether a copy is asked for."""
    if len(args) == 1 and not kwargs:
        if type(args[0]) is dtype:
            return args[0], None, False
        if type(args[0]) is _device.device:
            return None, args[0], False
    from ._arguments import find

    values = find("to", _TO, args, kwargs)[1]
    one, where = values.get("dtype"), values.get("device")
    if "tensor" in values:
        one, where = values["tensor"].dtype, values["tensor"].device
    return one, where, values.get("copy", False)


_BY_TITLE = {f"torch.{title}Tensor": one for one, title in TITLES.items()}


def of_type(tensor, given):
    """A dtype, 'torch.FloatTensor', or torch.FloatTensor."""
    if isinstance(given, str):
        if given.startswith("torch.cuda."):
            return of_type(to_cuda(tensor, None), given.replace("cuda.", ""))
        if given not in _BY_TITLE:
            raise ValueError(f"invalid type: '{given}'")
        given = _BY_TITLE[given]
    one = getattr(given, "_element_type", given)
    if isinstance(one, type):
        raise ValueError(f"invalid type: '{one.__name__}'")
    if not isinstance(one, dtype):
        raise TypeError("dtype must be a type, str, or dtype object")
    return tensor if one is tensor.dtype else cast(tensor, one)


def to_cuda(tensor, where):
    """On the GPU of a number, or on the current one."""
    if where is None:
        from . import cuda

        where = cuda.current_device() if cuda.is_available() else 0
    return to(tensor, _device.device(where))


def _as(name):
    one = NAMES[name]

    def method(self, *, memory_format=None):
        return self if self.dtype is one else cast(self, one)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"The elements as {one}; the tensor itself if they are."
    return method


for _name in "bool short int long half bfloat16 float double cfloat cdouble".split():
    setattr(Tensor, _name, _as(_name))
Tensor.byte, Tensor.char = _as("uint8"), _as("int8")
del _name

# ---- Which type results have ---------------------------------------------------------------------


@checked("type1: dtype, type2: dtype")
def promote_types(type1, type2):
    """The type of what tensors of two types give."""
    if type1 is not type2:
        for one, other in ((type1, type2), (type2, type1)):
            if one in _WIDE_UNSIGNED and not other.is_floating_point:
                raise RuntimeError(
                    "Promotion for uint16, uint32, uint64 types is not supported, attempted to "
                    f"promote {TITLES[type1]} and {TITLES[type2]}"
                )
    return promoted(type1, type2)


_WIDE_UNSIGNED = {NAMES["uint16"], NAMES["uint32"], NAMES["uint64"]}


@checked("tensor1: operand, tensor2: operand")
def result_type(tensor1, tensor2):
    """The type of what two operands give, by the ranks of tensors and numbers."""
    return _result_type(tensor1, tensor2)


@checked("from_: dtype, to: dtype")
def can_cast(from_, to):
    """Whether a type can become another within its kind or a higher one."""
    return can_become(from_, to)


@checked("input: Tensor")
def is_floating_point(input):
    """Whether elements are floating-point numbers."""
    return input.dtype.is_floating_point


@checked("input: Tensor")
def is_complex(input):
    """Whether elements are complex numbers."""
    return input.dtype.is_complex


__all__ += ["is_floating_point", "is_complex"]

# ---- The same elements ---------------------------------------------------------------------------


@checked("input: Tensor, *, memory_format: any = None")
def clone(input, *, memory_format=None):
    """A copy, through which gradients flow."""
    return input.clone()


@checked("input: Tensor")
def detach(input):
    """The same elements, shared, in no graph."""
    return input.detach()


@checked("input: Tensor")
def positive(input):
    """The tensor itself; not for bool."""
    if input.dtype is NAMES["bool"]:
        raise NotImplementedError("The `+` operator, on a bool tensor is not supported.")
    return input


Tensor.positive = Tensor.__pos__ = positive
__all__ += ["clone", "detach", "positive"]
