"""Reductions: axis and keepdim."""

from .. import _core
from ._calls import both, public
from ._dialect import refuse_type, row, wrapped_axis
from ._dtypes import as_dtype
from ._tensor import BOOL, INT64, Tensor, cast

__all__ = []
_PLAIN = "x, axis=None, keepdim:keepdims=False"


def axes_of(x, axis):
    """Dimensions counted from the beginning; None for all, also of none."""
    if isinstance(axis, Tensor):
        axis = axis.tolist()
    if axis is None or isinstance(axis, (list, tuple)) and not axis:
        return None
    chosen = axis if isinstance(axis, (list, tuple)) else (axis,)
    found = tuple(wrapped_axis(_int(one), x.ndim) for one in chosen)
    return found if x.ndim else None


def _int(value):
    if isinstance(value, Tensor):
        value = value.item()
    if type(value) is not int:
        import operator

        value = operator.index(value)
    return value


def _run(operation, name):
    return row(operation, name, _PLAIN, arrays=True)


_sum, _mean, _prod = _run("sum", "sum"), _run("mean", "mean"), _run("prod", "prod")
_max, _min = _run("max", "max"), _run("min", "min")
_all, _any = _run("all", "all"), _run("any", "any")


_SMALL = ("uint8", "int8", "int16")  # sums of which keep their type


@public
def _any_sum(x, axis=None, dtype=None, keepdim=False):
    if dtype is not None:
        x = cast(x, as_dtype(dtype))
    made = _sum(x, axes_of(x, axis), bool(keepdim) and x.ndim > 0)
    return cast(made, x.dtype) if dtype is not None or x.dtype._name in _SMALL else made


_any_sum.__wrapped__.__name__ = "sum"
sum = row(
    *("sum", "sum", "x, axis=None, *, keepdim:keepdims=False"),
    arrays=True,
    unusual=_any_sum,
    kinds="bfc",
)


@public
def _any_mean(x, axis=None, keepdim=False, dtype=None):
    if dtype is not None:
        x = cast(x, as_dtype(dtype))
    made = _mean(x, axes_of(x, axis), bool(keepdim) and x.ndim > 0)
    return cast(made, x.dtype)


_any_mean.__wrapped__.__name__ = "mean"
mean = row("mean", "mean", _PLAIN, arrays=True, unusual=_any_mean, kinds="fc")


@public
def prod(x, axis=None, keepdim=False, dtype=None):
    """The product of elements; integers keep their type."""
    one = x.dtype if dtype is None else as_dtype(dtype)
    return cast(_prod(cast(x, one), axes_of(x, axis), bool(keepdim) and x.ndim > 0), one)


def check_lengths(x, axes):
    """Raises if there is nothing to reduce."""
    shape = x.shape
    for one in range(len(shape)) if axes is None else axes:
        if shape[one] == 0:
            raise ValueError(
                f"(InvalidArgument) Cannot perform reduction along an axis ({one}) that has a size "
                "of 0."
            )


def _extreme(name, run):
    def function(x, axis=None, keepdim=False):
        if x.dtype is BOOL or x.dtype.is_complex:
            refuse_type(name, x.dtype)
        axes = axes_of(x, axis)
        check_lengths(x, axes)
        return run(x, axes, bool(keepdim) and x.ndim > 0)

    function.__name__ = name
    return row(name[-3:], name, _PLAIN, arrays=True, unusual=public(function), kinds="iuf")


max, min = _extreme("max", _max), _extreme("min", _min)
amax, amin = _extreme("amax", _max), _extreme("amin", _min)


def _truth(name, run):
    def function(x, axis=None, keepdim=False):
        return run(x, axes_of(x, axis), bool(keepdim) and x.ndim > 0)

    function.__name__ = name
    return row(name, name, _PLAIN, arrays=True, unusual=public(function))


all, any = _truth("all", _all), _truth("any", _any)


_where = row("where", "where", "condition, x:x1, y:x2")
_INFINITY = float("inf")
_count = _core.ndarray.size.__get__


def _place(name, nan):
    """argmax and argmin, for which NaN is never the one: they see `nan` in its place."""
    run = row(name, name, "x, axis=None, keepdim:keepdims=False", arrays=True)

    def function(x, axis=None, keepdim=False, dtype="int64"):
        if x.dtype is BOOL or x.dtype.is_complex:
            refuse_type(name, x.dtype)
        if axis is not None:
            axis = wrapped_axis(_int(axis), x.ndim)
        check_lengths(x, None if axis is None else (axis,) if x.ndim else ())
        if x.dtype.is_floating_point:
            x = _where(x == x, x, nan)
        made = run(x, axis if x.ndim else None)
        if keepdim and x.ndim:
            kept = [1 if axis is None or at == axis else n for at, n in enumerate(x.shape)]
            made = made.reshape(kept)
        return cast(made, as_dtype(dtype))

    function.__name__ = name
    whole = public(function)

    def unusual(*args, **kwargs):
        x, axis = _along(args, kwargs)
        if type(x) is Tensor and x.dtype.is_floating_point and _is_whole(x, axis):
            return run(_where(x == x, x, nan), axis)
        return whole(*args, **kwargs)

    unusual.__name__, unusual.__doc__ = name, "The place of the largest or smallest element."
    return row(name, name, "x, axis=None", arrays=True, unusual=unusual, kinds="iu")


def _along(args, kwargs):
    """A tensor and an axis, where nothing else is given; else None twice."""
    if not kwargs and 0 < len(args) < 3:
        return args[0], args[1] if len(args) == 2 else None
    if len(args) == len(kwargs) == 1 and "axis" in kwargs:
        return args[0], kwargs["axis"]
    return None, None


def _is_whole(x, axis):
    """Whether there are elements, along an axis that there is."""
    return _count(x) > 0 and (axis is None or type(axis) is int and -x.ndim <= axis < x.ndim)


argmax, argmin = _place("argmax", -_INFINITY), _place("argmin", _INFINITY)

# ---- Deviations, norms ---------------------------------------------------------------------------

_var = row("var", "var", f"{_PLAIN}, correction=0.0")


@public
def var(x, axis=None, unbiased=True, keepdim=False, correction=None):
    """The variance of elements, over n - 1 unless unbiased is False."""
    wanted = (1.0 if unbiased else 0.0) if correction is None else float(correction)
    axes, kept = axes_of(x, axis), bool(keepdim) and x.ndim > 0
    if x.dtype._native.kind in "iu":
        return _whole_var(x, axes, kept, wanted)
    return _var(x, axes, kept, wanted)


def _whole_var(x, axes, keepdim, correction):
    """Of integers all is an integer: the mean, and what the squares are divided by."""
    count = 1
    for at, length in enumerate(x.shape):
        count *= length if axes is None or at in axes else 1
    squares = (x - mean(x, axes, True)) ** 2
    return cast(_sum(squares, axes, keepdim) / (count - correction), x.dtype)


@public
def std(x, axis=None, unbiased=True, keepdim=False, correction=None):
    """The deviation of elements: the root of the variance."""
    return _sqrt(var(x, axis, unbiased, keepdim, correction))


_sqrt = row("sqrt", "std", "x", arrays=True)
_norm = row("norm", "norm", _PLAIN, arrays=True)
_vector_norm = row("vector_norm", "norm", "x, p:ord=2.0, axis=None, keepdim:keepdims=False")
_matrix_norm = row("matrix_norm", "norm", "x, p:ord=None, keepdim:keepdims=False")


@public
def _any_norm(x, p=None, axis=None, keepdim=False):
    """The norm of all elements, or along dimensions: the root of the sum of squares unless p."""
    if not x.dtype.is_floating_point and not x.dtype.is_complex:
        refuse_type("p_norm", x.dtype)
    axes = axes_of(x, axis)
    if p is None or p == "fro" or p == 2:
        return _norm(x, axes, bool(keepdim) and x.ndim > 0)
    if isinstance(p, str):
        raise ValueError(f"only valid string values are 'fro', found {p}")
    return _vector_norm(x, float(p), axes, bool(keepdim) and x.ndim > 0)


_any_norm.__wrapped__.__name__ = "norm"
norm = row("norm", "norm", "x", arrays=True, unusual=_any_norm, kinds="fc")
_logsumexp = row("logsumexp", "logsumexp", _PLAIN, arrays=True)


@public
def logsumexp(x, axis=None, keepdim=False):
    """The logarithm of the sum of e to the power of elements."""
    return _logsumexp(x, axes_of(x, axis), bool(keepdim) and x.ndim > 0)


_count_nonzero = row("count_nonzero", "count_nonzero", _PLAIN, arrays=True)


@public
def count_nonzero(x, axis=None, keepdim=False):
    """How many elements are not 0."""
    return _count_nonzero(x, axes_of(x, axis), bool(keepdim) and x.ndim > 0)


@public
def nansum(x, axis=None, dtype=None, keepdim=False):
    """The sum, with 0 for NaN."""
    from ._binary import where

    return sum(where(x == x, x, 0), axis, dtype, keepdim)


@public
def nanmean(x, axis=None, keepdim=False):
    """The mean of what is not NaN."""
    return nansum(x, axis, None, keepdim) / sum(cast(x == x, x.dtype), axis, None, keepdim)


# ---- Along a dimension ---------------------------------------------------------------------------

_cumsum = row("cumulative_sum", "cumsum", "x, axis=None, dtype=None", arrays=True)
_cumprod = row("cumulative_prod", "cumprod", "x, axis=None, dtype=None", arrays=True)


def _cumulative(run, x, axis, one):
    if axis is None:
        x, axis = x.reshape([-1]), 0
    axis = wrapped_axis(_int(axis), x.ndim)
    if not x.ndim:
        return cast(x.clone(), one)
    return run(cast(x, one), axis, one)


@public
def _any_cumsum(x, axis=None, dtype=None):
    """Sums of all elements so far, along an axis or of all in a row."""
    small = x.dtype._native.kind in "biu"
    one = (INT64 if small else x.dtype) if dtype is None else as_dtype(dtype)
    return _cumulative(_cumsum, x, axis, one)


_any_cumsum.__wrapped__.__name__ = "cumsum"
cumsum = row("cumulative_sum", "cumsum", "x, axis", arrays=True, unusual=_any_cumsum, kinds="fc")


@public
def cumprod(x, dim=None, dtype=None):
    """Products of all elements so far, along an axis or of all in a row."""
    return _cumulative(_cumprod, x, dim, x.dtype if dtype is None else as_dtype(dtype))


both(
    "sum mean prod max min amax amin all any argmax argmin var std norm logsumexp count_nonzero "
    "nansum nanmean cumsum cumprod",
    globals(),
    __all__,
)
