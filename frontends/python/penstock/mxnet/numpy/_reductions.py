"""Sums, means, extremes and their places, over axes."""

from ... import _core
from ..base import MXNetTypeError
from ._table import composed, into, need_arrays, of_arrays
from ._types import native_type

__all__ = [
    "all",
    "alltrue",
    "amax",
    "amin",
    "any",
    "argmax",
    "argmin",
    "average",
    "cumsum",
    "max",
    "mean",
    "min",
    "prod",
    "product",
    "sometrue",
    "std",
    "sum",
    "var",
]

_ops = _core._ops
_PLAIN = "a:x, axis=None, keepdims=False, out=None"

all = of_arrays("all", "all", _PLAIN)
any = of_arrays("any", "any", _PLAIN)
max = of_arrays("max", "max", _PLAIN)
min = of_arrays("min", "min", _PLAIN)
alltrue = of_arrays("all", "alltrue", _PLAIN)
sometrue = of_arrays("any", "sometrue", _PLAIN)
amax = of_arrays("max", "amax", _PLAIN)
amin = of_arrays("min", "amin", _PLAIN)
argmax = of_arrays("argmax", "argmax", "a:x, axis=None, out=None")
argmin = of_arrays("argmin", "argmin", "a:x, axis=None, out=None")
prod = of_arrays("prod", "prod", "a:x, axis=None, dtype=None, out=None, keepdims=False")
product = of_arrays("prod", "product", "a:x, axis=None, dtype=None, out=None, keepdims=False")

_sum = of_arrays("sum", "sum", "a:x, axis=None, dtype=None, keepdims=False, out=None")
_mean = of_arrays("mean", "mean", "a:x, axis=None, out=None, keepdims=False")
_std = of_arrays("std", "std", "a:x, axis=None, out=None, ddof:correction=0.0, keepdims=False")
_var = of_arrays("var", "var", "a:x, axis=None, out=None, ddof:correction=0.0, keepdims=False")


def sum(a, axis=None, dtype=None, keepdims=False, initial=None, out=None, **unknown):
    """The sum over the axes.

    >>> mx.np.sum(mx.np.array([[1, 2], [3, 4]]), axis=0)
    array([4., 6.])
    """
    if initial is not None or unknown:
        raise MXNetTypeError(f"sum: arguments that it does not have: initial, {[*unknown]}")
    return _sum(a, axis, dtype, keepdims, out)


def _as(a, dtype):
    need_arrays("dtype", a)
    return a.astype(dtype, copy=False)


def mean(a, axis=None, dtype=None, out=None, keepdims=False):
    """The mean over the axes, of integers as float32."""
    if dtype is None:
        return _mean(a, axis, out, keepdims)
    result = _mean(_as(a, dtype), axis, None, keepdims)
    return into(out, result.astype(dtype, copy=False))


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    """The standard deviation over the axes; its squares are divided by count - ddof."""
    return _std(a if dtype is None else _as(a, dtype), axis, out, ddof, keepdims)


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    """The variance over the axes, divided by count - ddof."""
    return _var(a if dtype is None else _as(a, dtype), axis, out, ddof, keepdims)


def average(a, axis=None, weights=None, returned=False, out=None):
    """The mean over the axes, weighted; with returned, the sum of the weights too."""
    need_arrays("average", a)
    result = composed(_ops["average"], a, axis, weights)
    if a.dtype.kind in "iu":
        result = result.astype(a.dtype)
    result = into(out, result)
    if not returned:
        return result
    return [result, _total(a, axis, weights, result)]


def _total(a, axis, weights, result):
    """The weights that each element of the result had, added up."""
    if weights is None:
        from ._creation import full

        return full((), a.size // (result.size or 1), dtype=a.dtype, ctx=a.ctx)
    return weights.sum() if weights.shape != a.shape else weights.sum(axis)


def cumsum(a, axis=None, dtype=None, out=None):
    """Sums of the elements up to each, along the axis or of all.

    >>> mx.np.cumsum(mx.np.array([1, 2, 3]))
    array([1., 3., 6.])
    """
    need_arrays("cumsum", a)
    if dtype is None:
        dtype = "int64" if a.dtype.kind == "b" else a.dtype
    if axis is None:
        a, axis = a.reshape(-1), 0
    return into(out, composed(_ops["cumulative_sum"], a, axis, dtype=native_type(dtype)))
