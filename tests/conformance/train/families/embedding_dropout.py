"""Embeddings and picked elements, against PyTorch's; dropout as far as it can be compared: which
values there are, their mean, and that the gradient has the mask of the result."""

import numpy

from ..case import Case, integers, normal
from ..gradient import gradient_case, room

DTYPES = ["float32", "float64"]


def position_cases(dtype):
    indices, weight = integers(1, 5, 3, 4), normal(2, 5, 3, dtype=dtype)
    yield gradient_case(
        f"embedding {dtype}",
        {"indices": indices, "weight": weight},
        ["weight"],
        lambda ps, indices, weight: ps.nn.embedding(indices, weight),
        lambda torch, indices, weight: torch.nn.functional.embedding(indices, weight),
        **room(dtype),
    )
    for axis in range(3):
        shape = [length for i, length in enumerate((3, 4, 5)) if i != axis]
        inputs = {"x": normal(3, 3, 4, 5, dtype=dtype), "index": integers(4, 3, *shape)}
        for keep in (False, True):
            yield gradient_case(
                f"pick along {axis}, keepdims {keep} {dtype}",
                inputs,
                ["x"],
                lambda ps, x, index, axis=axis, keep=keep: ps.nn.pick(x, index, axis, keep),
                lambda torch, x, index, axis=axis, keep=keep: picked(torch, x, index, axis, keep),
                **room(dtype),
            )


def picked(torch, x, index, axis, keep):
    taken = torch.gather(x, axis, index.unsqueeze(axis))
    return taken if keep else taken.squeeze(axis)


def facts(x, y, gradient, p):
    """What is true of a result whose gradient was taken with ones."""
    kept = y != 0
    scaled = numpy.allclose(y[kept], x[kept] / (1 - p), 1e-6)
    share = abs(kept.mean() - (1 - p)) < 0.1
    masked = numpy.allclose(gradient, kept / (1 - p), 1e-6)
    return {"true": numpy.array([scaled, share, masked, abs(y.mean() - x.mean()) < 0.5])}


class Numbers:
    """What an answer is made of, as both libraries give it."""

    def __init__(self, array):
        self.array = array

    def asnumpy(self):
        return self.array

    def detach(self):
        return self

    def numpy(self):
        return self.array


def dropout_case(dtype, p, axes=None):
    x = normal(5, 4, 10, dtype=dtype) + 3 if axes is None else normal(5, 2, 3, 4, dtype=dtype) + 3
    times = 100

    def ours(ps, arrays):
        ps.random.seed(1)
        wide = ps.tile(arrays["x"], (times,) + (1,) * (x.ndim - 1))
        wide.attach_grad()
        with ps.autograd.record():
            y = ps.nn.dropout(wide, p, axes)
        y.backward()
        found = facts(wide.asnumpy(), y.asnumpy(), wide.grad.asnumpy(), p)
        return {key: Numbers(value) for key, value in found.items()}

    def theirs(torch, tensors):
        torch.manual_seed(1)
        wide = tensors["x"].tile((times,) + (1,) * (x.ndim - 1)).requires_grad_()
        functions = torch.nn.functional
        y = functions.dropout(wide, p) if axes is None else functions.dropout1d(wide, p)
        y.sum().backward()
        found = facts(wide.detach().numpy(), y.detach().numpy(), wide.grad.numpy(), p)
        return {key: Numbers(value) for key, value in found.items()}

    return Case(f"dropout {p} {axes} {dtype}", {"x": x}, ours, theirs)


def dropout_cases(dtype):
    for p in (0.0, 0.3, 0.8):
        yield dropout_case(dtype, p)
    yield dropout_case(dtype, 0.5, (2,))


def cases():
    found = []
    for dtype in DTYPES:
        found += position_cases(dtype)
        found += dropout_cases(dtype)
    return found
