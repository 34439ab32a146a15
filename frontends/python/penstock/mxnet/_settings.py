"""MXNet's environment variables that mean something here, read when the package is imported.

Penstock's own variables win where both are set.
"""

import os

from .base import MXNetValueError

_ENGINES = {"NaiveEngine": True, "ThreadedEngine": False, "ThreadedEnginePerDevice": False}
_MOST_WORKERS = 1024


def apply():
    """Brings the engine into the state that the variables ask for."""
    engine, workers = _engine(), _workers()
    if engine and "PENSTOCK_ENGINE" not in os.environ:
        from ..engine import set_sync

        # For all threads: the engine reads it with the first operation. Should there have been one
        # already, this thread is synchronous all the same.
        os.environ["PENSTOCK_ENGINE"] = "sync"
        set_sync(True)
    if workers is not None and "PENSTOCK_WORKERS" not in os.environ:
        from ..engine import set_workers

        set_workers(workers)


def _engine():
    """Whether synchronous execution is wanted."""
    value = os.environ.get("MXNET_ENGINE_TYPE") or "ThreadedEnginePerDevice"
    if value not in _ENGINES:
        raise MXNetValueError(f"MXNET_ENGINE_TYPE: {value!r} is none of {', '.join(_ENGINES)}")
    return _ENGINES[value]


def _workers():
    """How many workers are wanted; None if nothing is said."""
    value = os.environ.get("MXNET_CPU_WORKER_NTHREADS")
    if not value:
        return None
    if not (value.isascii() and value.isdigit() and 1 <= int(value) <= _MOST_WORKERS):
        raise MXNetValueError(
            f"MXNET_CPU_WORKER_NTHREADS: {value!r} is no number from 1 to {_MOST_WORKERS}"
        )
    return int(value)
