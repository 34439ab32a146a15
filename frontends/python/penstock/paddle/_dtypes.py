"""Element types: paddle.float32 and the others, and what programs give in their place."""

from .._common.element_types import ElementType, FloatLimits, IntegerLimits


class dtype(ElementType):
    """The type of a tensor's elements; not equal to its name.

    >>> from penstock import paddle
    >>> print(paddle.float32, paddle.float32 == "float32", paddle.int64.itemsize)
    paddle.float32 False 8
    """

    __module__ = "paddle"
    __slots__ = ()

    @property
    def name(self):
        """The name in capitals: 'FLOAT32'."""
        return self._name.upper()

    def __repr__(self):
        return f"<DataType.{self.name}: {_NUMBERS[self._name]}>"

    def __str__(self):
        return f"paddle.{self._name}"

    def __format__(self, spec):
        return format(str(self), spec)

    def __reduce__(self):
        return named, (self._name,)


# The types with the numbers that they have in files and texts.
_NUMBERS = {
    "bool": 1,
    "uint8": 2,
    "int8": 3,
    "int16": 5,
    "int32": 7,
    "int64": 9,
    "float32": 10,
    "float64": 11,
    "complex64": 12,
    "complex128": 13,
    "float16": 15,
    "bfloat16": 16,
}
ALL = {name: dtype(name) for name in _NUMBERS}
BY_NATIVE = {one._native: one for one in ALL.values()}
_OTHER_NAMES = {
    **ALL,
    "float": ALL["float64"],
    "double": ALL["float64"],
    "half": ALL["float16"],
    "int": ALL["int64"],
    "long": ALL["int64"],
    "short": ALL["int16"],
    "single": ALL["float32"],
    "complex": ALL["complex128"],
    "uint16": ALL["bfloat16"],
}
BY_NAME = {  # also by Python's types
    **_OTHER_NAMES,
    **{one: _OTHER_NAMES[one.__name__] for one in (bool, int, float, complex)},
}
KNOWN = {**_OTHER_NAMES, **{one: one for one in ALL.values()}}


def named(name):
    """The element type of a name; what pickles call."""
    return ALL[name]


def as_dtype(given):
    """The element type of a dtype, a name, a type of NumPy or of Python; raises TypeError."""
    if type(given) is dtype:
        return given
    if isinstance(given, str):
        found = _OTHER_NAMES.get(given.removeprefix("paddle."))
    else:
        name = getattr(given, "name", getattr(given, "__name__", None))
        found = _OTHER_NAMES.get(name) if isinstance(name, str) else None
    if found is None:
        raise TypeError(f"dtype must be any of [{', '.join(ALL)}], but received {given!r}")
    return found


class finfo(FloatLimits):
    """The limits of a floating-point type."""

    __module__ = "paddle"
    __slots__ = ()

    def __init__(self, dtype):
        one = as_dtype(dtype)
        if not one.is_floating_point:
            raise ValueError(f"finfo: a floating-point type is needed, not {one!r}")
        super().__init__(one, one)

    def __repr__(self):
        names = ("min", "max", "eps", "resolution", "smallest_normal", "tiny")
        shown = ", ".join(f"{name}={getattr(self, name):g}" for name in names)
        return f"paddle.finfo({shown}, bits={self.bits}, dtype={self.dtype})"


class iinfo(IntegerLimits):
    """The limits of an integer type."""

    __module__ = "paddle"
    __slots__ = ()

    def __init__(self, dtype):
        one = as_dtype(dtype)
        if one._native.kind not in "iu":
            raise ValueError(f"iinfo: an integer type is needed, not {one!r}")
        super().__init__(one)

    def __repr__(self):
        return f"paddle.iinfo(min={self.min}, max={self.max}, bits={self.bits}, dtype={self.dtype})"
