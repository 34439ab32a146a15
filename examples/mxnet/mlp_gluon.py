"""Two hidden layers with Gluon: the same network run as it is and hybridised, on the same data."""

import numpy
from mxnet import autograd, gluon, np, npx
from mxnet.gluon import nn

npx.set_np()

rng = numpy.random.RandomState(6)
X = rng.normal(size=(256, 16)).astype("float32")
y = (X[:, 0] * X[:, 1] > 0).astype("int32")
shapes = [(32, 16), (16, 32), (2, 16)]
start = [rng.normal(scale=1 / shape[1] ** 0.5, size=shape).astype("float32") for shape in shapes]


def make():
    net = nn.HybridSequential()
    net.add(nn.Dense(32, activation="relu"), nn.Dense(16, activation="tanh"), nn.Dense(2))
    net.initialize()
    net(np.zeros((1, 16)))
    for layer, weight in zip(net, start):
        layer.weight.set_data(np.array(weight))
    return net


def train(net):
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    losses = []
    for epoch in range(6):
        for first in range(0, 256, 32):
            batch, wanted = np.array(X[first : first + 32]), np.array(y[first : first + 32])
            with autograd.record():
                loss = loss_of(net(batch), wanted)
            loss.backward()
            trainer.step(32)
        losses.append(loss_of(net(np.array(X)), np.array(y)).mean().item())
    return losses


plain = make()
print(plain)
losses = train(plain)
print("losses", [f"{loss:.4f}" for loss in losses])

hybrid = make()
hybrid.hybridize()
print("hybridised, the same:", numpy.allclose(train(hybrid), losses, rtol=1e-3))

output = plain(np.array(X))
print("right", f"{(output.argmax(axis=1).asnumpy() == y).mean():.2f}")
