"""Methods of arrays that are written in Python; importing this module adds them to the class."""

from . import _core, _functions, autograd

_ops = _core._ops


def to_device(self, device, /, *, stream=None):
    """The array on another device; the array itself if it is there already.

    >>> ps.ones(2).to_device('cpu:0').device
    'cpu:0'
    """
    if stream is not None:
        raise ValueError(f"to_device: stream must be None, not {stream!r}")
    return _ops["to_device"](self, device=device)


def nonzero(self, /):
    """Places of the elements that are not 0: an array of positions for each axis. Waits.

    >>> ps.array([0, 5]).nonzero()
    (array([1]),)
    """
    return _functions.nonzero(self)


def backward(self, /, out_grad=None, retain_graph=False):
    """Gradients of the sum of the elements to all arrays that have one attached.

    With out_grad the elements count by these factors: see penstock.autograd.backward.

    >>> x = ps.array([1.0, 2.0])
    >>> x.attach_grad()
    >>> with ps.autograd.record():
    ...     y = x * x
    >>> y.backward()
    >>> x.grad
    array([2., 4.])
    """
    autograd.backward(self, out_grad, retain_graph)


def __round__(self, ndigits=None, /):
    return _ops["round_to"](self, 0 if ndigits is None else ndigits)


def __floor__(self, /):
    return _ops["floor"](self)


def __ceil__(self, /):
    return _ops["ceil"](self)


def __trunc__(self, /):
    return _ops["trunc"](self)


def __complex__(self, /):
    return complex(self.item())


_METHODS = (
    to_device,
    nonzero,
    backward,
    __round__,
    __floor__,
    __ceil__,
    __trunc__,
    __complex__,
)

for _method in _METHODS:
    _method.__qualname__ = f"ndarray.{_method.__name__}"
    _core._add_method(_method.__name__, _method)
del _method
