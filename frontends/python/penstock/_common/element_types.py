"""Element types as dialects have them, and their limits."""

from .. import _core


class ElementType:
    """The type of a tensor's elements, by the library's name."""

    __slots__ = ("_native", "_name", "is_floating_point", "is_complex", "itemsize")

    def __init__(self, name):
        native = getattr(_core, name)
        self._native, self._name = native, name
        self.is_floating_point = native.kind == "f"
        self.is_complex = native.kind == "c"
        self.itemsize = native.itemsize


class Limits:
    """The least and the largest number of a type."""

    __slots__ = ("dtype", "bits", "min", "max")

    def __init__(self, one, native):
        self.dtype, self.bits = one._name, native.bits
        self.min, self.max = native.min, native.max


class FloatLimits(Limits):
    """The limits of a type whose numbers, or their parts, are of a floating-point type."""

    __slots__ = ("eps", "tiny", "smallest_normal", "resolution")

    def __init__(self, one, real):
        from .. import _types

        native = _types.finfo(real._native)
        super().__init__(one, native)
        self.eps = native.eps
        self.tiny = self.smallest_normal = native.smallest_normal
        self.resolution = 10.0 ** -{"float16": 3, "bfloat16": 2, "float32": 6}.get(real._name, 15)


class IntegerLimits(Limits):
    """The limits of an integer type."""

    __slots__ = ()

    def __init__(self, one):
        from .. import _types

        super().__init__(one, _types.iinfo(one._native))
