"""What losses do with the numbers of single elements."""

from ..._reduce import mean as _mean
from ..._reduce import sum as _sum

MODES = ("mean", "sum", "none")


def check(reduction):
    """ValueError unless it is one."""
    if reduction not in MODES:
        raise ValueError(f"{reduction} is not a valid value for reduction")


def reduced(loss, reduction):
    """The mean or the sum of elements, or these."""
    if reduction == "mean":
        return _mean(loss)
    if reduction == "sum":
        return _sum(loss)
    check(reduction)
    return loss


def legacy(size_average, reduce):
    """What the older two arguments say, with a warning."""
    import warnings

    size_average = True if size_average is None else size_average
    reduce = True if reduce is None else reduce
    found = "none" if not reduce else "mean" if size_average else "sum"
    warnings.warn(
        f"size_average and reduce args will be deprecated, please use reduction='{found}' instead.",
        UserWarning,
        stacklevel=4,
    )
    return found
