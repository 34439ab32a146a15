"""PyTorch on the CPU, eager (`torch`) and compiled where there is something to fuse
(`torch_compile`). Every statement has its value when it ends."""

import calls
import torch
import torch._dynamo

torch.set_grad_enabled(False)
torch._dynamo.config.recompile_limit = 64  # each shape is compiled for itself


def chain(x):
    y = torch.relu(x * x + 2) * 0.5 - x
    return torch.exp(y * 0.01) + x


def softmax(x):
    e = torch.exp(x - x.amax(dim=-1, keepdim=True))
    return e / e.sum(dim=-1, keepdim=True)


NAMES = {"torch": torch,
         "exp": torch.exp,
         "chain": torch.compile(chain, dynamic=False),
         "softmax": torch.compile(softmax, dynamic=False)}

EAGER = calls.STATEMENTS | {
    "add": "y = x + 1",
    "chain": "y = torch.relu(x * x + 2) * 0.5 - x; y = torch.exp(y * 0.01) + x",
    "exp": "y = torch.exp(x)",
    "log": "y = torch.log(x)",
    "tanh": "y = torch.tanh(x)",
    "sum": "y = x.sum()",
    "sum_axis0": "y = x.sum(dim=0)",
    "sum_axis1": "y = x.sum(dim=1)",
    "softmax": "e = torch.exp(x - x.amax(dim=-1, keepdim=True)); y = e / e.sum(dim=-1, keepdim=True)",
    "transpose": "y = x.t().contiguous()",
    "mask": "y = x[mask]",
    "normals": "y = torch.randn(shape)",
    "matmul": "y = x @ b",
}
COMPILED = {"chain": "y = chain(x)", "softmax": "y = softmax(x)"}


class Derived(torch.Tensor):
    pass


CLASSES = {"sub": lambda x: x.as_subclass(Derived)}


def about(way):
    how = "compiled" if way else "eager"
    return f"PyTorch {torch.__version__} {how}, {torch.get_num_threads()} threads"


def statements(way):
    return (COMPILED if way else EAGER), {}


def array(values):
    return torch.from_numpy(values)


def values(result):
    return result.numpy()


copy = torch.tensor
relu = torch.relu


def start(_ys):
    pass


def wait(_y):
    pass
