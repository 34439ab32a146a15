"""Functions that change shapes, join and take apart. Views where torch gives views."""

from .. import _core
from ._attach import both
from ._dialect import dims, row, sizes, wrapped_dim
from ._tensor import Tensor

__all__ = []
_native = _core.ndarray

# ---- Shapes ---------------------------------------------------------------------------------------


def _lengths(given, shape=None, size=None):
    if given:
        return sizes(given)
    return tuple(shape if shape is not None else size)


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
    if (count % known if open_at else count != known):
        raise RuntimeError(f"shape '{list(lengths)}' is invalid for input of size {count}")


_reshape = row("reshape", "reshape", "input:x, shape")


def _any_reshape(input, *given, shape=None):
    lengths = _lengths(given, shape)
    _check_fits(input, lengths)
    return _reshape(input, lengths)


reshape = row("reshape", "reshape", "input:x, shape", arrays=True, unusual=_any_reshape)
_method_reshape = row(
    "reshape", "reshape", "input:x, shape", arrays=True, unusual=_any_reshape, variadic=True
)
_view = row("reshape", "view", "input:x, shape, *, copy=None")


def view(self, *given, size=None):
    """A view of another shape; raises where that would need a copy."""
    if len(given) == 1 and isinstance(given[0], type(self.dtype)):
        return _view_of_type(self, given[0])
    lengths = _lengths(given, size)
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
    raise NotImplementedError(f"Tensor.view: elements of {self.dtype} as {one} are not here")


def view_as(self, other):
    """A view with the shape of another tensor."""
    return view(self, other.shape)


def reshape_as(self, other):
    """With the shape of another tensor."""
    return reshape(self, other.shape)


def flatten(input, start_dim=0, end_dim=-1):
    """With the dimensions from start_dim to end_dim as one."""
    shape = input.shape
    if not shape:
        return _reshape(input, (1,))
    start, end = wrapped_dim(start_dim, len(shape)), wrapped_dim(end_dim, len(shape))
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if start == end:
        return input
    count = 1
    for length in shape[start : end + 1]:
        count *= length
    return _reshape(input, (*shape[:start], count, *shape[end + 1 :]))


def unflatten(input, dim, sizes):
    """With one dimension as several; one of them may be -1."""
    shape, dim = input.shape, wrapped_dim(dim, input.ndim)
    count, known = shape[dim], 1
    for length in sizes:
        known *= length if length != -1 else 1
    made = tuple(count // known if length == -1 else length for length in sizes)
    return reshape(input, (*shape[:dim], *made, *shape[dim + 1 :]))


def ravel(input):
    """In one dimension."""
    return _reshape(input, (-1,)) if input.numel() else _reshape(input, (0,))


_permute = row("permute", "permute", "input:x, dims:axes", arrays=True)


def _check_permutation(input, order):
    if len(order) != input.ndim:
        raise RuntimeError(
            f"permute(sparse_coo): number of dimensions in the tensor input does not match the "
            f"length of the desired ordering of dimensions i.e. input.dim() = {input.ndim} is not "
            f"equal to len(dims) = {len(order)}"
        )
    found = [wrapped_dim(one, input.ndim) for one in order]
    if len(set(found)) != len(found):
        raise RuntimeError("permute(): duplicate dims are not allowed.")


def _any_permute(input, *given, dims=None):
    order = _lengths(given, dims)
    _check_permutation(input, order)
    return _permute(input, order) if order else input[...]


permute = row("permute", "permute", "input:x, dims:axes", arrays=True, unusual=_any_permute)
_method_permute = row(
    "permute", "permute", "input:x, dims:axes", arrays=True, unusual=_any_permute, variadic=True
)
_swap = row("swapaxes", "transpose", "input:x, dim0:axis1, dim1:axis2", arrays=True)


def transpose(input, dim0, dim1):
    """A view with two dimensions exchanged."""
    if input.ndim == 0:
        wrapped_dim(dim0, 0), wrapped_dim(dim1, 0)
        return input[...]
    return _swap(input, dim0, dim1)


def swapaxes(input, axis0, axis1):
    """A view with two dimensions exchanged."""
    return transpose(input, axis0, axis1)


def swapdims(input, dim0, dim1):
    """A view with two dimensions exchanged."""
    return transpose(input, dim0, dim1)


def t(input):
    """A matrix with rows and columns exchanged; fewer dimensions as they are."""
    if input.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {input.ndim}D")
    return _native_T(input)


_native_T = _native.T.__get__


def _transposed(self):
    if self.ndim not in (0, 2):
        import warnings

        warnings.warn(
            f"The use of `x.T` on tensors of dimension {self.ndim} is deprecated: use "
            "x.mT for matrices, or x.permute(*torch.arange(x.ndim - 1, -1, -1))",
            UserWarning,
            stacklevel=2,
        )
    return _native_T(self)


_expand_dims = row("expand_dims", "unsqueeze", "input:x, dim:axis", arrays=True)
unsqueeze = _expand_dims
_squeeze = row("squeeze", "squeeze", "input:x, dim:axis=None", arrays=True)


def squeeze(input, dim=None):
    """Without dimensions of length 1: all of them, or those of dim that are."""
    shape = input.shape
    if dim is None:
        return _squeeze(input)
    chosen = (dim,) if isinstance(dim, int) else dims(dim) or ()
    ones = tuple(
        one for one in (wrapped_dim(one, len(shape)) for one in chosen) if shape and shape[one] == 1
    )
    return _squeeze(input, ones) if ones else input[...]


_moveaxis = row("moveaxis", "movedim", "input:x, source, destination", arrays=True)


def movedim(input, source, destination):
    """A view with dimensions moved to other places."""
    return _moveaxis(input, source, destination)


moveaxis = movedim
flip_ = row("flip", "flip", "input:x, dims:axis", arrays=True)


def flip(input, *dims):
    """A copy with the order of elements reversed along dimensions."""
    from ._tensor import _copy

    return _copy(flip_(input, sizes(dims)))


def fliplr(input):
    """A copy with columns in reverse order."""
    return flip(input, 1)


def flipud(input):
    """A copy with rows in reverse order."""
    return flip(input, 0)


_roll = row("roll", "roll", "input:x, shifts:shift, dims:axis=None", arrays=True)


def roll(input, shifts, dims=None):
    """Elements moved along dimensions; what falls out comes in at the other end."""
    return _roll(input, shifts, dims)


# ---- More elements --------------------------------------------------------------------------------

_broadcast = row("broadcast_to", "broadcast_to", "input:x, size:shape", arrays=True)


def expand(self, *given, size=None, implicit=False):
    """A view in which dimensions of length 1 are repeated; -1 keeps a length."""
    lengths, shape = _lengths(given, size), self.shape
    extra = len(lengths) - len(shape)
    if extra < 0:
        raise RuntimeError(
            f"expand({type(self).__name__}{list(shape)}, size={list(lengths)}): the number of sizes "
            f"provided ({len(lengths)}) must be greater or equal to the number of dimensions in the "
            f"tensor ({len(shape)})"
        )
    made = list(lengths)
    for at, length in enumerate(lengths):
        had = shape[at - extra] if at >= extra else None
        if length == -1 and had is None:
            raise RuntimeError(
                "expand: -1 is not allowed in a leading, non-existing dimension " f"{at}"
            )
        made[at] = had if length == -1 else length
        if had is not None and had != 1 and made[at] != had:
            raise RuntimeError(
                f"The expanded size of the tensor ({length}) must match the existing size ({had}) at "
                f"non-singleton dimension {at}.  Target sizes: {list(lengths)}.  Tensor sizes: "
                f"{list(shape)}"
            )
    return _broadcast(self, tuple(made))


def expand_as(self, other):
    """Expanded to the shape of another tensor."""
    return expand(self, other.shape)


def broadcast_to(input, size):
    """A view of another shape in which elements are repeated."""
    return expand(input, size)


def broadcast_tensors(*tensors):
    """Views of all with one shape."""
    from .._functions import broadcast_shapes

    shape = broadcast_shapes(*(one.shape for one in tensors))
    return tuple(expand(one, shape) for one in tensors)


_tile = row("tile", "repeat", "input:x, repeats", arrays=True)


def repeat(self, *given, repeats=None):
    """The tensor side by side, so many times in each dimension."""
    times = _lengths(given, repeats)
    if len(times) < self.ndim:
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of "
            "tensor"
        )
    if any(count < 0 for count in times):
        raise RuntimeError(f"repeat: counts must be at least 0, not {list(times)}")
    return _tile(self, times) if times else self.clone()


def tile(input, *dims):
    """The tensor side by side, so many times in each of the last dimensions."""
    times = sizes(dims)
    return repeat(input, (1,) * (input.ndim - len(times)) + times)


_repeat = row("repeat", "repeat_interleave", "input:x, repeats, dim:axis=None", arrays=False)


def repeat_interleave(input, repeats=None, dim=None, *, output_size=None):
    """Each element, or slice along a dimension, several times in a row."""
    if repeats is None:  # how often each place comes
        from ._create import arange

        return repeat_interleave(arange(input.shape[0]), input, 0)
    if isinstance(repeats, Tensor):
        if repeats.numel() == 1:
            return _repeat(input, repeats.item(), dim)
        return _uneven(input, repeats, dim)
    return _repeat(input, repeats, dim)


def _uneven(input, repeats, dim):
    """As many times as a tensor says for each place. Waits for that tensor."""
    from ._create import tensor
    from ._index import index_select

    if dim is None:
        input, dim = ravel(input), 0
    counts = repeats.tolist()
    if len(counts) != input.shape[dim]:
        raise RuntimeError(
            f"repeats must have the same size as input along dim, but got repeats.size(0) = "
            f"{len(counts)} and input.size({dim}) = {input.shape[dim]}"
        )
    places = [place for place, count in enumerate(counts) for _ in range(count)]
    return index_select(input, dim, tensor(places, dtype=repeats.dtype))


# ---- Several tensors -------------------------------------------------------------------------------

_concatenate = row("concatenate", "cat", "tensors, dim:axis=0")
_stack = row("stack", "stack", "tensors, dim:axis=0")


def _sequence(name, tensors):
    if isinstance(tensors, Tensor):
        return tuple(tensors)
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


def cat(tensors, dim=0, *, out=None, axis=None):
    """Tensors one after the other along a dimension; empty ones of one dimension are skipped."""
    dim = dim if axis is None else axis
    tensors = _sequence("cat", tensors)
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    kept = [one for one in tensors if one.shape != (0,)] or tensors[:1]
    _check_joined(kept, dim)
    if len(kept) < len(tensors):
        common = tensors[0].dtype
        from ._convert import promote_types

        for one in tensors:
            common = promote_types(common, one.dtype)
        kept = [kept[0].to(common), *kept[1:]]
    made = _concatenate(kept, dim)
    return made if out is None else out.copy_(made)


def _check_joined(tensors, dim):
    shape = tensors[0].shape
    if not shape:
        raise RuntimeError("zero-dimensional tensor (at position 0) cannot be concatenated")
    at = wrapped_dim(dim, len(shape))
    for number, one in enumerate(tensors):
        other = one.shape
        if len(other) != len(shape):
            raise RuntimeError(
                f"Tensors must have same number of dimensions: got {len(shape)} and {len(other)}"
            )
        for place, (length, found) in enumerate(zip(shape, other)):
            if place != at and length != found:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {at}. Expected size {length} "
                    f"but got size {found} for tensor number {number} in the list."
                )


concat = concatenate = cat


def stack(tensors, dim=0, *, out=None, axis=None):
    """Tensors of one shape along a new dimension."""
    dim = dim if axis is None else axis
    tensors = _sequence("stack", tensors)
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    shape = tensors[0].shape
    for number, one in enumerate(tensors):
        if one.shape != shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(shape)} at entry 0 and "
                f"{list(one.shape)} at entry {number}"
            )
    wrapped_dim(dim, len(shape), 1)
    made = _stack(list(tensors), dim)
    return made if out is None else out.copy_(made)


def vstack(tensors):
    """Rows one below the other."""
    return cat([one if one.ndim > 1 else reshape(one, (1, -1)) for one in tensors], 0)


def hstack(tensors):
    """Columns side by side; of one dimension, one after the other."""
    lifted = [one if one.ndim else reshape(one, (1,)) for one in tensors]
    return cat(lifted, 0 if lifted[0].ndim == 1 else 1)


row_stack = vstack


def split(tensor, split_size_or_sections, dim=0):
    """Views of parts along a dimension: of one size, or of the sizes given."""
    length = tensor.shape[wrapped_dim(dim, tensor.ndim)]
    given = split_size_or_sections
    if isinstance(given, (tuple, list)):
        counts = [int(one) for one in given]
        if any(one < 0 for one in counts) or _total(counts) != length:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {length} (input tensor's "
                f"size at dimension {dim}), but got split_sizes={counts}"
            )
    else:
        if given <= 0 and not (given == 0 and length == 0):
            raise RuntimeError(f"split_size must be above 0, but got {given}")
        whole = [given] * (length // given) if given else []
        counts = whole + ([length - given * len(whole)] if length - given * len(whole) else [])
        counts = counts or [0]
    parts, begin = [], 0
    for count in counts:
        parts.append(narrow(tensor, dim, begin, count))
        begin += count
    return tuple(parts)


def _total(counts):
    total = 0
    for one in counts:
        total += one
    return total


def chunk(input, chunks, dim=0):
    """Views of at most so many parts of one size along a dimension; the last may be shorter."""
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    length = input.shape[wrapped_dim(dim, input.ndim)]
    return split(input, max(-(-length // chunks), 1), dim)


def tensor_split(input, indices_or_sections, dim=0):
    """Views of parts along a dimension: so many of nearly equal size, or cut at places."""
    length = input.shape[wrapped_dim(dim, input.ndim)]
    given = indices_or_sections
    if isinstance(given, int):
        size, more = divmod(length, given)
        counts = [size + (at < more) for at in range(given)]
        return split(input, counts, dim)
    cuts = [0, *(min(max(one, 0), length) for one in given), length]
    return tuple(narrow(input, dim, a, max(b - a, 0)) for a, b in zip(cuts, cuts[1:]))


def unbind(input, dim=0):
    """Views of the slices along a dimension."""
    return tuple(select(input, dim, at) for at in range(input.shape[wrapped_dim(dim, input.ndim)]))


def narrow(input, dim, start, length):
    """A view of a part along a dimension."""
    dim = wrapped_dim(dim, input.ndim)
    start = int(start)
    start += input.shape[dim] if start < 0 else 0
    if length < 0 or start + length > input.shape[dim]:
        raise RuntimeError(
            f"start ({start}) + length ({length}) exceeds dimension size ({input.shape[dim]})."
        )
    return input[(*(slice(None),) * dim, slice(start, start + length))]


def select(input, dim, index):
    """A view of one slice along a dimension."""
    if input.ndim == 0:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    return input[(*(slice(None),) * wrapped_dim(dim, input.ndim), index)]


def meshgrid(*tensors, indexing=None):
    """Views of each with the shape of all together; by 'xy' the first two dimensions change places."""
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tensors[0]
    if indexing not in (None, "ij", "xy"):
        raise RuntimeError(
            f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}'
        )
    places = list(range(len(tensors)))
    if indexing == "xy" and len(tensors) > 1:
        places[:2] = 1, 0
    lengths = [0] * len(tensors)
    for place, one in zip(places, tensors):
        lengths[place] = one.numel()
    grids = []
    for place, one in zip(places, tensors):
        shape = [1] * len(tensors)
        shape[place] = -1
        grids.append(expand(reshape(one, shape), lengths))
    return tuple(grids)


# ---- Triangles and diagonals ------------------------------------------------------------------------

tril = row("tril", "tril", "input:x, diagonal=0", arrays=True)
triu = row("triu", "triu", "input:x, diagonal=0", arrays=True)
_diag = row("diag", "diag", "input:x, diagonal=0", arrays=True)
diagonal = row(
    "diagonal", "diagonal", "input:x, offset=0, dim1:axis1=0, dim2:axis2=1", arrays=True
)


def diag(input, diagonal=0):
    """The diagonal of a matrix, or a matrix with that diagonal."""
    return _diag(input, diagonal)


def atleast_1d(*tensors):
    """Each with at least one dimension."""
    made = tuple(one if one.ndim else reshape(one, (1,)) for one in tensors)
    return made[0] if len(made) == 1 else made


def atleast_2d(*tensors):
    """Each with at least two dimensions."""
    made = tuple(one if one.ndim > 1 else reshape(one, (1, -1)) for one in tensors)
    return made[0] if len(made) == 1 else made


both(
    "flatten unflatten ravel transpose swapaxes swapdims t unsqueeze squeeze movedim moveaxis flip "
    "fliplr flipud roll broadcast_to tile repeat_interleave split chunk tensor_split unbind narrow "
    "select tril triu diag diagonal",
    globals(),
    __all__,
)
__all__ += (
    "reshape permute broadcast_tensors cat concat concatenate stack vstack hstack row_stack meshgrid "
    "atleast_1d atleast_2d"
).split()

Tensor.reshape, Tensor.permute = _method_reshape, _method_permute
for _function in (view, view_as, reshape_as, expand, expand_as, repeat):
    setattr(Tensor, _function.__name__, _function)
Tensor.T = property(_transposed, doc="The tensor with its dimensions in reverse order: a view.")
Tensor.mT = property(lambda self: transpose(self, -2, -1), doc="Matrices transposed: a view.")
Tensor.H = property(lambda self: t(self).conj(), doc="A matrix transposed and conjugated.")


def _in_place(name, function):
    """unsqueeze_ and the like: the tensor becomes the view."""

    def method(self, *args, **kwargs):
        _core._become(self, function(self, *args, **kwargs))
        return self

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"As {name[:-1]}, for the tensor itself."
    setattr(Tensor, name, method)


for _name in ("unsqueeze", "squeeze", "transpose", "t", "swapaxes", "swapdims"):
    _in_place(f"{_name}_", globals()[_name])


def _resize_as(self, *args, **kwargs):
    """Not here: raises."""
    raise NotImplementedError("Tensor.resize_: a storage keeps its size; use reshape")


Tensor.resize_ = _resize_as
del _name, _function
