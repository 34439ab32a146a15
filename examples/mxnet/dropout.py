"""Dropout: what it does in training and in prediction, and a network that has it by hand."""

import numpy
from mxnet import autograd, np, npx
from mxnet.gluon import nn

npx.set_np()

x = np.ones((200, 100))
layer = nn.Dropout(0.4)
print(layer)
print("in prediction nothing changes:", bool((layer(x) == x).all()))
with autograd.record():
    y = layer(x)
kept = y[y != 0]
print("kept, a part of about 0.6:", abs(kept.size / x.size - 0.6) < 0.02)
print("and scaled:", f"{kept.min().item():.4f} {kept.max().item():.4f}")
print("so that the mean stays:", abs(y.mean().item() - 1) < 0.05)

x.attach_grad()
with autograd.record():
    y = layer(x)
y.backward()
print("gradients are scaled alike:", bool((x.grad == y).all()))

with autograd.train_mode():
    print("none of it:", bool((nn.Dropout(0)(x) == x).all()))

# By hand, with masks of a seed, so that figures can be compared.
rng = numpy.random.RandomState(8)
X = np.array(rng.normal(size=(64, 8)), dtype="float32")
t = np.array(rng.normal(size=(64, 1)), dtype="float32")
W1 = np.array(rng.normal(scale=0.3, size=(8, 16)), dtype="float32")
W2 = np.array(rng.normal(scale=0.3, size=(16, 1)), dtype="float32")
for one in (W1, W2):
    one.attach_grad()

for step in range(40):
    mask = np.array(rng.uniform(size=(64, 16)) > 0.5, dtype="float32")
    with autograd.record():
        h = np.maximum(np.dot(X, W1), 0) * mask / 0.5
        loss = ((np.dot(h, W2) - t) ** 2).mean()
    loss.backward()
    for one in (W1, W2):
        one -= 0.05 * one.grad
    if step % 10 == 9:
        print(f"step {step + 1}, loss {loss.item():.4f}")
