"""Options of optimisers that cannot be."""

from .._tensor import Tensor


def rate(lr):
    """A learning rate: a number of at least 0, or a tensor of one."""
    if isinstance(lr, Tensor):
        if lr.numel() != 1:
            raise ValueError(f"Tensor lr must be 1-element, not of {lr.numel()}")
    elif not 0.0 <= lr:
        raise ValueError(f"Invalid learning rate: {lr}")


def at_least_zero(**options):
    """Numbers by name; 'epsilon' is what eps is called in the text of its error."""
    for name, value in options.items():
        if not isinstance(value, Tensor) and not 0.0 <= value:
            raise ValueError(f"Invalid {name} value: {value}")


def betas(given):
    """Two numbers of at least 0 and below 1."""
    if isinstance(given[0], Tensor) or isinstance(given[1], Tensor):
        if not (isinstance(given[0], Tensor) and isinstance(given[1], Tensor)):
            raise ValueError("betas must be either both floats or both Tensors")
        raise NotImplementedError("betas that are tensors are not here: give numbers")
    for place in (0, 1):
        if not 0.0 <= given[place] < 1.0:
            raise ValueError(f"Invalid beta parameter at index {place}: {given[place]}")


def ways(foreach=None, differentiable=False, fused=None, capturable=False):
    """How a step is computed: always all parameters together, and never recorded."""
    if fused and differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if fused and foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
    if differentiable:
        raise NotImplementedError("differentiable=True is not here: steps are not recorded")
