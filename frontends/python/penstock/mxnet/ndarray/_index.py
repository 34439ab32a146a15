"""Functions of mx.nd that select by position or by order."""

from ... import _core
from .. import _composed, _dialects
from .._nd_array import NDArray, element_type
from ..base import MXNetValueError
from ._call import array, call, into, known, ops, required

__all__ = [
    *("argsort", "batch_take", "choose_element_0index", "fill_element_0index"),
    *("gather_nd", "one_hot", "onehot_encode", "pick", "ravel_multi_index", "scatter_nd", "sort"),
    *("take", "topk", "unravel_index", "where"),
]

_cast, _clip, _pick, _take = ops["cast"], ops["clip"], ops["pick"], ops["take"]
_dtype = _core.ndarray.dtype.__get__
_INDEX = _core._dtype("int64")


# ---- Positions -----------------------------------------------------------------------------------


def take(a, indices, axis=0, mode="clip", out=None, name=None, **unknown):
    """Slices along an axis at positions, which are brought into range unless mode is 'raise'."""
    known("take", unknown)
    if mode not in ("clip", "wrap", "raise"):
        raise MXNetValueError(f"take: mode is {mode!r}; there are 'clip', 'wrap' and 'raise'")
    a, indices = array("a", a), array("indices", indices)
    if mode == "clip" and -a.ndim <= axis < a.ndim:
        places = indices if _dtype(indices) is _INDEX else _cast(indices, _INDEX)
        return into(out, _take(a, _clip(places, 0, a.shape[axis] - 1), axis))
    return into(out, call(_composed.taken, a, indices, axis, mode))


def _one_dimension(found):
    """Results have a dimension at least."""
    return found if found.ndim else found.reshape((1,))


def pick(data, index, axis=-1, keepdims=False, mode="clip", out=None, name=None, **unknown):
    """For each slice along the axis, the element at its position."""
    known("pick", unknown)
    data, index = array("data", data), array("index", index)
    if mode in ("clip", "wrap") and axis is not None and data.ndim > index.ndim:
        places = index if _dtype(index) is _INDEX else _cast(index, _INDEX)
        return into(out, _pick(data, places, axis, bool(keepdims), mode))
    return into(out, _one_dimension(call(_composed.picked, data, index, axis, keepdims, mode)))


choose_element_0index = pick


def batch_take(a, indices, out=None, name=None):
    """For each row, the element at its position."""
    return pick(a, indices, out=out)


def _filled(x, values, index):
    rows = ops["arange"](0, x.shape[0])
    x = ops["copy"](x)
    x[rows, _composed.whole(index)] = values
    return x


def fill_element_0index(lhs, mhs, rhs, out=None, name=None):
    """lhs with mhs in each row at the position that rhs gives."""
    return into(out, call(_filled, array("lhs", lhs), array("mhs", mhs), array("rhs", rhs)))


def gather_nd(data, indices, out=None, name=None):
    """Elements or slices at positions: the first axis of indices has one for each axis of data."""
    found = call(_composed.gathered, array("data", data), array("indices", indices))
    return into(out, _one_dimension(found))


def _scattered(values, indices, shape):
    x = ops["zeros"](shape, values.dtype)
    x[_composed.rows(indices)] = values
    return x


def scatter_nd(data, indices, shape, out=None, name=None, **unknown):
    """An array of zeros with elements or slices put at positions, which are as for gather_nd."""
    known("scatter_nd", unknown)
    return into(out, call(_scattered, array("data", data), array("indices", indices), shape))


def one_hot(
    indices,
    depth=None,
    on_value=1.0,
    off_value=0.0,
    dtype="float32",
    out=None,
    name=None,
    **unknown,
):
    """Along a new last axis on_value at each position, else off_value; out of range nowhere."""
    indices = array("indices", indices)
    if out is None and not unknown:
        hot = _composed.quick_one_hot(indices, depth, on_value, off_value, dtype)
        if hot is not None:
            return hot.as_subclass(NDArray)
    known("one_hot", unknown)
    required("one_hot", depth=depth)
    dtype = element_type(dtype)
    return into(out, call(_composed.one_hot, indices, depth, on_value, off_value, dtype))


def onehot_encode(indices, out):
    """Writes 1 at each position of the rows of `out`, else 0."""
    return one_hot(indices, out.shape[1], out=out)


def _strides(shape):
    strides = [1]
    for length in shape[:0:-1]:
        strides.insert(0, strides[0] * length)
    return _core.asarray(strides)


def _raveled(x, shape):
    flat = ops["tensordot"](_strides(shape), _composed.whole(x), (0,), (0,))
    return _cast(flat if flat.ndim else flat.reshape((1,)), x.dtype)


def ravel_multi_index(data, shape, out=None, name=None, **unknown):
    """Positions among all elements of those given by one row for each axis."""
    known("ravel_multi_index", unknown)
    return into(out, call(_raveled, array("data", data), shape))


def _unraveled(x, shape):
    return _cast(ops["stack"](_composed.unraveled(_composed.whole(x), shape)), x.dtype)


def unravel_index(data, shape, out=None, name=None, **unknown):
    """One row for each axis of a shape, from positions among all elements."""
    known("unravel_index", unknown)
    return into(out, call(_unraveled, array("data", data), shape))


# ---- Choice --------------------------------------------------------------------------------------

_where = _dialects.table(_dialects.nd, "where")


def where(condition, x, y, out=None, name=None, **unknown):
    """x where the condition is not 0, else y; a condition of one dimension is for rows."""
    known("where", unknown)
    condition, x, y = array("condition", condition), array("x", x), array("y", y)
    if x.shape != y.shape:
        raise MXNetValueError(f"where: shapes {x.shape} and {y.shape} differ")
    if condition.shape != x.shape:
        if condition.shape != x.shape[:1]:
            raise MXNetValueError(f"where: a condition of shape {condition.shape} for {x.shape}")
        condition = condition.reshape((-1,) + (1,) * (x.ndim - 1))
    return _where(condition, x, y, out=out)


# ---- Order ---------------------------------------------------------------------------------------


def sort(data, axis=-1, is_ascend=True, out=None, name=None, **unknown):
    """The elements along an axis in order; with None all in one dimension."""
    known("sort", unknown)
    return into(out, call(_composed.ordered, "sort", array("data", data), axis, is_ascend))


def argsort(data, axis=-1, is_ascend=True, dtype="float32", out=None, name=None, **unknown):
    """Positions along an axis of the elements in order."""
    known("argsort", unknown)
    places = call(_composed.ordered, "argsort", array("data", data), axis, is_ascend)
    return into(out, places.astype(dtype))


def topk(
    data,
    axis=-1,
    k=1,
    ret_typ="indices",
    is_ascend=False,
    dtype="float32",
    out=None,
    name=None,
    **unknown,
):
    """The k largest elements along an axis, or smallest: 'indices', 'value', 'both' or 'mask'."""
    known("topk", unknown)
    order = axis, k, ret_typ, is_ascend, element_type(dtype)
    return into(out, call(_composed.best, array("data", data), *order))
