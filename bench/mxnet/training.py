"""Loops of learning with Gluon, the same in both libraries: the chapter's network, one for images,
and small ones, where the calls are the cost. Weights are NumPy's, so that both learn the same."""

import functools
import timeit

import numpy
from peer import best_s

RATE = 0.005


@functools.lru_cache(maxsize=64)  # NumPy's generator takes as long as a small step
def values(shape, which, scale=1.0):
    return (numpy.random.RandomState(which).normal(size=shape) * scale).astype("float32")


class Loop:
    """A network, its trainer and its batches. A step is one batch; `waits` has a number taken out of
    each, as a program does that prints its loss."""

    rate, steps = RATE, 5

    def __init__(self, mx, dialect, waits):
        self.mx, self.waits = mx, waits
        self.array = mx.np.array if dialect == "np" else mx.nd.array
        self.net = self.make(mx.gluon.nn)
        self.net.initialize()
        self.net(self.inputs(0)).wait_to_read()
        self.set_weights()
        parameters = self.net.collect_params()
        self.trainer = mx.gluon.Trainer(parameters, "sgd", {"learning_rate": self.rate})
        self.loss = self.make_loss(mx.gluon.loss)

    def set_weights(self):
        for which, parameter in enumerate(self.net.collect_params().values()):
            fan = numpy.prod(parameter.shape[1:])
            value = values(parameter.shape, which, fan**-0.5 if len(parameter.shape) > 1 else 0)
            parameter.set_data(self.array(value))

    def make_loss(self, loss):
        return loss.L2Loss()

    def loss_of(self, X, y):
        return self.loss(self.net(X), y)

    def batch(self, number):
        """What the loop that is timed learns from."""
        return self.inputs(number), self.wanted(number)

    def learn(self, batches):
        for X, y in batches:
            with self.mx.autograd.record():
                loss = self.loss_of(X, y)
            if self.waits:
                loss.mean().asnumpy()
            loss.backward()
            self.trainer.step(X.shape[0])
        self.mx.nd.waitall()

    def digest(self):
        self.learn((self.inputs(number), self.wanted(number)) for number in range(3))
        data = [one.data().asnumpy() for one in self.net.collect_params().values()]
        return float(sum(numpy.abs(one, dtype="float64").sum() for one in data))

    def time(self, seconds):
        """Microseconds of a step."""
        steps = self.steps

        def run():
            self.learn(self.batch(number) for number in range(steps))

        return best_s(timeit.Timer(run), seconds) * 1e6 / steps


class Chapter(Loop):
    """The training of the older edition: random batches, and the label where the prediction goes."""

    def make(self, nn):
        net = nn.Sequential()
        net.add(nn.Dense(2048, activation="relu"), nn.Dense(512, activation="relu"), nn.Dense(1))
        return net

    def inputs(self, number):
        return self.array(values((1024, 512), 100 + number))

    def wanted(self, number):
        return self.array(numpy.ones(1024, "float32"))

    def batch(self, number):
        return self.mx.nd.random.normal(shape=(1024, 512)), self.mx.nd.ones((1024,))

    def loss_of(self, X, y):
        return self.loss(y, self.net(X))


class Images(Loop):
    """Two convolutions, each with a pool, and two dense layers."""

    rate = 0.05

    def make(self, nn):
        net = nn.HybridSequential()
        net.add(
            nn.Conv2D(16, kernel_size=5, padding=2, activation="relu"),
            nn.MaxPool2D(pool_size=2, strides=2),
            nn.Conv2D(32, kernel_size=5, padding=2, activation="relu"),
            nn.MaxPool2D(pool_size=2, strides=2),
            nn.Dense(128, activation="relu"),
            nn.Dense(10),
        )
        net.hybridize()
        return net

    def make_loss(self, loss):
        return loss.SoftmaxCrossEntropyLoss()

    def inputs(self, number):
        return self.array(values((64, 1, 28, 28), 100 + number))

    def wanted(self, number):
        return self.array((numpy.arange(64) * 7 + number) % 10)


class Small(Loop):
    """64 numbers, 64 hidden units, one result; eight rows at a time, made before."""

    rate, steps = 0.01, 100

    def make(self, nn):
        net = nn.Sequential()
        net.add(nn.Dense(64, activation="relu"), nn.Dense(1))
        return net

    def inputs(self, number):
        return self.array(values((8, 64), 100 + number))

    def wanted(self, number):
        return self.array(values((8, 1), 200 + number))

    def batch(self, number):
        if not hasattr(self, "made"):
            self.made = self.inputs(0), self.wanted(0)
        return self.made


class Tiny(Small):
    """One dense layer for two numbers: linear regression."""

    def make(self, nn):
        net = nn.Sequential()
        net.add(nn.Dense(1))
        return net

    def inputs(self, number):
        return self.array(values((10, 2), 100 + number))

    def wanted(self, number):
        return self.array(values((10, 1), 200 + number))


KINDS = {"chapter": Chapter, "images": Images, "small": Small, "tiny": Tiny}


def make(mx, row):
    """The loop of a row: train_<kind>.<dialect>.<whether each step waits>."""
    kind, dialect, way = row.split(".")
    mx.npx.set_np() if dialect == "np" else mx.npx.reset_np()
    return KINDS[kind.removeprefix("train_")](mx, dialect, way == "waits")
