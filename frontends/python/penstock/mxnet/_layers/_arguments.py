"""Checks of arguments that several layers share."""

from ..base import MXNetTypeError, MXNetValueError


def required(function, **values):
    """Arguments that have no default."""
    for name, value in values.items():
        if value is None or value == ():
            raise MXNetTypeError(
                f"Required parameter {name} is not presented, in operator {function}"
            )


def several(function, name, value, count, default):
    """So many integers; the default for each if none is given."""
    if value is None or value == ():
        return (default,) * count
    value = (value,) if isinstance(value, int) else tuple(value)
    if len(value) != count or not all(isinstance(one, int) for one in value):
        raise MXNetValueError(f"{function}: {name} must be {count} integers, not {value}")
    return value


def one_of(function, name, value, allowed):
    """One of some strings, or None."""
    if value is not None and value not in allowed:
        raise MXNetValueError(
            f"Invalid Input: {value!r}, valid values are: {set(allowed)}: {name} of {function}"
        )


def shape_is(name, shape, expected):
    """The shape of an argument."""
    if shape != expected:
        raise MXNetValueError(
            f"{name} must have shape {expected} beside the other arguments, not {shape}"
        )


def bias_for(function, bias, no_bias, count):
    """The bias if there is one: it is given unless no_bias says that there is none."""
    if no_bias:
        return None
    if bias is None:
        raise MXNetValueError(f"Operator {function} expects 3 inputs, but got 2 instead: no bias")
    shape_is("bias", bias.shape, (count,))
    return bias
