"""Functions of elements: one operation of the table each. Of numbers alone, NumPy's results."""

from ... import _core
from .._np_array import native_dtype
from ._table import composed, into, ndarray, of_numpy, op

__all__ = [
    *("cbrt", "copysign", "deg2rad", "degrees", "isneginf", "isposinf", "ldexp", "rad2deg"),
    *("radians", "rint"),
]

_ops = _core._ops

# MXNet's name -> the operation's, where they differ.
_UNARY = {
    "abs": "abs",
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctanh": "atanh",
    "bitwise_not": "bitwise_invert",
    "fabs": "abs",
    "fix": "trunc",
    "invert": "bitwise_invert",
}
_UNARY.update(
    (name, name)
    for name in (
        *("ceil", "cos", "cosh", "exp", "expm1", "floor", "isfinite", "isinf", "isnan", "log"),
        *("log10", "log1p", "log2", "logical_not", "negative", "reciprocal", "sign", "sin", "sinh"),
        *("sqrt", "square", "tan", "tanh", "trunc"),
    )
)

_BINARY = {
    "arctan2": "atan2",
    "mod": "remainder",
    "power": "pow",
    "true_divide": "divide",
}
_BINARY.update(
    (name, name)
    for name in (
        *("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "hypot"),
        *("bitwise_and", "bitwise_or", "bitwise_xor", "equal", "not_equal", "greater"),
        *("greater_equal", "less", "less_equal"),
    )
)

for _name, _operation in _UNARY.items():
    globals()[_name] = op(_operation, _name, "x, out=None", numbers=of_numpy(_name))
for _name, _operation in _BINARY.items():
    globals()[_name] = op(_operation, _name, "x1, x2, out=None", numbers=of_numpy(_name))
__all__ += [*_UNARY, *_BINARY]
del _name, _operation


def _of_numbers(name, *operands):
    """NumPy's result where no operand is an array; None otherwise."""
    if any(isinstance(operand, ndarray) for operand in operands):
        return None
    for operand in operands:
        if not isinstance(operand, (int, float)) and getattr(operand, "shape", None) != ():
            raise TypeError(f"{name}: type {type(operand)} not supported")
    return of_numpy(name)(*operands)


_copysign = op("copysign", "copysign", "x1, x2, out=None", numbers=of_numpy("copysign"))


def copysign(x1, x2, out=None):
    """The magnitude of x1 with the sign of x2; integers stay integers."""
    result = _copysign(x1, x2)
    return into(out, _kept(x1, result) if isinstance(x1, ndarray) else result)


def _kept(x, result):
    """A result with the element type of x, where that has integers."""
    dtype = native_dtype(x)
    return result.astype(dtype) if dtype.kind in "iu" else result


def rint(x, out=None):
    """The nearest integer; of two that are equally near the lower one."""
    if not isinstance(x, ndarray):
        return _of_numbers("rint", x)
    return into(out, composed(_nearest, x))


def _nearest(x):
    below = _ops["floor"](x)
    return _ops["where"](x - below > 0.5, below + 1, below)


def _cube_root(x):
    return _ops["copysign"](_ops["abs"](x) ** (1 / 3), x)


def cbrt(x, out=None):
    """The cube root."""
    if not isinstance(x, ndarray):
        return _of_numbers("cbrt", x)
    return into(out, _kept(x, composed(_cube_root, x)))


def degrees(x, out=None):
    """Radians as degrees."""
    if not isinstance(x, ndarray):
        return _of_numbers("degrees", x)
    return _scaled(x, 180 / 3.141592653589793, out)


def radians(x, out=None):
    """Degrees as radians."""
    if not isinstance(x, ndarray):
        return _of_numbers("radians", x)
    return _scaled(x, 3.141592653589793 / 180, out)


def _scaled(x, factor, out):
    return into(out, _kept(x, composed(_ops["multiply"], x, factor)))


rad2deg = degrees
deg2rad = radians


def isposinf(x, out=None):
    """Whether it is infinite and positive."""
    if not isinstance(x, ndarray):
        return _of_numbers("isposinf", x)
    return into(out, composed(_ops["equal"], x, float("inf")))


def isneginf(x, out=None):
    """Whether it is infinite and negative."""
    if not isinstance(x, ndarray):
        return _of_numbers("isneginf", x)
    return into(out, composed(_ops["equal"], x, -float("inf")))


def ldexp(x1, x2, out=None):
    """x1 times 2 to the power of x2."""
    numbers = _of_numbers("ldexp", x1, x2)
    if numbers is not None:
        return numbers
    return into(out, multiply(x1, power(2.0, x2)))  # noqa: F821
