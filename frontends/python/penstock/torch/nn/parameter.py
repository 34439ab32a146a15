"""Parameters: tensors that modules find when they are assigned to them.

>>> from penstock import torch
>>> torch.nn.Parameter(torch.ones(2))
Parameter containing:
tensor([1., 1.], requires_grad=True)
"""

from ... import _core
from .. import _missing
from .._create import empty
from .._tensor import Tensor

__all__ = [
    "Buffer",
    "Parameter",
    "UninitializedBuffer",
    "UninitializedParameter",
    "UninitializedTensorMixin",
    "is_lazy",
]

_native = _core.ndarray
_detach, _as_subclass = _native.detach, _native.as_subclass


class Parameter(Tensor):
    """A tensor that shares the elements of another, and of which a gradient is asked for."""

    __module__ = "torch.nn.parameter"
    __slots__ = ()

    def __new__(cls, data=None, requires_grad=True):
        if data is None:
            data = empty(0)
        elif not isinstance(data, Tensor):
            raise AttributeError(f"{type(data).__name__!r} object has no attribute 'detach'")
        made = _as_subclass(_detach(data), cls)
        if requires_grad:
            made.requires_grad = True
        return made

    def __repr__(self):
        return "Parameter containing:\n" + super().__repr__()

    __str__ = __repr__

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = type(self)(_detach(self).clone(), self.requires_grad)
        return memo[id(self)]

    def __reduce_ex__(self, protocol):
        return _restored, (type(self) is Parameter or type(self), _detach(self), self.requires_grad)


def _restored(kind, data, requires_grad):
    """What pickles call: True is the class itself, else a class derived from it."""
    return (Parameter if kind is True else kind)(data, requires_grad)


# ---- Buffers -------------------------------------------------------------------------------------


class _KindOfBuffer(type):
    """Buffers are plain tensors that say so."""

    def __instancecheck__(cls, tensor):
        if not isinstance(tensor, Tensor):
            return False
        extra = _core._extra(tensor, False)
        return bool(extra and extra.get("_is_buffer"))


class Buffer(Tensor, metaclass=_KindOfBuffer):
    """Makes a tensor that a module takes for a buffer when it is assigned to it."""

    __module__ = "torch.nn.parameter"
    __slots__ = ()

    def __new__(cls, data=None, *, persistent=True):
        made = _detach(empty(0) if data is None else data)
        _core._extra(made, True).update(_is_buffer=True, persistent=persistent)
        return made


# ---- Without a shape -----------------------------------------------------------------------------

_SHAPE = (
    "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in "
    "`load_state_dict` when trying to load an uninitialized parameter into an initialized one. "
    "Call `forward` to initialize the parameters before accessing their attributes."
)
# What can be asked of a tensor that has no elements yet.
_KNOWN = {
    *("cls_to_become", "cpu", "cuda", "data", "device", "double", "dtype", "float", "grad"),
    *("grad_fn", "half", "is_complex", "is_cpu", "is_cuda", "is_floating_point", "is_leaf"),
    *("is_meta", "is_nested", "is_quantized", "is_sparse", "layout", "materialize", "persistent"),
    *("register_hook", "requires_grad", "requires_grad_", "to", "type"),
}
_OPERATORS = (
    "add radd iadd sub rsub isub mul rmul imul truediv rtruediv itruediv floordiv rfloordiv mod "
    "rmod "
    "pow rpow matmul rmatmul neg abs pos eq ne lt le gt ge getitem setitem len iter bool float int "
    "index complex array contains and or xor invert"
).split()


class UninitializedTensorMixin:
    """What parameters and buffers without a shape have in common."""

    __module__ = "torch.nn.parameter"
    __slots__ = ()

    def __getattribute__(self, name):
        if name in _KNOWN or name[0] == "_":
            return object.__getattribute__(self, name)
        if name in ("shape", "ndim", "size"):
            raise RuntimeError(_SHAPE)
        _refuse(name)

    def materialize(self, shape, device=None, dtype=None):
        """Give it a shape, and so make it a usual one; elements are of no particular value."""
        wanted, flows = dtype or self.dtype, self.requires_grad
        made = empty(shape, dtype=wanted, device=self.device if device is None else device)
        _core._become(self, made)
        self.__class__ = self.cls_to_become
        if flows:
            self.requires_grad = True

    def __repr__(self):
        return f"<{type(self).__name__}>"

    __str__ = __repr__

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, self.device, self.dtype)
        return memo[id(self)]

    def __reduce_ex__(self, protocol):
        name = type(self).__name__
        return _unmade, (name, self.requires_grad, str(self.device), self.dtype)


def _refuse(name):
    raise ValueError(
        f"Attempted to use an uninitialized parameter in {name}. This error usually happens when "
        "you are using a module whose lazy layers have not been called yet: call it once with data "
        "before."
    )


def _refusing(name):
    def method(self, *args, **kwargs):
        _refuse(name)

    method.__name__ = name
    return method


for _name in _OPERATORS:
    setattr(UninitializedTensorMixin, f"__{_name}__", _refusing(f"__{_name}__"))
UninitializedTensorMixin.__hash__ = object.__hash__
del _name


class UninitializedParameter(UninitializedTensorMixin, Parameter):
    """A parameter whose shape the first call of its module settles."""

    __module__ = "torch.nn.parameter"
    __slots__ = ()
    cls_to_become = Parameter

    def __new__(cls, requires_grad=True, device=None, dtype=None):
        return Parameter.__new__(cls, empty(0, dtype=dtype, device=device), requires_grad)


class UninitializedBuffer(UninitializedTensorMixin, Tensor):
    """A buffer whose shape the first call of its module settles."""

    __module__ = "torch.nn.parameter"
    __slots__ = ()
    cls_to_become = Tensor

    def __new__(cls, requires_grad=False, device=None, dtype=None, persistent=True):
        made = _as_subclass(empty(0, dtype=dtype, device=device), cls)
        _core._extra(made, True).update(_is_buffer=True, persistent=persistent)
        return made


def _unmade(name, requires_grad, device, dtype):
    """What pickles of those call."""
    return globals()[name](requires_grad, device, dtype)


def is_lazy(param):
    """Whether it has no shape yet."""
    return isinstance(param, UninitializedTensorMixin)


__getattr__ = _missing.missing("torch.nn.parameter")
