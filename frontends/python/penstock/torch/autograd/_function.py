"""Functions with a gradient of their own, by torch's rules."""

from ... import _core, _function
from .._tensor import Tensor


class Context(_function.Context):
    """What the forward and the backward of a Function share."""

    def save_for_backward(self, *tensors):
        """Tensors that backward needs, as they are at the end of forward; or None."""
        self._saved = tensors

    def mark_dirty(self, *tensors):
        """Nothing: writes are seen by themselves."""

    def mark_non_differentiable(self, *tensors):
        """Results that have no gradient."""
        self._without = {id(one) for one in tensors}

    def set_materialize_grads(self, value):
        """Gradients that nothing flowed to are zeros here: only True is."""
        if not value:
            raise NotImplementedError("set_materialize_grads(False) is not here")


class Function(_function.Function):
    """A function of tensors with a gradient of its own: two static methods, forward and backward.

    >>> from penstock import torch
    >>> class Double(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     def backward(ctx, gradient):
    ...         return gradient * 2
    >>> x = torch.ones(2, requires_grad=True)
    >>> Double.apply(x).sum().backward()
    >>> x.grad
    tensor([2., 2.])
    """

    __module__ = "torch.autograd"

    @staticmethod
    def setup_context(ctx, inputs, output):
        """What forward without a context saves; for classes to define."""
        raise NotImplementedError("setup_context")

    @classmethod
    def apply(cls, *args):
        """Calls forward, and records that."""
        tensors = tuple(isinstance(one, Tensor) for one in args)
        before = _core._grad_set_state(None, None, True)
        needs = tuple(
            not before[2] and is_tensor and _core._grad_info(one)[0]
            for is_tensor, one in zip(tensors, args)
        )
        ctx = Context(needs)
        try:
            outputs = cls._forward(ctx, args)
        finally:
            _core._grad_set_state(*before)
        saved = ctx._take_saves()
        if any(needs):
            _check_saves(saved)
            inputs = [one for is_tensor, one in zip(tensors, args) if is_tensor]
            flowing = _flowing(outputs, getattr(ctx, "_without", ()))
            call = _turn_of(cls, ctx, tensors)
            _function.record_node(f"{cls.__name__}Backward", inputs, flowing, saved, call)
        return outputs

    @classmethod
    def _forward(cls, ctx, args):
        if cls.setup_context is Function.setup_context:
            return cls.forward(ctx, *args)
        outputs = cls.forward(*args)
        cls.setup_context(ctx, args, outputs)
        return outputs


def _check_saves(saved):
    for one in saved:
        if one is not None and not isinstance(one, Tensor):
            raise TypeError(
                f"save_for_backward can only save variables, but argument is of type "
                f"{type(one).__name__}"
            )


def _flowing(outputs, without):
    """The results that have gradients."""
    listed = outputs if isinstance(outputs, (list, tuple)) else (outputs,)
    return [one for one in listed if isinstance(one, Tensor) and id(one) not in without]


def _turn_of(function, ctx, tensors):
    """What a walk calls: backward, whose results are told apart by the arguments' kinds."""

    def call(gradients, saved, wanted):
        each = iter(wanted)
        needs = tuple(is_tensor and next(each) for is_tensor in tensors)
        found = ctx._during_turn(saved, needs, function.backward, ctx, *gradients)
        return _gradients(function.__name__, tensors, found)

    return call


def _gradients(name, tensors, found):
    """Gradients of the arguments that are tensors; behind the last there may be None."""
    found = found if isinstance(found, tuple) else (found,)
    if len(found) < len(tensors) or any(one is not None for one in found[len(tensors) :]):
        raise RuntimeError(
            f"function {name}Backward returned an incorrect number of gradients (expected "
            f"{len(tensors)}, got {len(found)})"
        )
    for at, (is_tensor, one) in enumerate(zip(tensors, found)):
        if one is not None and not is_tensor:
            raise RuntimeError(
                f"function {name}Backward returned a gradient different than None at position "
                f"{at + 1}, but the corresponding forward input was not a Variable"
            )
        if one is not None and not isinstance(one, Tensor):
            raise TypeError(f"expected Variable or None (got {type(one).__name__})")
    return [one for is_tensor, one in zip(tensors, found) if is_tensor]


def once_differentiable(function):
    """A backward that is not recorded itself."""
    from ._modes import no_grad

    return no_grad()(function)
