"""Functions about element types, and what the array API standard wants to know of a library."""

from . import _core

__all__ = [
    "__array_namespace_info__",
    "astype",
    "can_cast",
    "finfo",
    "iinfo",
    "isdtype",
    "result_type",
]

_parse = _core._dtype
_promote = _core._promote

_BOOL = ("bool",)
_SIGNED = ("int8", "int16", "int32", "int64")
_UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
_REAL = ("float16", "bfloat16", "float32", "float64")
_COMPLEX = ("complex64", "complex128")

_KINDS = {
    "bool": _BOOL,
    "signed integer": _SIGNED,
    "unsigned integer": _UNSIGNED,
    "integral": _SIGNED + _UNSIGNED,
    "real floating": _REAL,
    "complex floating": _COMPLEX,
    "numeric": _SIGNED + _UNSIGNED + _REAL + _COMPLEX,
}


def astype(x, dtype, /, *, copy=True, device=None):
    """The elements as another type; the array itself if it has that type and copy is False.

    >>> ps.astype(ps.array([1.7, -1.7]), ps.int32)
    array([ 1, -1], dtype=int32)
    """
    made = x.astype(dtype, copy=copy)
    return made if device is None else _core._ops["to_device"](made, device=device)


def _dtype_of(one):
    """The element type that an object is, or has."""
    return _parse(one if isinstance(one, (type, str)) else getattr(one, "dtype", one))


# ---- Common types ----------------------------------------------------------------------------


def _with_number(dtype, number):
    """The type of an array beside a Python number, which has a kind but no width."""
    if isinstance(number, bool):
        return dtype
    if isinstance(number, int):
        return _core.int64 if dtype.kind == "b" else dtype
    if isinstance(number, float):
        return _core.float32 if dtype.kind in "biu" else dtype
    if dtype.kind == "c":
        return dtype
    return _core.complex128 if dtype == "float64" else _core.complex64


def result_type(*arrays_and_dtypes):
    """The element type that an operation on all of them gives; Python's numbers are weak.

    >>> ps.result_type(ps.int32, ps.ones(2), 1.5)
    penstock.float32
    """
    found, numbers = None, []
    for one in arrays_and_dtypes:
        if isinstance(one, (bool, int, float, complex)):
            numbers.append(one)
            continue
        dtype = _dtype_of(one)
        found = dtype if found is None else _promote(found, dtype)
    if found is None and not numbers:
        raise ValueError("result_type: at least one array, element type or number is needed")
    if found is None:
        found = _core.bool
    for number in numbers:
        found = _with_number(found, number)
    return found


def can_cast(from_, to, /):
    """Whether a type goes into another by the rules of promotion.

    >>> ps.can_cast(ps.int8, ps.int64), ps.can_cast(ps.float64, ps.float32)
    (True, False)
    """
    to = _parse(to)
    return _promote(_dtype_of(from_), to) == to


def isdtype(dtype, kind):
    """Whether an element type is of a kind: a name of the array API standard, a type, or several.

    >>> ps.isdtype(ps.float16, 'real floating')
    True
    """
    dtype = _parse(dtype)
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ValueError(f"isdtype: kind must be one of {list(_KINDS)}, not {kind!r}")
        return dtype.name in _KINDS[kind]
    return dtype == _parse(kind)


# ---- Limits ----------------------------------------------------------------------------------


class _Info:
    """What finfo and iinfo give: numbers by name."""

    def __init__(self, kind, **values):
        self._kind = kind
        self.__dict__.update(values)

    def __repr__(self):
        shown = ", ".join(f"{k}={v}" for k, v in vars(self).items() if k != "_kind")
        return f"{self._kind}({shown})"


# Bits, digits behind the point of the significand, largest exponent.
_FLOATS = {
    "float16": (16, 10, 15),
    "bfloat16": (16, 7, 127),
    "float32": (32, 23, 127),
    "float64": (64, 52, 1023),
}
_PARTS = {"complex64": "float32", "complex128": "float64"}


def finfo(dtype, /):
    """Limits of a floating-point type: bits, eps, max, min, smallest_normal, tiny, dtype.

    >>> ps.finfo(ps.float32).bits
    32
    """
    dtype = _dtype_of(dtype)
    name = _PARTS.get(dtype.name, dtype.name)
    if name not in _FLOATS:
        raise TypeError(f"finfo: a floating-point type is needed, not {dtype}")
    bits, digits, exponent = _FLOATS[name]
    largest = (2.0 - 2.0**-digits) * 2.0**exponent
    smallest = 2.0 ** (1 - exponent)
    return _Info(
        "finfo",
        bits=bits,
        eps=2.0**-digits,
        max=largest,
        min=-largest,
        smallest_normal=smallest,
        tiny=smallest,
        dtype=_parse(name),
    )


def iinfo(dtype, /):
    """Limits of an integer type: bits, max, min, dtype.

    >>> ps.iinfo(ps.int8).max
    127
    """
    dtype = _dtype_of(dtype)
    if dtype.kind not in "iu":
        raise TypeError(f"iinfo: an integer type is needed, not {dtype}")
    bits = 8 * dtype.itemsize
    low = -(2 ** (bits - 1)) if dtype.kind == "i" else 0
    return _Info("iinfo", bits=bits, max=low + 2**bits - 1, min=low, dtype=dtype)


# ---- Inspection ------------------------------------------------------------------------------


class __array_namespace_info__:
    """What the library can do, as the array API standard asks.

    >>> ps.__array_namespace_info__().default_device()
    'cpu:0'
    """

    def capabilities(self):
        """Boolean indexing, shapes that depend on values, and the most dimensions."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 32}

    def default_device(self):
        """Where arrays are made."""
        return "cpu:0"

    def devices(self):
        """All devices."""
        return ["cpu:0"]

    def default_dtypes(self, *, device=None):
        """Element types that Python's numbers become."""
        return {
            "real floating": _core.float32,
            "complex floating": _core.complex64,
            "integral": _core.int64,
            "indexing": _core.int64,
        }

    def dtypes(self, *, device=None, kind=None):
        """The element types of a kind by name; those of the standard if none is given."""
        names = _BOOL + _KINDS["numeric"]
        if kind is not None:
            names = [name for name in names if isdtype(name, kind)]
        return {name: _parse(name) for name in names}
