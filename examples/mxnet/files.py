"""Saving and loading: arrays, lists and dictionaries of them, parameters, a trainer's states."""

import os
import tempfile

import numpy
from mxnet import autograd, gluon, np, npx
from mxnet.gluon import nn

npx.set_np()
rng = numpy.random.RandomState(11)


class MLP(nn.Block):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(16, activation="relu", in_units=6)
        self.output = nn.Dense(3, in_units=16)

    def forward(self, x):
        return self.output(self.hidden(x))


def start(net):
    net.initialize()
    values = numpy.random.RandomState(12)
    for _, parameter in sorted(net.collect_params().items()):
        value = values.normal(scale=0.4, size=parameter.shape)
        parameter.set_data(np.array(value, dtype="float32"))


def step(net, trainer, X):
    with autograd.record():
        loss = (net(X) ** 2).mean()
    loss.backward()
    trainer.step(1)
    return loss.item()


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "one")
    x, y = np.arange(4), np.zeros(3)
    npx.save(path, [x, y])
    print(npx.load(path))
    npx.save(path, {"x": x, "y": y})
    print(sorted(npx.load(path).items()))

    X = np.array(rng.normal(size=(2, 6)), dtype="float32")
    net = MLP()
    start(net)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.05})
    print("losses", [f"{step(net, trainer, X):.4f}" for _ in range(3)])
    net.save_parameters(os.path.join(folder, "mlp.params"))
    trainer.save_states(os.path.join(folder, "mlp.states"))
    print(sorted(npx.load(os.path.join(folder, "mlp.params"))))

    clone = MLP()
    clone.load_parameters(os.path.join(folder, "mlp.params"))
    print("the same:", bool((clone(X) == net(X)).all()))
    again = gluon.Trainer(clone.collect_params(), "adam", {"learning_rate": 0.05})
    again.load_states(os.path.join(folder, "mlp.states"))
    for _ in range(2):
        print(f"goes on alike: {step(net, trainer, X):.5f} {step(clone, again, X):.5f}")

    wrong = nn.Dense(5, in_units=6)
    for options in ({}, {"allow_missing": True, "ignore_extra": True}):
        try:
            wrong.load_parameters(os.path.join(folder, "mlp.params"), **options)
            print("loaded what fits")
        except AssertionError:
            print("names are missing")
