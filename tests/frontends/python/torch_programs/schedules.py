"""Learning rates that change: by hand, by a scheduler of one's own, by those of torch.optim."""

import math

import torch
from pictures import make
from torch import nn
from torch.optim import lr_scheduler

torch.manual_seed(9)


class ByRoot:
    """Falls with the root of the number of passes."""

    def __init__(self, first):
        self.first = first

    def __call__(self, passes):
        return self.first * (passes + 1) ** -0.5


def half_cosine(first, last_pass, at):
    """From the first rate to 0, along half a wave."""
    return first * (1 + math.cos(math.pi * min(at, last_pass) / last_pass)) / 2


X, y = make(128, 8)
net = nn.Sequential(nn.Flatten(), nn.Linear(64, 16), nn.ReLU(), nn.Linear(16, 4))
loss = nn.CrossEntropyLoss()


def train(trainer, scheduler, epochs):
    found, rates = [], []
    for epoch in range(epochs):
        trainer.zero_grad()
        l = loss(net(X), y)
        l.backward()
        trainer.step()
        found.append(l.item())
        if scheduler is not None:
            if scheduler.__module__ == lr_scheduler.__name__:
                scheduler.step()
            else:
                for group in trainer.param_groups:
                    group["lr"] = scheduler(epoch)
        rates.append(trainer.param_groups[0]["lr"])
    return found, rates


def sgd():
    return torch.optim.SGD(net.parameters(), lr=0.5)


trainer = sgd()
trainer.param_groups[0]["lr"] = 0.1
losses, rates = train(trainer, None, 5)
assert rates == [0.1] * 5
found, rates = train(sgd(), ByRoot(0.5), 10)
assert rates[3] == 0.25
losses += found

trainer = sgd()
found, rates = train(trainer, lr_scheduler.MultiStepLR(trainer, milestones=[3, 6], gamma=0.5), 10)
assert rates == [0.5] * 2 + [0.25] * 3 + [0.125] * 5
trainer = sgd()
found, rates = train(trainer, lr_scheduler.StepLR(trainer, 4, 0.1), 10)
assert [round(rate, 4) for rate in rates[::4]] == [0.5, 0.05, 0.005]
trainer = sgd()
found, rates = train(trainer, lr_scheduler.CosineAnnealingLR(trainer, T_max=10), 10)
own = [half_cosine(0.5, 10, epoch) for epoch in range(1, 11)]
assert max(abs(a - b) for a, b in zip(rates, own)) < 1e-6
losses += found
trainer = sgd()
found, rates = train(trainer, lr_scheduler.LambdaLR(trainer, lambda epoch: 1 / (epoch + 1)), 4)
assert [round(rate, 4) for rate in rates] == [0.25, 0.1667, 0.125, 0.1]
