"""What both dialects compose of several operations, over native arrays.

The functions of mx.nd and mx.npx call these by `_dialects.call`, with their own names and orders of
arguments; that makes the exceptions of the dialect of those raised here.
"""

from .. import _core, _functions, _types

_ops = _core._ops
_cast, _where = _ops["cast"], _ops["where"]

# act_type -> operation.
ACTIVATIONS = {
    "relu": "relu",
    "sigmoid": "sigmoid",
    "softrelu": "softplus",
    "softsign": "softsign",
    "tanh": "tanh",
}


# ---- Elements ----------------------------------------------------------------------------------


def cube_root(x):
    """The number whose third power an element is."""
    return _ops["copysign"](_ops["abs"](x) ** (1 / 3), x)


def nearest(x):
    """The nearest integer; of two that are equally near the lower one."""
    if x.dtype.kind != "f":
        return _ops["copy"](x)
    below = _ops["floor"](x)
    return _where(x - below > 0.5, below + 1, below)


def bound(dtype, value):
    """A bound of clip: for integers, an integer that their type has."""
    if value is None or dtype.kind not in "iu":
        return value
    limits = _types.iinfo(dtype)
    return int(min(max(value, limits.min), limits.max))


def smooth_l1(x, scalar):
    """The absolute value, smoothed to a parabola between -1/scalar**2 and 1/scalar**2."""
    square = float(scalar) ** 2
    edge = 1 / square if square else float("inf")
    size = _ops["abs"](x)
    found = _where(size < edge, x * x * (square / 2), size - 0.5 * edge)
    return found if x.dtype.kind == "f" else _cast(found, x.dtype)


def leaky_relu(x, gamma, act_type, lower, upper, training):
    """The elements where they are positive, else what act_type says that is no operation itself.

    What flows back at 0 is the slope.
    """
    if act_type == "selu":
        return _ops["elu"](x, 1.6732632423543772) * 1.0507009873554805
    if act_type == "prelu":  # gamma has a slope for each channel
        slope = gamma.reshape((-1, *(1,) * (x.ndim - 2)))
    elif act_type == "rrelu":
        middle = (lower + upper) / 2
        slope = _ops["random_uniform"](x.shape, lower, upper, x.dtype) if training else middle
    else:
        raise ValueError(f"leaky_relu: there is no act_type {act_type!r}")
    return _where(x > 0, x, x * slope)


# ---- Softmax -----------------------------------------------------------------------------------


def check_use(function, length, use_length):
    """Lengths are given where they are to be used, and only there."""
    if (length is not None) != bool(use_length):
        raise ValueError(f"{function}: length and use_length=True go together")


def soft(function, x, length, axis, temperature, use_length):
    """softmax or log_softmax; with lengths, over so many elements of each row along the axis."""
    check_use(function.__name__, length, use_length)
    if x.dtype.kind != "f":
        raise TypeError(f"{function.__name__}: floating-point numbers are needed, not {x.dtype}")
    x = x if temperature is None else x / temperature
    if x.ndim == 0:
        return function(x.reshape(1)).reshape(())
    if length is None:
        return function(x, axis)
    within = _within(function, length, x, axis % x.ndim)
    return _where(within, function(_where(within, x, float("-inf")), axis), 0.0)


def _within(function, length, x, axis):
    """True at positions along the axis that are below the length of their row."""
    if length.dtype.kind not in "iu":
        raise TypeError(f"{function.__name__}: length must be of integers, not {length.dtype}")
    shape = [1] * x.ndim
    shape[axis] = -1
    lengths = _ops["expand_dims"](_cast(length, "int64"), axis)
    return _ops["arange"](0, x.shape[axis]).reshape(shape) < lengths


# ---- Layers ------------------------------------------------------------------------------------


def normalised(x, axes, eps, gamma, beta, along):
    """Mean 0 and deviation 1 over the axes, times gamma, plus beta; that mean and deviation."""
    shape = [1] * x.ndim
    shape[along] = x.shape[along]
    mean = _ops["mean"](x, axes, keepdims=True)
    deviation = _ops["sqrt"](_ops["var"](x, axes, keepdims=True) + eps)
    return [(x - mean) / deviation * gamma.reshape(shape) + beta.reshape(shape), mean, deviation]


# ---- Places ------------------------------------------------------------------------------------


def whole(indices):
    """Places as integers: floating-point numbers are cut."""
    return indices if indices.dtype == "int64" else _cast(indices, "int64")


def bounded(indices, length, mode):
    """Places brought into 0 .. length - 1 by clipping or around, unless they are to be checked."""
    indices = whole(indices)
    if mode == "clip":
        return _ops["clip"](indices, 0, length - 1)
    if mode == "wrap":
        return _ops["remainder"](indices, length)
    # MXNet has no places from the end: those below 0 are made such as do not exist.
    return _where(indices < 0, indices - length, indices)


def _axis(function, x, axis):
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"{function}: shape {x.shape} has no axis {axis}")
    return axis % x.ndim


def taken(x, indices, axis, mode):
    """Slices along an axis at places."""
    axis = _axis("take", x, axis)
    return _ops["take"](x, bounded(indices, x.shape[axis], mode), axis)


def picked(x, index, axis, keepdims, mode):
    """From each slice along the axis the element at its place; with None, of all elements."""
    if mode not in ("clip", "wrap"):
        raise ValueError(f"pick: mode must be 'clip' or 'wrap', not {mode!r}")
    if axis is None:
        return taken(x.reshape(-1), index, 0, mode)
    axis = _axis("pick", x, axis)
    kept = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
    if index.shape not in (kept, kept[:axis] + kept[axis + 1 :]):
        raise ValueError(f"pick: index of shape {index.shape} for {x.shape}, axis {axis}")
    index = bounded(index.reshape(kept), x.shape[axis], mode)
    found = _functions.take_along_axis(x, index, axis)
    return found if keepdims else _ops["squeeze"](found, axis)


def rows(indices):
    """The key that selects at places: the first axis of indices has one for each axis."""
    indices = whole(indices)
    return tuple(indices[place] for place in range(indices.shape[0]))


def gathered(x, indices):
    """Elements, or slices, at places."""
    if indices.ndim == 0 or indices.shape[0] > x.ndim:
        raise ValueError(f"gather_nd: indices of shape {indices.shape} for {x.shape}")
    return x[rows(indices)]


def quick_one_hot(indices, depth, on_value, off_value, dtype):
    """What one_hot gives if nothing can be wrong with its arguments, and they are the usual ones; or
    None."""
    if type(depth) is not int or depth < 0 or on_value != 1 or off_value != 0:
        return None
    if dtype != "float32" or indices.ndim == 0:
        return None
    return _ops["one_hot"](whole(indices.as_subclass(_core.ndarray)), depth)


def one_hot(indices, depth, on_value, off_value, dtype):
    """Along a new last axis on_value at each place, else off_value; out of range nowhere."""
    if depth < 0:
        raise ValueError(f"one_hot: depth must be at least 0, not {depth}")
    if on_value == 1 and off_value == 0:
        return _ops["one_hot"](whole(indices), depth, dtype=dtype)
    hot = _ops["one_hot"](whole(indices), depth, dtype="bool")
    return _cast(_where(hot, on_value, off_value), dtype)


def unraveled(indices, shape):
    """Places along each axis of a shape, of places among all its elements."""
    places = []
    for length in reversed(shape):
        places.append(indices % length)
        indices = indices // length
    return tuple(reversed(places))


# ---- Order -------------------------------------------------------------------------------------


def ordered(operation, x, axis, ascending=True):
    """sort or argsort along an axis; with None, of all elements as one dimension."""
    if axis is None:
        x, axis = x.reshape(-1), 0
    return _ops[operation](x, axis, descending=not ascending)


def best(x, axis, k, kind, ascending, dtype):
    """The k largest elements along the axis, or smallest: what `kind` says of them."""
    if kind not in ("indices", "value", "both", "mask"):
        raise ValueError(f"topk: there is no ret_typ {kind!r}")
    shape = x.shape
    if axis is None:
        x, axis = x.reshape(-1), 0
    axis = _axis("topk", x, axis)
    length = x.shape[axis]
    k = length if k < 1 else k
    if k > length:
        raise ValueError(f"topk: k is {k}; the axis has {length} elements")
    places = _ops["topk"](x, k, axis, largest=not ascending)
    if kind == "mask":
        return _marked(x, places, axis).reshape(shape)
    values = None if kind == "indices" else _functions.take_along_axis(x, places, axis)
    places = None if kind == "value" else _cast(places, dtype)
    return [values, places] if kind == "both" else values if places is None else places


def _marked(x, places, axis):
    """1 at the places along the axis, else 0."""
    places = _functions.moveaxis(places, axis, -1)
    shape = (*places.shape[:-1], x.shape[axis])
    first = _ops["arange"](0, x.size, x.shape[axis]).reshape((*shape[:-1], 1))
    flat = _ops["put"](_ops["zeros"](x.size, x.dtype), (first + places).reshape(-1), 1)
    return _ops["copy"](_functions.moveaxis(flat.reshape(shape), -1, axis))


# ---- Sequences ---------------------------------------------------------------------------------


def check_sequences(function, x, lengths, axis):
    """Sequences run along the axis, the first or second, and have a length each if any is given."""
    if x.ndim < 2 or axis not in (0, 1):
        raise ValueError(f"{function}: axis {axis} of shape {x.shape} is no sequence")
    if lengths is not None and lengths.shape != (x.shape[1 - axis],):
        raise ValueError(
            f"{function}: lengths of shape {lengths.shape} for shape {x.shape}, axis {axis}"
        )


def before_end(x, lengths, axis):
    """True before the end of each sequence, in as many dimensions as x has."""
    steps, lengths = _ops["arange"](0, x.shape[axis]), whole(lengths)
    if axis == 0:
        within = steps.reshape((-1, 1)) < lengths
    else:
        within = steps < lengths.reshape((-1, 1))
    return within.reshape((*within.shape, *(1,) * (x.ndim - 2)))


def masked(x, lengths, value, axis):
    """A value, of the elements' type, in the place of what is beyond the end of each sequence."""
    check_sequences("sequence_mask", x, lengths, axis)
    if lengths is None:
        return _ops["copy"](x)
    return _where(before_end(x, lengths, axis), x, _cast(_ops["full"]((), value), x.dtype))
