"""NumPy's functions of one element on tensors: on the host, with a tensor as the result."""

# NumPy's names of Python's operators, with Python's.
_OPERATORS = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "divide": "truediv",
    "true_divide": "truediv",
    "floor_divide": "floordiv",
    "remainder": "mod",
    "power": "pow",
    "matmul": "matmul",
    "bitwise_and": "and_",
    "bitwise_or": "or_",
    "bitwise_xor": "xor",
    "left_shift": "lshift",
    "right_shift": "rshift",
}
_COMPARISONS = {
    "equal": "eq",
    "not_equal": "ne",
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
}
_WITH_ARRAYS = ("divide", "true_divide", "equal")  # that torch does with an array on the left


def call(ufunc, method, inputs, kwargs):
    """What ufunc(*inputs) gives; operators of a NumPy array with a tensor raise, as in torch."""
    import numpy

    name, first = ufunc.__name__, inputs[0]
    foreign = isinstance(first, (numpy.ndarray, numpy.generic))
    if method == "__call__" and foreign and name in {**_OPERATORS, **_COMPARISONS}:
        return _operated(name, first, inputs[1])
    return _on_host(ufunc, method, inputs, kwargs)


def _operated(name, first, second):
    """An operator with NumPy's on the left: numbers are Python's there."""
    import operator

    import numpy

    from ._create import from_numpy

    run = getattr(operator, {**_OPERATORS, **_COMPARISONS}[name])
    number = isinstance(first, numpy.generic) or name in _COMPARISONS and first.ndim == 0
    if number:
        return run(first.item(), second)
    if name in _WITH_ARRAYS:
        return run(from_numpy(first), second)
    raise TypeError(
        f"{name}: a NumPy array on the left of a tensor is not supported: convert it with "
        "torch.from_numpy"
    )


def _on_host(ufunc, method, inputs, kwargs):
    import numpy

    from ._create import from_numpy
    from ._tensor import Tensor

    arrays = [one.numpy() if isinstance(one, Tensor) else one for one in inputs]
    made = getattr(ufunc, method)(*arrays, **kwargs)
    if not isinstance(made, (numpy.ndarray, numpy.generic)):
        return made
    made = numpy.asarray(made)
    return from_numpy(made.astype("uint8") if made.dtype == bool else made)
