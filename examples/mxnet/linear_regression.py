"""A line through noisy points: gradient descent in batches, all of it by hand."""

import numpy
from mxnet import autograd, np, npx

npx.set_np()

rng = numpy.random.RandomState(1)
true_w, true_b = np.array([2.0, -3.4]), 4.2
features = np.array(rng.normal(size=(1000, 2)), dtype="float32")
noise = np.array(rng.normal(scale=0.01, size=1000), dtype="float32")
labels = np.dot(features, true_w) + true_b + noise

w = np.array(rng.normal(scale=0.01, size=2), dtype="float32")
b = np.zeros(1)
w.attach_grad()
b.attach_grad()


def batches(size):
    order = rng.permutation(len(features))
    for start in range(0, len(order), size):
        chosen = np.array(order[start : start + size], dtype="int64")
        yield features[chosen], labels[chosen]


def squared_loss(predicted, wanted):
    return (predicted - wanted.reshape(predicted.shape)) ** 2 / 2


rate, size = 0.03, 10
for epoch in range(3):
    for X, y in batches(size):
        with autograd.record():
            loss = squared_loss(np.dot(X, w) + b, y).sum()
        loss.backward()
        for parameter in (w, b):
            parameter[:] = parameter - rate * parameter.grad / size
    train = squared_loss(np.dot(features, w) + b, labels).mean()
    print(f"epoch {epoch + 1}, loss {train.item():.6f}")

print("error of w:", np.abs(w - true_w).max().item() < 0.01)
print("w", [f"{one:.3f}" for one in w.asnumpy()], "b", f"{b.item():.3f}")
