"""Runs a case in whatever `torch` is given, and describes what it answers.

Inputs and parameters are numbers of a formula, so that both libraries have the same. Kinds of
inputs: f floats in (-1, 1), n in (-5, 5), d the same as f of float64, e whole and half numbers, p
probabilities with and P without a gradient, soft rows that add up to 1; i<n>, j<n>, u<n> integers
below n of int64, int32, uint8; k<n> the same with -100 among them; c<n> such counts as floats; s
signs 1 and -1.
"""

import math
import warnings

import numpy

TOLERANCE = 1e-5


def numbers(shape, seed):
    """Numbers from 0 to below 1, the same everywhere."""
    count = math.prod(shape)
    places = numpy.arange(1, count + 1, dtype=numpy.uint64) + numpy.uint64(seed * 7919)
    mixed = places * numpy.uint64(6364136223846793005) + numpy.uint64(1442695040888963407)
    mixed ^= mixed >> numpy.uint64(29)
    mixed *= numpy.uint64(0xBF58476D1CE4E5B9)
    return ((mixed >> numpy.uint64(40)).astype(numpy.float64) / 2**24).reshape(shape)


def input_of(torch, kind, shape, seed):
    """A tensor of a kind."""
    x = numbers(shape, seed)
    if kind[0] in "ijukc" and kind[1:].isdigit():
        whole = numpy.floor(x * int(kind[1:]))
        if kind[0] == "k":
            whole[numbers(shape, seed + 1) < 0.4] = -100
        types = {"i": "int64", "j": "int32", "u": "uint8", "k": "int64", "c": "float32"}
        return torch.tensor(whole.astype(types[kind[0]]))
    if kind == "soft":
        return torch.tensor((x / x.sum(-1, keepdims=True)).astype("float32"))
    if kind == "s":
        return torch.tensor(numpy.where(x < 0.5, -1, 1).astype("float32"))
    if kind in ("p", "P"):
        return torch.tensor((x * 0.98 + 0.01).astype("float32")).requires_grad_(kind == "p")
    x = {"n": x * 10 - 5, "e": numpy.round(x * 8 - 4) / 2}.get(kind, x * 2 - 1)
    x = numpy.asarray(x).astype("float64" if kind == "d" else "float32")
    return torch.tensor(x).requires_grad_()


def fill(torch, module):
    """The formula's numbers into all parameters, and positive ones into running variances."""
    with torch.no_grad():
        for at, (_, one) in enumerate(module.named_parameters()):
            one.copy_(torch.tensor(numbers(tuple(one.shape), 100 + at) - 0.4))
        for name, one in module.named_buffers():
            if name.endswith("running_var"):
                one.copy_(torch.tensor(numbers(tuple(one.shape), 200) + 0.5))
            elif name.endswith("running_mean"):
                one.copy_(torch.tensor(numbers(tuple(one.shape), 201)))


def names(torch):
    """What the texts of cases are made of."""
    nn = torch.nn

    class Stated(nn.Module):
        def __init__(self, layer):
            super().__init__()
            self.layer = layer

        def forward(self, x, state):
            return self.layer(x, state)

    class Paired(Stated):
        def forward(self, x, state, cell):
            return self.layer(x, (state, cell))

    return {"torch": torch, "nn": nn, "F": nn.functional, "Stated": Stated, "Paired": Paired}


def flat(made):
    """The tensors of a result."""
    if isinstance(made, (tuple, list)):
        return [one for item in made for one in flat(item)]
    return [made]


def described(label, tensor):
    """A tensor's type, shape and elements."""
    array = tensor.detach().numpy().astype("float64")
    return [label, str(tensor.dtype), list(tensor.shape), array.reshape(-1).tolist()]


def is_lazy(module):
    return any(type(one).__name__.startswith("Uninit") for one in module.parameters())


def _run(torch, case):
    layer = eval(case["make"], names(torch))
    inputs = [
        input_of(torch, kind, tuple(shape), at) for at, (kind, shape) in enumerate(case["inputs"])
    ]
    is_module = isinstance(layer, torch.nn.Module)
    if is_module:
        if is_lazy(layer):
            with torch.no_grad():
                layer.eval()(*inputs)
        fill(torch, layer)
        layer.train(case["mode"] == "train")
    for _ in range(case["calls"]):
        made = layer(*inputs)
    outputs = flat(made)
    found = [described("output", one) for one in outputs]
    flowing = [one for one in outputs if one.requires_grad]
    if flowing:
        gradients = [
            torch.tensor(numbers(tuple(one.shape), 50 + at) + 0.5).to(one.dtype)
            for at, one in enumerate(flowing)
        ]
        torch.autograd.backward(flowing, gradients)
    leaves = [one for one in inputs if one.is_leaf and one.grad is not None]
    found += [described("gradient", one.grad) for one in leaves]
    if is_module:
        for name, one in layer.named_parameters():
            if one.grad is not None:
                found.append(described(f"gradient of {name}", one.grad))
        found += [described(name, one) for name, one in layer.named_buffers()]
    return found


def run(torch, case):
    """What a case answers: tensors, or the name of an exception class."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return {"tensors": _run(torch, case)}
        except Exception as error:
            return {"error": type(error).__name__, "text": str(error)}


# ---- Comparison ----------------------------------------------------------------------------------

WHOLE = 12  # so many elements are kept as they are


def summary(values):
    """The elements, or if they are many their largest, their sum and another sum."""
    if len(values) <= WHOLE:
        return values
    array = numpy.asarray(values)
    turned = numpy.cos(3.0 * numpy.arange(len(values)) + 1)
    return [float(numpy.max(numpy.abs(array))), float(array.sum()), float((array * turned).sum())]


def alike(one, other, count):
    """Whether numbers are the same within the tolerance, of each and of the largest."""
    one, other = numpy.asarray(one, dtype="float64"), numpy.asarray(other, dtype="float64")
    largest = numpy.max(numpy.abs(other), initial=0.0, where=numpy.isfinite(other))
    bound = TOLERANCE * max(largest, 0.05) * math.sqrt(max(count / WHOLE, 1.0))
    return bool(numpy.allclose(one, other, rtol=TOLERANCE, atol=bound, equal_nan=True))


def difference(real, ours):
    """How an answer differs from the real one, which may be a summary; None if it does not."""
    if "error" in real or "error" in ours:
        if real.get("error") == ours.get("error"):
            return None
        shown = [answer.get("error", "a result") for answer in (real, ours)]
        return f"{shown[0]} became {shown[1]}: {ours.get('text', '')[:150]}"
    labels = [[one[0] for one in answer["tensors"]] for answer in (real, ours)]
    if labels[0] != labels[1]:
        return f"{labels[0]} became {labels[1]}"
    for (label, dtype, shape, values), made in zip(real["tensors"], ours["tensors"]):
        if [dtype, shape] != made[1:3]:
            return f"{label}: {dtype} {shape} became {made[1]} {made[2]}"
        whole = made[3]
        found = whole if len(whole) == len(values) else summary(whole)
        if not alike(found, values, len(whole)):
            return f"{label}: values differ: {found[:4]} instead of {values[:4]}"
    return None
