"""Reductions: dim and keepdim, or NumPy's axis and keepdims."""

from ._attach import both
from ._checked import checked, checked_row
from ._dialect import refuse_type, row, wrapped_dim
from ._dtypes import ALL
from ._output import given
from ._tensor import Tensor, cast

__all__ = []
_bool, _uint8, _int64 = ALL["bool"], ALL["uint8"], ALL["int64"]

_PLAIN = "input:x, dim:axis=None, keepdim:keepdims=False"
_SEVERAL = "input: Tensor, dim: int or ints? = None, keepdim: bool = False, *"
_SINGLE = "input: Tensor, dim: int, keepdim: bool = False, *"
_OUT = "out: Tensor? = None"


def chosen_dims(input, dim):
    """Dimensions counted from the beginning, none twice; None for all, also of none."""
    if dim is None or dim == ():
        return None
    ndim = input.ndim
    found = tuple(wrapped_dim(one, ndim) for one in ((dim,) if type(dim) is int else dim))
    for one in found:
        if found.count(one) > 1:
            raise RuntimeError(f"dim {one} appears multiple times in the list of dims")
    return found if ndim else None


def _reduction(operation, name, *signatures, kinds=None, check=None, plain=_PLAIN):
    """The function of a row; `check` may refuse or change the input before."""
    run = row(operation, name, _PLAIN, arrays=True)

    def unusual(input, dim=None, keepdim=False, dtype=None):
        if dtype is not None and dtype is not input.dtype:
            input = cast(input, dtype)
        if check is not None:
            input = check(input)
        made = run(input, chosen_dims(input, dim), keepdim and input.ndim > 0)
        return made if dtype is None or made.dtype is dtype else cast(made, dtype)

    return checked_row(operation, name, plain, *signatures, run=unusual, arrays=True, kinds=kinds)


def _check_mean(input):
    if not input.dtype.is_floating_point and not input.dtype.is_complex:
        raise NotImplementedError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or "
            f"complex dtype. Got: {input.dtype}"
        )
    return input


def _wide(input):
    """Bytes add up and multiply as int64, as all integers do."""
    return cast(input, _int64) if input.dtype._native.kind == "u" else input


_TYPED = "dtype: dtype? = None, out: Tensor? = None"
sum = _reduction("sum", "sum", f"{_SEVERAL}, {_TYPED}", check=_wide, kinds="bifc")
mean = _reduction("mean", "mean", f"{_SEVERAL}, {_TYPED}", check=_check_mean)
prod = _reduction(
    *("prod", "prod", "input: Tensor, *, dtype: dtype? = None", f"{_SINGLE}, {_TYPED}"),
    plain="input:x",
    check=_wide,
    kinds="bifc",
)


def _extreme(operation, name):
    """amax and amin, which need elements."""
    run = row(operation, name, _PLAIN, arrays=True)

    def unusual(input, dim=None, keepdim=False):
        if isinstance(dim, tuple) and not input.numel():
            check_lengths(name, input, [wrapped_dim(one, input.ndim) for one in dim])
        dims = chosen_dims(input, dim)
        check_lengths(name, input, dims, RuntimeError)
        if input.dtype.is_complex and not input.numel():
            return sum(input, dims, keepdim)
        return run(input, dims, keepdim and input.ndim > 0)

    return checked_row(
        *(operation, name, _PLAIN, f"{_SEVERAL}, {_OUT}"), run=unusual, arrays=True, kinds="biuf"
    )


def check_lengths(name, input, dims, whole=IndexError):
    """Raises if there is nothing to reduce; `whole` if no dimension was given."""
    if input.numel():
        return
    if dims is None:
        raise whole(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
            "reduction dim with the 'dim' argument."
        )
    for one in dims:
        if input.shape[one] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {one} to have non-zero size.")


amax, amin = _extreme("max", "amax"), _extreme("min", "amin")


def _logsumexp(input, dim, keepdim=False):
    """The logarithm of the sum of e to the power of elements."""
    if dim == () and input.ndim and input.numel() and not keepdim:
        raise RuntimeError("logsumexp: a dimension is needed")
    if not input.dtype.is_complex and input.numel():
        return _logsumexp_row(input, chosen_dims(input, dim), keepdim and input.ndim > 0)
    from ._elements import exp, log

    return log(sum(exp(input), dim, keepdim))


_logsumexp_row = row("logsumexp", "logsumexp", _PLAIN, arrays=True)
logsumexp = checked_row(
    *("logsumexp", "logsumexp", "input:x, dim:axis, keepdim:keepdims=False"),
    f"input: Tensor, dim: int or ints, keepdim: bool = False, *, {_OUT}",
    run=_logsumexp,
    arrays=True,
    kinds="biuf",
)

# ---- Truth ---------------------------------------------------------------------------------------


def _truth(name):
    """all and any: of bytes they are bytes; over no dimensions each element counts."""
    run = row(name, name, _PLAIN, arrays=True)

    def unusual(input, dim=None, keepdim=False):
        if dim == ():
            made = input != 0
        else:
            made = run(input, chosen_dims(input, dim), keepdim and input.ndim > 0)
        return cast(made, _uint8) if input.dtype is _uint8 else made

    return checked_row(
        *(name, name, _PLAIN, f"{_SEVERAL}, {_OUT}"), run=unusual, arrays=True, kinds="bifc"
    )


all, any = _truth("all"), _truth("any")
_count_nonzero = row("count_nonzero", "count_nonzero", "input:x, dim:axis=None", arrays=True)


@checked("input: Tensor, dim: int or ints? = None")
def count_nonzero(input, dim=None):
    """How many elements are not 0."""
    return _count_nonzero(input, chosen_dims(input, dim))


# ---- Places --------------------------------------------------------------------------------------


def _place(name):
    """argmax and argmin."""
    run = row(name, name, _PLAIN, arrays=True)

    def unusual(input, dim=None, keepdim=False):
        if input.dtype.is_complex:
            raise TypeError(f"{name}(): does not support complex input")
        if input.dtype is _bool:
            refuse_type(name, _bool)
        if dim is not None:
            dim = wrapped_dim(dim, input.ndim)
        if input.ndim:
            check_lengths(name, input, None if dim is None else (dim,))
        made = run(input, dim if input.ndim else None)
        if not keepdim or not input.ndim:
            return made
        shape = input.shape
        return made.reshape(
            [1] * len(shape) if dim is None else [*shape[:dim], 1, *shape[dim + 1 :]]
        )

    return checked_row(
        *(name, name, _PLAIN),
        f"input: Tensor, dim: int? = None, keepdim: bool = False, *, {_OUT}",
        run=unusual,
        arrays=True,
        kinds="iuf",
    )


argmax, argmin = _place("argmax"), _place("argmin")

# ---- Deviations ----------------------------------------------------------------------------------

_var = row("var", "var", f"{_PLAIN}, correction=0.0")
_std = row("std", "std", f"{_PLAIN}, correction=0.0")
_mean = row("mean", "mean", _PLAIN, arrays=True)
_DIM, _MORE = "input: Tensor, dim: int or ints?", "keepdim: bool = False"
_SPREADS = (
    f"{_DIM}, unbiased: bool, {_MORE}, *, {_OUT}",
    f"{_DIM} = None, *, correction: number? = None, {_MORE}, {_OUT}",
    "input: Tensor, unbiased: bool",
    f"{_DIM}, *, unbiased: bool, {_MORE}, {_OUT}",
)


def _spread(run, input, dim, unbiased, correction, keepdim):
    if not input.dtype.is_floating_point and not input.dtype.is_complex:
        raise NotImplementedError(
            f"std and var only support floating point and complex dtypes, not {input.dtype}"
        )
    if correction is None:
        correction = 1 if unbiased is None else int(unbiased)
    dim = chosen_dims(input, dim)
    _warn_few(input, dim, correction)
    return run(input, dim, keepdim and input.ndim > 0, float(correction))


def _warn_few(input, dim, correction):
    """Too few elements for the correction: NaN, and a warning."""
    shape, count = input.shape, 1
    for one in range(len(shape)) if dim is None else dim:
        count *= shape[one]
    if count <= correction:
        import warnings

        warnings.warn(
            f"std(): degrees of freedom is <= 0: {count} elements for a correction of {correction}",
            UserWarning,
            stacklevel=5,
        )


@checked(*_SPREADS)
def var(input, dim=None, unbiased=None, keepdim=False, correction=None, out=None):
    """Variance; divided by n - 1 unless unbiased=False or a correction says otherwise."""
    return given(_spread(_var, input, dim, unbiased, correction, keepdim), out)


@checked(*_SPREADS)
def std(input, dim=None, unbiased=None, keepdim=False, correction=None, out=None):
    """Standard deviation; divided by n - 1 unless unbiased=False or a correction says otherwise."""
    return given(_spread(_std, input, dim, unbiased, correction, keepdim), out)


@checked(*_SPREADS)
def var_mean(input, dim=None, unbiased=None, keepdim=False, correction=None):
    """Variance and mean."""
    spread = _spread(_var, input, dim, unbiased, correction, keepdim)
    return spread, _mean(input, chosen_dims(input, dim), keepdim and input.ndim > 0)


@checked(*_SPREADS)
def std_mean(input, dim=None, unbiased=None, keepdim=False, correction=None):
    """Standard deviation and mean."""
    spread = _spread(_std, input, dim, unbiased, correction, keepdim)
    return spread, _mean(input, chosen_dims(input, dim), keepdim and input.ndim > 0)


# ---- Norms ---------------------------------------------------------------------------------------

_norm = row("norm", "norm", "input:x, dim:axis=None, keepdim:keepdims=False", arrays=True)
_vector_norm = row(
    "vector_norm", "norm", "input:x, dim:axis=None, keepdim:keepdims=False, p:ord=2.0", arrays=True
)


@checked(
    "input: Tensor, p: any = 'fro', dim: int or ints? = None, keepdim: bool = False, "
    "out: Tensor? = None, dtype: dtype? = None",
    numpy=False,
)
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    """The root of the sum of squares, or another norm p, over all elements or dimensions."""
    p = p.item() if hasattr(p, "item") and p.ndim == 0 else p
    if p is not None and not isinstance(p, (str, int, float, complex)):
        raise TypeError(f"norm(): argument 'p' must be Number, not {type(p).__name__}")
    if isinstance(p, str) and (p != "fro" or isinstance(dim, (tuple, list)) and len(dim) > 2):
        return given(_norm_by_name(input, p, dim, keepdim, dtype), out)
    if not input.dtype.is_floating_point and not input.dtype.is_complex:
        raise NotImplementedError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
            f"{input.dtype}"
        )
    if dtype is not None:
        if not dtype.is_floating_point and not dtype.is_complex:
            raise RuntimeError(
                f"linalg.vector_norm: dtype should be floating point or complex, but got {dtype}"
            )
        if dtype.is_complex and not input.dtype.is_complex:
            raise RuntimeError(
                f"linalg.vector_norm: dtype should be real for real inputs, but got {dtype}"
            )
        if input.dtype.itemsize > dtype.itemsize:
            raise RuntimeError(
                f"linalg.vector_norm: the dtype of the input ({input.dtype}) should be convertible "
                f"without narrowing to the specified dtype ({dtype})"
            )
        input = cast(input, dtype) if dtype is not input.dtype else input
    dim, keepdim = chosen_dims(input, dim), keepdim and input.ndim > 0
    if p is None or p == "fro" or p == 2:
        return given(_norm(input, dim, keepdim), out)
    if isinstance(p, complex):
        raise RuntimeError(
            "linalg.vector_norm: Expected a non-complex scalar as the order of norm."
        )
    if p < 0 or p == _INFINITY:
        _check_elements(input, dim, p)
    return given(_vector_norm(input, dim, keepdim, float(p)), out)


def _norm_by_name(input, p, dim, keepdim, dtype):
    """A norm of matrices: 'nuc', which is of the host, and waits."""
    from .linalg import matrix_norm

    if dim is None:
        dim = range(input.ndim)
    return matrix_norm(input, p, (dim,) if isinstance(dim, int) else tuple(dim), keepdim, dtype=dtype)


_INFINITY = float("inf")


def _check_elements(input, dims, p):
    """Norms that are an extreme, or divide by elements, need some."""
    if not input.numel() and (dims is None or 0 in [input.shape[one] for one in dims]):
        raise RuntimeError(
            f"linalg.vector_norm cannot compute the {p} norm on an empty tensor because the "
            "operation does not have an identity"
        )


# ---- Running sums --------------------------------------------------------------------------------

_cumsum = row("cumulative_sum", "cumsum", "input:x, dim:axis, *, dtype=None", arrays=True)
_cumprod = row("cumulative_prod", "cumprod", "input:x, dim:axis, *, dtype=None", arrays=True)
_RUNNING = f"input: Tensor, dim: int, *, {_TYPED}"


def _running(run, input, dim, dtype, out):
    dim = wrapped_dim(dim, input.ndim)
    if dtype is _bool and input.ndim:
        refuse_type(run.__name__, _bool)
    if dtype is None and input.dtype._native.kind in "biu":
        dtype = _int64
    if dtype is not None and dtype is not input.dtype:
        input = cast(input, dtype)
    made = run(input, dim) if input.ndim else input.clone()
    return given(made if dtype is None or made.dtype is dtype else cast(made, dtype), out)


@checked(_RUNNING)
def cumsum(input, dim, dtype=None, out=None):
    """Sums of the elements up to each, along a dimension."""
    return _running(_cumsum, input, dim, dtype, out)


@checked(_RUNNING)
def cumprod(input, dim, dtype=None, out=None):
    """Products of the elements up to each, along a dimension."""
    return _running(_cumprod, input, dim, dtype, out)


# ---- Without NaN ---------------------------------------------------------------------------------


@checked(f"{_SEVERAL}, {_TYPED}")
def nansum(input, dim=None, keepdim=False, dtype=None, out=None):
    """The sum of what is not NaN."""
    chosen_dims(input, dim)
    for one in (input.dtype, dtype):
        if one is not None and one.is_complex:
            refuse_type("nansum", one)
    from ._elements import isnan, where

    if input.dtype.is_floating_point:
        input = where(isnan(input), 0.0, input)
    return given(sum(input, dim, keepdim, dtype=dtype), out)


@checked(f"{_SEVERAL}, {_TYPED}")
def nanmean(input, dim=None, keepdim=False, dtype=None, out=None):
    """The mean of what is not NaN."""
    if not input.dtype.is_floating_point and not input.dtype.is_complex:
        raise NotImplementedError(
            "nanmean(): expected input to have floating point or complex dtype but got "
            f"{input.dtype}"
        )
    if dtype is not None and not dtype.is_floating_point and not dtype.is_complex:
        raise RuntimeError(f"nanmean(): the type must be a floating-point one, not {dtype}")
    from ._elements import isnan

    count = sum(~isnan(input), dim, keepdim)
    return given(nansum(input, dim, keepdim, dtype=dtype) / count, out)


both(
    "sum mean prod all any amax amin logsumexp count_nonzero argmax argmin var std norm cumsum "
    "cumprod nansum nanmean",
    globals(),
    __all__,
)
__all__ += ["var_mean", "std_mean"]


def _running_in_place(function):
    """A running sum or product into the tensor itself."""
    name = function.__name__

    @checked("self: Tensor, dim: int, *, dtype: dtype? = None")
    def run(self, dim, dtype=None):
        if self.dtype is _bool and self.ndim and self.numel():
            refuse_type(name, _bool)
        return self.copy_(function(self, dim, dtype=dtype))

    run.__name__ = name + "_"
    run.__doc__ = f"As {name}, into the tensor itself."
    return run


Tensor.cumsum_, Tensor.cumprod_ = _running_in_place(cumsum), _running_in_place(cumprod)
