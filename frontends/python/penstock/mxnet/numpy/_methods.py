"""Methods of mx.np.ndarray that are functions of mx.np too; importing this module adds them."""

from .._np_array import native_dtype, ndarray
from ..base import MXNetValueError
from . import _reductions, _selection, _shapes
from ._table import op
from ._types import native_type

_cast = op("cast")


def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
    """The elements as another type: a copy; the array itself with copy=False if it has the type."""
    if order not in ("K", "C", None):
        raise MXNetValueError(f"astype: order must be 'K' or 'C', not {order!r}")
    if casting != "unsafe" or not subok:
        raise MXNetValueError("astype: casting must be 'unsafe' and subok True")
    dtype = native_type(dtype)
    return self if not copy and native_dtype(self) == dtype else _cast(self, dtype)


def reshape(self, *shape, order="C"):
    """A copy in another shape; one length may be -1."""
    if not shape:
        raise TypeError("reshape() needs a shape")
    return _shapes.reshape(self, shape[0] if len(shape) == 1 else shape, order)


def reshape_view(self, *shape):
    """The same elements in another shape: a view."""
    from ... import _core

    shape = shape[0] if len(shape) == 1 else shape
    return _core._ops["reshape"](self.as_subclass(_core.ndarray), shape).as_subclass(ndarray)


def transpose(self, *axes):
    """A copy with the dimensions in another order; reversed if none is given."""
    if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (list, tuple))):
        axes = axes[0]
    return _shapes.transpose(self, axes or None)


def flatten(self, order="C"):
    """A copy in one dimension."""
    return _shapes.ravel(self, order)


def clip(self, min=None, max=None, out=None):
    """The elements, but at least min and at most max."""
    return _selection.clip(self, min, max, out)


def sort(self, axis=-1, kind=None, order=None):
    """Brings the elements into ascending order along the axis, in place."""
    self[:] = _selection.sort(self, axis, kind, order)


def nonzero(self):
    """Places of the elements that are not 0: an array of positions for each axis. Waits."""
    return _selection.nonzero(self)


_METHODS = {
    "all": op("all", "all", "x, axis=None, out=None, keepdims=False"),
    "any": op("any", "any", "x, axis=None, out=None, keepdims=False"),
    "argmax": _reductions.argmax,
    "argmin": _reductions.argmin,
    "argsort": _selection.argsort,
    "astype": astype,
    "broadcast_to": _shapes.broadcast_to,
    "clip": clip,
    "cumsum": _reductions.cumsum,
    "dot": op("dot", "dot", "x1, b:x2, out=None"),
    "flatten": flatten,
    "max": op("max", "max", "x, axis=None, out=None, keepdims=False"),
    "mean": _reductions.mean,
    "min": op("min", "min", "x, axis=None, out=None, keepdims=False"),
    "nonzero": nonzero,
    "prod": _reductions.prod,
    "repeat": _shapes.repeat,
    "reshape": op("reshape", "reshape", "x, shape, /", unusual=reshape),
    "reshape_view": reshape_view,
    "round": _selection.round,
    "sort": sort,
    "squeeze": op("squeeze", "squeeze", "x, axis=None"),
    "std": _reductions.std,
    "sum": op("sum", "sum", "x, axis=None, dtype=None, out=None, keepdims=False"),
    "swapaxes": _shapes.swapaxes,
    "take": _selection.take,
    "transpose": transpose,
    "var": _reductions.var,
}


class _Absent:
    """A method of mx.nd.NDArray that mx.np.ndarray does not have."""

    __slots__ = ("name",)

    def __init__(self, name):
        self.name = name

    def __get__(self, array, cls=None):
        raise AttributeError(
            f"mxnet.numpy.ndarray has no attribute {self.name!r}: use a function of mx.np or "
            "mx.npx, or as_nd_ndarray()",
            name=self.name,
        )


_ABSENT = (
    *("abs", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "argmax_channel"),
    *("asscalar", "broadcast_axes", "broadcast_like", "cbrt", "ceil", "cos", "cosh", "degrees"),
    *("depth_to_space", "diag", "exp", "expand_dims", "expm1", "fill", "fix", "flip", "floor"),
    *("log", "log10", "log1p", "log2", "log_softmax", "nanprod", "nansum", "norm", "one_hot"),
    *("ones_like", "pad", "pick", "radians", "rcbrt", "reciprocal", "relu", "reshape_like", "rint"),
    *("rsqrt", "shape_array", "sigmoid", "sign", "sin", "sinh", "size_array", "slice"),
    *("slice_assign", "slice_assign_scalar", "slice_axis", "slice_like", "softmax", "softmin"),
    *("space_to_depth", "split", "split_v2", "sqrt", "square", "tan", "tanh", "tile", "topk"),
    *("tostype", "trunc", "zeros_like"),
)

for _name, _method in _METHODS.items():
    setattr(ndarray, _name, _method)
for _name in _ABSENT:
    setattr(ndarray, _name, _Absent(_name))
del _name, _method
