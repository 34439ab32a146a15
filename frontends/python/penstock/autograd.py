"""Gradients: operations on arrays that have one attached are recorded, and walked back.

>>> x = ps.array([1.0, 2.0, 3.0])
>>> x.attach_grad()
>>> with ps.autograd.record():
...     y = 2 * (x * x).sum()
>>> y.backward()
>>> x.grad
array([ 4.,  8., 12.])

Whether operations are recorded, and whether functions behave as in training, is a state of each
thread. A backward only queues operations: it never waits. What was recorded goes with the last
array that was computed by it.
"""

from __future__ import annotations

from . import _core, _functions
from ._core import _GradHook as Hook
from ._core import _GraphStats as Stats
from ._core import ndarray
from ._function import Context, Function
from ._scope import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

__all__ = [
    "Context",
    "Function",
    "Hook",
    "Stats",
    "backward",
    "grad",
    "is_recording",
    "is_training",
    "pause",
    "predict_mode",
    "record",
    "stats",
    "train_mode",
    "value_and_grad",
]


def __dir__() -> list[str]:
    return __all__


# ---- What a thread does -------------------------------------------------------------------------


class _State(Scope):
    """Sets a thread's state for as long as a block runs; one object may be entered repeatedly."""

    __slots__ = ("_before", "_set")

    def __init__(self, recording: bool | None, training: bool | None) -> None:
        self._set = (recording, training)
        self._before: list[tuple[bool | None, bool | None]] = []

    def __repr__(self) -> str:
        return f"penstock.autograd.{type(self).__name__}()"

    def __enter__(self) -> None:
        self._before.append(_core._grad_set_state(*self._set))

    def __exit__(self, *error: object) -> None:
        _core._grad_set_state(*self._before.pop())

    def _again(self) -> Scope:
        return _State(*self._set)  # threads may call the function at the same time

    def _around_coroutine(self, function):
        raise TypeError(
            f"{type(self).__name__}: {function!r} is a coroutine function; the state is the "
            f"thread's, and would be that of other tasks too: use `with {self!r}` between awaits"
        )


class _WithMode(_State):
    """One that shows whether functions behave as in training."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"penstock.autograd.{type(self).__name__}({self._set[1]})"


class record(_WithMode):
    """Operations are recorded, so that gradients can be computed of what they give.

    A context manager and a decorator. Functions behave as in training (`is_training`) unless
    train_mode is False. The state is the thread's, and what it was before comes back at the end of
    the block, also after an exception.

    >>> x = ps.array(3.0)
    >>> x.attach_grad()
    >>> with ps.autograd.record():
    ...     y = x * x
    >>> y.backward()
    >>> x.grad
    array(6.)
    """

    __slots__ = ()

    def __init__(self, train_mode: bool = True) -> None:
        super().__init__(True, train_mode)


class pause(_WithMode):
    """Nothing is recorded, for the part of a recorded block that needs no gradients.

    >>> with ps.autograd.record():
    ...     with ps.autograd.pause():
    ...         ps.autograd.is_recording()
    False
    """

    __slots__ = ()

    def __init__(self, train_mode: bool = False) -> None:
        super().__init__(False, train_mode)


class train_mode(_State):
    """Functions behave as in training; whether operations are recorded stays as it is.

    >>> with ps.autograd.train_mode():
    ...     ps.autograd.is_training()
    True
    """

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(None, True)


class predict_mode(_State):
    """Functions behave as in prediction; whether operations are recorded stays as it is.

    >>> with ps.autograd.record(), ps.autograd.predict_mode():
    ...     ps.autograd.is_recording(), ps.autograd.is_training()
    (True, False)
    """

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(None, False)


def is_recording() -> bool:
    """Whether operations of this thread are recorded.

    >>> ps.autograd.is_recording()
    False
    """
    return _core._grad_is_recording()


def is_training() -> bool:
    """Whether functions behave as in training, on this thread.

    >>> ps.autograd.is_training()
    False
    """
    return _core._grad_is_training()


for _class in (Context, Function):
    _class.__module__ = __name__
del _class


# ---- Gradients ----------------------------------------------------------------------------------


def _listed(what, values):
    """One array, or several, as a list; and whether it was one."""
    if isinstance(values, ndarray):
        return [values], True
    if isinstance(values, (list, tuple)):
        return list(values), False
    raise TypeError(f"{what} must be an array or a list of arrays, not {values!r}")


def _listed_gradients(what, gradients, alone):
    """The gradients of heads as a list; None if there are none."""
    if gradients is None:
        return None
    if alone:
        return [gradients]
    if isinstance(gradients, (list, tuple)):
        return list(gradients)
    raise TypeError(f"{what}: head_grads must be a list, as heads is, not {gradients!r}")


def _zeros_of(array):
    return _functions.zeros_like(array.as_subclass(ndarray)).as_subclass(type(array))


def backward(
    heads: ndarray | Sequence[ndarray],
    head_grads: Any = None,
    retain_graph: bool = False,
) -> None:
    """Gradients of the sum of the heads to all arrays that have one attached.

    head_grads are factors of the shape and type of the heads, ones if there are none: for one head
    its own, for a list a list, with None for ones. What was saved is dropped by the way, unless
    retain_graph is True.

    >>> x = ps.array([1.0, 2.0])
    >>> x.attach_grad()
    >>> with ps.autograd.record():
    ...     y, z = x * x, 3 * x
    >>> ps.autograd.backward([y, z], [ps.array([1.0, 10.0]), None])
    >>> x.grad
    array([ 5., 43.])
    """
    heads, alone = _listed("backward: heads", heads)
    gradients = _listed_gradients("backward", head_grads, alone)
    _core._grad_walk(heads, gradients, None, retain_graph, False)


def grad(
    heads: ndarray | Sequence[ndarray],
    variables: ndarray | Sequence[ndarray],
    head_grads: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
) -> Any:
    """Gradients of the sum of the heads to some arrays, as new ones; those attached stay.

    For one variable an array, for several a list. Variables have a gradient attached or were
    computed from such, and get zeros if the heads do not depend on them. With create_graph the
    gradients are recorded themselves, so that there are gradients of gradients; what was saved then
    stays, as with retain_graph.

    >>> x = ps.array(2.0)
    >>> x.attach_grad()
    >>> with ps.autograd.record():
    ...     y = x ** 3
    ...     first = ps.autograd.grad(y, x, create_graph=True)
    >>> first, ps.autograd.grad(first, x)
    (array(12.), array(12.))
    """
    heads, alone = _listed("grad: heads", heads)
    wanted, bare = _listed("grad: variables", variables)
    gradients = _listed_gradients("grad", head_grads, alone)
    retain = create_graph if retain_graph is None else retain_graph
    found = _core._grad_walk(heads, gradients, wanted, retain, create_graph)
    found = [_zeros_of(one) if got is None else got for one, got in zip(wanted, found)]
    return found[0] if bare else found


def _leaf(value, recording):
    """The array as one that gradients can be asked of."""
    if recording and _core._grad_is_recorded(value):
        return value
    leaf = value.detach()
    leaf.attach_grad()
    return leaf


def value_and_grad(function: Callable[..., ndarray]) -> Callable[..., Any]:
    """A function that gives what `function` gives, and its gradients.

    It takes the same arguments. Those by position must be arrays: each has a gradient in the tuple
    of gradients. Those by keyword are passed on. If the value has several elements the gradients
    are those of their sum. Called while operations are recorded it is recorded too.

    >>> f = ps.autograd.value_and_grad(lambda x, y: (x * y).sum())
    >>> f(ps.array([1.0, 2.0]), ps.array([3.0, 4.0]))
    (array(11.), (array([3., 4.]), array([1., 2.])))
    """
    import functools

    if not callable(function):
        raise TypeError(f"value_and_grad: expected a function, not {function!r}")

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        for place, value in enumerate(args):
            if not isinstance(value, ndarray):
                raise TypeError(f"value_and_grad: argument {place} must be an array, not {value!r}")
        recording = _core._grad_is_recording()
        variables = [_leaf(value, recording) for value in args]
        with _State(True, None):
            value = function(*variables, **kwargs)
        gradients = grad(value, variables, create_graph=recording)
        return value if recording else value.detach(), tuple(gradients)

    return wrapper


def stats() -> Stats:
    """What is kept for gradients now, as a named tuple of counts.

    >>> x = ps.array([1.0])
    >>> before = ps.autograd.stats().nodes
    >>> x.attach_grad()
    >>> ps.autograd.stats().nodes - before
    1
    """
    return _core._grad_stats()
