"""A network with one hidden layer that learns a spiral, all of it by hand."""

import numpy
from mxnet import autograd, np, npx

npx.set_np()

rng = numpy.random.RandomState(5)
turn = rng.uniform(0.5, 3.0, size=600)
arm = rng.randint(0, 2, size=600)
angle = 3 * turn + numpy.pi * arm
points = numpy.stack([turn * numpy.cos(angle), turn * numpy.sin(angle)], axis=1)
X = np.array(points, dtype="float32")
y = np.array(arm, dtype="int32")

hidden = 32
W1 = np.array(rng.normal(scale=0.5, size=(2, hidden)), dtype="float32")
W2 = np.array(rng.normal(scale=0.3, size=(hidden, 2)), dtype="float32")
b1, b2 = np.zeros(hidden), np.zeros(2)
parameters = [W1, b1, W2, b2]
for parameter in parameters:
    parameter.attach_grad()


def relu(z):
    return np.maximum(z, 0)


def net(batch):
    return np.dot(relu(np.dot(batch, W1) + b1), W2) + b2


def loss_of(output, wanted):
    return -npx.pick(npx.log_softmax(output), wanted)


for step in range(300):
    with autograd.record():
        loss = loss_of(net(X), y).mean()
    loss.backward()
    for parameter in parameters:
        parameter[:] = parameter - 0.3 * parameter.grad
    if step % 75 == 0:
        print(f"step {step}, loss {loss.item():.4f}")

right = (net(X).argmax(axis=1).astype("int32") == y).mean().item()
print(f"at the end {loss.item():.3f}, better than a guess: {right > 0.6}")
