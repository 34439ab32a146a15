"""Functions of elements: one operation of the table each, in torch's words."""

from .. import _core
from ._attach import both, in_place
from ._checked import checked, checked_row
from ._dialect import default_dtype, refuse_type, row
from ._dtypes import ALL
from ._ranks import result_type
from ._tensor import Tensor, cast

__all__ = []
_ONE = "input: Tensor, *, out: Tensor? = None"
_bool, _uint8, _float64 = ALL["bool"], ALL["uint8"], ALL["float64"]

# ---- Of one tensor -------------------------------------------------------------------------------

# torch's name -> the table's, where they differ.
_UNARY = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctanh": "atanh",
    "bitwise_not": "bitwise_invert",
    "fix": "trunc",
    "neg": "negative",
    "special_erf": "erf",
    **{
        name: name
        for name in (
            "abs acos acosh asin asinh atan atanh ceil cos cosh erf erfc exp exp2 expm1 floor isfinite "
            "isinf isnan log log10 log1p log2 logical_not negative positive reciprocal relu rsqrt "
            "sgn sigmoid sign signbit sin sinh sqrt square tan tanh trunc"
        ).split()
    },
    "sgn": "sign",
}
_WITHOUT_UPDATE = {"isfinite", "isinf", "isnan", "positive", "signbit", "special_erf"}
_WITHOUT_OUT = {"isfinite", "isinf", "isnan", "positive", "relu"}
_rows = {name: row(op, name, "input:x, *, out=None", arrays=True) for name, op in _UNARY.items()}


def _refusing(name, kinds):
    """A row for some kinds of element types alone, of those that the table takes."""

    def run(input):
        if input.dtype._native.kind not in kinds:
            refuse_type(name, input.dtype)
        return _rows[name](input)

    return run


def _of_bools(name, result):
    """A row that the table has for numbers alone; `result` is what it is for truth values."""

    def run(input):
        return result(input) if input.dtype is _bool else _rows[name](input)

    return run


def _sign(input):
    if input.dtype.is_complex:
        refuse_type("sign", input.dtype)
    return input.clone() if input.dtype is _bool else _rows["sign"](input)


def _of_complex(name, result):
    """A row that the table has for real numbers alone; `result` is what it is for complex ones."""

    def run(input):
        return result(input) if input.dtype.is_complex else _rows[name](input)

    return run


# What is done instead of the row, and for which kinds of types the row is right.
_SPECIAL = {
    "abs": (_refusing("abs", "iufc"), "iufc"),
    "absolute": (_refusing("absolute", "iufc"), "iufc"),
    "exp2": (_of_complex("exp2", lambda x: 2**x), "biuf"),
    "rsqrt": (_of_complex("rsqrt", lambda x: 1 / _rows["sqrt"](x)), "biuf"),
    "sigmoid": (_of_complex("sigmoid", lambda x: 1 / (1 + _rows["exp"](-x))), "biuf"),
    "sgn": (_of_bools("sgn", lambda x: x.clone()), "iufc"),
    "sign": (_sign, "iuf"),
    "square": (_of_bools("square", lambda x: x.long()), "iufc"),
    "isfinite": (_of_bools("isfinite", lambda x: x | True), "iufc"),
    "isinf": (_of_bools("isinf", lambda x: x & False), "iufc"),
    "isnan": (_of_bools("isnan", lambda x: x & False), "iufc"),
    "signbit": (_of_bools("signbit", lambda x: x & False), "iuf"),
}

for _name, _operation in _UNARY.items():
    _run, _kinds = _SPECIAL.get(_name, (None, None))
    _signature = "input: Tensor" if _name in _WITHOUT_OUT else _ONE
    globals()[_name] = checked_row(
        _operation, _name, "input:x", _signature, run=_run, arrays=True, kinds=_kinds
    )
both(" ".join(_UNARY), globals(), __all__)


def _special_in_place(name, run, kinds):
    """The method name_ where elements of some kinds are not for the row."""

    def method(self):
        if self.dtype._native.kind in kinds:
            return _rows[name](self, out=self)
        return self.copy_(run(self))

    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__ = f"As {name}, into the tensor itself."
    setattr(Tensor, f"{name}_", method)


def _abs_of_bools(input):
    if input.dtype.is_complex:
        raise RuntimeError("In-place abs is not supported for complex tensors.")
    refuse_type("abs", input.dtype)


def _square_of_bools(input):
    raise RuntimeError("result type Long can't be cast to the desired output type Bool")


for _name in _UNARY:
    if _name in _WITHOUT_UPDATE:
        continue
    if _name in ("abs", "absolute"):
        _special_in_place(_name, _abs_of_bools, "iuf")
    elif _name == "square":
        _special_in_place(_name, _square_of_bools, "iufc")
    elif _name in _SPECIAL:
        _special_in_place(_name, *_SPECIAL[_name])
    else:
        in_place(_name, _rows[_name])

_round = row("round", "round", "input:x, *, out=None", arrays=True)
_round_to = row("round_to", "round", "input:x, decimals=0, *, out=None", arrays=True)


def _rounded(input, decimals=0):
    """The nearest integer, halves to the even one; or with so many decimals."""
    if not input.dtype.is_floating_point and (decimals or input.dtype._native.kind not in "iu"):
        refuse_type("round", input.dtype)
    return _round(input) if decimals == 0 else _round_to(input, decimals)


round = checked_row(
    *("round", "round", "input:x", "input: Tensor, *, decimals: int = 0, out: Tensor? = None"),
    run=_rounded,
    arrays=True,
    kinds="iuf",
)


def _round_(self, *, decimals=0):
    """As round, into the tensor itself."""
    return self.copy_(round(self, decimals=decimals))


@checked(_ONE)
def frac(input, out=None):
    """What truncating takes away."""
    if not input.dtype.is_floating_point:
        refuse_type("frac", input.dtype)
    return _given(input - trunc(input), out)  # noqa: F821


def _given(made, out):
    """A result, in `out` if there is one."""
    if out is None:
        return made
    from ._output import written

    return written(made, out)


@checked("input: Tensor")
def real(input):
    """The real parts: a view of a complex tensor, else the tensor."""
    return _part(input) if input.dtype.is_complex else input


@checked("input: Tensor")
def imag(input):
    """The imaginary parts of a complex tensor: a view."""
    if not input.dtype.is_complex:
        raise TypeError("imag is not implemented for tensors with non-complex dtypes.")
    return _imag(input)


_part = _core.ndarray.real.__get__
_imag = _core.ndarray.imag.__get__
_conj = row("conj", "conj", "input:x", arrays=True)
_angle_of = row("atan2", "angle", "input:x1, other:x2")


@checked("input: Tensor")
def conj(input):
    """Complex conjugates; other tensors themselves."""
    return _conj(input) if input.dtype.is_complex else input


@checked(_ONE)
def angle(input, out=None):
    """The argument of each complex number; of real ones 0 or pi."""
    if input.dtype.is_complex:
        return _given(_angle_of(imag(input), real(input)), out)
    flat = input if input.dtype.is_floating_point else cast(input, default_dtype())
    made = where(flat < 0, _PI, where(isnan(flat), flat, 0.0))  # noqa: F821
    return _given(made.to(flat.dtype), out)


_PI = 3.141592653589793
_nan_to_num = row("nan_to_num", "nan_to_num", "input:x, nan=0.0, posinf=None, neginf=None")


def _without_nan(input, nan=None, posinf=None, neginf=None):
    """Numbers in the place of NaN and infinities."""
    if not input.dtype.is_floating_point and not input.dtype.is_complex:
        return input.clone()
    return _nan_to_num(input, 0.0 if nan is None else nan, posinf, neginf)


nan_to_num = checked_row(
    *("nan_to_num", "nan_to_num", "input:x"),
    "input: Tensor, nan: float? = None, posinf: float? = None, neginf: float? = None, *, "
    "out: Tensor? = None",
    run=_without_nan,
    arrays=True,
    kinds="fc",
)


def _nan_to_num_(self, nan=None, posinf=None, neginf=None):
    """As nan_to_num, into the tensor itself."""
    return self.copy_(nan_to_num(self, nan, posinf, neginf))


@checked("input: Tensor, eps: float? = None, *, out: Tensor? = None")
def logit(input, eps=None, out=None):
    """The logarithm of p / (1 - p)."""
    if input.dtype.is_complex:
        refuse_type("logit", input.dtype)
    if not input.dtype.is_floating_point:
        input = cast(input, default_dtype())
    if eps is not None and eps >= 0:
        input = clamp(input, eps, 1 - eps)
    return _given(log(input / (1 - input)), out)  # noqa: F821


@checked(_ONE)
def isneginf(input, out=None):
    """Whether elements are minus infinity."""
    return _given(_is_infinite(input, "isneginf", -_INFINITY), out)


@checked(_ONE)
def isposinf(input, out=None):
    """Whether elements are infinity, not minus infinity."""
    return _given(_is_infinite(input, "isposinf", _INFINITY), out)


_INFINITY = float("inf")


def _is_infinite(input, name, infinity):
    if input.dtype.is_complex:
        raise TypeError(f"{name} does not support complex inputs.")
    return input == infinity if input.dtype.is_floating_point else isinf(input)  # noqa: F821


@checked("input: Tensor")
def isreal(input):
    """Whether imaginary parts are 0."""
    return imag(input) == 0 if input.dtype.is_complex else isfinite(input.bool())  # noqa: F821


def _turned(name, factor):
    @checked(_ONE)
    def function(input, out=None):
        if input.dtype.is_complex:
            refuse_type(name, input.dtype)
        return _given(input * factor, out)

    function.__name__ = function.__qualname__ = function.__wrapped__.__name__ = name
    return function


deg2rad, rad2deg = _turned("deg2rad", _PI / 180), _turned("rad2deg", 180 / _PI)
deg2rad.__doc__, rad2deg.__doc__ = "Degrees as radians.", "Radians as degrees."

both(
    "round frac conj angle nan_to_num logit isneginf isposinf isreal deg2rad rad2deg",
    globals(),
    __all__,
)
__all__ += ["real", "imag"]
Tensor.real = property(real, doc=real.__doc__)
Tensor.imag = property(imag, doc=imag.__doc__)
Tensor.round_, Tensor.nan_to_num_ = _round_, _nan_to_num_




def _refuse_builtin(name):
    """What Python's round and the like do with a tensor: they raise."""

    def method(self, *args):
        raise TypeError(f"type Tensor doesn't define {name} method")

    method.__name__ = method.__qualname__ = name
    return method


for _name in ("__round__", "__trunc__", "__divmod__", "__rdivmod__"):
    setattr(Tensor, _name, _refuse_builtin(_name))


def _whole_of(name):
    """math.floor and math.ceil: of the number that a tensor is."""

    def method(self):
        import math

        return getattr(math, name)(float(self))

    method.__name__ = method.__qualname__ = f"__{name}__"
    return method


Tensor.__floor__, Tensor.__ceil__ = _whole_of("floor"), _whole_of("ceil")


def _contains(self, element):
    """Whether one of the elements is equal to a number or a tensor. Waits."""
    if not isinstance(element, (Tensor, bool, int, float, complex)):
        raise RuntimeError(
            "Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
            f"{type(element)}."
        )
    return bool((self == element).any())


Tensor.__contains__ = _contains

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
_pairs = {
    name: row(op, name, "input:x1, other:x2, *, out=None") for name, op in _BINARY.items()
}


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
        return log(exp(input.to(result)) + exp(other.to(result)))  # noqa: F821
    return _of_floats("logaddexp")(input, other)


_SPECIAL_PAIRS = {
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
for _name in (
    "atan2 bitwise_and bitwise_or bitwise_xor copysign eq floor_divide fmod ge gt le logical_and "
    "logical_or logical_xor lt mul multiply ne remainder bitwise_left_shift bitwise_right_shift hypot "
    "nextafter arctan2 greater greater_equal less less_equal not_equal"
).split():
    in_place(_name, _pairs[_name])

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
        return trunc(_divide(input, other))  # noqa: F821
    input = input.to(result) if isinstance(input, Tensor) else input
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
    if type(exponent) is int and exponent < 0 and not (
        input.dtype.is_floating_point or input.dtype.is_complex
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


@checked(*_POWERS)
def float_power(input, exponent, out=None):
    """Powers of double precision."""
    parts = [one for one in (input, exponent) if isinstance(one, Tensor)]
    wide = any(one.dtype.is_complex for one in parts) or any(
        isinstance(one, complex) for one in (input, exponent)
    )
    one = ALL["complex128"] if wide else _float64
    two = [part.to(one) if isinstance(part, Tensor) else part for part in (input, exponent)]
    return _given(_pow(*two), out)


@checked("input: Tensor, other: operand, *, alpha: number = 1")
def rsub(input, other, alpha=1):
    """other - alpha * input."""
    _check_no_bool(input, other)
    return _subtract(other, _scaled(other, input, alpha))


def _without_nans(name, of_both):
    @checked(_TENSORS)
    def function(input, other, out=None):
        if input.dtype.is_complex or other.dtype.is_complex:
            raise TypeError(f"{name} not implemented for complex tensors.")
        result = result_type(input, other)
        if not result.is_floating_point:
            return _given(of_both(input, other), out)
        input, other = input.to(result), other.to(result)
        lone = where(isnan(other), input, of_both(input, other))  # noqa: F821
        return _given(where(isnan(input), other, lone), out)  # noqa: F821

    function.__name__ = function.__qualname__ = function.__wrapped__.__name__ = name
    return function


fmax = _without_nans("fmax", maximum)  # noqa: F821
fmax.__doc__ = "The larger of both; where one is NaN, the other."
fmin = _without_nans("fmin", minimum)  # noqa: F821
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
    def method(self, other, *, alpha=1):
        return run(self, other if alpha == 1 else _scaled(self, other, alpha))

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

    made = div(self, other, rounding_mode=rounding_mode)
    check_kind(made.dtype, self.dtype)
    return self.copy_(made)


Tensor.pow_ = _pow_in_place
Tensor.div_ = Tensor.divide_ = _div_in_place

# ---- Bounds, choices, products with a sum -----------------------------------------------------

_clip = row("clip", "clamp", "input:x, min=None, max=None, *, out=None", arrays=False)
_BOUND = {int, float, type(None)}
_BOUNDS = (
    "input: Tensor, min: Tensor? = None, max: Tensor? = None, *, out: Tensor? = None",
    "input: Tensor, min: number? = None, max: number? = None, *, out: Tensor? = None",
)


def _clamp(input, min=None, max=None, out=None):
    """The elements, but at least min and at most max: numbers or tensors."""
    if input.dtype.is_floating_point and type(min) in _BOUND and type(max) in _BOUND:
        if min is not None or max is not None:
            return _given(_clip(input, min, max), out)
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if input.dtype.is_floating_point and (isinstance(min, complex) or isinstance(max, complex)):
        raise RuntimeError("value cannot be converted to type double without overflow")
    bounds = [one for one in (min, max) if one is not None]
    common = result_type(input, *bounds)
    if common.is_complex or common is _bool and not isinstance(bounds[0], Tensor):
        refuse_type("clamp", common)
    return _given(_clip(input, min, max), out)


_clamp.__name__ = _clamp.__qualname__ = "clamp"
clamp = clip = checked(*_BOUNDS)(_clamp)


@checked("input: Tensor, min: operand, *, out: Tensor? = None")
def clamp_min(input, min, out=None):
    """The elements, but at least min."""
    return _clamp(input, min, None, out)


@checked("input: Tensor, max: operand, *, out: Tensor? = None")
def clamp_max(input, max, out=None):
    """The elements, but at most max."""
    return _clamp(input, None, max, out)


both("clamp clip clamp_min clamp_max", globals(), __all__)


def _into_itself(name, function):
    """The method name_ that copies what a function gives, if it is of the tensor's kind."""

    def method(self, *args, **kwargs):
        from ._output import check_kind

        made = function(self, *args, **kwargs)
        check_kind(made.dtype, self.dtype)
        return self.copy_(made)

    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__ = f"As {name}, into the tensor itself."
    setattr(Tensor, f"{name}_", method)


for _name in "clamp clip clamp_min clamp_max frac logit float_power deg2rad rad2deg".split():
    _into_itself(_name, globals()[_name])

_where = row("where", "where", "condition, input:x1, other:x2")
_CHOICES = (
    "condition: Tensor",
    "condition: Tensor, input: operand, other: operand, *, out: Tensor? = None",
)


def _any_where(condition, input, other):
    """The same with conditions that are no truth values, or of numbers."""
    if input is None:
        from ._index import nonzero

        return nonzero(condition, as_tuple=True)
    if condition.dtype is _uint8:
        condition = cast(condition, _bool)
    if condition.dtype is not _bool:
        raise RuntimeError(
            f"where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{condition.dtype}"
        )
    if not isinstance(input, Tensor) and not isinstance(other, Tensor):
        one = result_type(input, other)
        input = _tensor_of(input).to(one)
    return _where(condition, input, other)


@checked(*_CHOICES)
def where(condition, input=None, other=None, out=None):
    """input where the condition holds, else other; the condition alone gives the places."""
    if condition.dtype is _bool and isinstance(input, Tensor):
        return _given(_where(condition, input, other), out)
    return _given(_any_where(condition, input, other), out)


@checked("self: Tensor, condition: Tensor, other: operand")
def _tensor_where(self, condition, other):
    """The elements where the condition holds, else other."""
    return where(condition, self, other)


@checked(
    "input: Tensor, end: Tensor, weight: Tensor, *, out: Tensor? = None",
    "input: Tensor, end: Tensor, weight: number, *, out: Tensor? = None",
)
def lerp(input, end, weight, out=None):
    """input + weight * (end - input)."""
    for name, one in (("end", end), ("weight", weight)):
        if isinstance(one, Tensor) and one.dtype is not input.dtype and (one.ndim or name == "end"):
            raise RuntimeError(f"expected dtype {input.dtype} for `{name}` but got dtype {one.dtype}")
    if not input.dtype.is_floating_point and not input.dtype.is_complex:
        refuse_type("lerp", input.dtype)
    if isinstance(weight, complex) and not input.dtype.is_complex:
        raise RuntimeError("value cannot be converted to type float without overflow")
    return _given(input + weight * (end - input), out)


_PRODUCT = "input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: number = 1, out: Tensor? = None"
_OLD_PRODUCT = "input: Tensor, value: number, tensor1: Tensor, tensor2: Tensor"


def _product_term(input, tensor1, tensor2, value):
    common = result_type(input, tensor1, tensor2)
    if common is _bool:
        refuse_type("addcmul", common)
    return _times(tensor1 * tensor2, value, common)


def _times(term, value, common):
    if type(value) is int and value == 1:
        return term
    if isinstance(value, complex) and not common.is_complex:
        raise RuntimeError("value cannot be converted to type float without overflow")
    if common._native.kind in "iu":
        value = int(value)
    return term * value


def _quotient_term(input, tensor1, tensor2, value):
    if tensor1.dtype._native.kind in "biu" and tensor2.dtype._native.kind in "biu":
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported: use true_divide or div with a "
            "rounding_mode"
        )
    term = tensor1 / tensor2
    return _times(term, value, result_type(input, term))


@checked(_PRODUCT, _OLD_PRODUCT)
def addcmul(input, tensor1, tensor2, value=1, out=None):
    """input + value * tensor1 * tensor2."""
    return _given(input + _product_term(input, tensor1, tensor2, value), out)


@checked(_PRODUCT, _OLD_PRODUCT)
def addcdiv(input, tensor1, tensor2, value=1, out=None):
    """input + value * tensor1 / tensor2."""
    return _given(input + _quotient_term(input, tensor1, tensor2, value), out)


both("lerp addcmul addcdiv", globals(), __all__)
__all__.append("where")
Tensor.where = _tensor_where


@checked("self: Tensor, end: Tensor, weight: operand")
def _lerp_(self, end, weight):
    """As lerp, into the tensor itself."""
    return self.copy_(lerp(self, end, weight))


@checked("self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: number = 1")
def _addcmul_(self, tensor1, tensor2, value=1):
    """As addcmul, into the tensor itself."""
    return _add_(self, _product_term(self, tensor1, tensor2, value))


@checked("self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: number = 1")
def _addcdiv_(self, tensor1, tensor2, value=1):
    """As addcdiv, into the tensor itself."""
    return _add_(self, _quotient_term(self, tensor1, tensor2, value))


Tensor.lerp_, Tensor.addcmul_, Tensor.addcdiv_ = _lerp_, _addcmul_, _addcdiv_

# ---- Comparison of tensors ------------------------------------------------------------------------

_array_equal = row("array_equal", "equal", "input:x1, other:x2", arrays=True)
_isclose = row("isclose", "isclose", "input:x1, other:x2, rtol, atol, equal_nan", arrays=True)
_allclose = row("allclose", "allclose", "input:x1, other:x2, rtol, atol, equal_nan", arrays=True)
_TOLERANCES = (
    "input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False"
)


@checked("input: Tensor, other: Tensor")
def equal(input, other):
    """Whether both have the same shape and elements. Waits."""
    if input.shape != other.shape:
        return False
    return bool(_array_equal(input, other))


def _check_close(input, other, rtol, atol):
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype} did not match {other.dtype}")
    for name, value in (("rtol", rtol), ("atol", atol)):
        if value < 0:
            raise RuntimeError(f"{name} must be greater than or equal to zero, but got {value}")


@checked(_TOLERANCES)
def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether elements of both are close to each other."""
    _check_close(input, other, rtol, atol)
    return _isclose(input, other, rtol, atol, equal_nan)


@checked(_TOLERANCES)
def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether all elements of both are close to each other. Waits."""
    _check_close(input, other, rtol, atol)
    return bool(_allclose(input, other, rtol, atol, equal_nan))


both("equal isclose allclose", globals(), __all__)
del _name, _operation, _run, _kinds, _signature
