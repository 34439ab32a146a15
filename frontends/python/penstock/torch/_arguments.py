"""Arguments by torch's rules: which objects a parameter takes, and what they become.

A signature is a text, "input: Tensor, dim: int = -1, *, out: Tensor? = None"; a kind with a
question mark takes None too. Signatures are taken apart when a call is first looked at, and that is
done for calls that are not plain: of rows of the table those that the row hands to `unusual`, of
functions made by `checked` those with types that were not seen before.
"""

import operator

from .. import _core
from ._device import device as _device
from ._dtypes import NAMES, dtype
from ._tensor import Tensor


class _Wrong(Exception):
    """A value is not of the kind of its parameter."""


# ---- Kinds ---------------------------------------------------------------------------------------


_NUMBERS = (int, float, complex, bool)


def _as_number(value):
    """A Python number as it is, and what a NumPy number is in Python; raises _Wrong."""
    if type(value) is int and not -(2**63) <= value < 2**64:
        raise OverflowError("int too big to convert")
    if type(value) in _NUMBERS:
        return value
    if hasattr(value, "dtype") and hasattr(value, "item") and not isinstance(value, Tensor):
        import numpy

        if isinstance(value, numpy.number):
            return value.item()
    elif isinstance(value, _NUMBERS):
        return value
    raise _Wrong


def _is_scalar_tensor(value):
    return isinstance(value, Tensor) and value.ndim == 0


def _tensor(value):
    if not isinstance(value, Tensor):
        raise _Wrong
    return value


def _int(value):
    if type(value) is int:
        return value
    if isinstance(value, Tensor):
        if value.ndim or value.dtype._native.kind not in "iu" or value.requires_grad:
            raise _Wrong
        return value.item()
    if (
        isinstance(value, bool)
        or not hasattr(type(value), "__index__")
        or hasattr(value, "shape")
        and value.shape
    ):
        raise _Wrong
    return operator.index(value)


def _ints(value):
    """A sequence of integers; after the first, truth values count too."""
    if not isinstance(value, (tuple, list)):
        raise _Wrong
    return tuple(_int(one) if not at else _later_int(one) for at, one in enumerate(value))


def _later_int(value):
    return int(value) if isinstance(value, bool) else _int(value)


def _int_or_ints(value):
    if isinstance(value, Tensor) and value.ndim and value.numel() == 1:
        value = value.reshape(())
    return _ints(value) if isinstance(value, (tuple, list)) else _int(value)


def _bool(value):
    if not isinstance(value, bool):
        raise _Wrong
    return value


def _number(value):
    """A number; a tensor without dimensions stays one, so that nothing waits."""
    if _is_scalar_tensor(value) and not value.requires_grad:
        return value
    return _as_number(value)


def _operand(value):
    return value if isinstance(value, Tensor) else _as_number(value)


def _float(value):
    if isinstance(value, Tensor):
        if value.ndim or value.dtype.is_complex or value.requires_grad:
            raise _Wrong
        return float(value)
    number = _as_number(value)
    if isinstance(number, complex):
        raise _Wrong
    return float(number)


def _text(value):
    if not isinstance(value, str):
        raise _Wrong
    return value


_OF_PYTHON = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}


def _dtype(value):
    if isinstance(value, dtype):
        return value
    if isinstance(value, type) and value in _OF_PYTHON:
        return NAMES[_OF_PYTHON[value]]
    raise _Wrong


def _place(value):
    if isinstance(value, _device):
        return value
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise _Wrong
    return _device(value)


def _tensors(value):
    if not isinstance(value, (tuple, list)):
        raise _Wrong
    return value


def _generator(value):
    if not isinstance(value, _core.Generator):
        raise _Wrong
    return value


_KINDS = {
    "Tensor": (_tensor, "Tensor"),
    "Tensors": (_tensors, "tuple of Tensors"),
    "operand": (_operand, "Tensor"),
    "number": (_number, "Number"),
    "int": (_int, "int"),
    "ints": (_ints, "tuple of ints"),
    "int or ints": (_int_or_ints, "tuple of ints"),
    "bool": (_bool, "bool"),
    "float": (_float, "float"),
    "str": (_text, "str"),
    "dtype": (_dtype, "torch.dtype"),
    "device": (_place, "torch.device"),
    "Generator": (_generator, "torch.Generator"),
    "any": (lambda value: value, "object"),
}

# Types whose values are what they are: calls with these alone need not be looked at twice.
_SIMPLE = {
    "Tensor": lambda cls: issubclass(cls, Tensor),
    "Tensors": lambda cls: cls in (tuple, list),
    "operand": lambda cls: issubclass(cls, Tensor) or cls in (int, float, bool, complex),
    "number": lambda cls: cls in (int, float, bool, complex),
    "int": lambda cls: cls is int,
    "int or ints": lambda cls: cls is int,
    "bool": lambda cls: cls is bool,
    "float": lambda cls: cls is float,
    "str": lambda cls: cls is str,
    "dtype": lambda cls: cls is dtype,
    "device": lambda cls: cls is _device,
}

# ---- Signatures ----------------------------------------------------------------------------------

_NUMPY = {
    "axis": "dim",
    "keepdims": "keepdim",
    "x": "input",
    "a": "input",
    "x1": "input",
    "x2": "other",
}


class _Parameter:
    __slots__ = ("name", "kind", "none", "required", "by_name")

    def __init__(self, text, by_name):
        name, _, rest = text.partition(":")
        kind, _, default = rest.partition("=")
        kind = kind.strip()
        self.name, self.by_name, self.required = name.strip(), by_name, not default
        self.none = kind.endswith("?")
        self.kind = kind.rstrip("?")

    def take(self, value):
        """What the value becomes; raises _Wrong."""
        if value is None and self.none:
            return None
        return _KINDS[self.kind][0](value)

    def is_simple(self, cls):
        """Whether all values of a type are taken as they are."""
        if cls is type(None):
            return self.none
        return self.kind in _SIMPLE and _SIMPLE[self.kind](cls)


class _Signature:
    __slots__ = ("parameters", "positional")

    def __init__(self, text):
        self.parameters, by_name = [], False
        for part in text.split(", "):
            if part == "*":
                by_name = True
            elif part:
                self.parameters.append(_Parameter(part, by_name))
        self.positional = sum(not one.by_name for one in self.parameters)

    def bind(self, name, args, kwargs, numpy):
        """The values by name, or by NumPy's name; raises TypeError."""
        if len(args) > self.positional:
            raise TypeError(
                f"{name}() takes {self.positional} positional arguments but {len(args)} were given"
            )
        given, found = dict(kwargs), []
        for at, one in enumerate(self.parameters):
            if at < len(args) and not one.by_name:
                found.append((one, args[at], f" (position {at + 1})"))
            elif (key := _spelled(one.name, given, numpy)) is not None:
                found.append((one, given.pop(key), ""))
            elif one.required:
                raise TypeError(f'{name}() missing 1 required positional arguments: "{one.name}"')
        if given:
            raise TypeError(f"{name}() got an unexpected keyword argument '{next(iter(given))}'")
        return {one.name: self._taken(name, one, value, where) for one, value, where in found}

    @staticmethod
    def _taken(name, parameter, value, where):
        try:
            return parameter.take(value)
        except _Wrong:
            raise TypeError(
                f"{name}(): argument '{parameter.name}'{where} must be "
                f"{_KINDS[parameter.kind][1]}, not {type(value).__name__}"
            ) from None

    def is_simple(self, args, kwargs):
        """Whether all calls with arguments of these types, by these names, are right."""
        by_name = {one.name: one for one in self.parameters}
        pairs = [*zip(self.parameters, args), *((by_name.get(k), v) for k, v in kwargs.items())]
        return all(one is not None and one.is_simple(type(value)) for one, value in pairs)


def _spelled(name, given, numpy):
    if name in given or not numpy:
        return name if name in given else None
    return next((key for key in given if _NUMPY.get(key) == name), None)


_signatures = {}


def _signature(text):
    found = _signatures.get(text)
    if found is None:
        found = _signatures[text] = _Signature(text)
    return found


def find(name, signatures, args, kwargs, numpy=True):
    """The first signature that takes the arguments, and their values by name; raises TypeError."""
    for text in signatures:
        signature = _signature(text)
        try:
            return signature, signature.bind(name, args, kwargs, numpy)
        except TypeError:
            if len(signatures) == 1:
                raise
    got = [type(one).__name__ for one in args]
    got += [f"{key}={type(value).__name__}" for key, value in kwargs.items()]
    raise TypeError(
        f"{name}() received an invalid combination of arguments - got ({', '.join(got)}), but "
        "expected one of:\n" + "\n".join(f" * ({text})" for text in signatures)
    )


# ---- Calls ---------------------------------------------------------------------------------------


def look_again(function, known, key, signatures, args, kwargs, numpy):
    """Calls a function of `checked` by its signatures; remembers types that tell all."""
    signature, values = find(function.__name__, signatures, args, kwargs, numpy)
    made = function(**values)
    places = tuple(one.name for one in signature.parameters[: len(args)])
    if places == function.__code__.co_varnames[: len(args)] and signature.is_simple(args, kwargs):
        known.add(key)
    return made


def run_unusual(run, name, known, key, signatures, args, kwargs):
    """Calls a row of the table that was not called plainly, perhaps into `out`; remembers types."""
    signature, values = find(name, signatures, args, kwargs)
    out = values.pop("out", None)
    if out is not None:
        from ._output import into

        return into(name, run, values, out)
    made = run(**values)
    if not kwargs and list(values) == [one.name for one in signature.parameters[: len(args)]]:
        if signature.is_simple(args, kwargs):
            known.add(key)
    return made
