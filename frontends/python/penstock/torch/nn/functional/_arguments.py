"""What functions of layers ask of their arguments."""

from ..._tensor import Tensor


def floats(name, input):
    """The tensor, if it is of floating-point numbers; functions of layers take no others."""
    if not isinstance(input, Tensor):
        refuse(name, input)
    if not input.dtype.is_floating_point:
        raise NotImplementedError(f'"{name}" not implemented for {input.dtype}')
    return input


def refuse(name, input):
    """Raise for what is no tensor."""
    raise TypeError(
        f"{name}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}"
    )


def several(name, value, count, what):
    """An int as so many equal ones; a sequence of so many, or of one, as a tuple."""
    if isinstance(value, int):
        return (value,) * count
    given = tuple(value)
    if len(given) == 1:
        given *= count
    if len(given) != count:
        raise RuntimeError(f"{name}: {what} must be one int or {count} ints, not {list(value)}")
    return given


def single(name, value, what):
    """An int that may have been given as a sequence of one."""
    return several(name, value, 1, what)[0]
