"""Methods of NDArray that are functions of mx.nd as well; importing this module adds them."""

from . import _create, _index, _internal, _math, _network, _reduce, _shape
from .._nd_array import NDArray, _native_reshape

_METHODS = {
    _create: "ones_like zeros_like",
    _math: (
        "abs arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil clip cos cosh degrees exp "
        "expm1 fix floor log log10 log1p log2 radians rcbrt reciprocal relu rint round rsqrt "
        "sigmoid sign sin sinh sqrt square tan tanh trunc"
    ),
    _reduce: "argmax argmax_channel argmin max mean min nanprod nansum norm prod sum",
    _shape: (
        "broadcast_axes broadcast_like broadcast_to depth_to_space diag flip pad repeat "
        "reshape_like shape_array size_array slice slice_axis slice_like space_to_depth split "
        "split_v2 swapaxes tile transpose"
    ),
    _index: "argsort one_hot pick sort take topk",
    _network: "log_softmax softmax softmin",
}

for _module, _names in _METHODS.items():
    for _name in _names.split():
        setattr(NDArray, _name, getattr(_module, _name))
del _module, _names, _name


def expand_dims(self, axis, inplace=False):
    """A copy with a new dimension of length 1; with inplace the elements are shared."""
    made = _shape.expand_dims(self, axis)
    return _native_reshape(self, made.shape) if inplace else made


def flatten(self, inplace=False):
    """A copy with two dimensions; with inplace the elements are shared."""
    return self.reshape((0, -1)) if inplace else _shape.flatten(self)


def squeeze(self, axis=None, inplace=False):
    """A copy without dimensions of length 1; with inplace the elements are shared."""
    made = _shape.squeeze(self, axis)
    return _native_reshape(self, made.shape) if inplace else made


def slice_assign(self, rhs, begin, end, step):
    """Writes an array into the part from begin to end; gives this array."""
    return _internal._slice_assign(self, rhs, begin, end, step)


def slice_assign_scalar(self, value, begin, end, step):
    """Writes a number into the part from begin to end; gives this array."""
    return _internal._slice_assign_scalar(self, value, begin, end, step)


def _basic_indexing_slice_is_contiguous(slc_key, shape):
    """Whether slices, one for each axis, select elements that lie side by side."""
    parts = [range(*one.indices(length)) for one, length in zip(slc_key, shape)]
    if not all(parts):
        return True
    whole = True  # all axes so far, from the last one on
    for part, length in zip(reversed(parts), reversed(shape)):
        if len(part) > 1 and (part.step != 1 or not whole):
            return False
        whole = whole and len(part) == length
    return True


NDArray._basic_indexing_slice_is_contiguous = staticmethod(_basic_indexing_slice_is_contiguous)

for _method in (expand_dims, flatten, slice_assign, slice_assign_scalar, squeeze):
    _method.__qualname__ = f"NDArray.{_method.__name__}"
    setattr(NDArray, _method.__name__, _method)
del _method
