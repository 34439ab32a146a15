"""GPUs: paddle.device.cuda."""

from ... import memory, waitall
from .. import _missing
from .._place import gpu_count

__all__ = ["device_count", "synchronize"]


def synchronize(device=None):
    """Wait until all that was queued is done, on whatever devices there are."""
    waitall()


def device_count():
    """How many GPUs there are."""
    return gpu_count()


def empty_cache():
    """Give memory that is kept for the next tensors back to the system."""
    memory.trim()


def memory_allocated(device=None):
    """Bytes that tensors on a GPU use."""
    _need("memory_allocated")
    return memory.stats().live


def max_memory_allocated(device=None):
    """The most bytes that tensors on a GPU used at once."""
    _need("max_memory_allocated")
    return memory.stats().peak


def _need(name):
    if not gpu_count():
        raise ValueError(f"paddle.device.cuda.{name}: there is no GPU that Penstock can use")


__getattr__ = _missing.missing("paddle.device.cuda")
