"""Functions with a gradient of their own: PyLayer."""

from ..._common import functions
from .._tensor import Tensor


class PyLayerContext(functions.Context):
    """What the forward and the backward of a PyLayer share."""

    def saved_tensor(self):
        """The tensors that forward saved."""
        return self.saved_tensors

    def mark_not_inplace(self, *tensors):
        """Nothing: writes are seen by themselves."""


class PyLayer:
    """A function of tensors with a gradient of its own: two static methods, forward and backward.

    >>> from penstock import paddle
    >>> class Double(paddle.autograd.PyLayer):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     def backward(ctx, gradient):
    ...         return gradient * 2
    >>> x = paddle.to_tensor([1.0, 1.0], stop_gradient=False)
    >>> Double.apply(x).sum().backward()
    >>> x.grad.tolist()
    [2.0, 2.0]
    """

    __module__ = "paddle.autograd"

    @classmethod
    def apply(cls, *args, **kwargs):
        """Calls forward, and records that."""
        inputs = [one for one in (*args, *kwargs.values()) if isinstance(one, Tensor)]

        def forward(ctx):
            return cls.forward(ctx, *args, **kwargs)

        given = (inputs, (True,) * len(inputs), PyLayerContext)
        return functions.applied(cls, Tensor, *given, forward, _gradients)


def _gradients(name, tensors, found):
    """A gradient for each tensor that forward got."""
    found = found if isinstance(found, (list, tuple)) else (found,)
    if len(found) != len(tensors):
        raise ValueError(
            f"(InvalidArgument) {name}.backward gave {len(found)} gradients for "
            f"{len(tensors)} tensors"
        )
    return list(found)
