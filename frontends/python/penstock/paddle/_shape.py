"""Functions that change shapes. Views where PaddlePaddle gives views."""

from .. import _core
from ._calls import both, public, refuse
from ._dialect import row, wrapped_axis
from ._tensor import Tensor, cast

__all__ = []
_native = _core.ndarray
_count = _native.size.__get__
_copy = row("copy", "clone", "x")


def ints_of(given):
    """Integers of a list, a tuple, a tensor, or one number."""
    if isinstance(given, Tensor):
        return tuple(given.reshape([-1]).tolist())
    if not isinstance(given, (list, tuple)):
        given = (given,)
    return tuple(one if type(one) is int else _index(one) for one in given)


def _index(one):
    import operator

    return operator.index(one)


# ---- Shapes --------------------------------------------------------------------------------------

_reshape = row("reshape", "reshape", "x, shape", arrays=True)


def _lengths(x, shape):
    """What a reshape asks for: 0 keeps a length; errors name both shapes."""
    if isinstance(shape, str):
        raise ValueError(f"shape must be a list, a tuple or a tensor, not {shape!r}")
    had = x.shape
    made = []
    for at, length in enumerate(ints_of(shape)):
        if length == 0 and x.shape.numel():
            if at >= len(had):
                raise ValueError(
                    f"(InvalidArgument) The index of 0 in `shape` must be less than the input's "
                    f"rank {len(had)}, not {at}"
                )
            length = had[at]
        made.append(length)
    known, count = 1, had.numel()
    for length in made:
        known *= 1 if length == -1 else length
    wrong = made.count(-1) > 1 or any(length < -1 for length in made)
    fits = count == known if -1 not in made else known != 0 and count % known == 0
    if wrong or not fits:
        raise ValueError(
            f"(InvalidArgument) The 'shape' in ReshapeOp is invalid. The input tensor X'size must "
            f"be equal to the capacity of 'shape'. But received X's shape = {list(had)}, X's size "
            f"= {count}, 'shape' is {made}"
        )
    return tuple(made)


def _any_reshape(*args, **kwargs):
    if len(args) > 2:
        args = (args[0], args[1:])
    return _reshaped(*args, **kwargs)


@public
def _reshaped(x, shape):
    return _reshape(x, _lengths(x, shape))


_reshaped.__wrapped__.__name__ = "reshape"
reshape = row("reshape", "reshape", "x, shape", arrays=True, unusual=_any_reshape)


def view(x, shape_or_dtype, name=None):
    """A view of another shape."""
    if not isinstance(shape_or_dtype, (list, tuple)):
        raise NotImplementedError("Tensor.view: elements as those of another type is not here")
    made = _reshaped(x, shape_or_dtype)
    if x.shape.numel() and _core._layout(made)[0] != _core._layout(x)[0]:
        raise ValueError(
            f"(InvalidArgument) a tensor of the shape {list(x.shape)} and these strides has no "
            f"view of the shape {list(shape_or_dtype)}"
        )
    return made


@public
def view_as(x, other):
    """A view with the shape of another tensor."""
    return view(x, other.shape)


@public
def reshape_as(x, other):
    """With the shape of another tensor."""
    return _reshaped(x, other.shape)


def flatten(*args, **kwargs):
    """Several dimensions as one."""
    if len(args) == 1 and not kwargs and type(args[0]) is Tensor:
        return _reshape(args[0], (_count(args[0]),))
    return _any_flatten(*args, **kwargs)


@public
def _any_flatten(x, start_axis=0, stop_axis=-1):
    if not x.ndim or start_axis == 0 and stop_axis == -1:
        return _reshape(x, (x.shape.numel(),))
    first, last = wrapped_axis(start_axis, x.ndim), wrapped_axis(stop_axis, x.ndim)
    if last < first:
        raise ValueError("The stop_axis should be greater than stat_axis")
    shape = x.shape
    count = 1
    for length in shape[first : last + 1]:
        count *= length
    return _reshape(x, (*shape[:first], count, *shape[last + 1 :]))


_any_flatten.__wrapped__.__name__ = "flatten"
_expand_dims = row("expand_dims", "unsqueeze", "x, axis", arrays=True)


def unsqueeze(*args, **kwargs):
    """A view with dimensions of length 1 at places, one after the other."""
    if len(args) == 2 and not kwargs and type(args[1]) is int and isinstance(args[0], Tensor):
        return _expand_dims(*args)
    return _any_unsqueeze(*args, **kwargs)


@public
def _any_unsqueeze(x, axis):
    made = x
    for one in ints_of(axis):
        made = _expand_dims(made, wrapped_axis(one, made.ndim, 1))
    return made if made is not x else x[...]


_squeeze = row("squeeze", "squeeze", "x, axis=None", arrays=True)


@public
def _any_squeeze(x, axis=None):
    if axis is None or axis == [] or axis == ():
        return _squeeze(x)
    shape = x.shape
    chosen = {wrapped_axis(one, len(shape)) for one in ints_of(axis)}
    ones = tuple(one for one in sorted(chosen) if shape and shape[one] == 1)
    return _squeeze(x, ones) if ones else x[...]


_any_squeeze.__wrapped__.__name__ = "squeeze"
squeeze = row("squeeze", "squeeze", "x", arrays=True, unusual=_any_squeeze)


# ---- Orders of dimensions ------------------------------------------------------------------------

_permute = row("permute", "transpose", "x, perm:axes", arrays=True)
_swapaxes = row("swapaxes", "swapaxes", "x, axis1, axis2", arrays=True)


@public
def _transposed(x, perm, other=None):
    if other is not None:
        return _swapaxes(x, wrapped_axis(perm, x.ndim), wrapped_axis(other, x.ndim))
    places = ints_of(perm)
    if len(places) != x.ndim:
        raise ValueError(
            f"(InvalidArgument) The input tensor's dimension should be equal to the axis's size: "
            f"{x.ndim} and {len(places)}"
        )
    places = tuple(wrapped_axis(one, x.ndim) for one in places)
    if len(set(places)) != len(places):
        raise ValueError(f"(InvalidArgument) each axis is to be there once, not {list(places)}")
    return _permute(x, places) if places else x[...]


_transposed.__wrapped__.__name__ = "transpose"


def _any_transpose(*args, **kwargs):
    """A view with the dimensions in another order, or with two swapped."""
    if len(args) > 3:
        args = (args[0], args[1:])
    kwargs = {{"dim0": "perm", "dim1": "other"}.get(key, key): v for key, v in kwargs.items()}
    return _transposed(*args, **kwargs)


transpose = row(
    *("permute", "transpose", "x, perm:axes"), arrays=True, unusual=_any_transpose, variadic=False
)
permute = _any_transpose


@public
def _any_t(x):
    """A matrix transposed."""
    if x.ndim > 2:
        raise ValueError(
            f"Input(input) only support N-D (N<=2) tensor, but received length of Input(input) is "
            f"{x.ndim}"
        )
    return _native.T.__get__(x) if x.ndim == 2 else x


_any_t.__wrapped__.__name__ = "t"
t = row("permute", "t", "x", arrays=True, ndim=2, unusual=_any_t)


@public
def moveaxis(x, source, destination):
    """A view with dimensions moved to other places."""
    first, second = (
        tuple(wrapped_axis(one, x.ndim) for one in ints_of(end)) for end in (source, destination)
    )
    return _moveaxis(x, first, second)


_moveaxis = row("moveaxis", "moveaxis", "x, source, destination", arrays=True)


@public
def swapaxes(x, axis1, axis2):
    """A view with two dimensions swapped."""
    return _swapaxes(x, wrapped_axis(axis1, x.ndim), wrapped_axis(axis2, x.ndim))


# ---- Orders of elements --------------------------------------------------------------------------

_flip = row("flip", "flip", "x, axis", arrays=True)
_roll = row("roll", "roll", "x, shifts:shift, axis=None", arrays=True)


@public
def flip(x, axis):
    """A copy with the order of elements reversed along dimensions."""
    places = tuple(wrapped_axis(one, x.ndim) for one in ints_of(axis))
    return _copy(_flip(x, places)) if places else _copy(x)


@public
def roll(x, shifts, axis=None):
    """Elements moved along dimensions; what falls out comes in at the other end."""
    by = ints_of(shifts)
    if axis is None:
        return _copy(_roll(x, by[0]))
    places = tuple(wrapped_axis(one, x.ndim) for one in ints_of(axis))
    if len(by) != len(places):
        raise ValueError(f"(InvalidArgument) {len(by)} shifts for {len(places)} axes")
    return _roll(x, by, places)


# ---- More elements -------------------------------------------------------------------------------

_broadcast = row("broadcast_to", "expand", "x, shape", arrays=True)


def _expanded(name, x, lengths):
    shape = x.shape
    extra = len(lengths) - len(shape)
    made, fits = list(lengths), extra >= 0
    for at, length in enumerate(lengths if fits else ()):
        had = shape[at - extra] if at >= extra else 1
        made[at] = had if length == -1 else length
        fits = fits and (made[at] == had or had == 1) and length >= (-1 if at >= extra else 0)
    if not fits:
        raise ValueError(
            f"(InvalidArgument) {name}: a tensor of the shape {list(shape)} cannot be expanded to "
            f"{list(lengths)}"
        )
    return _broadcast(x, tuple(made))


@public
def _any_expand(x, shape):
    return _expanded("expand", x, ints_of(shape))


_any_expand.__wrapped__.__name__ = "expand"


def expand(*args, **kwargs):
    """A copy in which dimensions of length 1 are repeated; -1 keeps a length."""
    if len(args) > 2:
        args = (args[0], args[1:])
    return _any_expand(*args, **kwargs)


@public
def broadcast_to(x, shape):
    """A copy of another shape in which elements are repeated."""
    return _expanded("broadcast_to", x, ints_of(shape))


@public
def expand_as(x, y):
    """Expanded to the shape of another tensor."""
    return _expanded("expand_as", x, tuple(y.shape))


_tile = row("tile", "tile", "x, repeat_times:repeats", arrays=True)


@public
def _tiled(x, repeat_times):
    times = ints_of(repeat_times)
    if any(count < 0 for count in times):
        raise ValueError(f"(InvalidArgument) tile: repeat_times of {list(times)}: below 0")
    return _tile(x, times) if times else _copy(x)


_tiled.__wrapped__.__name__ = "tile"


def _any_tile(*args, **kwargs):
    """The tensor side by side, so many times in each of the last dimensions."""
    if len(args) > 2:
        args = (args[0], args[1:])
    return _tiled(*args, **kwargs)


tile = row("tile", "tile", "x, repeat_times:repeats", arrays=True, unusual=_any_tile)


_repeat = row("repeat", "repeat_interleave", "x, repeats, axis=None", arrays=False)
_take = row("take", "index_select", "x, index:indices, axis=None", arrays=True)


@public
def repeat_interleave(x, repeats, axis=None):
    """Each element, or slice along an axis, several times in a row."""
    if axis is None:
        x, axis = x.reshape([-1]), 0
    if not -x.ndim <= axis < x.ndim:
        raise IndexError(
            f"(OutOfRange) repeat_interleave: there is no axis {axis} of {x.ndim} dimensions"
        )
    axis %= x.ndim
    if not isinstance(repeats, Tensor):
        if repeats <= 0:
            raise ValueError(f"repeat_interleave: repeats must be larger than 0, not {repeats}")
        return _repeat(x, repeats, axis)
    counts = repeats.reshape([-1]).tolist()
    counts = counts * x.shape[axis] if len(counts) == 1 else counts
    if len(counts) != x.shape[axis]:
        raise ValueError(
            f"(InvalidArgument) repeats has {len(counts)} elements, and the axis {x.shape[axis]}"
        )
    from ._create import to_tensor

    places = [place for place, count in enumerate(counts) for _ in range(count)]
    return _take(x, to_tensor(places, dtype="int64"), axis)


# ---- Triangles and diagonals ---------------------------------------------------------------------

_tril = row("tril", "tril", "x, diagonal=0", arrays=True)
_triu = row("triu", "triu", "x, diagonal=0", arrays=True)
_diag = row("diag", "diag", "x, offset:diagonal=0", arrays=True)
_diagonal = row("diagonal", "diagonal", "x, offset=0, axis1=0, axis2=1", arrays=True)
_trace = row("trace", "trace", "x, offset=0, axis1=0, axis2=1", arrays=True)


@public
def tril(x, diagonal=0):
    """The lower triangle of matrices, else 0."""
    return _tril(x, diagonal)


@public
def triu(x, diagonal=0):
    """The upper triangle of matrices, else 0."""
    return _triu(x, diagonal)


@public
def diag(x, offset=0, padding_value=0):
    """The diagonal of a matrix, or a matrix with that diagonal."""
    if x.ndim not in (1, 2):
        raise ValueError(f"diag: a tensor of 1 or 2 dimensions is needed, not {x.ndim}")
    made = _diag(x, offset)
    if x.ndim == 2:
        return _copy(made)
    if padding_value:
        from ._binary import where

        made = where(_diag(x == x, offset) | _diag(x != x, offset), made, padding_value)
    return made


@public
def diagonal(x, offset=0, axis1=0, axis2=1):
    """A view of the diagonals of matrices."""
    return _diagonal(x, offset, wrapped_axis(axis1, x.ndim), wrapped_axis(axis2, x.ndim))


@public
def trace(x, offset=0, axis1=0, axis2=1):
    """The sum of the diagonal."""
    made = _trace(x, offset, wrapped_axis(axis1, x.ndim), wrapped_axis(axis2, x.ndim))
    return cast(made, x.dtype)


both(
    "reshape view view_as reshape_as flatten unsqueeze squeeze transpose t moveaxis swapaxes flip "
    "roll expand broadcast_to expand_as tile repeat_interleave tril triu diag diagonal trace",
    globals(),
    __all__,
)
swapdims = swapaxes
both("swapdims permute", globals(), __all__)
Tensor.T = property(_native.T.__get__, doc="The dimensions in reverse order: a view.")


def _matrices(self):
    if self.ndim < 2:
        raise ValueError(f"Tensor.ndim({self.ndim}) should be at least 2.")
    return _swapaxes(self, self.ndim - 2, self.ndim - 1)


Tensor.mT = property(_matrices, doc="Matrices transposed: a view.")


def _in_place(name, function):
    """reshape_ and the like: the tensor becomes the view."""

    def method(x, *args, **kwargs):
        from ._assign import check_leaf

        check_leaf(x)
        if not _core._grad_info(x)[0]:
            x[None][:0] = 0  # counts as a write
        _core._become(x, function(x, *args, **kwargs))
        return x

    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__ = f"As {name}, for the tensor itself."
    setattr(Tensor, f"{name}_", method)
    globals()[f"{name}_"] = method
    __all__.append(f"{name}_")


for _name in ("reshape", "unsqueeze", "squeeze", "flatten", "transpose", "t"):
    _in_place(_name, globals()[_name])
del _name


def broadcast_shape(x_shape, y_shape):
    """The shape that tensors of two shapes have together."""
    from .._functions import broadcast_shapes

    return list(broadcast_shapes(tuple(x_shape), tuple(y_shape)))


def broadcast_tensors(input, name=None):
    """All with one shape."""
    from .._functions import broadcast_shapes

    if not isinstance(input, (list, tuple)):
        refuse("broadcast_tensors", "input", 0, "list of Tensors", input)
    shape = broadcast_shapes(*(tuple(one.shape) for one in input))
    return [_expanded("broadcast_tensors", one, shape) for one in input]


__all__ += ["broadcast_shape", "broadcast_tensors"]
