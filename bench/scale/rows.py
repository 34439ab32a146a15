"""The rows of the scaling benchmark. Programs answer with microseconds for all steps of a row; a row
shows them in its own unit."""

import statistics

from common.row import Row

PEERS = ("numpy", "torch", "torch_compile", "jax_jit", "openmp")

WAYS = {"once": "one wait", "each": "a wait each"}


def workers_text(count):
    """
    >>> workers_text(1), workers_text(2)
    ('1 worker', '2 workers')
    """
    return f"{count} worker" + "s" * (count != 1)


class StepsRow(Row):
    """So many steps of a kind and a shape, with so many workers; its value is the time of all."""

    def __init__(self, part, step, way, workers, title, unit="us"):
        self.kind, self.count, self.shape = step
        self.way, self.workers = way, workers
        super().__init__(".".join((part, *map(str, step), way, f"w{workers}")), title, unit=unit)

    def microseconds(self, program):
        return super().value(program)

    def shown(self, microseconds):
        return microseconds / {"us": 1, "ms": 1e3}[self.unit]

    def value(self, program):
        found = self.microseconds(program)
        return None if found is None else self.shown(found)


class RateRow(StepsRow):
    """Products: more is better. The ratio is above 1 where ours is slower, as in all rows."""

    def __init__(self, *given):
        super().__init__(*given, unit="GFLOP/s")

    def shown(self, microseconds):
        side = int(self.shape.partition("x")[0])
        return self.count * 2 * side**3 / microseconds / 1e3

    def best(self, peers):
        return max((self.value(p) for p in peers if p in self.found), default=None)

    def ratio(self, ours, peers):
        slower = super().ratio(ours, peers)
        return 1 / slower if slower else None


# ---- The table -----------------------------------------------------------------------------------

CHAINS = 320
PRODUCTS = ((6400, 64), (640, 200), (1, 500), (1, 1000), (1, 4096))


def table_steps():
    """(class, step, way, title, unit if the class does not say) of each line."""
    for elements in (2000, 20000, 100000):
        for way, wait in WAYS.items():
            yield (StepsRow, ("chain", CHAINS, elements), way,
                   f"{CHAINS} chains of 8, {elements:,} elements, {wait}", "ms")
    for count, side in PRODUCTS:
        title = f"{count:,} products {side}" if count > 1 else f"product {side}"
        yield RateRow, ("matmul", count, f"{side}x{side}"), "once", title
    yield StepsRow, ("add", 1, "2000x2000"), "each", "x + 1, 2000x2000", "us"
    yield StepsRow, ("chain", 1, "2000x2000"), "each", "chain of 8, 2000x2000", "us"
    yield StepsRow, ("sum", 1, "8000x8000"), "each", "sum of 8000x8000", "ms"


def table_groups(workers):
    """For each line, its rows: one for each number of workers."""
    return [[make("table", step, way, n, title, *unit) for n in workers]
            for make, step, way, title, *unit in table_steps()]


# ---- Never slower --------------------------------------------------------------------------------

SIZES = (2, 10, 100, 1000, 2000, 3000, 5000, 10_000, 20_000, 50_000, 100_000, 300_000, 1_000_000,
         10_000_000)
MOST = {"matmul": 1_000_000, "sort": 1_000_000}
STEP_WAYS = ("once", "each", "sync")
STEP_TITLES = {"add": "x + 1", "chain": "chain of 8", "sum": "sum", "matmul": "product of squares",
               "sort": "sort"}

# About what an element costs, in nanoseconds, and how long a sample may take.
ELEMENT_NS = {"add": 0.3, "chain": 2, "sum": 0.3, "sort": 30}
SAMPLE_NS = 5e6
FLOP_NS = 0.01
COUNT_MIN, COUNT_MAX = 8, 1000


def steps_between_waits(kind, size):
    """
    >>> steps_between_waits("add", 2), steps_between_waits("add", 10**7)
    (1000, 8)
    """
    cost = 2 * size**1.5 * FLOP_NS if kind == "matmul" else size * ELEMENT_NS[kind]
    return max(COUNT_MIN, min(COUNT_MAX, round(SAMPLE_NS / cost)))


class StepRow(StepsRow):
    """One of the ways to do steps of a size; its value is the time of one."""

    def __init__(self, kind, size, way, workers):
        side = round(size**0.5)
        shape = f"{side}x{side}" if kind == "matmul" else str(size)
        step = (kind, steps_between_waits(kind, size), shape)
        super().__init__("step", step, way, workers, f"{STEP_TITLES[kind]}, {size:,}")
        self.size = size

    def shown(self, microseconds):
        return microseconds / self.count

    def spread(self, program):
        """How far a usual round lies above the best, as a part of it."""
        found = self.found[program]
        return statistics.median(found) / min(found) - 1


def step_groups(workers):
    """For each operation and size, its rows: each way with each number of workers."""
    return [[StepRow(kind, size, way, n) for n in workers for way in STEP_WAYS]
            for kind in STEP_TITLES for size in SIZES if size <= MOST.get(kind, size)]


# ---- The engine ----------------------------------------------------------------------------------

def engine_rows():
    percent = [Row(f"engine.sleep.{us}", f"tasks that sleep {us} us, of what bare threads do",
                   unit="%", combine=statistics.median) for us in (20, 50, 200)]
    pairs = [Row(f"engine.pair.{n}", f"x + 1 of {n}: two threads / one", unit="ratio",
                 combine=statistics.median) for n in (2, 100)]
    starts = [Row(f"engine.start.{us}", f"push to start, idle for {us:,} us", unit="us")
              for us in (50, 5000)]
    return percent + pairs + starts


def idle_row():
    return Row("engine.idle", "processor time of an idle process in 10 s", unit="ms")
