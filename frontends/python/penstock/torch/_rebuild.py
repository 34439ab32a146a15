"""What the pickle of a file may name, and what is done in the place of the functions it names."""

from collections import OrderedDict

from .. import _core
from .._common import tables
from . import _device, _strided
from ._dtypes import ALL, dtype
from ._size import Size
from ._storages import TYPES, UNTYPED, Stored
from ._tensor import Tensor
from .._common.unpickle import refusal, shown

_TENSOR = 700  # bytes of memory that a tensor takes beside its elements
_MOST = 2**63 - 1

# ---- Tensors -------------------------------------------------------------------------------------


def _rebuild_tensor(machine, storage, offset, lengths, strides):
    return _view(machine, _stored(storage), storage.type.dtype, offset, lengths, strides)


def _rebuild_tensor_v2(
    machine, storage, offset, lengths, strides, requires_grad, hooks, metadata=None
):
    _check_hooks(hooks)
    made = _rebuild_tensor(machine, storage, offset, lengths, strides)
    return _finished(machine, made, requires_grad, metadata)


def _rebuild_tensor_v3(
    machine, storage, offset, lengths, strides, requires_grad, hooks, one, metadata=None
):
    _check_hooks(hooks)
    if type(one) is not dtype:
        raise refusal(f"A tensor has {shown(one)} in the place of its element type.")
    made = _view(machine, _stored(storage), one, offset, lengths, strides)
    return _finished(machine, made, requires_grad, metadata)


def _stored(storage):
    if type(storage) is not Stored:
        raise refusal(f"A tensor has {shown(storage)} in the place of its storage.")
    return storage


def _view(machine, storage, one, offset, lengths, strides):
    """The view of a storage, which must be within it."""
    machine.allowance(_TENSOR)
    lengths, strides = _integers("sizes", lengths), _integers("strides", strides)
    if len(lengths) != len(strides):
        raise RuntimeError(
            f"unequal size length ({len(lengths)}) and stride length ({len(strides)})"
        )
    if type(offset) is not int or offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {shown(offset)}")
    count = Size(lengths).numel()
    if min(lengths, default=0) < 0 or min(strides, default=0) < 0 or count > _MOST:
        raise RuntimeError(f"torch.load: no tensor has {_geometry(lengths, strides)}")
    base = storage.elements(one)
    if count == 0:
        return base.new_empty(lengths)
    if _strided.reach(offset, lengths, strides) > base.shape[0]:
        raise RuntimeError(
            f"torch.load: {_geometry(lengths, strides)} from {shown(offset)} on are not within a "
            f"storage of {base.shape[0]} elements"
        )
    made = _strided.view_of(base, offset, lengths, strides)
    return _gathered(machine, base, offset, lengths, strides) if made is None else made


def _geometry(lengths, strides):
    sizes, steps = (", ".join(map(shown, numbers)) for numbers in (lengths, strides))
    return f"sizes [{sizes}] and strides [{steps}]"


def _integers(what, given):
    if type(given) not in (tuple, list, Size) or not all(type(one) is int for one in given):
        raise refusal(f"The {what} of a tensor are no integers.")
    if len(given) > 64:
        raise RuntimeError(f"torch.load: a tensor has {len(given)} dimensions, and 64 are the most")
    return tuple(given)


def _gathered(machine, base, offset, lengths, strides):
    """A copy of the elements of a view that overlaps itself, or is cut off at the storage's end."""
    from ._create import arange

    machine.allowance(Size(lengths).numel() * (base.itemsize + 16))
    places = arange(offset, offset + 1).reshape((1,) * len(lengths))
    for axis, (length, step) in enumerate(zip(lengths, strides)):
        shape = [1] * len(lengths)
        shape[axis] = length
        places = places + (arange(length) * step).reshape(shape)
    return base[places]


def _finished(machine, made, requires_grad, metadata):
    if type(requires_grad) is not bool:
        raise refusal("Whether a tensor requires a gradient is neither True nor False.")
    for name, wanted in _metadata(metadata).items():
        if wanted:
            machine.allowance(made.numel() * made.itemsize)
            made = made.conj().clone() if name == "conj" else -made
    if requires_grad:
        made.requires_grad = True
    return made


def _metadata(given):
    if given is None:
        return {}
    if type(given) is not dict or not given.keys() <= {"conj", "neg"}:
        raise refusal("A tensor has properties that are not known.")
    return given


def _check_hooks(hooks):
    if hooks is not None and (not isinstance(hooks, dict) or hooks):
        raise refusal("A tensor has hooks, which are code.")


def _parameter_class():
    from .nn import Parameter

    return Parameter


def _rebuild_parameter(machine, data, requires_grad, hooks, state=None):
    _check_hooks(hooks)
    if not isinstance(data, Tensor) or type(requires_grad) is not bool:
        raise refusal("A parameter has no tensor.")
    machine.allowance(_TENSOR)
    return _with_attributes(_parameter_class()(data.detach(), requires_grad), state)


def _rebuild_from_type(machine, function, kind, arguments, state):
    if not any(function is one for one in _OF_TENSORS) or type(arguments) is not tuple:
        raise refusal("A tensor with attributes is made by an unknown function.")
    made = tables.run(machine, function, arguments)
    if kind is not Tensor and kind is not type(made):
        if kind is not _parameter_class():
            raise refusal(f"A tensor is of the class {tables.called(kind)}.")
        made = _core.ndarray.as_subclass(made, kind)
    return _with_attributes(made, state)


def _with_attributes(made, state):
    """A tensor with attributes that a program gave it; none in the place of a tensor's own."""
    for part in state if type(state) is tuple else (state,):
        if part is None:
            continue
        if type(part) is not dict:
            raise refusal(f"The attributes of a tensor are {shown(part)}.")
        for name, value in part.items():
            if not tables.is_free(type(made), name) or name in ("_grad", "_retains"):
                raise refusal(f"A tensor cannot have an attribute {shown(name)} from a file.")
            _core._extra(made, True)[name] = value
    return made


_OF_TENSORS = (_rebuild_tensor, _rebuild_tensor_v2, _rebuild_tensor_v3, _rebuild_parameter)


def _get_layout(machine, name):
    from . import strided

    if type(name) is not str or name != "torch.strided":
        raise refusal(f"The layout {shown(name)} is not one that Penstock has.")
    return strided


# ---- Other values --------------------------------------------------------------------------------


def _size(machine, lengths=()):
    machine.allowance(64 + 8 * len(lengths) if type(lengths) in (tuple, list, Size) else 0)
    if type(lengths) not in (tuple, list, Size) or not all(type(one) is int for one in lengths):
        raise refusal("A torch.Size is not made of integers.")
    return Size(lengths)


def _device_of(machine, kind, index=None):
    if type(kind) is not str or type(index) not in (int, type(None)):
        raise refusal("A torch.device is not made of a name and a number.")
    machine.allowance(100)
    return _device.device(kind, index)


# ---- The table -----------------------------------------------------------------------------------

_VALUES = {
    **tables.VALUES,
    ("torch", "Size"): Size,
    ("torch", "device"): _device.device,
    ("torch", "Tensor"): Tensor,
    ("torch.serialization", "_get_layout"): _get_layout,
    ("torch._utils", "_rebuild_tensor"): _rebuild_tensor,
    ("torch._utils", "_rebuild_tensor_v2"): _rebuild_tensor_v2,
    ("torch._utils", "_rebuild_tensor_v3"): _rebuild_tensor_v3,
    ("torch._utils", "_rebuild_parameter"): _rebuild_parameter,
    ("torch._utils", "_rebuild_parameter_with_state"): _rebuild_parameter,
    ("torch._tensor", "_rebuild_from_type_v2"): _rebuild_from_type,
    ("torch.storage", "UntypedStorage"): UNTYPED,
    **{("torch", f"{title}Storage"): one for title, one in TYPES.items()},
    **{("torch", name): one for name, one in ALL.items()},
}
_CALLED = {**tables.CALLED, id(Size): _size, id(_device.device): _device_of}
for _one in (_get_layout, _rebuild_from_type, *_OF_TENSORS):
    _CALLED[id(_one)] = _one


class Table(tables.Table):
    """What names of a file stand for. `weights_only` is what the program asked of load."""

    def __init__(self, weights_only):
        self._weights_only = weights_only
        values, calls, filled = _VALUES, _CALLED, {OrderedDict: tables.fill_ordered}
        if not weights_only:
            from .._common.numpy_pickles import CALLED, FILLED, VALUES

            values = {**_VALUES, **VALUES, ("builtins", "frozenset"): frozenset}
            calls, filled = {**_CALLED, **CALLED}, {**filled, **FILLED}
        super().__init__(values, calls, filled)

    def named(self, module, name):
        """The value, the class or the function of a name."""
        if (module, name) == ("torch.nn.parameter", "Parameter"):
            return _parameter_class()
        return super().named(module, name)

    def _unknown(self, module, name):
        name = f"{module}.{name}"
        if name.startswith("torch._utils") or name.startswith("torch.") and "Storage" in name:
            return refusal(f"The file has {name}, a kind of tensor that Penstock does not have.")
        if self._weights_only:
            return refusal(
                f"The file needs {name}, and what is loaded are tensors, containers, numbers and "
                "texts only. Penstock loads no other objects, with weights_only=False neither: "
                "save what state_dict() gives."
            )
        return refusal(
            f"The file needs {name}, and making such an object would run code that the file names. "
            "Penstock never does, whatever weights_only is: save what state_dict() gives."
        )
