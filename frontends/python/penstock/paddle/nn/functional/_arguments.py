"""What functions of this package check of their arguments."""

from ..._calls import refuse
from ..._tensor import Tensor


def tensor(name, x, argument="x", position=0):
    """The tensor that an argument must be; ValueError."""
    if not isinstance(x, Tensor):
        refuse(name, argument, position, "Tensor", x)
    return x


def several(name, value, count, what):
    """An int for each dimension, as a tuple."""
    if isinstance(value, int):
        return (value,) * count
    if isinstance(value, (list, tuple)) and len(value) in (1, count):
        found = tuple(int(one) for one in value)
        return found * count if len(found) == 1 else found
    raise ValueError(f"{name}: {what} should be an int or {count} ints, but received {value}")


def channels_first(name, x, data_format, spatial):
    """The tensor with its channels before the other dimensions, and whether they were behind."""
    last = data_format in ("NHWC", "NLC", "NDHWC")
    if not last and data_format not in ("NCHW", "NCL", "NCDHW", "NC", "NCW"):
        raise ValueError(f"{name}: data_format {data_format!r} is not one of NCHW, NHWC and alike")
    if not last:
        return x, False
    return x.transpose([0, spatial + 1, *range(1, spatial + 1)]), True


def channels_last(x, last, spatial):
    """The tensor with its channels behind, if they were there."""
    return x.transpose([0, *range(2, spatial + 2), 1]) if last else x


def absent(name, what):
    """The error for an option that is not here."""
    return NotImplementedError(f"{name}: {what} is not here")
