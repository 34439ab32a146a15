"""Order and places: sorting, the largest, what is different, choosing by places and masks."""

from ._calls import both, public, refuse
from ._create import zeros as _zeros
from ._dialect import row, wrapped_axis
from ._dtypes import as_dtype
from ._tensor import INT64, Tensor, cast

__all__ = []
_argsort = row("argsort", "argsort", "x, axis=-1, descending=False, stable=True", arrays=True)
_along = row("take_along_axis", "take_along_axis", "x, indices, axis", arrays=True)
_take = row("take", "index_select", "x, index:indices, axis=None", arrays=True)
_nonzero = row("nonzero", "nonzero", "x", arrays=True)
_masked_select = row("masked_select", "masked_select", "x, mask", arrays=True)
_put = row("put", "scatter", "x, indices, values, accumulate=False, axis=None", arrays=True)


class _Named:
    """The classes of pairs, made when they are first needed."""

    def __getattr__(self, name):
        from collections import namedtuple

        made = namedtuple(name, ("values", "indices"))
        made.__module__ = "paddle"
        setattr(self, name, made)
        return made


_named = _Named()


def _first_place():
    """The place of the one element that a tensor without dimensions has."""
    return _zeros([], INT64)


@public
def argsort(x, axis=-1, descending=False, stable=False):
    """Places of the elements in their order along an axis."""
    axis = wrapped_axis(axis, x.ndim)
    return _argsort(x, axis, bool(descending)) if x.ndim else _first_place()


@public
def sort(x, axis=-1, descending=False, stable=False):
    """The elements in their order along an axis."""
    axis = wrapped_axis(axis, x.ndim)
    if not x.ndim:
        return x.clone()
    return _along(x, _argsort(x, axis, bool(descending)), axis)


@public
def topk(x, k, axis=None, largest=True, sorted=True):
    """The k largest elements along an axis, with their places."""
    k = k.item() if isinstance(k, Tensor) else k
    axis = wrapped_axis(-1 if axis is None else axis, x.ndim)
    if not x.ndim and k > 0:
        return _named.TopKRetType(x.clone(), _first_place())
    if k < 1:
        raise ValueError(f"(InvalidArgument) k of topk must be >= 1, but received {k}")
    if k > x.shape[axis]:
        raise ValueError(
            f"(InvalidArgument) input of topk must have >= {k} columns in axis {axis}, but has "
            f"{x.shape[axis]}"
        )
    places = _argsort(x, axis, bool(largest))[(slice(None),) * axis + (slice(k),)]
    return _named.TopKRetType(_along(x, places, axis), places)


@public
def kthvalue(x, k, axis=-1, keepdim=False):
    """The kth smallest element along an axis, with its place."""
    axis = wrapped_axis(axis, x.ndim)
    at = (slice(None),) * axis + (slice(k - 1, k),)
    places = _argsort(x, axis, False)[at]
    values = _along(x, places, axis)
    if not keepdim:
        values, places = values.squeeze(axis), places.squeeze(axis)
    return values, places


@public
def median(x, axis=None, keepdim=False, mode="avg"):
    """The middle element, or the mean of the two."""
    if mode != "avg":
        raise NotImplementedError(f"paddle.median: mode {mode!r} is not here")
    whole = axis is None
    line, at = (x.reshape([-1]), 0) if whole else (x, wrapped_axis(axis, x.ndim))
    if line.dtype._name not in ("float32", "float64"):
        line = cast(line, as_dtype("float32"))
    ordered, count = sort(line, at), line.shape[at]
    key = (slice(None),) * at
    low = ordered[key + ((count - 1) // 2,)]
    made = (low + ordered[key + (count // 2,)]) / 2 if count % 2 == 0 else low
    made = masked_fill(made, (line != line).any(at), float("nan"))
    if not keepdim:
        return made
    return made.reshape([1] * x.ndim) if whole else made.unsqueeze(at)


@public
def nonzero(x, as_tuple=False):
    """Places of the elements that are not 0: a row each, or a tensor for each dimension. Waits."""
    if not x.ndim:
        raise ValueError("(InvalidArgument) nonzero: a tensor without dimensions has no places")
    found = _nonzero(x)
    return tuple(found[:, at] for at in range(x.ndim)) if as_tuple else found


@public
def unique(
    x,
    return_index=False,
    return_inverse=False,
    return_counts=False,
    axis=None,
    dtype="int64",
    sorted=True,
):
    """What is different, in order; with places, and how often each comes. Waits."""
    import numpy

    from ._create import to_tensor

    found = numpy.unique(
        x.numpy(), return_index, return_inverse, return_counts, axis=axis
    )
    if not isinstance(found, tuple):
        return to_tensor(found)
    values, *others = found
    return (
        to_tensor(values),
        *(to_tensor(one.reshape(-1).astype(as_dtype(dtype)._name)) for one in others),
    )


# ---- By places and masks -------------------------------------------------------------------------


def _check_places(name, index):
    if not isinstance(index, Tensor):
        refuse(name, "index", 1, "Tensor", index)
    if index.dtype._native.kind not in "iu":
        raise ValueError(
            f"(InvalidArgument) {name}: the index holds {index.dtype._name}, but int32 or int64 is "
            "needed"
        )


def _axis_of_places(axis, ndim):
    """A dimension counted from the beginning; IndexError if there is none."""
    try:
        return wrapped_axis(axis, ndim)
    except ValueError as error:
        raise IndexError(str(error)) from None


@public
def index_select(x, index, axis=0):
    """Slices along an axis at places. A place out of range is found while running."""
    _check_places("index_select", index)
    return _take(x, index, _axis_of_places(axis, x.ndim))


@public
def gather(x, index, axis=0):
    """Slices along an axis at places."""
    _check_places("gather", index)
    axis = axis.item() if isinstance(axis, Tensor) else 0 if axis is None else axis
    return _take(x, index, _axis_of_places(axis, x.ndim))


@public
def gather_nd(x, index):
    """Slices at places that have a row of coordinates each."""
    _check_places("gather_nd", index)
    return x[tuple(index[..., at] for at in range(index.shape[-1]))]


@public
def take_along_axis(arr, indices, axis, broadcast=True):
    """Along an axis the element at each place."""
    _check_places("take_along_axis", indices)
    if arr.ndim != indices.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions!")
    axis = wrapped_axis(axis, arr.ndim)
    if broadcast:
        shape = [
            length if at != axis else wanted
            for at, (length, wanted) in enumerate(zip(arr.shape, indices.shape))
        ]
        indices = indices.expand(shape)
    return _along(arr, indices, axis)


@public
def masked_select(x, mask):
    """The elements where a mask of the same shape is True. Waits."""
    if not isinstance(mask, Tensor):
        refuse("masked_select", "mask", 1, "Tensor", mask)
    shape = (x != x).logical_or(mask).shape
    return _masked_select(x.expand(shape), mask.expand(shape))


@public
def masked_fill(x, mask, value):
    """A number where a mask is True."""
    from ._binary import where

    made = where(mask, cast(value, x.dtype) if isinstance(value, Tensor) else value, x)
    return cast(made, x.dtype)


@public
def index_sample(x, index):
    """In each row the elements at its places."""
    return take_along_axis(x, index, 1, False)


@public
def scatter(x, index, updates, overwrite=True):
    """A copy with rows at places replaced, or, without overwrite, their sums."""
    _check_places("scatter", index)
    made, index = x.clone(), index.reshape([-1])
    if overwrite:
        made[index] = updates
        return made
    made[index] = 0
    return _put(made, index, updates, True, 0)


@public
def index_add(x, index, axis, value):
    """A copy with what is added to slices at places."""
    _check_places("index_add", index)
    return _put(x, index, value, True, wrapped_axis(axis, x.ndim))


_searchsorted = row("searchsorted", "searchsorted", "x:x1, values:x2, side=None")


@public
def searchsorted(sorted_sequence, values, out_int32=False, right=False):
    """The places at which values would be put in a sorted line."""
    made = _searchsorted(sorted_sequence, values, "right" if right else "left")
    return cast(made, as_dtype("int32")) if out_int32 else made


@public
def bincount(x, weights=None, minlength=0):
    """How often each integer comes. Waits."""
    import numpy

    from ._create import to_tensor

    given = None if weights is None else weights.numpy()
    return to_tensor(numpy.bincount(x.numpy(), given, minlength))


both(
    "argsort sort topk kthvalue median nonzero unique index_select gather gather_nd "
    "take_along_axis masked_select masked_fill index_sample scatter index_add bincount",
    globals(),
    __all__,
)
__all__.append("searchsorted")
