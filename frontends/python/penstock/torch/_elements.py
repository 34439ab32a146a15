"""Functions of elements: one operation of the table each, in torch's words."""

from .. import _core
from ._attach import both, in_place
from ._dialect import refuse_numbers, renamed, row
from ._tensor import Tensor, cast

__all__ = []

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
    "sgn": "sign",
    "special_erf": "erf",
    **{
        name: name
        for name in (
            "abs acos acosh asin asinh atan atanh ceil cos cosh erf erfc exp exp2 expm1 floor isfinite "
            "isinf isnan log log10 log1p log2 logical_not negative positive reciprocal relu rsqrt "
            "sigmoid sign signbit sin sinh sqrt square tan tanh trunc"
        ).split()
    },
}
_WITHOUT_UPDATE = {"isfinite", "isinf", "isnan", "positive", "signbit", "special_erf"}

for _name, _operation in _UNARY.items():
    globals()[_name] = row(_operation, _name, "input:x, *, out=None", arrays=True)
both(" ".join(_UNARY), globals(), __all__)
for _name in _UNARY:
    if _name not in _WITHOUT_UPDATE:
        in_place(_name, globals()[_name])

_round = row("round", "round", "input:x, *, out=None", arrays=True)
_round_to = row("round_to", "round", "input:x, decimals=0, *, out=None", arrays=True)


def round(input, *, decimals=0, out=None):
    """The nearest integer, halves to the even one; or with so many decimals."""
    if decimals == 0:
        return _round(input, out=out)
    return _round_to(input, decimals, out=out)


def frac(input):
    """What truncating takes away."""
    return input - trunc(input)  # noqa: F821


def real(input):
    """The real parts: a view of a complex tensor, else the tensor."""
    return _part(input)


def imag(input):
    """The imaginary parts of a complex tensor: a view."""
    if not input.dtype.is_complex:
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return _imag(input)


_part = _core.ndarray.real.__get__
_imag = _core.ndarray.imag.__get__
conj = row("conj", "conj", "input:x", arrays=True)
angle_of = row("atan2", "angle", "input:x1, other:x2")


def angle(input):
    """The argument of each complex number."""
    if not input.dtype.is_complex:
        return angle_of(input * 0, input)
    return angle_of(imag(input), real(input))


nan_to_num = row(
    "nan_to_num", "nan_to_num", "input:x, nan=0.0, posinf=None, neginf=None, *, out=None"
)


def logit(input, eps=None):
    """The logarithm of p / (1 - p)."""
    if eps is not None:
        input = clamp(input, eps, 1 - eps)
    return log(input / (1 - input))  # noqa: F821


both("round frac conj angle nan_to_num logit", globals(), __all__)
__all__ += ["real", "imag"]
Tensor.real = property(real, doc=real.__doc__)
Tensor.imag = property(imag, doc=imag.__doc__)
in_place("round", round)

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
_TENSORS_ONLY = {"maximum", "minimum", "logaddexp", "hypot", "logical_and", "logical_or"}

for _name, _operation in _BINARY.items():
    globals()[_name] = row(
        _operation,
        _name,
        "input:x1, other:x2, *, out=None",
        arrays=_name in _TENSORS_ONLY,
        numbers=None if _name in _TENSORS_ONLY else refuse_numbers(_name),
    )
both(" ".join(_BINARY), globals(), __all__)
for _name in (
    "atan2 bitwise_and bitwise_or bitwise_xor copysign eq floor_divide fmod ge gt le logical_and "
    "logical_or logical_xor lt mul multiply ne remainder bitwise_left_shift bitwise_right_shift"
).split():
    in_place(_name, globals()[_name])

_SIGNATURE = "input:x1, other:x2, *, out=None"
_add = row("add", "add", _SIGNATURE, numbers=refuse_numbers("add"))
_subtract = row("subtract", "sub", _SIGNATURE, numbers=refuse_numbers("sub"))
_divide = row("divide", "div", _SIGNATURE, numbers=refuse_numbers("div"))
_floor_divide = row("floor_divide", "div", _SIGNATURE)
_pow = row("pow", "pow", "input:x1, exponent:x2, *, out=None")


def _with_alpha(run):
    """What add and sub do with more than two operands: the second is multiplied by alpha."""

    def unusual(*args, alpha=1, **kwargs):
        kwargs = renamed(kwargs)
        if alpha != 1:
            other = kwargs["other"] if "other" in kwargs else args[1]
            kwargs["other"] = other * alpha
            args = args[:1]
        return run(*args, **kwargs)

    return unusual


_PLAIN = "input:x1, other:x2"
add = row("add", "add", _PLAIN, unusual=_with_alpha(_add))
sub = subtract = row("subtract", "sub", _PLAIN, unusual=_with_alpha(_subtract))


def _div(input, other, *, rounding_mode=None, out=None):
    """The quotient; with rounding_mode 'trunc' or 'floor' rounded toward zero or down."""
    if rounding_mode is None:
        return _divide(input, other, out=out)
    if rounding_mode == "floor":
        return _floor_divide(input, other, out=out)
    if rounding_mode != "trunc":
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
            f"'{rounding_mode}'"
        )
    whole = input if isinstance(input, Tensor) else other
    if not whole.dtype.is_floating_point:
        made = _floor_divide(input - fmod(input, other), other)  # noqa: F821
    else:
        made = trunc(_divide(input, other))  # noqa: F821
    return made if out is None else out.copy_(made)


div = divide = row("divide", "div", _PLAIN, unusual=_div)
true_divide = row("divide", "true_divide", _SIGNATURE, numbers=refuse_numbers("true_divide"))


def _power(input, exponent, *, out=None):
    """input to the power of exponent; one of both may be a number."""
    if not isinstance(input, Tensor) and not isinstance(exponent, Tensor):
        raise TypeError("pow(): one of input and exponent must be a Tensor")
    _check_exponent(input, exponent)
    return _pow(input, exponent, out=out)


def _check_exponent(input, exponent):
    if type(exponent) is int and exponent < 0 and not (
        input.dtype.is_floating_point or input.dtype.is_complex
    ):
        raise RuntimeError("Integers to negative integer powers are not allowed.")


pow = row("pow", "pow", "input:x1, exponent:x2", unusual=_power)
_native_pow = _core.ndarray.__pow__


def _operator_pow(self, other, modulus=None):
    if type(other) is int and other < 0:
        _check_exponent(self, other)
    return _native_pow(self, other, modulus)


Tensor.__pow__ = _operator_pow


def rsub(input, other, *, alpha=1):
    """other - alpha * input."""
    return other - (input * alpha if alpha != 1 else input)


def fmax(input, other):
    """The larger of both; where one is NaN, the other."""
    return where(isnan(input), other, where(isnan(other), input, maximum(input, other)))  # noqa: F821


def fmin(input, other):
    """The smaller of both; where one is NaN, the other."""
    return where(isnan(input), other, where(isnan(other), input, minimum(input, other)))  # noqa: F821


both("add sub subtract div divide true_divide pow fmax fmin", globals(), __all__)
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


def _scaled(run):
    def method(self, other, *, alpha=1):
        return run(self, other * alpha if alpha != 1 else other)

    method.__name__ = method.__qualname__ = run.__name__
    method.__doc__ = run.__doc__ + " With alpha the other is multiplied by that first."
    return method


Tensor.add_, Tensor.sub_ = _scaled(_add_), _scaled(_sub_)
Tensor.subtract_ = Tensor.sub_
Tensor.true_divide_, Tensor.pow_ = _div_, _pow_


def _div_in_place(self, other, *, rounding_mode=None):
    if rounding_mode is None:
        return _div_(self, other)
    return self.copy_(_div(self, other, rounding_mode=rounding_mode))


Tensor.div_ = Tensor.divide_ = _div_in_place

# ---- Bounds, choices, products with a sum -----------------------------------------------------


def _clamp(input, min=None, max=None, *, out=None):
    """The elements, but at least min and at most max: numbers or tensors."""
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    return _clip(input, min, max, out=out)


_clip = row("clip", "clamp", "input:x, min=None, max=None, *, out=None", arrays=False)
clamp = clip = _clamp
clamp.__name__ = clamp.__qualname__ = "clamp"


def clamp_min(input, min):
    """The elements, but at least min."""
    return _clip(input, min, None)


def clamp_max(input, max):
    """The elements, but at most max."""
    return _clip(input, None, max)


both("clamp clip clamp_min clamp_max", globals(), __all__)
in_place("clamp", clamp)
in_place("clip", clip)


def _clamp_min_(self, min):
    """As clamp_min, into the tensor itself."""
    return _clip(self, min, None, out=self)


def _clamp_max_(self, max):
    """As clamp_max, into the tensor itself."""
    return _clip(self, None, max, out=self)


Tensor.clamp_min_, Tensor.clamp_max_ = _clamp_min_, _clamp_max_

_where = row("where", "where", "condition, input:x1, other:x2, *, out=None")


def where(condition, input=None, other=None, *, out=None):
    """input where the condition holds, else other; the condition alone gives the places."""
    if input is None and other is None:
        from ._index import nonzero

        return nonzero(condition, as_tuple=True)
    if not isinstance(condition, Tensor):
        raise TypeError(
            f"where(): argument 'condition' (position 1) must be Tensor, not "
            f"{type(condition).__name__}"
        )
    if condition.dtype is not _bool and condition.dtype is not _uint8:
        raise RuntimeError(
            f"where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{condition.dtype}"
        )
    if condition.dtype is _uint8:
        condition = cast(condition, _bool)
    return _where(condition, input, other, out=out)


def _tensor_where(self, condition, other):
    """The elements where the condition holds, else other."""
    return where(condition, self, other)


def lerp(input, end, weight):
    """input + weight * (end - input)."""
    return input + weight * (end - input)


def addcmul(input, tensor1, tensor2, *, value=1):
    """input + value * tensor1 * tensor2."""
    return input + (tensor1 * tensor2 if value == 1 else tensor1 * tensor2 * value)


def addcdiv(input, tensor1, tensor2, *, value=1):
    """input + value * tensor1 / tensor2."""
    return input + (tensor1 / tensor2 if value == 1 else tensor1 / tensor2 * value)


from ._dtypes import ALL as _TYPES  # noqa: E402

_bool, _uint8 = _TYPES["bool"], _TYPES["uint8"]
both("lerp addcmul addcdiv", globals(), __all__)
__all__.append("where")
Tensor.where = _tensor_where


def _lerp_(self, end, weight):
    """As lerp, into the tensor itself."""
    return self.copy_(lerp(self, end, weight))


def _addcmul_(self, tensor1, tensor2, *, value=1):
    """As addcmul, into the tensor itself."""
    return _add_(self, tensor1 * tensor2 if value == 1 else tensor1 * tensor2 * value)


def _addcdiv_(self, tensor1, tensor2, *, value=1):
    """As addcdiv, into the tensor itself."""
    return _add_(self, tensor1 / tensor2 if value == 1 else tensor1 / tensor2 * value)


Tensor.lerp_, Tensor.addcmul_, Tensor.addcdiv_ = _lerp_, _addcmul_, _addcdiv_

# ---- Comparison of tensors ------------------------------------------------------------------------

_array_equal = row("array_equal", "equal", "input:x1, other:x2", arrays=True)
isclose = row(
    "isclose", "isclose", "input:x1, other:x2, rtol=1e-05, atol=1e-08, equal_nan=False", arrays=True
)
_allclose = row(
    "allclose", "allclose", "input:x1, other:x2, rtol=1e-05, atol=1e-08, equal_nan=False", arrays=True
)


def equal(input, other):
    """Whether both have the same shape and elements. Waits."""
    if input.shape != other.shape:
        return False
    return bool(_array_equal(input, other))


def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether all elements of both are close to each other. Waits."""
    return bool(_allclose(input, other, rtol, atol, equal_nan))


both("equal isclose allclose", globals(), __all__)
del _name, _operation
