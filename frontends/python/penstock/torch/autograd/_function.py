"""Functions with a gradient of their own, by torch's rules."""

from ... import _core, _function
from .._tensor import Tensor


class Context(_function.Context):
    """What the forward and the backward of a Function share."""

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
        listed, saved = _function._listed(cls, outputs), ctx._take_saves()
        if any(needs):
            without = getattr(ctx, "_without", ())
            flowing = [one for one in listed if id(one) not in without]
            inputs = [one for is_tensor, one in zip(tensors, args) if is_tensor]
            call = _function._turn_of(cls, ctx, tensors)
            _function.record_node(cls.__name__, inputs, flowing, saved, call)
        return outputs

    @classmethod
    def _forward(cls, ctx, args):
        if cls.setup_context is Function.setup_context:
            return cls.forward(ctx, *args)
        outputs = cls.forward(*args)
        cls.setup_context(ctx, args, outputs)
        return outputs


def once_differentiable(function):
    """A backward that is not recorded itself."""
    from ._modes import no_grad

    return no_grad()(function)
