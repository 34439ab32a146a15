"""Parts of batches on several devices, and back."""

from ... import _missing
from ..._device import device as _device
from ..._joining import cat
from ..._tensor import Tensor

__all__ = ["gather", "scatter"]


def _named(one):
    return one if isinstance(one, _device) else _device(one)


def scatter(inputs, target_gpus, dim=0):
    """Tensors, and those in tuples, lists and dictionaries, cut into a part for each device.

    Gives one for each device, the whole inputs with their parts; other objects go to all devices.
    """
    devices = [_named(one) for one in target_gpus]
    parts = _scattered(inputs, devices, dim)
    return tuple(parts) if isinstance(inputs, Tensor) else parts


def _scattered(one, devices, dim):
    if isinstance(one, Tensor):
        chunks = one.chunk(len(devices), dim)
        return [chunk.to(device) for chunk, device in zip(chunks, devices)]
    if isinstance(one, (tuple, list)) and one:
        columns = zip(*(_scattered(item, devices, dim) for item in one))
        return [_rebuilt(one, list(column)) for column in columns]
    if isinstance(one, dict) and one:
        columns = zip(*(_scattered(item, devices, dim) for item in one.items()))
        return [type(one)(column) for column in columns]
    return [one for _ in devices]


def _rebuilt(like, items):
    return type(like)(*items) if hasattr(like, "_fields") else type(like)(items)


def gather(outputs, target_device, dim=0):
    """What modules on several devices gave, one behind the other on one device."""
    first = outputs[0]
    if isinstance(first, Tensor):
        lifted = [one.reshape(1) if one.ndim == 0 else one for one in outputs]
        return cat([one.to(_named(target_device)) for one in lifted], dim)
    if first is None:
        return None
    if isinstance(first, dict):
        return type(first)(
            (key, gather([one[key] for one in outputs], target_device, dim)) for key in first
        )
    columns = [gather(list(column), target_device, dim) for column in zip(*outputs)]
    return _rebuilt(first, columns)


__getattr__ = _missing.missing("torch.nn.parallel.scatter_gather")
