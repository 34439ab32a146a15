"""The same line with Gluon: a layer, a loss, a data loader and a trainer."""

import numpy
from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

npx.set_np()

rng = numpy.random.RandomState(2)
features = rng.normal(size=(1000, 2)).astype("float32")
labels = features @ numpy.array([2.0, -3.4], "float32") + 4.2
labels = (labels + rng.normal(scale=0.01, size=1000)).astype("float32")

data = gluon.data.ArrayDataset(np.array(features), np.array(labels))
loader = gluon.data.DataLoader(data, batch_size=10, shuffle=False)

net = nn.Sequential()
net.add(nn.Dense(1))
net.initialize(init.Zero())
loss_of = gluon.loss.L2Loss()
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.03})

print(net)
for epoch in range(3):
    for X, y in loader:
        with autograd.record():
            loss = loss_of(net(X), y)
        loss.backward()
        trainer.step(len(y))
    train = loss_of(net(np.array(features)), np.array(labels)).mean()
    print(f"epoch {epoch + 1}, loss {train.item():.6f}")

w, b = net[0].weight.data(), net[0].bias.data()
print("w", [f"{one:.3f}" for one in w.asnumpy().ravel()], "b", f"{b.item():.3f}")
print("gradient of the last batch:", f"{net[0].weight.grad().asnumpy().ravel()[0]:.4f}")
print("learning rate", trainer.learning_rate)
