"""The memory of arrays: how much there is in use, and how much there may be."""

from __future__ import annotations

from . import _core
from ._core import _MemoryStats as Stats

__all__ = ["Stats", "reset_peak", "set_limit", "stats", "trim"]


def __dir__() -> list[str]:
    return __all__


def stats() -> Stats:
    """What arrays use now, and the most they have used, in bytes, as a named tuple.

    `live` is in use, `peak` the most of it so far, `cached` kept for reuse, `queued` what queued
    operations need or hold, `limit` the hard limit or None.

    >>> x = ps.ones((1024, 1024)) + 1
    >>> x.wait_to_read()
    >>> ps.memory.stats().live >= 4 * 1024 * 1024
    True
    """
    return _core._memory_stats()


def set_limit(bytes: int | None) -> None:
    """Limit what arrays may use; None removes the limit.

    An operation that would need more first waits until it is alone. If that is not enough, reading
    its result raises MemoryError. PENSTOCK_MEMORY_LIMIT sets the limit at the start.

    >>> ps.memory.set_limit(8 << 30)
    >>> ps.memory.stats().limit
    8589934592
    >>> ps.memory.set_limit(None)
    """
    _core._memory_set_limit(bytes)


def trim() -> int:
    """Give memory that is kept for reuse back to the system; return how many bytes.

    >>> ps.memory.trim() >= 0
    True
    """
    return _core._memory_trim()


def reset_peak() -> None:
    """Measure `stats().peak` from here on.

    >>> ps.memory.reset_peak()
    """
    _core._memory_reset_peak()
