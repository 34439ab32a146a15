"""Parameters: arrays that are learned, whose shapes may be found at the first call.

Invariants
  1. `data` is a slot that has no value before the array is there, so that reading it costs what
     reading any attribute does, and `__getattr__` has the error.
  2. Shape, type and array change only while the parameter's lock is held: a shape is settled once,
     whichever thread comes first, and random numbers are drawn once.
  3. `_held` names the parameters whose locks are held, each as often as it is. Locks that a forked
     child's lost threads hold would never be released: the child gives those parameters new ones.
"""

from __future__ import annotations

import os
from _thread import RLock
from operator import index

from .. import _core
from .._core import ndarray
from ..autograd import _State
from . import init as _init

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from .._core import _ArrayLike, _DTypeLike, dtype as _DType
    from .init import _InitializerLike

_REQUESTS = ("write", "add", "null")


class NotInitialized(RuntimeError):
    """A parameter has no array: it was not initialised, or not all of its shape is known.

    >>> ps.nn.Parameter((2, 0), name="weight").data
    Traceback (most recent call last):
    penstock.nn.NotInitialized: parameter 'weight' of shape (2, ?) has no array: ...
    """

    def __init__(self, text: str, parameter: Parameter | None = None) -> None:
        super().__init__(text)
        self.parameter = parameter


# ---- The lock of a parameter ---------------------------------------------------------------------

_held: list[Parameter] = []


class _Settling:
    """Holds a parameter's lock, with nothing recorded."""

    __slots__ = ("_lock", "_parameter", "_state")

    def __init__(self, parameter: Parameter) -> None:
        self._parameter = parameter
        self._lock = parameter._lock
        self._state = _State(False, None)

    def __enter__(self) -> None:
        self._lock.acquire()
        _held.append(self._parameter)
        self._state.__enter__()

    def __exit__(self, *error: object) -> None:
        self._state.__exit__()
        if self._parameter in _held:  # unless this is a child that was forked inside
            _held.remove(self._parameter)
        self._lock.release()


def _renew_locks() -> None:
    for parameter in _held:
        parameter._lock = RLock()
    _held.clear()


os.register_at_fork(after_in_child=_renew_locks)


# ---- Shapes --------------------------------------------------------------------------------------


def _lengths(name: str, shape: Any) -> tuple[int, ...]:
    """A shape with 0 for what is not known."""
    lengths = shape if isinstance(shape, (tuple, list)) else (shape,)
    try:
        lengths = tuple(0 if one is None else index(one) for one in lengths)
    except TypeError:
        text = f"parameter {name!r}: shape must be made of integers, not {shape!r}"
        raise TypeError(text) from None
    if any(one < 0 for one in lengths):
        raise ValueError(f"parameter {name!r}: lengths must not be below 0: {shape!r}")
    return lengths


def _shown(shape: tuple[int, ...]) -> str:
    """A shape with a question mark for what is not known."""
    return str(tuple(one or "?" for one in shape)).replace("'", "")


# ---- Parameters ----------------------------------------------------------------------------------


class Parameter:
    """An array that is learned, with its gradient.

    shape has 0 or None for lengths that are found at the first call of the block that it belongs
    to. init says what the elements are at first; without one, initialize does. lr_mult and wd_mult
    are factors of the learning rate and of the weight decay, for optimisers.

    >>> weight = ps.nn.Parameter((2, 3), init="ones", name="weight")
    >>> weight.initialize()
    >>> weight.data.sum(), weight.grad.shape
    (array(6.), (2, 3))
    """

    __slots__ = (
        "__weakref__",
        "_dtype",
        "_lock",
        "_plan",
        "_request",
        "_shape",
        "data",
        "init",
        "lr_mult",
        "name",
        "wd_mult",
    )

    data: ndarray
    init: _InitializerLike
    lr_mult: float
    name: str
    wd_mult: float

    def __init__(
        self,
        shape: int | Sequence[int | None] = (),
        dtype: _DTypeLike = "float32",
        init: _InitializerLike = None,
        *,
        name: str = "",
        grad_request: str = "write",
        lr_mult: float = 1.0,
        wd_mult: float = 1.0,
    ) -> None:
        self.name = name
        self.init = init
        self.lr_mult = lr_mult
        self.wd_mult = wd_mult
        self._shape = _lengths(name, shape)
        self._dtype = _core._dtype(dtype)
        self._request = _checked_request(grad_request)
        self._plan: tuple[Any, str | None] | None = None  # what initialize asked for: init, device
        self._lock = RLock()

    def __repr__(self) -> str:
        return f"Parameter({self.name!r}, shape={_shown(self._shape)}, dtype={self._dtype.name})"

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            if name == "data":
                raise NotInitialized(self._why_no_data(), self)
            raise AttributeError(f"a Parameter has no attribute {name!r}")

        def __setattr__(self, name: str, value: Any) -> None:
            if name == "data":
                raise AttributeError("data cannot be assigned: p.set(value) writes its elements")
            object.__setattr__(self, name, value)

    # ---- What it is -----------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape; 0 stands for lengths that are not known yet.

        >>> ps.nn.Parameter((2, None)).shape
        (2, 0)
        """
        return self._shape

    @property
    def dtype(self) -> _DType:
        """The element type.

        >>> ps.nn.Parameter((2, 3), "float64").dtype
        penstock.float64
        """
        return self._dtype

    @property
    def is_initialized(self) -> bool:
        """Whether the array is there.

        >>> ps.nn.Parameter((2, 3)).is_initialized
        False
        """
        try:
            self.data
        except NotInitialized:
            return False
        return True

    @property
    def is_deferred(self) -> bool:
        """Whether initialize was called, and the array waits for the rest of the shape.

        >>> weight = ps.nn.Parameter((2, 0))
        >>> weight.initialize()
        >>> weight.is_deferred
        True
        """
        return self._plan is not None and 0 in self._shape

    @property
    def grad(self) -> ndarray | Any:
        """The gradient; None if grad_request is 'null'.

        >>> weight = ps.nn.Parameter(2)
        >>> weight.initialize()
        >>> weight.grad
        array([0., 0.])
        """
        return self.data.grad

    @property
    def grad_request(self) -> str:
        """What a backward does with the gradient: 'write', 'add', or 'null' if there is none.

        >>> weight = ps.nn.Parameter(2, grad_request="null")
        >>> weight.initialize()
        >>> weight.grad is None
        True
        >>> weight.grad_request = "add"
        >>> weight.grad
        array([0., 0.])
        """
        return self._request

    @grad_request.setter
    def grad_request(self, request: str) -> None:
        with _Settling(self):
            self._request = _checked_request(request)
            if self.is_initialized:
                self.data.attach_grad(request)

    def _why_no_data(self) -> str:
        text = f"parameter {self.name!r} of shape {_shown(self._shape)} has no array: "
        if self._plan is None:
            return text + "call initialize() of it, or of the block that it belongs to"
        return text + "its shape is found at the first call of the block that it belongs to"

    # ---- Elements -------------------------------------------------------------------------------

    def initialize(
        self, init: _InitializerLike = None, device: str | None = None, force: bool = False
    ) -> None:
        """Make the array, or, if not all of the shape is known, as soon as it is.

        Elements are what the parameter's own init says, else the one given here, else numbers
        spread evenly over [-0.07, 0.07). One that has an array keeps it, unless force is True.

        >>> bias = ps.nn.Parameter(3)
        >>> bias.initialize("zeros")
        >>> bias.data
        array([0., 0., 0.])
        """
        own = init if self.init is None else self.init
        plan = (_init.find("uniform" if own is None else own), device)
        with _Settling(self):
            if self.is_initialized and not force:
                return
            self._plan = plan
            if 0 not in self._shape:
                self._make()

    def settle(self, shape: Sequence[int]) -> None:
        """Complete the shape; where initialize has been called, the array is made.

        For `infer_shape` of blocks. The first of several threads does it; a shape that does not go
        with the one that is known is an error.

        >>> weight = ps.nn.Parameter((2, 0))
        >>> weight.initialize()
        >>> weight.settle((2, 5))
        >>> weight.data.shape
        (2, 5)
        """
        with _Settling(self):
            self._complete(shape)
            if self._plan is not None and not self.is_initialized:
                self._make()

    def set(self, value: _ArrayLike) -> None:
        """Write the elements; lengths that are not known become those of the value.

        >>> weight = ps.nn.Parameter((2, 0))
        >>> weight.set([[1.0], [2.0]])
        >>> weight.data
        array([[1.],
               [2.]])
        """
        given = _core.asarray(value)
        with _Settling(self):
            self._complete(given.shape)
            if self.is_initialized:
                self.data[...] = given
            else:
                self._adopt(_core.array(given, self._dtype))

    def zero_grad(self) -> None:
        """Set the gradient to 0.

        >>> weight = ps.nn.Parameter(2, grad_request="add")
        >>> weight.initialize()
        >>> weight.zero_grad()
        """
        grad = self.grad
        if grad is not None:
            grad[...] = 0

    def cast(self, dtype: _DTypeLike) -> None:
        """Change the element type; the gradient begins anew.

        >>> weight = ps.nn.Parameter(2)
        >>> weight.initialize()
        >>> weight.cast("float64")
        >>> weight.data.dtype
        penstock.float64
        """
        with _Settling(self):
            self._dtype = _core._dtype(dtype)
            if self.is_initialized:
                self._adopt(self.data.astype(self._dtype))

    # ---- With the lock held ---------------------------------------------------------------------

    def _complete(self, shape: Sequence[int]) -> None:
        known = self._shape
        shape = tuple(shape)
        if len(shape) != len(known) or any(a not in (0, b) for a, b in zip(known, shape)):
            raise ValueError(f"parameter {self.name!r} has shape {_shown(known)}, not {shape}")
        self._shape = shape

    def _make(self) -> None:
        init, device = self._plan
        made = _core.array(init(self._shape, self._dtype), self._dtype)
        if made.shape != self._shape:
            raise ValueError(
                f"parameter {self.name!r} has shape {self._shape}, and {init!r} gave {made.shape}"
            )
        if device is None and self.is_initialized:
            self.data[...] = made
        else:
            self._adopt(made if device is None else made.to_device(device))

    def _adopt(self, array: ndarray) -> None:
        """Makes an array that nobody else has the parameter's."""
        if self._request != "null":
            array.attach_grad(self._request)
        _put_data(self, array)

    # ---- copy and pickle ------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        names = ("_dtype", "_plan", "_request", "_shape", "init", "lr_mult", "name", "wd_mult")
        state = {name: getattr(self, name) for name in names}
        return state | {"data": self.data} if self.is_initialized else state

    def __setstate__(self, state: dict[str, Any]) -> None:
        array = state.pop("data", None)
        self._lock = RLock()
        for name, value in state.items():
            setattr(self, name, value)
        if array is not None and (array.grad is None or self._request == "null"):
            self._adopt(array)
        elif array is not None:
            _put_data(self, array)


_put_data = Parameter.data.__set__  # type: ignore[attr-defined]


def _checked_request(request: str) -> str:
    if request not in _REQUESTS:
        raise ValueError(f"grad_request must be one of {', '.join(_REQUESTS)}, not {request!r}")
    return request
