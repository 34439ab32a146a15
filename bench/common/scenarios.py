"""Measurements that are more than a statement: a function of the library's module, the row's array,
and the seconds there are for it. The module offers wait(y), start(ys) (begin to compute all of them),
copy(values) (a new array from NumPy's), and relu(x)."""

import resource
import statistics
import time

import numpy as np

PRODUCTS = 11
BATCHES_PER_S = 1000  # in the usual 0.2 s: 200 batches


def first_of_many(peer, x, _seconds):
    """How much of the time that all of several equal products take passes until the first is there."""
    parts = []
    for _ in range(3):
        start = time.perf_counter()
        ys = [x @ x for _ in range(PRODUCTS)]
        peer.start(ys)
        peer.wait(ys[0])
        first = time.perf_counter()
        for y in ys:
            peer.wait(y)
        parts.append((first - start) / (time.perf_counter() - start))
    return statistics.median(parts)


def resident_mb():
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize() / 1e6


def peak_mb():
    with open("/proc/self/status", encoding="ascii") as status:
        peak = next(line for line in status if line.startswith("VmHWM"))
    return int(peak.split()[1]) * 1024 / 1e6


def forget_peak():
    with open("/proc/self/clear_refs", "w", encoding="ascii") as refs:
        refs.write("5")


def memory_growth(peer, x, seconds):
    """Megabytes that the process grows by, at its peak, while batches from NumPy are pushed through
    a network whose last layer learns, and nobody waits. Wants a process of its own: what earlier
    rows left in a pool would hide the growth."""
    random = np.random.default_rng(1)
    rows, columns = x.shape
    batches = [random.random((rows, columns), dtype=np.float32) for _ in range(4)]
    one, two, last = (peer.copy(random.random(shape, dtype=np.float32) * np.float32(0.01))
                      for shape in ((columns, 2048), (2048, 512), (512, 1)))

    def step(last, batch):
        hidden = peer.relu(peer.relu(peer.copy(batch) @ one) @ two)
        return last - (hidden.T @ (hidden @ last - 1)) * 1e-9

    for batch in batches:  # one at a time: running ahead counts as growth
        last = step(last, batch)
        peer.wait(last)
    base = resident_mb()
    forget_peak()
    for i in range(round(seconds * BATCHES_PER_S)):
        last = step(last, batches[i % len(batches)])
    peer.wait(last)
    return max(0.0, peak_mb() - base)


def of(peer):
    """All of them, by kind; a library may have some of its own, and None for what it leaves out."""
    return {"first": first_of_many, "memory": memory_growth} | getattr(peer, "SCENARIOS", {})
