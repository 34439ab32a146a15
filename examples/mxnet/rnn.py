"""Recurrent networks: a cell by hand, the same by Gluon, and one that learns to continue a word."""

import numpy
from mxnet import autograd, gluon, np, npx
from mxnet.gluon import nn, rnn

npx.set_np()

rng = numpy.random.RandomState(16)


def array(*shape, scale=1.0):
    return np.array(rng.normal(scale=scale, size=shape), dtype="float32")


# One layer by hand, and by Gluon with the same weights.
steps, batch, inputs, hidden = 5, 3, 4, 6
X, H = array(steps, batch, inputs), np.zeros((batch, hidden))
W_x, W_h, b = array(hidden, inputs, scale=0.4), array(hidden, hidden, scale=0.4), array(hidden)
layer = rnn.RNN(hidden, activation="tanh", input_size=inputs)
layer.initialize()
given = {"i2h_weight": W_x, "h2h_weight": W_h, "i2h_bias": b, "h2h_bias": np.zeros(hidden)}
for name, parameter in layer.collect_params().items():
    parameter.set_data(given[name.split("l0_")[1]])
outputs, state = layer(X, layer.begin_state(batch_size=batch))
for x in X:
    H = np.tanh(np.dot(x, W_x.T) + np.dot(H, W_h.T) + b)
print("shapes", outputs.shape, state[0].shape)
print("alike:", np.abs(outputs[-1] - H).max().item() < 1e-5, f"{H.sum().item():.4f}")

for kind in (rnn.LSTM, rnn.GRU):
    layer = kind(hidden, num_layers=2, bidirectional=True, input_size=inputs)
    layer.initialize()
    output, state = layer(X, layer.begin_state(batch_size=batch))
    print(layer, output.shape, [one.shape for one in state])

# A network that continues a word.
text = "time is a great teacher but it kills all its pupils " * 4
letters = sorted(set(text))
codes = numpy.array([letters.index(one) for one in text], "int32")


class Model(nn.Block):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.rnn = rnn.GRU(24, input_size=len(letters))
        self.dense = nn.Dense(len(letters), in_units=24)

    def forward(self, indices, state):
        Y, state = self.rnn(npx.one_hot(indices.T, len(letters)), state)
        return self.dense(Y.reshape(-1, Y.shape[-1])), state


def clip(net, most):
    """Shortens the gradients, taken together as one vector, to this length."""
    gradients = [parameter.grad() for parameter in net.collect_params().values()]
    norm = sum((one**2).sum() for one in gradients).item() ** 0.5
    if norm > most:
        for one in gradients:
            one *= most / norm


model = Model()
model.initialize()
for _, parameter in sorted(model.collect_params().items()):
    parameter.set_data(array(*parameter.shape, scale=0.2))
loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(model.collect_params(), "adam", {"learning_rate": 0.02})
length, rows = 16, 4
for epoch in range(12):
    total, state = 0.0, model.rnn.begin_state(batch_size=rows)
    part = len(codes) // rows
    lines = codes[: part * rows].reshape(rows, part)
    for first in range(0, part - length - 1, length):
        X = np.array(lines[:, first : first + length])
        y = np.array(lines[:, first + 1 : first + length + 1]).T.reshape(-1)
        state = [one.detach() for one in state]
        with autograd.record():
            output, state = model(X, state)
            loss = loss_of(output, y).mean()
        loss.backward()
        clip(model, 1)
        trainer.step(1)
        total += loss.item()
    if epoch % 4 == 3:
        print(f"epoch {epoch + 1}, perplexity {numpy.exp(total / ((part - 2) // length)):.2f}")
