"""A small network learns a function of eight numbers from noisy samples of it.

Shows the parts of a training program: a dataset and its loader, layers, a loss, steps against the
gradient, and a figure at the end. Nothing in the loop waits for a value.
"""

import sys

import penstock as ps
from penstock import autograd, data, nn, optim

SAMPLES, INPUTS, BATCH, EPOCHS = 4096, 8, 64, 12


def function(x: ps.ndarray) -> ps.ndarray:
    """What is to be learned: waves along a line, and a product."""
    return ps.sin(x.sum(axis=1, keepdims=True)) + x[:, :1] * x[:, 1:2] / 2


def samples(count: int, noise: float, rng: ps.random.Generator) -> data.ArrayDataset:
    x = rng.uniform(-1.0, 1.0, (count, INPUTS))
    return data.ArrayDataset(x, function(x) + noise * rng.normal(size=(count, 1)))


def network(rng: ps.random.Generator) -> nn.Sequential:
    net = nn.Sequential(nn.Dense(64, "tanh"), nn.Dense(64, "tanh"), nn.Dense(1))
    return net.initialize(nn.init.Xavier(generator=rng))


def train(net: nn.Block, loader: data.DataLoader) -> None:
    loss_of = nn.L2Loss()
    trainer = optim.SGD(net.parameters(), 0.1, momentum=0.9)
    for epoch in range(EPOCHS):
        total = ps.zeros(())
        for x, y in data.progress(loader, f"epoch {epoch + 1:2}", file=sys.stdout):
            with autograd.record():
                loss = loss_of(net(x), y)
            loss.backward()
            trainer.step(len(x))
            total += loss.detach().mean()
        print(f"mean loss {(total / len(loader)).item():.4f}")


def main() -> None:
    rng = ps.random.default_rng(1)
    training, test = samples(SAMPLES, 0.05, rng), samples(1024, 0.0, rng)
    net = network(rng)
    train(net, data.DataLoader(training, BATCH, shuffle=True, num_workers=1, generator=rng))
    print(net.summary((BATCH, INPUTS)))
    x, y = test.batch(range(len(test)))
    error = ((net(x) - y) ** 2).mean() / y.var()
    print(f"of the variance of unseen samples {100 * (1 - error.item()):.1f} % is explained")


if __name__ == "__main__":
    main()
