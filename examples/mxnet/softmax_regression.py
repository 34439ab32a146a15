"""Four kinds of points in the plane, told apart by softmax regression, all of it by hand."""

import numpy
from mxnet import autograd, np, npx

npx.set_np()

rng = numpy.random.RandomState(3)
centres = numpy.array([[2, 0], [0, 2], [-2, 0], [0, -2]])
kinds = rng.randint(0, 4, size=800)
points = np.array(centres[kinds] + rng.normal(scale=0.6, size=(800, 2)), dtype="float32")
kinds = np.array(kinds, dtype="int32")

W = np.array(rng.normal(scale=0.01, size=(2, 4)), dtype="float32")
b = np.zeros(4)
for parameter in (W, b):
    parameter.attach_grad()


def softmax(o):
    e = np.exp(o - o.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def net(X):
    return softmax(np.dot(X, W) + b)


def cross_entropy(predicted, wanted):
    return -np.log(predicted[range(len(predicted)), wanted])


def accuracy(predicted, wanted):
    return (predicted.argmax(axis=1).astype(wanted.dtype) == wanted).mean().item()


print("before:", f"{accuracy(net(points), kinds):.3f}")
for epoch in range(5):
    total = 0.0
    for start in range(0, 800, 50):
        X, y = points[start : start + 50], kinds[start : start + 50]
        with autograd.record():
            loss = cross_entropy(net(X), y)
        loss.backward()
        total += loss.sum().item()
        for parameter in (W, b):
            parameter -= 0.2 * parameter.grad / 50
    print(f"epoch {epoch + 1}, loss {total / 800:.4f}, right {accuracy(net(points), kinds):.3f}")
print("sums of probabilities:", [f"{one:.4f}" for one in net(points[:3]).sum(axis=1).asnumpy()])
