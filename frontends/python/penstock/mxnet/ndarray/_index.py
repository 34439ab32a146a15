"""Functions of mx.nd that select by position or by order."""

from ... import _core, _functions
from .. import _dialects
from .._nd_array import element_type
from ..base import MXNetValueError
from ._call import array, call, into, known, ops, required

__all__ = [
    *("Embedding", "argsort", "batch_take", "choose_element_0index", "fill_element_0index"),
    *("gather_nd", "one_hot", "onehot_encode", "pick", "ravel_multi_index", "scatter_nd", "sort"),
    *("take", "topk", "unravel_index", "where"),
]

_take, _cast = ops["take"], ops["cast"]


def _integers(indices):
    """Positions; those given as floating-point numbers are cut."""
    return indices if indices.dtype == "int64" else _cast(indices, "int64")


def _bounded(indices, length, mode):
    """Positions made ones of 0 .. length - 1, unless they are to be checked."""
    indices = _integers(indices)
    if mode == "clip":
        return ops["clip"](indices, 0, length - 1)
    if mode == "wrap":
        return ops["remainder"](indices, length)
    # Positions are not counted from the end: negative ones are made ones that take refuses.
    return ops["where"](indices < 0, indices - length, indices)


def _mode(function, mode, *modes):
    if mode not in modes:
        raise MXNetValueError(f"{function}: mode must be one of {modes}, not {mode!r}")


# ---- Positions -----------------------------------------------------------------------------------


def _taken(x, indices, axis, mode):
    if not -x.ndim <= axis < x.ndim:
        raise MXNetValueError(f"take: shape {x.shape} has no axis {axis}")
    return _take(x, _bounded(indices, x.shape[axis], mode), axis)


def take(a, indices, axis=0, mode="clip", out=None, name=None, **unknown):
    """Slices along an axis at positions, which are brought into range unless mode is 'raise'."""
    known("take", unknown)
    _mode("take", mode, "clip", "wrap", "raise")
    return into(out, call(_taken, array("a", a), array("indices", indices), axis, mode))


def Embedding(
    data,
    weight,
    input_dim=None,
    output_dim=None,
    dtype=None,
    sparse_grad=False,
    out=None,
    name=None,
    **unknown,
):
    """Rows of weight at positions, which are brought into range."""
    known("Embedding", unknown)
    required("Embedding", input_dim=input_dim, output_dim=output_dim)
    if array("weight", weight).shape != (input_dim, output_dim):
        raise MXNetValueError(
            f"Embedding: the weight has shape {weight.shape}, not {(input_dim, output_dim)}"
        )
    return into(out, call(_taken, weight, array("data", data), 0, "clip"))


def _picked(x, index, axis, keepdims, mode):
    axis = axis % x.ndim
    kept = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
    if index.shape not in (kept, kept[:axis] + kept[axis + 1 :]):
        raise MXNetValueError(f"pick: index of shape {index.shape} does not fit {x.shape}")
    index = _bounded(index.reshape(kept), x.shape[axis], mode)
    found = _functions.take_along_axis(x, index, axis)
    found = found if keepdims else ops["squeeze"](found, axis)
    return found if found.ndim else found.reshape((1,))


def pick(data, index, axis=-1, keepdims=False, mode="clip", out=None, name=None, **unknown):
    """For each slice along the axis, the element at its position."""
    known("pick", unknown)
    _mode("pick", mode, "clip", "wrap")
    data, index = array("data", data), array("index", index)
    if axis is None:
        return into(out, call(_taken, data.reshape((-1,)), index, 0, mode))
    if not -data.ndim <= axis < data.ndim:
        raise MXNetValueError(f"pick: shape {data.shape} has no axis {axis}")
    return into(out, call(_picked, data, index, axis, keepdims, mode))


choose_element_0index = pick


def batch_take(a, indices, out=None, name=None):
    """For each row, the element at its position."""
    return pick(a, indices, out=out)


def _filled(x, values, index):
    rows = ops["arange"](0, x.shape[0])
    x = ops["copy"](x)
    x[rows, _integers(index)] = values
    return x


def fill_element_0index(lhs, mhs, rhs, out=None, name=None):
    """lhs with mhs in each row at the position that rhs gives."""
    return into(out, call(_filled, array("lhs", lhs), array("mhs", mhs), array("rhs", rhs)))


def _key(indices):
    indices = _integers(indices)
    return tuple(indices[i] for i in range(indices.shape[0]))


def _gathered(x, indices):
    if indices.shape[0] > x.ndim:
        raise MXNetValueError(f"gather_nd: {indices.shape[0]} positions for shape {x.shape}")
    found = x[_key(indices)]
    return found if found.ndim else found.reshape((1,))


def gather_nd(data, indices, out=None, name=None):
    """Elements or slices at positions: the first axis of indices has one for each axis of data."""
    return into(out, call(_gathered, array("data", data), array("indices", indices)))


def _scattered(values, indices, shape):
    x = ops["zeros"](shape, values.dtype)
    x[_key(indices)] = values
    return x


def scatter_nd(data, indices, shape, out=None, name=None, **unknown):
    """An array of zeros with elements or slices put at positions, which are as for gather_nd."""
    known("scatter_nd", unknown)
    return into(out, call(_scattered, array("data", data), array("indices", indices), shape))


def _hot(indices, depth, on_value, off_value, dtype):
    hot = ops["expand_dims"](_integers(indices), -1) == ops["arange"](0, depth)
    return _cast(ops["where"](hot, on_value, off_value), dtype)


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
    known("one_hot", unknown)
    required("one_hot", depth=depth)
    dtype = element_type(dtype)
    return into(out, call(_hot, array("indices", indices), depth, on_value, off_value, dtype))


def onehot_encode(indices, out):
    """Writes 1 at each position of the rows of `out`, else 0."""
    return one_hot(indices, out.shape[1], out=out)


def _strides(shape):
    strides = [1]
    for length in shape[:0:-1]:
        strides.insert(0, strides[0] * length)
    return _core.asarray(strides)


def _raveled(x, shape):
    flat = ops["tensordot"](_strides(shape), _integers(x), (0,), (0,))
    return _cast(flat if flat.ndim else flat.reshape((1,)), x.dtype)


def ravel_multi_index(data, shape, out=None, name=None, **unknown):
    """Positions among all elements of those given by one row for each axis."""
    known("ravel_multi_index", unknown)
    return into(out, call(_raveled, array("data", data), shape))


def _unraveled(x, shape):
    tail = (1,) * x.ndim
    rows = _strides(shape).reshape((-1, *tail))
    lengths = _core.asarray(list(shape)).reshape((-1, *tail))
    return _cast(_integers(x) // rows % lengths, x.dtype)


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


def _ordered(operation, x, axis, ascend, dtype):
    if axis is None:
        x, axis = x.reshape((-1,)), 0
    found = ops[operation](x, axis, descending=not ascend)
    return found if dtype is None else _cast(found, dtype)


def sort(data, axis=-1, is_ascend=True, out=None, name=None, **unknown):
    """The elements along an axis in order; with None all in one dimension."""
    known("sort", unknown)
    return into(out, call(_ordered, "sort", array("data", data), axis, is_ascend, None))


def argsort(data, axis=-1, is_ascend=True, dtype="float32", out=None, name=None, **unknown):
    """Positions along an axis of the elements in order."""
    known("argsort", unknown)
    dtype = element_type(dtype)
    return into(out, call(_ordered, "argsort", array("data", data), axis, is_ascend, dtype))


def _best(x, axis, k, kind, ascend, dtype):
    if axis is None:
        x, axis = x.reshape((-1,)), 0
    length = x.shape[axis]
    k = length if k < 1 else k
    if k > length:
        raise MXNetValueError(f"topk: k is {k}, but there are {length} elements along the axis")
    places = ops["topk"](x, k, axis, largest=not ascend)
    if kind == "mask":
        return _mask(x, places, axis)
    values = None if kind == "indices" else _functions.take_along_axis(x, places, axis)
    places = None if kind == "value" else _cast(places, dtype)
    return [values, places] if kind == "both" else values if places is None else places


def _mask(x, places, axis):
    """1 at the places along the axis, else 0."""
    places = _functions.moveaxis(places, axis, -1)
    shape = (*places.shape[:-1], x.shape[axis])
    first = ops["arange"](0, x.size, x.shape[axis]).reshape((*shape[:-1], 1))
    flat = ops["put"](ops["zeros"](x.size, x.dtype), (first + places).reshape((-1,)), 1)
    return ops["copy"](_functions.moveaxis(flat.reshape(shape), -1, axis))


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
    if ret_typ not in ("both", "indices", "mask", "value"):
        raise MXNetValueError(
            f"topk: ret_typ must be 'both', 'indices', 'mask' or 'value', not {ret_typ!r}"
        )
    dtype = element_type(dtype)
    found = call(_best, array("data", data), axis, k, ret_typ, is_ascend, dtype)
    if out is None:
        return found
    return [into(*pair) for pair in zip(out, found)] if ret_typ == "both" else into(out, found)
