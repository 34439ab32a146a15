"""PaddlePaddle's rules as a row of settings, and how operations of the table are called by them."""

from .. import Dialect, _core
from ._dtypes import ALL, BY_NAME, BY_NATIVE, as_dtype
from ._size import Size

_ops = _core._ops


class EnforceNotMet(Exception):
    """A kernel met elements that it has no result for: an integer divided by zero."""

    __module__ = "paddle"


# What PaddlePaddle raises for the kinds of errors that the library has.
ERRORS = {
    "value": ValueError,
    "type": RuntimeError,
    "argument": TypeError,
    "operand": TypeError,
    "axis": ValueError,
    "index": IndexError,
    "key": ValueError,
    "truth": AssertionError,
    "division": EnforceNotMet,
    "memory": MemoryError,
}

rules = Dialect(
    "paddle",
    scalar="ranks",
    numbers="wrap",
    indices="select",
    updates="new",
    zero_division="raise",
    products="same",
    results="base",
    values="elements",
    attributes=True,
    shape=Size,
    types=BY_NATIVE,
    type_names=BY_NAME,
    copies=("broadcast",),
    errors=ERRORS,
    gradients=("unless_paused", "check", "integers", "once", "lazy"),
)

# ---- The default type ----------------------------------------------------------------------------

_default = [ALL["float32"]]


def default_dtype():
    """What Python's floats become."""
    return _default[0]


def get_default_dtype():
    """The name of what Python's floats become."""
    return _default[0]._name


def set_default_dtype(d):
    """What Python's floats, quotients of integers and new tensors are from now on.

    >>> from penstock import paddle
    >>> paddle.set_default_dtype("float64")
    >>> print(paddle.to_tensor([1.0]).dtype)
    paddle.float64
    >>> paddle.set_default_dtype("float32")
    """
    try:
        one = as_dtype(d)
    except TypeError:
        one = None
    if one is None or not one.is_floating_point:
        raise TypeError(
            "set_default_dtype only supports [float16, float32, float64, bfloat16], but received "
            f"{d}"
        )
    wide = "complex128" if one is ALL["float64"] else "complex64"
    rules.set_types(float=one._native, complex=ALL[wide]._native)
    _default[0] = one


# ---- Calls ---------------------------------------------------------------------------------------


def row(operation, name=None, signature=None, **others):
    """The function of an operation of the table; `signature` has PaddlePaddle's argument names.

    "x, keepdim:keepdims=False" calls the table's keepdims keepdim. Of `others`, unusual is called
    instead when an argument is not plain, numbers when none is a tensor; arrays=True refuses
    numbers in the place of tensors; variadic=True takes what the last argument has in several;
    kinds are those of the element types that the row is right for.
    """
    return _ops[operation].for_dialect(rules, name or operation, signature, "paddle", **others)


def refuse_type(name, one):
    """Raises for elements that a function is not for."""
    raise RuntimeError(f"(NotFound) there is no kernel of `{name}` for {one._name}")


def wrapped_axis(axis, ndim, extra=0):
    """A dimension counted from the beginning; ValueError if there is none."""
    count = max(ndim + extra, 1)
    if not -count <= axis < count:
        raise ValueError(
            f"(InvalidArgument) the axis is expected to be in range of [{-count}, {count}), but "
            f"received {axis}"
        )
    return axis % count
