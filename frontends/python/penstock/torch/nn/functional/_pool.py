"""Pooling: the largest element or the mean of windows."""

from functools import lru_cache

from ...._common.windows import averages, maxima, pooled_to
from ..._create import tensor
from ..._dialect import row
from ..._product import matmul
from ..._joining import cat
from ..._tensor import Tensor
from ._arguments import refuse, several

__all__ = (
    "max_pool1d max_pool2d max_pool3d avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool1d "
    "adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d "
    "adaptive_max_pool3d"
).split()

_max_pool2d = row(
    "max_pool2d",
    "max_pool2d",
    "input:x, kernel_size:kernel, stride=None, padding=None, ceil_mode=False",
    arrays=True,
)
_avg_pool2d = row(
    "avg_pool2d",
    "avg_pool2d",
    "input:x, kernel_size:kernel, stride=None, padding=None, ceil_mode=False, "
    "count_include_pad=True",
    arrays=True,
)


def _windows(name, spatial, kernel_size, stride, padding):
    """Kernel, stride and padding as tuples, checked."""
    kernel = several(name, kernel_size, spatial, "kernel_size")
    step = kernel if stride is None or stride == [] else several(name, stride, spatial, "stride")
    around = several(name, padding, spatial, "padding")
    if min(kernel) < 1 or min(step) < 1:
        raise RuntimeError(f"{name}: kernel size and stride should be greater than zero")
    for length, more in zip(kernel, around):
        if more < 0:
            raise RuntimeError(f"pad must be non-negative, but got pad: {more}")
        if more > length // 2:
            raise RuntimeError(
                "pad should be at most half of effective kernel size, but got "
                f"pad={more}, kernel_size={length}"
            )
    return kernel, step, around


def _images(name, input, spatial):
    """Images in a batch, whatever was given; and how many dimensions were put before and within."""
    if not isinstance(input, Tensor):
        refuse(name, input)
    ndim = input.ndim
    if ndim not in (spatial + 1, spatial + 2) or 0 in input.shape[-spatial - 1 :]:
        raise RuntimeError(
            f"{name}: non-empty {spatial + 1}D or {spatial + 2}D (batch mode) tensor expected for "
            f"input, but got {list(input.shape)}"
        )
    if spatial == 1:
        input = input.unsqueeze(-2)
    return input if ndim == spatial + 2 else input.unsqueeze(0)


def _back(made, input, spatial):
    """What was made of images, in the form of what was given."""
    if spatial == 1:
        made = made.squeeze(-2)
    return made if input.ndim == spatial + 2 else made.squeeze(0)


def _pooled(run, name, spatial, input, kernel_size, stride, padding, *settings):
    kernel, step, around = _windows(name, spatial, kernel_size, stride, padding)
    if spatial == 1:
        kernel, step, around = (1, *kernel), (1, *step), (0, *around)
    made = run(_images(name, input, spatial), kernel, step, around, *settings)
    return _back(made, input, spatial)


def _refuse_indices(name, dilation, return_indices):
    if return_indices:
        raise NotImplementedError(f"{name}: return_indices=True is not here")
    if any(one != 1 for one in several(name, dilation, 1 if name[-2] == "1" else 2, "dilation")):
        raise NotImplementedError(f"{name}: a dilation other than 1 is not here")


def max_pool2d(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """The largest element of each window; windows are side by side unless a stride is given."""
    if return_indices or dilation != 1:
        _refuse_indices("max_pool2d", dilation, return_indices)
    return _pooled(
        _max_pool2d, "max_pool2d", 2, input, kernel_size, stride, padding, ceil_mode
    )


def max_pool1d(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """The largest element of each window of lines."""
    if return_indices or dilation != 1:
        _refuse_indices("max_pool1d", dilation, return_indices)
    return _pooled(
        _max_pool2d, "max_pool1d", 1, input, kernel_size, stride, padding, ceil_mode
    )


def avg_pool2d(
    input,
    kernel_size,
    stride=None,
    padding=0,
    ceil_mode=False,
    count_include_pad=True,
    divisor_override=None,
):
    """The mean of each window, with the zeros of the padding unless count_include_pad is false."""
    whole = ("avg_pool2d", 2, input, kernel_size, stride, padding)
    if divisor_override is None:
        return _pooled(_avg_pool2d, *whole, ceil_mode, count_include_pad)
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    if ceil_mode:
        raise NotImplementedError("avg_pool2d: divisor_override with ceil_mode=True is not here")
    high, wide = several("avg_pool2d", kernel_size, 2, "kernel_size")
    return _pooled(_avg_pool2d, *whole, False, True) * (high * wide / divisor_override)


def avg_pool1d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True
):
    """The mean of each window of lines."""
    return _pooled(
        *(_avg_pool2d, "avg_pool1d", 1, input, kernel_size, stride, padding),
        *(ceil_mode, count_include_pad),
    )


# ---- To a given size -----------------------------------------------------------------------------


def _lengths(name, input, output_size, spatial):
    """The lengths to make: None keeps one."""
    given = (output_size,) * spatial if isinstance(output_size, int) else tuple(output_size)
    if len(given) != spatial:
        raise RuntimeError(f"{name}: output_size must be {spatial}, not {len(given)} lengths")
    have = input.shape[-spatial:]
    made = tuple(old if new is None else new for old, new in zip(have, given))
    if min(made) < 1:
        raise RuntimeError(f"{name}: elements of output_size must be greater than 0, not {made}")
    return made


@lru_cache(maxsize=32)
def _averages(length, count, dtype, device):
    """A matrix (count, length) whose products are the means of windows."""
    return tensor(averages(length, count), dtype=dtype, device=device)


def _adaptive(name, spatial, input, output_size, pool, uneven):
    images = _images(name, input, spatial)
    made = _lengths(name, input, output_size, spatial)
    made = made if spatial == 2 else (1, *made)
    if made != images.shape[-2:]:
        images = pooled_to(images, made, pool, uneven)
    return _back(images, input, spatial)


def _uneven_means(images, have, made):
    first, second = (
        _averages(old, new, images.dtype, images.device) for old, new in zip(have, made)
    )
    return matmul(matmul(first, images), second.T)


def _uneven_maxima(images, have, made):
    return maxima(images, have, made, _max_pool2d, cat)


def adaptive_avg_pool2d(input, output_size):
    """Means of windows that make images of a given size; None keeps a length."""
    return _adaptive(
        "adaptive_avg_pool2d", 2, input, output_size, _avg_pool2d, _uneven_means
    )


def adaptive_avg_pool1d(input, output_size):
    """Means of windows that make lines of a given length."""
    return _adaptive(
        "adaptive_avg_pool1d", 1, input, output_size, _avg_pool2d, _uneven_means
    )


def adaptive_max_pool2d(input, output_size, return_indices=False):
    """The largest elements of windows that make images of a given size; None keeps a length."""
    _refuse_indices("adaptive_max_pool2d", 1, return_indices)
    return _adaptive(
        "adaptive_max_pool2d", 2, input, output_size, _max_pool2d, _uneven_maxima
    )


def adaptive_max_pool1d(input, output_size, return_indices=False):
    """The largest elements of windows that make lines of a given length."""
    _refuse_indices("adaptive_max_pool1d", 1, return_indices)
    return _adaptive(
        "adaptive_max_pool1d", 1, input, output_size, _max_pool2d, _uneven_maxima
    )


def _only_flat(name):
    def function(input, *args, **kwargs):
        raise NotImplementedError(f"{name} is not here; pooling in 1 and 2 dimensions is")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Not here: raises."
    return function


max_pool3d, avg_pool3d = _only_flat("max_pool3d"), _only_flat("avg_pool3d")
adaptive_avg_pool3d = _only_flat("adaptive_avg_pool3d")
adaptive_max_pool3d = _only_flat("adaptive_max_pool3d")
