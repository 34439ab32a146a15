"""Parameters: how they are named, reached, initialised, shared, frozen, and given later."""

import numpy
from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

npx.set_np()

net = nn.Sequential(prefix="net_")
with net.name_scope():
    net.add(nn.Dense(8, activation="relu"), nn.Dense(1))
print(net[0].weight.shape, "before anything is known of the inputs")
try:
    net.initialize()
    net[0].weight.data()
except gluon.parameter.DeferredInitializationError:
    print("deferred")
X = np.array(numpy.random.RandomState(10).uniform(size=(2, 4)), dtype="float32")
net(X)
print(net[0].weight.shape, "after")
print(net.collect_params())
print(net[1].bias, net[1].bias.data(), net[1].weight.grad().shape)
print(list(net.collect_params(".*weight")))
print(type(net[1].bias).__name__, net[1].bias.name, net.collect_params()["net_dense1_bias"].data())

net.initialize(init=init.Constant(0.5), force_reinit=True)
print("constant:", float(net[0].weight.data().sum()), float(net(X).sum()) > 0)
net[0].weight.initialize(init=init.Xavier(), force_reinit=True)
bound = (6 / (4 + 8)) ** 0.5
print("Xavier's bound is kept:", bool(np.abs(net[0].weight.data()).max() <= bound))


class Wide(init.Initializer):
    """Numbers of either sign, none of them small."""

    def _init_weight(self, name, data):
        print("init", name.split("_", 1)[1], data.shape)
        data[:] = np.random.uniform(-10, 10, data.shape)
        data *= np.abs(data) >= 5


net.initialize(Wide(), force_reinit=True)
found = np.abs(net[0].weight.data())
print("five and more, or nothing:", bool(((found >= 5) | (found == 0)).all()))
net[0].weight.data()[:] += 1
net[0].weight.data()[0, 0] = 42
print("written:", net[0].weight.data()[0, 0])

shared = nn.Dense(8, activation="relu")
tied = nn.Sequential()
tied.add(nn.Dense(8, activation="relu"), shared)
tied.add(nn.Dense(8, activation="relu", params=shared.params), nn.Dense(1))
tied.initialize(init.Uniform(0.5))
tied(X)
print("one array under two names:", tied[1].weight.data() is tied[2].weight.data())
tied[1].weight.data()[0, 0] = 100
print(tied[2].weight.data()[0, 0], len(list(tied.collect_params())))

tied[0].collect_params().setattr("grad_req", "null")
before = tied[0].weight.data().asnumpy().copy()
trainer = gluon.Trainer(tied.collect_params(), "sgd", {"learning_rate": 0.1})
with autograd.record():
    loss = tied(X).sum()
loss.backward()
trainer.step(1)
print("frozen:", bool((tied[0].weight.data().asnumpy() == before).all()))
