"""The engine: what it has done and is doing, how far it may run ahead, synchronous mode.

Operations are queued and run by workers, threads of the library's own. A program that queues
faster than they run is held back at the bound, and then helps to run what is queued.
"""

from __future__ import annotations

from . import _core
from ._core import _EngineBlas as Blas
from ._core import _EngineBound as Bound
from ._core import _EngineStats as Stats
from ._scope import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    class Event(NamedTuple):
        time_ns: int
        kind: str
        task: int
        name: str | None
        thread: str
        other: int | str | None
        place: tuple[str, int, str] | None

__all__ = [
    "Blas",
    "Bound",
    "Event",
    "Stats",
    "blas",
    "bound",
    "fusion",
    "is_sync",
    "set_bound",
    "set_fusion",
    "set_sync",
    "set_workers",
    "stats",
    "sync",
    "trace",
    "workers",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name == "Event":
        return _event_type()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def stats() -> Stats:
    """What the engine has done since the start, as a named tuple of counts.

    >>> before = ps.engine.stats().pushed
    >>> y = ps.ones(3) + 1
    >>> ps.engine.stats().pushed > before
    True
    """
    return _core._engine_stats()


def workers() -> int:
    """How many threads run operations.

    >>> ps.engine.workers() >= 1
    True
    """
    return _core._engine_workers()


def set_workers(workers: int | None) -> None:
    """Change how many threads run operations; None means the default.

    The default is what PENSTOCK_WORKERS says, else the processors that this process may use.

    >>> ps.engine.set_workers(2)
    >>> ps.engine.workers()
    2
    >>> ps.engine.set_workers(None)
    """
    _core._engine_set_workers(workers)


def bound() -> Bound:
    """How far the queue may run ahead, as a named tuple.

    Calls are held back while more than `soft_bytes` bytes and more than `soft_ops_per_worker`
    operations for each worker are queued, or more than `hard_bytes` bytes, or more than `ops`
    operations.

    >>> ps.engine.bound().ops
    4096
    """
    return _core._engine_bound()


def set_bound(
    *,
    soft_bytes: int | None = None,
    soft_ops_per_worker: int | None = None,
    hard_bytes: int | None = None,
    ops: int | None = None,
) -> None:
    """Change how far the queue may run ahead. What is not given stays.

    >>> ps.engine.set_bound(ops=1000)
    >>> ps.engine.bound().ops
    1000
    >>> ps.engine.set_bound(ops=4096)
    """
    _core._engine_set_bound(soft_bytes, soft_ops_per_worker, hard_bytes, ops)


def fusion() -> bool:
    """Whether operations on elements are run together where that saves memory traffic.

    >>> ps.engine.fusion()
    True
    """
    return _core._engine_fusion()


def set_fusion(on: bool) -> None:
    """Turn fusion on or off, for the whole process. Results are the same bits.

    >>> ps.engine.set_fusion(False)
    >>> ps.engine.set_fusion(True)
    """
    _core._engine_set_fusion(on)


def blas() -> Blas:
    """What multiplies matrices; loads the library if no product has done so yet.

    Its file, how it was built, the kernels that it uses, its threads (one: the engine's workers call
    it side by side), and why all this was chosen. Where no library is found products run on kernels
    of our own, several times slower: the logger `penstock` then has a warning. `ValueError` if the
    variable PENSTOCK_BLAS names no library.

    >>> ps.engine.blas().threads in (1, None)
    True
    """
    import logging

    info = _core._blas_info()
    level = logging.WARNING if info.file is None else logging.DEBUG
    logging.getLogger("penstock").log(
        level, "matrix products run on: %s (%s)", info.name, info.reason
    )
    return info


def is_sync() -> bool:
    """Whether operations are complete when their call returns.

    >>> with ps.engine.sync():
    ...     ps.engine.is_sync()
    True
    """
    return _core._mode_get()


def set_sync(on: bool | None = True) -> None:
    """Switch synchronous mode on or off from here on, in the current context.

    None means what PENSTOCK_ENGINE says. Inside `with sync()` it lasts until the end of that block.
    Threads and asyncio tasks have contexts of their own.

    >>> ps.engine.set_sync(True)
    >>> ps.engine.is_sync()
    True
    >>> ps.engine.set_sync(None)
    """
    _core._mode_set(on)


class sync(Scope):
    """Synchronous mode, for debugging: each operation is complete when its call returns.

    An error is then raised by the line that caused it. Use it as a context manager or as a
    decorator of functions and coroutine functions; `sync(False)` is the way back inside of it. It
    holds for the current context: other threads and asyncio tasks are not concerned.

    >>> with ps.engine.sync():
    ...     y = ps.ones(3) + 1
    ...     y.is_ready()
    True
    """

    __slots__ = ("on",)

    def __init__(self, on: bool = True) -> None:
        if on is not True and on is not False:
            raise TypeError(f"sync: on must be True or False, not {on!r}")
        self.on = on

    def __repr__(self) -> str:
        return f"penstock.engine.sync({self.on})"

    def __enter__(self) -> None:
        _core._mode_enter(self.on)

    def __exit__(self, *error: object) -> None:
        _core._mode_leave()


# ---- Tracing ------------------------------------------------------------------------------------

# In the order of ps_trace_kind and ps_trace_reason; threads that are no workers count from there.
_KINDS = (
    *("queued", "depends", "ready", "start", "issued", "end", "group", "wait", "resume"),
    *("loop", "loop end"),
)
_REASONS = (None, "held", "no worker")
_FIRST_OUTSIDER = 0x10000

_recording = None  # the trace whose block is being run


def _event_type():
    """The class of events: made when it is first wanted, since `collections` takes time to load."""
    if "Event" not in globals():
        from collections import namedtuple

        Event = namedtuple("Event", "time_ns kind task name thread other place")
        Event.__module__ = __name__
        Event.__doc__ = "What happened to an operation, or to a thread that waits: see trace."
        globals()["Event"] = Event
    return globals()["Event"]


def _thread_name(number):
    if number < _FIRST_OUTSIDER:
        return f"worker {number}"
    return f"thread {number - _FIRST_OUTSIDER + 1}"


def _meaning(kind, other):
    """What the number that comes with an event says."""
    if kind in ("depends", "group", "loop", "loop end"):
        return other
    if kind == "ready":
        return other or None
    if kind == "start":
        return _REASONS[other] if other < len(_REASONS) else None
    if kind == "end":
        return "failed" if other else None
    if kind in ("wait", "resume"):
        return "bound" if other == 3 else "value"
    return None


class trace:
    """Record what happens to each operation that is queued while the block runs.

    What the block is left with has the attributes `events`, a list in the order of time, and
    `lost`, how many of the oldest were overwritten because a thread had more than `events` of them.
    Wait inside of the block for what should be seen to its end. While a trace is recorded every
    operation is queued, those too that are so short that they are done at the call otherwise.

    An event is a named tuple:

    - `time_ns`: on the clock of `time.monotonic_ns`
    - `kind`: one of those below
    - `task`: the number of the operation, in the order of queueing; 0 for a wait, and for a loop
      that is part of no operation
    - `name`: of the operation
    - `thread`: "worker 1" and so on; "thread 1" and so on for those that are no workers
    - `other`: as the kind says, else None
    - `place`: (file, line, function) of the line that queued it, or None; for "queued" only

    | kind | meaning | other |
    | --- | --- | --- |
    | queued | it was put into the queue | |
    | depends | it follows another one | the number of that one |
    | ready | all that it follows is complete | the number of the last of these, if any |
    | start | a thread runs it | "held" or "no worker": what it was waiting for since it is ready |
    | issued | it was given to a device | |
    | end | it is complete | "failed" if it failed |
    | group | it runs together with others | the number of the first of them |
    | wait, resume | a thread begins to wait, goes on | "bound" if the queue is full, else "value" |
    | loop | a thread begins to run parts of it: it is divided | how many parts it has |
    | loop end | and ends | how many of them that thread ran |

    >>> with ps.engine.trace() as recorder:
    ...     y = (ps.ones(3) * 2 + 1).wait()
    >>> [event.name for event in recorder.events if event.kind == 'queued']
    ['ones', 'multiply', 'add']
    """

    __slots__ = ("_size", "events", "lost")

    def __init__(self, events: int = 1 << 16) -> None:
        self._size = events
        self.events: list[Event] = []
        self.lost = 0

    def __enter__(self) -> trace:
        global _recording
        if _recording is not None:
            raise RuntimeError("trace: a trace is being recorded already")
        _core._trace_start(self._size)
        _recording = self
        return self

    def __exit__(self, *error: object) -> None:
        global _recording
        _recording = None
        _core._trace_stop()
        event_type = _event_type()
        found, self.lost = _core._trace_read()
        self.events = [self._named(event_type, *event) for event in found]

    @staticmethod
    def _named(event_type, time_ns, kind, task, name, thread, other, place):
        kind = _KINDS[kind]
        other = _meaning(kind, other)
        return event_type(time_ns, kind, task, name, _thread_name(thread), other, place)
