"""Places by PaddlePaddle's names: Place(cpu), and Place(gpu:0) for the first GPU."""

from .. import _core
from .._common.devices import gpu_count


class Place:
    """Where a tensor is."""

    __module__ = "paddle"
    # penstock_device is how the library calls it, wherever it is given to the library.
    __slots__ = ("_kind", "_index", "penstock_device")

    def __init__(self, kind="cpu", index=0):
        self._kind, self._index = kind, index
        self.penstock_device = f"{kind}:{index}"

    def is_cpu_place(self):
        """Whether that is the host."""
        return self._kind == "cpu"

    def is_gpu_place(self):
        """Whether that is a GPU."""
        return self._kind == "gpu"

    def is_cuda_pinned_place(self):
        """Whether that is the host's memory, locked for copies to a GPU: never."""
        return False

    is_xpu_place = is_custom_place = is_cuda_pinned_place

    def gpu_device_id(self):
        """Which GPU it is."""
        return self._index

    def __eq__(self, other):
        if not isinstance(other, Place):
            return NotImplemented
        return self.penstock_device == other.penstock_device

    def __hash__(self):
        return hash(self.penstock_device)

    def __repr__(self):
        return "Place(cpu)" if self._kind == "cpu" else f"Place({self.penstock_device})"

    def __reduce__(self):
        return restored, (self._kind, self._index)


def restored(kind, index):
    """A place out of a pickle, which names this function whatever the package is called."""
    return Place(kind, index)


class CPUPlace(Place):
    """The host."""

    __module__ = "paddle"
    __slots__ = ()

    def __init__(self):
        super().__init__()


class CUDAPinnedPlace(CPUPlace):
    """The host: copies to a GPU need no locked memory."""

    __module__ = "paddle"
    __slots__ = ()


class CUDAPlace(Place):
    """A GPU by its number; raises where there is none."""

    __module__ = "paddle"
    __slots__ = ()

    def __init__(self, id):
        if not isinstance(id, int):
            raise TypeError(f"CUDAPlace takes the number of a GPU, not {id!r}")
        if not 0 <= id < gpu_count():
            raise ValueError(
                f"(InvalidArgument) use wrong place: CUDAPlace({id}), there are {gpu_count()} GPUs"
            )
        super().__init__("gpu", id)


_native_device = _core.ndarray.device.__get__
_known = {"cpu:0": Place()}


def of(tensor):
    """Where a tensor is."""
    return by_name(_native_device(tensor))


def by_name(name):
    """The place that the library calls so."""
    found = _known.get(name)
    if found is None:
        kind, _, index = name.partition(":")
        found = _known[name] = Place(kind, int(index or 0))
    return found


# ---- The place of new tensors --------------------------------------------------------------------

_current = [_known["cpu:0"]]


def as_place(given):
    """The place of a place or a name, 'gpu:0'; raises ValueError where there is no such device."""
    if isinstance(given, Place):
        return given
    if not isinstance(given, str):
        raise ValueError(f"a place is needed, not {given!r}")
    kind, _, index = given.lower().partition(":")
    if kind not in ("cpu", "gpu", "cuda") or index and not index.isdecimal():
        raise ValueError(
            f"The device must be a string which is like 'cpu', 'gpu' or 'gpu:x', not {given!r}"
        )
    if kind == "cpu":
        return _known["cpu:0"]
    if int(index or 0) >= gpu_count():
        raise ValueError(f"The device should not be {given!r}: there are {gpu_count()} GPUs")
    return by_name(f"gpu:{index or 0}")


def current():
    """Where tensors are made unless a call says otherwise."""
    return _current[0]


def is_set():
    """Whether that is another device than the host."""
    return _current[0]._kind != "cpu"


def set_device(device):
    """Where tensors are made from now on; gives the place."""
    place = as_place(device)
    _current[0] = place
    if place._kind != "cpu":
        from ._create import use_places

        use_places()
    return place


def get_device():
    """The name of where tensors are made: 'cpu', 'gpu:0'."""
    place = _current[0]
    return "cpu" if place._kind == "cpu" else place.penstock_device


def wanted(given=None):
    """What a row is told of a place: one that was given, or the current one if not the host."""
    if given is not None:
        return {"device": as_place(given).penstock_device}
    return {"device": _current[0].penstock_device} if is_set() else {}
