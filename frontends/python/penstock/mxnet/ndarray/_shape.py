"""Functions of mx.nd that change shapes. All of them give copies; x.reshape shares."""

import builtins
from operator import getitem

from ... import _core, _shapes
from .. import _dialects
from .._nd_array import NDArray
from .._shapes import ND, coded_shape, inferred, part_key, product, shape_like
from ..base import MXNetIndexError, MXNetValueError
from ._call import array, arrays, call, copied, into, known, ops, required, table

__all__ = [
    *("Concat", "Flatten", "Pad", "Reshape", "SliceChannel", "SwapAxis", "broadcast_axes"),
    *("broadcast_axis", "broadcast_like", "broadcast_to", "concat", "concatenate", "crop"),
    *("depth_to_space", "diag", "expand_dims", "flatten", "flip", "moveaxis", "pad", "repeat"),
    *("reshape", "reshape_like", "reverse", "shape_array", "size_array", "slice", "slice_axis"),
    *("slice_like", "space_to_depth", "split", "split_v2", "squeeze", "stack", "swapaxes", "tile"),
    "transpose",
]

_copy, _reshape = ops["copy"], ops["reshape"]
_range = builtins.slice


# ---- Shapes --------------------------------------------------------------------------------------


def _new_shape(shape, codes, reverse):
    """The lengths that the codes of x.reshape mean."""
    return inferred(shape, coded_shape(shape, codes, ND, reverse))


def method_shape(array, shape, kwargs):
    """The shape that the arguments of x.reshape mean."""
    if shape is None:
        shape = kwargs.pop("shape", None)
        if shape is None:
            raise AssertionError("reshape needs a shape")
        shape = shape if isinstance(shape, (tuple, list)) else (shape,)
    reverse = kwargs.pop("reverse", False)
    if kwargs:
        raise TypeError(
            f"reshape has the keywords 'shape' and 'reverse', but not {', '.join(kwargs)}"
        )
    if not shape and array.size != 1:
        raise MXNetValueError(f"reshape: {array.size} elements do not fit into shape ()")
    return _new_shape(array.shape, shape, reverse)


def reshape(data, shape=None, reverse=False, out=None, name=None, **unknown):
    """A copy in another shape; x.reshape has the codes that lengths may be."""
    known("reshape", unknown)
    required("reshape", shape=shape)
    shape = shape if isinstance(shape, (tuple, list)) else (shape,)
    shape = _new_shape(array("data", data).shape, shape, reverse)
    return into(out, copied(_reshape, data, shape))


Reshape = reshape


def reshape_like(
    lhs, rhs, lhs_begin=None, lhs_end=None, rhs_begin=None, rhs_end=None, out=None, name=None
):
    """A copy of lhs in the shape of rhs; with begin and end, only these axes of both."""
    left, right = _range(lhs_begin, lhs_end), _range(rhs_begin, rhs_end)
    shape = shape_like(array("lhs", lhs).shape, array("rhs", rhs).shape, left, right)
    return into(out, copied(_reshape, lhs, shape))


def flatten(data, out=None, name=None):
    """A copy with two dimensions: the first one, and all others as one."""
    shape = array("data", data).shape
    return into(out, ops["copy"](_reshape(data, (shape[0], product(shape[1:])))))


Flatten = flatten

_transpose = table("permute", "transpose", "data:x, axes=None")


def transpose(data, axes=None, out=None, name=None, **unknown):
    """A copy with the dimensions in another order; reversed if none is given."""
    known("transpose", unknown)
    if isinstance(axes, int):
        raise TypeError(f"transpose: axes must be a tuple, not {axes!r}")
    return into(out, _transpose(data, axes or None))


def swapaxes(data, dim1=0, dim2=0, out=None, name=None, **unknown):
    """A copy with two dimensions swapped."""
    known("swapaxes", unknown)
    return into(out, copied(_shapes.swapaxes, array("data", data), dim1, dim2))


SwapAxis = swapaxes


def moveaxis(tensor, source, destination):
    """A copy with dimensions moved to other places."""
    return copied(_shapes.moveaxis, array("tensor", tensor), source, destination)


expand_dims = table("expand_dims", "expand_dims", "data:x, axis")
squeeze = table("squeeze", "squeeze", "data:x, axis=None")


def _broadcast(x, shape, out):
    return into(out, copied(ops["broadcast_to"], x, shape))


def broadcast_to(data, shape, out=None, name=None, **unknown):
    """A copy of the given shape in which elements repeat; a length of 0 stays as it is."""
    known("broadcast_to", unknown)
    old = array("data", data).shape
    shape = tuple(map(int, shape)) if hasattr(shape, "__len__") else (shape,)
    if len(shape) == len(old):
        shape = tuple(length or keep for length, keep in zip(shape, old))
    return _broadcast(data, shape, out)


def broadcast_axis(data, axis=(), size=(), out=None, name=None, **unknown):
    """A copy in which axes of length 1 have other lengths."""
    known("broadcast_axis", unknown)
    shape = list(array("data", data).shape)
    axis, size = ((one,) if isinstance(one, int) else tuple(one) for one in (axis, size))
    if len(axis) != len(size):
        raise MXNetValueError(f"broadcast_axis: {len(axis)} axes have {len(size)} lengths")
    for one, length in zip(axis, size):
        if not -len(shape) <= one < len(shape) or shape[one] != 1:
            raise MXNetValueError(f"broadcast_axis: axis {one} of shape {data.shape} is not 1")
        shape[one] = length
    return _broadcast(data, tuple(shape), out)


broadcast_axes = broadcast_axis


def broadcast_like(lhs, rhs, lhs_axes=None, rhs_axes=None, out=None, name=None, **unknown):
    """A copy of lhs in the shape of rhs; with axes, only these of lhs are as those of rhs."""
    known("broadcast_like", unknown)
    like = array("rhs", rhs).shape
    if lhs_axes is None and rhs_axes is None:
        return _broadcast(array("lhs", lhs), like, out)
    shape = list(array("lhs", lhs).shape)
    if not lhs_axes or not rhs_axes:
        raise MXNetValueError("broadcast_like: an empty tuple of axes is not allowed")
    for left, right in zip(lhs_axes, rhs_axes):
        shape[left] = like[right]
    return _broadcast(lhs, tuple(shape), out)


def shape_array(data, out=None, name=None):
    """The lengths of the dimensions, as an array."""
    return into(out, call(_core.asarray, list(array("data", data).shape), dtype="int64"))


def size_array(data, out=None, name=None):
    """The number of elements, as an array."""
    return into(out, call(_core.asarray, [array("data", data).size], dtype="int64"))


# ---- Joins ---------------------------------------------------------------------------------------

_concatenate = _dialects.table(_dialects.nd, "concatenate")
_stack = _dialects.table(_dialects.nd, "stack")


def _some(function, data):
    if not data:
        raise MXNetValueError(f"{function}: at least one array is needed")
    return list(arrays(data))


def concat(*data, dim=1, out=None, name=None, num_args=None, **unknown):
    """The arrays one behind the other along an axis: the second, if none is given."""
    known("concat", unknown)
    return _concatenate(_some("concat", data), dim, out=out)


Concat = concat


def concatenate(arrays, axis=0, always_copy=True):
    """The arrays of a list one behind the other along an axis."""
    if not isinstance(arrays, (list, tuple)) or not arrays:
        raise AssertionError(f"concatenate: a list of arrays is needed, not {type(arrays)}")
    if len(arrays) == 1 and not always_copy:
        return arrays[0]
    arrays = _some("concatenate", arrays)
    if not -arrays[0].ndim <= axis < arrays[0].ndim:
        raise MXNetIndexError(f"concatenate: shape {arrays[0].shape} has no axis {axis}")
    rests = {_without(one.shape, axis) for one in arrays}
    if len(rests) > 1:
        raise AssertionError(f"concatenate: shapes {[one.shape for one in arrays]} do not fit")
    return _concatenate(arrays, axis)


def _without(shape, axis):
    """The lengths of the other axes."""
    axis = axis % len(shape) if -len(shape) <= axis < len(shape) else len(shape)
    return shape[:axis] + shape[axis + 1 :], len(shape)


def stack(*data, axis=0, out=None, name=None, num_args=None, **unknown):
    """The arrays side by side along a new axis."""
    known("stack", unknown)
    return _stack(_some("stack", data), axis, out=out)


# ---- Parts ---------------------------------------------------------------------------------------


def _parts(x, sections, axis, squeeze):
    parts = map(_copy, _shapes.split(x, sections, axis))
    return [ops["squeeze"](part, axis) for part in parts] if squeeze else list(parts)


def _one_or_many(parts, out):
    if out is not None:
        parts = [
            into(*pair) for pair in zip(out if isinstance(out, (list, tuple)) else [out], parts)
        ]
    return parts[0] if len(parts) == 1 else parts


def _equal_parts(data, count, axis):
    length = data.shape[axis] if -data.ndim <= axis < data.ndim else 0
    each = length // count
    if not each or length % count:
        raise MXNetValueError(f"split: {count} equal parts along axis {axis} of shape {data.shape}")
    x, before = data.as_subclass(_core.ndarray), (_range(None),) * (axis % data.ndim)
    parts = [x[(*before, _range(begin, begin + each))] for begin in range(0, length, each)]
    return [_copy(part).as_subclass(NDArray) for part in parts]


def split(data, num_outputs, axis=1, squeeze_axis=False, out=None, name=None, **unknown):
    """Copies of so many equal parts along an axis, the second if none is given."""
    known("split", unknown)
    if not squeeze_axis and out is None and num_outputs > 1:
        return _equal_parts(array("data", data), num_outputs, axis)
    return _one_or_many(call(_parts, array("data", data), num_outputs, axis, squeeze_axis), out)


SliceChannel = split


def split_v2(ary, indices_or_sections, axis=0, squeeze_axis=False):
    """Copies of parts along an axis: so many equal ones, or cut at the given places."""
    if not isinstance(indices_or_sections, (int, tuple, list, set)):
        raise ValueError(f"indices_or_sections must be int or tuple, not {indices_or_sections!r}")
    if isinstance(indices_or_sections, set):
        indices_or_sections = tuple(sorted(indices_or_sections))
    parts = call(_parts, array("ary", ary), indices_or_sections, axis, squeeze_axis)
    return _one_or_many(parts, None)


def slice(data, begin, end, step=None, out=None, name=None, **unknown):
    """A copy of what lies from begin to end, by steps, along the first axes."""
    known("slice", unknown)
    key = part_key("slice", array("data", data).shape, begin, end, step)
    return into(out, copied(getitem, data, key))


crop = slice


def slice_axis(data, axis, begin, end, out=None, name=None, **unknown):
    """A copy of what lies from begin to end along one axis; end=None is all that follows."""
    known("slice_axis", unknown)
    shape = array("data", data).shape
    if not -len(shape) <= axis < len(shape):
        raise MXNetValueError(f"slice_axis: shape {shape} has no axis {axis}")
    length = shape[axis]
    first = begin + length if begin < 0 else begin
    last = length if end is None else end + length if end < 0 else end
    if not 0 <= first < last <= length:
        raise MXNetValueError(f"slice_axis: {begin} to {end} is not a part of length {length}")
    key = (_range(None),) * (axis % len(shape)) + (_range(first, last),)
    return into(out, ops["copy"](data[key]))


def slice_like(data, shape_like, axes=None, out=None, name=None, **unknown):
    """A copy of as many elements along axes, all if none are given, as another array has."""
    known("slice_like", unknown)
    shape, like = array("data", data).shape, array("shape_like", shape_like).shape
    if axes is None or axes == ():
        axes = range(len(shape))
        if len(like) != len(shape):
            raise MXNetValueError(f"slice_like: shapes {shape} and {like} differ in dimensions")
    axes = (axes,) if isinstance(axes, int) else axes
    key = [_range(None)] * len(shape)
    for axis in axes:
        if axis >= len(like) or like[axis] > shape[axis]:
            raise MXNetValueError(
                f"slice_like: shape {shape} is not as long as {like}, axis {axis}"
            )
        key[axis] = _range(like[axis])
    return into(out, copied(getitem, data, tuple(key)))


# ---- Repeats and margins -------------------------------------------------------------------------

tile = table("tile", "tile", "data:x, reps:repeats")
repeat = table("repeat", "repeat", "data:x, repeats, axis=None")


def flip(data, axis=None, out=None, name=None, **unknown):
    """A copy with the order along an axis, or several, reversed."""
    known("flip", unknown)
    required("flip", axis=axis)
    return into(out, copied(ops["flip"], array("data", data), axis))


reverse = flip


def pad(data, mode, pad_width, constant_value=0, out=None, name=None, **unknown):
    """Elements added before and after along each axis; mode is 'constant', 'edge' or 'reflect'."""
    known("pad", unknown)
    if mode not in ("constant", "edge", "reflect"):
        raise MXNetValueError(f"pad: mode must be 'constant', 'edge' or 'reflect', not {mode!r}")
    if len(pad_width) != 2 * array("data", data).ndim:
        raise MXNetValueError(f"pad: {len(pad_width)} widths do not fit {data.ndim} dimensions")
    if not any(pad_width):
        return into(out, data.copy())
    widths = list(zip(pad_width[::2], pad_width[1::2]))
    return into(out, call(_shapes.pad, data, widths, mode, constant_values=constant_value))


Pad = pad


def diag(data, k=0, axis1=0, axis2=1, out=None, name=None, **unknown):
    """Of one dimension a matrix with the elements on a diagonal; else a diagonal of two axes."""
    known("diag", unknown)
    if array("data", data).ndim == 1:
        return into(out, call(_shapes.diag, data, k))
    return into(out, copied(_shapes.diagonal, data, k, axis1, axis2))


# ---- Blocks --------------------------------------------------------------------------------------


def _blocks(function, data, block_size):
    if array("data", data).ndim != 4:
        raise MXNetValueError(f"{function}: four dimensions are needed, not {data.ndim}")
    return data.shape, block_size


def _rearranged(x, shape, order, final):
    return _copy(_reshape(ops["permute"](_reshape(x, shape), order), final))


def depth_to_space(data, block_size, out=None, name=None, **unknown):
    """Channels laid out as blocks of the plane."""
    known("depth_to_space", unknown)
    (n, c, h, w), b = _blocks("depth_to_space", data, block_size)
    if c % (b * b):
        raise MXNetValueError(f"depth_to_space: {c} channels make no blocks of {b} by {b}")
    shape, final = (n, b, b, c // (b * b), h, w), (n, c // (b * b), h * b, w * b)
    return into(out, call(_rearranged, data, shape, (0, 3, 4, 1, 5, 2), final))


def space_to_depth(data, block_size, out=None, name=None, **unknown):
    """Blocks of the plane laid out as channels."""
    known("space_to_depth", unknown)
    (n, c, h, w), b = _blocks("space_to_depth", data, block_size)
    if h % b or w % b:
        raise MXNetValueError(f"space_to_depth: {h} by {w} makes no blocks of {b} by {b}")
    shape, final = (n, c, h // b, b, w // b, b), (n, c * b * b, h // b, w // b)
    return into(out, call(_rearranged, data, shape, (0, 3, 5, 1, 2, 4), final))
