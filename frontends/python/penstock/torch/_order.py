"""Order: largest and smallest with their places, sorting, what is different."""

from ._attach import both
from ._checked import checked
from ._dialect import refuse_type, row, wrapped_dim
from ._dtypes import ALL
from ._output import given
from ._tensor import Tensor

__all__ = []
_bool, _int32, _int64, _float32, _float64 = (
    ALL[name] for name in "bool int32 int64 float32 float64".split()
)


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
_max_pair, _min_pair = (
    named_pair("max", "values", "indices"),
    named_pair("min", "values", "indices"),
)
_sort_pair = named_pair("sort", "values", "indices")
_topk_pair = named_pair("topk", "values", "indices")
_median_pair = named_pair("median", "values", "indices")
_kth_pair = named_pair("kthvalue", "values", "indices")
_aminmax_pair = named_pair("aminmax", "min", "max")
_max_out, _min_out = (named_pair(f"{name}_out", "values", "indices") for name in ("max", "min"))
_sort_out = named_pair("sort_out", "values", "indices")
_topk_out = named_pair("topk_out", "values", "indices")

_along = row("take_along_axis", "gather", "input:x, indices, dim:axis")
_squeeze = row("squeeze", "squeeze", "input:x, dim:axis")


def _values(input, places, dim):
    """The elements at places along a dimension; what flows back goes to them alone."""
    return _along(input, places, dim) if input.ndim else input.clone()


def _pair(pair, pair_out, values, places, out):
    """Both results, in two tensors that were given if there are."""
    if out is None:
        return pair(values, places)
    from ._output import written

    for made, one in zip((values, places), out):
        if one.dtype is not made.dtype:
            raise RuntimeError(
                f"Expected out tensor to have dtype {made.dtype}, but got {one.dtype} instead"
            )
    return pair_out(written(values, out[0]), written(places, out[1]))


def _check_length(name, input, dim):
    if input.ndim and input.shape[dim] == 0:
        raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")


def _check_order(name, input, bools=True):
    """Complex numbers have no order, and some functions are not for truth values."""
    if input.dtype.is_complex:
        raise TypeError(f"{name} does not support complex dtypes on CPU")
    if not bools and input.dtype is _bool:
        refuse_type(name, _bool)


# ---- Largest and smallest ------------------------------------------------------------------------

from ._elements import isnan, maximum, minimum, where  # noqa: E402
from ._reduce import amax, amin, any, argmax, argmin  # noqa: E402

_EXTREMES = (
    "input: Tensor, *, out: Tensor? = None",
    "input: Tensor, other: Tensor, *, out: Tensor? = None",
    "input: Tensor, dim: int, keepdim: bool = False, *, out: Tensors? = None",
)


def _extreme(name, place, of_two, of_all, pairs):
    """max and min: of all elements, along a dimension with places, or of two tensors."""

    def along(input, dim, keepdim, out):
        dim = wrapped_dim(dim, input.ndim)
        _check_length(name, input, dim)
        if input.dtype.is_complex:
            raise TypeError(f"{name}(): does not support complex input")
        if not input.ndim:
            return _pair(*pairs, input.clone(), _no_place(input), out)
        order = input.byte() if input.dtype is _bool else input
        return _pair(*pairs, *_picked(input, place(order, dim, True), dim, keepdim), out)

    def function(input, dim=None, keepdim=False, other=None, out=None):
        if dim is not None:
            return along(input, dim, keepdim, out)
        if other is not None:
            return of_two(input, other, out=out)
        if input.numel() == 0:
            raise RuntimeError(
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0. "
                "Specify the reduction dim with the 'dim' argument."
            )
        return of_all(input) if out is None else of_all(input, out=out)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"The {name}imum of all elements; along a dim, with its places; of two tensors, theirs."
    )
    return checked(*_EXTREMES)(function)


max = _extreme("max", argmax, maximum, amax, (_max_pair, _max_out))
min = _extreme("min", argmin, minimum, amin, (_min_pair, _min_out))


@checked("input: Tensor, *, dim: int? = None, keepdim: bool = False")
def aminmax(input, dim=None, keepdim=False):
    """The smallest and the largest element."""
    if input.dtype.is_complex:
        raise TypeError(f"aminmax not implemented for {input.dtype}")
    if dim is not None:
        _check_length("aminmax", input, wrapped_dim(dim, input.ndim))
    return _aminmax_pair(amin(input, dim, keepdim), amax(input, dim, keepdim))


# ---- Sorting -------------------------------------------------------------------------------------

_argsort = row(
    "argsort", "argsort", "input:x, dim:axis=-1, descending=False, stable=True", arrays=True
)
_topk = row("topk", "topk", "input:x, k, dim:axis=-1, largest=True", arrays=True)


def _order_of(input, dim, descending):
    _check_order("Sort", input)
    return _argsort(input, dim, descending) if input.ndim else _no_place(input)


def _no_place(input):
    """The place of the only element of a tensor without dimensions."""
    from ._create import zeros

    return zeros((), dtype=ALL["int64"], device=input.device)


@checked(
    "input: Tensor, dim: int = -1, descending: bool = False",
    "input: Tensor, *, stable: bool, dim: int = -1, descending: bool = False",
)
def argsort(input, dim=-1, descending=False, stable=False):
    """Places of the elements in order along a dimension."""
    return _order_of(input, wrapped_dim(dim, input.ndim), descending)


@checked(
    "input: Tensor, dim: int = -1, descending: bool = False, *, out: Tensors? = None",
    "input: Tensor, *, stable: bool?, dim: int = -1, descending: bool = False, "
    "out: Tensors? = None",
)
def sort(input, dim=-1, descending=False, stable=False, out=None):
    """The elements in order along a dimension, and their places."""
    dim = wrapped_dim(dim, input.ndim)
    places = _order_of(input, dim, descending)
    return _pair(_sort_pair, _sort_out, _values(input, places, dim), places, out)


@checked("input: Tensor")
def msort(input):
    """The elements in order along the first dimension."""
    return sort(input, 0).values


@checked(
    "input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True, *, "
    "out: Tensors? = None"
)
def topk(input, k, dim=-1, largest=True, sorted=True, out=None):
    """The k largest elements along a dimension, and their places."""
    dim = wrapped_dim(dim, input.ndim)
    if not 0 <= k <= (input.shape[dim] if input.ndim else 1):
        raise RuntimeError("selected index k out of range")
    _check_order("topk", input, bools=False)
    places = _topk(input, k, dim, largest) if input.ndim else _no_place(input)
    return _pair(_topk_pair, _topk_out, _values(input, places, dim), places, out)


def _kth(input, k, dim, keepdim):
    """The k-th smallest elements along a dimension and their places."""
    if not input.ndim:
        return input.clone(), _no_place(input)
    return _picked(input, _argsort(input, dim, False).narrow(dim, k - 1, 1), dim, keepdim)


def _picked(input, places, dim, keepdim):
    values = _along(input, places, dim)
    return (values, places) if keepdim else (_squeeze(values, dim), _squeeze(places, dim))


@checked("input: Tensor, k: int, dim: int = -1, keepdim: bool = False")
def kthvalue(input, k, dim=-1, keepdim=False):
    """The k-th smallest element along a dimension, and its place."""
    dim = wrapped_dim(dim, input.ndim)
    _check_length("kthvalue", input, dim)
    if not 1 <= k <= (input.shape[dim] if input.ndim else 1):
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {dim}")
    _check_median("kthvalue", input)
    return _kth_pair(*_kth(input, k, dim, keepdim))


def _check_median(name, input):
    if input.dtype is _bool or input.dtype.is_complex:
        refuse_type(name, input.dtype)


@checked("input: Tensor", "input: Tensor, dim: int, keepdim: bool = False")
def median(input, dim=None, keepdim=False):
    """The lower of the two middle elements, or NaN if there is one; along a dim, with places."""
    if dim is None:
        _check_median("median", input)
        if input.numel() == 0:
            return _of_nothing(input)
        return _median(input.reshape(-1), 0, False)[0]
    dim = wrapped_dim(dim, input.ndim)
    _check_length("median", input, dim)
    _check_median("median", input)
    return _median_pair(*_median(input, dim, keepdim))


def _of_nothing(input):
    """The median of no elements: NaN, or the smallest integer."""
    if input.dtype.is_floating_point:
        return input.new_full((), float("nan"))
    from ._dtypes import iinfo

    return input.new_full((), iinfo(input.dtype).min)


def _median(input, dim, keepdim):
    if not input.ndim:
        return input.clone(), _no_place(input)
    length = input.shape[dim]
    if not input.dtype.is_floating_point:
        return _kth(input, (length + 1) // 2, dim, keepdim)
    middle = _argsort(input, dim, False).narrow(dim, (length - 1) // 2, 1)
    broken = isnan(input)
    places = where(any(broken, dim, True), argmax(broken.byte(), dim, True), middle)
    return _picked(input, places, dim, keepdim)


# ---- Places in a sequence ------------------------------------------------------------------------

_searchsorted = row("searchsorted", "searchsorted", "sorted_sequence:x1, input:x2, side=None")


@checked(
    "sorted_sequence: Tensor, input: operand, *, out_int32: bool = False, right: bool = False, "
    "side: str? = None, out: Tensor? = None"
)
def searchsorted(sorted_sequence, input, out_int32=False, right=False, side=None, out=None):
    """Where elements would have to be put into a sequence in order."""
    if side not in (None, "left", "right"):
        raise RuntimeError(
            f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}"
        )
    if right and side == "left":
        raise RuntimeError("torch.searchsorted(): side and right can't be set to opposites")
    _check_sequence(sorted_sequence, input)
    if sorted_sequence.ndim != 1:
        raise NotImplementedError("searchsorted: sequences of more than one dimension are not here")
    return _found(sorted_sequence, input, side or ("right" if right else "left"), out_int32, out)


def _check_sequence(sequence, input):
    if not sequence.ndim:
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 "
            "dimension"
        )
    if sequence.ndim > 1 and (
        not isinstance(input, Tensor) or input.shape[:-1] != sequence.shape[:-1]
    ):
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 "
            "dimensions of boundaries tensor and input value tensor must match"
        )


def _found(sequence, input, side, narrow, out):
    """Places as int64, or int32 if `narrow`, which `out` must be of."""
    from ._ranks import result_type

    kind = _int32 if narrow else _int64
    if out is not None and out.dtype is not kind:
        raise RuntimeError(f"torch.searchsorted(): out must be of type {kind}, not {out.dtype}")
    common, values = result_type(sequence, input), input
    if not isinstance(input, Tensor):
        from ._create import tensor

        sequence, values = sequence.to(common), tensor(input, dtype=common)
    if common is _bool or common.is_complex:
        refuse_type("searchsorted", common)
    if sequence.dtype is _bool:
        sequence = sequence.to(common)
    made = _searchsorted(sequence, values, side)
    return given(made.to(_int32) if narrow else made, out)


@checked(
    "input: operand, boundaries: Tensor, *, out_int32: bool = False, right: bool = False, "
    "out: Tensor? = None"
)
def bucketize(input, boundaries, out_int32=False, right=False, out=None):
    """Which interval between boundaries elements are in."""
    if boundaries.ndim != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({boundaries.ndim})")
    return _found(boundaries, input, "right" if right else "left", out_int32, out)


# ---- What is different ---------------------------------------------------------------------------

_unique_values = row("unique_values", "unique", "input:x, order=None", arrays=True)
_unique_counts = row("unique_counts", "unique", "input:x, order", arrays=True)
_unique_inverse = row("unique_inverse", "unique", "input:x, order", arrays=True)


@checked(
    "input: Tensor, sorted: bool = True, return_inverse: bool = False, "
    "return_counts: bool = False, dim: int? = None"
)
def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The elements without those that come again, in order. Waits."""
    if input.dtype.is_complex:
        refuse_type("unique", input.dtype)
    if dim is not None:
        return _unique_slices(input, return_inverse, return_counts, dim)
    if not return_inverse and not return_counts:
        return _unique_values(input)
    order = _argsort(input.detach().reshape(-1), 0, False)
    parts = [_unique_values(input, order)]
    if return_inverse:
        parts.append(_unique_inverse(input, order))
    return (*parts, _unique_counts(input, order)) if return_counts else tuple(parts)


def _unique_slices(input, return_inverse, return_counts, dim):
    """The same of slices along a dimension: on the host."""
    import numpy

    from ._create import from_numpy

    if not input.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    dim = wrapped_dim(dim, input.ndim)
    if 0 in input.shape[:dim] + input.shape[dim + 1 :]:
        raise RuntimeError(
            "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied"
        )
    halves = input.dtype is ALL["bfloat16"]
    made = numpy.unique(
        (input.float() if halves else input).detach().numpy(),
        return_inverse=return_inverse,
        return_counts=return_counts,
        axis=dim,
    )
    values, *others = made if isinstance(made, tuple) else (made,)
    found = from_numpy(numpy.ascontiguousarray(values)).to(input.dtype)
    if not others:
        return found
    return (
        found,
        *(from_numpy(numpy.ascontiguousarray(one).reshape(-1)) for one in others),
    )


_AMONG = "*, assume_unique: bool = False, invert: bool = False"


@checked(
    f"elements: Tensor, test_elements: operand, {_AMONG}",
    f"elements: operand, test_elements: Tensor, {_AMONG}",
)
def isin(elements, test_elements, assume_unique=False, invert=False):
    """Whether elements are among others."""
    for one in (elements, test_elements):
        if isinstance(one, Tensor) and (one.dtype is _bool or one.dtype.is_complex):
            refuse_type("isin", one.dtype)
    return _isin(elements, test_elements, invert=invert)


_isin = row("isin", "isin", "elements:x1, test_elements:x2, *, invert=False")


@checked("input: Tensor, weights: Tensor? = None, minlength: int = 0")
def bincount(input, weights=None, minlength=0):
    """How often each number from 0 on comes, or the sum of its weights. Waits for the largest."""
    if input.dtype._native.kind not in "iu":
        refuse_type("bincount", input.dtype)
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if input.ndim != 1 or input.numel() and int(input.min()) < 0:
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is not None and input.numel() and weights.shape != input.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    from ._create import zeros

    found = int(input.max()) + 1 if input.numel() else 0
    length, places = found if found > minlength else minlength, input.long()
    if weights is None or not found:
        return zeros(length, dtype=places.dtype).index_add_(0, places, places * 0 + 1)
    if weights.dtype is not _float32:
        weights = weights.to(_float64)
    return zeros(length, dtype=weights.dtype).index_add_(0, places, weights)


both("max min aminmax argsort sort msort topk kthvalue median unique bincount", globals(), __all__)
__all__ += ["searchsorted", "bucketize", "isin"]
