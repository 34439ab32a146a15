"""`await x` under asyncio, for an array that is not ready yet.

Each event loop has one queue of completed arrays, whose file descriptor it watches while something
is awaited. A future waits for each `await`; the queue gives back the number it is known by.

Imported at the first such `await`, so that asyncio is not imported before.
"""

from __future__ import annotations

import asyncio
import itertools
import weakref

from ._core import _Completions, ndarray


class _Watcher:
    """The queue of one loop. Used by the thread that runs the loop only."""

    def __init__(self):
        self.completions = _Completions()
        self.tags = itertools.count()
        self.futures = {}

    def future(self, loop, array):
        """A future that becomes True or False: whether the array has a value or an error."""
        tag = next(self.tags)
        self.completions.watch(array, tag)
        if not self.futures:
            loop.add_reader(self.completions.fileno(), self.take, loop)
        future = self.futures[tag] = loop.create_future()
        return future

    def take(self, loop):
        """Resolves the futures of what has completed."""
        while (done := self.completions.pop()) is not None:
            tag, succeeded = done
            future = self.futures.pop(tag, None)
            if future is not None and not future.done():
                future.set_result(succeeded)
        if not self.futures:
            loop.remove_reader(self.completions.fileno())


# Guarded by the interpreter's lock. A watcher goes with its loop.
_watchers = weakref.WeakKeyDictionary()


def _watcher(loop):
    watcher = _watchers.get(loop)
    if watcher is None:
        # Futures that a closed loop has left keep it alive.
        for other in [other for other in _watchers if other.is_closed()]:
            _watchers.pop(other, None)
        watcher = _watchers[loop] = _Watcher()
    return watcher


def awaiting(array):
    """The iterator that `await array` runs. Its value is the array."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        raise RuntimeError(
            "await of an array that is not ready needs a running asyncio event loop; "
            "x.wait() waits without one"
        ) from None
    return _until_ready(array, loop)


def _until_ready(array, loop):
    while not ndarray.wait(array, 0):  # raises the array's error
        if (yield from _watcher(loop).future(loop, array)):
            break
        # It has an error, unless it has been written again meanwhile: look once more.
    return array
