"""Functions that change shapes. Views where torch gives views."""

from .. import _core
from ._attach import both
from ._checked import checked, checked_row
from ._dialect import row, wrapped_dim
from ._output import given
from ._tensor import Tensor

__all__ = []
_native = _core.ndarray

# ---- Lengths given one by one, or as a tuple -----------------------------------------------------


def lengths_of(name, argument, given, kwargs):
    """Integers of a call: one by one, as one tuple or list, or by the argument's name."""
    from ._arguments import find

    if argument in kwargs and not given:
        return find(name, (f"{argument}: ints",), (), kwargs)[1][argument]
    if len(given) == 1 and isinstance(given[0], (tuple, list)):
        return find(name, (f"{argument}: ints",), given, kwargs)[1][argument]
    if not given:
        raise TypeError(f'{name}() missing 1 required positional arguments: "{argument}"')
    if kwargs:
        raise TypeError(f"{name}() got an unexpected keyword argument '{next(iter(kwargs))}'")
    if isinstance(given[0], Tensor) and given[0].numel() == 1:
        given = (given[0].reshape(()), *given[1:])
    return find(name, (f"{argument}: ints",), (given,), {})[1][argument]


def _check_tensor(name, input):
    if not isinstance(input, Tensor):
        raise TypeError(
            f"{name}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}"
        )


def _check_fits(tensor, lengths):
    """The errors of shapes, in torch's words."""
    open_at = [at for at, length in enumerate(lengths) if length == -1]
    if len(open_at) > 1:
        raise RuntimeError("only one dimension can be inferred")
    for length in lengths:
        if length < -1:
            raise RuntimeError(f"invalid shape dimension {length}")
    known = 1
    for length in lengths:
        known *= length if length != -1 else 1
    count = tensor.numel()
    if open_at and known == 0:
        raise RuntimeError(
            f"cannot reshape tensor of 0 elements into shape {list(lengths)} because the "
            "unspecified dimension size -1 can be any value and is ambiguous"
        )
    if count % known if open_at else count != known:
        raise RuntimeError(f"shape '{list(lengths)}' is invalid for input of size {count}")


# ---- Shapes --------------------------------------------------------------------------------------

_reshape = row("reshape", "reshape", "input:x, shape")


def _reshaped(input, shape):
    _check_fits(input, shape)
    return _reshape(input, shape)


reshape = checked_row(
    "reshape", "reshape", "input:x, shape", "input: Tensor, shape: ints", run=_reshaped, arrays=True
)


def _any_reshape(self, *given, **kwargs):
    _check_tensor("reshape", self)
    return _reshaped(self, lengths_of("reshape", "shape", given, kwargs))


_method_reshape = row(
    "reshape", "reshape", "input:x, shape", arrays=True, unusual=_any_reshape, variadic=True
)


def view(self, *given, **kwargs):
    """A view of another shape; raises where that would need a copy."""
    if len(given) == 1 and isinstance(given[0], type(self.dtype)):
        return _view_of_type(self, given[0])
    lengths = lengths_of("view", "size", given, kwargs)
    _check_fits(self, lengths)
    made = _reshape(self, lengths)
    if self.numel() > 0 and _core._layout(made)[0] != _core._layout(self)[0]:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        )
    return made


def _view_of_type(self, one):
    if one is self.dtype:
        return self[...]
    raise NotImplementedError(f"Tensor.view: elements of {self.dtype} as {one} is not here")


@checked("self: Tensor, other: Tensor")
def view_as(self, other):
    """A view with the shape of another tensor."""
    return view(self, other.shape)


@checked("self: Tensor, other: Tensor")
def reshape_as(self, other):
    """With the shape of another tensor."""
    return _reshaped(self, other.shape)


@checked("input: Tensor, start_dim: int = 0, end_dim: int = -1")
def flatten(input, start_dim=0, end_dim=-1):
    """With the dimensions from start_dim to end_dim as one."""
    shape = input.shape
    start, end = wrapped_dim(start_dim, len(shape)), wrapped_dim(end_dim, len(shape))
    if not shape:
        return _reshape(input, (1,))
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if start == end:
        return input
    count = 1
    for length in shape[start : end + 1]:
        count *= length
    return _reshape(input, (*shape[:start], count, *shape[end + 1 :]))


@checked("input: Tensor, dim: int, sizes: ints")
def unflatten(input, dim, sizes):
    """With one dimension as several; one of them may be -1."""
    shape = input.shape
    if not shape:
        wrapped_dim(dim, 0)
        raise RuntimeError("unflatten: the tensor has no dimensions")
    dim = wrapped_dim(dim, len(shape))
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    if sizes.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    known = 1
    for length in sizes:
        known *= length if length != -1 else 1
    if known != shape[dim] if -1 not in sizes else known == 0 or shape[dim] % known:
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} "
            f"({shape[dim]}) in the input tensor"
        )
    made = tuple(shape[dim] // known if length == -1 else length for length in sizes)
    return _reshape(input, (*shape[:dim], *made, *shape[dim + 1 :]))


@checked("input: Tensor")
def ravel(input):
    """In one dimension, side by side: a copy where they do not lie so."""
    return _reshape(input.contiguous(), (input.numel(),))


# ---- Orders of dimensions ------------------------------------------------------------------------

_permute = row("permute", "permute", "input:x, dims:axes", arrays=True)


def _permuted(input, dims):
    if len(dims) != input.ndim:
        raise RuntimeError(
            f"permute(sparse_coo): number of dimensions in the tensor input does not match the "
            f"length of the desired ordering of dimensions i.e. input.dim() = {input.ndim} is not "
            f"equal to len(dims) = {len(dims)}"
        )
    found = [wrapped_dim(one, input.ndim) for one in dims]
    if len(set(found)) != len(found):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return _permute(input, dims) if dims else input[...]


permute = checked_row(
    "permute",
    "permute",
    "input:x, dims:axes",
    "input: Tensor, dims: ints",
    run=_permuted,
    arrays=True,
)


def _any_permute(self, *given, **kwargs):
    _check_tensor("permute", self)
    return _permuted(self, lengths_of("permute", "dims", given, kwargs))


_method_permute = row(
    "permute", "permute", "input:x, dims:axes", arrays=True, unusual=_any_permute, variadic=True
)
_swap = row("swapaxes", "transpose", "input:x, dim0:axis1, dim1:axis2", arrays=True)


def _transposed(input, dim0, dim1):
    first, second = wrapped_dim(dim0, input.ndim), wrapped_dim(dim1, input.ndim)
    return _swap(input, first, second) if input.ndim else input[...]


transpose = checked_row(
    *("swapaxes", "transpose", "input:x, dim0:axis1, dim1:axis2"),
    "input: Tensor, dim0: int, dim1: int",
    run=_transposed,
    arrays=True,
)


@checked("input: Tensor, axis0: int, axis1: int")
def swapaxes(input, axis0, axis1):
    """A view with two dimensions exchanged."""
    return _transposed(input, axis0, axis1)


@checked("input: Tensor, dim0: int, dim1: int")
def swapdims(input, dim0, dim1):
    """A view with two dimensions exchanged."""
    return _transposed(input, dim0, dim1)


@checked("input: Tensor")
def t(input):
    """A matrix with rows and columns exchanged; fewer dimensions as they are."""
    if input.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {input.ndim}D")
    return _native_T(input)


_native_T = _native.T.__get__


def _all_reversed(self):
    if self.ndim not in (0, 2):
        import warnings

        warnings.warn(
            f"The use of `x.T` on tensors of dimension {self.ndim} is deprecated: use "
            "x.mT for matrices, or x.permute(*torch.arange(x.ndim - 1, -1, -1))",
            UserWarning,
            stacklevel=2,
        )
    return _native_T(self)


def _matrices_transposed(self):
    if self.ndim == 1:
        raise RuntimeError(
            "tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor."
        )
    return _transposed(self, -2, -1) if self.ndim else self


def _adjoint(self):
    if self.ndim not in (0, 2):
        raise RuntimeError(
            f"tensor.H is only supported on matrices (2-D tensors). Got {self.ndim}-D tensor."
        )
    return _native_T(self).conj()


unsqueeze = checked_row(
    *("expand_dims", "unsqueeze", "input:x, dim:axis", "input: Tensor, dim: int"), arrays=True
)
_squeeze = row("squeeze", "squeeze", "input:x, dim:axis=None", arrays=True)


@checked("input: Tensor", "input: Tensor, dim: int or ints")
def squeeze(input, dim=None):
    """Without dimensions of length 1: all of them, or those of dim that are."""
    if dim is None:
        return _squeeze(input)
    shape = input.shape
    chosen = [wrapped_dim(one, len(shape)) for one in ((dim,) if type(dim) is int else dim)]
    if len(set(chosen)) != len(chosen):
        raise RuntimeError(f"a dim appears multiple times in the list of dims {chosen}")
    ones = tuple(one for one in chosen if shape and shape[one] == 1)
    return _squeeze(input, ones) if ones else input[...]


_moveaxis = row("moveaxis", "movedim", "input:x, source, destination", arrays=True)


def _moved(input, source, destination):
    ends = [one if isinstance(one, tuple) else (one,) for one in (source, destination)]
    if len(ends[0]) != len(ends[1]):
        raise RuntimeError(
            "movedim: Invalid source or destination dims: source and destination must have the "
            f"same number of dims, not {len(ends[0])} and {len(ends[1])}"
        )
    places = [[wrapped_dim(one, input.ndim) for one in end] for end in ends]
    for end in places:
        if len(set(end)) != len(end):
            raise RuntimeError(f"movedim: repeated dim in {tuple(end)}")
    return _moveaxis(input, *map(tuple, places)) if input.ndim and places[0] else input[...]


_MOVES = (
    "input: Tensor, source: int, destination: int",
    "input: Tensor, source: ints, destination: ints",
)


@checked(*_MOVES)
def movedim(input, source, destination):
    """A view with dimensions moved to other places."""
    return _moved(input, source, destination)


@checked(*_MOVES)
def moveaxis(input, source, destination):
    """A view with dimensions moved to other places."""
    return _moved(input, source, destination)


# ---- Orders of elements --------------------------------------------------------------------------

_flip = row("flip", "flip", "input:x, dims:axis", arrays=True)
_copy = row("copy", "clone", "input:x")


def _flipped(input, dims):
    chosen = tuple(wrapped_dim(one, input.ndim) for one in dims)
    for one in chosen:
        if chosen.count(one) > 1:
            raise RuntimeError(f"dim {one} appears multiple times in the list of dims")
    return _copy(_flip(input, chosen) if chosen and input.ndim else input)


@checked("input: Tensor, dims: ints")
def flip(input, dims):
    """A copy with the order of elements reversed along dimensions."""
    return _flipped(input, dims)


def _method_flip(self, *given, **kwargs):
    """A copy with the order of elements reversed along dimensions."""
    return _flipped(self, lengths_of("flip", "dims", given, kwargs))


@checked("input: Tensor")
def fliplr(input):
    """A copy with columns in reverse order."""
    if input.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return _flipped(input, (1,))


@checked("input: Tensor")
def flipud(input):
    """A copy with rows in reverse order."""
    if input.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return _flipped(input, (0,))


_roll = row("roll", "roll", "input:x, shifts:shift, dims:axis=None", arrays=True)


@checked("input: Tensor, shifts: int or ints, dims: int or ints = ()")
def roll(input, shifts, dims=()):
    """Elements moved along dimensions; what falls out comes in at the other end."""
    by = (shifts,) if type(shifts) is int else shifts
    chosen = (dims,) if type(dims) is int else dims
    if not by:
        raise RuntimeError("`shifts` required")
    if len(by) != len(chosen) and not (len(by) == 1 and not chosen):
        raise RuntimeError(
            f"shifts and dimensions must align. shifts: {len(by)}, dims:{len(chosen)}"
        )
    if not chosen:
        return _copy(_roll(input, by[0])) if input.ndim else _copy(input)
    if not input.ndim:
        raise IndexError(f"Dimension specified as {chosen[0]} but tensor has no dimensions")
    return _roll(input, by, tuple(wrapped_dim(one, input.ndim) for one in chosen))


# ---- More elements -------------------------------------------------------------------------------

_broadcast = row("broadcast_to", "broadcast_to", "input:x, size:shape", arrays=True)


def expand(self, *given, implicit=False, **kwargs):
    """A view in which dimensions of length 1 are repeated; -1 keeps a length."""
    return expanded(self, lengths_of("expand", "size", given, kwargs))


def expanded(tensor, lengths):
    """The same, of a tuple."""
    shape = tensor.shape
    extra = len(lengths) - len(shape)
    if extra < 0:
        raise RuntimeError(
            f"expand({type(tensor).__name__}{list(shape)}, size={list(lengths)}): the number of "
            f"sizes provided ({len(lengths)}) must be greater or equal to the number of dimensions "
            f"in the tensor ({len(shape)})"
        )
    made = list(lengths)
    for at, length in enumerate(lengths):
        had = shape[at - extra] if at >= extra else None
        if length < 0 and (length != -1 or had is None):
            raise RuntimeError(
                f"expand: {length} is not allowed in a leading, non-existing dimension {at}"
            )
        made[at] = had if length == -1 else length
        if had is not None and had != 1 and made[at] != had:
            raise RuntimeError(
                f"The expanded size of the tensor ({length}) must match the existing size ({had}) "
                f"at non-singleton dimension {at}.  Target sizes: {list(lengths)}.  Tensor sizes: "
                f"{list(shape)}"
            )
    return _broadcast(tensor, tuple(made))


@checked("self: Tensor, other: Tensor")
def expand_as(self, other):
    """Expanded to the shape of another tensor."""
    return expanded(self, other.shape)


@checked("input: Tensor, size: ints")
def broadcast_to(input, size):
    """A view of another shape in which elements are repeated."""
    return expanded(input, size)


def broadcast_shapes(*shapes):
    """The shape that tensors of several shapes have together."""
    from .._functions import broadcast_shapes as joined
    from ._size import Size

    try:
        return Size(joined(*((one,) if isinstance(one, int) else tuple(one) for one in shapes)))
    except ValueError as error:
        raise RuntimeError(f"Shape mismatch: {error}") from None


def broadcast_tensors(*tensors):
    """Views of all with one shape."""
    tensors = sequence("broadcast_tensors", _one_list(tensors))
    shape = broadcast_shapes(*(one.shape for one in tensors))
    return tuple(one if one.shape == shape else expanded(one, shape) for one in tensors)


def _one_list(given):
    """Tensors one by one, or in a list."""
    return given[0] if len(given) == 1 and isinstance(given[0], (tuple, list)) else given


def sequence(name, tensors):
    """A list of tensors, checked."""
    if not isinstance(tensors, (tuple, list)):
        raise TypeError(
            f"{name}(): argument 'tensors' (position 1) must be tuple of Tensors, not "
            f"{type(tensors).__name__}"
        )
    for at, one in enumerate(tensors):
        if not isinstance(one, Tensor):
            raise TypeError(
                f"expected Tensor as element {at} in argument 0, but got {type(one).__name__}"
            )
    return tensors


_tile = row("tile", "repeat", "input:x, repeats", arrays=True)


def repeat(self, *given, **kwargs):
    """The tensor side by side, so many times in each dimension."""
    return _repeated(self, lengths_of("repeat", "repeats", given, kwargs))


def _repeated(input, times):
    if len(times) < input.ndim:
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of "
            "tensor"
        )
    if any(count < 0 for count in times):
        raise RuntimeError(f"Trying to create tensor with negative dimension: {list(times)}")
    return _tile(input, times) if times else _copy(input)


@checked("input: Tensor, dims: ints")
def tile(input, dims):
    """The tensor side by side, so many times in each of the last dimensions."""
    return _repeated(input, (1,) * (input.ndim - len(dims)) + dims)


def _method_tile(self, *given, **kwargs):
    """The tensor side by side, so many times in each of the last dimensions."""
    return tile(self, lengths_of("tile", "dims", given, kwargs))


_repeat = row("repeat", "repeat_interleave", "input:x, repeats, dim:axis=None", arrays=False)


_REPEATED = (
    "input: Tensor, repeats: int, dim: int? = None, *, output_size: int? = None",
    "input: Tensor, repeats: Tensor, dim: int? = None, *, output_size: int? = None",
)


@checked("repeats: Tensor, *, output_size: int? = None", *_REPEATED)
def repeat_interleave(input=None, repeats=None, dim=None, output_size=None):
    """Each element, or slice along a dimension, several times in a row."""
    if input is None:  # how often each place comes
        from ._create import arange

        _check_counts(repeats)
        if repeats.ndim != 1:
            raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
        return _uneven(arange(repeats.shape[0], dtype=repeats.dtype), repeats, 0)
    if isinstance(repeats, Tensor) and repeats.ndim > 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    if dim is not None:
        dim = wrapped_dim(dim, input.ndim)
        if not input.ndim:
            raise IndexError("Dimension out of range: the tensor has no dimensions")
    if dim is None:
        input, dim = _reshape(input, (input.numel(),)), 0
    if isinstance(repeats, Tensor):
        return _uneven(input, repeats, dim)
    if repeats < 0:
        raise RuntimeError("Repeats must be non-negative")
    return _repeat(input, repeats, dim)


def _check_counts(repeats):
    if repeats.dtype._native.kind not in "iu":
        from ._dialect import refuse_type

        refuse_type("repeat_interleave", repeats.dtype)


def _uneven(input, repeats, dim):
    """As many times as a tensor says for each place. Waits for that tensor."""
    from ._create import tensor
    from ._dtypes import ALL
    from ._index import index_select

    length = input.shape[dim]
    if repeats.numel() not in (1, length):
        raise RuntimeError(
            f"repeats must have the same size as input along dim, but got repeats.size(0) = "
            f"{repeats.numel()} and input.size({dim}) = {length}"
        )
    _check_counts(repeats)
    counts = repeats.reshape(-1).tolist()
    if any(count < 0 for count in counts):
        raise RuntimeError("repeats can not be negative")
    counts = counts * length if len(counts) == 1 else counts
    places = [place for place, count in enumerate(counts) for _ in range(count)]
    return index_select(input, dim, tensor(places, dtype=ALL["int64"]))


# ---- Triangles and diagonals ---------------------------------------------------------------------

_DIAGONAL = "input: Tensor, diagonal: int = 0, *, out: Tensor? = None"
_tril = row("tril", "tril", "input:x, diagonal=0", arrays=True)
_triu = row("triu", "triu", "input:x, diagonal=0", arrays=True)
_diag = row("diag", "diag", "input:x, diagonal=0", arrays=True)
_diagonal = row(
    "diagonal", "diagonal", "input:x, offset=0, dim1:axis1=0, dim2:axis2=1", arrays=True
)


@checked("input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1")
def diagonal(input, offset=0, dim1=0, dim2=1):
    """A view of the diagonals of matrices."""
    first, second = wrapped_dim(dim1, input.ndim), wrapped_dim(dim2, input.ndim)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return _diagonal(input, offset, first, second)


@checked(_DIAGONAL)
def tril(input, diagonal=0, out=None):
    """The elements on and below a diagonal of matrices, else 0."""
    return given(_tril(input, diagonal), out)


@checked(_DIAGONAL)
def triu(input, diagonal=0, out=None):
    """The elements on and above a diagonal of matrices, else 0."""
    return given(_triu(input, diagonal), out)


@checked(_DIAGONAL)
def diag(input, diagonal=0, out=None):
    """The diagonal of a matrix, or a matrix with that diagonal."""
    if input.ndim not in (1, 2):
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input.ndim}D")
    made = _diag(input, diagonal)
    if out is None:
        return made.clone() if input.ndim == 2 else made
    return given(made, out)


both(
    "flatten unflatten ravel transpose swapaxes swapdims t unsqueeze squeeze movedim moveaxis "
    "fliplr flipud roll broadcast_to repeat_interleave tril triu diag diagonal",
    globals(),
    __all__,
)
__all__ += "reshape permute flip tile broadcast_tensors broadcast_shapes".split()

Tensor.reshape, Tensor.permute = _method_reshape, _method_permute
Tensor.repeat_interleave = checked(*_REPEATED)(repeat_interleave.__wrapped__)
Tensor.flip, Tensor.tile = _method_flip, _method_tile


def _reversed(self):
    """What reversed() goes through: a copy with the order of the first dimension reversed."""
    return _flipped(self, (0,)) if self.ndim else self


Tensor.__reversed__ = _reversed
for _function in (view, view_as, reshape_as, expand, expand_as, repeat):
    setattr(Tensor, _function.__name__, _function)
Tensor.T = property(_all_reversed, doc="The tensor with its dimensions in reverse order: a view.")
Tensor.mT = property(_matrices_transposed, doc="Matrices transposed: a view.")
Tensor.H = property(_adjoint, doc="A matrix transposed and conjugated.")
Tensor.mH = property(
    lambda self: _matrices_transposed(self).conj(), doc="Matrices transposed and conjugated."
)


@checked("input: Tensor")
def adjoint(input):
    """Matrices transposed and conjugated."""
    return input.mH


both("adjoint", globals(), __all__)


def _in_place(name, function):
    """unsqueeze_ and the like: the tensor becomes the view."""

    def method(self, *args, **kwargs):
        made = function(self, *args, **kwargs)
        flows, leaf, _ = _core._grad_info(self)
        if flows and leaf and not _core._grad_is_paused():
            raise RuntimeError(
                "a leaf Variable that requires grad is being used in an in-place operation."
            )
        if not flows:
            self[None][:0] = 0  # counts as a write
        _core._become(self, made)
        return self

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"As {name[:-1]}, for the tensor itself."
    setattr(Tensor, name, method)


for _name in ("unsqueeze", "squeeze", "transpose", "t", "swapaxes", "swapdims"):
    _in_place(f"{_name}_", globals()[_name])


def _tril_(self, diagonal=0):
    """As tril, into the tensor itself."""
    return self.copy_(tril(self, diagonal))


def _triu_(self, diagonal=0):
    """As triu, into the tensor itself."""
    return self.copy_(triu(self, diagonal))


def _resize_(self, *args, **kwargs):
    """Not here: raises."""
    raise NotImplementedError("Tensor.resize_ is not here: a storage keeps its size; use reshape")


Tensor.tril_, Tensor.triu_, Tensor.resize_ = _tril_, _triu_, _resize_
del _name, _function
