"""Functions that join tensors and take them apart; parts are views."""

from ._attach import both
from ._checked import checked
from ._dialect import row, wrapped_dim
from ._output import given
from ._ranks import can_become, result_type
from ._shape import _one_list, expanded, reshape, sequence
from ._tensor import Tensor

__all__ = []

# ---- Several as one ------------------------------------------------------------------------------

_concatenate = row("concatenate", "cat", "tensors, dim:axis=0")
_stack = row("stack", "stack", "tensors, dim:axis=0")
_JOINED = "tensors: Tensors, dim: int = 0, *, out: Tensor? = None"


@checked(_JOINED)
def cat(tensors, dim=0, out=None):
    """Tensors one after the other along a dimension; empty ones of one dimension are skipped."""
    sequence("cat", tensors)
    try:
        made = _concatenate(tensors, dim)
    except (IndexError, RuntimeError, ValueError):
        made = _joined_otherwise(tensors, dim, out)
    if out is None:
        return made
    _check_out([made], out)
    return given(made, out)


def _check_out(tensors, out):
    if not can_become(result_type(*tensors), out.dtype):
        raise TypeError(
            f"torch.cat(): input types can't be cast to the desired output type {out.dtype}"
        )


def _joined_otherwise(tensors, dim, out=None):
    """What the library does not join: some are skipped, or something is wrong."""
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    kept = [one for one in tensors if one.shape != (0,)] or tensors[:1]
    _check_joined(kept, dim, out)
    if len(kept) < len(tensors):
        kept = _promoted(kept, tensors)
    return _concatenate(kept, dim)


def _promoted(kept, tensors):
    """The first of what is kept as the type of all, those that are skipped among them."""
    from ._ranks import promoted

    common = tensors[0].dtype
    for one in tensors:
        common = promoted(common, one.dtype)
    return [kept[0].to(common), *kept[1:]]


def _check_joined(tensors, dim, out=None):
    shape = tensors[0].shape
    for number, one in enumerate(tensors):
        if not one.ndim:
            raise RuntimeError(
                f"zero-dimensional tensor (at position {number}) cannot be concatenated"
            )
    at = wrapped_dim(dim, len(shape))
    if out is not None:
        _check_out(tensors, out)
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


@checked(_JOINED)
def stack(tensors, dim=0, out=None):
    """Tensors of one shape along a new dimension."""
    sequence("stack", tensors)
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    try:
        made = _stack(tensors, dim)
    except (IndexError, RuntimeError, ValueError):
        _check_stacked(tensors, dim)
        raise
    return given(made, out)


def _check_stacked(tensors, dim):
    shape = tensors[0].shape
    wrapped_dim(dim, len(shape), 1)
    for number, one in enumerate(tensors):
        if one.shape != shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(shape)} at entry 0 and "
                f"{list(one.shape)} at entry {number}"
            )


def _listed(name, tensors):
    if not sequence(name, tensors):
        raise RuntimeError(f"{name} expects a non-empty TensorList")
    return tensors


_LISTED = "tensors: Tensors, *, out: Tensor? = None"


@checked(_LISTED)
def vstack(tensors, out=None):
    """Rows one below the other."""
    return cat([atleast_2d(one) for one in _listed("vstack", tensors)], 0, out=out)


row_stack = vstack


@checked(_LISTED)
def hstack(tensors, out=None):
    """Columns side by side; of one dimension, one after the other."""
    lifted = [atleast_1d(one) for one in _listed("hstack", tensors)]
    return cat(lifted, 0 if lifted[0].ndim == 1 else 1, out=out)


def _each(tensors, lift):
    given = _one_list(tensors)
    made = tuple(lift(one) for one in sequence("atleast", given))
    return made[0] if given is tensors and len(made) == 1 else made


def atleast_1d(*tensors):
    """Each with at least one dimension."""
    return _each(tensors, lambda one: one if one.ndim else reshape(one, (1,)))


def atleast_2d(*tensors):
    """Each with at least two dimensions."""
    return _each(tensors, lambda one: one if one.ndim > 1 else reshape(one, (1, one.numel())))


def meshgrid(*tensors, indexing=None):
    """Views of each with the shape of all together; by 'xy' the first two change places."""
    tensors = _listed("meshgrid", _one_list(tensors))
    if indexing is not None and not isinstance(indexing, str):
        raise TypeError(
            f"meshgrid(): argument 'indexing' must be str, not {type(indexing).__name__}"
        )
    _check_grid(tensors, indexing)
    places = list(range(len(tensors)))
    if indexing == "xy" and len(tensors) > 1:
        places[:2] = 1, 0
    lengths = [0] * len(tensors)
    for place, one in zip(places, tensors):
        lengths[place] = one.numel()
    grids = []
    for place, one in zip(places, tensors):
        shape = [1] * len(tensors)
        shape[place] = one.numel()
        grids.append(expanded(reshape(one, shape), lengths))
    return tuple(grids)


def _check_grid(tensors, indexing):
    if indexing not in (None, "ij", "xy"):
        raise RuntimeError(
            f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}'
        )
    for one in tensors:
        if one.ndim > 1:
            raise RuntimeError(
                f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got {one.ndim}D"
            )
        if one.dtype is not tensors[0].dtype:
            raise RuntimeError("meshgrid expects all tensors to have the same dtype")


# ---- One as several ------------------------------------------------------------------------------


def _total(counts):
    total = 0
    for one in counts:
        total += one
    return total


def _check_dimensions(name, tensor):
    if not tensor.ndim:
        raise RuntimeError(f"{name} expects at least a 1-dimensional tensor")


def _parts(tensor, counts, dim):
    """Views one after the other."""
    parts, begin = [], 0
    for count in counts:
        parts.append(_narrow(tensor, dim, begin, count))
        begin += count
    return tuple(parts)


def _split(tensor, size, dim):
    _check_dimensions("split", tensor)
    if isinstance(size, int) and size < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={size}")
    dim = wrapped_dim(dim, tensor.ndim)
    length = tensor.shape[dim]
    if isinstance(size, (tuple, list)):
        if any(one < 0 for one in size) or _total(size) != length:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {length} (input tensor's "
                f"size at dimension {dim}), but got split_sizes={list(size)}"
            )
        return _parts(tensor, size, dim)
    if size == 0 and length:
        raise RuntimeError(
            f"split_size can only be 0 if dimension size is 0, but got dimension size of {length}"
        )
    whole = [size] * (length // size) if size else []
    rest = length - size * len(whole)
    return _parts(tensor, whole + ([rest] if rest else []) or [0], dim)


@checked("tensor: Tensor, split_size_or_sections: int or ints, dim: int = 0")
def split(tensor, split_size_or_sections, dim=0):
    """Views of parts along a dimension: of one size, or of the sizes given."""
    return _split(tensor, split_size_or_sections, dim)


@checked("self: Tensor, split_size: int or ints, dim: int = 0")
def _method_split(self, split_size, dim=0):
    """Views of parts along a dimension: of one size, or of the sizes given."""
    return _split(self, split_size, dim)


@checked("input: Tensor, chunks: int, dim: int = 0")
def chunk(input, chunks, dim=0):
    """Views of at most so many parts of one size along a dimension; the last may be shorter."""
    _check_dimensions("chunk", input)
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    dim = wrapped_dim(dim, input.ndim)
    length = input.shape[dim]
    if length == 0:
        return _parts(input, [0] * chunks, dim)
    return _split(input, -(-length // chunks), dim)


@checked(
    "input: Tensor, indices_or_sections: int or ints, dim: int = 0",
    "input: Tensor, indices_or_sections: Tensor, dim: int = 0",
)
def tensor_split(input, indices_or_sections, dim=0):
    """Views of parts along a dimension: so many of nearly equal size, or cut at places."""
    _check_dimensions("tensor_split", input)
    dim, given = wrapped_dim(dim, input.ndim), indices_or_sections
    given = given.tolist() if isinstance(given, Tensor) else given
    length = input.shape[dim]
    if isinstance(given, int):
        if given <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {given}")
        size, more = divmod(length, given)
        return _parts(input, [size + (at < more) for at in range(given)], dim)
    key = (slice(None),) * dim
    ends = [*given, length]
    return tuple(input[(*key, slice(a, b))] for a, b in zip([0, *given], ends))


@checked("input: Tensor, dim: int = 0")
def unbind(input, dim=0):
    """Views of the slices along a dimension."""
    if not input.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    dim = wrapped_dim(dim, input.ndim)
    key = (slice(None),) * dim
    return tuple(input[(*key, at)] for at in range(input.shape[dim]))


def _narrow(input, dim, start, length):
    return input[(*(slice(None),) * dim, slice(start, start + length))]


@checked(
    "input: Tensor, dim: int, start: int, length: int",
    "input: Tensor, dim: int, start: Tensor, length: int",
)
def narrow(input, dim, start, length):
    """A view of a part along a dimension."""
    if not input.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if isinstance(start, Tensor):
        raise RuntimeError("start must be an 0-dim integral Tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    dim = wrapped_dim(dim, input.ndim)
    size = input.shape[dim]
    if not -size <= start <= size:
        raise IndexError(
            f"start out of range (expected to be in range of [{-size}, {size}], but got {start})"
        )
    start += size if start < 0 else 0
    if start + length > size:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return _narrow(input, dim, start, length)


@checked("input: Tensor, dim: int, index: int")
def select(input, dim, index):
    """A view of one slice along a dimension."""
    if input.ndim == 0:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    return input[(*(slice(None),) * wrapped_dim(dim, input.ndim), index)]


both("chunk tensor_split unbind narrow select", globals(), __all__)
Tensor.split = _method_split
__all__ += (
    "split cat concat concatenate stack vstack hstack row_stack meshgrid atleast_1d atleast_2d"
).split()
