"""Attention: masked softmax, scaled products, several heads; a layer that learns where to look."""

import math

import numpy
from mxnet import autograd, gluon, np, npx
from mxnet.gluon import nn

npx.set_np()

rng = numpy.random.RandomState(17)


def array(*shape, scale=1.0):
    return np.array(rng.normal(scale=scale, size=shape), dtype="float32")


def masked_softmax(X, lengths):
    shape = X.shape
    lengths = np.array(lengths).repeat(shape[1])
    X = npx.sequence_mask(X.reshape(-1, shape[-1]), lengths, True, value=-1e6, axis=1)
    return npx.softmax(X).reshape(shape)


class DotProduct(nn.Block):
    def forward(self, queries, keys, values, lengths):
        scores = npx.batch_dot(queries, keys, transpose_b=True) / math.sqrt(queries.shape[-1])
        self.weights = masked_softmax(scores, lengths)
        return npx.batch_dot(self.weights, values)


class MultiHead(nn.Block):
    def __init__(self, units, heads, **kwargs):
        super().__init__(**kwargs)
        self.heads, self.attention = heads, DotProduct()
        self.query, self.key, self.value, self.output = (
            nn.Dense(units, use_bias=False, flatten=False, in_units=units) for _ in range(4)
        )
        for child in (self.query, self.key, self.value, self.output):
            self.register_child(child)

    def split(self, X):
        X = X.reshape(X.shape[0], X.shape[1], self.heads, -1).transpose(0, 2, 1, 3)
        return X.reshape(-1, X.shape[2], X.shape[3])

    def forward(self, queries, keys, values, lengths):
        pairs = ((self.query, queries), (self.key, keys), (self.value, values))
        parts = [self.split(layer(x)) for layer, x in pairs]
        output = self.attention(*parts, [n for n in lengths for _ in range(self.heads)])
        output = output.reshape(-1, self.heads, output.shape[1], output.shape[2])
        output = output.transpose(0, 2, 1, 3)
        return self.output(output.reshape(output.shape[0], output.shape[1], -1))


weights = masked_softmax(array(2, 2, 4), [2, 3])
print("masked:", weights)
print("sums:", [f"{one:.4f}" for one in weights.sum(axis=-1).asnumpy().ravel()])

keys, values = np.ones((2, 10, 2)), np.arange(40).reshape(1, 10, 4).repeat(2, axis=0)
attention = DotProduct()
print("equal keys give means:", attention(array(2, 1, 2), keys, values, [2, 6]))

many = MultiHead(8, 2)
many.initialize()
for _, parameter in sorted(many.collect_params().items()):
    parameter.set_data(array(8, 8, scale=0.5))
X = array(2, 4, 8)
print("several heads:", many(X, X, X, [3, 4]).shape, f"{many(X, X, X, [3, 4]).sum().item():.4f}")

# Each row has one place that is marked; the layer learns to give what stands there.
marks = numpy.eye(6)[rng.randint(0, 6, size=96)]
contents = rng.normal(size=(96, 6, 7))
data = np.array(numpy.concatenate([marks[..., None], contents], axis=2), dtype="float32")
wanted = np.array((marks[..., None] * contents).sum(axis=1), dtype="float32")
query = np.ones((96, 1, 8))
head = nn.Dense(7, in_units=8)
head.initialize()
head.weight.set_data(array(7, 8, scale=0.3))
parameters = many.collect_params()
parameters.update(head.collect_params())
trainer = gluon.Trainer(parameters, "adam", {"learning_rate": 0.02})
loss_of = gluon.loss.L2Loss()
for step in range(60):
    with autograd.record():
        loss = loss_of(head(many(query, data, data, [6] * 96).squeeze(1)), wanted).mean()
    loss.backward()
    trainer.step(1)
    if step % 20 == 19:
        print(f"step {step + 1}, loss {loss.item():.3f}")
