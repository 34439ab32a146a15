"""Devices by torch's names: 'cpu', and 'cuda:0' for the first GPU."""

import threading

from .. import _core

_KINDS = (
    "cpu cuda ipu xpu mkldnn opengl opencl ideep hip ve fpga maia xla lazy vulkan mps meta hpu mtia "
    "privateuseone"
).split()


class _Current(threading.local):
    device = None


_current = _Current()  # what `with device:` and set_default_device say


class device:
    """A kind of device, and perhaps which one of it.

    >>> from penstock import torch
    >>> torch.device('cuda:1'), torch.device('cpu'), torch.device('cpu') == 'cpu'
    (device(type='cuda', index=1), device(type='cpu'), False)
    """

    __module__ = "torch"
    # penstock_device is how the library calls it, wherever it is given to the library.
    __slots__ = ("type", "index", "penstock_device", "_outer")

    def __init__(self, type, index=None):
        if isinstance(type, device):
            type, index = type.type, type.index if index is None else index
        elif isinstance(type, int) and not isinstance(type, bool):
            type, index = "cuda", type
        elif not isinstance(type, str):
            raise TypeError(f"device(): a name such as 'cpu' is needed, not {type!r}")
        elif ":" in type:
            if index is not None:
                raise RuntimeError(f"device(): {type!r} has an index, and index={index} is another")
            type, _, text = type.partition(":")
            if not text.isdecimal():
                raise RuntimeError(f"Invalid device string: '{type}:{text}'")
            index = int(text)
        if type not in _KINDS:
            raise RuntimeError(
                f"Expected one of {', '.join(_KINDS)} device type at start of device string: {type}"
            )
        if index is not None and index < 0:
            raise RuntimeError(f"device(): the index must be at least 0, not {index}")
        self.type, self.index = type, index
        kind = {"cuda": "gpu"}.get(type, type)
        # On a machine's one host memory 'cpu:3' is 'cpu'.
        self.penstock_device = "cpu:0" if type == "cpu" else f"{kind}:{index or 0}"
        self._outer = None

    def __eq__(self, other):
        if not isinstance(other, device):
            return NotImplemented
        return self.type == other.type and self.index == other.index

    def __hash__(self):
        return hash((self.type, self.index))

    def __repr__(self):
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type={self.type!r}{index})"

    def __str__(self):
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __reduce__(self):
        return restored, (self.type, self.index)

    def __enter__(self):
        self._outer = [*(self._outer or ()), _current.device]
        _current.device = self
        return self

    def __exit__(self, *error):
        _current.device = self._outer.pop()


def restored(type, index):
    """A device out of a pickle, which names this function whatever the package is called."""
    return device(type, index)


def of(tensor):
    """Where a tensor is."""
    return BY_NAME(_native_device(tensor))


_native_device = _core.ndarray.device.__get__
_known = {"cpu:0": device("cpu")}


def BY_NAME(name):
    """The device that the library calls so."""
    found = _known.get(name)
    if found is None:
        kind, _, index = name.partition(":")
        found = device("cuda" if kind == "gpu" else "cpu", int(index) if kind == "gpu" else None)
        _known[name] = found
    return found


def wanted(given):
    """What the library is told of a device that a program gave; None if it gave none."""
    given = _current.device if given is None else given
    if given is None:
        return None
    return (given if isinstance(given, device) else device(given)).penstock_device


def is_set():
    """Whether `with device:` or set_default_device says where tensors are made."""
    return _current.device is not None


def set_default_device(given):
    """Where this thread's tensors are made from now on; None: on the host."""
    _current.device = None if given is None else device(given)


def get_default_device():
    """Where tensors are made unless a call says otherwise."""
    return _known["cpu:0"] if _current.device is None else _current.device
