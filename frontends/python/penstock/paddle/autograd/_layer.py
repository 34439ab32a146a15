"""Functions with a gradient of their own: PyLayer."""

from ... import _core, _function
from .._tensor import Tensor


class PyLayerContext(_function.Context):
    """What the forward and the backward of a PyLayer share."""

    def saved_tensor(self):
        """The tensors that forward saved."""
        return self.saved_tensors

    def mark_not_inplace(self, *tensors):
        """Nothing: writes are seen by themselves."""

    def mark_non_differentiable(self, *tensors):
        """Results that have no gradient."""
        self._without = {id(one) for one in tensors}

    def set_materialize_grads(self, value):
        """Gradients that nothing flowed to are zeros here: only True is."""
        if not value:
            raise NotImplementedError("set_materialize_grads(False) is not here")


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
        before = _core._grad_set_state(None, None, True)
        needs = tuple(not before[2] and _core._grad_info(one)[0] for one in inputs)
        ctx = PyLayerContext(needs)
        try:
            outputs = cls.forward(ctx, *args, **kwargs)
        finally:
            _core._grad_set_state(*before)
        saved = ctx._take_saves()
        if any(needs):
            flowing = _flowing(outputs, getattr(ctx, "_without", ()))
            turn = _turn_of(cls, ctx, len(inputs))
            _function.record_node(f"{cls.__name__}Backward", inputs, flowing, saved, turn)
        return outputs


def _flowing(outputs, without):
    """The results that have gradients."""
    listed = outputs if isinstance(outputs, (list, tuple)) else (outputs,)
    return [one for one in listed if isinstance(one, Tensor) and id(one) not in without]


def _turn_of(layer, ctx, count):
    """What a walk calls: backward, which gives a gradient for each tensor that forward got."""

    def call(gradients, saved, wanted):
        found = ctx._during_turn(saved, tuple(wanted), layer.backward, ctx, *gradients)
        found = found if isinstance(found, (list, tuple)) else (found,)
        if len(found) != count:
            raise ValueError(
                f"(InvalidArgument) {layer.__name__}.backward gave {len(found)} gradients for "
                f"{count} tensors"
            )
        return list(found)

    return call
