"""Functions of mx.nd over axes: sums, extremes, places, norms."""

from ... import _core
from .._nd_array import NDArray
from ..base import MXNetValueError
from ._call import array, call, into, known, ops, quick, table

__all__ = [
    *(
        "argmax",
        "argmax_channel",
        "argmin",
        "cumsum",
        "histogram",
        "max",
        "max_axis",
        "mean",
        "min",
        "min_axis",
    ),
    *("moments", "nanprod", "nansum", "norm", "prod", "sum", "sum_axis"),
]

_dtype = _core.ndarray.dtype.__get__


def _axes(function, data, axis, exclude):
    """Axes as the native operations take them; none given are all, whatever `exclude` says."""
    if axis is None or axis == () or axis == []:
        return None
    axis = axis if isinstance(axis, (tuple, list)) else (axis,)
    ndim = array("data", data).ndim
    for one in axis:
        if type(one) is not int or not -ndim <= one < ndim:
            raise MXNetValueError(f"{function}: axis {axis} does not fit {ndim} dimensions")
    axis = [one % ndim for one in axis]
    return tuple(one for one in range(ndim) if one not in axis) if exclude else tuple(axis)


def _reduction(name, operation):
    """In C for plain arguments; in Python for the others."""
    run = table(operation, name, "data:x, axis=None, keepdims=False")

    def function(data, axis=None, keepdims=False, exclude=False, out=None, name=None, **unknown):
        known(function.__name__, unknown)
        if axis is not None and type(axis) is not int or exclude:
            axis = _axes(function.__name__, data, axis, exclude)
        return run(data, axis, True if keepdims else False, out)

    function.__name__ = function.__qualname__ = name
    return quick(operation, name, "data:x, axis=None, keepdims=False", function)


sum = _reduction("sum", "sum")
mean = _reduction("mean", "mean")
prod = _reduction("prod", "prod")
max = _reduction("max", "max")
min = _reduction("min", "min")
sum_axis, max_axis, min_axis = sum, max, min


argmax = table("argmax", "argmax", "data:x, axis=None, keepdims=False")
argmin = table("argmin", "argmin", "data:x, axis=None, keepdims=False")


def argmax_channel(data, out=None, name=None):
    """Place of the first largest element along the second axis."""
    return argmax(data, 1, out=out)


def _without_nan(name, reduce, instead):
    def function(data, axis=None, keepdims=False, exclude=False, out=None, name=None, **unknown):
        known(function.__name__, unknown)
        data = call(_replaced, array("data", data), instead)
        return reduce(data, axis, keepdims, exclude, out)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{reduce.__name__} over the axes of the elements that are not NaN."
    return function


def _replaced(x, instead):
    return ops["where"](ops["isnan"](x), instead, x) if x.dtype.kind == "f" else x


nansum = _without_nan("nansum", sum, 0)
nanprod = _without_nan("nanprod", prod, 1)


_norm = table("norm", "norm", "data:x, axis=None, keepdims=False")
_var = table("var", "var", "data:x, axis=None, keepdims=False")


def norm(data, ord=2, axis=None, out_dtype=None, keepdims=False, out=None, name=None, **unknown):
    """Square root of the sum of squares over the axes; with ord=1, the sum of absolute values."""
    known("norm", unknown)
    if ord not in (1, 2):
        raise MXNetValueError(f"norm: ord must be 1 or 2, not {ord!r}")
    axis = _axes("norm", data, axis, False)
    run, data = (_norm, data) if ord == 2 else (sum, abs(array("data", data)))
    result = run(data, axis, bool(keepdims))
    return into(out, result if out_dtype is None else result.astype(out_dtype))


def moments(data, axes=None, keepdims=False, out=None, name=None, **unknown):
    """Mean and variance over the axes, as a list."""
    known("moments", unknown)
    axes = _axes("moments", data, axes, False)
    return into(out, [run(data, axes, bool(keepdims)) for run in (mean, _var)])


def cumsum(a, axis=None, dtype=None, out=None, name=None, **unknown):
    """Sums of the elements up to each, along the axis or over all as one dimension."""
    known("cumsum", unknown)
    a = array("a", a)
    return into(
        out, call(ops["cumulative_sum"], a, axis, dtype=_dtype(a) if dtype is None else dtype)
    )


def histogram(a, bins=10, range=None):
    """How many elements lie in each of the bins, and their edges: a list. By NumPy: waits for a."""
    import numpy

    bins = bins.asnumpy() if isinstance(bins, NDArray) else bins
    counts, edges = numpy.histogram(array("a", a).asnumpy(), bins, range)
    return [NDArray(counts, "int64"), NDArray(edges, str(_dtype(a)))]
