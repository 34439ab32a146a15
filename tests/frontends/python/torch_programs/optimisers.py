"""Optimisers from scratch beside the built-in ones: the same steps give the same numbers."""

import torch
from d2l import torch as d2l
from torch import nn

torch.manual_seed(8)

X = torch.randn(60, 5)
y = X @ torch.tensor([1.0, -2.0, 0.5, 3.0, 0.0]) + 0.01 * torch.randn(60)
data_iter = d2l.load_array((X, y), 10, is_train=False)


def sgd(p, s, h, t):
    p.data.sub_(h["lr"] * p.grad)


def momentum(p, s, h, t):
    with torch.no_grad():
        s["v"][:] = h["momentum"] * s["v"] + p.grad
        p[:] -= h["lr"] * s["v"]


def adagrad(p, s, h, t):
    with torch.no_grad():
        s["s"][:] += torch.square(p.grad)
        p[:] -= h["lr"] * p.grad / (torch.sqrt(s["s"]) + 1e-10)


def rmsprop(p, s, h, t):
    with torch.no_grad():
        s["s"][:] = h["alpha"] * s["s"] + (1 - h["alpha"]) * torch.square(p.grad)
        p[:] -= h["lr"] * p.grad / (torch.sqrt(s["s"]) + 1e-8)


def adadelta(p, s, h, t):
    with torch.no_grad():
        s["s"][:] = h["rho"] * s["s"] + (1 - h["rho"]) * torch.square(p.grad)
        g = (torch.sqrt(s["delta"] + 1e-6) / torch.sqrt(s["s"] + 1e-6)) * p.grad
        p[:] -= h["lr"] * g
        s["delta"][:] = h["rho"] * s["delta"] + (1 - h["rho"]) * g * g


def adam(p, s, h, t):
    with torch.no_grad():
        s["v"][:] = 0.9 * s["v"] + 0.1 * p.grad
        s["s"][:] = 0.999 * s["s"] + 0.001 * torch.square(p.grad)
        v_hat, s_hat = s["v"] / (1 - 0.9**t), s["s"] / (1 - 0.999**t)
        p[:] -= h["lr"] * v_hat / (torch.sqrt(s_hat) + 1e-8)


def run(step):
    """The losses over three passes, from the same first weights."""
    w, b = torch.full((5, 1), 0.1, requires_grad=True), torch.zeros(1, requires_grad=True)
    found, t = [], 0
    take = step([w, b])
    for _ in range(3):
        for features, labels in data_iter:
            t += 1
            loss = d2l.squared_loss(d2l.linreg(features, w, b), labels).mean()
            loss.backward()
            take(t)
            for p in (w, b):
                p.grad.data.zero_()
            found.append(loss.item())
    return found


def scratch(update, **h):
    def start(params):
        states = [{k: torch.zeros(p.shape) for k in ("v", "s", "delta")} for p in params]

        def take(t):
            for p, s in zip(params, states):
                update(p, s, h, t)

        return take

    return start


def built_in(cls, **h):
    def start(params):
        optimiser = cls(params, **h)
        return lambda t: optimiser.step()

    return start


PAIRS = [
    (sgd, torch.optim.SGD, {"lr": 0.1}),
    (momentum, torch.optim.SGD, {"lr": 0.05, "momentum": 0.5}),
    (adagrad, torch.optim.Adagrad, {"lr": 0.3}),
    (rmsprop, torch.optim.RMSprop, {"lr": 0.05, "alpha": 0.9}),
    (adadelta, torch.optim.Adadelta, {"lr": 1.0, "rho": 0.9}),
    (adam, torch.optim.Adam, {"lr": 0.1}),
]
losses = []
for update, cls, settings in PAIRS:
    ours, theirs = run(scratch(update, **settings)), run(built_in(cls, **settings))
    difference = max(abs(a - b) / (abs(b) + 1e-3) for a, b in zip(ours, theirs))
    assert difference < 1e-3, (cls, difference)
    if cls is not torch.optim.Adadelta:
        assert sum(ours[-6:]) < 0.7 * sum(ours[:6]), cls
        losses = losses or ours

# In two dimensions.
f = lambda x1, x2: 0.1 * x1**2 + 2 * x2**2  # noqa: E731
results = d2l.train_2d(lambda x1, x2, s1, s2: (x1 - 0.04 * x1, x2 - 0.2 * 4 * x2, 0, 0))
d2l.show_trace_2d(f, results)
d2l.plt.close("all")
assert abs(results[-1][1]) < 1e-3

net = nn.Sequential(nn.Linear(5, 1))
trainer = torch.optim.SGD(net.parameters(), lr=0.05)
before = d2l.evaluate_loss(net, data_iter, nn.MSELoss(reduction="none"))
for features, labels in data_iter:
    trainer.zero_grad()
    nn.MSELoss()(net(features).reshape(-1), labels).backward()
    d2l.grad_clipping(net, 1)
    trainer.step()
assert d2l.evaluate_loss(net, data_iter, nn.MSELoss(reduction="none")) < before
