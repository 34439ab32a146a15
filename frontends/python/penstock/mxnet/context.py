"""Contexts: where arrays are. cpu(i) are names of the one host memory; gpu(i) needs a GPU.

>>> from penstock import mxnet as mx
>>> mx.cpu(1)
cpu(1)
>>> with mx.Context(mx.cpu(1)):
...     mx.nd.ones(2).context
cpu(1)
"""

import threading

from .base import MXNetValueError

__all__ = [
    "Context",
    "cpu",
    "cpu_pinned",
    "current_context",
    "gpu",
    "gpu_memory_info",
    "num_gpus",
]

_TYPES = {"cpu": 1, "gpu": 2, "cpu_pinned": 3, "cpu_shared": 5}
_NAMES = {number: name for name, number in _TYPES.items()}


class _ContextType(type):
    """Lets the current context be read and set as Context.default_ctx, for each thread."""

    @property
    def default_ctx(cls):
        return _current.context

    @default_ctx.setter
    def default_ctx(cls, context):
        _current.context = context


class Context(metaclass=_ContextType):
    """A kind of device and its number; as a `with` statement, where arrays are made meanwhile."""

    __module__ = "mxnet.context"
    __slots__ = ("device_typeid", "device_id", "_outer")

    devtype2str = _NAMES
    devstr2type = _TYPES

    def __init__(self, device_type, device_id=0):
        if isinstance(device_type, Context):
            device_type, device_id = device_type.device_type, device_type.device_id
        if device_type not in _TYPES:
            raise MXNetValueError(
                f"Context: no kind of device is called {device_type!r}; there are {', '.join(_TYPES)}"
            )
        self.device_typeid = _TYPES[device_type]
        self.device_id = device_id
        self._outer = []

    @property
    def device_type(self):
        """'cpu' or 'gpu', ..."""
        return _NAMES[self.device_typeid]

    # Pinned and shared memory is the host's, so that arrays which are put there are in cpu(i), and
    # the contexts are equal. Their numbers are odd, as the host's is.
    def __eq__(self, other):
        return (
            isinstance(other, Context)
            and self.device_typeid & 1 == other.device_typeid & 1
            and self.device_id == other.device_id
        )

    def __hash__(self):
        return hash((self.device_typeid & 1, self.device_id))

    def __repr__(self):
        return f"{self.device_type}({self.device_id})"

    def __reduce__(self):
        return (_restored, (self.device_type, self.device_id))

    def __enter__(self):
        self._outer.append(_current.context)
        _current.context = self
        return self

    def __exit__(self, *exception):
        _current.context = self._outer.pop()

    def empty_cache(self):
        """Gives unused memory back to the system."""
        from .. import memory

        memory.trim()


def _restored(device_type, device_id):
    """A context out of a pickle, which names this function whatever the module is called."""
    return Context(device_type, device_id)


class _Current(threading.local):
    context = Context("cpu", 0)


_current = _Current()


def current_context():
    """The context of the innermost `with` statement of this thread; cpu(0) outside of any."""
    return _current.context


def cpu(device_id=0):
    """The host; contexts with different numbers are the same memory."""
    return Context("cpu", device_id)


def gpu(device_id=0):
    """A GPU. Making an array there raises if there is none."""
    return Context("gpu", device_id)


def cpu_pinned(device_id=0):
    """Host memory that GPUs copy from quickly: the host's, where there is no GPU."""
    return Context("cpu_pinned", device_id)


def num_gpus():
    """How many GPUs can be used."""
    return 0


def gpu_memory_info(device_id=0):
    """Free and total bytes of a GPU."""
    raise MXNetValueError(f"gpu_memory_info: there is no {gpu(device_id)}")


# ---- Devices of the native library ---------------------------------------------------------------


def device_of(context):
    """The native name of a context; None is the current one's."""
    if context is None:
        context = _current.context
    if not isinstance(context, Context):
        raise TypeError(f"a context such as mx.cpu() is needed, not {context!r}")
    if context.device_type == "gpu":
        raise MXNetValueError(f"there is no {context}: no GPU can be used")
    return f"cpu:{context.device_id}"


def context_of(device):
    """The context of a native device, by its name."""
    found = _of_device.get(device)
    if found is None:
        kind, _, number = device.partition(":")
        found = _of_device[device] = Context(kind if kind in _TYPES else "cpu", int(number or 0))
    return found


_of_device = {}
