"""PyTorch on the CPU. Every statement has its value when it ends."""

import torch

OPERATION = {
    "off": "with no_grad():\n    for _ in range(burst): y = x * z",
    "unrecorded": "for _ in range(burst): y = x * z",
    "recorded": "for _ in range(burst): y = x * z",
}
NAMES = {"no_grad": torch.no_grad}

exp, tanh, relu = torch.exp, torch.tanh, torch.relu
array = torch.tensor


def about():
    return f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads"


def leaf(values):
    return torch.tensor(values, requires_grad=True)


def gradients(function):
    """What was there is given up first, as a training loop does."""
    def run(*leaves):
        for x in leaves:
            x.grad = None
        function(*leaves).backward()
        return [x.grad for x in leaves]
    return run


def pullback(function, x):
    x.grad = None
    y = function(x)

    def back():
        y.backward()
        return x.grad
    return back


def learner(loss, rate):
    def step(weights, *data):
        for w in weights:
            w.grad = None
        loss(weights, *data).backward()
        with torch.no_grad():
            for w in weights:
                w -= rate * w.grad
        return weights
    return step


def product_parts(x, w, g):
    with torch.no_grad():
        return [x @ w, g @ w.T, x.T @ g]


def wait(_x):
    pass


def values(x):
    return x.detach().numpy()
