"""Reductions: dim and keepdim, or NumPy's axis and keepdims."""

from ._attach import both
from ._dialect import dims, renamed, row
from ._tensor import Tensor, cast

__all__ = []

_ONE = "input:x, dim:axis=None, keepdim:keepdims=False"


def _reduction(operation, name, signature, prepare=None):
    """The function of a row; other ways to call it come down to the plain one."""
    run = row(operation, name, signature, arrays=True)

    def unusual(*args, **kwargs):
        kwargs = renamed(kwargs)
        if len(args) > 1:
            args = (args[0], dims(args[1]), *args[2:])
        elif "dim" in kwargs:
            kwargs["dim"] = dims(kwargs["dim"])
        if prepare is not None:
            args, kwargs = prepare(args, kwargs)
        return run(*args, **kwargs)

    return row(operation, name, signature, arrays=True, unusual=unusual)


def _cast_first(args, kwargs):
    """dtype=: the elements become that type before."""
    wanted = kwargs.pop("dtype", None)
    if wanted is not None and args and args[0].dtype is not wanted:
        args = (cast(args[0], wanted), *args[1:])
    return args, kwargs


sum = _reduction("sum", "sum", f"{_ONE}, *, dtype=None, out=None")
mean = _reduction("mean", "mean", f"{_ONE}, *, out=None", _cast_first)
prod = _reduction("prod", "prod", f"{_ONE}, *, dtype=None, out=None")
all = _reduction("all", "all", f"{_ONE}, *, out=None")
any = _reduction("any", "any", f"{_ONE}, *, out=None")
amax = _reduction("max", "amax", f"{_ONE}, *, out=None")
amin = _reduction("min", "amin", f"{_ONE}, *, out=None")
logsumexp = _reduction("logsumexp", "logsumexp", f"{_ONE}, *, out=None")
count_nonzero = _reduction("count_nonzero", "count_nonzero", "input:x, dim:axis=None")
argmax = _reduction("argmax", "argmax", _ONE)
argmin = _reduction("argmin", "argmin", _ONE)

# ---- Deviations ------------------------------------------------------------------------------------

_var = row("var", "var", f"{_ONE}, correction=0.0")
_std = row("std", "std", f"{_ONE}, correction=0.0")


def _spread(run, args, kwargs):
    """std and var: (input), (input, unbiased), (input, dim, unbiased, keepdim), or by name."""
    kwargs = renamed(kwargs)
    kwargs = dict(zip(("input", "dim", "unbiased", "keepdim"), args), **kwargs)
    if isinstance(kwargs.get("dim"), bool):
        kwargs["unbiased"] = kwargs.pop("dim")
    unbiased, correction = kwargs.pop("unbiased", None), kwargs.pop("correction", None)
    if correction is None:
        correction = 1 if unbiased is None else int(unbiased)
    input, dim = kwargs.pop("input"), dims(kwargs.pop("dim", None))
    if not input.dtype.is_floating_point and not input.dtype.is_complex:
        raise RuntimeError(f"std and var only support floating point and complex dtypes, not {input.dtype}")
    _warn_few(input, dim, correction)
    return run(input, dim, kwargs.pop("keepdim", False), correction, **kwargs)


def _warn_few(input, dim, correction):
    """Too few elements for the correction: NaN, and a warning."""
    shape, count = input.shape, 1
    chosen = range(len(shape)) if dim is None else (dim,) if type(dim) is int else dim
    for one in chosen:
        count *= shape[one] if shape else 1
    if count <= correction:
        import warnings

        warnings.warn(
            f"std(): degrees of freedom is <= 0: {count} elements for a correction of {correction}",
            UserWarning,
            stacklevel=4,
        )


def var(*args, **kwargs):
    """Variance; divided by n - 1 unless unbiased=False or a correction says otherwise."""
    return _spread(_var, args, kwargs)


def std(*args, **kwargs):
    """Standard deviation; divided by n - 1 unless unbiased=False or a correction says otherwise."""
    return _spread(_std, args, kwargs)


def var_mean(*args, **kwargs):
    """Variance and mean."""
    return var(*args, **kwargs), mean(*args[:2], **_only_dims(kwargs))


def std_mean(*args, **kwargs):
    """Standard deviation and mean."""
    return std(*args, **kwargs), mean(*args[:2], **_only_dims(kwargs))


def _only_dims(kwargs):
    return {name: value for name, value in renamed(kwargs).items() if name in ("dim", "keepdim", "input")}


# ---- Norms ------------------------------------------------------------------------------------------

_norm = row("norm", "norm", "input:x, dim:axis=None, keepdim:keepdims=False", arrays=True)
_vector_norm = row(
    "vector_norm", "norm", "input:x, dim:axis=None, keepdim:keepdims=False, p:ord=2.0", arrays=True
)


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    """The root of the sum of squares, or another norm p, over all elements or dimensions."""
    if dtype is not None:
        input = cast(input, dtype)
    if not input.dtype.is_floating_point and not input.dtype.is_complex:
        raise NotImplementedError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
            f"{input.dtype}"
        )
    if p is None or p == "fro" or p == 2:
        made = _norm(input, dims(dim), keepdim)
    elif isinstance(p, str):
        raise NotImplementedError(f"norm: p={p!r} is not here; numbers and 'fro' are")
    else:
        made = _vector_norm(input, dims(dim), keepdim, float(p))
    return made if out is None else out.copy_(made)


# ---- Running sums ----------------------------------------------------------------------------------

_cumsum = row("cumulative_sum", "cumsum", "input:x, dim:axis, *, dtype=None, out=None", arrays=True)
_cumprod = row("cumulative_prod", "cumprod", "input:x, dim:axis, *, dtype=None, out=None", arrays=True)


def _running(run, name):
    def function(*args, **kwargs):
        kwargs = renamed(kwargs)
        input = kwargs["input"] if "input" in kwargs else args[0]
        if input.ndim == 0:
            return input.clone()
        return run(*args, **kwargs)

    function.__name__ = function.__qualname__ = name
    return function


cumsum = _running(_cumsum, "cumsum")
cumsum.__doc__ = "Sums of the elements up to each, along a dimension."
cumprod = _running(_cumprod, "cumprod")
cumprod.__doc__ = "Products of the elements up to each, along a dimension."

def nansum(input, dim=None, keepdim=False, *, dtype=None):
    """The sum of what is not NaN."""
    from ._elements import isnan, where

    return sum(where(isnan(input), 0.0, input), dim, keepdim, dtype=dtype)


def nanmean(input, dim=None, keepdim=False, *, dtype=None):
    """The mean of what is not NaN."""
    from ._elements import isnan

    count = sum(~isnan(input), dim, keepdim)
    return nansum(input, dim, keepdim, dtype=dtype) / count


both(
    "sum mean prod all any amax amin logsumexp count_nonzero argmax argmin var std norm cumsum "
    "cumprod nansum nanmean",
    globals(),
    __all__,
)
__all__ += ["var_mean", "std_mean"]


def _cumsum_(self, dim, *, dtype=None):
    """As cumsum, into the tensor itself."""
    return self.copy_(cumsum(self, dim, dtype=dtype))


Tensor.cumsum_ = _cumsum_
