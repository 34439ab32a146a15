"""Element types: torch.float32 and the others, each one object under all of its names."""

from .._common.element_types import ElementType, FloatLimits, IntegerLimits


class dtype(ElementType):
    """The type of a tensor's elements.

    >>> from penstock import torch
    >>> torch.float32, torch.long, torch.float16.is_floating_point, torch.float64.itemsize
    (torch.float32, torch.int64, True, 8)
    """

    __module__ = "torch"
    __slots__ = ("is_signed",)

    def __init__(self, name):
        super().__init__(name)
        self.is_signed = self._native.kind in "ifc"

    def __repr__(self):
        return f"torch.{self._name}"

    def __reduce__(self):
        return named, (self._name,)

    def to_complex(self):
        """The complex type whose parts have this type's precision."""
        if not self.is_floating_point and not self.is_complex:
            raise RuntimeError(f"Unknown Complex ScalarType for {self}")
        if self.itemsize == 2:
            raise NotImplementedError(f"{self}.to_complex(): complex32 is not here")
        return ALL["complex128" if self._name in ("float64", "complex128") else "complex64"]

    def to_real(self):
        """The type of the parts of a complex type; other types themselves."""
        return ALL[{"complex64": "float32", "complex128": "float64"}.get(self._name, self._name)]


# By their own names, with how torch's older texts call tensors of them.
_TITLES = {
    "bool": "Bool",
    "uint8": "Byte",
    "int8": "Char",
    "int16": "Short",
    "int32": "Int",
    "int64": "Long",
    "uint16": "UInt16",
    "uint32": "UInt32",
    "uint64": "UInt64",
    "float16": "Half",
    "bfloat16": "BFloat16",
    "float32": "Float",
    "float64": "Double",
    "complex64": "ComplexFloat",
    "complex128": "ComplexDouble",
}
_ALIASES = {
    "short": "int16",
    "int": "int32",
    "long": "int64",
    "half": "float16",
    "float": "float32",
    "double": "float64",
    "cfloat": "complex64",
    "cdouble": "complex128",
}

ALL = {name: dtype(name) for name in _TITLES}
BY_NATIVE = {one._native: one for one in ALL.values()}
BY_CLASS = {  # Python's own
    bool: ALL["bool"],
    int: ALL["int64"],
    float: ALL["float64"],
    complex: ALL["complex128"],
}
NAMES = {**ALL, **{alias: ALL[name] for alias, name in _ALIASES.items()}}
TITLES = {ALL[name]: title for name, title in _TITLES.items()}


def named(name):
    """The element type of a name; what pickles call."""
    return ALL[name]


def tensor_type(one):
    """How torch calls the class of tensors of an element type: 'torch.FloatTensor'."""
    return f"torch.{TITLES[one]}Tensor"


class finfo(FloatLimits):
    """The limits of a floating-point type."""

    __module__ = "torch"
    __slots__ = ()

    def __init__(self, type=None):
        from ._dialect import default_dtype

        one = default_dtype() if type is None else type
        if not isinstance(one, dtype) or not (one.is_floating_point or one.is_complex):
            raise TypeError(f"finfo: a floating-point type is needed, not {one!r}")
        super().__init__(one, one.to_real())

    def __repr__(self):
        names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        shown = ", ".join(f"{name}={getattr(self, name):g}" for name in names)
        return f"finfo({shown}, dtype={self.dtype})"


class iinfo(IntegerLimits):
    """The limits of an integer type."""

    __module__ = "torch"
    __slots__ = ()

    def __init__(self, type):
        if not isinstance(type, dtype) or type._native.kind not in "iu":
            raise TypeError(f"iinfo: an integer type is needed, not {type!r}")
        super().__init__(type)

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"
