"""What the functions of mx.nd share: how operations of the table are named, and checks."""

from operator import index

from ... import _core
from .. import _dialects
from .._layers import _public
from .._mode import mode
from .._nd_array import NDArray
from ..base import MXNetTypeError, MXNetValueError, NotArrayError

ops = _core._ops


def table(operation, name, signature, numbers=None, ignored=""):
    """A function of one operation of the table, with MXNet's names of the arguments.

    `ignored` has arguments that MXNet takes and does nothing with.
    """
    signature, numbers = f"{signature}, out=None, name:_=None{ignored}", numbers or no_array
    nd = _dialects.nd
    return _dialects.table(nd, operation, name, signature, "mxnet.ndarray", numbers=numbers)


def quick(operation, name, signature, unusual, **others):
    """The same for plain arguments; `unusual` is called when others are given."""
    others |= {"unusual": unusual, "arrays": True}
    star = "" if "*" in signature else "*, "
    signature = f"{signature}, {star}out=None, name:_=None"
    return _dialects.table(_dialects.nd, operation, name, signature, "mxnet.ndarray", **others)


def layer(name, function):
    """A function of both dialects as one of mx.nd."""
    return _public.made(function, name, "mxnet.ndarray", NDArray, array, into)


def no_array(*args, **kwargs):
    """For functions of the table that were given numbers alone."""
    raise NotArrayError(f"there is no NDArray among the arguments {args}")


def call(function, *args, **kwargs):
    """What a native function gives, as arrays of mx.nd."""
    return _dialects.call(NDArray, function, *args, **kwargs)


def copied(function, *args, **kwargs):
    """The same with copies where the function gives views."""
    return _dialects.copied(NDArray, function, *args, **kwargs)


def into(out, result):
    """The result, or `out` with its elements; of several results, as many arrays."""
    if out is None:
        return result
    if isinstance(result, list):
        return [into(*pair) for pair in zip(out, result, strict=True)]
    return _dialects.written(out, result)


def array(name, value):
    """The argument if it is an array of mx.nd, else an exception."""
    if type(value) is NDArray:
        return value
    if isinstance(value, NDArray) and type(value).__dialect__ is _dialects.nd:
        return value
    if isinstance(value, _core.ndarray):
        raise TypeError(
            f"argument {name} is an array of type {type(value)}; functions of mx.nd take those of "
            "mx.nd only: use as_nd_ndarray()"
        )
    raise NotArrayError(f"argument {name} must be an NDArray, not {value!r}")


def arrays(values):
    """Positional arguments that must all be arrays."""
    for value in values:
        array("of a list of arrays", value)
    return values


def known(function, unknown):
    """Keyword arguments that a function does not have are refused."""
    if unknown:
        names = ", ".join(map(repr, unknown))
        raise MXNetTypeError(f"Cannot find argument {names} in operator {function}")


def required(function, **values):
    """Arguments that have no default."""
    for name, value in values.items():
        if value is None:
            raise MXNetTypeError(
                f"Required parameter {name} is not presented, in operator {function}"
            )


def lengths(function, shape):
    """A shape as a tuple. Outside of NumPy shapes a length of 0 means one that is not known."""
    if type(shape) is tuple and shape:
        for length in shape:
            if type(length) is not int or length <= 0:
                break
        else:
            return shape
    return _unusual_lengths(function, shape)


def _unusual_lengths(function, shape):
    shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    try:
        shape = tuple(map(index, shape))
    except TypeError:
        raise MXNetTypeError(f"{function}: shapes have integers only, not {shape!r}") from None
    if not mode.shape and (not shape or min(shape) <= 0):
        raise MXNetValueError(
            f"{function}: shape {shape} is not known completely; lengths of 0, and arrays without "
            "dimensions, need NumPy shapes: npx.set_np()"
        )
    return shape
