"""Twenty points and two hundred numbers for each: a penalty on large weights keeps them small."""

import numpy
from mxnet import autograd, gluon, np, npx
from mxnet.gluon import nn

npx.set_np()

rng = numpy.random.RandomState(7)
count, inputs = 20, 200
true_w = numpy.full((inputs, 1), 0.01, "float32")
X = rng.normal(size=(count + 100, inputs)).astype("float32")
y = (X @ true_w + 0.05 + rng.normal(scale=0.01, size=(count + 100, 1))).astype("float32")
train_X, train_y = np.array(X[:count]), np.array(y[:count])
test_X, test_y = np.array(X[count:]), np.array(y[count:])
start = rng.normal(size=(inputs, 1)).astype("float32")


def by_hand(penalty):
    w, b = np.array(start), np.zeros(1)
    w.attach_grad()
    b.attach_grad()
    for _ in range(100):
        for first in range(0, count, 5):
            with autograd.record():
                output = np.dot(train_X[first : first + 5], w) + b
                loss = ((output - train_y[first : first + 5]) ** 2 / 2).sum()
                total = loss + 5 * penalty * (w**2).sum() / 2
            total.backward()
            for one in (w, b):
                one -= 0.003 * one.grad / 5
    error = ((np.dot(test_X, w) + b - test_y) ** 2).mean()
    return np.linalg.norm(w).item(), error.item()


def with_trainer(penalty):
    net = nn.Sequential()
    net.add(nn.Dense(1, in_units=inputs))
    net.initialize()
    net[0].weight.set_data(np.array(start.T))
    net.collect_params(".*bias").setattr("wd_mult", 0)
    options = {"learning_rate": 0.003, "wd": penalty}
    trainer = gluon.Trainer(net.collect_params(), "sgd", options)
    loss_of = gluon.loss.L2Loss()
    for _ in range(100):
        for first in range(0, count, 5):
            with autograd.record():
                loss = loss_of(net(train_X[first : first + 5]), train_y[first : first + 5])
            loss.backward()
            trainer.step(5)
    error = ((net(test_X) - test_y) ** 2).mean()
    return np.linalg.norm(net[0].weight.data()).item(), error.item()


for penalty in (0, 3):
    norm, error = by_hand(penalty)
    print(f"by hand, penalty {penalty}: norm of w {norm:.3f}, error {error:.2f}")
    norm, error = with_trainer(penalty)
    print(f"trainer, penalty {penalty}: norm of w {norm:.3f}, error {error:.2f}")
