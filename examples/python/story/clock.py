"""Measuring times."""

import os
from time import perf_counter


class Watch:
    """with Watch() as watch: ...; watch.seconds"""

    def __enter__(self):
        self.start = perf_counter()
        return self

    def __exit__(self, *error):
        self.seconds = perf_counter() - self.start


def spent(work):
    with Watch() as watch:
        work()
    return watch.seconds


def best(work, rounds):
    """The shortest of several times: the one that other programs disturbed least."""
    return min(spent(work) for _ in range(rounds))


ALONE = len(os.sched_getaffinity(0)) == 1


def watch_until(ready, before):
    """When ready() became true: no sooner than the first time and no later than the second one.

    `before` is a time when it was not true yet. The two are far apart if another program had the
    processor in between. This looks on and does not help, as a wait would."""
    look = perf_counter()
    while not ready():
        before = look
        if ALONE:
            os.sched_yield()
        look = perf_counter()
    return before, perf_counter()


def be_busy(seconds):
    """Python's own work, for about that long; returns how far it has counted."""
    count, end = 0, perf_counter() + seconds
    while perf_counter() < end:
        count += 1
    return count
