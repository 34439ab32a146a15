"""Quantiles, covariances, running extremes, distances and histograms."""

from . import _host
from ._create import arange, tensor
from ._dialect import default_dtype, dims, row, wrapped_dim
from ._dtypes import ALL
from ._elements import ceil, clamp_min, floor, isnan, logaddexp, lerp, round, where
from ._index import gather
from ._joining import cat, narrow
from ._order import named_pair, sort
from ._reduce import sum as _sum
from ._shape import reshape
from ._tensor import Tensor

# ---- Quantiles -----------------------------------------------------------------------------------

_BETWEEN = ("linear", "lower", "higher", "nearest", "midpoint")


def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """The elements below which parts q of all lie, between neighbours; NaN if there is one."""
    return _quantile("quantile", input, q, dim, keepdim, interpolation, False)


def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """As quantile, of what is not NaN."""
    return _quantile("nanquantile", input, q, dim, keepdim, interpolation, True)


def _quantile(name, input, q, dim, keepdim, interpolation, skip):
    parts = _checked_parts(name, input, q, interpolation)
    flat = reshape(input, (-1,)) if dim is None else input
    at = 0 if dim is None else wrapped_dim(dim, input.ndim)
    ordered = sort(flat.movedim(at, -1) if flat.ndim else reshape(flat, (1,))).values
    last = ordered.shape[-1] - 1
    if skip:
        last = clamp_min(_sum(~isnan(ordered), -1, True) - 1, 0)
    ranks = (parts * last).expand((*ordered.shape[:-1], parts.shape[0]))
    made = _at_ranks(ordered, ranks, interpolation)
    if not skip:
        made = where(isnan(narrow(ordered, -1, last, 1)), float("nan"), made)
    made = made.movedim(-1, 0)
    if keepdim:
        shape = [1] * input.ndim if dim is None else list(input.shape)
        if dim is not None and shape:
            shape[at] = 1
        made = reshape(made, (parts.shape[0], *shape))
    return made if isinstance(q, Tensor) and q.ndim else made[0]


def _checked_parts(name, input, q, interpolation):
    """q as a vector of the tensor's type."""
    if input.dtype not in (ALL["float32"], ALL["float64"]):
        raise RuntimeError(f"{name}() input tensor must be either float or double dtype")
    if input.numel() == 0:
        raise RuntimeError(f"{name}() input tensor must be non-empty")
    if interpolation not in _BETWEEN:
        raise RuntimeError(
            f"{name}() interpolation must be one of {', '.join(_BETWEEN)}, but got {interpolation}"
        )
    if not isinstance(q, Tensor):
        if not 0 <= q <= 1:
            raise RuntimeError(f"{name}() q must be in the range [0, 1] but got {q}")
        return tensor([q], dtype=input.dtype, device=input.device)
    if q.ndim > 1:
        raise RuntimeError(f"{name}() q must be a scalar or 1D tensor, but got {q.ndim} dimensions")
    if q.dtype is not input.dtype:
        raise RuntimeError(f"{name}() q tensor must be same dtype as the input tensor")
    return reshape(q, (-1,))


def _at_ranks(ordered, ranks, interpolation):
    """The elements at places along the last dimension, which may lie between two."""
    places = {"lower": floor, "higher": ceil, "nearest": round}.get(interpolation)
    if places is not None:
        return gather(ordered, -1, places(ranks).long())
    below = floor(ranks)
    lower, upper = gather(ordered, -1, below.long()), gather(ordered, -1, ceil(ranks).long())
    return lerp(lower, upper, 0.5 if interpolation == "midpoint" else ranks - below)


# ---- Covariances ---------------------------------------------------------------------------------


def cov(input, *, correction=1, fweights=None, aweights=None):
    """How the rows, one variable each, vary with each other."""
    if input.ndim > 2:
        raise RuntimeError(
            f"cov(): expected input to have two or fewer dimensions but got {input.ndim} dimensions"
        )
    rows = reshape(input, (1, -1)) if input.ndim < 2 else input
    weights = _weights(fweights, aweights)
    if weights is None:
        kind = rows.dtype
        numbers = rows if kind.is_floating_point or kind.is_complex else rows.to(default_dtype())
        scaled = centred = numbers - numbers.mean(1, True)
        norm = max(rows.shape[1] - correction, 0)
    else:
        total = weights.sum()
        centred = rows - (rows * weights).sum(1, True) / total
        scaled = centred * weights
        unused = correction if aweights is None else correction * (weights * aweights).sum() / total
        norm = clamp_min(total - unused, 0)
    made = scaled @ centred.mT.conj() / norm
    return reshape(made, ()) if input.ndim < 2 else made


def _weights(fweights, aweights):
    if fweights is None or aweights is None:
        return aweights if fweights is None else fweights
    return fweights * aweights


def corrcoef(input):
    """The covariances of rows, divided by their deviations."""
    found = cov(input)
    if found.ndim == 0:
        return found / found
    deviation = found.diagonal().sqrt()
    return (found / deviation.unsqueeze(1) / deviation.unsqueeze(0)).clamp(-1, 1)


# ---- Running extremes and sums -------------------------------------------------------------------

_cummax = named_pair("cummax", "values", "indices")
_cummin = named_pair("cummin", "values", "indices")


def _doubled(tensors, dim, join):
    """Each element joined with all before it, in steps whose distance doubles."""
    length, distance = tensors[0].shape[dim], 1
    while distance < length:
        count = length - distance
        before = [narrow(one, dim, 0, count) for one in tensors]
        behind = [narrow(one, dim, distance, count) for one in tensors]
        joined = join(*before, *behind)
        tensors = [
            cat([narrow(one, dim, 0, distance), more], dim) for one, more in zip(tensors, joined)
        ]
        distance *= 2
    return tensors


def _running(name, pair, is_better):
    def function(input, dim):
        dim = wrapped_dim(dim, input.ndim)
        if not input.ndim or not input.numel():
            return pair(input.clone(), input.new_zeros(input.shape, dtype=ALL["int64"]))

        def join(values, places, others, other_places):
            keep = is_better(values, others)
            if input.dtype.is_floating_point:
                keep = (keep | isnan(values)) & ~isnan(others)
            return where(keep, values, others), where(keep, places, other_places)

        shape = [1] * input.ndim
        shape[dim] = -1
        places = reshape(arange(input.shape[dim], device=input.device), shape).expand(input.shape)
        places = _doubled([input.detach(), places], dim, join)[1]
        return pair(gather(input, dim, places), places)

    function.__name__ = function.__qualname__ = name
    return function


cummax = _running("cummax", _cummax, lambda before, behind: before > behind)
cummax.__doc__ = "The largest of the elements up to each along a dimension, and its place."
cummin = _running("cummin", _cummin, lambda before, behind: before < behind)
cummin.__doc__ = "The smallest of the elements up to each along a dimension, and its place."


def logcumsumexp(input, dim):
    """The logarithm of running sums of exp(x) along a dimension, without overflow on the way."""
    dim = wrapped_dim(dim, input.ndim)
    if not input.ndim:
        return input.clone()
    join = lambda before, behind: (logaddexp(before, behind),)  # noqa: E731
    made = _doubled([input], dim, join)[0]
    return made.clone() if made is input else made


_diff = row("diff", "diff", "input:x, n=1, dim:axis=-1, prepend=None, append=None", arrays=True)


def diff(input, n=1, dim=-1, prepend=None, append=None):
    """Differences of neighbours along a dimension, n times."""
    if input.ndim == 0:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    return _diff(input, n, dims(dim), prepend, append)


def trapezoid(y, x=None, *, dx=1, dim=-1):
    """The area below values, by trapezoids between neighbours."""
    length = y.shape[wrapped_dim(dim, y.ndim)]
    both = narrow(y, dim, 0, length - 1) + narrow(y, dim, 1, length - 1)
    if x is None:
        return both.sum(dim) * (dx / 2)
    widths = diff(x)
    if x.ndim == 1 and y.ndim > 1:
        shape = [1] * y.ndim
        shape[dim] = -1
        widths = reshape(widths, shape)
    return (both * widths).sum(dim) / 2


# ---- Distances and histograms --------------------------------------------------------------------


def cdist(x1, x2, p=2.0, compute_mode=None):
    """The distance of each row of one matrix from each of another."""
    for name, one in (("X1", x1), ("X2", x2)):
        if one.ndim < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {one.ndim}D")
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(
            f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]}"
        )
    return (x1.unsqueeze(-2) - x2.unsqueeze(-3)).norm(p, -1)


def histc(input, bins=100, min=0, max=0):
    """How many elements are in each of equal intervals. On the host: waits."""
    import numpy

    array = _host.array_of("histc", input)
    if min > max:
        raise RuntimeError("torch.histc: max must be larger than min")
    low, high = (min, max) if min != max or not array.size else (array.min(), array.max())
    if low == high:
        low, high = low - 1, high + 1
    counts = numpy.histogram(array, bins, (float(low), float(high)))[0]
    return _host.tensor_of(counts.astype(array.dtype), input)


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """The elements without those that are equal to the one before. On the host: waits."""
    import numpy

    if dim is not None:
        raise NotImplementedError("unique_consecutive: slices along a dim are not here")
    flat = input.detach().numpy().reshape(-1)
    begins = numpy.concatenate([[True], flat[1:] != flat[:-1]])[: flat.size]
    places = numpy.flatnonzero(begins)
    parts = [flat[places]]
    if return_inverse:
        parts.append((numpy.cumsum(begins) - 1).reshape(input.shape))
    if return_counts:
        parts.append(numpy.diff(numpy.append(places, flat.size)))
    made = tuple(_host.tensor_of(one, input) for one in parts)
    return made if len(made) > 1 else made[0]
