"""Softmax regression with Gluon's older arrays, and metrics."""

import mxnet as mx
import numpy
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

rng = numpy.random.RandomState(4)
centres = rng.normal(size=(5, 20)) * 2
kinds = rng.randint(0, 5, size=600)
images = (centres[kinds] + rng.normal(size=(600, 20))).astype("float32")
kinds = kinds.astype("float32")

loader = gluon.data.DataLoader(gluon.data.ArrayDataset(images, kinds), batch_size=60)

net = nn.HybridSequential()
net.add(nn.Dense(5))
net.initialize()
net(nd.zeros((1, 20)))
net[0].weight.set_data(nd.array(rng.normal(scale=0.01, size=(5, 20))))
net.hybridize()

loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
metric = mx.metric.Accuracy()

for epoch in range(4):
    metric.reset()
    total = 0.0
    for X, y in loader:
        with autograd.record():
            output = net(X)
            loss = loss_of(output, y)
        loss.backward()
        trainer.step(X.shape[0])
        metric.update([y], [output])
        total += loss.mean().asscalar()
    name, value = metric.get()
    print(f"epoch {epoch + 1}, loss {total / len(loader):.4f}, {name} {value:.4f}")

print("weights", net[0].weight.shape, net[0].weight.dtype)
print("largest", f"{net[0].weight.data().max().asscalar():.4f}")
