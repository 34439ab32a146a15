"""Programs on PyTorch: what gradients should be. Reads programs, a line each, and prints answers.

A row reads copies of its operands, and gives out a copy of its result. So nothing that it saved can
be written to, and PyTorch never refuses to go on because it was: the gradient is that of the values
that were read, which is what penstock promises. Views are PyTorch's own, and so is what happens to
them when something is written through one. Values are written by copy_ alone.

Requests are penstock's: `write` replaces a gradient that something flowed to, `add` adds to it, and
it is zeros before."""

import json
import os
import sys

import torch
import torch.nn.functional as F

from . import rows

DTYPES = {name: getattr(torch, name) for name in ("float64", "float32", "float16", "int64", "bool")}

# ---- Rows ---------------------------------------------------------------------------------------


def axes_of(x, axis):
    if axis is None:
        return tuple(range(x.ndim))
    return tuple(axis) if isinstance(axis, list) else (axis,)


def reduction(function, **more):
    return lambda x, axis, keepdims: function(x, dim=axes_of(x, axis), keepdim=keepdims, **more)


def product_of(x, axis, keepdims):
    for one in sorted((a % x.ndim for a in axes_of(x, axis)), reverse=True):
        x = torch.prod(x, dim=one, keepdim=keepdims)
    return x


UNARY = {
    "negative": torch.neg,
    "abs": torch.abs,
    "sin": torch.sin,
    "cos": torch.cos,
    "tanh": torch.tanh,
    "atan": torch.atan,
    "asinh": torch.asinh,
    "erf": torch.erf,
    "sigmoid": torch.sigmoid,
    "softplus": lambda x: torch.logaddexp(x, torch.zeros_like(x)),
    "silu": F.silu,
    "gelu": F.gelu,
    "relu": torch.relu,
    "leaky_relu": lambda x: F.leaky_relu(x + 0.01, 0.3),
    "elu": F.elu,
    "softsign": F.softsign,
    # What equals a bound gets all.
    "clip": lambda x: torch.where(x < -0.7, -0.7, torch.where(x > 0.9, 0.9, x)),
    "exp": torch.exp,
    "square": torch.square,
    "cube": lambda x: x**3,
    "root": lambda x: torch.sqrt(x * x + 1.0),
    "logarithm": lambda x: torch.log(x * x + 1.0),
    "inverse": lambda x: 1.0 / (x * x + 2.0),
    "copy": torch.clone,
}
BINARY = {
    "add": torch.add,
    "subtract": torch.sub,
    "multiply": torch.mul,
    "quotient": lambda x, y: x / (y * y + 1.0),
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    "hypot": lambda x, y: torch.hypot(x, y * y + 0.5),
    "angle": lambda x, y: torch.atan2(x, y * y + 0.5),
    "logaddexp": torch.logaddexp,
    "power": lambda x, y: torch.pow(x * x + 0.5, y),
}
REDUCTIONS = {
    "sum": reduction(torch.sum),
    "mean": reduction(torch.mean),
    "max": reduction(torch.amax),
    "min": reduction(torch.amin),
    "prod": product_of,
    "var": reduction(torch.var, correction=0),
    "logsumexp": reduction(torch.logsumexp),
    "norm": reduction(torch.linalg.vector_norm),
}
ALONG = {
    "softmax": torch.softmax,
    "log_softmax": torch.log_softmax,
    "cumulative_sum": torch.cumsum,
    "cumulative_prod": torch.cumprod,
    "sort": lambda x, axis: torch.sort(x, stable=True, dim=axis).values,
    "sort_down": lambda x, axis: torch.sort(x, stable=True, dim=axis, descending=True).values,
    "flip": lambda x, axis: torch.flip(x, [axis]),
    "roll": lambda x, axis: torch.roll(x, 1, axis),
}
PRODUCTS = {
    "matmul": torch.matmul,
    "matmul_left": lambda x, y: x.T @ y,
    "matmul_right": lambda x, y: x @ y.T,
    "vecdot": lambda x, y: (x * y).sum(-1),
    "outer": torch.outer,
    "tensordot": lambda x, y: torch.tensordot(x, y, dims=1),
    "linear": F.linear,
}
OTHERS = {
    "scale": lambda x, number: x * number,
    "shift": lambda x, number: x + number,
    "from": lambda x, number: number - x,
    "cast": lambda x, dtype: x.to(DTYPES[dtype]),
    "where": torch.where,
    "choose": lambda x, y: torch.where(x > 0.1, x, y),
    "take": lambda x, at, axis: torch.index_select(x, axis, at % x.shape[axis]),
    "at": lambda x, at: x[at],
    "at_second": lambda x, at: x[:, at],
    "concatenate": lambda *all, axis: torch.cat(all, axis),
    "stack": lambda *all, axis: torch.stack(all, axis),
    "tile": lambda x, reps: torch.tile(x, tuple(reps)),
    "repeat": lambda x, axis: torch.repeat_interleave(x, 2, axis),
    "pad": lambda x: F.pad(x, (1, 1) * x.ndim, value=0.5),
    "tril": torch.tril,
    "small": torch.atan,
}
CALLS = UNARY | {
    # Types meet as everywhere in PyTorch: a few of its functions want them equal.
    name: lambda x, y, f=f: f(*(one.to(torch.promote_types(x.dtype, y.dtype)) for one in (x, y)))
    for name, f in BINARY.items()
}
CALLS |= REDUCTIONS | ALONG | PRODUCTS | OTHERS


def packed(x):
    """A copy whose elements lie side by side, as results of penstock's do."""
    return x.clone(memory_format=torch.contiguous_format)


class Key:
    """Key()[1:2, 0] is the key itself."""

    def __getitem__(self, key):
        return key


def key_of(text):
    return eval(f"key[{text}]", {"key": Key()})


def split(x, parts, axis):
    """By slices: PyTorch's own split makes views that cannot be written to."""
    size = x.shape[axis] // parts
    return [x.narrow(axis, i * size, size) for i in range(parts)]


VIEWS = {
    "index": lambda x, key: x[key_of(key)],
    "permute": lambda x, axes: x.permute(axes),
    "reshape": lambda x, shape: x.view(shape),
    "broadcast": lambda x, shape: x.expand(shape),
    "split": split,
    "detach": torch.Tensor.detach,
}
SIGNS = {"+": torch.add, "-": torch.sub, "*": torch.mul}
FUNCTIONS = {"add": torch.add, "multiply": torch.mul, "subtract": torch.sub}

# ---- Programs -----------------------------------------------------------------------------------

PLACE = ("do", "of", "to", "mode")  # of a step, what is no argument of its row


class Player:
    """Runs the steps of one program."""

    def __init__(self):
        self.arrays = {}
        self.requests = {}  # of each leaf
        self.grads = {}

    def operands(self, step):
        return [self.arrays[x] if isinstance(x, str) else x for x in step.get("of", [])]

    def step(self, step):
        if all(name in self.arrays for name in rows.names_of(step)):
            with torch.set_grad_enabled(step.get("mode", "record") == "record"):
                made = self.made(step)
            for name, one in zip(rows.targets_of(step), made):
                self.arrays[name] = one

    def made(self, step):
        """What a step makes, as a list."""
        do, of = step["do"], self.operands(step)
        given = {key: value for key, value in step.items() if key not in PLACE}
        if do in rows.MAKES:
            return [self.make(step)]
        if do in CALLS:
            read = [x.clone() if isinstance(x, torch.Tensor) else x for x in of]
            return [packed(CALLS[do](*read, **given))]
        if do in VIEWS:
            view = VIEWS[do](*of, **given)
            return view if isinstance(view, list) else [view]
        return getattr(self, do)(*of, **given) or []

    def make(self, step):
        dtype, shape = DTYPES[step["dtype"]], step["shape"]
        if step["do"] == "zeros":
            return torch.zeros(shape, dtype=dtype)
        return packed(torch.tensor(rows.numbers(step), dtype=dtype).reshape(shape))

    # ---- Writing ----
    # What made a view is asked for before it is written to: else PyTorch does not notice that it
    # has become part of a graph by way of its base, and takes it for a leaf.

    def write(self, x, value):
        _ = x.grad_fn
        x.copy_(value)

    def set(self, x, value, key):
        _ = x.grad_fn
        x[key_of(key)] = value.clone() if isinstance(value, torch.Tensor) else value

    def set_at(self, x, at, value):
        _ = x.grad_fn
        x[at] = value.clone().to(x.dtype) if isinstance(value, torch.Tensor) else value

    def into(self, x, a, b, function):
        self.write(x, FUNCTIONS[function](a.clone(), b.clone()))

    def augment(self, x, value, sign):
        value = value.clone() if isinstance(value, torch.Tensor) else value
        self.write(x, SIGNS[sign](x.clone(), value))

    # ---- Gradients ----

    def attach(self, x, request):
        x.requires_grad_()
        self.requests[id(x)] = (x, request)
        self.grads[id(x)] = torch.zeros_like(x)

    def grad_of(self, x):
        return [self.grads[id(x)].detach().clone()]

    def descend(self, x):
        x.sub_(0.05 * torch.tanh(self.grads[id(x)]))

    def clear_grad(self, x):
        self.grads[id(x)].zero_()

    def heads(self, heads, factors):
        found = [self.arrays[name] for name in heads]
        names = factors or [None] * len(found)
        return found, [
            torch.ones_like(head) if name is None else self.arrays[name].clone()
            for head, name in zip(found, names)
        ]

    def backward(self, heads, factors=None, retain=False):
        found, given = self.heads(heads, factors)
        torch.autograd.backward(found, given, retain_graph=True)
        for key, (x, request) in self.requests.items():
            if x.grad is not None:
                before = self.grads[key]
                self.grads[key] = before + x.grad if request == "add" else x.grad.clone()
                x.grad = None

    def grad(self, heads, variables, create, factors=None):
        found, given = self.heads(heads, factors)
        wanted = [self.arrays[name] for name in variables]
        made = torch.autograd.grad(
            found, wanted, given, retain_graph=True, create_graph=create, allow_unused=True
        )
        return [torch.zeros_like(w) if g is None else packed(g) for w, g in zip(wanted, made)]


def encoded(x):
    flat = x.detach().reshape(-1)
    return {"dtype": str(x.dtype)[6:], "shape": list(x.shape), "data": flat.tolist()}


def run(program):
    player = Player()
    for at, step in enumerate(program["steps"]):
        try:
            player.step(step)
        except Exception as error:  # PyTorch's, which end the program
            return {"error": f"{type(error).__name__}: {error}", "at": at}
    arrays = player.arrays
    return {"arrays": {name: encoded(arrays[name]) for name in program["read"] if name in arrays}}


def main():
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what a library prints is no answer
    torch.set_num_threads(1)
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), file=answers)


if __name__ == "__main__":
    main()
