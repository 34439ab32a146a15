"""Iterators over batches: made when they are asked for, or ahead of that, by threads.

The iterating thread hands out jobs, in order: it reads the sampler itself, as many batches ahead as
may be. Threads do them, in any order; the iterating thread takes the oldest when it is done.

Invariants
  1. What changes in a `_Desk` and in the jobs on it is guarded by its condition. Threads hold a
     desk, never the iterator: with the iterator's last reference the desk is closed, and its
     threads end after the batch in hand.
  2. `_desks` has the desks that are open. At the end of the program they are closed, and their
     threads waited for; in a forked child, which has no such threads, the iterating thread does
     what they have not done.
  3. What changes in an iterator is guarded by its `_Turn`, which a thread has from the call to the
     batch: so several threads may share one, and each batch is given once. `_turns` has them all:
     in a forked child they are free, whoever had them.
"""

from __future__ import annotations

import os
from _thread import RLock
from weakref import WeakSet

from .. import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable
    from typing import Any

# Seconds that the end of the program waits for items in hand.
_PATIENCE = 10.0

_desks: list[_Desk] = []
_turns: WeakSet[_Turn] = WeakSet()


def quietly(make: Callable[[Any], Any], indices: Any) -> Any:
    """A batch, made by the calling thread with nothing recorded."""
    before = _core._grad_set_state(False, None)
    try:
        return make(indices)
    finally:
        _core._grad_set_state(*before)


class _Turn:
    """One thread at a time, which may take its turn again inside of it."""

    def __init__(self) -> None:
        self.lock = RLock()
        _turns.add(self)

    def __enter__(self) -> None:
        self.lock.acquire()

    def __exit__(self, *_: object) -> None:
        self.lock.release()


class _Job:
    """A batch to be made; one with an error from the start is done."""

    __slots__ = ("_indices", "done", "error", "value")

    def __init__(self, indices: Any, error: BaseException | None = None) -> None:
        self._indices = indices
        self.value: Any = None
        self.error = error
        self.done = error is not None

    def run(self, make: Callable[[Any], Any]) -> None:
        """Makes the batch. Done is set by the caller."""
        try:
            self.value = make(self._indices)
        except BaseException as error:
            self.error = error.with_traceback(_without_first(error.__traceback__))

    def result(self) -> Any:
        """The batch; or its error is raised, here."""
        error, self.error = self.error, None
        if error is None:
            return self.value
        try:
            raise error
        finally:
            del error  # the traceback has this frame: no cycle may be left


def _without_first(traceback: Any) -> Any:
    return traceback.tb_next if traceback is not None and traceback.tb_next else traceback


class _Desk:
    """Where jobs are handed to threads."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        import threading

        self.make = make
        self.ready = threading.Condition()
        self.waiting: list[_Job] = []  # for a thread, the oldest first
        self.closed = False
        self.threads: list[threading.Thread] = []

    def open(self, count: int) -> None:
        """Starts threads, which have the caller's modes, but record nothing."""
        import threading
        from contextvars import copy_context

        args = (_work, self, _core._grad_is_training())
        _watch_exit()
        _desks.append(self)
        try:
            for number in range(count):
                run, name = copy_context().run, f"penstock-loader-{number}"
                thread = threading.Thread(target=run, args=args, name=name, daemon=True)
                thread.start()
                self.threads.append(thread)
        except BaseException:  # no room for another thread
            self.close()
            raise

    def put(self, job: _Job) -> None:
        with self.ready:
            self.waiting.append(job)
            self.ready.notify_all()

    def take(self) -> _Job | None:
        """The oldest job; None: there will be none."""
        with self.ready:
            while not self.waiting and not self.closed:
                self.ready.wait()
            return None if self.closed else self.waiting.pop(0)

    def finish(self, job: _Job) -> None:
        with self.ready:
            job.done = True
            self.ready.notify_all()

    def wait_for(self, job: _Job, timeout: float | None = None) -> bool:
        """Until the job is done: by a thread, or here if there are none; False: it is not."""
        if not self.threads and not job.done:
            job.run(lambda indices: quietly(self.make, indices))
            job.done = True
        with self.ready:
            return self.ready.wait_for(lambda: job.done, timeout)

    def close(self) -> None:
        """Threads end after what they have in hand. Does not wait for them."""
        with self.ready:
            if self.closed:
                return
            self.closed = True
            self.waiting.clear()
            if self in _desks:
                _desks.remove(self)
            self.ready.notify_all()

    def lose_threads(self) -> None:
        """In a forked child: its threads, and whatever they hold, are not there."""
        import threading

        self.ready = threading.Condition()
        self.threads = []


def _work(desk: _Desk, training: bool) -> None:
    """What a thread does."""
    _core._grad_set_state(False, training)
    while (job := desk.take()) is not None:
        job.run(desk.make)
        desk.finish(job)
        del job  # the batch is the iterating thread's


# ---- The ends of processes -----------------------------------------------------------------------


def _after_fork() -> None:
    for desk in _desks:
        desk.lose_threads()
    for turn in _turns:
        turn.lock = RLock()


def _at_exit() -> None:
    from time import monotonic

    open_ones = list(_desks)
    end = monotonic() + _PATIENCE
    for desk in open_ones:
        desk.close()
    for desk in open_ones:
        for thread in desk.threads:
            thread.join(max(0.0, end - monotonic()))


_watched = False


def _watch_exit() -> None:
    """Has _at_exit called, before what this package does at the end."""
    global _watched
    if not _watched:
        import atexit

        _watched = True
        atexit.register(_at_exit)


os.register_at_fork(after_in_child=_after_fork)


# ---- The iterator --------------------------------------------------------------------------------


class Direct:
    """Iterates over batches that are made when they are asked for, by whoever asks."""

    def __init__(self, indices: Iterable[Any], make: Callable[[Any], Any]) -> None:
        self._indices = iter(indices)
        self._make = make
        self._turn = _Turn()

    def __iter__(self) -> Direct:
        return self

    def __next__(self) -> Any:
        with self._turn:
            try:
                return quietly(self._make, next(self._indices))
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """There are no more batches."""
        self._indices = iter(())


class Prefetched:
    """Iterates over batches that threads make, at most `ahead` before they are asked for."""

    def __init__(
        self, indices: Iterable[Any], make: Callable[[Any], Any], threads: int, ahead: int
    ) -> None:
        self._indices = iter(indices)
        self._ahead = ahead
        self._jobs: list[_Job] = []  # handed out, the oldest first
        self._turn = _Turn()
        self._desk = _Desk(make)
        self._desk.open(threads)
        self._hand_out()

    def __iter__(self) -> Prefetched:
        return self

    def __next__(self) -> Any:
        with self._turn:
            if not self._jobs:
                self.close()
                raise StopIteration
            job = self._jobs[0]
            self._desk.wait_for(job)
            self._jobs.pop(0)
            try:
                value = job.result()
            except BaseException:
                self.close()
                raise
            self._hand_out()
            return value

    def wait(self, timeout: float) -> bool:
        """For so many seconds at most; whether the next batch is there, or none will be."""
        with self._turn:
            return not self._jobs or self._desk.wait_for(self._jobs[0], timeout)

    def _hand_out(self) -> None:
        """Jobs up to the number that may be under way. What the sampler raises has its turn."""
        while len(self._jobs) < self._ahead:
            try:
                job = _Job(next(self._indices))
            except StopIteration:
                return
            except Exception as error:
                self._jobs.append(_Job(None, error))
                self._indices = iter(())
                return
            self._jobs.append(job)
            self._desk.put(job)

    def close(self) -> None:
        """Let the threads end; there are no more batches."""
        self._jobs.clear()
        self._desk.close()

    def __del__(self) -> None:
        desk = getattr(self, "_desk", None)
        if desk is not None:
            desk.close()
