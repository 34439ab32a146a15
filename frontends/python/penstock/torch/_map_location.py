"""Where the tensors of a file come to be."""

from . import _device
from ._tensor import Storage


def placing(map_location):
    """A function (elements, location) that gives the elements where they should be."""
    if map_location is None:
        return _placed
    if isinstance(map_location, (str, _device.device)):
        return lambda elements, location: _placed(elements, str(map_location))
    if isinstance(map_location, dict):
        return lambda elements, location: _placed(elements, _mapped(map_location, location))
    if not callable(map_location):
        raise TypeError(f"{type(map_location).__name__!r} object is not callable: map_location")
    return lambda elements, location: _called(map_location, elements, location)


def _mapped(places, location):
    for known, wanted in places.items():
        if str(known) == location:
            return str(wanted)
    return location


def _placed(elements, location):
    """Elements on the device of this name."""
    kind = location.partition(":")[0]
    if kind == "cpu":
        return elements
    if kind != "cuda":
        raise RuntimeError(
            f"don't know how to restore data location of a storage (tagged with {location[:40]})"
        )
    from . import cuda

    if not cuda.is_available():
        raise RuntimeError(
            "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is "
            "False. Load with map_location=torch.device('cpu') to have the tensors on the host."
        )
    wanted = _device.device(location)
    count = cuda.device_count()
    if (wanted.index or 0) >= count:
        raise RuntimeError(
            f"Attempting to deserialize object on CUDA device {wanted.index} but "
            f"torch.cuda.device_count() is {count}. Load with map_location to choose another."
        )
    return elements.to(wanted)


def _called(function, elements, location):
    found = function(Storage(elements), location)
    if found is None:
        return _placed(elements, location)
    if not isinstance(found, Storage):
        raise TypeError(f"map_location gave {type(found).__name__}, and not a storage")
    made = found._tensor
    if made.numel() != elements.numel() or made.dtype is not elements.dtype:
        raise RuntimeError("map_location gave a storage of another length or type")
    return made
