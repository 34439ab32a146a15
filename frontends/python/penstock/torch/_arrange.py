"""Diagonals of new matrices, and choices of elements: for fewer programs."""

from itertools import combinations as _choices
from itertools import combinations_with_replacement as _choices_again

from ._create import eye, tensor
from ._dialect import row, wrapped_dim
from ._dtypes import ALL
from ._index import index_select
from ._shape import reshape

_INT64, _BOOL = ALL["int64"], ALL["bool"]


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
