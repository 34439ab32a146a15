#!/usr/bin/env python3
"""One library in the benchmark against PyTorch: `library.py torch|penstock` (../common/dialect.py)."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "common")]

from dialect import Dialect, serve  # noqa: E402
from rows import PEER, ROWS  # noqa: E402


def trainer(torch):
    """A step of learning, and the loss before it."""
    nn = torch.nn
    net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
    with torch.no_grad():
        for at, one in enumerate(net.parameters()):
            one.copy_(torch.linspace(-0.1, 0.1 + 0.01 * at, one.numel()).reshape(one.shape))
    rows, wanted = torch.linspace(-1, 1, 512).reshape(8, 64), torch.linspace(0, 1, 8).reshape(8, 1)
    loss, sgd = nn.MSELoss(), torch.optim.SGD(net.parameters(), lr=0.01)

    def step():
        sgd.zero_grad()
        found = loss(net(rows), wanted)
        found.backward()
        sgd.step()
        return found

    return step


class Torch(Dialect):
    """PyTorch."""

    name, title, rows = PEER, "PyTorch", ROWS

    def about(self, torch):
        return f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads"

    def names(self, torch):
        return {"device": torch.device("cpu"),
                "x": torch.tensor([[1.5, 2.5]]), "y": torch.tensor([[0.5, 3.0]]),
                "m": torch.tensor([[1.0, 2.0], [3.0, 4.0]]),
                "w": torch.tensor([1.0, 2.0], requires_grad=True)}

    def steps(self, torch):
        return {"train": trainer(torch)}

    def values(self, torch, tensor):
        return tensor.detach().double().reshape(-1).tolist()


if __name__ == "__main__":
    serve(__doc__, Torch())
