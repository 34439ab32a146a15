"""Functions of the elements of one tensor: an operation of the table each."""

from .. import _core
from ._assign import updated
from ._calls import both, public
from ._dialect import refuse_type, row
from ._tensor import BOOL, Tensor, cast

__all__ = []

# PaddlePaddle's name -> the table's.
_UNARY = {
    **{
        name: name
        for name in (
            "abs acos acosh asin asinh atan atanh ceil cos cosh erf exp expm1 floor isfinite isinf "
            "isnan log log10 log1p log2 logical_not reciprocal rsqrt sigmoid sign sin sinh sqrt "
            "square tan tanh trunc"
        ).split()
    },
    "neg": "negative",
    "negative": "negative",
    "bitwise_not": "bitwise_invert",
    "bitwise_invert": "bitwise_invert",
    "sgn": "sign",
    "absolute": "abs",
}
_rows = {name: row(op, name, "x", arrays=True) for name, op in _UNARY.items()}


def _of_bools(name):
    """What functions that the table has for numbers alone are for truth values."""
    if name in ("neg", "negative"):
        return lambda x: x.clone()
    if name == "isfinite":
        return lambda x: x | True
    if name in ("isinf", "isnan"):
        return lambda x: x & False
    return lambda x: refuse_type(name, BOOL)


def _unusual(name):
    of_bools = None if name in _WITH_BOOLS else _of_bools(name)

    def function(x):
        if of_bools is not None and x.dtype is BOOL:
            return of_bools(x)
        return _rows[name](x)

    function.__name__ = name
    return public(function)


_WITH_BOOLS = {"logical_not", "bitwise_not", "bitwise_invert"}
for _name, _operation in _UNARY.items():
    _kinds = {} if _name in _WITH_BOOLS else {"kinds": "iufc"}
    globals()[_name] = row(
        _operation, _name, "x", arrays=True, unusual=_unusual(_name), **_kinds
    )
both(" ".join(_UNARY), globals(), __all__)
Tensor.__neg__ = globals()["neg"]

_round = row("round", "round", "x", arrays=True)
_round_to = row("round_to", "round", "x, decimals=0", arrays=True)


@public
def _any_round(x, decimals=0):
    """The nearest integer, halves to the even one; or with so many decimals. Integers stay."""
    exact = x.dtype._native.kind in "iu"
    return _round(x) if decimals == 0 or exact else _round_to(x, decimals)


_any_round.__wrapped__.__name__ = "round"
round = row("round", "round", "x", arrays=True, unusual=_any_round)


@public
def frac(x):
    """What truncating takes away."""
    return x - _rows["trunc"](x)


@public
def real(x):
    """The real parts."""
    return _core.ndarray.real.__get__(x) if x.dtype.is_complex else x


@public
def imag(x):
    """The imaginary parts of a complex tensor."""
    if not x.dtype.is_complex:
        refuse_type("imag", x.dtype)
    return _core.ndarray.imag.__get__(x)


_conj = row("conj", "conj", "x", arrays=True)


@public
def conj(x):
    """Complex conjugates."""
    return _conj(x) if x.dtype.is_complex else x.clone()


_nan_to_num = row("nan_to_num", "nan_to_num", "x, nan=0.0, posinf=None, neginf=None", arrays=True)


@public
def nan_to_num(x, nan=0.0, posinf=None, neginf=None):
    """Numbers in the place of NaN and infinities."""
    return _nan_to_num(x, nan, posinf, neginf)


@public
def scale(x, scale=1.0, bias=0.0, bias_after_scale=True, act=None):
    """x * scale + bias, or (x + bias) * scale; for integers both numbers are cut to integers."""
    if act is not None:
        raise NotImplementedError("paddle.scale: act is not here")
    if x.dtype._native.kind in "iu":
        scale, bias = (int(one) if isinstance(one, float) else one for one in (scale, bias))
    made = x * scale + bias if bias_after_scale else (x + bias) * scale
    return cast(made, x.dtype)


_clip = row("clip", "clip", "x, min=None, max=None")


@public
def _any_clip(x, min=None, max=None):
    if min is None and max is None:
        return x.clone()
    if isinstance(min, (int, float)) and isinstance(max, (int, float)) and min > max:
        raise ValueError(
            "(InvalidArgument) max should be greater than or equal to min. But received min = "
            f"{min}, max = {max}"
        )
    if x.dtype._native.kind in "iu" and (isinstance(min, float) or isinstance(max, float)):
        x = cast(x, "float32")
    return _clip(x, min, max)


clip = row(
    *("clip", "clip", "x, min=None, max=None"), unusual=_any_clip, numbers=_any_clip, kinds="f"
)
both("round frac conj nan_to_num scale clip", globals(), __all__)
__all__ += ["real", "imag"]
Tensor.real, Tensor.imag = real, imag
clamp = clip
both("clamp", globals(), __all__)

for _name in (
    "abs acos asin atan ceil cos cosh erf exp expm1 floor log log10 log1p log2 neg reciprocal "
    "rsqrt sigmoid sin sinh sqrt square tan tanh trunc round clip scale nan_to_num frac "
    "logical_not bitwise_not"
).split():
    updated(_name, globals()[_name], __all__, globals())
del _name, _operation, _kinds
