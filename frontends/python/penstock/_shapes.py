"""Functions that change shapes: views where that is possible, parts, joins, margins."""

from operator import index as _index

from . import _core

__all__ = [
    "array_split",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_arrays",
    "broadcast_shapes",
    "column_stack",
    "concat",
    "concatenate",
    "dsplit",
    "dstack",
    "flatten",
    "fliplr",
    "flipud",
    "hsplit",
    "hstack",
    "matrix_transpose",
    "meshgrid",
    "pad",
    "ravel",
    "rollaxis",
    "split",
    "unstack",
    "vsplit",
    "vstack",
]

asarray = _core.asarray
_ops = _core._ops

# Rows of the table that are used under these names.
diag = _ops["diag"]
diagonal = _ops["diagonal"]
moveaxis = _ops["moveaxis"]
swapaxes = _ops["swapaxes"]
tril = _ops["tril"]


def _integer(what, value):
    """An integer; `what` begins the text of the error."""
    try:
        return _index(value)
    except TypeError:
        raise TypeError(f"{what} must be an integer, not {value!r}") from None


def _axis(name, axis, ndim):
    """An axis counted from the front."""
    axis = _integer(f"{name}: axis", axis)
    if not -ndim <= axis < ndim:
        raise ValueError(f"{name}: axis {axis} is out of range for {ndim} dimensions")
    return axis % ndim


def _along(axis, key):
    """An index that applies `key` to one axis."""
    return (slice(None),) * axis + (key,)


def _spread(indices, axis, ndim):
    """A flat array of ndim dimensions that lies along an axis."""
    return indices.reshape((1,) * axis + (-1,) + (1,) * (ndim - axis - 1))


# ---- Order of dimensions -----------------------------------------------------------------------


def matrix_transpose(x, /):
    """A view with the last two dimensions swapped.

    >>> ps.matrix_transpose(ps.ones((2, 3, 4))).shape
    (2, 4, 3)
    """
    return asarray(x).mT


def rollaxis(x, axis, start=0, /):
    """A view with one dimension moved back until it stands before another.

    >>> ps.rollaxis(ps.ones((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    x = asarray(x)
    axis = _axis("rollaxis", axis, x.ndim)
    start = _axis("rollaxis: start", start, x.ndim) if start != x.ndim else start
    return moveaxis(x, axis, start - (axis < start))


def fliplr(x, /):
    """A view with the second dimension in reverse order.

    >>> ps.fliplr(ps.array([[1, 2], [3, 4]]))
    array([[2, 1],
           [4, 3]])
    """
    return _ops["flip"](x, 1)


def flipud(x, /):
    """A view with the first dimension in reverse order.

    >>> ps.flipud(ps.array([[1, 2], [3, 4]]))
    array([[3, 4],
           [1, 2]])
    """
    return _ops["flip"](x, 0)


# ---- Number of dimensions ----------------------------------------------------------------------


def ravel(x, /):
    """All elements in one dimension: a view if possible, else a copy.

    >>> ps.ravel(ps.ones((2, 2)))
    array([1., 1., 1., 1.])
    """
    return asarray(x).ravel()


def flatten(x, /):
    """A copy of all elements in one dimension.

    >>> ps.flatten(ps.ones((2, 2)))
    array([1., 1., 1., 1.])
    """
    return asarray(x).flatten()


def _each(shape_of, arrays):
    made = []
    for x in map(asarray, arrays):
        shape = shape_of(x.shape)
        made.append(x if shape == x.shape else x.reshape(shape))
    return made[0] if len(made) == 1 else tuple(made)


def _shape_1d(shape):
    return shape or (1,)


def _shape_2d(shape):
    return (1,) * (2 - len(shape)) + shape


def _shape_3d(shape):
    return (1, *_shape_1d(shape), 1) if len(shape) < 2 else shape + (1,) * (3 - len(shape))


def atleast_1d(*arrays):
    """The arrays, each with one dimension or more.

    >>> ps.atleast_1d(3.0)
    array([3.])
    """
    return _each(_shape_1d, arrays)


def atleast_2d(*arrays):
    """The arrays, each with two dimensions or more; new ones come in front.

    >>> ps.atleast_2d([1, 2])
    array([[1, 2]])
    """
    return _each(_shape_2d, arrays)


def atleast_3d(*arrays):
    """The arrays, each with three dimensions or more.

    >>> ps.atleast_3d([1, 2]).shape
    (1, 2, 1)
    """
    return _each(_shape_3d, arrays)


# ---- Broadcasting ------------------------------------------------------------------------------


def _lengths(what, shape):
    """A shape from an integer or a sequence of integers."""
    if not isinstance(shape, (tuple, list)):
        shape = (shape,)
    try:
        return tuple(map(_index, shape))
    except TypeError:
        raise TypeError(
            f"{what} must be an integer or a sequence of integers, not {shape!r}"
        ) from None


def broadcast_shapes(*shapes):
    """The shape to which all are broadcast.

    >>> ps.broadcast_shapes((3, 1), (4,))
    (3, 4)
    """
    shapes = [_lengths("broadcast_shapes: a shape", s) for s in shapes]
    result = [1] * max(map(len, shapes), default=0)
    for shape in shapes:
        for place in range(1, len(shape) + 1):
            length = shape[-place]
            if result[-place] == 1:
                result[-place] = length
            elif length not in (1, result[-place]):
                raise ValueError(f"the shapes {shapes} cannot be broadcast together")
    return tuple(result)


def broadcast_arrays(*arrays):
    """Views of the arrays in their common shape.

    >>> [x.shape for x in ps.broadcast_arrays(ps.ones((3, 1)), ps.ones(4))]
    [(3, 4), (3, 4)]
    """
    arrays = [asarray(x) for x in arrays]
    shape = broadcast_shapes(*(x.shape for x in arrays))
    return tuple(x if x.shape == shape else _ops["broadcast_to"](x, shape) for x in arrays)


def meshgrid(*arrays, indexing="xy"):
    """Coordinates of a grid: for each array of one dimension, its elements along one axis.

    >>> x, y = ps.meshgrid(ps.arange(3), ps.arange(2))
    >>> x
    array([[0, 1, 2],
           [0, 1, 2]])
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing must be 'xy' or 'ij', not {indexing!r}")
    arrays = [asarray(x).reshape((-1,)) for x in arrays]
    axes = list(range(len(arrays)))
    if indexing == "xy" and len(axes) > 1:
        axes[:2] = 1, 0
    spread = [_spread(x, axis, len(axes)) for x, axis in zip(arrays, axes)]
    return tuple(_ops["copy"](x) for x in broadcast_arrays(*spread))


# ---- Joins -------------------------------------------------------------------------------------


def concat(arrays, /, axis=0, *, out=None):
    """The arrays one behind the other along an axis; with None, all elements of each.

    >>> ps.concat([ps.ones(2), ps.zeros(1)])
    array([1., 1., 0.])
    """
    if axis is None:
        arrays, axis = [asarray(x).ravel() for x in arrays], 0
    return _ops["concatenate"](arrays, axis, out=out)


concatenate = concat


def _join(name, arrays, shape_of, axis):
    if isinstance(arrays, _core.ndarray):
        arrays = list(arrays)
    arrays = [_each(shape_of, (x,)) for x in arrays]
    if not arrays:
        raise ValueError(f"{name}: at least one array is needed")
    return _ops["concatenate"](arrays, axis if arrays[0].ndim > 1 else 0)


def hstack(arrays, /):
    """The arrays side by side, along the second axis; those of one dimension end to end.

    >>> ps.hstack([ps.ones(2), ps.zeros(1)])
    array([1., 1., 0.])
    """
    return _join("hstack", arrays, _shape_1d, 1)


def vstack(arrays, /):
    """The arrays on top of each other; those of one dimension are rows.

    >>> ps.vstack([ps.ones(2), ps.zeros(2)])
    array([[1., 1.],
           [0., 0.]])
    """
    return _join("vstack", arrays, _shape_2d, 0)


def dstack(arrays, /):
    """The arrays behind each other, along the third axis.

    >>> ps.dstack([ps.ones((2, 2)), ps.zeros((2, 2))]).shape
    (2, 2, 2)
    """
    return _join("dstack", arrays, _shape_3d, 2)


def _shape_column(shape):
    return (*_shape_1d(shape), 1) if len(shape) < 2 else shape


def column_stack(arrays, /):
    """The arrays side by side; those of one dimension are columns.

    >>> ps.column_stack([ps.ones(2), ps.zeros(2)])
    array([[1., 0.],
           [1., 0.]])
    """
    return _join("column_stack", arrays, _shape_column, 1)


# ---- Parts -------------------------------------------------------------------------------------


def unstack(x, /, *, axis=0):
    """Views of the slices along an axis.

    >>> a, b = ps.unstack(ps.array([[1, 2], [3, 4]]))
    >>> b
    array([3, 4])
    """
    axis = _axis("unstack", axis, x.ndim)
    return tuple(x[_along(axis, i)] for i in range(x.shape[axis]))


def _pieces(x, edges, axis):
    return [x[_along(axis, slice(a, b))] for a, b in zip([0, *edges], [*edges, None])]


def array_split(x, indices_or_sections, axis=0):
    """Views of parts along an axis: so many, as equal as can be, or cut at the given places.

    >>> [len(part) for part in ps.array_split(ps.arange(7), 3)]
    [3, 2, 2]
    """
    x = asarray(x)
    axis = _axis("array_split", axis, x.ndim)
    if isinstance(indices_or_sections, (tuple, list)):
        return _pieces(x, _lengths("array_split: the places", indices_or_sections), axis)
    count = _integer("array_split: the number of parts", indices_or_sections)
    if count <= 0:
        raise ValueError(f"array_split: the number of parts must be above 0, not {count}")
    if count > max(x.shape[axis], 1 << 16):
        raise ValueError(f"array_split: {x.shape[axis]} elements cannot make {count} parts")
    size, longer = divmod(x.shape[axis], count)
    return _pieces(x, [i * size + min(i, longer) for i in range(1, count)], axis)


def split(x, indices_or_sections, axis=0):
    """Views of parts along an axis: so many equal ones, or cut at the given places.

    >>> ps.split(ps.arange(4), 2)
    [array([0, 1]), array([2, 3])]
    """
    x = asarray(x)
    axis = _axis("split", axis, x.ndim)
    if not isinstance(indices_or_sections, (tuple, list)):
        count = _integer("split: the number of parts", indices_or_sections)
        if count <= 0 or x.shape[axis] % count != 0:
            raise ValueError(f"split: {x.shape[axis]} cannot be divided into {count} equal parts")
    return array_split(x, indices_or_sections, axis)


def hsplit(x, indices_or_sections):
    """split along the second axis; of one dimension, along that.

    >>> len(ps.hsplit(ps.ones((2, 4)), 2))
    2
    """
    x = asarray(x)
    return split(x, indices_or_sections, 1 if x.ndim > 1 else 0)


def vsplit(x, indices_or_sections):
    """split along the first axis.

    >>> len(ps.vsplit(ps.ones((2, 4)), 2))
    2
    """
    return split(x, indices_or_sections, 0)


def dsplit(x, indices_or_sections):
    """split along the third axis.

    >>> len(ps.dsplit(ps.ones((2, 2, 4)), 2))
    2
    """
    return split(x, indices_or_sections, 2)


# ---- Margins -----------------------------------------------------------------------------------


def _widths(pad_width, ndim):
    """Widths before and after each axis, from a number, a pair, or a pair for each axis."""
    if not isinstance(pad_width, (tuple, list)):
        pad_width = (pad_width, pad_width)
    if not any(isinstance(one, (tuple, list)) for one in pad_width):
        pad_width = (pad_width,) * ndim
    pairs = [tuple(one) if isinstance(one, (tuple, list)) else (one, one) for one in pad_width]
    if len(pairs) == 1:
        pairs *= ndim
    pairs = [_lengths("pad: pad_width", pair * 2 if len(pair) == 1 else pair) for pair in pairs]
    if len(pairs) != ndim or any(len(pair) != 2 for pair in pairs):
        raise ValueError(f"pad: pad_width {pad_width!r} does not fit {ndim} dimensions")
    if any(width < 0 for pair in pairs for width in pair):
        raise ValueError(f"pad: widths must be at least 0, not {pad_width!r}")
    return pairs


_MODES = ("constant", "edge", "reflect", "symmetric", "wrap")


def pad(x, pad_width, mode="constant", *, constant_values=0):
    """Elements added before and after along each axis.

    pad_width is a number, a pair (before, after), or such a pair for each axis. mode: 'constant'
    with constant_values, 'edge', 'reflect', 'symmetric' or 'wrap'.

    >>> ps.pad(ps.array([1, 2, 3]), (1, 2))
    array([0, 1, 2, 3, 0, 0])
    >>> ps.pad(ps.array([1, 2, 3]), 2, mode='reflect')
    array([3, 2, 1, 2, 3, 2, 1])
    """
    x = asarray(x)
    widths = _widths(pad_width, x.ndim)
    if mode not in _MODES:
        raise ValueError(f"pad: mode must be one of {_MODES}, not {mode!r}")
    before, after = [b for b, _ in widths], [a for _, a in widths]
    return _ops["pad"](x, before, after, constant_values, mode)
