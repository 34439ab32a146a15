"""Functions of the elements of one tensor: an operation of the table each, in torch's words."""

from .. import _core
from ._attach import both, in_place
from ._checked import checked, checked_row
from ._dialect import refuse_type, row
from ._dtypes import ALL
from ._output import given
from ._tensor import Tensor

__all__ = []
_ONE = "input: Tensor, *, out: Tensor? = None"
_bool = ALL["bool"]

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
            "abs acos acosh asin asinh atan atanh ceil cos cosh erf erfc exp exp2 expm1 floor "
            "isfinite isinf isnan log log10 log1p log2 logical_not negative positive reciprocal "
            "relu rsqrt sgn sigmoid sign signbit sin sinh sqrt square tan tanh trunc"
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



def _not_inverted(input):
    if input.dtype.is_floating_point or input.dtype.is_complex:
        raise TypeError(
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
        )
    return _rows["bitwise_not"](input)


Tensor.__invert__ = checked_row(
    *("bitwise_invert", "__invert__", "input:x", "input: Tensor"),
    run=_not_inverted,
    arrays=True,
    kinds="biu",
)
Tensor.__abs__ = globals()["abs"]

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
    return given(input - _rows["trunc"](input), out)


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


@checked("input: Tensor")
def conj(input):
    """Complex conjugates; other tensors themselves."""
    return _conj(input) if input.dtype.is_complex else input


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


@checked(_ONE)
def isneginf(input, out=None):
    """Whether elements are minus infinity."""
    return given(_is_infinite(input, "isneginf", -_INFINITY), out)


@checked(_ONE)
def isposinf(input, out=None):
    """Whether elements are infinity, not minus infinity."""
    return given(_is_infinite(input, "isposinf", _INFINITY), out)


_INFINITY = float("inf")


def _is_infinite(input, name, infinity):
    if input.dtype.is_complex:
        raise TypeError(f"{name} does not support complex inputs.")
    return input == infinity if input.dtype.is_floating_point else input.bool() & False


@checked("input: Tensor")
def isreal(input):
    """Whether imaginary parts are 0."""
    return imag(input) == 0 if input.dtype.is_complex else input.bool() | True


def _turned(name, factor):
    @checked(_ONE)
    def function(input, out=None):
        if input.dtype.is_complex:
            refuse_type(name, input.dtype)
        return given(input * factor, out)

    function.__name__ = function.__qualname__ = function.__wrapped__.__name__ = name
    return function


deg2rad, rad2deg = _turned("deg2rad", _PI / 180), _turned("rad2deg", 180 / _PI)
deg2rad.__doc__, rad2deg.__doc__ = "Degrees as radians.", "Radians as degrees."

both(
    "round frac conj nan_to_num isneginf isposinf isreal deg2rad rad2deg",
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
del _name, _operation, _run, _kinds, _signature
