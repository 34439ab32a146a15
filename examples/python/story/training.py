"""Part 6: training with MXNet's Gluon over Penstock, with a wait in each batch and without any.

Batches are copied in from NumPy, as most programs get theirs. After each batch the memory of all
arrays is noted: what is in use, and the most since the batch before.
"""

from dataclasses import dataclass, field

import penstock as ps
from clock import Watch

MEGA = 1e6


@dataclass
class Shape:
    """A network of dense layers, and how much it learns from."""

    rows: int = 1024
    inputs: int = 512
    layers: tuple[int, ...] = (2048, 512, 1)
    batches: int = 60

    @property
    def batch_bytes(self):
        return 4 * self.rows * (self.inputs + 1)


@dataclass
class Run:
    """One loop: its time, the memory at each batch in bytes, and the losses at both ends."""

    seconds: float = 0.0
    memory: list[int] = field(default_factory=list)
    first: float = 0.0
    last: float = 0.0


class Trainer:
    """The network of the chapter, made anew for each loop, from the same weights."""

    def __init__(self, numpy, shape):
        from penstock import mxnet as mx

        self.mx, self.shape = mx, shape
        rng = numpy.random.RandomState(1)
        self.X = [rng.normal(size=(shape.rows, shape.inputs)).astype("float32") for _ in range(4)]
        self.y = numpy.ones((shape.rows, 1), "float32")
        self.net = mx.gluon.nn.Sequential()
        for units in shape.layers[:-1]:
            self.net.add(mx.gluon.nn.Dense(units, activation="relu"))
        self.net.add(mx.gluon.nn.Dense(shape.layers[-1]))
        self.net.initialize(mx.init.Normal(0.02))
        self.trainer = mx.gluon.Trainer(
            self.net.collect_params(), "sgd", {"learning_rate": 0.005}
        )
        self.loss_of = mx.gluon.loss.L2Loss()
        self.learn(0).wait_to_read()

    def learn(self, number):
        """Queues all of one batch; gives the mean of its losses."""
        X, y = self.mx.nd.array(self.X[number % 4]), self.mx.nd.array(self.y)
        with self.mx.autograd.record():
            loss = self.loss_of(self.net(X), y)
        loss.backward()
        self.trainer.step(X.shape[0])
        return loss.mean()

    def run(self, waits):
        ps.waitall()
        run, losses = Run(), []
        with Watch() as watch:
            for number in range(self.shape.batches):
                ps.memory.reset_peak()
                loss = self.learn(number)
                if waits:
                    loss.wait_to_read()
                losses.append(loss)
                run.memory.append(ps.memory.stats().peak)
            ps.waitall()
        run.seconds = watch.seconds
        run.first, run.last = losses[0].asscalar(), losses[-1].asscalar()
        return run


@dataclass
class Comparison:
    """Both loops, and what the engine allows for."""

    shape: Shape
    each: Run
    once: Run
    before: int  # bytes that arrays use when nothing is queued
    bound: int  # bytes that may be queued beside that

    @property
    def copied(self):
        return self.shape.batches * self.shape.batch_bytes


def compare(numpy, shape, step=lambda what: None):
    trainer = Trainer(numpy, shape)
    ps.waitall()
    before = ps.memory.stats().live
    step("training with a wait in each batch")
    each = trainer.run(waits=True)
    step("training without waits")
    once = trainer.run(waits=False)
    return Comparison(shape, each, once, before, ps.engine.bound().soft_bytes)


def most(run):
    return max(run.memory) / MEGA
