"""Softmax classification: one linear layer tells generated digits apart, as far as it can.

The loss stays on the device until the end of an epoch: nothing in the loop waits for a value.
"""

import sys

import penstock as ps
from digits import pictures
from penstock import autograd, data, metric, nn, optim

BATCH, EPOCHS = 64, 5


def train(net: nn.Block, loader: data.DataLoader) -> None:
    trainer = optim.SGD(net.parameters(), 0.05)
    loss_of, seen = nn.SoftmaxCELoss(), metric.Loss()
    for epoch in range(EPOCHS):
        for x, labels in data.progress(loader, f"epoch {epoch + 1}", file=sys.stdout):
            with autograd.record():
                loss = loss_of(net(x), labels)
            loss.backward()
            trainer.step(len(labels))
            seen.update(None, loss)
        print(f"mean loss {seen.value:.3f}")
        seen.reset()


def main() -> None:
    rng = ps.random.default_rng(1)
    training, test = pictures(4000, rng), pictures(1000, rng)
    net = nn.Sequential(nn.Flatten(), nn.Dense(10)).initialize(nn.init.Normal(0.01, rng))
    train(net, data.DataLoader(training, BATCH, shuffle=True, num_workers=1, generator=rng))
    accuracy = metric.Accuracy()
    for x, labels in data.DataLoader(test, 250):
        accuracy.update(labels, net(x))
    print(f"{100 * accuracy.value:.1f} % of unseen digits are told by one linear layer")


if __name__ == "__main__":
    main()
