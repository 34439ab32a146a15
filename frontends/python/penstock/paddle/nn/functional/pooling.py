"""Pooling: the largest element or the mean of windows."""

from functools import lru_cache

from ...._common.windows import averages, maxima, pooled_to
from ..._dialect import row
from ._arguments import absent, channels_first, channels_last, several, tensor
from .conv import _around

__all__ = (
    "max_pool1d max_pool2d avg_pool1d avg_pool2d adaptive_avg_pool1d adaptive_avg_pool2d "
    "adaptive_max_pool1d adaptive_max_pool2d"
).split()

_max = row("max_pool2d", "max_pool2d", "x, kernel, stride=None, padding=None, ceil_mode=False")
_avg = row(
    "avg_pool2d",
    "avg_pool2d",
    "x, kernel, stride=None, padding=None, ceil_mode=False, count_include_pad=True",
)
_matmul = row("matmul", "matmul", "x:x1, y:x2, transpose_x:transpose1=False, "
              "transpose_y:transpose2=False")
_concat = row("concatenate", "concat", "x:tensors, axis=0")


def _pooled(run, name, spatial, x, kernel_size, stride, padding, settings, data_format):
    x, last = channels_first(name, tensor(name, x), data_format, spatial)
    if x.ndim != spatial + 2:
        raise ValueError(
            f"(InvalidArgument) {name}: x must have {spatial + 2} dimensions, but its shape is "
            f"{list(x.shape)}"
        )
    kernel = several(name, kernel_size, spatial, "kernel_size")
    step = kernel if stride is None else several(name, stride, spatial, "stride")
    around = _around(name, x, kernel, step, padding, (1,) * spatial)
    if any(before != after for before, after in around):
        raise absent(name, "padding that differs before and after")
    around = tuple(before for before, _ in around)
    if spatial == 1:
        x, kernel, step, around = x.unsqueeze(2), (1, *kernel), (1, *step), (0, *around)
    made = run(x, kernel, step, around, *settings)
    return channels_last(made.squeeze(2) if spatial == 1 else made, last, spatial)


def max_pool2d(
    x,
    kernel_size,
    stride=None,
    padding=0,
    return_mask=False,
    ceil_mode=False,
    data_format="NCHW",
    name=None,
):
    """The largest element of each window; windows are side by side unless a stride is given."""
    if return_mask:
        raise absent("max_pool2d", "return_mask=True")
    return _pooled(
        _max, "max_pool2d", 2, x, kernel_size, stride, padding, (ceil_mode,), data_format
    )


def max_pool1d(
    x, kernel_size, stride=None, padding=0, return_mask=False, ceil_mode=False, name=None
):
    """The largest element of each window of lines."""
    if return_mask:
        raise absent("max_pool1d", "return_mask=True")
    return _pooled(_max, "max_pool1d", 1, x, kernel_size, stride, padding, (ceil_mode,), "NCL")


def avg_pool2d(
    x,
    kernel_size,
    stride=None,
    padding=0,
    ceil_mode=False,
    exclusive=True,
    divisor_override=None,
    data_format="NCHW",
    name=None,
):
    """The mean of each window, without the padding unless exclusive is false."""
    given = ("avg_pool2d", 2, x, kernel_size, stride, padding)
    if divisor_override is None:
        return _pooled(_avg, *given, (ceil_mode, not exclusive), data_format)
    high, wide = several("avg_pool2d", kernel_size, 2, "kernel_size")
    made = _pooled(_avg, *given, (ceil_mode, True), data_format)
    return made * (high * wide / divisor_override)


def avg_pool1d(
    x, kernel_size, stride=None, padding=0, exclusive=True, ceil_mode=False, name=None
):
    """The mean of each window of lines, without the padding unless exclusive is false."""
    settings = (ceil_mode, not exclusive)
    return _pooled(_avg, "avg_pool1d", 1, x, kernel_size, stride, padding, settings, "NCL")


# ---- To a given size -----------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _averages(length, count, dtype):
    from ..._create import to_tensor

    return to_tensor(averages(length, count), dtype=dtype)


def _uneven_means(x, have, made):
    first, second = (_averages(old, new, x.dtype) for old, new in zip(have, made))
    return _matmul(_matmul(first, x), second, False, True)


def _uneven_maxima(x, have, made):
    return maxima(x, have, made, _max, _concat)


def _adaptive(name, spatial, x, output_size, pool, uneven, data_format):
    x, last = channels_first(name, tensor(name, x), data_format, spatial)
    if spatial == 1:
        x = x.unsqueeze(2)
    if isinstance(output_size, int):
        wanted = (output_size,) * spatial
    else:
        wanted = tuple(output_size)
    wanted = (1, *wanted) if spatial == 1 else wanted
    made = tuple(old if new is None else int(new) for old, new in zip(x.shape[-2:], wanted))
    result = pooled_to(x, made, pool, uneven)
    return channels_last(result.squeeze(2) if spatial == 1 else result, last, spatial)


def adaptive_avg_pool2d(x, output_size, data_format="NCHW", name=None):
    """Means of windows that make images of a given size; None keeps a length."""
    return _adaptive(
        "adaptive_avg_pool2d", 2, x, output_size, _avg, _uneven_means, data_format
    )


def adaptive_avg_pool1d(x, output_size, name=None):
    """Means of windows that make lines of a given length."""
    return _adaptive("adaptive_avg_pool1d", 1, x, output_size, _avg, _uneven_means, "NCL")


def adaptive_max_pool2d(x, output_size, return_mask=False, name=None):
    """The largest elements of windows that make images of a given size; None keeps a length."""
    if return_mask:
        raise absent("adaptive_max_pool2d", "return_mask=True")
    return _adaptive("adaptive_max_pool2d", 2, x, output_size, _max, _uneven_maxima, "NCHW")


def adaptive_max_pool1d(x, output_size, return_mask=False, name=None):
    """The largest elements of windows that make lines of a given length."""
    if return_mask:
        raise absent("adaptive_max_pool1d", "return_mask=True")
    return _adaptive("adaptive_max_pool1d", 1, x, output_size, _max, _uneven_maxima, "NCL")
