"""A small convolutional network that tells bars that lie from bars that stand, in noise."""

import numpy
from mxnet import autograd, gluon, np, npx
from mxnet.gluon import nn

npx.set_np()

rng = numpy.random.RandomState(14)
images = rng.normal(scale=0.3, size=(128, 1, 12, 12)).astype("float32")
kinds = rng.randint(0, 2, size=128)
for image, kind in zip(images, kinds):
    place = rng.randint(1, 11)
    image[0, place, :] += kind
    image[0, :, place] += 1 - kind
X, y = np.array(images), np.array(kinds, dtype="int32")

net = nn.HybridSequential()
net.add(
    nn.Conv2D(6, kernel_size=5, padding=2, activation="relu"),
    nn.BatchNorm(),
    nn.MaxPool2D(pool_size=2, strides=2),
    nn.Conv2D(8, kernel_size=3, strides=1, activation="relu"),
    nn.AvgPool2D(pool_size=2, strides=2),
    nn.Flatten(),
    nn.Dense(16, activation="sigmoid"),
    nn.Dense(2),
)
net.initialize()
batch = X[:1]
for layer in net:
    batch = layer(batch)
    print(f"{layer.name.split('_')[-1].rstrip('0123456789'):<12} {batch.shape}")

values = numpy.random.RandomState(15)
for name, parameter in sorted(net.collect_params(".*weight").items()):
    fan = numpy.prod(parameter.shape[1:])
    value = values.normal(scale=(1 / fan) ** 0.5, size=parameter.shape)
    parameter.set_data(np.array(value, dtype="float32"))

loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1, "momentum": 0.9})
net.hybridize()
for epoch in range(5):
    total = 0.0
    for first in range(0, 128, 32):
        with autograd.record():
            loss = loss_of(net(X[first : first + 32]), y[first : first + 32])
        loss.backward()
        trainer.step(32)
        total += loss.sum().item()
    print(f"epoch {epoch + 1}, loss {total / 128:.3f}")
right = (net(X).argmax(axis=1).astype("int32") == y).mean().item()
print("right:", right > 0.9)
