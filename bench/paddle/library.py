#!/usr/bin/env python3
"""One library in the benchmark against PaddlePaddle: `library.py paddle|penstock`
(../common/dialect.py)."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "common")]

from dialect import Dialect, serve  # noqa: E402
from rows import PEER, ROWS  # noqa: E402


def trainer(paddle, make):
    """A step of learning, and the loss before it; `make` is an optimiser's class."""
    nn = paddle.nn
    net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
    for at, one in enumerate(net.parameters()):
        count = int(one.numel())
        one.set_value(paddle.linspace(-0.1, 0.1 + 0.01 * at, count).reshape(one.shape))
    rows = paddle.linspace(-1, 1, 512).reshape([8, 64])
    wanted = paddle.linspace(0, 1, 8).reshape([8, 1])
    loss, optimizer = nn.MSELoss(), make(learning_rate=0.01, parameters=net.parameters())

    def step():
        found = loss(net(rows), wanted)
        found.backward()
        optimizer.step()
        optimizer.clear_grad()
        return found

    return step


class Paddle(Dialect):
    """PaddlePaddle."""

    name, title, rows = PEER, "PaddlePaddle", ROWS

    def about(self, paddle):
        return f"PaddlePaddle {paddle.__version__}, {paddle.device.get_device()}"

    def names(self, paddle):
        to_tensor = paddle.to_tensor
        return {"x": to_tensor([[1.5, 2.5]]), "y": to_tensor([[0.5, 3.0]]),
                "u": to_tensor([1.0, 2.0]),
                "m": to_tensor([[1.0, 2.0], [3.0, 4.0]]),
                "w": to_tensor([1.0, 2.0], stop_gradient=False),
                "v": to_tensor([3.0, 4.0], stop_gradient=False)}

    def steps(self, paddle):
        return {"train_sgd": trainer(paddle, paddle.optimizer.SGD),
                "train_adam": trainer(paddle, paddle.optimizer.Adam)}

    def values(self, paddle, tensor):
        return tensor.detach().astype("float64").reshape([-1]).tolist()


if __name__ == "__main__":
    serve(__doc__, Paddle())
