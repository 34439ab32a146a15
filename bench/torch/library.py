#!/usr/bin/env python3
"""One library in the benchmark against PyTorch: `library.py torch|penstock`. Answers a line for each
question: `about`, `check ROW`, `time ROW`, and `counts` for ours (../common/program.py)."""

import os
import sys
import timeit

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "common")]

import protocol  # noqa: E402
from peer import best_s  # noqa: E402
from rows import RANDOM, statement  # noqa: E402

BURST = 2000


def library(name):
    """torch, what waits for a result, and what it is."""
    if name == "torch":
        import torch
        return torch, lambda result: None, f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads"
    import penstock
    torch = penstock.install_as("torch")
    about = f"Penstock {penstock.__version__} as PyTorch, {penstock.engine.workers()} workers"
    return torch, lambda result: penstock.waitall(), about


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


def names_for(torch, wait):
    """What a row's statement sees."""
    return {"torch": torch, "wait": wait, "burst": BURST, "device": torch.device("cpu"),
            "x": torch.tensor([[1.5, 2.5]]), "y": torch.tensor([[0.5, 3.0]]),
            "m": torch.tensor([[1.0, 2.0], [3.0, 4.0]]),
            "w": torch.tensor([1.0, 2.0], requires_grad=True), "step": trainer(torch)}


def check(torch, wait, row):
    """A number that depends on every element of the result."""
    if row in RANDOM:
        return 0.0
    if row == "train":
        step = trainer(torch)
        return [step().item() for _ in range(20)][-1]
    names = names_for(torch, wait)
    exec(statement(row)[0], names)
    values = names["z"].detach().double().reshape(-1)
    return float((values * torch.arange(1, values.numel() + 1)).sum())


def time(torch, wait, row, seconds):
    """Microseconds of one operation, or of a whole piece of a program."""
    code, burst = statement(row)
    one = best_s(timeit.Timer(code, globals=names_for(torch, wait)), seconds)
    return one * 1e6 / (BURST if burst else 1)


def counts():
    import penstock
    penstock.waitall()
    stats = penstock.engine.stats()
    return f"counts {stats.pushed} {stats.executed}"


def answer(torch, wait, about, seconds, words):
    if words == ["about"]:
        return "about " + about
    if words == ["counts"]:
        return counts()
    command, row = words
    return protocol.answer(row, lambda: check(torch, wait, row) if command == "check"
                           else time(torch, wait, row, seconds))


def make_answer(name, seconds):
    torch, wait, about = library(name)
    return lambda words: answer(torch, wait, about, seconds, words)


def main():
    protocol.serve_library(__doc__, make_answer)


if __name__ == "__main__":
    main()
