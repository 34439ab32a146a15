"""Functions of the elements of two tensors: an operation of the table each."""

from .. import _core
from ._assign import updated
from ._calls import both, public, refuse
from ._dialect import row
from ._tensor import BOOL, Tensor

__all__ = []

# PaddlePaddle's name -> the table's.
_BINARY = {
    "add": "add",
    "subtract": "subtract",
    "sub": "subtract",
    "multiply": "multiply",
    "mul": "multiply",
    "divide": "divide",
    "div": "divide",
    "true_divide": "divide",
    "floor_divide": "floor_divide",
    "mod": "remainder",
    "remainder": "remainder",
    "floor_mod": "remainder",
    "maximum": "maximum",
    "minimum": "minimum",
    "equal": "equal",
    "eq": "equal",
    "not_equal": "not_equal",
    "ne": "not_equal",
    "less_than": "less",
    "less": "less",
    "lt": "less",
    "less_equal": "less_equal",
    "le": "less_equal",
    "greater_than": "greater",
    "greater": "greater",
    "gt": "greater",
    "greater_equal": "greater_equal",
    "ge": "greater_equal",
    "logical_and": "logical_and",
    "logical_or": "logical_or",
    "logical_xor": "logical_xor",
    "bitwise_and": "bitwise_and",
    "bitwise_or": "bitwise_or",
    "bitwise_xor": "bitwise_xor",
    "bitwise_left_shift": "bitwise_left_shift",
    "bitwise_right_shift": "bitwise_right_shift",
    "atan2": "atan2",
    "logaddexp": "logaddexp",
    "hypot": "hypot",
    "copysign": "copysign",
    "nextafter": "nextafter",
}
# Those that take a number for the second operand.
_WITH_NUMBERS = {
    *("eq ne lt le gt ge less greater equal not_equal less_than less_equal greater_than").split(),
    *("greater_equal sub mul div true_divide remainder mod floor_mod floor_divide").split(),
}


def _unusual(name, operation):
    run = row(operation, name, "x:x1, y:x2")
    numbers = name in _WITH_NUMBERS

    def function(x, y):
        if not isinstance(y, Tensor):
            if not numbers or isinstance(y, (list, tuple, str)) or y is None:
                refuse(name, "y", 1, "Tensor", y)
        return run(x, y)

    function.__name__ = name
    return public(function)


for _name, _operation in _BINARY.items():
    globals()[_name] = row(
        *(_operation, _name, "x:x1, y:x2"),
        arrays=_name not in _WITH_NUMBERS,
        unusual=_unusual(_name, _operation),
    )
both(" ".join(_BINARY), globals(), __all__)
for _name in (
    "add subtract multiply divide floor_divide remainder mod floor_mod bitwise_and bitwise_or "
    "bitwise_xor logical_and logical_or logical_xor equal not_equal less_than less_equal "
    "greater_than greater_equal"
).split():
    updated(_name, globals()[_name], __all__, globals())
Tensor.sub_, Tensor.mul_, Tensor.div_ = Tensor.subtract_, Tensor.multiply_, Tensor.divide_
for _name in ("add", "subtract", "multiply", "divide", "remainder"):

    def _with_numbers(self, y, _update=getattr(Tensor, f"{_name}_"), _operator=_name):
        if not isinstance(y, Tensor):
            from ._assign import update

            return update(self, _OPERATORS[_operator](self, y))
        return _update(self, y)

    _with_numbers.__name__ = _with_numbers.__qualname__ = f"{_name}_"
    _with_numbers.__doc__ = f"As {_name}, into the tensor itself."
    setattr(Tensor, f"{_name}_", _with_numbers)
_OPERATORS = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "divide": lambda x, y: x / y,
    "remainder": lambda x, y: x % y,
}

# ---- Powers --------------------------------------------------------------------------------------

_pow = row("pow", "pow", "x:x1, y:x2")


def _check_exponent(x, y):
    if (
        type(y) is int
        and y < 0
        and isinstance(x, Tensor)
        and not (x.dtype.is_floating_point or x.dtype.is_complex)
    ):
        raise ValueError("(InvalidArgument) integers to negative integer powers are not allowed")


@public
def _any_pow(x, y):
    """x to the power of y, which may be a number; of integers a float is cut to an integer."""
    if not isinstance(y, (Tensor, int, float, complex)):
        raise TypeError(f"y must be scalar or tensor type, but received: {type(y)}")
    if type(y) is float and x.dtype._native.kind in "iu":
        y = int(y)
    _check_exponent(x, y)
    return _pow(x, y)


_any_pow.__wrapped__.__name__ = "pow"
pow = row("pow", "pow", "x:x1, y:x2", unusual=_any_pow, numbers=_any_pow, kinds="fc")
_native_pow = _core.ndarray.__pow__


def _operator_pow(self, other, modulus=None):
    """x to the power of another."""
    if type(other) is int and other < 0:
        _check_exponent(self, other)
    return _native_pow(self, other, modulus)


Tensor.__pow__ = row("pow", "pow", "x:x1, y:x2", unusual=_operator_pow, kinds="fc")

# ---- Others --------------------------------------------------------------------------------------

_where = row("where", "where", "condition, x:x1, y:x2")


def where(condition, x=None, y=None, name=None):
    """Elements of x where the condition holds, else of y; of the condition alone its places."""
    if x is None and y is None:
        from ._order import nonzero

        return nonzero(condition, as_tuple=True)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    if not isinstance(condition, Tensor):
        refuse("where", "condition", 0, "Tensor", condition)
    if condition.dtype is not BOOL:
        raise ValueError(
            f"The `condition` is expected to be a boolean Tensor, but got one of {condition.dtype}"
        )
    if not isinstance(x, Tensor) and not isinstance(y, Tensor):
        from ._create import to_tensor

        x = to_tensor(x)
    return _where(condition, x, y)


def _where_method(self, x, y=None):
    """The tensor as the condition, or where a condition holds, else another's elements."""
    return where(self, x, y)


_isclose = row("isclose", "isclose", "x:x1, y:x2, rtol=1e-05, atol=1e-08, equal_nan=False")
_allclose = row("allclose", "allclose", "x:x1, y:x2, rtol=1e-05, atol=1e-08, equal_nan=False")
_array_equal = row("array_equal", "equal_all", "x:x1, y:x2")


@public
def isclose(x, y, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether elements are nearly equal."""
    return _isclose(x, y, rtol, atol, equal_nan)


@public
def allclose(x, y, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether all elements are nearly equal, as a tensor."""
    return _allclose(x, y, rtol, atol, equal_nan)


@public
def equal_all(x, y):
    """Whether shapes and all elements are equal, as a tensor."""
    return _array_equal(x, y)


@public
def lerp(x, y, weight):
    """x + weight * (y - x)."""
    return x + weight * (y - x)


@public
def fmax(x, y):
    """The larger of both; where one is NaN, the other."""
    return _without_nan(x, y, maximum)


@public
def fmin(x, y):
    """The smaller of both; where one is NaN, the other."""
    return _without_nan(x, y, minimum)


maximum, minimum = globals()["maximum"], globals()["minimum"]


def _without_nan(x, y, of_both):
    return _where(x != x, y, _where(y != y, x, of_both(x, y)))


def add_n(inputs, name=None):
    """The sum of several tensors."""
    if isinstance(inputs, Tensor):
        return inputs.clone()
    if not isinstance(inputs, (list, tuple)) or not all(isinstance(one, Tensor) for one in inputs):
        refuse("add_n", "inputs", 0, "list of Tensors", inputs)
    for one in inputs[1:]:
        if one.shape != inputs[0].shape:
            raise ValueError(
                "(InvalidArgument) The input tensors of add_n must have the same shape, but have "
                f"{inputs[0].shape} and {one.shape}"
            )
    made = inputs[0].clone() if len(inputs) == 1 else inputs[0]
    for one in inputs[1:]:
        made = made + one
    return made


both("pow isclose allclose equal_all lerp fmax fmin", globals(), __all__)
__all__ += ["where", "add_n"]
Tensor.where = _where_method
updated("pow", pow, __all__, globals())
updated("lerp", lerp, __all__, globals())
del _name, _operation, _with_numbers
