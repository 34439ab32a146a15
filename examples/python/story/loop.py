"""Part 5: the loop `y = x + 1`, with a wait in every step and with one at the end.

The formulas (formula.py) have one worker, so the loops run with one. Each of the three stages is
measured by itself, outside of the loops:

t1, queueing: steps are queued while x is not there yet, because it needs a matrix product that is
    still being computed. So nothing of the steps can run meanwhile.
t2, running: from the end of that product until the worker is done with the steps, divided by their
    number. The program only looks on.
t3, fetching: wait_to_read on an array that is complete.

Steps so short that queueing takes longer are done at the call: then t1 is all of the call, and
nothing is left for the worker. Whether that is so is seen from the engine's count of operations
that a program's own thread has run.

Fusion is off, since it would not store results that nobody can see any more.
"""

import contextlib
from dataclasses import dataclass
from time import perf_counter

import formula
import penstock as ps
from clock import Watch, best, spent, watch_until

ROUNDS = 10
# To measure t1 and t2, so many steps are queued as take about that long. If that is short, it is
# unlikely that another program gets the processor meanwhile.
WATCHED = 1e-3
FEWEST, MOST = 16, 2000


@dataclass
class Row:
    """One array size."""

    elements: int
    steps: int
    at_once: bool  # whether steps are done at the call
    t1: float
    t2: float
    t3: float
    clear: bool = True  # whether t2 is certain: see Stages
    synchronous: float = 0.0
    asynchronous: float = 0.0
    pushed: int = 0
    executed: int = 0
    helped: int = 0  # of the asynchronous steps, those that the program's thread ran

    @property
    def holds(self):
        return formula.running_dominates(self.steps, self.t1, self.t2)

    @property
    def predicted_synchronous(self):
        return formula.synchronous(self.steps, self.t1, self.t2, self.t3)

    @property
    def predicted_asynchronous(self):
        return formula.asynchronous(self.steps, self.t1, self.t2, self.t3)

    @property
    def predicted_helping(self):
        return formula.helping(self.steps, self.t1, self.t2)


# ---- The loops ----------------------------------------------------------------------------------


def loop_synchronous(x, steps):
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()


def loop_asynchronous(x, steps):
    for _ in range(steps):
        y = x + 1  # noqa: F841
    ps.waitall()


@dataclass
class Stages:
    t1: float
    t2: float  # at most that
    clear: bool  # whether it is hardly less


# ---- The three stages ---------------------------------------------------------------------------


@contextlib.contextmanager
def one_worker():
    """One worker and no fusion, inside of the block."""
    workers, fusion = ps.engine.workers(), ps.engine.fusion()
    ps.engine.set_workers(1)
    ps.engine.set_fusion(False)
    try:
        yield
    finally:
        ps.engine.set_fusion(fusion)
        ps.engine.set_workers(workers)


@contextlib.contextmanager
def no_bound():
    """Nothing is held back while the steps of one measurement are queued."""
    bound = ps.engine.bound()
    ps.engine.set_bound(soft_bytes=1 << 62, hard_bytes=1 << 62, ops=1 << 30)
    try:
        yield
    finally:
        ps.engine.set_bound(soft_bytes=bound.soft_bytes, hard_bytes=bound.hard_bytes, ops=bound.ops)


def done_at_the_call(x):
    before = ps.engine.stats().helped
    y = x + 1
    after = ps.engine.stats().helped
    y.wait_to_read()
    return after > before


class Gate:
    """A matrix product that takes longer than queueing what is measured behind it."""

    def __init__(self, side):
        self.matrix = ps.random.normal(size=(side, side))
        self.matrix.wait()

    def close(self):
        return self.matrix @ self.matrix

    def grow(self):
        self.__init__(min(self.matrix.shape[0] * 3 // 2, 1500))


def queue_and_run(x, count, gate):
    """The times of one step; None if the product was over before all was queued."""
    product = gate.close()
    held = x + product[0, 0]
    with Watch() as queued:
        for _ in range(count):
            y = held + 1
    now = perf_counter()
    if product.is_ready():
        ps.waitall()
        return None
    begin = watch_until(product.is_ready, now)
    end = watch_until(y.is_ready, begin[0])
    least, most = end[0] - begin[1], end[1] - begin[0]
    runs = count + 1  # `held` is one more
    return Stages(queued.seconds / count, most / runs, least > 0.9 * most)


def steps_in(seconds, x):
    once = best(lambda: loop_synchronous(x, FEWEST), 5) / FEWEST
    return min(MOST, max(FEWEST, int(seconds / once)))


def stages_queued(x, gate, rounds):
    """The best of several; more if other programs keep this one from seeing when things happen."""
    count = steps_in(WATCHED, x)
    found = []
    with no_bound():
        for _ in range(6 * rounds):
            stages = queue_and_run(x, count, gate)
            if stages is None:
                gate.grow()
                count = max(FEWEST, count // 2)
                continue
            found.append(stages)
            if sum(stages.clear for stages in found) == rounds:
                break
    if not found:
        raise RuntimeError(f"{count} steps could not be queued while a matrix product ran")
    running = min(found, key=lambda stages: stages.t2)
    return Stages(min(stages.t1 for stages in found), running.t2, running.clear)


def measure_stages(elements, steps, gate, rounds=ROUNDS):
    x = ps.ones(elements)
    x.wait()
    at_once = done_at_the_call(x)
    if at_once:
        burst = min(steps, MOST)
        t1 = best(lambda: loop_asynchronous(x, burst), rounds) / burst
        stages = Stages(t1, 0.0, True)
    else:
        stages = stages_queued(x, gate, rounds)
    y = x + 1
    y.wait_to_read()
    t3 = best(lambda: wait_often(y, 1000), rounds) / 1000
    return Row(elements, steps, at_once, stages.t1, stages.t2, t3, stages.clear)


def wait_often(y, times):
    for _ in range(times):
        y.wait_to_read()


# ---- The whole loops ----------------------------------------------------------------------------


def measure_loops(row, rounds):
    """Both loops, in turn; the best of several rounds, so that what disturbs one is not counted."""
    x = ps.ones(row.elements)
    x.wait()
    synchronous, asynchronous = [], []
    for _ in range(rounds):
        synchronous.append(spent(lambda: loop_synchronous(x, row.steps)))
        before = ps.engine.stats()
        asynchronous.append(spent(lambda: loop_asynchronous(x, row.steps)))
        after = ps.engine.stats()
    row.synchronous, row.asynchronous = min(synchronous), min(asynchronous)
    row.pushed = after.pushed - before.pushed
    row.executed = after.executed - before.executed
    row.helped = after.helped - before.helped


def rounds_for(row, seconds):
    """How often both loops fit into that time; 0 if they do not."""
    once = 2 * row.predicted_synchronous
    return min(3, int(seconds / once)) if once > 0 else 3


def sweep(sizes, steps, seconds, begin=lambda elements: None):
    """A Row for each size, as long as its loops fit into `seconds`; `begin` is told each size."""
    rows = []
    with one_worker():
        gate = Gate(400)
        for elements in sizes:
            begin(elements)
            row = measure_stages(elements, steps, gate)
            rounds = rounds_for(row, seconds)
            if rounds == 0 and rows:
                break
            measure_loops(row, max(rounds, 1))
            rows.append(row)
    return rows


def with_fusion(row):
    """The asynchronous loop of that row again, with fusion."""
    with one_worker():
        ps.engine.set_fusion(True)
        x = ps.ones(row.elements)
        x.wait()
        return best(lambda: loop_asynchronous(x, row.steps), 2)
