"""Cases of functions with their gradients: the result, weighted by fixed numbers and added up, is
differentiated by some of the inputs."""

import numpy

from .case import Case


def weights(shape, dtype):
    numbers = numpy.arange(int(numpy.prod(shape))) * 7 % 11 / 10 + 1
    return numbers.reshape(shape).astype(dtype)


def gradient_case(name, inputs, wanted, ours, theirs, **room):
    """`ours(ps, **arrays)` and `theirs(torch, **tensors)` give an array, or several of which the
    first is differentiated by the inputs that `wanted` names; all of them are compared."""

    def of_ours(ps, arrays):
        for key in wanted:
            arrays[key].attach_grad()
        with ps.autograd.record():
            made = ours(ps, **arrays)
            several = made if isinstance(made, tuple) else (made,)
            scale = ps.array(weights(several[0].shape, str(several[0].dtype)))
            total = (several[0] * scale).sum()
        if wanted:
            total.backward()
        return named(several) | {f"d{key}": arrays[key].grad for key in wanted}

    def of_theirs(torch, tensors):
        for key in wanted:
            tensors[key].requires_grad_()
        made = theirs(torch, **tensors)
        several = made if isinstance(made, tuple) else (made,)
        dtype = str(several[0].dtype).removeprefix("torch.")
        scale = torch.from_numpy(weights(tuple(several[0].shape), dtype))
        if wanted:
            (several[0] * scale).sum().backward()
        return named(several) | {f"d{key}": tensors[key].grad for key in wanted}

    return Case(name, inputs, of_ours, of_theirs, **room)


def named(several):
    return {f"y{i}": value for i, value in enumerate(several)}


def room(dtype):
    """How far results of a type may lie apart."""
    if dtype == "float64":
        return {"rtol": 1e-11, "atol": 1e-12}
    return {"rtol": 2e-5, "atol": 2e-6}
