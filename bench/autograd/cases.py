"""What the rows measure, in words that every library of this benchmark has (library_<name>.py):

array(values)             an array from NumPy's
leaf(values)              one that gradients are asked of
gradients(f)              a function of leaves: the gradients of f, all computed when it returns
pullback(f, x)            computes f(x); what it gives computes the gradient of x when it is called
learner(loss, rate)       a function (weights, *data) that goes a step against the gradients; gives
                          the new weights
product_parts(x, w, g)    x @ w, g @ w.T and x.T @ g, one after the other, each complete
wait(x), values(x)        until an array is complete; as NumPy's
exp, relu, tanh           functions
OPERATION                 statements for `operation_*` rows, by what is behind the underscore; None or
                          left out where a library has no such thing

A case is made for a row and then has two functions: `digest` gives a number that is the same in all
libraries, `time` gives microseconds, the best of as many samples as there is time for."""

import timeit

import inputs
from peer import best_s
from protocol import Absent

BURST = 1000
STEPS = 50        # of learning, between two waits
ROUNDS = 250      # of four small operations


def sizes(shape):
    return tuple(int(n) for n in shape.split("x"))


class Operation:
    """A statement on small arrays, many times before a wait."""

    def __init__(self, library, kind, shape):
        self.code = getattr(library, "OPERATION", {}).get(kind.partition("_")[2])
        if self.code is None:
            raise Absent
        x, z = (inputs.make(kind, sizes(shape), "float32", which) for which in range(2))
        recorded = kind.endswith("_recorded")
        self.library = library
        self.names = library.NAMES | {"x": library.leaf(x) if recorded else library.array(x),
                                      "z": library.array(z), "burst": BURST}

    def digest(self):
        exec(self.code, self.names)
        return inputs.digest("", self.library.values(self.names["y"]))

    def time(self, seconds):
        return best_s(timeit.Timer(self.code, globals=self.names), seconds) * 1e6 / BURST


class Backward:
    """The way back through many small operations. What is walked is recorded anew for each sample,
    which is not timed."""

    def __init__(self, library, _kind, _shape):
        self.library = library
        self.x = library.leaf(inputs.make("", (4,), "float32", 0))
        self.w = library.array(inputs.make("", (4,), "float32", 1))

    def function(self, x):
        y = x
        for _ in range(ROUNDS):
            y = self.library.tanh(y * self.w + 0.25) - x
        return y.sum()

    def digest(self):
        back = self.library.pullback(self.function, self.x)
        return inputs.digest("", self.library.values(back()))

    def time(self, seconds):
        samples = []
        end = timeit.default_timer() + seconds
        while len(samples) < 3 or timeit.default_timer() < end:
            back = self.library.pullback(self.function, self.x)
            start = timeit.default_timer()
            back()
            samples.append(timeit.default_timer() - start)
        return min(samples) * 1e6


class Whole:
    """Forward and backward of a function of large arrays."""

    def __init__(self, library, kind, shape):
        self.library = library
        count = 2 if kind == "product" else 1
        self.leaves = [library.leaf(inputs.make("matmul", sizes(shape), "float32", which))
                       for which in range(count)]
        self.run = library.gradients(self.product if kind == "product" else self.chain)

    def chain(self, b):
        y = self.library.relu(b * b + 2) * 0.5 - b
        y = self.library.exp(y * 0.01) + b
        return y.sum()

    @staticmethod
    def product(x, w):
        return (x @ w).sum()

    def digest(self):
        return sum(inputs.digest("", self.library.values(g)) for g in self.run(*self.leaves))

    def time(self, seconds):
        return best_s(timeit.Timer(lambda: self.run(*self.leaves)), seconds) * 1e6


class Products:
    """The products that a product's forward and backward are made of."""

    def __init__(self, library, _kind, shape):
        self.library = library
        self.arrays = [library.array(inputs.make("matmul", sizes(shape), "float32", which))
                       for which in range(3)]

    def digest(self):
        parts = self.library.product_parts(*self.arrays)
        return sum(inputs.digest("", self.library.values(part)) for part in parts)

    def time(self, seconds):
        run = timeit.Timer(lambda: self.library.product_parts(*self.arrays))
        return best_s(run, seconds) * 1e6


class Network:
    """Steps of learning: two layers, the mean square of what is missing, four arrays of weights."""

    def __init__(self, library, _kind, shape):
        batch, width = sizes(shape)
        shapes = [(batch, width), (batch, 1), (width, width), (width,), (width, 1), (1,)]
        arrays = [inputs.make("matmul", one, "float32", which) for which, one in enumerate(shapes)]
        self.library = library
        self.data = [library.array(a) for a in arrays[:2]]
        self.weights = [library.leaf(a * 0.125) for a in arrays[2:]]
        self.step = library.learner(self.loss, 0.01)

    def loss(self, weights, x, wanted):
        w1, b1, w2, b2 = weights
        missing = self.library.relu(x @ w1 + b1) @ w2 + b2 - wanted
        return (missing * missing).mean()

    def learn(self, steps):
        for _ in range(steps):
            self.weights = self.step(self.weights, *self.data)
        for array in self.weights:
            self.library.wait(array)

    def digest(self):
        self.learn(3)
        return sum(inputs.digest("", self.library.values(w)) for w in self.weights)

    def time(self, seconds):
        return best_s(timeit.Timer(lambda: self.learn(STEPS)), seconds) * 1e6 / STEPS


CASES = {"backward": Backward, "chain": Whole, "product": Whole, "products": Products,
         "mlp": Network}


def make(library, row):
    kind, shape = row.split(".")
    return CASES.get(kind, Operation)(library, kind, shape)
