"""What the rows measure, in words that every library of this benchmark has (train_<name>.py): those
of ../autograd/cases.py, and

linear(x, weight, bias)                 weight has a row for each output
conv2d(x, weight, stride, padding)      images and filters, channels first; max_pool2d(x, size)
layer_norm(x, gamma, beta)              over the last axis
embedding(indices, weight)              rows of weight
lstm(x, parameters, hidden)             of (steps, rows, inputs), from states of 0; parameters are
                                        flat: weights of inputs and of states, then their biases
cross_entropy(x, labels)                the mean over the rows, of labels that are integers
wait_all()                              until all that is queued is complete

A row is named KIND.SHAPE. A case is made for a row and then has two functions: `digest` gives a
number that is the same in all libraries, `time` gives microseconds of one step, the best of several
samples."""

import timeit

import inputs
import numpy as np
from peer import best_s

RATE = 0.05
STEPS, STEPS_QUICK, QUICK_S = 100, 5, 0.1  # of a loop; the fewer where little time is given


def sizes(shape):
    return tuple(int(n) for n in shape.split("x"))


def values_of(shape, which, scale=1.0):
    return inputs.make("matmul", shape, "float32", which) * np.float32(scale)


def integers(count, end):
    return (np.arange(count) * 7919 % end).astype("int64")


class Steps:
    """A loop of learning: dense layers, the mean square of what is missing, batches copied in from
    NumPy. `wait` is what a loop does after each batch."""

    def __init__(self, library, kind, shape):
        rows, inputs_, *layers = sizes(shape)
        self.library, self.kind = library, kind
        self.batches = [values_of((rows, inputs_), which) for which in range(2)]
        self.wanted = values_of((rows, layers[-1]), 2)
        self.weights = []
        for number, (before, after) in enumerate(zip((inputs_, *layers), layers)):
            weight = values_of((after, before), 3 + number, before ** -0.5)
            self.weights += [library.leaf(weight), library.leaf(np.zeros(after, "float32"))]
        self.step = library.learner(self.loss, RATE)

    def predict(self, weights, x):
        for i in range(0, len(weights), 2):
            x = self.library.linear(x, weights[i], weights[i + 1])
            x = self.library.relu(x) if i + 2 < len(weights) else x
        return x

    def loss(self, weights, x, wanted):
        missing = self.predict(weights, x) - wanted
        return (missing * missing).mean()

    def wait(self):
        for weight in self.weights:
            self.library.wait(weight)
        self.library.wait_all()

    def learn(self, steps):
        for i in range(steps):
            x = self.library.array(self.batches[i % 2])
            self.weights = self.step(self.weights, x, self.library.array(self.wanted))
            if self.kind == "mlp_waits":
                self.wait()
        self.wait()

    def digest(self):
        self.learn(3)
        return sum(inputs.digest("", self.library.values(w)) for w in self.weights)

    def time(self, seconds):
        steps = STEPS if seconds >= QUICK_S else STEPS_QUICK
        return best_s(timeit.Timer(lambda: self.learn(steps)), seconds) * 1e6 / steps


class Products:
    """The large matrix products of a step, each complete before the next begins."""

    def __init__(self, library, _kind, shape):
        rows, first, second, third = sizes(shape)
        shapes = [(rows, first), (second, first), (third, second), (rows, second), (rows, third)]
        self.library = library
        self.arrays = [library.array(values_of(one, which)) for which, one in enumerate(shapes)]

    def run(self):
        x, w1, w2, h1, h2 = self.arrays
        pairs = ((x, w1.T), (h1, w2.T), (h2.T, h1), (h2, w2), (h1.T, x))
        parts = []
        for left, right in pairs:
            parts.append(left @ right)
            self.library.wait(parts[-1])
        return parts

    def digest(self):
        return sum(inputs.digest("", self.library.values(part)) for part in self.run())

    def time(self, seconds):
        return best_s(timeit.Timer(self.run), seconds) * 1e6


class Layer:
    """Forward and backward of one layer; a kind that ends in _forward does not go back."""

    def __init__(self, library, kind, shape):
        self.library, self.kind = library, kind
        name = kind.removesuffix("_forward")
        self.leaves = [library.leaf(a) for a in getattr(self, "of_" + name)(*sizes(shape))]
        self.function = getattr(self, name)
        self.run = library.gradients(self.function) if name == kind else self.forward

    def forward(self, *leaves):
        y = self.function(*leaves)
        self.library.wait(y)
        return [y]

    def of_conv(self, images, channels, size, filters, width, stride):
        self.stride, self.padding = stride, width // 2
        return [values_of((images, channels, size, size), 0),
                values_of((filters, channels, width, width), 1, 0.125)]

    def conv(self, x, weight):
        return self.library.conv2d(x, weight, self.stride, self.padding).sum()

    def of_layer_norm(self, rows, columns):
        return [values_of((rows, columns), 0), values_of((columns,), 1), values_of((columns,), 2)]

    def layer_norm(self, x, gamma, beta):
        y = self.library.layer_norm(x, gamma, beta)
        return (y * y).sum()

    def of_lstm(self, steps, rows, inputs_, hidden):
        self.hidden, self.x = hidden, self.library.array(values_of((steps, rows, inputs_), 0))
        return [values_of((4 * hidden * (inputs_ + hidden + 2),), 1, hidden ** -0.5)]

    def lstm(self, parameters):
        y = self.library.lstm(self.x, parameters, self.hidden)
        return (y * y).sum()

    def of_cross_entropy(self, rows, classes):
        self.rows, self.labels = rows, self.library.array(integers(rows, classes))
        return [values_of((rows, classes), 0)]

    def cross_entropy(self, x):
        return self.library.cross_entropy(x, self.labels) * self.rows

    def of_embedding(self, rows, columns, count):
        self.labels = self.library.array(integers(count, rows))
        return [values_of((rows, columns), 0)]

    def embedding(self, weight):
        return self.library.embedding(self.labels, weight).sum()

    def digest(self):
        return sum(inputs.digest("", self.library.values(g)) for g in self.run(*self.leaves))

    def time(self, seconds):
        return best_s(timeit.Timer(lambda: self.run(*self.leaves)), seconds) * 1e6


class Images:
    """A loop of learning: two convolutions, each with a pool, and two dense layers."""

    SHAPES = ((16, 1, 5, 5), (32, 16, 5, 5), (128, 32 * 7 * 7), (128,), (10, 128), (10,))

    def __init__(self, library, _kind, shape):
        (rows,) = sizes(shape)
        self.library = library
        self.x, self.labels = values_of((rows, 1, 28, 28), 0), integers(rows, 10)
        self.weights = [library.leaf(values_of(one, 1 + which, np.prod(one[1:]) ** -0.5))
                        for which, one in enumerate(self.SHAPES)]
        self.step = library.learner(self.loss, RATE)

    def loss(self, weights, x, labels):
        first, second, w1, b1, w2, b2 = weights
        words = self.library
        for filters in (first, second):
            x = words.max_pool2d(words.relu(words.conv2d(x, filters, 1, 2)), 2)
        x = words.relu(words.linear(x.reshape((x.shape[0], -1)), w1, b1))
        return words.cross_entropy(words.linear(x, w2, b2), labels)

    def learn(self, steps):
        for _ in range(steps):
            x, labels = self.library.array(self.x), self.library.array(self.labels)
            self.weights = self.step(self.weights, x, labels)
        for weight in self.weights:
            self.library.wait(weight)

    def digest(self):
        self.learn(3)
        return sum(inputs.digest("", self.library.values(w)) for w in self.weights)

    def time(self, seconds):
        steps = STEPS_QUICK
        return best_s(timeit.Timer(lambda: self.learn(steps)), seconds) * 1e6 / steps


CASES = {"mlp": Steps, "mlp_waits": Steps, "small": Steps, "products": Products, "cnn": Images}


def make(library, row):
    kind, shape = row.split(".")
    return CASES.get(kind, Layer)(library, kind, shape)
