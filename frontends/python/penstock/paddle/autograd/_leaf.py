"""What a tensor's gradient is: whether one is asked for, what has come, how it is cleared."""

from ... import _core
from ..._common import leaves

_native = _core.ndarray
_info = _core._grad_info
_extra = _core._extra


def set_stop(tensor, stop):
    """What assigning stop_gradient does: a result that stops is taken out of its graph."""
    flows, leaf, _ = _info(tensor)
    if stop and flows:
        if leaf:
            _native.attach_grad(tensor, "null")
        else:
            _core._become(tensor, _native.detach(tensor))
    elif not stop and not flows:
        _native.attach_grad(tensor, "add")


def grad_of(tensor):
    """The gradient: a new object each time, of the same elements."""
    if not _info(tensor)[1]:
        extra = _extra(tensor, False)
        return extra.get("_grad") if extra else None
    found = _core._grad_get(tensor, None)
    if found is None:
        return None
    _native.attach_grad(found, "add")  # so that its stop_gradient is False, as the real one's
    return found


def set_grad(tensor, given):
    """What .grad is from now on; None: nothing until the next backward."""
    if given is not None:
        if not isinstance(given, _native):
            raise TypeError(f"set_grad: a Tensor or None is needed, not {type(given).__name__}")
        if given.shape != tensor.shape or given.dtype is not tensor.dtype:
            raise ValueError(
                f"set_grad: {list(given.shape)} of {given.dtype} for {list(tensor.shape)} of "
                f"{tensor.dtype}"
            )
        given = _native.detach(given)
    if _info(tensor)[1]:
        _core._grad_set(tensor, given)
    else:
        _extra(tensor, True)["_grad"] = given


def clear(tensor, set_to_zero=True):
    """Set the gradient to zeros in place; with False there is none until the next backward."""
    if not set_to_zero:
        set_grad(tensor, None)
        return
    found = _core._grad_get(tensor, None) if _info(tensor)[1] else grad_of(tensor)
    if found is not None:
        _native.fill(_core._grad_alias(found), 0)


def retain(tensor):
    """Keep the gradient of a result."""
    flows, leaf, _ = _info(tensor)
    if flows and not leaf:
        leaves.retain(tensor)


class TensorHookRemoveHelper:
    """Takes a hook out again."""

    __slots__ = ("_hooks", "_number")

    def __init__(self, hooks, number):
        self._hooks, self._number = hooks, number

    def remove(self):
        """Take the hook out; gives whether it was there."""
        return self._hooks.pop(self._number, None) is not None


def hooked(tensor, hook):
    """Have a function called with a tensor's gradient; gives what takes it out again."""
    if not _info(tensor)[0]:
        raise RuntimeError("Cannot register hook on a tensor that stop gradient.")
    hooks = {0: hook}
    leaves.hook(tensor, hooks, 0)
    return TensorHookRemoveHelper(hooks, 0)


def deep_copy(tensor, memo):
    """A copy of a leaf, with its class and attributes."""
    import copy

    if id(tensor) in memo:
        return memo[id(tensor)]
    flows, leaf, _ = _info(tensor)
    if flows and not leaf:
        raise RuntimeError(
            "(InvalidArgument) only leaf tensors support deepcopy, non-leaf tensors do not"
        )
    made = _native.as_subclass(_native.detach(tensor).clone(), type(tensor))
    memo[id(tensor)] = made
    kept = leaves.attributes(tensor, "_name")
    if kept:
        _extra(made, True).update(copy.deepcopy(kept, memo))
    if flows:
        set_stop(made, False)
        gradient = _core._grad_get(tensor, None)
        if gradient is not None:
            set_grad(made, gradient.clone())
    return made
