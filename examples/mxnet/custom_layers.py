"""Blocks and layers of one's own: with Python's control flow, with parameters, nested, hybrid."""

import numpy
from mxnet import autograd, gluon, np, npx
from mxnet.gluon import nn

npx.set_np()
rng = numpy.random.RandomState(9)


class Centred(nn.Block):
    """A layer without parameters."""

    def forward(self, X):
        return X - X.mean()


class MyDense(nn.Block):
    """A layer with two of them."""

    def __init__(self, units, inputs, **kwargs):
        super().__init__(**kwargs)
        self.weight = self.params.get("weight", shape=(inputs, units))
        self.bias = self.params.get("bias", shape=(units,))

    def forward(self, X):
        return npx.relu(np.dot(X, self.weight.data(X.ctx)) + self.bias.data(X.ctx))


class FixedHidden(nn.HybridBlock):
    """A constant, one layer used twice, and a loop."""

    def __init__(self, constant, **kwargs):
        super().__init__(**kwargs)
        self.random = self.params.get_constant("random", constant)
        self.dense = nn.Dense(20, activation="relu", in_units=20)

    def forward(self, X):
        X = self.dense(X)
        X = npx.relu(np.dot(X, self.random.data()) + 1)
        X = self.dense(X)
        while np.abs(X).sum() > 1:
            X = X / 2
        return X.sum()


class Scaled(nn.HybridBlock):
    """Written for both ways of running."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.scale = self.params.get("scale", shape=(1,), init="ones")

    def hybrid_forward(self, F, x, scale):
        return F.npx.relu(x) * scale


layer = Centred()
print("centred:", layer(np.array([1.0, 2.0, 3.0, 4.0, 5.0])))
net = nn.Sequential()
net.add(nn.Dense(8, in_units=4), Centred())
net.initialize()
print("mean of what it gives:", abs(net(np.ones((3, 4))).mean().item()) < 1e-6)

dense = MyDense(units=3, inputs=5)
dense.initialize()
dense.weight.set_data(np.array(rng.normal(size=(5, 3)), dtype="float32"))
dense.bias.set_data(np.array([0.1, 0.2, 0.3]))
X = np.array(rng.uniform(size=(2, 5)), dtype="float32")
print("a dense layer of one's own:", [f"{one:.4f}" for one in dense(X).asnumpy().ravel()])
print(sorted(name.split("_")[-1] for name in dense.collect_params()))

fixed = FixedHidden(np.array(rng.uniform(size=(20, 20)), dtype="float32"))
fixed.initialize()
fixed.dense.weight.set_data(np.array(rng.normal(scale=0.2, size=(20, 20)), dtype="float32"))
X = np.array(rng.uniform(size=(2, 20)), dtype="float32")
with autograd.record():
    y = fixed(X)
y.backward()
print("with a loop:", f"{y.item():.5f}")
print("the constant has no gradient:", fixed.random.grad_req)
print("gradient:", f"{np.abs(fixed.dense.weight.grad()).sum().item():.4f}")

scaled = Scaled()
scaled.initialize()
trainer = gluon.Trainer(scaled.collect_params(), "sgd", {"learning_rate": 0.5})
x = np.array([-1.0, 2.0, 3.0])
for hybrid in (False, True):
    if hybrid:
        scaled.hybridize()
    with autograd.record():
        loss = ((scaled(x) - 2 * x) ** 2).sum()
    loss.backward()
    trainer.step(10)
    print("loss", f"{loss.item():.3f}", "scale", f"{scaled.scale.data().item():.4f}")
