"""The pickle of a file: tensors become storages and views of them, under torch's names.

Objects of other classes are pickled by Python's rules, so that a module can be written; load reads
data only.
"""

import pickle
import sys
from collections import OrderedDict
from types import FunctionType

from .. import _core
from . import layout
from ._device import device
from ._dtypes import ALL, TITLES, dtype
from ._size import Size
from ._tensor import Storage, Tensor

_PACKAGE = __name__.rpartition(".")[0]  # penstock.torch, torch in files
_V3 = (ALL["uint16"], ALL["uint32"], ALL["uint64"])  # types that have no storages by name


class _Name:
    """A global of torch, by its name alone."""

    __slots__ = ("module", "name")

    def __init__(self, module, name):
        self.module, self.name = module, name

    def __call__(self):
        raise TypeError(f"{self.module}.{self.name} is a name in a file")


_UTILS = {
    name: _Name("torch._utils", f"_rebuild_{name}")
    for name in ("tensor_v2", "tensor_v3", "parameter", "parameter_with_state")
}
_FROM_TYPE = _Name("torch._tensor", "_rebuild_from_type_v2")
_LAYOUT = _Name("torch.serialization", "_get_layout")
_UNTYPED = _Name("torch.storage", "UntypedStorage")
_TENSOR, _DEVICE, _SIZE = (_Name("torch", name) for name in ("Tensor", "device", "Size"))
_STORAGES = {one: _Name("torch", f"{title}Storage") for one, title in TITLES.items()}
_DTYPES = {one: _Name("torch", name) for name, one in ALL.items()}


class Kept:
    """A storage that is written, and the tensors that are views of it."""

    __slots__ = ("key", "dtype", "size", "location", "tensors")

    def __init__(self, key, dtype, size, location):
        self.key, self.dtype, self.size, self.location = key, dtype, size, location
        self.tensors = []

    def identity(self):
        """How the pickle refers to it."""
        name = _UNTYPED if self.dtype in _V3 else _STORAGES[self.dtype]
        length = self.size if self.dtype in _V3 else self.size // self.dtype.itemsize
        return "storage", name, self.key, self.location, length


class Pickler(pickle._Pickler):
    """Writes a pickle; `kept` then has the storages that belong to it. `extra` ends their ids."""

    dispatch = pickle._Pickler.dispatch.copy()

    def __init__(self, file, protocol, extra=()):
        super().__init__(file, protocol)
        self._extra = extra
        self.kept = {}

    def persistent_id(self, obj):
        """The id of a storage; None for all else."""
        if isinstance(obj, Storage):
            obj = self._keep(obj._tensor)[0]
        if type(obj) is not Kept:
            return None
        if self.proto == 0:
            raise pickle.PicklingError("torch.save: pickle_protocol=0 has no words for tensors")
        return *obj.identity(), *self._extra

    def reducer_override(self, obj):
        """What objects of torch are made of."""
        if isinstance(obj, Tensor):
            return self._tensor(obj) if _is_plain(obj) else NotImplemented
        reduced = _REDUCED.get(type(obj))
        return NotImplemented if reduced is None else reduced(obj)

    def save_global(self, obj, name=None):
        """A class or function by its name: those of this package by torch's."""
        module = getattr(obj, "__module__", None) or ""
        if module == _PACKAGE or module.startswith(_PACKAGE + "."):
            module = "torch" + module[len(_PACKAGE) :]
        if module != "torch" and not module.startswith("torch."):
            return super().save_global(obj, name)
        name = name or getattr(obj, "__qualname__", obj.__name__)
        if "<locals>" in name:
            raise pickle.PicklingError(f"Can't pickle local object {obj!r}")
        return self._save_named(_Name(module, name), obj)

    def _save_named(self, one, obj=None):
        if self.proto >= 4:
            self.save(one.module)
            self.save(one.name)
            self.write(pickle.STACK_GLOBAL)
        else:
            self.write(f"c{one.module}\n{one.name}\n".encode())
        self.memoize(one if obj is None else obj)

    def _save_dtype(self, obj):
        self.save(_DTYPES[obj])

    dispatch[FunctionType] = save_global
    dispatch[_Name] = _save_named
    dispatch[dtype] = _save_dtype

    # ---- Tensors

    def _tensor(self, tensor):
        flows = _core._grad_info(tensor)[0]
        extra = {
            name: value
            for name, value in (_core._extra(tensor, False) or {}).items()
            if name not in ("_grad", "_retains")
        }
        if _is_parameter(tensor):
            plain = _core.ndarray.as_subclass(tensor.detach(), Tensor)
            given = plain, flows, OrderedDict()
            if not extra:
                return _UTILS["parameter"], given
            return _UTILS["parameter_with_state"], (*given, extra)
        function, given = self._view(tensor, flows)
        if type(tensor) is Tensor and not extra:
            return function, given
        kind = _TENSOR if type(tensor) is Tensor else type(tensor)
        return _FROM_TYPE, (function, kind, given, extra)

    def _view(self, tensor, flows):
        kept, offset, strides = self._keep(tensor)
        given = kept, offset, tuple(tensor.shape), strides, flows, OrderedDict()
        if kept.dtype in _V3:
            return _UTILS["tensor_v3"], (*given, kept.dtype)
        return _UTILS["tensor_v2"], given

    def _keep(self, tensor):
        """The storage of a tensor, and where in it the tensor is."""
        place, offset, strides, size = _core._layout(tensor)
        if any(step < 0 for step in strides):
            tensor = tensor.detach().clone()
            place, offset, strides, size = _core._layout(tensor)
        one = tensor.dtype
        place = place if size else ("empty", len(self.kept))
        kept = self.kept.get(place)
        if kept is None:
            kept = Kept(str(len(self.kept)), one, size, str(tensor.device))
            self.kept[place] = kept
        elif kept.dtype is not one:
            raise RuntimeError(
                "Cannot save multiple tensors or storages that view the same data as different "
                f"types: {kept.dtype} and {one}"
            )
        kept.tensors.append(tensor)
        return kept, offset, strides


def _is_plain(tensor):
    """Whether its class has no way of its own to be pickled."""
    return _is_parameter(tensor) or type(tensor).__reduce_ex__ is Tensor.__reduce_ex__


def _is_parameter(tensor):
    layers = sys.modules.get(f"{_PACKAGE}.nn.parameter")
    return layers is not None and type(tensor) is layers.Parameter


def _device_parts(one):
    return _DEVICE, (one.type,) if one.index is None else (one.type, one.index)


def _layout_parts(one):
    return _LAYOUT, (repr(one),)


_REDUCED = {
    device: _device_parts,
    layout: _layout_parts,
    Size: lambda one: (_SIZE, (tuple(one),)),
}

# ---- The elements of a storage -------------------------------------------------------------------


def content(kept):
    """The bytes of a storage, as far as saved tensors have them; 0 elsewhere. Waits."""
    for tensor in kept.tensors:
        if tensor.numel() * tensor.itemsize == kept.size and tensor.is_contiguous():
            return _core.ndarray.tobytes(tensor)
    return _scattered(kept)


def _scattered(kept):
    import numpy

    size = kept.dtype.itemsize
    kind = f"u{size}" if size < 16 else "c16"
    made = numpy.zeros(kept.size // size, kind)
    for tensor in kept.tensors:
        if tensor.numel():
            _, offset, strides, _ = _core._layout(tensor)
            steps = [step * size for step in strides]
            view = numpy.ndarray(tuple(tensor.shape), kind, made.data, offset * size, steps)
            elements = numpy.frombuffer(_core.ndarray.tobytes(tensor), kind)
            view[...] = elements.reshape(view.shape)
    return made.tobytes()
