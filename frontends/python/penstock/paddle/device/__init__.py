"""Devices. What is said of them is true of this machine; synchronize waits whatever there is.

>>> from penstock import paddle
>>> x = paddle.ones([2]) + 1
>>> paddle.device.synchronize()
>>> x.tolist()
[2.0, 2.0]
"""

from ... import waitall
from .. import _missing
from .._place import as_place, get_device, gpu_count, set_device

__all__ = ["cuda", "get_device", "set_device", "synchronize"]


def synchronize(device=None):
    """Wait until all that was queued is done, on whatever devices there are."""
    if device is not None and not isinstance(device, int):
        as_place(device)
    waitall()


def device_count(device_type=None):
    """How many GPUs there are."""
    return gpu_count()


def is_compiled_with_cuda():
    """Whether there is a GPU."""
    return gpu_count() > 0


def is_compiled_with_rocm():
    """Whether there is a GPU of another maker: never."""
    return False


is_compiled_with_xpu = is_compiled_with_ipu = is_compiled_with_cinn = is_compiled_with_rocm
is_compiled_with_distribute = is_compiled_with_rocm


def is_compiled_with_custom_device(device_type):
    """Whether there is a device of another kind: never."""
    return False


def get_available_device():
    """The names of all devices."""
    return ["cpu", *(f"gpu:{one}" for one in range(gpu_count()))]


def get_all_device_type():
    """The kinds of devices that there may be."""
    return ["cpu", "gpu"] if gpu_count() else ["cpu"]


def get_cudnn_version():
    """None: there is no cuDNN."""
    return None


_not_here = _missing.missing("paddle.device")


def __getattr__(name):
    if name == "cuda":
        from importlib import import_module

        return import_module(f"{__name__}.cuda")
    return _not_here(name)
