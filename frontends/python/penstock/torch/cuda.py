"""GPUs. What is said of them is true of this machine; synchronize waits whatever there is.

>>> from penstock import torch
>>> x = torch.ones(2) + 1
>>> torch.cuda.synchronize()
>>> x
tensor([2., 2.])
"""

from .. import memory, waitall
from .._common.devices import gpu_count
from . import _missing
from ._device import device as _device

__all__ = ["device_count", "is_available", "synchronize"]


def device_count():
    """How many GPUs there are."""
    return gpu_count()


def is_available():
    """Whether there is a GPU."""
    return device_count() > 0


def synchronize(device=None):
    """Wait until all that was queued is done, on whatever devices there are."""
    if device is not None and not isinstance(device, (_device, str, int)):
        raise TypeError(f"synchronize: a device is needed, not {device!r}")
    waitall()


def _need(what):
    if not is_available():
        raise RuntimeError(f"{what}: there is no GPU that Penstock can use")


def current_device():
    """The number of the GPU that is used unless another is named."""
    _need("current_device")
    return 0


def set_device(device):
    """Only the first GPU can be the current one."""
    _need("set_device")
    if _device(device).index not in (None, 0):
        raise NotImplementedError("set_device: name the device where tensors are made")


def get_device_name(device=None):
    """What a GPU is called."""
    _need("get_device_name")
    return f"cuda:{_device(device or 0).index or 0}"


def manual_seed(seed):
    """Nothing: all devices draw from the one generator that torch.manual_seed sets."""


def manual_seed_all(seed):
    """Nothing: all devices draw from the one generator that torch.manual_seed sets."""


def empty_cache():
    """Give memory that is kept for the next tensors back to the system."""
    memory.trim()


def memory_allocated(device=None):
    """Bytes that tensors on a GPU use."""
    return memory.stats().live if is_available() else 0


def max_memory_allocated(device=None):
    """The most bytes that tensors on a GPU used at once."""
    return memory.stats().peak if is_available() else 0


def is_initialized():
    """Whether a GPU is in use."""
    return is_available()


def init():
    """Raises if there is no GPU."""
    _need("init")


__getattr__ = _missing.missing("torch.cuda")
