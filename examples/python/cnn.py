"""A small convolutional network, in the manner of LeNet, reads generated digits."""

import sys

import penstock as ps
from digits import SIZE, pictures
from penstock import autograd, data, metric, nn, optim

BATCH, EPOCHS = 64, 4


def network() -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2D(8, 5, padding=2, activation="relu"),
        nn.MaxPool2D(2),
        nn.Conv2D(16, 5, activation="relu"),
        nn.MaxPool2D(2),
        nn.Flatten(),
        nn.Dense(64, "relu"),
        nn.Dense(10),
    )


def accuracy_of(net: nn.Block, test: data.Dataset) -> float:
    accuracy = metric.Accuracy()
    for x, labels in data.DataLoader(test, 250):
        accuracy.update(labels, net(x))
    return accuracy.value


def train(net: nn.Block, loader: data.DataLoader, test: data.Dataset) -> None:
    trainer = optim.Adam(net.parameters(), 0.002)
    loss_of, seen = nn.SoftmaxCELoss(), metric.Loss()
    for epoch in range(EPOCHS):
        for x, labels in data.progress(loader, f"epoch {epoch + 1}", file=sys.stdout):
            with autograd.record():
                loss = loss_of(net(x), labels)
            loss.backward()
            trainer.step(len(labels))
            seen.update(None, loss)
        print(f"mean loss {seen.value:.3f}, unseen digits {100 * accuracy_of(net, test):.1f} %")
        seen.reset()


def main() -> None:
    rng = ps.random.default_rng(1)
    training, test = pictures(6000, rng), pictures(1000, rng)
    net = network().initialize(nn.init.Xavier(generator=rng))
    print(net.summary((BATCH, 1, SIZE, SIZE)))
    train(net, data.DataLoader(training, BATCH, shuffle=True, num_workers=1, generator=rng), test)
    print(f"{100 * accuracy_of(net, test):.1f} % of unseen digits are read")


if __name__ == "__main__":
    main()
