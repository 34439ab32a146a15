"""Other element types and places."""

from ._calls import both, public, refuse
from ._dialect import row
from ._dtypes import ALL, KNOWN, as_dtype
from ._place import Place, as_place, gpu_count
from ._tensor import Tensor, _cast, _copy, cast

__all__ = []
_move = row("to_device", "to", "x, device")


def _any_cast(x, dtype):
    one = as_dtype(dtype)
    if not isinstance(x, Tensor):
        refuse("cast", "x", 0, "Tensor", x)
    return _cast(x, one)


_as_cast = row("cast", "cast", "x, dtype", arrays=True, unusual=_any_cast)


def astype(self, dtype):
    """The elements as another type; the tensor itself if they are of that."""
    try:
        one = KNOWN[dtype]
    except KeyError:
        one = as_dtype(dtype)
    return self if self.dtype is one else _cast(self, one)


Tensor.astype, Tensor.cast = astype, _as_cast


def moved(tensor, place):
    """The tensor at a place; itself if it is there."""
    place = as_place(place)
    return tensor if place == tensor.place else _move(tensor, device=place.penstock_device)


def to(self, *args, **kwargs):
    """The tensor with another type or at another place; itself if nothing changes."""
    made = self
    kwargs.pop("blocking", None)
    for one in (*args, *kwargs.values()):
        if one is None or isinstance(one, bool):
            continue
        if isinstance(one, Tensor):
            made = cast(moved(made, one.place), one.dtype)
        elif isinstance(one, Place) or isinstance(one, str) and one not in KNOWN:
            made = moved(made, one)
        else:
            made = cast(made, as_dtype(one))
    return made


def cpu(self):
    """The tensor on the host; itself if it is there."""
    return moved(self, "cpu")


def cuda(self, device_id=None, blocking=True):
    """The tensor on a GPU; itself if it is there."""
    if not gpu_count():
        raise ValueError("No available device found.")
    return moved(self, f"gpu:{device_id or 0}")


def pin_memory(self, blocking=True):
    """The tensor itself: copies to a GPU need no locked memory."""
    return self


@public
def _any_clone(x):
    return _copy(x)


_any_clone.__wrapped__.__name__ = "clone"
clone = row("copy", "clone", "x", arrays=True, unusual=_any_clone)


@public
def detach(x):
    """The same elements, shared, in no graph."""
    return x.detach()


Tensor.to, Tensor.cpu, Tensor.cuda, Tensor.pin_memory = to, cpu, cuda, pin_memory
both("clone", globals(), __all__)


def _as(name):
    def method(self):
        return cast(self, ALL[name])

    method.__doc__ = f"The elements as {name}."
    return method


for _name, _one in {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "int": "int32",
    "long": "int64",
    "bool": "bool",
    "bfloat16": "bfloat16",
}.items():
    setattr(Tensor, _name, _as(_one))
del _name, _one


def is_floating_point(x):
    """Whether elements are floating-point numbers."""
    return x.dtype.is_floating_point


def is_complex(x):
    """Whether elements are complex numbers."""
    return x.dtype.is_complex


def is_integer(x):
    """Whether elements are integers."""
    return x.dtype._native.kind in "iu"


def is_empty(x, name=None):
    """Whether there are no elements, as a tensor."""
    from ._create import to_tensor

    return to_tensor(x.shape.numel() == 0)


__all__ += ["is_floating_point", "is_complex", "is_integer", "is_empty", "detach"]
NAMED = {"cast": _as_cast}
