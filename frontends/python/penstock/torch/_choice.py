"""Functions that choose elements or hold them within bounds, and that compare tensors."""

import builtins

from .. import _core
from ._attach import both
from ._binary import _add_, _tensor_of, float_power
from ._checked import checked
from ._dialect import default_dtype, refuse_type, row
from ._dtypes import ALL
from ._output import given
from ._ranks import result_type
from ._tensor import Tensor, cast
from ._unary import _PI, abs, deg2rad, frac, imag, isnan, log, rad2deg, real

__all__ = []
_bool, _uint8 = ALL["bool"], ALL["uint8"]

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
            return given(_clip(input, min, max), out)
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if input.dtype.is_floating_point and (isinstance(min, complex) or isinstance(max, complex)):
        raise RuntimeError("value cannot be converted to type double without overflow")
    bounds = [one for one in (min, max) if one is not None]
    common = result_type(input, *bounds)
    if common.is_complex or common is _bool and not isinstance(bounds[0], Tensor):
        refuse_type("clamp", common)
    if common is input.dtype and common._native.kind in "iu":
        min, max = _binding(common, min, max)
    elif not isinstance(min, Tensor) and not isinstance(max, Tensor):
        input = cast(input, common) if common is not input.dtype else input
    return given(_clip(input, min, max) if (min, max) != (None, None) else input.clone(), out)


def _binding(one, min, max):
    """Bounds that an integer type can hold; those that bind no element are left out."""
    from .. import _types

    limits = _types.iinfo(one._native)
    for name, bound, wrong in (("min", min, limits.max), ("max", max, -limits.min)):
        if isinstance(bound, int) and (bound if name == "min" else -bound) > wrong:
            raise RuntimeError(
                f"Clamp {name} value {bound} is outside the representable range of {one}"
            )
    low = None if isinstance(min, int) and min < limits.min else min
    return low, None if isinstance(max, int) and max > limits.max else max


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

        subject = self.clone() if _core._grad_info(self)[0] else self  # what the gradient needs
        made = function(subject, *args, **kwargs)
        check_kind(made.dtype, self.dtype)
        return self.copy_(made)

    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__ = f"As {name}, into the tensor itself."
    setattr(Tensor, f"{name}_", method)


for _function in (clamp, clamp_min, clamp_max, frac, float_power, deg2rad, rad2deg):
    _into_itself(_function.__name__, _function)
_into_itself("clip", clip)

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
        return given(_where(condition, input, other), out)
    return given(_any_where(condition, input, other), out)


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
            raise RuntimeError(
                f"expected dtype {input.dtype} for `{name}` but got dtype {one.dtype}"
            )
    if not input.dtype.is_floating_point and not input.dtype.is_complex:
        refuse_type("lerp", input.dtype)
    if isinstance(weight, complex) and not input.dtype.is_complex:
        raise RuntimeError("value cannot be converted to type float without overflow")
    return given(_between(input, end, weight), out)


def _between(input, end, weight):
    """From the nearer end, so that weights 0 and 1 give the ends themselves."""
    far = end - input
    if isinstance(weight, Tensor):
        near = abs(weight) < 0.5
        return where(near, input + weight * far, end - far * (1 - weight))
    if builtins.abs(weight) < 0.5:
        return input + weight * far
    return end - far * (1 - weight)


_PRODUCT = (
    "input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: number = 1, out: Tensor? = None"
)
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
    return given(input + _product_term(input, tensor1, tensor2, value), out)


@checked(_PRODUCT, _OLD_PRODUCT)
def addcdiv(input, tensor1, tensor2, value=1, out=None):
    """input + value * tensor1 / tensor2."""
    return given(input + _quotient_term(input, tensor1, tensor2, value), out)


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

# ---- Comparison of tensors -----------------------------------------------------------------------

_array_equal = row("array_equal", "equal", "input:x1, other:x2", arrays=True)
_isclose = row("isclose", "isclose", "input:x1, other:x2, rtol, atol, equal_nan", arrays=True)
_allclose = row("allclose", "allclose", "input:x1, other:x2, rtol, atol, equal_nan", arrays=True)
_TOLERANCES = (
    "input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, "
    "equal_nan: bool = False"
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


# ---- Angles and logits -----------------------------------------------------------------------

_angle_of = row("atan2", "angle", "input:x1, other:x2")


@checked("input: Tensor, *, out: Tensor? = None")
def angle(input, out=None):
    """The argument of each complex number; of real ones 0 or pi."""
    if input.dtype.is_complex:
        return given(_angle_of(imag(input), real(input)), out)
    flat = input if input.dtype.is_floating_point else cast(input, default_dtype())
    made = where(flat < 0, _PI, where(isnan(flat), flat, 0.0))
    return given(made.to(flat.dtype), out)


@checked("input: Tensor, eps: float? = None, *, out: Tensor? = None")
def logit(input, eps=None, out=None):
    """The logarithm of p / (1 - p)."""
    if input.dtype.is_complex:
        refuse_type("logit", input.dtype)
    if not input.dtype.is_floating_point:
        input = cast(input, default_dtype())
    if eps is not None and eps >= 0:
        input = clamp(input, eps, 1 - eps)
    return given(log(input / (1 - input)), out)


both("equal isclose allclose angle logit", globals(), __all__)
_into_itself("logit", logit)
del _function
