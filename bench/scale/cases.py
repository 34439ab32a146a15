"""What a library measures in the scaling benchmark: a step, so many times.

A row is named PART.KIND.COUNT.SHAPE.WAY.wWORKERS, such as table.chain.320.2000.once.w2: a step of
that kind (peer_<library>.py has its statement), COUNT times, results dropped. WAY `each` waits after
each step, all others once, at the end; what else they mean is set by who starts the process. So is
the number of workers.

Steps that follow each other have arrays of their own, with the same values: from one array, a library
that joins operations could load it once for several steps and leave out to store what was dropped."""

import timeit

import inputs
from peer import best_s
from protocol import Absent

PLACES = 64  # of arrays: more than any library has under way or joins


def statements(module, way):
    """A step by kind, and the waits for it. JAX's jit has the eager ones, too: each of these is a
    compiled function there."""
    steps, waits = module.statements(way)
    if way != "jit":
        return steps, waits
    eager, eager_waits = module.statements("")
    return eager | steps, eager_waits | waits


class Peer:
    """A library as its module describes it, called in one way."""

    def __init__(self, module, way):
        self.module, self.way = module, way
        self.steps, self.waits = statements(module, way)
        self.wait_held = getattr(module, "WAIT_HELD", None)

    def about(self):
        return self.module.about(self.way)

    def counts(self):
        return self.module.counts()

    def loop(self, kind, waits):
        """A statement for many steps."""
        parts = ["x = xs[i]", self.steps[kind]]
        if waits:
            parts.append(self.waits.get(kind))
        elif self.wait_held:
            parts.append("held[i] = y")
        loop = "for i in places: " + "; ".join(filter(None, parts))
        return loop if waits else f"{loop}\n{self.wait_held or self.waits.get('queue', '')}"


class Case:
    def __init__(self, peer, row):
        _part, self.kind, count, shape, way, _workers = row.split(".")
        if self.kind not in peer.steps:
            raise Absent
        self.module, shape, count = peer.module, tuple(int(n) for n in shape.split("x")), int(count)
        values, other = (inputs.make(self.kind, shape, "float32", which) for which in range(2))
        places = [i % PLACES for i in range(count)]
        self.names = self.module.NAMES | {
            "xs": [self.module.copy(values) for _ in range(min(count, PLACES))],
            "b": self.module.array(other) if self.kind == "matmul" else None,
            "places": places, "held": [None] * PLACES}
        self.statement = peer.loop(self.kind, way == "each")

    def digest(self):
        exec(self.statement, self.names)
        return inputs.digest(self.kind, self.module.values(self.names["y"]))

    def time(self, seconds):
        """Microseconds of all steps."""
        return best_s(timeit.Timer(self.statement, globals=self.names), seconds) * 1e6
