"""Functions of mx.nd over elements: of one array, of two, of many."""

import operator
from math import hypot as _hypot, pi

from ... import _core
from ..._function import Function
from ..._spellings import NUMPY
from .. import _composed
from .._composed import bound, cube_root, nearest
from .._nd_array import element_type
from ..base import MXNetValueError
from ._call import array, arrays, call, into, known, ops, required, table

_dtype = _core.ndarray.dtype.__get__

_UNARY = (
    *("abs", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "ceil", "cos", "cosh"),
    *("erf", "exp", "expm1", "fix", "floor", "log", "log10", "log1p", "log2", "logical_not"),
    *("negative", "reciprocal", "relu", "rsqrt", "sigmoid", "sign", "sin", "sinh", "softsign"),
    *("sqrt", "square", "tan", "tanh", "trunc"),
)
_BINARY = (
    *("add", "div", "equal", "greater", "greater_equal", "hypot", "lesser", "lesser_equal"),
    *("logical_and", "logical_or", "logical_xor", "maximum", "minimum", "minus", "mod", "mul"),
    *("not_equal", "plus", "power", "sub"),
)

# The operation's name, where it is another.
_OPERATIONS = NUMPY | {
    "div": "divide",
    "fix": "trunc",
    "lesser": "less",
    "lesser_equal": "less_equal",
    "minus": "subtract",
    "mod": "modulo",
    "mul": "multiply",
    "plus": "add",
    "sub": "subtract",
}

for _name in _UNARY:
    globals()[_name] = table(_OPERATIONS.get(_name, _name), _name, "data:x")
for _name in _BINARY:
    _function, _operation = f"broadcast_{_name}", _OPERATIONS.get(_name, _name)
    globals()[_function] = table(
        _operation, _function, "lhs:x1, rhs:x2", ignored=", axis:_=None"
    )
del _name, _function, _operation

__all__ = [
    *_UNARY,
    *(f"broadcast_{name}" for name in _BINARY),
    *("BlockGrad", "Cast", "ElementWiseSum", "add", "add_n", "all_finite", "amp_cast", "cast"),
    *("cbrt", "clip"),
    *("degrees", "divide", "elemwise_add", "elemwise_div", "elemwise_mul", "elemwise_sub", "equal"),
    *("greater", "greater_equal", "hard_sigmoid", "hypot", "identity"),
    *("lesser", "lesser_equal", "logical_and", "logical_or", "logical_xor", "make_loss", "maximum"),
    *("minimum", "modulo", "multiply", "not_equal", "power", "radians", "rcbrt", "rint", "round"),
    *("smooth_l1", "stop_gradient", "subtract", "true_divide"),
]


# ---- Two arrays, or an array and a number --------------------------------------------------------


def add(lhs, rhs):
    """Sum of the operands."""
    return lhs + rhs


def subtract(lhs, rhs):
    """Difference of the operands."""
    return lhs - rhs


def multiply(lhs, rhs):
    """Product of the operands."""
    return lhs * rhs


def divide(lhs, rhs):
    """Quotient of the operands; of integers it is cut toward zero."""
    return lhs / rhs


true_divide = divide


def modulo(lhs, rhs):
    """What division leaves; it has the divisor's sign."""
    return lhs % rhs


def power(base, exp):
    """The first operand raised to the power of the second."""
    return base**exp


_TURNED = {
    operator.eq: operator.eq,
    operator.ne: operator.ne,
    operator.gt: operator.lt,
    operator.ge: operator.le,
    operator.lt: operator.gt,
    operator.le: operator.ge,
}


def _compared(compare, lhs, rhs):
    if isinstance(rhs, _core.ndarray) and not isinstance(lhs, _core.ndarray):
        # A number of NumPy's would make an array of itself.
        compare, lhs, rhs = _TURNED[compare], rhs, lhs
    result = compare(lhs, rhs)
    return int(result) if isinstance(result, bool) else result


def equal(lhs, rhs):
    """1 where the operands are equal, else 0."""
    return _compared(operator.eq, lhs, rhs)


def not_equal(lhs, rhs):
    """1 where the operands differ, else 0."""
    return _compared(operator.ne, lhs, rhs)


def greater(lhs, rhs):
    """1 where lhs > rhs, else 0."""
    return _compared(operator.gt, lhs, rhs)


def greater_equal(lhs, rhs):
    """1 where lhs >= rhs, else 0."""
    return _compared(operator.ge, lhs, rhs)


def lesser(lhs, rhs):
    """1 where lhs < rhs, else 0."""
    return _compared(operator.lt, lhs, rhs)


def lesser_equal(lhs, rhs):
    """1 where lhs <= rhs, else 0."""
    return _compared(operator.le, lhs, rhs)


def _of_two(operation, name, numbers):
    return table(operation, name, "lhs:x1, rhs:x2", numbers)


maximum = _of_two("maximum", "maximum", max)
minimum = _of_two("minimum", "minimum", min)
hypot = _of_two("hypot", "hypot", _hypot)
logical_and = _of_two("logical_and", "logical_and", lambda lhs, rhs: int(bool(lhs) and bool(rhs)))
logical_or = _of_two("logical_or", "logical_or", lambda lhs, rhs: int(bool(lhs) or bool(rhs)))
logical_xor = _of_two("logical_xor", "logical_xor", lambda lhs, rhs: int(bool(lhs) != bool(rhs)))


# ---- Arrays of one shape -------------------------------------------------------------------------


def _alike(name, first, others):
    for other in others:
        if array("rhs", other).shape != first.shape:
            raise MXNetValueError(f"{name}: shapes {first.shape} and {other.shape} differ")


def _elemwise(name, operation):
    run = table(operation, name, "lhs:x1, rhs:x2")

    def function(lhs, rhs, out=None, name=None):
        _alike(function.__name__, array("lhs", lhs), (rhs,))
        return run(lhs, rhs, out)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{run.__doc__.splitlines()[0]} The shapes must be the same."
    return function


elemwise_add = _elemwise("elemwise_add", "add")
elemwise_sub = _elemwise("elemwise_sub", "subtract")
elemwise_mul = _elemwise("elemwise_mul", "multiply")
elemwise_div = _elemwise("elemwise_div", "divide")


def add_n(*args, out=None, name=None, num_args=None, **unknown):
    """The sum of several arrays of one shape."""
    known("add_n", unknown)
    if not args:
        raise MXNetValueError("add_n: at least one array is needed")
    first, *others = arrays(args)
    _alike("add_n", first, others)
    total = first if others else first.copy()
    for other in others:  # not in place: that is refused where operations are recorded
        total = total + other
    return into(out, total)


ElementWiseSum = add_n


# ---- One array, composed -------------------------------------------------------------------------


def _keeping_type(function):
    """A function of mx.nd around one of native arrays, which keeps the element type."""
    name = function.__name__

    def composed(data, out=None, name=None):
        x = array("data", data)
        result = call(function, x)
        if result.dtype is not x.dtype:
            result = result.astype(x.dtype)
        return into(out, result)

    composed.__name__ = composed.__qualname__ = name
    composed.__doc__ = function.__doc__
    return composed


@_keeping_type
def cbrt(x):
    """Cube root."""
    return cube_root(x)


@_keeping_type
def rcbrt(x):
    """One over the cube root."""
    return 1 / cube_root(x)


@_keeping_type
def round(x):
    """Rounded to the nearest integer, halves away from zero."""
    if x.dtype.kind != "f":
        return ops["copy"](x)
    whole = ops["trunc"](x)
    return ops["where"](ops["abs"](x - whole) >= 0.5, whole + ops["sign"](x), whole)


@_keeping_type
def rint(x):
    """Rounded to the nearest integer, halves down."""
    return nearest(x)


@_keeping_type
def degrees(x):
    """Radians as degrees."""
    return x * (180 / pi)


@_keeping_type
def radians(x):
    """Degrees as radians."""
    return x * (pi / 180)


@_keeping_type
def all_finite(x):
    """1 if no element is infinite or NaN, else 0; as float32."""
    return ops["cast"](ops["all"](ops["isfinite"](x)).reshape((1,)), "float32")


identity = table("copy", "identity", "data:x")


class _Loss(Function):
    """A copy whose gradient is 1, whatever flows to it."""

    @staticmethod
    def forward(ctx, x):
        return identity(x)

    @staticmethod
    def backward(ctx, gradient):
        plain = gradient.as_subclass(_core.ndarray)
        return ops["ones"](plain.shape, dtype=plain.dtype, device=plain.device)


def make_loss(data, out=None, name=None):
    """A copy as the end of a graph: its gradient is 1, whatever flows to it."""
    return into(out, _Loss.apply(array("data", data)))


def stop_gradient(data, out=None, name=None):
    """A copy through which no gradient flows."""
    return identity(array("data", data).detach(), out=out)


BlockGrad = stop_gradient


def cast(data, dtype=None, out=None, name=None):
    """The elements as another type."""
    required("cast", dtype=dtype)
    return into(out, ops["cast"](array("data", data), element_type(dtype)))


Cast = amp_cast = cast


def hard_sigmoid(data, alpha=0.2, beta=0.5, out=None, name=None, **unknown):
    """alpha * x + beta, but at least 0 and at most 1."""
    known("hard_sigmoid", unknown)
    return into(out, clip(array("data", data) * alpha + beta, 0, 1))


def smooth_l1(data, scalar=1.0, out=None, name=None, **unknown):
    """The absolute value, smoothed to a parabola between -1/scalar**2 and 1/scalar**2."""
    known("smooth_l1", unknown)
    return into(out, call(_composed.smooth_l1, array("data", data), scalar))


_clip = table("clip", "clip", "data:x, a_min:min, a_max:max")


def _clip_crossed(x, low, high):
    return ops["where"](x > high, high, ops["where"](x < low, low, x))


def clip(data, a_min=None, a_max=None, out=None, name=None, **unknown):
    """The elements, but at least a_min and at most a_max."""
    known("clip", unknown)
    required("clip", a_min=a_min, a_max=a_max)
    if a_min > a_max:
        return into(out, call(_clip_crossed, array("data", data), a_min, a_max))
    dtype = _dtype(array("data", data))
    return _clip(data, bound(dtype, a_min), bound(dtype, a_max), out)
