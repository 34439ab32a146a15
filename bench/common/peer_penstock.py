"""Ours, from Python. Bursts end with a wait for everything that was queued."""

import timeit

import calls
import penstock as ps

PAIRS = 1000  # of calls in a sample of location_cost

NAMES = {"ps": ps, "exp": ps.exp}

STATEMENTS = calls.STATEMENTS | {
    "add": "y = x + 1",
    "chain": "y = ps.nn.relu(x * x + 2) * 0.5 - x; y = ps.exp(y * 0.01) + x",
    "exp": "y = ps.exp(x)",
    "sum": "y = x.sum()",
    "normals": "y = ps.random.normal(0, 1, shape)",
    "matmul": "y = x @ b",
    "sort": "y = ps.sort(x)",
}
WAITS = {kind: "ps.waitall()" if "burst" in statement else "y.wait_to_read()"
         for kind, statement in STATEMENTS.items() if not kind.endswith("item")}


class Derived(ps.ndarray):
    pass


class Dialect(ps.ndarray, dialect=ps.Dialect("bench", scalar="keep", mixed="refuse",
                                             compare="operands", one_dimension=True,
                                             copies=["strided", "permute"])):
    """With rules like those of MXNet's nd: none is the native one where it can be another."""

    __slots__ = ()


CLASSES = {"sub": lambda x: x.as_subclass(Derived), "dialect": lambda x: x.as_subclass(Dialect)}


def about(_way):
    return f"Penstock {ps.__version__}, {ps.engine.workers()} workers"


def statements(_way):
    return STATEMENTS, WAITS


def counts():
    """Operations queued and executed since the start."""
    ps.waitall()
    stats = ps.engine.stats()
    return stats.pushed, stats.executed


def calls_timer(first, second):
    """A burst of pushes from the code of two functions in turn."""
    names = {"f": first, "g": second, "ps": ps, "pairs": PAIRS}
    return timeit.Timer("for _ in range(pairs): f(); g()\nps.waitall()", globals=names)


def location_cost(_peer, x, seconds):
    """Microseconds that a push takes longer when the last one came from other code, which makes it
    look up its source location anew."""
    names = {"x": x}
    exec("def f(): x + 1\ndef g(): x + 1", names)
    timers = [calls_timer(names["f"], names[second]) for second in "fg"]
    end = timeit.default_timer() + seconds
    samples = [[], []]
    while len(samples[0]) < 3 or timeit.default_timer() < end:
        for timer, found in zip(timers, samples):
            found.append(timer.timeit(1))
    same, other = map(min, samples)
    return (other - same) / (2 * PAIRS) * 1e6


SCENARIOS = {"location": location_cost}

array = copy = ps.array
relu = ps.nn.relu


def values(result):
    return result.asnumpy()


def start(_ys):
    pass


def wait(y):
    y.wait_to_read()
