"""NumPy's functions of elements on tensors: operators give tensors, others are done on the host."""

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
    "equal": "eq",
    "not_equal": "ne",
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
}


def call(ufunc, method, inputs, kwargs):
    """What ufunc(*inputs) gives: a tensor of operators, of other functions NumPy's array."""
    import numpy

    from ._tensor import Tensor

    name, first = ufunc.__name__, inputs[0]
    if method == "__call__" and name in _OPERATORS and len(inputs) == 2 and not kwargs:
        import operator

        from ._create import to_tensor

        if isinstance(first, numpy.generic):
            first = first.item()
        elif isinstance(first, numpy.ndarray):
            first = to_tensor(first)
        return getattr(operator, _OPERATORS[name])(first, inputs[1])
    arrays = [one.numpy() if isinstance(one, Tensor) else one for one in inputs]
    return getattr(ufunc, method)(*arrays, **kwargs)
