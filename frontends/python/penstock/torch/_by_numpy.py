"""NumPy's functions of one element on tensors: on the host, with a tensor as the result."""

_OPERATORS = {
    *("add", "subtract", "multiply", "divide", "true_divide", "floor_divide", "remainder", "power"),
    *("matmul", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"),
}


def _operator(name):
    """Python's operator for a function of NumPy's."""
    import operator

    names = {
        "subtract": "sub",
        "multiply": "mul",
        "divide": "truediv",
        "true_divide": "truediv",
        "floor_divide": "floordiv",
        "remainder": "mod",
        "power": "pow",
        "bitwise_and": "and_",
        "bitwise_or": "or_",
        "bitwise_xor": "xor",
        "left_shift": "lshift",
        "right_shift": "rshift",
    }
    return getattr(operator, names.get(name, name))


def call(ufunc, method, inputs, kwargs):
    """What ufunc(*inputs) gives; operators of a NumPy array with a tensor raise, as in torch."""
    import numpy

    from ._create import from_numpy
    from ._tensor import Tensor

    first = inputs[0]
    if method == "__call__" and ufunc.__name__ in _OPERATORS and isinstance(first, numpy.ndarray):
        if first.ndim > 0:
            raise TypeError(
                f"{ufunc.__name__}: a NumPy array on the left of a tensor is not supported: "
                "convert it with torch.from_numpy"
            )
    if method == "__call__" and ufunc.__name__ in _OPERATORS and isinstance(first, numpy.generic):
        return _operator(ufunc.__name__)(first.item(), inputs[1])
    arrays = [one.numpy() if isinstance(one, Tensor) else one for one in inputs]
    made = getattr(ufunc, method)(*arrays, **kwargs)
    return from_numpy(numpy.asarray(made)) if isinstance(made, (numpy.ndarray, numpy.generic)) else made
