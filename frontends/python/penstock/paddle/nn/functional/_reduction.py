"""What becomes of the losses of elements: their mean, their sum, or themselves."""

from ..._dialect import row

_mean, _sum = row("mean", "mean", "x"), row("sum", "sum", "x")


def check(name, reduction):
    """ValueError unless it is one."""
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(
            f"The value of 'reduction' in {name} should be 'sum', 'mean' or 'none', but received "
            f"{reduction}, which is not allowed."
        )


def reduced(loss, reduction):
    """The mean or the sum of losses, or these."""
    if reduction == "mean":
        return _mean(loss)
    return _sum(loss) if reduction == "sum" else loss
