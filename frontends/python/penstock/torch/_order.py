"""Order: largest and smallest with their places, sorting, what is different."""

from ._attach import both
from ._dialect import renamed, row, wrapped_dim
from ._tensor import Tensor

__all__ = []


# ---- Named results -------------------------------------------------------------------------------


def named_pair(name, *fields):
    """The class of a function's results: a tuple with names, and torch's text."""
    from collections import namedtuple

    def text(self):
        parts = ",\n".join(f"{field}={getattr(self, field)!r}" for field in fields)
        return f"torch.return_types.{name}(\n{parts})"

    body = {"__slots__": (), "__repr__": text, "__module__": "torch.return_types"}
    made = type(name, (namedtuple(name, fields),), body)
    RETURN_TYPES[name] = made
    return made


RETURN_TYPES = {}
_max_pair, _min_pair = named_pair("max", "values", "indices"), named_pair("min", "values", "indices")
_sort_pair = named_pair("sort", "values", "indices")
_topk_pair = named_pair("topk", "values", "indices")
_median_pair = named_pair("median", "values", "indices")
_kth_pair = named_pair("kthvalue", "values", "indices")
_aminmax_pair = named_pair("aminmax", "min", "max")

_along = row("take_along_axis", "gather", "input:x, indices, dim:axis")


def _values(input, places, dim):
    """The elements at places along a dimension; what flows back goes to them alone."""
    return _along(input, places, dim) if input.ndim else input.clone()


# ---- Largest and smallest --------------------------------------------------------------------------


def _extreme(name, best_place, of_two, of_all, pair):
    def extreme(input, dim=None, keepdim=False):
        if isinstance(dim, Tensor):
            return of_two(input, dim)
        if dim is None:
            if input.numel() == 0:
                raise RuntimeError(
                    f"{name}(): Expected reduction dim to be specified for input.numel() == 0. "
                    "Specify the reduction dim with the 'dim' argument."
                )
            return of_all(input)
        dim = wrapped_dim(dim, input.ndim)
        if input.ndim and input.shape[dim] == 0:
            raise IndexError(
                f"{name}(): Expected reduction dim {dim} to have non-zero size."
            )
        if not input.ndim:
            return pair(input.clone(), best_place(input))
        places = best_place(input, dim, True)
        values = _values(input, places, dim)
        if not keepdim:
            values, places = values.squeeze(dim), places.squeeze(dim)
        return pair(values, places)

    def unusual(*args, **kwargs):
        kwargs = renamed(kwargs)
        if "other" in kwargs:
            kwargs["dim"] = kwargs.pop("other")
        return extreme(*args, **kwargs)

    unusual.__name__ = name
    unusual.__doc__ = (
        f"The {name}imum of all elements; along a dim, with its places; of two tensors, theirs."
    )
    return unusual


from ._elements import maximum, minimum  # noqa: E402
from ._reduce import amax, amin, argmax, argmin  # noqa: E402

max = _extreme("max", argmax, maximum, amax, _max_pair)
min = _extreme("min", argmin, minimum, amin, _min_pair)


def aminmax(input, *, dim=None, keepdim=False):
    """The smallest and the largest element."""
    return _aminmax_pair(amin(input, dim, keepdim), amax(input, dim, keepdim))


# ---- Sorting ----------------------------------------------------------------------------------------

_argsort = row("argsort", "argsort", "input:x, dim:axis=-1, descending=False, stable=True", arrays=True)
_topk = row("topk", "topk", "input:x, k, dim:axis=-1, largest=True", arrays=True)


def argsort(input, dim=-1, descending=False, stable=False):
    """Places of the elements in order along a dimension."""
    if not input.ndim:
        return argmax(input)
    return _argsort(input, dim, descending)


def sort(input, dim=-1, descending=False, stable=False):
    """The elements in order along a dimension, and their places."""
    dim = wrapped_dim(dim, input.ndim)
    places = argsort(input, dim, descending)
    return _sort_pair(_values(input, places, dim), places)


def msort(input):
    """The elements in order along the first dimension."""
    return sort(input, 0).values


def topk(input, k, dim=-1, largest=True, sorted=True):
    """The k largest elements along a dimension, and their places."""
    dim = wrapped_dim(dim, input.ndim)
    length = input.shape[dim] if input.ndim else 1
    if not 0 <= k <= length:
        raise RuntimeError("selected index k out of range")
    places = _topk(input, k, dim, largest) if input.ndim else argmax(input)
    return _topk_pair(_values(input, places, dim), places)


def kthvalue(input, k, dim=-1, keepdim=False):
    """The k-th smallest element along a dimension, and its place."""
    dim = wrapped_dim(dim, input.ndim)
    length = input.shape[dim] if input.ndim else 1
    if not 1 <= k <= length:
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {dim}")
    if not input.ndim:
        return _kth_pair(input.clone(), argmax(input))
    places = argsort(input, dim).narrow(dim, k - 1, 1)
    values = _values(input, places, dim)
    if not keepdim:
        values, places = values.squeeze(dim), places.squeeze(dim)
    return _kth_pair(values, places)


def median(input, dim=None, keepdim=False):
    """The lower of the two middle elements; along a dim, with its places."""
    if dim is None:
        flat = input.reshape(-1)
        if flat.numel() == 0:
            return input.new_full((), float("nan"))
        return kthvalue(flat, (flat.numel() + 1) // 2, 0).values
    length = input.shape[wrapped_dim(dim, input.ndim)] if input.ndim else 1
    return _median_pair(*kthvalue(input, (length + 1) // 2, dim, keepdim))


_searchsorted = row("searchsorted", "searchsorted", "sorted_sequence:x1, input:x2, side=None")


def searchsorted(sorted_sequence, input, *, right=False, side=None):
    """Where elements would have to be put into a sequence in order."""
    from ._create import tensor

    values = input if isinstance(input, Tensor) else tensor(input)
    if sorted_sequence.ndim != 1:
        raise NotImplementedError("searchsorted: sequences of more than one dimension are not here")
    return _searchsorted(sorted_sequence, values, side or ("right" if right else "left"))


def bucketize(input, boundaries, *, right=False):
    """Which interval between boundaries elements are in."""
    return searchsorted(boundaries, input, right=right)


# ---- What is different ------------------------------------------------------------------------------

_unique_values = row("unique_values", "unique", "input:x", arrays=True)
_unique_counts = row("unique_counts", "unique", "input:x", arrays=True)
_unique_inverse = row("unique_inverse", "unique", "input:x", arrays=True)


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The elements without those that come again, in order. Waits."""
    if dim is not None:
        return _unique_slices(input, return_inverse, return_counts, dim)
    values, parts = _unique_values(input), []
    if return_inverse:
        parts.append(_unique_inverse(input).reshape(input.shape))
    if return_counts:
        parts.append(_unique_counts(input))
    return (values, *parts) if parts else values


def _unique_slices(input, return_inverse, return_counts, dim):
    """The same of slices along a dimension: on the host."""
    import numpy

    from ._create import from_numpy

    made = numpy.unique(
        input.detach().numpy(),
        return_inverse=return_inverse,
        return_counts=return_counts,
        axis=dim,
    )
    if isinstance(made, tuple):
        return tuple(from_numpy(numpy.ascontiguousarray(one).reshape(one.shape if n == 0 else -1))
                     for n, one in enumerate(made))
    return from_numpy(numpy.ascontiguousarray(made))


def isin(elements, test_elements, *, assume_unique=False, invert=False):
    """Whether elements are among others."""
    return _isin(elements, test_elements, invert=invert)


_isin = row("isin", "isin", "elements:x1, test_elements:x2, *, invert=False")


def bincount(input, weights=None, minlength=0):
    """How often each number from 0 on comes, or the sum of its weights. Waits for the largest."""
    if input.ndim != 1 or input.dtype.is_floating_point:
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    from ._create import zeros

    length = _bigger(int(input.max()) + 1 if input.numel() else 0, minlength)
    if weights is None:
        counts = zeros(length, dtype=input.long().dtype)
        return counts.index_add_(0, input.long(), input.long() * 0 + 1)
    return zeros(length, dtype=weights.dtype).index_add_(0, input.long(), weights)


def _bigger(a, b):
    return a if a > b else b


both(
    "max min aminmax argsort sort msort topk kthvalue median unique bincount", globals(), __all__
)
__all__ += ["searchsorted", "bucketize", "isin"]
