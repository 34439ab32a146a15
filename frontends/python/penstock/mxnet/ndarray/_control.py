"""Loops and branches of mx.nd.contrib: functions of Python that are called as they are."""

from .._nd_array import NDArray
from ._call import ops

__all__ = ["cond", "foreach", "while_loop"]


def _arrays(name, values):
    """An array, or lists of arrays."""
    if isinstance(values, (list, tuple)):
        for value in values:
            _arrays(name, value)
    elif not isinstance(values, NDArray):
        raise AssertionError(f"{name} must be arrays of mx.nd, in lists or not, not {values!r}")


def _each(function, value):
    """The function of an array, or of all arrays of nested lists."""
    if isinstance(value, (list, tuple)):
        return [_each(function, one) for one in value]
    return function(value)


def _stacked(results):
    """Results of all steps, each an array or a nested list, with the steps as first axis."""
    if isinstance(results[0], (list, tuple)):
        return [_stacked(one) for one in zip(*results, strict=True)]
    return ops["stack"](list(results), 0)


def _length(data):
    return _length(data[0]) if isinstance(data, (list, tuple)) else data.shape[0]


def foreach(body, data, init_states, name="foreach"):
    """body(slice, states), which gives a result and new states, over the first axis of data.

    The result is what all calls gave, with a new first axis, and the last states.
    """
    _arrays("data", data)
    _arrays("init_states", init_states)
    states, results = init_states, []
    for step in range(_length(data)):
        result, states = body(_each(lambda array: array[step], data), states)
        results.append(result)
    return _stacked(results), states


def while_loop(cond, func, loop_vars, max_iterations=None, name="while_loop"):
    """func(*loop_vars), which gives a result and new loop_vars, as long as cond(*loop_vars).

    The result is what all calls gave, with a new first axis of length max_iterations, of which the
    rest is 0, and the last loop_vars.
    """
    if max_iterations is None:
        raise ValueError("while_loop needs max_iterations")
    _arrays("loop_vars", loop_vars)
    single = isinstance(loop_vars, NDArray)
    given, results = [loop_vars] if single else loop_vars, []
    while len(results) < max_iterations and _true(cond(*given)):
        result, given = func(*given)
        given = [given] if isinstance(given, NDArray) else list(given)
        results.append(result)
    if not results:
        return [], given
    return _each(lambda array: _longer(array, max_iterations), _stacked(results)), given


def _longer(array, length):
    missing = length - array.shape[0]
    if not missing:
        return array
    rest = (0,) * (array.ndim - 1)
    return ops["pad"](array, (0, *rest), (missing, *rest))


def _true(value):
    return bool(value.asscalar() if type(value) is NDArray else value)


def cond(pred, then_func, else_func, name="cond"):
    """What then_func() gives if the only element of pred is not 0, else what else_func() does."""
    return then_func() if _true(pred) else else_func()
