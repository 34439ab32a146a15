"""mx.nd._internal: operators of MXNet without public names that programs have called by these."""

from .._missing import missing
from ._call import array, known
from ._shape import part_key

__all__ = ["_crop_assign", "_crop_assign_scalar", "_slice_assign", "_slice_assign_scalar"]


def _written(data, value, begin, end, step, out):
    """The array, or `out`, with a value in the part from begin to end."""
    target = data if out is None else out
    if out is not None and out is not data:
        out[:] = data
    target[part_key("slice_assign", array("data", data).shape, begin, end, step)] = value
    return target


def _slice_assign(lhs, rhs, begin, end, step=None, out=None, name=None, **unknown):
    """Writes an array into a part of another one."""
    known("_slice_assign", unknown)
    return _written(lhs, array("rhs", rhs), begin, end, step, out)


def _slice_assign_scalar(
    data, scalar=0, begin=(), end=(), step=None, out=None, name=None, **unknown
):
    """Writes a number into a part of an array."""
    known("_slice_assign_scalar", unknown)
    return _written(data, scalar, begin, end, step, out)


_crop_assign, _crop_assign_scalar = _slice_assign, _slice_assign_scalar

__getattr__ = missing("mxnet.nd._internal")
