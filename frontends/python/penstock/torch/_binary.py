"""Functions of the elements of two tensors: an operation of the table each, in torch's words."""

from .. import _core
from ._attach import both
from ._checked import checked, checked_row
from ._dialect import refuse_type, row
from ._dtypes import ALL
from ._output import given
from ._ranks import result_type
from ._tensor import Tensor
from ._unary import exp, isnan, log, trunc

__all__ = []
_bool, _float64 = ALL["bool"], ALL["float64"]

# ---- Of two --------------------------------------------------------------------------------------

_BINARY = {
    "arctan2": "atan2",
    "atan2": "atan2",
    "bitwise_and": "bitwise_and",
    "bitwise_left_shift": "bitwise_left_shift",
    "bitwise_or": "bitwise_or",
    "bitwise_right_shift": "bitwise_right_shift",
    "bitwise_xor": "bitwise_xor",
    "copysign": "copysign",
    "eq": "equal",
    "floor_divide": "floor_divide",
    "fmod": "fmod",
    "ge": "greater_equal",
    "greater": "greater",
    "greater_equal": "greater_equal",
    "gt": "greater",
    "hypot": "hypot",
    "le": "less_equal",
    "less": "less",
    "less_equal": "less_equal",
    "logaddexp": "logaddexp",
    "logical_and": "logical_and",
    "logical_or": "logical_or",
    "logical_xor": "logical_xor",
    "lt": "less",
    "maximum": "maximum",
    "minimum": "minimum",
    "mul": "multiply",
    "multiply": "multiply",
    "ne": "not_equal",
    "nextafter": "nextafter",
    "not_equal": "not_equal",
    "remainder": "remainder",
}
_TENSORS = "input: Tensor, other: Tensor, *, out: Tensor? = None"
_SECOND = "input: Tensor, other: operand, *, out: Tensor? = None"
_FIRST = "input: operand, other: Tensor, *, out: Tensor? = None"
_ANY = "input: operand, other: operand, *, out: Tensor? = None"
# Which operands may be numbers, where not the second alone may.
_OPERANDS = {
    **dict.fromkeys(
        "arctan2 atan2 maximum minimum logaddexp hypot nextafter logical_and logical_or "
        "logical_xor".split(),
        (_TENSORS,),
    ),
    **dict.fromkeys(
        "bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor "
        "remainder".split(),
        (_SECOND, _FIRST),
    ),
    **dict.fromkeys("floor_divide mul multiply".split(), (_ANY,)),
}
_pairs = {name: row(op, name, "input:x1, other:x2, *, out=None") for name, op in _BINARY.items()}


def _of_floats(name):
    """A row that torch has for floating-point operands alone."""

    def run(input, other):
        result = result_type(input, other)
        if not result.is_floating_point:
            refuse_type(name, result)
        return _pairs[name](input, other)

    return run


def _ordered(name):
    """The larger or the smaller of both, which complex numbers do not have."""

    def run(input, other):
        if input.dtype.is_complex or other.dtype.is_complex:
            raise TypeError(f"{name} not implemented for complex tensors.")
        return _pairs[name](input, other)

    return run


def _both_numbers(name):
    """What functions of two numbers do: torch makes a tensor of the first."""

    def run(input, other):
        if not isinstance(input, Tensor) and not isinstance(other, Tensor):
            from ._create import tensor

            input = tensor(input)
        return _pairs[name](input, other)

    return run


def _any_logaddexp(input, other):
    result = result_type(input, other)
    if result.is_complex:
        return log(exp(input.to(result)) + exp(other.to(result)))
    return _of_floats("logaddexp")(input, other)


def _of_integers(name):
    """A row that the table has for integers alone; shapes that do not fit are told first."""

    def run(input, other):
        if isinstance(input, Tensor) and isinstance(other, Tensor) and input.shape != other.shape:
            from ._shape import broadcast_shapes

            broadcast_shapes(input.shape, other.shape)
        return _pairs[name](input, other)

    return run


_SPECIAL_PAIRS = {
    **{name: (_of_integers(name), "biu") for name in _BINARY if name.startswith("bitwise_")},
    **{name: (_of_floats(name), "f") for name in ("hypot", "nextafter")},
    "logaddexp": (_any_logaddexp, "f"),
    **{name: (_ordered(name), "biuf") for name in ("maximum", "minimum")},
    **{name: (_both_numbers(name), None) for name in ("floor_divide", "mul", "multiply")},
}

for _name, _operation in _BINARY.items():
    _run, _kinds = _SPECIAL_PAIRS.get(_name, (_pairs[_name], None))
    globals()[_name] = checked_row(
        *(_operation, _name, "input:x1, other:x2", *_OPERANDS.get(_name, (_SECOND,))),
        run=_run,
        arrays=_OPERANDS.get(_name) == (_TENSORS,),
        kinds=_kinds,
    )
both(" ".join(_BINARY), globals(), __all__)


def _pair_in_place(name, run, of_tensors):
    """The method name_, whose other operand is a tensor, or a number if those are taken."""
    kinds = Tensor if of_tensors else (Tensor, int, float, complex)
    signature = "other: Tensor" if of_tensors else "other: operand"

    def method(self, other):
        if not isinstance(other, kinds):
            from ._arguments import find

            other = find(f"{name}_", (signature,), (other,), {})[1]["other"]
        return run(self, other, out=self)

    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__ = f"As {name}, into the tensor itself."
    setattr(Tensor, f"{name}_", method)


for _name in (
    "atan2 bitwise_and bitwise_or bitwise_xor copysign eq floor_divide fmod ge gt le logical_and "
    "logical_or logical_xor lt mul multiply ne remainder bitwise_left_shift bitwise_right_shift "
    "hypot nextafter arctan2 greater greater_equal less less_equal not_equal"
).split():
    _pair_in_place(_name, _pairs[_name], _OPERANDS.get(_name) == (_TENSORS,))

_SUM = "input: operand, other: operand, *, alpha: number = 1, out: Tensor? = None"
_OLD_SUM = "input: operand, alpha: number, other: operand, *, out: Tensor? = None"
_add = row("add", "add", "input:x1, other:x2, *, out=None")
_subtract = row("subtract", "sub", "input:x1, other:x2, *, out=None")
_divide = row("divide", "div", "input:x1, other:x2, *, out=None")
_floor_divide = row("floor_divide", "div", "input:x1, other:x2, *, out=None")
_pow = row("pow", "pow", "input:x1, exponent:x2, *, out=None")


def _tensor_of(number):
    from ._create import tensor

    return tensor(number)


def _scaled(input, other, alpha):
    """The second operand of a sum times alpha, which must fit the result."""
    if type(alpha) is int and alpha == 1:
        return other
    result, given = result_type(input, other), result_type(alpha, alpha)
    if given is _bool and result is not _bool:
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if result._native.kind in "biu" and (given.is_floating_point or given.is_complex):
        raise RuntimeError(
            "For integral input tensors, argument alpha must not be a floating point number."
        )
    if given.is_complex and not result.is_complex:
        raise RuntimeError(
            "For non-complex input tensors, argument alpha must not be a complex number."
        )
    other = other.to(result) if isinstance(other, Tensor) else other
    return other & bool(alpha) if result is _bool else other * alpha


def _sum(input, other, alpha=1):
    """What add does with more than two operands: the second is multiplied by alpha."""
    if not isinstance(input, Tensor) and not isinstance(other, Tensor):
        input = _tensor_of(input)
    return _add(input, _scaled(input, other, alpha))


def _difference(input, other, alpha=1):
    """The same of sub."""
    if not isinstance(input, Tensor) and not isinstance(other, Tensor):
        input = _tensor_of(input)
    _check_no_bool(input, other)
    return _subtract(input, _scaled(input, other, alpha))


def _check_no_bool(*operands):
    for one in operands:
        if isinstance(one, bool) or isinstance(one, Tensor) and one.dtype is _bool:
            raise NotImplementedError(
                "Subtraction, the `-` operator, with a bool tensor is not supported: use `~` or "
                "logical_not() for a mask, `^` or logical_xor() for two"
            )


_PLAIN = "input:x1, other:x2"
add = checked_row("add", "add", _PLAIN, _SUM, _OLD_SUM, run=_sum)
sub = subtract = checked_row("subtract", "sub", _PLAIN, _SUM, _OLD_SUM, run=_difference)

_MODES = "input: operand, other: operand, *, rounding_mode: str? = None, out: Tensor? = None"


def _div(input, other, rounding_mode=None):
    """The quotient; with rounding_mode 'trunc' or 'floor' rounded toward zero or down."""
    if not isinstance(input, Tensor) and not isinstance(other, Tensor):
        input = _tensor_of(input)
    if rounding_mode is None:
        return _divide(input, other)
    if rounding_mode == "floor":
        return _floor_divide(input, other)
    if rounding_mode != "trunc":
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
            f"'{rounding_mode}'"
        )
    result = result_type(input, other)
    if result is _bool or result.is_complex:
        refuse_type("div_trunc", result)
    if result.is_floating_point:
        return trunc(_divide(input, other))
    input = input.to(result) if isinstance(input, Tensor) else int(input)
    return _floor_divide(input - _pairs["fmod"](input, other), other)


div = divide = checked_row("divide", "div", _PLAIN, _MODES, run=_div)
true_divide = checked_row("divide", "true_divide", _PLAIN, _ANY, run=_div)


def _power(input, exponent):
    """input to the power of exponent; one of both may be a number."""
    if isinstance(input, Tensor):
        _check_exponent(input, exponent)
        if type(exponent) is bool and input.dtype is _bool:
            return input | (not exponent)
    return _pow(input, exponent)


def _check_exponent(input, exponent):
    if (
        type(exponent) is int
        and exponent < 0
        and not (input.dtype.is_floating_point or input.dtype.is_complex)
    ):
        raise RuntimeError("Integers to negative integer powers are not allowed.")


_POWERS = (
    "input: Tensor, exponent: operand, *, out: Tensor? = None",
    "input: operand, exponent: Tensor, *, out: Tensor? = None",
)
pow = checked_row("pow", "pow", "input:x1, exponent:x2", *_POWERS, run=_power, kinds="iufc")
_native_pow = _core.ndarray.__pow__


def _operator_pow(self, other, modulus=None):
    if type(other) is int and other < 0:
        _check_exponent(self, other)
    elif type(other) is bool and self.dtype is _bool:
        return self | (not other)
    return _native_pow(self, other, modulus)


Tensor.__pow__ = _operator_pow
_native_ipow = _core.ndarray.__ipow__


def _operator_ipow(self, other):
    if type(other) is int and other < 0:
        _check_exponent(self, other)
    return _native_ipow(self, other)


Tensor.__ipow__ = _operator_ipow


@checked(*_POWERS)
def float_power(input, exponent, out=None):
    """Powers of double precision."""
    parts = [one for one in (input, exponent) if isinstance(one, Tensor)]
    wide = any(one.dtype.is_complex for one in parts) or any(
        isinstance(one, complex) for one in (input, exponent)
    )
    one = ALL["complex128"] if wide else _float64
    two = [part.to(one) if isinstance(part, Tensor) else part for part in (input, exponent)]
    return given(_pow(*two), out)


@checked("input: Tensor, other: operand, *, alpha: number = 1")
def rsub(input, other, alpha=1):
    """other - alpha * input."""
    _check_no_bool(input, other)
    return _subtract(other, _scaled(other, input, alpha))


_where = row("where", "where", "condition, input:x1, other:x2")


def _without_nans(name, of_both):
    @checked(_TENSORS)
    def function(input, other, out=None):
        if input.dtype.is_complex or other.dtype.is_complex:
            raise TypeError(f"{name} not implemented for complex tensors.")
        result = result_type(input, other)
        if not result.is_floating_point:
            return given(of_both(input, other), out)
        input, other = input.to(result), other.to(result)
        lone = _where(isnan(other), input, of_both(input, other))
        return given(_where(isnan(input), other, lone), out)

    function.__name__ = function.__qualname__ = function.__wrapped__.__name__ = name
    return function


fmax = _without_nans("fmax", _pairs["maximum"])
fmax.__doc__ = "The larger of both; where one is NaN, the other."
fmin = _without_nans("fmin", _pairs["minimum"])
fmin.__doc__ = "The smaller of both; where one is NaN, the other."


both(
    "add sub subtract div divide true_divide pow float_power fmax fmin",
    globals(),
    __all__,
)
__all__.append("rsub")


def _update(name, operator):
    """x.add_(y): what x += y does."""
    run = getattr(_core.ndarray, operator)

    def method(self, other):
        made = run(self, other)
        if made is NotImplemented:
            raise TypeError(
                f"{name}_(): argument 'other' must be a Tensor or a number, not "
                f"{type(other).__name__}"
            )
        return made

    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__ = f"As {name}, into the tensor itself."
    return method


_add_, _sub_ = _update("add", "__iadd__"), _update("sub", "__isub__")
_div_, _pow_ = _update("div", "__itruediv__"), _update("pow", "__ipow__")


def _with_alpha(run):
    def method(self, other, *old, alpha=1):
        if old:  # x.add_(alpha, other)
            from ._arguments import find

            more = {} if alpha == 1 else {"alpha": alpha}
            values = find(run.__name__, ("alpha: number, other: operand",), (other, *old), more)[1]
            other, alpha = values["other"], values["alpha"]
        plain = type(alpha) is int and alpha == 1
        return run(self, other if plain else _scaled(self, other, alpha))

    method.__name__ = method.__qualname__ = run.__name__
    method.__doc__ = run.__doc__ + " With alpha the other is multiplied by that first."
    return method


Tensor.add_, Tensor.sub_ = _with_alpha(_add_), _with_alpha(_sub_)
Tensor.subtract_ = Tensor.sub_
Tensor.true_divide_ = _div_


def _pow_in_place(self, exponent):
    """As pow, into the tensor itself."""
    _check_exponent(self, exponent)
    return _pow_(self, exponent)


def _div_in_place(self, other, *, rounding_mode=None):
    """As div, into the tensor itself."""
    if rounding_mode is None:
        return _div_(self, other)
    from ._output import check_kind

    if rounding_mode in ("trunc", "floor") and isinstance(other, (Tensor, complex)):
        check_kind(result_type(self, other), self.dtype)  # before what is refused for its type
    made = div(self, other, rounding_mode=rounding_mode)
    check_kind(made.dtype, self.dtype)
    return self.copy_(made)


Tensor.pow_ = _pow_in_place
Tensor.div_ = Tensor.divide_ = _div_in_place
del _name, _operation, _run, _kinds
