"""Functions with a gradient of their own, by torch's rules."""

from ... import _function
from ..._common import functions
from .._tensor import Tensor


class Context(functions.Context):
    """What the forward and the backward of a Function share."""

    def save_for_backward(self, *tensors):
        """Tensors that backward needs, as they are at the end of forward; or None."""
        self._saved = tensors

    def mark_dirty(self, *tensors):
        """Nothing: writes are seen by themselves."""

    def _take_saves(self):
        saved = super()._take_saves()
        if any(self._needs):
            for one in saved:
                if one is not None and not isinstance(one, Tensor):
                    raise TypeError(
                        f"save_for_backward can only save variables, but argument is of type "
                        f"{type(one).__name__}"
                    )
        return saved


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

        def forward(ctx):
            return cls._forward(ctx, args)

        tensors = tuple([isinstance(one, Tensor) for one in args])
        return functions.applied(cls, Tensor, args, tensors, Context, forward, _gradients)

    @classmethod
    def _forward(cls, ctx, args):
        if cls.setup_context is Function.setup_context:
            return cls.forward(ctx, *args)
        outputs = cls.forward(*args)
        cls.setup_context(ctx, args, outputs)
        return outputs


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
