"""Functions of elements: one operation of the table each. Of numbers alone, NumPy's results."""

from ... import _core
from ..._spellings import NUMPY
from .._composed import cube_root, nearest
from .._np_array import native_dtype
from ._table import composed, into, ndarray, of_numpy, op

__all__ = [
    *("cbrt", "copysign", "deg2rad", "degrees", "isneginf", "isposinf", "ldexp", "rad2deg"),
    *("radians", "rint"),
]

_ops = _core._ops

_UNARY = (
    *("abs", "absolute", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh"),
    *("bitwise_not", "ceil", "cos", "cosh", "exp", "expm1", "fabs", "fix", "floor", "invert"),
    *("isfinite", "isinf", "isnan", "log", "log10", "log1p", "log2", "logical_not", "negative"),
    *("reciprocal", "sign", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc"),
)
_BINARY = (
    *("add", "arctan2", "bitwise_and", "bitwise_or", "bitwise_xor", "divide", "equal", "greater"),
    *("greater_equal", "hypot", "less", "less_equal", "maximum", "minimum", "mod", "multiply"),
    *("not_equal", "power", "remainder", "subtract", "true_divide"),
)

# The operation's name, where it is another.
_OPERATIONS = NUMPY | {
    "bitwise_not": "bitwise_invert",
    "fabs": "abs",
    "fix": "trunc",
    "mod": "remainder",
    "true_divide": "divide",
}


def _add(name, signature):
    operation = _OPERATIONS.get(name, name)
    globals()[name] = op(operation, name, signature, numbers=of_numpy(name))


for _name in _UNARY:
    _add(_name, "x, out=None")
for _name in _BINARY:
    _add(_name, "x1, x2, out=None")
__all__ += [*_UNARY, *_BINARY]
del _name


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
    """The size of x1 and the sign of x2; integers stay integers."""
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
    return into(out, composed(nearest, x))


def cbrt(x, out=None):
    """The cube root."""
    if not isinstance(x, ndarray):
        return _of_numbers("cbrt", x)
    return into(out, _kept(x, composed(cube_root, x)))


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
