"""Functions with a gradient of their own: see autograd.Function."""

from __future__ import annotations

from _thread import get_ident

from . import _core
from ._core import ndarray

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Saves:
    """What a forward has saved for its backward.

    The graph keeps the arrays: an object that the graph keeps must not, since an array keeps the
    graph. They come back for as long as a turn of the function in a walk lasts; several threads may
    walk one graph.
    """

    _saved: tuple[Any, ...] | None = ()  # None: the graph has them
    _turns: dict[int, tuple[tuple[Any, ...], tuple[bool, ...]]] | None = None

    def save_for_backward(self, *arrays: Any) -> None:
        """Arrays that backward needs, as they are at the end of forward; or None."""
        self._saved = arrays

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What was given to save_for_backward."""
        turn = self._turn()
        if turn is not None:
            return turn[0]
        if self._saved is None:
            raise RuntimeError("saved_tensors are there while forward and backward run")
        return self._saved

    def _turn(self):
        return self._turns.get(get_ident()) if self._turns else None

    def _take_saves(self):
        """What was saved, which is forgotten here."""
        saved, self._saved = self._saved or (), None
        return saved

    def _during_turn(self, saved, wanted, function, *args):
        """Calls the function with these saves; walks may be inside of each other."""
        if self._turns is None:
            self._turns = {}
        thread = get_ident()
        outer = self._turns.get(thread)
        self._turns[thread] = (saved, wanted)
        try:
            return function(*args)
        finally:
            if outer is not None:
                self._turns[thread] = outer
            else:
                del self._turns[thread]


def _zeros(kind, shape, dtype, device):
    """A gradient that nothing has flowed to; None for what has no gradients."""
    if dtype.kind not in "fc":
        return None
    return _core._ops["zeros"](shape, dtype=dtype, device=device).as_subclass(kind)


def record_node(name, inputs, outputs, saved, call):
    """Puts outputs that were made of inputs into the graph.

    call is given the gradients of the outputs, what was saved, and whether each input's gradient is
    wanted; it gives a list of gradients of the inputs, or None. It must not refer to the outputs.
    What is saved may hold other things than arrays.
    """
    plain = [ndarray.as_subclass(y, ndarray) for y in outputs]
    likes = [(type(y), one.shape, one.dtype, one.device) for y, one in zip(outputs, plain)]
    others = [None if isinstance(one, ndarray) else (one,) for one in saved]

    def turn(gradients, arrays, wanted):
        left = iter(arrays)
        back = tuple(next(left) if other is None else other[0] for other in others)
        given = [_zeros(*like) if one is None else one for like, one in zip(likes, gradients)]
        return call(given, back, wanted)

    arrays = [one for one in saved if isinstance(one, ndarray)]
    _core._grad_node(name, list(inputs), list(outputs), arrays, turn)


class Context(Saves):
    """What the forward and the backward of a Function share; it can be given any attributes.

    An array that forward gives must not be one of them: it would keep what keeps it, for ever. That
    is what save_for_backward is for.
    """

    def __init__(self, needs: tuple[bool, ...]) -> None:
        self._needs = needs

    def save_for_backward(self, *arrays: ndarray | None) -> None:
        """Arrays that backward needs, as they are at the end of forward; or None."""
        for place, one in enumerate(arrays):
            if one is not None and not isinstance(one, ndarray):
                raise TypeError(f"save_for_backward: {place} must be an array or None, not {one!r}")
        super().save_for_backward(*arrays)

    @property
    def needs_input_grad(self) -> tuple[bool, ...]:
        """Whether a gradient is wanted of each argument of forward."""
        turn = self._turn()
        return self._needs if turn is None else turn[1]


def _listed(function, outputs):
    """What forward gave, as a list."""
    listed = [outputs] if isinstance(outputs, ndarray) else outputs
    if not isinstance(listed, (list, tuple)) or not all(isinstance(y, ndarray) for y in listed):
        raise TypeError(
            f"{function.__name__}.forward must give an array or a tuple of arrays, not {outputs!r}"
        )
    return list(listed)


def _gradients_of_arrays(function, arrays, found):
    """What backward gave for the arguments that are arrays."""
    name = f"{function.__name__}.backward"
    found = found if isinstance(found, (list, tuple)) else (found,)
    if len(found) != len(arrays):
        raise ValueError(
            f"{name} must give a gradient or None for each argument of forward: {len(found)} for "
            f"{len(arrays)}"
        )
    for place, (is_array, one) in enumerate(zip(arrays, found)):
        if one is not None and not is_array:
            raise TypeError(f"{name}: argument {place} is no array, its gradient must be None")
        if one is not None and not isinstance(one, ndarray):
            raise TypeError(f"{name}: gradient {place} must be an array or None, not {one!r}")
    return [one for is_array, one in zip(arrays, found) if is_array]


class Function:
    """A function of arrays with a gradient of its own: a class with two static methods.

    forward is given a context and the arguments of `apply`, and gives an array or a tuple of them;
    nothing in it is recorded. backward is given the context and a gradient for each of those, and
    gives one, or None, for each argument: of its type and shape. Arguments that are no arrays are
    passed on. In a walk that is recorded itself, so is backward.

    >>> class Clipped(ps.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x, most):
    ...         ctx.save_for_backward(x)
    ...         ctx.most = most
    ...         return ps.minimum(x, most)
    ...     @staticmethod
    ...     def backward(ctx, gradient):
    ...         (x,) = ctx.saved_tensors
    ...         return gradient * (x < ctx.most), None
    >>> x = ps.array([1.0, 2.0, 3.0])
    >>> x.attach_grad()
    >>> with ps.autograd.record():
    ...     y = Clipped.apply(x, 2)
    >>> y.backward()
    >>> x.grad
    array([1., 0., 0.])
    """

    @staticmethod
    def forward(ctx: Context, *args: Any) -> Any:
        """What the function gives."""
        raise NotImplementedError("forward")

    @staticmethod
    def backward(ctx: Context, *gradients: Any) -> Any:
        """The gradients of its arguments."""
        raise NotImplementedError("backward")

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Calls forward, and records that."""
        arrays = tuple(isinstance(one, ndarray) for one in args)
        before = _core._grad_set_state(False, None)
        needs = tuple(
            bool(before[0]) and is_array and _core._grad_is_recorded(one)
            for is_array, one in zip(arrays, args)
        )
        ctx = Context(needs)
        try:
            outputs = cls.forward(ctx, *args)
        finally:
            _core._grad_set_state(*before)
        listed, saved = _listed(cls, outputs), ctx._take_saves()
        if any(needs):
            inputs = [one for is_array, one in zip(arrays, args) if is_array]
            record_node(cls.__name__, inputs, listed, saved, _turn_of(cls, ctx, arrays))
        return outputs


def _turn_of(function, ctx, arrays):
    """What a walk calls."""

    def call(gradients, saved, wanted):
        each = iter(wanted)
        needs = tuple(is_array and next(each) for is_array in arrays)
        found = ctx._during_turn(saved, needs, function.backward, ctx, *gradients)
        return _gradients_of_arrays(function, arrays, found)

    return call
