"""Modules that hold others: Sequential, ModuleList, ModuleDict, and the same for parameters."""

import operator
from collections import OrderedDict
from itertools import chain

from ... import _missing
from ..._dtypes import tensor_type
from ..._tensor import Tensor
from ..parameter import Parameter
from ...._common import holders
from ...._common.holders import indented
from ...._common.registered import MODULE, listed
from .module import Module, type_name

__all__ = ["ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"]


def _place(length, index):
    """An index as one from the beginning; IndexError if there is none."""
    index = operator.index(index)
    if not -length <= index < length:
        raise IndexError(f"index {index} is out of range")
    return index % length


class _Numbered(holders.Numbered, Module):
    """Modules under the names 0, 1, 2, ... or others, in order."""

    def _held(self):
        return self._modules

    def _put(self, name, module):
        self.add_module(name, module)

    def _name_at(self, index):
        names = list(self._modules)
        return names[_place(len(names), index)]

    def __setitem__(self, index, module):
        setattr(self, self._name_at(index), module)

    def insert(self, index, module):
        """Put a module before that of an index."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        length = len(self)
        if not -length <= index <= length:
            raise IndexError(f"Index out of range: {index}")
        modules = self._values()
        modules.insert(index, module)
        self._renumber(modules)
        return self

    def extend(self, modules):
        """Put modules at the end."""
        for one in modules:
            self.append(one)
        return self

    def pop(self, key):
        """Take the module of an index out, and give it."""
        found = self[key]
        del self[key]
        return found


class Sequential(_Numbered):
    """Modules that are called one after the other.

    >>> from penstock.torch import nn
    >>> nn.Sequential(nn.Linear(2, 3), nn.ReLU())
    Sequential(
      (0): Linear(in_features=2, out_features=3, bias=True)
      (1): ReLU()
    )
    """

    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, one in args[0].items():
                self.add_module(name, one)
        else:
            for at, one in enumerate(args):
                self.add_module(str(at), one)

    def forward(self, input):
        attributes = self.__dict__
        for name, kind in self._kinds.items():
            if kind == MODULE:
                input = attributes[name](input)
        return input

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(OrderedDict(listed(self, MODULE)[index]))
        return getattr(self, self._name_at(index))

    def __delitem__(self, index):
        modules = listed(self, MODULE)
        gone = modules[index] if isinstance(index, slice) else [modules[_place(len(self), index)]]
        for name, _ in gone:
            delattr(self, name)
        self._renumber(self._values())

    def _joined(self, other):
        if not isinstance(other, Sequential):
            raise ValueError(
                f"add operator supports only objects of Sequential class, but {type(other)} is "
                "given."
            )
        return [*self, *other]

    def __add__(self, other):
        return Sequential(*self._joined(other))

    def __iadd__(self, other):
        self._renumber(self._joined(other))
        return self

    def __mul__(self, times):
        if not isinstance(times, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(times)}")
        if times <= 0:
            raise ValueError(f"Non-positive multiplication factor {times} for {type(self)}")
        return Sequential(*self._values() * times)

    __rmul__ = __mul__

    def __imul__(self, times):
        self._renumber(list(self * times))
        return self


class ModuleList(_Numbered):
    """A list of modules that are found as parts of the module it is assigned to."""

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(self._values()[index])
        return getattr(self, self._name_at(index))

    def __delitem__(self, index):
        modules = self._values()
        if not isinstance(index, slice):
            index = _place(len(modules), index)
        del modules[index]
        self._renumber(modules)

    def extend(self, modules):
        """Put modules at the end."""
        if not hasattr(modules, "__iter__"):
            raise TypeError(
                f"ModuleList.extend should be called with an iterable, but got {type_name(modules)}"
            )
        return super().extend(list(modules))

    def __add__(self, other):
        return ModuleList(chain(self, other))

    def __iadd__(self, other):
        return self.extend(other)

    def __contains__(self, module):
        return any(one is module for one in self._values())

    def __repr__(self):
        texts = [repr(one) for one in self._values()]
        if not texts:
            return f"{self._get_name()}()"
        lines, begin = [], 0
        for at in range(1, len(texts) + 1):
            if at == len(texts) or texts[at] != texts[begin]:
                name = f"({begin})" if at - begin == 1 else f"({begin}-{at - 1})"
                many = "" if at - begin == 1 else f"{at - begin} x "
                lines.append(f"{name}: {many}{indented(texts[begin])}")
                begin = at
        return f"{self._get_name()}(\n  " + "\n  ".join(lines) + "\n)"


class _Named(holders.Named, Module):
    """What dictionaries of modules and of parameters have in common."""

    def pop(self, key, *default):
        """Take the value of a name out, and give it."""
        if default and key not in self:
            return default[0]
        found = self[key]
        del self[key]
        return found

    def update(self, given):
        """Put values in, from a dictionary or from pairs."""
        if hasattr(given, "items"):
            given = given.items()
        elif not hasattr(given, "__iter__"):
            raise TypeError(
                f"{type(self).__name__}.update should be called with an iterable of key/value "
                f"pairs, but got {type_name(given)}"
            )
        for at, pair in enumerate(given):
            if not hasattr(pair, "__len__") or len(pair) != 2:
                raise ValueError(
                    f"{type(self).__name__} update sequence element #{at} has not length 2"
                )
            self[pair[0]] = pair[1]


class ModuleDict(_Named):
    """Modules by name, which are found as parts of the module it is assigned to."""

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def _held(self):
        return self._modules

    def __getitem__(self, key):
        return self._modules[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]


# ---- Parameters ----------------------------------------------------------------------------------


def _held_value(value):
    """Tensors become parameters; others stay as they are."""
    plain = isinstance(value, Tensor) and not isinstance(value, Parameter)
    return Parameter(value) if plain else value


def _described(value, type_text):
    if not isinstance(value, Tensor):
        return f"Object of type: {type(value).__name__}"
    size = "x".join(map(str, value.shape))
    where = "" if value.device.type == "cpu" else f" ({value.device})"
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    return f"{kind} containing: [{type_text(value.dtype)} of size {size}{where}]"


class ParameterList(Module):
    """A list of parameters, and of other things, of the module it is assigned to."""

    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def _name_at(self, index):
        return str(_place(self._size, index))

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)([self[at] for at in range(*index.indices(self._size))])
        return getattr(self, self._name_at(index))

    def __setitem__(self, index, value):
        setattr(self, self._name_at(index), _held_value(value))

    def __len__(self):
        return self._size

    def __iter__(self):
        return iter([self[at] for at in range(self._size)])

    def append(self, value):
        """Put a value at the end."""
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values):
        """Put values at the end."""
        if not hasattr(values, "__iter__") or isinstance(values, Tensor):
            raise TypeError(
                "ParameterList.extend should be called with an iterable, but got "
                f"{type_name(values)}"
            )
        for one in values:
            self.append(one)
        return self

    def __iadd__(self, values):
        return self.extend(values)

    def pop(self, index=-1):
        """Take a value out, and give it."""
        values = list(self)
        found = values.pop(_place(self._size, index))
        for at in range(self._size):
            delattr(self, str(at))
        self._size = 0
        self.extend(values)
        return found

    def extra_repr(self):
        lines = (
            f"  ({at}): {_described(value, lambda one: str(one))}" for at, value in enumerate(self)
        )
        return "\n".join(lines)


class ParameterDict(_Named):
    """Parameters, and other things, by name, of the module it is assigned to."""

    def __init__(self, parameters=None):
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    def _held(self):
        return {key: self[key] for key in self._keys}

    def __getitem__(self, key):
        return getattr(self, key)

    def __setitem__(self, key, value):
        if not isinstance(key, str):
            raise TypeError(
                "Index given to ParameterDict cannot be used as a key as it is not a string (type "
                f"is '{type(key).__name__}')."
            )
        self._keys[key] = None
        setattr(self, key, _held_value(value))

    def __delitem__(self, key):
        del self._keys[key]
        delattr(self, key)

    def setdefault(self, key, default=None):
        """The value of a name, which becomes the default if there is none."""
        if key not in self._keys:
            self[key] = default
        return self[key]

    def popitem(self):
        """Take the last pair out, and give it."""
        key = next(reversed(self._keys))
        return key, self.pop(key)

    def get(self, key, default=None):
        """The value of a name, or the default."""
        return self[key] if key in self._keys else default

    def copy(self):
        """Another ParameterDict with the same values."""
        return ParameterDict(self._held())

    def extra_repr(self):
        lines = (f"  ({key}): {_described(value, tensor_type)}" for key, value in self.items())
        return "\n".join(lines)


__getattr__ = _missing.missing("torch.nn.modules.container")
