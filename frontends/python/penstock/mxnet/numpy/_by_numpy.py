"""What NumPy does for mx.np: functions that have no operation here, and NumPy's protocols.

Such a function waits for its arrays, gives them to NumPy's function of the same name, and makes
arrays of mx.np of what comes back. MXNet does the same for most of these names.
"""

from ... import _core, _order
from .. import _dialects
from .._np_array import ndarray
from ..base import MXNetTypeError, MXNetValueError
from ._table import composed, into, need_arrays

# Functions of NumPy that MXNet calls as well.
FALLBACK = (
    *("apply_along_axis", "apply_over_axes", "argpartition", "array_equiv", "choose", "compress"),
    *("corrcoef", "correlate", "cov", "digitize", "divmod", "extract", "float_power", "frexp"),
    *("heaviside", "histogram2d", "histogram_bin_edges", "histogramdd", "i0", "in1d", "interp"),
    *("intersect1d", "isin", "ix_", "lexsort", "min_scalar_type", "modf", "msort", "nanargmax"),
    *("nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmedian", "nanmin", "nanpercentile"),
    *("nanprod", "nanquantile", "packbits", "partition", "piecewise", "poly", "polyadd", "polydiv"),
    *("polyfit", "polyint", "polymul", "polysub", "positive", "promote_types", "ptp", "real"),
    *("result_type", "roots", "select", "setdiff1d", "setxor1d", "signbit"),
    *("spacing", "trapz", "tril_indices_from", "trim_zeros", "triu_indices_from", "union1d"),
    *("unpackbits", "unwrap", "vander"),
)

# Functions that MXNet has operations for, and whose results are always arrays.
ARRAYS = ("insert",)

__all__ = [
    *FALLBACK,
    *ARRAYS,
    *("allclose", "array_equal", "bincount", "delete", "histogram", "isclose", "lcm"),
    *("may_share_memory", "percentile", "quantile", "searchsorted", "set_printoptions"),
    "shares_memory",
]

# Names that newer NumPys have no more.
_RENAMED = {"in1d": "isin", "trapz": "trapezoid"}


def to_numpy(value):
    """Arrays as NumPy's, in lists, tuples and dicts too."""
    if isinstance(value, ndarray):
        return value.asnumpy()
    if type(value) in (list, tuple):
        return type(value)(map(to_numpy, value))
    if type(value) is dict:
        return {key: to_numpy(one) for key, one in value.items()}
    return value


def from_numpy(value, numbers=False):
    """NumPy's arrays as those of mx.np, in lists and tuples too; its numbers if wanted."""
    import numpy

    from ._creation import array

    if isinstance(value, numpy.ndarray) or (numbers and isinstance(value, numpy.generic)):
        return array(value)
    if isinstance(value, (list, tuple)):
        items = [from_numpy(one, numbers) for one in value]
        return items if isinstance(value, list) else tuple(items)
    return value


def _flat(value):
    """What is in lists, tuples and dicts, one by one."""
    if isinstance(value, (list, tuple, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _flat(one)
    else:
        yield value


def _check_recording(function, given, result):
    """NumPy's numbers know of no gradient: an error where one would be missed."""
    if not _core._grad_is_recording() or not any(map(_core._grad_is_recorded, _flat(given))):
        return
    if any(one.dtype.kind in "fc" for one in _flat(result) if hasattr(one, "dtype")):
        raise MXNetValueError(
            f"{function.__name__} is computed by NumPy, so that no gradient flows through it: call "
            "it outside of autograd.record(), or with x.detach()"
        )


def applied(function, args, kwargs, numbers=False):
    """What a function of NumPy gives, as arrays of mx.np; waits for its arrays."""
    result = function(*to_numpy(args), **to_numpy(kwargs))
    _check_recording(function, (args, kwargs), result)
    return from_numpy(result, numbers)


def _found(name):
    import numpy

    found = getattr(numpy, name, None)
    return found if found is not None else getattr(numpy, _RENAMED.get(name, name))


def by_numpy(name, numbers=False):
    """A function that waits for its arrays and calls NumPy's of that name."""

    def function(*args, **kwargs):
        if name == "msort":  # which is sort along the first axis
            return applied(_found("sort"), args, {"axis": 0})
        arrays = numbers and any(isinstance(arg, ndarray) for arg in args)
        try:
            return applied(_found(name), args, kwargs, arrays)
        except (ValueError, TypeError, IndexError) as error:
            raise _dialects.translated(error) from None

    function.__name__ = function.__qualname__ = name
    function.__module__ = "mxnet.numpy"
    function.__doc__ = f"numpy.{name}, of arrays of mx.np: waits for them."
    return function


globals().update((name, by_numpy(name)) for name in FALLBACK)
globals().update((name, by_numpy(name, numbers=True)) for name in ARRAYS)


# ---- Functions with MXNet's own arguments or types ---------------------------------------------


def bincount(x, weights=None, minlength=0):
    """How often each number from 0 on is among the elements, or the sum of their weights."""
    need_arrays("bincount", x)
    if x.dtype.kind not in "iu":
        raise MXNetTypeError(f"bincount: integers are needed, not {x.dtype}")
    counts = by_numpy("bincount")(x, weights, minlength)
    return counts.astype((x if weights is None else weights).dtype)


def lcm(x1, x2, out=None):
    """The least common multiple."""
    if all(isinstance(x, ndarray) and x.dtype.kind == "b" for x in (x1, x2)):
        return into(out, x1 & x2)
    return into(out, by_numpy("lcm", numbers=True)(x1, x2))


def delete(arr, obj, axis=None):
    """A copy without some of its slices along the axis."""
    if isinstance(obj, (list, tuple)):
        raise TypeError(f"delete: obj must be an integer, a slice or an array, not {type(obj)}")
    return by_numpy("delete")(arr, obj, axis)


def histogram(a, bins=10, range=None, normed=None, weights=None, density=None):
    """How many elements lie between the edges of bins, and the edges."""
    if normed is True or density is True or weights is not None:
        raise NotImplementedError("histogram: normed, weights and density must be left out")
    if range is None and not isinstance(bins, ndarray):
        raise NotImplementedError("histogram: range is needed where bins is a number")
    counts, edges = by_numpy("histogram")(a, bins, range)
    return [counts, edges.astype(a.dtype)]


def percentile(
    a, q, axis=None, out=None, overwrite_input=None, interpolation="linear", keepdims=False
):
    """The value below which so many percent of the elements lie, over the axes."""
    _check_parts("percentile", a, q)
    return quantile(a, q / 100, axis, out, overwrite_input, interpolation, keepdims)


def quantile(
    a, q, axis=None, out=None, overwrite_input=None, interpolation="linear", keepdims=False
):
    """The value below which such a part of the elements lies, over the axes."""
    _check_parts("quantile", a, q)
    if overwrite_input is not None:
        raise NotImplementedError("quantile: overwrite_input must be None")
    call = by_numpy("quantile", numbers=True)
    result = call(a, q, axis, method=interpolation, keepdims=keepdims)
    return into(out, result.astype("float64" if a.dtype == "float64" else "float32"))


def _check_parts(name, a, q):
    need_arrays(name, a)
    if not isinstance(q, (int, float)):
        need_arrays(f"{name}: q", q)


def searchsorted(a, v, side="left", sorter=None):
    """Where in a, which is sorted, each element of v belongs: left or right of equal elements."""
    if not (isinstance(a, ndarray) and isinstance(v, ndarray)) or a.dtype != v.dtype:
        return by_numpy("searchsorted")(a, v, side, sorter)
    return composed(_order.searchsorted, a, v, side=side, sorter=sorter)


def isclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Whether |a - b| <= atol + rtol * |b|, for each element."""
    return by_numpy("isclose")(a, b, rtol, atol, equal_nan)


def allclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Whether all elements are close: waits for them."""
    return bool(by_numpy("allclose")(a, b, rtol, atol, equal_nan))


def array_equal(a1, a2, equal_nan=False):
    """Whether shapes and elements are the same: waits for them."""
    return bool(by_numpy("array_equal")(a1, a2, equal_nan))


def shares_memory(a, b, max_work=None):
    """Whether two arrays have elements in common: whether one is a view of the other. Waits."""
    import numpy

    a, b = (numpy.asarray(memoryview(one)) for one in (a, b))
    return numpy.may_share_memory(a, b)


may_share_memory = shares_memory


def set_printoptions(precision=None, threshold=None, **kwarg):
    """How arrays are printed: NumPy's own options."""
    import numpy

    numpy.set_printoptions(precision=precision, threshold=threshold, **kwarg)


# ---- NumPy's protocols -------------------------------------------------------------------------


def _plain(value):
    """A NumPy number as Python's."""
    import numpy

    return value.item() if isinstance(value, numpy.generic) else value


def call_ufunc(ufunc, method, inputs, kwargs):
    """numpy.exp(x) and the like: the function of mx.np, else NumPy's own."""
    from . import _elementwise
    from ._products import matmul

    if method != "__call__":
        return NotImplemented
    name = ufunc.__name__
    if "out" in kwargs:
        out = kwargs.pop("out")
        if len(out) != 1:
            raise ValueError(f"numpy.{name}: one array is needed as out")
        kwargs["out"] = out[0]
    if name == "matmul":
        return matmul(*inputs, **kwargs)
    if name in _elementwise.__all__:
        return getattr(_elementwise, name)(*map(_plain, inputs), **kwargs)
    return applied(ufunc, inputs, kwargs)


def _counterpart(function):
    """What mx.np has for a function of NumPy; None where NumPy itself is called."""
    from . import _DISPATCHED, linalg
    from .. import numpy as here

    if function.__module__ == "numpy.linalg":
        return getattr(linalg, function.__name__, None)
    return getattr(here, function.__name__) if function.__name__ in _DISPATCHED else None


def call_function(function, types, args, kwargs):
    """numpy.concatenate([x, y]) and the like."""
    found = _counterpart(function)
    if found is None:
        return applied(function, args, kwargs)
    if not all(issubclass(one, ndarray) for one in types):
        return NotImplemented
    return found(*args, **kwargs)
