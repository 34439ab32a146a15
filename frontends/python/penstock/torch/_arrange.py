"""Joining, taking apart and turning, for fewer programs: composed of what _shape.py has."""

from itertools import combinations as _choices
from itertools import combinations_with_replacement as _choices_again

from ._create import eye, tensor, zeros
from ._dialect import row, wrapped_dim
from ._dtypes import ALL
from ._index import index_select
from ._joining import cat, meshgrid, stack, tensor_split
from ._ranks import result_type
from ._shape import flip, reshape, transpose

_INT64, _BOOL = ALL["int64"], ALL["bool"]

# ---- Joined and taken apart ----------------------------------------------------------------------


def atleast_3d(*tensors):
    """Each with at least three dimensions; the elements of one dimension lie along the second."""
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        return tuple(map(_with_three, tensors[0]))
    made = tuple(map(_with_three, tensors))
    return made[0] if len(made) == 1 else made


def _with_three(one):
    if one.ndim >= 3:
        return one
    return one.unsqueeze(-1) if one.ndim == 2 else reshape(one, (1, one.numel(), 1))


def dstack(tensors):
    """Tensors one behind the other along the third dimension."""
    return cat([_with_three(one) for one in tensors], 2)


def column_stack(tensors):
    """Vectors as columns side by side, with matrices."""
    return cat([one if one.ndim > 1 else reshape(one, (one.numel(), 1)) for one in tensors], 1)


def _split(name, least, input, given, dim):
    if input.ndim < least:
        raise RuntimeError(
            f"torch.{name} needs a tensor with {least} dimensions or more, but got one with "
            f"{input.ndim} dimensions"
        )
    if isinstance(given, int) and (given <= 0 or input.shape[dim] % given):
        raise RuntimeError(
            f"torch.{name} attempted to split along dimension {dim}, but the size of the dimension "
            f"{input.shape[dim]} is not divisible by the split_size {given}!"
        )
    return tensor_split(input, given, dim)


def hsplit(input, indices_or_sections):
    """Views of equal parts, or cut at places: of columns; of one dimension, of elements."""
    return _split("hsplit", 1, input, indices_or_sections, 0 if input.ndim == 1 else 1)


def vsplit(input, indices_or_sections):
    """Views of equal parts, or cut at places, of rows."""
    return _split("vsplit", 2, input, indices_or_sections, 0)


def dsplit(input, indices_or_sections):
    """Views of equal parts, or cut at places, along the third dimension."""
    return _split("dsplit", 3, input, indices_or_sections, 2)


def rot90(input, k=1, dims=(0, 1)):
    """A copy turned k times by a quarter, from the first of two dimensions to the second."""
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if input.ndim < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {input.ndim}")
    first, second = (wrapped_dim(one, input.ndim) for one in dims)
    if first == second:
        raise RuntimeError(f"expected rotation dims to be different, but got {tuple(dims)}")
    turns = k % 4
    if turns == 0:
        return input.clone()
    if turns == 2:
        return flip(input, (first, second))
    turned = flip(input, (second if turns == 1 else first,))
    return transpose(turned, first, second)


# ---- Diagonals -----------------------------------------------------------------------------------


def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """Matrices with the elements along the last dimension on a diagonal, else 0."""
    ndim = input.ndim + 1
    rows, columns = wrapped_dim(dim1, ndim), wrapped_dim(dim2, ndim)
    if rows == columns:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    length = input.shape[-1]
    square = (*input.shape, length)
    others = eye(length, dtype=_BOOL, device=input.device).logical_not()
    made = input.unsqueeze(-1).expand(square).masked_fill(others, 0)
    if offset:
        near, far = max(offset, 0), max(-offset, 0)
        before, after = (far, near), (near, far)
        none = (0,) * (input.ndim - 1)
        made = _pad(made, none + before, none + after)
    return made.movedim((-2, -1), (rows, columns))


_pad = row("pad", "diag_embed", "input:x, before, after")


def diagflat(input, offset=0):
    """A matrix with all elements on a diagonal."""
    return reshape(input, (-1,)).diag(offset)


def block_diag(*tensors):
    """A matrix with matrices along its diagonal, else 0; a vector is a row."""
    tensors = tensors or (zeros((1, 0)),)
    blocks = [one if one.ndim == 2 else reshape(one, (1, one.numel())) for one in tensors]
    for one in tensors:
        if one.ndim > 2:
            raise RuntimeError(
                f"torch.block_diag: Input tensors must have 2 or fewer dimensions, got {one.ndim}"
            )
    one_type = result_type(*tensors)
    blocks = [one.to(one_type) for one in blocks]
    width, before, rows = sum(one.shape[1] for one in blocks), 0, []
    for one in blocks:
        count = one.shape[1]
        left = zeros((one.shape[0], before), dtype=one.dtype, device=one.device)
        right = zeros((one.shape[0], width - before - count), dtype=one.dtype, device=one.device)
        rows.append(cat([left, one, right], 1))
        before += count
    return cat(rows, 0)


# ---- Products and choices ------------------------------------------------------------------------


def cartesian_prod(*tensors):
    """All ways to take one element of each vector, as rows."""
    for one in tensors:
        if one.ndim != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape {list(one.shape)}")
    if len(tensors) == 1:
        return tensors[0]
    return stack([reshape(one, (-1,)) for one in meshgrid(*tensors, indexing="ij")], 1)


def combinations(input, r=2, with_replacement=False):
    """All ways to take r elements of a vector, as rows."""
    if input.ndim != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(input.shape)}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    choose = _choices_again if with_replacement else _choices
    rows = list(choose(range(input.shape[0]), r))
    if r == 0:
        return input.new_empty((0,))
    places = tensor([place for one in rows for place in one], dtype=_INT64, device=input.device)
    return reshape(index_select(input, 0, places), (len(rows), r))
